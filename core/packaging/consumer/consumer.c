/* SPDX-License-Identifier: Apache-2.0 */
#include "scale_dlferry.h"

#include <stdio.h>

int main(void) {
  double elements[] = {1, 2, 4};
  int64_t shape[] = {3};
  DLTensor x = {elements, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, shape, NULL, 0};
  dlf_error error = {DLF_OK, ""};
  if (scale_all_checked((dlf_arg){&x, 0}, 2, &error)) {
    puts(error.message);
    return 1;
  }
  printf("%g %g %g\n", elements[0], elements[1], elements[2]);
  return elements[2] != 8;
}
