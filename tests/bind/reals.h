/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts on real numbers, for reals.c: each evaluator treats NaN, infinities and 2^53 alike. */
#ifndef REALS_H
#define REALS_H

#include <dlferry.h>

/** Note what the call computes.
 *  @contract least := min(a, b);  most := max(a, b);  inner := min(max(a, n), b);  sum := max(a +
 * b, a - b) */
void reals_choose(double a, double b, int64_t n, double least, double most, double inner,
                  double sum);

/** @contract x: f64[1];  a > b */
void reals_gt(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a >= b */
void reals_ge(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a < b */
void reals_lt(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a <= b */
void reals_le(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a == b */
void reals_eq(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a != b */
void reals_ne(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a <= n */
void reals_whole(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  a in -1..9007199254740993 */
void reals_range(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  min(a, b) <= 1 */
void reals_least(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  max(a, b) != 1 */
void reals_most(const DLTensor *x, double a, double b, int64_t n);
/** @contract x: f64[1];  min(a, n) == max(b, n) */
void reals_mixed(const DLTensor *x, double a, double b, int64_t n);

#endif
