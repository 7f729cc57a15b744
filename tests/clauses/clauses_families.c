/* SPDX-License-Identifier: Apache-2.0 */
#include "clauses.h"

void clauses_saxpy(int32_t n, float alpha, const float *x, float *y) {
  for (int32_t i = 0; i < n; i++) {
    y[i] += alpha * x[i];
  }
}

void clauses_daxpy(int32_t n, double alpha, const double *x, double *y) {
  for (int32_t i = 0; i < n; i++) {
    y[i] += alpha * x[i];
  }
}

void clauses_caxpy(int32_t n, const void *alpha, const void *x, void *y) {
  for (int32_t i = 0; i < n; i++) {
    ((float complex *)y)[i] += *(const float complex *)alpha * ((const float complex *)x)[i];
  }
}

void clauses_sabs(int32_t n, const float *x, float *out) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = x[i] < 0 ? -x[i] : x[i];
  }
}

void clauses_cabs(int32_t n, const void *x, float *out) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = cabsf(((const float complex *)x)[i]);
  }
}
