/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

static float *elements(const DLTensor *x) {
  return (float *)((char *)x->data + x->byte_offset);
}

void kernels_scale(const DLTensor *x, double factor, DLTensor *out) {
  for (int64_t i = 0; i < x->shape[0]; i++) {
    elements(out)[i] = (float)(factor * (double)elements(x)[i]);
  }
}

double kernels_sum(const DLTensor *x) {
  double sum = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    sum += (double)elements(x)[i];
  }
  return sum;
}
