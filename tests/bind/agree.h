/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts on which agree.c compares generated code with the interpreter; nothing here does
 * anything. */
#ifndef AGREE_H
#define AGREE_H

#include <dlferry.h>

/** @contract x: T[h, w, c];  y: any[_];  out: T[h, w, c] noalias;  T in f32|f64;  c in 1..4;  k > 0
 */
void agree_blur(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: f32[n, m];  y: f32[m / 2 + 1];  out: any[(n + 3) / 2, m /^ 2] strided;  m % 2;  n
 * != 3;  k in 0.25..2.5 */
void agree_fold(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[h, w] dense;  y: like x samelayout;  out: like x samelayout;  k != 1;  n * n - 3
 * * n <= h;  T in any */
void agree_elementwise(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: u8|i16[a, b] rows;  y: U[b, 3] fortran;  out: inout U[_, a] strided noalias;  a >=
 * b;  n in 0..3;  U in any */
void agree_rows(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: any[a] strided noalias;  y: any[a, a] strided align 16;  out: f64[a] cpu|cuda;  k <
 * 2 */
void agree_strided(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[];  y: T[n] samedevice;  out: T[n - 1, 2] anydevice;  T in f32|c64;  n < 4;  n >
 * 0 */
void agree_small(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[n, n] rows align 8;  y: like x noalias;  out: like x strided;  n * n >= n;  T in
 * f32|f64 */
void agree_square(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: f32_x2|f32[a, 2];  y: u8|c64[_];  out: inout f64|i16|f32[a - 1] strided;  a > 0;  2
 * * n > a;  a in 1..3 */
void agree_lanes(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[];  y: U[];  out: T[] noalias;  T in f32|f64|u8;  U in i16|u8;  k <= 2;  k >=
 * 0.25;  n <= 4 */
void agree_points(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: u8|i16[3, 4];  y: any[n + 1, 2] dense;  out: T[7 /^ 2, n * 2] fortran;  n in 1..3;
 * n == 5 - 3 + 0 * n;  T in any */
void agree_numbers(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[h] noalias;  y: T[h] noalias strided;  out: T[h] noalias strided;  T in
 * f32|f64|c64;  h < n + 4 */
void agree_apart(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[h, w, c] dense;  y: like x samelayout;  out: U[c, w, h] dense noalias;  h + w - c
 * > 0 - 4;  h * c <= 100;  T in any;  U in any */
void agree_volumes(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/* Made outputs, beside those above that can be made. */

/** @contract x: T[h, w] strided;  y: u8[_];  out: T[w, h] fortran align 1024 samedevice;  T in
 * f32|f64|c64;  k < 2 */
void agree_turned(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: any[h, w] rows;  y: u8|i16[h];  out: f32_x4[w - h + n, n /^ 2] samelayout;  n > 0
 */
void agree_wide(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[h, w] dense;  y: T[h, n] noalias;  out: like y samelayout align 512;  T in
 * f32|f64|u8;  n < 5 */
void agree_pair(const DLTensor *x, DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: inout f64[a, 3] strided;  y: like x samelayout anydevice;  out: i16[a * n];  n * a
 * < 9;  k > 0 */
void agree_chain(DLTensor *x, DLTensor *y, DLTensor *out, int64_t n, double k);

/* Contracts without a fast check, or where it was once wrong. */

/** @contract x: any[a] strided;  y: any[b] strided;  out: inout any[c] strided noalias;  n < 4 */
void agree_far(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[a, b, c, d];  y: U[d, c, b, a] fortran;  out: T[b, n, d] noalias;  T in f32|f64;
 * k > 0;  U in any */
void agree_deep(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[h, w] strided;  y: opt T[w, n];  out: T[n, h] fortran;  T in f32|f64|c64;  k > 0
 */
void agree_maybe(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[..., w] strided;  y: any[w, ...];  out: T[n, ..., w - 1] samelayout;  k > 0;  T
 * in any */
void agree_run(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: f4_e2m1fn[h, w];  y: any[h] strided;  out: i4_x2[w, h * n] fortran;  n > 0 */
void agree_packed(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k);

/** @contract x: T[h, w];  y: T[h, hook(agree_width)];  out: like x;  T in f32|f64|u8;  n < 4 */
void agree_hooked(const DLTensor *x, DLTensor *y, DLTensor *out, int64_t n, double k);
int64_t agree_width(const DLTensor *x, int64_t n);

/** @contract x: T[h, w] *m strided;  out: T[m, w, h * n] noalias;  T in f32|f64|u8;  k > 0 */
void agree_stack(const DLTensor *const *x, int64_t m, DLTensor *out, int64_t n, double k);

#endif
