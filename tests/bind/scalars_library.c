/* SPDX-License-Identifier: Apache-2.0 */
#include "scalars.h"

#include <stddef.h>
#include <stdio.h>

double complex s_times(double complex a, double complex b) {
  return a * b;
}
float _Complex s_timesf(float _Complex a, float _Complex b) {
  return a * b;
}

void s_scale(int n, const void *alpha, void *x, int incx) {
  double complex *at = x;
  for (int i = 0; i < n; i++) {
    at[(ptrdiff_t)i * incx] *= *(const double complex *)alpha;
  }
}

void s_scalef(int n, const void *alpha, void *x) {
  float complex *at = x;
  for (int i = 0; i < n; i++) {
    at[i] *= *(const float complex *)alpha;
  }
}

void s_sum_sub(int n, const void *x, void *sum) {
  double complex total = 0;
  for (int i = 0; i < n; i++) {
    total += ((const double complex *)x)[i];
  }
  *(double complex *)sum = total;
}

void s_sum(const double complex *x, int n, double complex *sum, bool *odd) {
  s_sum_sub(n, x, sum);
  *odd = n % 2 != 0;
}

int s_triangle(char uplo, char any) {
  return uplo == 'U' ? 1 : any == 'x' ? 2 : 3;
}
char s_grade(int points) {
  return points > 50 ? 'A' : points < 0 ? (char)200 : 'B';
}

double s_mean(const int *n, const double *x, const int *step) {
  double sum = 0;
  for (int i = 0; i < *n; i++) {
    sum += x[(ptrdiff_t)i * *step];
  }
  return *n ? sum / *n : 0;
}

double s_within(const double *tolerance, const int *most) {
  return (tolerance ? *tolerance : 0.5) * (most ? *most : 1);
}

const char *s_greet(const char *name) {
  static char text[64];
  if (!name) {
    return NULL;
  }
  snprintf(text, sizeof text, "hello %.40s", name);
  return text;
}

int s_plan(int sign, unsigned flags) {
  return sign * 100 + (int)flags;
}
int s_modes(s_mode modes) {
  return (int)modes;
}

double s_fixed(double half, double complex one, double size, int n, const double *x) {
  return half * 1000 + creal(one) + size + (n ? x[0] : 0);
}

s_code s_check(int what) {
  return what == 0 ? S_FINE : what == 1 ? S_POOR : S_BAD;
}
const char *s_code_text(s_code code) {
  return code == S_POOR ? "poor" : "bad";
}
int s_count(int what) {
  return 101 + what;
}

int s_solve(int layout, char trans, int n, const double *a, int lda) {
  if (layout != S_ROW_MAJOR) {
    return -1;
  }
  if (trans != 'N' && trans != 'T') {
    return -2;
  }
  for (int i = 0; i < n; i++) {
    if (a[(ptrdiff_t)i * lda + i] == 0) {
      return i + 1;
    }
    if (a[(ptrdiff_t)i * lda + i] < 0) {
      return a[(ptrdiff_t)i * lda + i] < -1 ? -1010 : -4;
    }
  }
  return 0;
}

#define AXPY(name, type, alpha_type, value)                                                        \
  void name(int n, alpha_type alpha, const type *x, type *y) {                                     \
    for (int i = 0; i < n; i++)                                                                    \
      y[i] += (value) * x[i];                                                                      \
  }
AXPY(s_saxpy, float, float, alpha)
AXPY(s_daxpy, double, double, alpha)

void s_caxpy(int n, const void *alpha, const void *x, void *y) {
  for (int i = 0; i < n; i++) {
    ((float complex *)y)[i] += *(const float complex *)alpha * ((const float complex *)x)[i];
  }
}

void s_zaxpy(int n, const void *alpha, const void *x, void *y) {
  for (int i = 0; i < n; i++) {
    ((double complex *)y)[i] += *(const double complex *)alpha * ((const double complex *)x)[i];
  }
}

#define LARGEST(name, type, given, of)                                                             \
  type name(int n, const given *x) {                                                               \
    type most = 0;                                                                                 \
    for (int i = 0; i < n; i++)                                                                    \
      most = of > most ? of : most;                                                                \
    return most;                                                                                   \
  }
LARGEST(s_slargest, float, float, (x[i] < 0 ? -x[i] : x[i]))
LARGEST(s_dlargest, double, double, (x[i] < 0 ? -x[i] : x[i]))
LARGEST(s_clargest, float, void, cabsf(((const float complex *)x)[i]))

#define ABS(name, type, given, of)                                                                 \
  void name(int n, const given *x, type *out) {                                                    \
    for (int i = 0; i < n; i++)                                                                    \
      out[i] = of;                                                                                 \
  }
ABS(s_sabs, float, float, (x[i] < 0 ? -x[i] : x[i]))
ABS(s_cabs, float, void, cabsf(((const float complex *)x)[i]))
ABS(s_zabs, double, void, cabs(((const double complex *)x)[i]))
