/* SPDX-License-Identifier: Apache-2.0 */
/* Write a tensor to a file that numpy.load reads, and map such a file without copying it. */
#include "example.h"

#include <dlferry/npy.h>

int main(void) {
  dlf_error error;
  const char *path = "example.npy";
  int16_t numbers[] = {1, 2, 3, 4, 5, 6};
  int64_t shape[] = {2, 3};
  const DLTensor matrix = {numbers, {kDLCPU, 0}, 2, {kDLInt, 16, 1}, shape, NULL, 0};
  TRY(dlf_npy_save((dlf_arg){&matrix, 0}, path, &error));

  dlf_tensor *mapped;
  bool same;
  TRY(dlf_npy_open(path, &mapped, &error));
  EXPECT(dlf_flags(mapped) & DLPACK_FLAG_BITMASK_READ_ONLY);
  TRY(dlf_identical(
      (dlf_arg){&matrix, 0}, (dlf_arg){dlf_dltensor(mapped), dlf_flags(mapped)}, &same, &error));
  EXPECT(same);
  dlf_release(mapped);
  remove(path);

  EXPECT(dlf_npy_open("missing.npy", &mapped, &error) == DLF_FOREIGN);
  printf("%s\n", error.message);
  return 0;
}
