/* SPDX-License-Identifier: Apache-2.0 */
/* Allocate a tensor, share its handle, copy and fill it, and release all of it. */
#include "example.h"

int main(void) {
  dlf_error error;
  const int64_t shape[] = {2, 3};
  dlf_tensor *tensor, *copy;
  TRY(dlf_create((DLDataType){kDLFloat, 64, 1}, 2, shape, (DLDevice){kDLCPU, 0}, &tensor, &error));

  /* dlf_dltensor lends the description; it lives as long as the handle. */
  const DLTensor *described = dlf_dltensor(tensor);
  EXPECT(described->ndim == 2 && described->shape[1] == 3 && described->strides[0] == 3);
  EXPECT(dlf_flags(tensor) == 0);
  double *elements = dlf_data(described);
  EXPECT(elements[5] == 0);
  elements[5] = 7;

  /* A second owner retains the handle. The memory goes with the last release. */
  dlf_tensor *shared = dlf_retain(tensor);
  EXPECT(shared == tensor && !dlf_is_unique(tensor));
  dlf_release(tensor);
  EXPECT(elements[5] == 7 && dlf_is_unique(shared));

  /* A copy has memory of its own. */
  TRY(dlf_copy(shared, &copy, &error));
  elements[5] = 8;
  EXPECT(((double *)dlf_data(dlf_dltensor(copy)))[5] == 7);

  /* Each holds its 48 bytes of elements, and has the DLPack version of this library. */
  EXPECT(dlf_held_bytes(copy) >= 48 && dlf_dlpack_version(copy).major == DLF_DLPACK_MAJOR);

  /* A copy with whole bytes for elements of 4 bits, as NumPy has them; these elements are wide
   * enough anyway. */
  dlf_tensor *wide;
  TRY(dlf_copy_padded(shared, &wide, &error));
  EXPECT(dlf_flags(wide) == 0);
  dlf_release(wide);

  /* Copies go into existing memory too, between any strides: here into the columns of a matrix,
   * which are its rows in memory. */
  const int64_t turned[] = {3, 2}, swapped[] = {1, 0};
  dlf_tensor *matrix, *columns, *dense;
  TRY(dlf_create((DLDataType){kDLFloat, 64, 1}, 2, turned, (DLDevice){kDLCPU, 0}, &matrix, &error));
  TRY(dlf_permute(matrix, swapped, 2, &columns, &error));
  const dlf_number half = {.kind = DLF_NUMBER_REAL, .real = 0.5};
  TRY(dlf_fill(matrix, &half, &error));
  TRY(dlf_copy_into(copy, columns, &error));
  EXPECT(((double *)dlf_data(dlf_dltensor(matrix)))[5] == 7);

  /* Copies, casts and fills of 16 MiB or more use two threads from now on. */
  TRY(dlf_set_threads(2, &error));

  /* No copy where the elements have the order already. */
  TRY(dlf_contiguous(columns, DLF_COLUMN_MAJOR, &dense, &error));
  EXPECT(dense == columns);
  dlf_release(dense);
  dlf_release(columns);
  dlf_release(matrix);

  EXPECT(dlf_live() == 2);
  dlf_release(shared);
  dlf_release(copy);
  EXPECT(dlf_live() == 0); /* Nothing leaked. */
  return 0;
}
