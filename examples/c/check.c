/* SPDX-License-Identifier: Apache-2.0 */
/* Check a foreign tensor before anything reads its elements. */
#include "example.h"

int main(void) {
  dlf_error error;
  float block[6] = {0};
  int64_t shape[] = {2, 3}, wrong[] = {2, -3};
  DLTensor tensor = {block, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};
  TRY(dlf_check(&tensor, 0, DLF_CHECK_STRUCTURE, &error));

  tensor.shape = wrong;
  EXPECT(dlf_check(&tensor, 0, DLF_CHECK_STRUCTURE, &error) == DLF_INVALID);
  EXPECT(strcmp(error.message, "check: expected extents of 0 or more, got -3 on axis 1 (from 0)") ==
         0);
  tensor.shape = shape;

  /* DLPack 1.2 asks for strides, which only the strict level insists on. */
  EXPECT(dlf_check(&tensor, 0, DLF_CHECK_STRICT, &error) == DLF_INVALID);

  /* Describe a slice of a language: element 4 on, two columns. The description must lie inside the
   * slice. */
  const int64_t two[] = {2};
  dlf_window window = {.size = sizeof window,
                       .memory = block,
                       .bytes = sizeof block,
                       .dtype = {kDLFloat, 32, 1},
                       .start = 4,
                       .ndim = 1,
                       .shape = two};
  TRY(dlf_check_window("slice", &window, &tensor, &error));
  EXPECT(dlf_data(&tensor) == &block[4]);
  window.start = 5;
  EXPECT(dlf_check_window("slice", &window, &tensor, &error) == DLF_BOUNDS);
  return 0;
}
