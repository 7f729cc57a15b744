/* SPDX-License-Identifier: Apache-2.0 */
#include <dlferry.h>
#include <stdbool.h>
#include <stdio.h>

int main(void) {
  const int64_t shape[] = {2, 3};
  const DLDevice cpu = {kDLCPU, 0};
  const DLDataType float32 = {kDLFloat, 32, 1};
  dlf_tensor *tensor;
  dlf_error error;
  char text[128];
  if (dlf_create(float32, 2, shape, cpu, &tensor, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  dlf_tensor *row;
  bool same = false;
  if (dlf_select(tensor, 0, 1, &row, &error) ||
      dlf_equal((dlf_arg){dlf_dltensor(row), dlf_flags(row)},
                (dlf_arg){dlf_dltensor(row), dlf_flags(row)},
                &same,
                &error) ||
      !same) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  dlf_release(row);
  dlf_describe(dlf_dltensor(tensor), dlf_flags(tensor), text, sizeof text);
  dlf_release(tensor);
  printf("%s, live %lld\n", text, (long long)dlf_live());
  return 0;
}
