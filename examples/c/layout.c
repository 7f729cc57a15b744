/* SPDX-License-Identifier: Apache-2.0 */
/* Compute sizes, strides and addresses of a tensor that you described yourself. */
#include "example.h"

int main(void) {
  dlf_error error;
  _Alignas(64) static float memory[12];
  int64_t shape[] = {3, 4}, strides[2], count, size, low, high;

  /* The strides of a column-major matrix, in elements. */
  TRY(dlf_compact_strides(2, shape, DLF_COLUMN_MAJOR, strides, &error));
  EXPECT(strides[0] == 1 && strides[1] == 3);
  DLTensor matrix = {memory, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
  EXPECT(dlf_is_contiguous(&matrix, DLF_COLUMN_MAJOR) &&
         !dlf_is_contiguous(&matrix, DLF_ROW_MAJOR));

  TRY(dlf_count(&matrix, &count, &error));
  TRY(dlf_byte_size(&matrix, 0, &size, &error));
  EXPECT(count == 12 && size == 48);

  /* The second column, backwards: it begins at its last element and reaches back from there. */
  int64_t backwards[] = {-1};
  DLTensor column = {
      memory, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, backwards, 5 * sizeof(float)};
  TRY(dlf_byte_range(&column, 0, &low, &high, &error));
  EXPECT(low == -8 && high == 4);
  EXPECT(dlf_data(&column) == &memory[5]);
  EXPECT(dlf_alignment(&matrix) >= 64 && dlf_alignment(&column) == 4);

  /* The column shares memory with the matrix. */
  EXPECT(dlf_overlap((dlf_arg){&matrix, 0}, (dlf_arg){&column, 0}));
  return 0;
}
