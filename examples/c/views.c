/* SPDX-License-Identifier: Apache-2.0 */
/* View the same elements with another shape or dtype. No view copies, and a view keeps its elements
 * alive. */
#include "example.h"

static float at(const dlf_tensor *tensor, int64_t i, int64_t k) {
  const DLTensor *t = dlf_dltensor(tensor);
  return ((const float *)dlf_data(t))[i * t->strides[0] + k * t->strides[1]];
}

/* Row 1, every second column, and a new axis: [1, 2]. */
static int select_several(dlf_tensor *matrix) {
  dlf_error error;
  dlf_tensor *view;
  const dlf_index_item items[] = {
      {DLF_INDEX_ONE, 0, 1, 0, 0}, {DLF_INDEX_NEW, 0, 0, 0, 0}, {DLF_INDEX_RANGE, 0, 0, 2, 2}};
  TRY(dlf_index(matrix, items, 3, &view, &error));
  EXPECT(at(view, 0, 1) == 6);
  dlf_release(view);
  return 0;
}

int main(void) {
  dlf_error error;
  const int64_t shape[] = {3, 4}, flat[] = {-1}, repeated[] = {2, 3, 4};
  const int64_t swapped[] = {1, 0};
  dlf_tensor *matrix, *view, *other;
  TRY(dlf_create((DLDataType){kDLFloat, 32, 1}, 2, shape, (DLDevice){kDLCPU, 0}, &matrix, &error));
  for (int i = 0; i < 12; i++) {
    ((float *)dlf_data(dlf_dltensor(matrix)))[i] = (float)i; /* 0 1 2 3 / 4 5 6 7 / ... */
  }

  /* Every second column, from the last one back. */
  TRY(dlf_slice(matrix, 1, 3, 2, -2, &view, &error));
  EXPECT(at(view, 1, 0) == 7 && at(view, 1, 1) == 5);
  dlf_release(view);

  TRY(dlf_select(matrix, 0, 2, &view, &error)); /* row 2 */
  EXPECT(dlf_dltensor(view)->ndim == 1 && *(float *)dlf_data(dlf_dltensor(view)) == 8);
  dlf_release(view);

  if (select_several(matrix)) {
    return 1;
  }

  TRY(dlf_permute(matrix, swapped, 2, &view, &error)); /* the transposed matrix */
  EXPECT(at(view, 3, 1) == at(matrix, 1, 3));
  EXPECT(dlf_reshape(view, flat, 1, &other, &error) ==
         DLF_LAYOUT); /* its elements are not in row-major order */
  dlf_release(view);

  TRY(dlf_reshape(matrix, flat, 1, &view, &error));
  EXPECT(dlf_dltensor(view)->shape[0] == 12);
  dlf_release(view);

  TRY(dlf_broadcast(matrix, repeated, 3, &view, &error)); /* the matrix twice, with a stride of 0 */
  EXPECT(dlf_dltensor(view)->shape[0] == 2 && dlf_dltensor(view)->strides[0] == 0);
  dlf_release(view);

  TRY(dlf_unsqueeze(matrix, 0, &view, &error)); /* [1, 3, 4] */
  EXPECT(dlf_dltensor(view)->ndim == 3 && dlf_dltensor(view)->shape[0] == 1);
  TRY(dlf_squeeze(view, 0, &other, &error)); /* [3, 4] again */
  EXPECT(dlf_dltensor(other)->ndim == 2);
  dlf_release(other);
  dlf_release(view);

  TRY(dlf_flip(matrix, 0, &view, &error)); /* the last row first */
  EXPECT(at(view, 0, 0) == 8);
  dlf_release(view);

  TRY(dlf_bitcast(matrix, (DLDataType){kDLUInt, 8, 1}, &view, &error)); /* the bytes: [3, 16] */
  EXPECT(dlf_dltensor(view)->shape[1] == 16);
  dlf_release(view);

  TRY(dlf_pack_lanes(matrix, &view, &error)); /* float32x4[3] */
  EXPECT(dlf_dltensor(view)->dtype.lanes == 4 && dlf_dltensor(view)->ndim == 1);
  TRY(dlf_unpack_lanes(view, &other, &error)); /* float32[3, 4] */
  EXPECT(dlf_dltensor(other)->dtype.lanes == 1);
  dlf_release(view);

  /* The view outlives the handle that it was made from. */
  dlf_release(matrix);
  EXPECT(at(other, 2, 3) == 11);
  dlf_release(other);
  EXPECT(dlf_live() == 0);
  return 0;
}
