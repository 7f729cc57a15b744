/* SPDX-License-Identifier: Apache-2.0 */
#include "scale_dlferry.h"

#include <stdio.h>

int main(void) {
  double elements[] = {1, 2, 4};
  int64_t shape[] = {3};
  DLTensor x = {elements, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, shape, NULL, 0};
  dlf_error error = {DLF_OK, ""};
  if (scale_all_checked((dlf_arg){&x, 0}, 2, &error) || elements[2] != 8) {
    printf("expected 8, got %g: %s\n", elements[2], error.message);
    return 1;
  }
  if (scale_all_checked((dlf_arg){&x, DLPACK_FLAG_BITMASK_READ_ONLY}, 2, &error) != DLF_READ_ONLY) {
    printf("expected READ_ONLY, got %s\n", dlf_status_name(error.status));
    return 1;
  }
  puts(error.message);
  return 0;
}
