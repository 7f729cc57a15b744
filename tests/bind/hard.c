/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that do nothing: the tests check which calls reach them. */
#include "hard.h"

void hard_twelve(const DLTensor *x, const DLTensor *y) {
  (void)x, (void)y;
}

void hard_nothing(const DLTensor *x, int a) {
  (void)x, (void)a;
}

void hard_large(const DLTensor *x) {
  (void)x;
}

void hard_axes(const DLTensor *x) {
  (void)x;
}

void hard_device(const DLTensor *x) {
  (void)x;
}

void hard_narrow(const DLTensor *x, double k, float r) {
  (void)x, (void)k, (void)r;
}

void hard_alike(const DLTensor *x, DLTensor *out) {
  (void)x, (void)out;
}

void hard_dtypes(const DLTensor *x, const DLTensor *y, const DLTensor *z, const DLTensor *c) {
  (void)x, (void)y, (void)z, (void)c;
}

void hard_layouts(const DLTensor *x, const DLTensor *y, const DLTensor *z, DLTensor *out,
                  const DLTensor *last) {
  (void)x, (void)y, (void)z, (void)out, (void)last;
}

void hard_ends(int8_t a, uint8_t b, int16_t c, uint32_t d, int32_t e, float x) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)x;
}

void hard_lists(const DLTensor *const *a, int32_t a_count, const DLTensor *const *b,
                int32_t b_count, const float *weights, int32_t weights_count, const int32_t *index,
                int32_t index_count) {
  (void)a, (void)a_count, (void)b, (void)b_count, (void)weights, (void)weights_count, (void)index,
      (void)index_count;
}

void hard_silent(const DLTensor *x, DLTensor *out) {
  (void)x, (void)out;
}
