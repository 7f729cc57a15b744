/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts that compute, for arithmetic.c: the evaluator, and the C that the generator prints. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <dlferry.h>

/* ---- arguments that the call computes; `n == n` puts the contract's text into the twin ---- */

/** Note what the call computes; without arithmetic that compilers may fuse.
 *  @contract least := min(a, b);  most := max(a, b);  inner := min(max(a, n), b);
 *  sum := max(a + b, a - b);  product := a * b;  part := a / 3;  n == n */
void arithmetic_reals(double a, double b, int64_t n, double least, double most, double inner,
                      double sum, double product, double part);

/** @contract out := n + m;  n == n */
void arithmetic_sum(int64_t n, int64_t m, int64_t out);
/** @contract out := n - m;  n == n */
void arithmetic_difference(int64_t n, int64_t m, int64_t out);
/** @contract out := n * m;  n == n */
void arithmetic_product(int64_t n, int64_t m, int64_t out);
/** @contract out := min(n, m);  n == n */
void arithmetic_least(int64_t n, int64_t m, int64_t out);
/** @contract out := max(n, m);  n == n */
void arithmetic_most(int64_t n, int64_t m, int64_t out);
/** @contract out := n / m;  n == n;  m > 0 */
void arithmetic_down(int64_t n, int64_t m, int64_t out);
/** @contract out := n /^ m;  n == n;  m > 0 */
void arithmetic_up(int64_t n, int64_t m, int64_t out);
/** @contract out := 3 * (n - m) - n;  n == n */
void arithmetic_mixed(int64_t n, int64_t m, int64_t out);

/* ---- constraints on reals ---- */

/** @contract x: f64[1];  a > b */
void arithmetic_real_gt(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a >= b */
void arithmetic_real_ge(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a < b */
void arithmetic_real_lt(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a <= b */
void arithmetic_real_le(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a == b */
void arithmetic_real_eq(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a != b */
void arithmetic_real_ne(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a <= n */
void arithmetic_real_whole(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  a in -1..9007199254740993 */
void arithmetic_real_range(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  min(a, b) <= 1 */
void arithmetic_real_least(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  max(a, b) != 1 */
void arithmetic_real_most(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  min(a, n) == max(b, n) */
void arithmetic_real_mixed(const DLTensor *x, double a, double b, int64_t n, int64_t m);

/* ---- constraints on integers ---- */

/** @contract x: f64[1];  n + m > 0 */
void arithmetic_gt(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  n - m >= 1 */
void arithmetic_ge(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  n * m < 100 */
void arithmetic_lt(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  min(n, m) <= -1 */
void arithmetic_le(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  max(n, m) == n */
void arithmetic_eq(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  n != m */
void arithmetic_ne(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  n in -3..9007199254740993 */
void arithmetic_range(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  n % m;  m > 0 */
void arithmetic_multiple(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  n / m == n /^ m;  m > 0 */
void arithmetic_divides(const DLTensor *x, double a, double b, int64_t n, int64_t m);
/** @contract x: f64[1];  (n + m) / 2 >= m */
void arithmetic_middle(const DLTensor *x, double a, double b, int64_t n, int64_t m);

/* ---- constraints on what C reports ---- */

/** Report m elements of out.
 *  @contract out: f64[k <= 16];  k := *written;  k % 2;  k <= n - 1 */
void arithmetic_report(int64_t n, int64_t m, DLTensor *out, int64_t *written);

#endif
