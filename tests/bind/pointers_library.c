/* SPDX-License-Identifier: Apache-2.0 */
#include "pointers.h"
#include <stdio.h>
#include <string.h>

int p_total(p_order order, int m, int n, const double *a, int lda, double *total) {
  const int along = order == P_ROWS ? n : m, runs = order == P_ROWS ? m : n;
  if (m < 0 || n < 0 || lda < 1 || lda < along) {
    return 1;
  }
  *total = 0;
  for (int i = 0; i < runs; i++) {
    for (int k = 0; k < along; k++) {
      *total += (i + 1) * a[(int64_t)i * lda + k];
    }
  }
  return 0;
}

/* The distance of (i, k), or -1 for a leading dimension that is too small. */
static int64_t place(p_order order, int m, int n, int ld, int i, int k) {
  if (ld < 1 || ld < (order == P_ROWS ? n : m)) {
    return -1;
  }
  return order == P_ROWS ? (int64_t)i * ld + k : (int64_t)k * ld + i;
}

int p_plus(p_order order, int m, int n, const double *a, int lda, double *b, int ldb) {
  if (place(order, m, n, lda, 0, 0) < 0 || place(order, m, n, ldb, 0, 0) < 0) {
    return 1;
  }
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < n; k++) {
      b[place(order, m, n, ldb, i, k)] += a[place(order, m, n, lda, i, k)];
    }
  }
  return 0;
}

int p_part(p_order order, int m, int n, const float *a, int lda, float *above, int lda2,
           float *below, int ldb) {
  if (place(order, m, n, lda, 0, 0) < 0 || place(order, m, n, lda2, 0, 0) < 0 ||
      place(order, m, n, ldb, 0, 0) < 0) {
    return 1;
  }
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < n; k++) {
      const float x = a[place(order, m, n, lda, i, k)];
      above[place(order, m, n, lda2, i, k)] = x > 0 ? x : 0;
      below[place(order, m, n, ldb, i, k)] = x < 0 ? x : 0;
    }
  }
  return 0;
}

int p_turned(p_order order, bool turned, int m, int n, const double *a, int lda, double *c,
             int ldc) {
  const p_order other = order == P_ROWS ? P_COLUMNS : P_ROWS, of_a = turned ? other : order;
  if (place(of_a, m, n, lda, 0, 0) < 0 || place(order, m, n, ldc, 0, 0) < 0) {
    return 1;
  }
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < n; k++) {
      c[place(order, m, n, ldc, i, k)] += a[place(of_a, m, n, lda, i, k)];
    }
  }
  return 0;
}

void p_axpy(int n, double alpha, const double *x, int incx, double *y, int incy) {
  if (incx == 0 || incy == 0) {
    return;
  }
  int64_t ix = incx < 0 ? (int64_t)(1 - n) * incx : 0, iy = incy < 0 ? (int64_t)(1 - n) * incy : 0;
  for (int i = 0; i < n; i++, ix += incx, iy += incy) {
    y[iy] += alpha * x[ix];
  }
}

void p_walk(long n, const int16_t *x, long step, int16_t *out) {
  for (long i = 0; i < n; i++) {
    out[n - 1 - i] = x[i * step];
  }
}

int p_outer(int kind, const void *x, uint32_t m, const void *y, uint32_t n, void *out,
            uint64_t bytes) {
  if (bytes != (uint64_t)m * n * 4 || kind < 1 || kind > 2) {
    return 1;
  }
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t k = 0; k < n; k++) {
      if (kind == 1) {
        ((int32_t *)out)[i * n + k] = ((const int32_t *)x)[i] + ((const int32_t *)y)[k];
      } else {
        ((float *)out)[i * n + k] = ((const float *)x)[i] + ((const float *)y)[k];
      }
    }
  }
  return 0;
}

int32_t p_count(const bool *flags, int8_t n) {
  int32_t count = 0;
  for (int8_t i = 0; i < n; i++) {
    count += flags[i];
  }
  return count;
}

void p_shift(unsigned char *bytes, int64_t n, int by) {
  for (int64_t i = 0; i < n; i++) {
    bytes[i] = (unsigned char)(bytes[i] + by);
  }
}

const char *p_describe(const char *array) {
  static const char start[] = "{\"data\": [";
  static char text[4096];
  const char *rest = array + sizeof start - 1;
  snprintf(text, sizeof text, "%sA%s", start, rest + strspn(rest, "0123456789"));
  return text;
}

uint64_t p_place(const uint8_t *x, const uint8_t *y) {
  return (uint64_t)((uintptr_t)x + (uintptr_t)y);
}

void p_secret(int a) {
  (void)a;
}

void p_unsaid(const double *a, double *b) {
  *b = *a;
}

int p_managed(DLManagedTensor *x, DLManagedTensor *weights, DLManagedTensor *out) {
  if (x->manager_ctx || x->deleter || out->manager_ctx || out->deleter) {
    return 1;
  }
  for (int64_t i = 0; i < x->dl_tensor.shape[0]; i++) {
    const double *from = (const double *)x->dl_tensor.data + i * x->dl_tensor.strides[0];
    const double weight = weights ? ((const double *)weights->dl_tensor.data)[i] : 2;
    ((double *)out->dl_tensor.data)[i] = *from * weight;
  }
  return 0;
}

int p_rising(const uint64_t *x, int n) {
  (void)x;
  return n;
}

int p_letters(const char *const *words, int n) {
  int letters = 0;
  for (int i = 0; i < n; i++) {
    letters += (int)strlen(words[i]);
  }
  return letters;
}
