/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the tests of the twins; their effects are only there to be observed. */
#ifndef TWIN_H
#define TWIN_H

#include <dlferry.h>
#include <stddef.h>

/** What to do. */
typedef enum twin_mode {
  TWIN_MODE_FINE = 0,
  TWIN_MODE_NUMBER = 3,
  TWIN_MODE_TEXT = 5,
  TWIN_MODE_FOREIGN = -2
} twin_mode;
enum twin_flag { TWIN_FLAG_A = 1, TWIN_FLAG_B = 2, TWIN_FLAG_C = 4 };

/** Add 1 to every element.
 *  @contract x: f32[n];  out: f32[n] noalias;  mode = TWIN_MODE_FINE */
int twin_add(const DLTensor *x, twin_mode mode, DLTensor *out, dlf_error *error);

/** Fail with a status of the hub, without text. */
dlf_status twin_status(int32_t status);

/** Fail with a code of a library.
 *  @contract return: status ok 1 text twin_text */
int twin_code(int code);
const char *twin_text(int code);

/** Return what strides it sees along the first axis.
 *  @contract x: any[...] strided */
int64_t twin_stride(const DLTensor *x);

/** Return the data that it sees, and byte_offset.
 *  @contract x: any[...] strided anydevice */
uint64_t twin_data(const DLTensor *x, uint64_t *byte_offset);

/** Make two outputs, the second column-major.
 *  @contract x: T[h, w];  a: T[w];  b: T[h, w] fortran;  T in f32|f64|i32 */
int twin_two(const DLTensor *x, DLTensor *a, DLTensor *b, dlf_error *error);

/** Tell the length of a text. */
int64_t twin_length(const char *text);

/** Fill as many as a text is long.
 *  @contract out: f32[hook(twin_length)] */
int twin_spell(const char *text, DLTensor *out, dlf_error *error);

/** Fill as many as a text is long, from a tensor that the hook does not take.
 *  @contract x: f32[n];  out: f32[hook(twin_length)] */
int twin_cycle(const DLTensor *x, const char *text, DLTensor *out, dlf_error *error);

/** Count what is there.
 *  @contract x: f32[n];  y: opt f32[n];  z: opt f32[n] */
int32_t twin_present(const DLTensor *x, const DLTensor *y, DLTensor *z);

/** Take what needs no contract, and one scalar that has one.
 *  @contract k in 1..9;  k = 4;  text = "abc" */
size_t twin_scalars(uint64_t k, const char *text, bool twice, enum twin_flag flags);

/** Return a value, or fail with a text. */
double twin_value(double x, dlf_error *error);

/** Do nothing. */
void twin_nothing(void);

#endif
