/* SPDX-License-Identifier: Apache-2.0 */
/* A library with values of every kind but tensors, in the styles of BLAS, LAPACK and others. Its
 * contracts are in scalars.contracts. */
#ifndef SCALARS_H
#define SCALARS_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#define S_FORWARD (-1)
#define S_BACKWARD (+1)
#define S_QUICK (1U << 0)
#define S_EXACT (1U << 2)
#define S_TOLERANCE 0.125
#define S_ROW_MAJOR 101

typedef enum s_code { S_FINE = 7, S_POOR = 8, S_BAD = -3 } s_code;
typedef enum s_mode { S_ONE = 1, S_TWO = 2, S_FOUR = 4 } s_mode;

/** Return a times b. */
double complex s_times(double complex a, double complex b);
float _Complex s_timesf(float _Complex a, float _Complex b);

/** Multiply by a number behind a pointer, as BLAS does. */
void s_scale(int n, const void *alpha, void *x, int incx);
void s_scalef(int n, const void *alpha, void *x);

/** Sum without conjugation; the result is behind a pointer. */
void s_sum_sub(int n, const void *x, void *sum);
void s_sum(const double complex *x, int n, double complex *sum, bool *odd);

/** Return 1 for the upper triangle, 2 for the lower. */
int s_triangle(char uplo, char any);
char s_grade(int points);

/** By pointers alone, as Fortran has it. */
double s_mean(const int *n, const double *x, const int *step);

/** Return the number of roots within the tolerance, 0.5 if there is none. */
double s_within(const double *tolerance, const int *most);

/** Return "hello NAME", or NULL without a name. */
const char *s_greet(const char *name);

/** Return what the call was told. */
int s_plan(int sign, unsigned flags);
int s_modes(s_mode modes);
double s_fixed(double half, double complex one, double size, int n, const double *x);

/** Succeed for 0 only. */
s_code s_check(int what);
const char *s_code_text(s_code code);
int s_count(int what);

/** LAPACK's info: 0, minus the number of an argument, or a pivot. */
int s_solve(int layout, char trans, int n, const double *a, int lda);

/** Add alpha times x to y, in each dtype a function. */
void s_saxpy(int n, float alpha, const float *x, float *y);
void s_daxpy(int n, double alpha, const double *x, double *y);
void s_caxpy(int n, const void *alpha, const void *x, void *y);
void s_zaxpy(int n, const void *alpha, const void *x, void *y);

/** Return the largest absolute value. */
float s_slargest(int n, const float *x);
double s_dlargest(int n, const double *x);
float s_clargest(int n, const void *x);

/** Write the absolute values. */
void s_sabs(int n, const float *x, float *out);
void s_cabs(int n, const void *x, float *out);
void s_zabs(int n, const void *x, double *out);

#endif
