/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the tests of the checked twins; what they do is only there to be seen from outside. */
#ifndef K_H
#define K_H

#include <dlferry.h>
#include <stddef.h>

/** What to do. */
typedef enum k_mode {
  K_MODE_FINE = 0,
  K_MODE_NUMBER = 3,
  K_MODE_TEXT = 5,
  K_MODE_FOREIGN = -2
} k_mode;
enum k_flag { K_FLAG_A = 1, K_FLAG_B = 2, K_FLAG_C = 4 };

/** Add 1 to every element.
 *  @contract x: f32[n];  out: f32[n] noalias;  mode = K_MODE_FINE */
int k_add(const DLTensor *x, k_mode mode, DLTensor *out, dlf_error *error);

/** Fail with a status of the hub, without text. */
dlf_status k_status(int32_t status);

/** Fail with a code of a library.
 *  @contract return: status ok 1 text k_text */
int k_code(int code);
const char *k_text(int code);

/** Return what strides it sees along the first axis.
 *  @contract x: any[...] strided */
int64_t k_stride(const DLTensor *x);

/** Make two outputs, the second column-major.
 *  @contract x: T[h, w];  a: T[w];  b: T[h, w] fortran;  T in f32|f64|i32 */
int k_two(const DLTensor *x, DLTensor *a, DLTensor *b, dlf_error *error);

/** Count what is there.
 *  @contract x: f32[n];  y: opt f32[n];  z: opt f32[n] */
int32_t k_present(const DLTensor *x, const DLTensor *y, DLTensor *z);

/** Take what needs no contract, and one scalar that has one.
 *  @contract k in 1..9;  k = 4;  text = "abc" */
size_t k_scalars(uint64_t k, const char *text, bool twice, enum k_flag flags);

/** Return a value, or fail with a text. */
double k_value(double x, dlf_error *error);

/** Do nothing. */
void k_nothing(void);

#endif
