/* SPDX-License-Identifier: Apache-2.0 */
/* A library over plain pointers, in the styles of BLAS and of others. Its contracts are in
 * pointers.contracts. */
#ifndef POINTERS_H
#define POINTERS_H

#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum p_order { P_ROWS = 1, P_COLUMNS = 2 } p_order;

/** Sum a matrix of order ROWS or COLUMNS with a leading dimension; 1 if an argument is wrong. */
int p_total(p_order order, int m, int n, const double *a, int lda, double *total);

/** Add a matrix to another one of the same order. */
int p_plus(p_order order, int m, int n, const double *a, int lda, double *b, int ldb);

/** Part a matrix into what is above 0 and what is below it, all in one order. */
int p_part(p_order order, int m, int n, const float *a, int lda, float *above, int lda2,
           float *below, int ldb);

/** Add to c a matrix of the same order, or one that is turned. */
int p_turned(p_order order, bool turned, int m, int n, const double *a, int lda, double *c,
             int ldc);

/** Add a multiple of x to y, by BLAS's rules for steps. */
void p_axpy(int n, double alpha, const double *x, int incx, double *y, int incy);

/** Reverse a vector, by steps of its own from the first element on. */
void p_walk(long n, const int16_t *x, long step, int16_t *out);

/** Outer sum of any numbers: x[i] + y[j]; kind tells their type. */
int p_outer(int kind, const void *x, uint32_t m, const void *y, uint32_t n, void *out,
            uint64_t bytes);

/** Count what is true. */
int32_t p_count(const bool *flags, int8_t n);

/** Add to every byte. */
void p_shift(unsigned char *bytes, int64_t n, int by);

/** Give back the text of an array interface, with A instead of the address. */
const char *p_describe(const char *array);

/** Return the sum of the pointers, of any device. */
uint64_t p_place(const uint8_t *x, const uint8_t *y);

/** Scale by weights, or by 2 without; 1 if a tensor has an owner. */
int p_managed(DLManagedTensor *x, DLManagedTensor *weights, DLManagedTensor *out);

/** Count numbers that rise. */
int p_rising(const uint64_t *x, int n);
/** Count the letters of all words. */
int p_letters(const char *const *words, int n);

/** Not for callers. */
void p_secret(int a);

/** Without a contract. */
void p_unsaid(const double *a, double *b);

#endif
