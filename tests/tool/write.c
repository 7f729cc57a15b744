/* SPDX-License-Identifier: Apache-2.0 */
/* Write the .npy files for the command's test: write FOLDER. */
#include <dlferry.h>
#include <dlferry/npy.h>
#include <stdio.h>

static const char *folder;

static int save(const char *name, const DLTensor *t) {
  char path[4096];
  dlf_error error = {DLF_OK, ""};
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  if (dlf_npy_save((dlf_arg){(DLTensor *)t, 0}, path, &error)) {
    fprintf(stderr, "%s: %s\n", name, error.message);
  }
  return error.status != DLF_OK;
}

int main(int count, char **words) {
  if (count != 2) {
    return 2;
  }
  folder = words[1];
  const DLDevice cpu = {kDLCPU, 0};
  float floats[] = {0.5f, -1, 1e20f, 0, 3, 0.1f};
  int64_t matrix[] = {2, 3}, by_columns[] = {1, 2}, every_second[] = {6, 2};
  DLTensor t = {floats, cpu, 2, {kDLFloat, 32, 1}, matrix, NULL, 0};
  int failed = save("rows", &t);
  t.strides = by_columns;
  failed |= save("columns", &t);

  int16_t shorts[] = {-1, 0, 7, 0, 300, 0};
  int64_t three[] = {3};
  failed |=
      save("strided", &(DLTensor){shorts, cpu, 1, {kDLInt, 16, 1}, three, every_second + 1, 0});
  double complex_pair[] = {1, -2, 0, 0.25};
  int64_t two[] = {2}, none[] = {0, 4};
  failed |= save("complex", &(DLTensor){complex_pair, cpu, 1, {kDLComplex, 128, 1}, two, NULL, 0});
  uint8_t flags[] = {1, 0, 1};
  failed |= save("bool", &(DLTensor){flags, cpu, 1, {kDLBool, 8, 1}, three, NULL, 0});
  uint64_t highest = UINT64_MAX;
  failed |= save("scalar", &(DLTensor){&highest, cpu, 0, {kDLUInt, 64, 1}, NULL, NULL, 0});
  failed |= save("empty", &(DLTensor){NULL, cpu, 2, {kDLFloat, 64, 1}, none, NULL, 0});
  return failed;
}
