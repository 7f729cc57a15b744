/* SPDX-License-Identifier: Apache-2.0 */
/* strides CALLS SEED: random extents, strides and signs through cblas, each call beside loops over
 * indices. Memory ends where the tensors end, so that the address sanitizer sees a step too far.
 * Prints how many calls were accepted. */
#include "blas_dlferry.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

static uint64_t state;

static int64_t draw(int64_t low, int64_t high) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return low + (int64_t)(state % (uint64_t)(high - low + 1));
}

/* ---- tensors of one of four dtypes ---- */

static const DLDataType dtypes[] = {
    {kDLFloat, 32, 1}, {kDLFloat, 64, 1}, {kDLComplex, 64, 1}, {kDLComplex, 128, 1}};

typedef struct array {
  DLTensor tensor;
  int64_t shape[2], strides[2];
  char *memory;
  size_t size;
} array;

static number get(const array *a, int64_t i, int64_t k) {
  const char *at = (const char *)a->tensor.data + a->tensor.byte_offset;
  const int64_t index = i * a->strides[0] + (a->tensor.ndim > 1 ? k * a->strides[1] : 0);
  switch (a->tensor.dtype.code * 1000 + a->tensor.dtype.bits) {
  case kDLFloat * 1000 + 32:
    return ((const float *)at)[index];
  case kDLFloat * 1000 + 64:
    return ((const double *)at)[index];
  case kDLComplex * 1000 + 64:
    return ((const float complex *)at)[index];
  default:
    return ((const double complex *)at)[index];
  }
}

/* Small whole numbers: every sum is exact in each dtype. */
static void fill(array *a) {
  const size_t item = a->tensor.dtype.bits / 8u, parts = a->tensor.dtype.code == kDLComplex ? 2 : 1;
  const size_t width = item / parts;
  for (size_t i = 0; i < a->size / width; i++) {
    const double value = (double)draw(-4, 4);
    const float narrow = (float)value;
    memcpy(a->memory + i * width, width == 4 ? (const void *)&narrow : (const void *)&value, width);
  }
}

/* Memory for exactly the elements that the strides reach; the first one lies where negative strides
 * need it. */
static void make(array *a, int dtype, int ndim, const int64_t *shape, const int64_t *strides) {
  const int64_t item = dtypes[dtype].bits / 8;
  int64_t below = 0, above = 0;
  bool empty = false;
  for (int i = 0; i < ndim; i++) {
    a->shape[i] = shape[i];
    a->strides[i] = strides[i];
    empty |= shape[i] == 0;
    if (shape[i] > 0 && strides[i] < 0) {
      below -= (shape[i] - 1) * strides[i];
    }
    if (shape[i] > 0 && strides[i] > 0) {
      above += (shape[i] - 1) * strides[i];
    }
  }
  a->size = empty ? 0 : (size_t)((below + above + 1) * item);
  a->memory = malloc(a->size ? a->size : 1);
  if (!a->memory) {
    exit(2);
  }
  a->tensor = (DLTensor){.data = a->memory,
                         .device = {kDLCPU, 0},
                         .ndim = ndim,
                         .dtype = dtypes[dtype],
                         .shape = a->shape,
                         .strides = a->strides,
                         .byte_offset = empty ? 0 : (uint64_t)(below * item)};
  fill(a);
}

static int64_t draw_stride(void) {
  return draw(0, 9) == 0 ? 0 : draw(-3, 3);
}

static void make_vector(array *a, int dtype, int64_t n) {
  make(a, dtype, 1, &n, (int64_t[]){draw_stride()});
}

/* Mostly rows or columns with gaps, else anything. */
static void make_matrix(array *a, int dtype, int64_t m, int64_t n) {
  const int64_t gap = draw(0, 2), way = draw(0, 4);
  int64_t strides[2] = {n + gap, 1};
  if (way == 1) {
    strides[0] = 1, strides[1] = m + gap;
  }
  if (way == 2) {
    strides[0] = draw_stride(), strides[1] = draw_stride();
  }
  if (way == 3 && draw(0, 3) == 0) {
    strides[0] = -strides[0];
  }
  make(a, dtype, 2, (int64_t[]){m, n}, strides);
}

static dlf_arg lend(const array *a) {
  return (dlf_arg){&a->tensor, 0};
}

/* ---- what a call must do ---- */

static int64_t steps(const array *a, int axis) {
  return a->shape[axis] > 1 ? a->strides[axis] : 0;
}

static bool walks(const array *a) {
  return a->shape[0] <= 1 || a->strides[0] != 0;
}

/* Tell whether BLAS can be told the strides, if the elements along one axis lie side by side. */
static bool runs(const array *a, int along) {
  if (!a->shape[0] || !a->shape[1]) {
    return true; /* NumPy writes zeros then */
  }
  const int64_t across = steps(a, 1 - along), least = a->shape[along] > 1 ? a->shape[along] : 1;
  const bool close = a->shape[along] <= 1 || a->strides[along] == 1;
  return close && (a->shape[1 - along] <= 1 || across >= least);
}

static bool is_matrix(const array *a) {
  return runs(a, 0) || runs(a, 1);
}

static long failures, accepted;

static void expect(bool good, const char *what, dlf_status status, const dlf_error *error) {
  if (good) {
    return;
  }
  if (failures++ < 20) {
    fprintf(stderr, "%s: status %d: %s\n", what, (int)status, status ? error->message : "");
  }
}

static bool near(number a, number b) {
  return cabs(a - b) <= 1e-4 * (1 + cabs(b));
}

static dlf_c128 scalar(int dtype, number *value) {
  *value = (double)draw(-2, 2) + (dtype > 1 ? (double)draw(-2, 2) * I : 0);
  return (dlf_c128){creal(*value), cimag(*value)};
}

/* ---- the functions ---- */

static void try_dot(int dtype) {
  const int64_t n = draw(0, 6);
  array x, y;
  dlf_error error;
  number sum = 0;
  dlf_c128 wide = {0, 0};
  make_vector(&x, dtype, n);
  make_vector(&y, dtype, n);
  const bool good = walks(&x) && walks(&y), conjugates = dtype > 1 && draw(0, 1);
  for (int64_t i = 0; i < n; i++) {
    sum += (conjugates ? conj(get(&x, i, 0)) : get(&x, i, 0)) * get(&y, i, 0);
  }
  const dlf_status status = dtype < 2    ? cblas_dot_checked(lend(&x), lend(&y), &wide.re, &error)
                            : conjugates ? cblas_dotc_checked(lend(&x), lend(&y), &wide, &error)
                                         : cblas_dotu_checked(lend(&x), lend(&y), &wide, &error);
  expect(!status == good, "dot", status, &error);
  if (!status) {
    expect(near(wide.re + wide.im * I, sum), "dot's sum", status, &error);
  }
  accepted += !status;
  free(x.memory);
  free(y.memory);
}

static void try_nrm2(int dtype) {
  array x;
  dlf_error error;
  double length = 0, sum = 0;
  make_vector(&x, dtype, draw(0, 6));
  for (int64_t i = 0; i < x.shape[0]; i++) {
    sum += creal(get(&x, i, 0) * conj(get(&x, i, 0)));
  }
  const dlf_status status = cblas_nrm2_checked(lend(&x), &length, &error);
  expect(!status == walks(&x), "nrm2", status, &error);
  if (!status) {
    expect(near(length, sqrt(sum)), "nrm2's length", status, &error);
  }
  accepted += !status;
  free(x.memory);
}

static void try_axpy(int dtype) {
  const int64_t n = draw(0, 6);
  array x, y;
  dlf_error error;
  number alpha, expected[6];
  make_vector(&x, dtype, n);
  make_vector(&y, dtype, n);
  const dlf_c128 factor = scalar(dtype, &alpha);
  for (int64_t i = 0; i < n; i++) {
    expected[i] = get(&y, i, 0) + alpha * get(&x, i, 0);
  }
  const dlf_status status = cblas_axpy_checked(factor, lend(&x), lend(&y), &error);
  expect(!status == (walks(&x) && walks(&y)), "axpy", status, &error);
  for (int64_t i = 0; i < n && !status; i++) {
    expect(near(get(&y, i, 0), expected[i]), "axpy's y", status, &error);
  }
  accepted += !status;
  free(x.memory);
  free(y.memory);
}

static void try_gemv(int dtype) {
  const int64_t m = draw(0, 5), n = draw(0, 5);
  array a, x, y;
  dlf_error error;
  number alpha, beta, expected[5];
  make_matrix(&a, dtype, m, n);
  make_vector(&x, dtype, n);
  make_vector(&y, dtype, m);
  const dlf_c128 first = scalar(dtype, &alpha), second = scalar(dtype, &beta);
  for (int64_t i = 0; i < m; i++) {
    number sum = 0;
    for (int64_t k = 0; k < n; k++) {
      sum += get(&a, i, k) * get(&x, k, 0);
    }
    expected[i] = beta * get(&y, i, 0) + alpha * sum;
  }
  const dlf_status status = cblas_gemv_checked(first, lend(&a), lend(&x), second, lend(&y), &error);
  expect(!status == (is_matrix(&a) && walks(&x) && walks(&y)), "gemv", status, &error);
  /* Reference BLAS returns at once without columns, so that beta does nothing. */
  for (int64_t i = 0; i < m && n && !status; i++) {
    expect(near(get(&y, i, 0), expected[i]), "gemv's y", status, &error);
  }
  accepted += !status;
  free(a.memory);
  free(x.memory);
  free(y.memory);
}

static void try_gemm(int dtype) {
  const int64_t m = draw(0, 5), n = draw(0, 5), k = draw(0, 5);
  array a, b, c;
  dlf_error error;
  number alpha, beta, expected[25];
  make_matrix(&a, dtype, m, k);
  make_matrix(&b, dtype, k, n);
  make_matrix(&c, dtype, m, n);
  const dlf_c128 first = scalar(dtype, &alpha), second = scalar(dtype, &beta);
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < n; j++) {
      number sum = 0;
      for (int64_t l = 0; l < k; l++) {
        sum += get(&a, i, l) * get(&b, l, j);
      }
      expected[i * n + j] = beta * get(&c, i, j) + alpha * sum;
    }
  }
  const dlf_status status = cblas_gemm_checked(first, lend(&a), lend(&b), second, lend(&c), &error);
  expect(!status == (is_matrix(&a) && is_matrix(&b) && is_matrix(&c)), "gemm", status, &error);
  for (int64_t i = 0; i < m * n && !status; i++) {
    expect(near(get(&c, i / n, i % n), expected[i]), "gemm's c", status, &error);
  }
  accepted += !status;
  free(a.memory);
  free(b.memory);
  free(c.memory);
}

/* LAPACK takes one order for all matrices of a call. */
static bool one_order(const array *a, const array *b) {
  return (runs(a, 0) && runs(b, 0)) || (runs(a, 1) && runs(b, 1));
}

static void widen_diagonal(array *a) {
  char *at = (char *)a->tensor.data + a->tensor.byte_offset;
  const size_t item = a->tensor.dtype.bits / 8u,
               width = a->tensor.dtype.code == kDLComplex ? item / 2 : item;
  for (int64_t i = 0; i < a->shape[0]; i++) {
    const double value = 40;
    const float narrow = (float)value;
    memcpy(at + i * (a->strides[0] + a->strides[1]) * (int64_t)item,
           width == 4 ? (const void *)&narrow : (const void *)&value,
           width);
  }
}

static void try_gesv(int dtype) {
  const int64_t n = draw(0, 4), count = draw(0, 3);
  array a, b;
  dlf_error error;
  number matrix[16], right[12];
  DLManagedTensorVersioned *pivots = NULL;
  make_matrix(&a, dtype, n, n);
  make_matrix(&b, dtype, n, count);
  const bool good = one_order(&a, &b);
  if (good) {
    widen_diagonal(&a);
  }
  for (int64_t i = 0; i < n * n; i++) {
    matrix[i] = get(&a, i / n, i % n);
  }
  for (int64_t i = 0; i < n * count; i++) {
    right[i] = get(&b, i / count, i % count);
  }
  const dlf_status status = cblas_gesv_new(lend(&a), &pivots, lend(&b), &error);
  expect(!status == good, "gesv", status, &error);
  for (int64_t i = 0; i < n * count && !status; i++) {
    number sum = 0;
    for (int64_t k = 0; k < n; k++) {
      sum += matrix[i / count * n + k] * get(&b, k, i % count);
    }
    expect(near(sum, right[i]), "gesv's b", status, &error);
  }
  accepted += !status;
  dlf_dlpack_release(pivots);
  free(a.memory);
  free(b.memory);
}

static void try_gesdd(int dtype) {
  const int64_t m = draw(1, 4), n = draw(1, 4), least = m < n ? m : n;
  array a, all[3];
  dlf_error error;
  number matrix[16];
  DLManagedTensorVersioned *made[3] = {NULL, NULL, NULL};
  make_matrix(&a, dtype, m, n);
  for (int64_t i = 0; i < m * n; i++) {
    matrix[i] = get(&a, i / n, i % n);
  }
  const bool rows = runs(&a, 1);
  const dlf_status status = cblas_gesdd_new(lend(&a), &made[0], &made[1], &made[2], &error);
  expect(!status == is_matrix(&a), "gesdd", status, &error);
  for (int i = 0; i < 3 && !status; i++) {
    all[i].tensor = made[i]->dl_tensor;
    for (int k = 0; k < all[i].tensor.ndim; k++) {
      all[i].shape[k] = all[i].tensor.shape[k];
      all[i].strides[k] = all[i].tensor.strides[k];
    }
    if (i) {
      expect(runs(&all[i], rows), "gesdd's order", status, &error); /* without a turned copy */
    }
  }
  for (int64_t i = 0; i < m * n && !status; i++) {
    number sum = 0;
    for (int64_t k = 0; k < least; k++) {
      sum += get(&all[1], i / n, k) * get(&all[0], k, 0) * get(&all[2], k, i % n);
    }
    expect(near(sum, matrix[i]), "gesdd's product", status, &error);
  }
  accepted += !status;
  for (int i = 0; i < 3; i++) {
    dlf_dlpack_release(made[i]);
  }
  free(a.memory);
}

int main(int count, char **words) {
  static void (*const tries[])(int dtype) = {
      try_dot, try_nrm2, try_axpy, try_gemv, try_gemm, try_gesv, try_gesdd};
  const long calls = count > 1 ? atol(words[1]) : 10000;
  state = count > 2 ? strtoull(words[2], NULL, 10) : 1;
  state = state * UINT64_C(0x9E3779B97F4A7C15) + 1;
  for (int i = 0; i < 20; i++) {
    (void)draw(0, 1);
  }
  for (long i = 0; i < calls; i++) {
    tries[draw(0, 6)]((int)draw(0, 3));
  }
  printf("%ld calls, %ld accepted, %ld failures, %lld live\n",
         calls,
         accepted,
         failures,
         (long long)dlf_live());
  return failures || accepted * 2 < calls || accepted == calls || dlf_live();
}
