/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts for which it is hard, or in vain, to search a call that they accept; dtypes that few
 * know. */
#ifndef HARD_H
#define HARD_H

#include <dlferry.h>

/** Of twelve names, no small values do.
 *  @contract x: f32[a, b, c, d, e, f, g];  y: f32[h, i, j, k, l];  a * b * c + d == 7919 * h * i +
 * 3
 *  @contract e * f * g > 1000000 * i;  j * k * l < a - 50;  a % 17;  b % 13;  c * d > e + f + g +
 * 5000 */
void hard_twelve(const DLTensor *x, const DLTensor *y);

/** Nothing is both.
 *  @contract x: f32[n];  n > 0;  n < 1;  a > n */
void hard_nothing(const DLTensor *x, int a);

/** More memory than a test may take.
 *  @contract x: f32[n];  n > 1000000 */
void hard_large(const DLTensor *x);

/** More axes than a test may have.
 *  @contract x: f32[a, b, c, d, e, f, g, h, i] */
void hard_axes(const DLTensor *x);

/** No memory that the processor reaches.
 *  @contract x: f32[n] cuda|rocm */
void hard_device(const DLTensor *x);

/** A narrow gap; no longer than this.
 *  @contract x: f32[n];  n in 257..258;  k > 0.1;  k < 0.11;  r in -0.5..-0.25 */
void hard_narrow(const DLTensor *x, double k, float r);

/** All alike.
 *  @contract x: f32[a, b, c, d];  a == b;  b == c;  c == d;  out: like x noalias */
void hard_alike(const DLTensor *x, DLTensor *out);

/** Few know these.
 *  @contract x: f4_e2m1fn[n];  y: bf16[n, 2] fortran;  z: T[n];  T in bf16|f8_e4m3fn|i4;  c:
 * c128[n] */
void hard_dtypes(const DLTensor *x, const DLTensor *y, const DLTensor *z, const DLTensor *c);

/** Every way to lie.
 *  @contract x: f32[a, b] rows;  y: f64[b, a] strided align 64;  z: u8[_, 3] dense
 *  @contract out: inout f32[b + 1, a - 1] strided noalias;  last: opt like x samelayout */
void hard_layouts(const DLTensor *x, const DLTensor *y, const DLTensor *z, DLTensor *out,
                  const DLTensor *last);

/** Numbers at their ends.
 *  @contract a in -128..127;  b == 255;  c < -32767;  d % 1000;  d > 0;  e >= 2147483647;  x ==
 * 0.5;  a = -5 */
void hard_ends(int8_t a, uint8_t b, int16_t c, uint32_t d, int32_t e, float x);

/** Lists and numbers of one length, and none that is empty.
 *  @contract a: f32[m] *n;  b: u8[n, m] *k;  weights: f32 *n;  index: i32 *k;  n == 2 * k;  k > 1
 */
void hard_lists(const DLTensor *const *a, int32_t a_count, const DLTensor *const *b,
                int32_t b_count, const float *weights, int32_t weights_count, const int32_t *index,
                int32_t index_count);

/** Nothing is said, so nothing is promised. */
void hard_silent(const DLTensor *x, DLTensor *out);

#endif
