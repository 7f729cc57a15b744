/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Functions whose contracts have every rule, for messages that are the same in all languages. The
 * kernels do nothing: refused calls never reach them. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <dlferry.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to do. */
typedef enum golden_mode { GOLDEN_MODE_ADD, GOLDEN_MODE_MULTIPLY = 2 } golden_mode;

/** What to do as well. */
typedef enum golden_flags {
  GOLDEN_FLAGS_A = 1,
  GOLDEN_FLAGS_B = 2,
  GOLDEN_FLAGS_C = 4
} golden_flags;

/** A store that adds up what is put into it. */
typedef struct golden_store golden_store;

/** Compare ranks, extents and dtypes.
 *  @contract x: T[h, w, 3];  y: T[h, w];  out: T[h, w] noalias;  T in f32|f64|u8 */
int golden_shape(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_error *error);

/** Take dtypes of every kind.
 *  @contract a: f32[n];  b: u8|i16[n];  c: any[n];  d: f32_x4[_] */
int golden_dtypes(const DLTensor *a, const DLTensor *b, const DLTensor *c, const DLTensor *d,
                  dlf_error *error);

/** Take layouts of every kind.
 *  @contract a: f32[m, n];  b: f32[m, n] rows;  c: f32[m, n] fortran;  d: f32[m, n] dense
 *  @contract e: f32[m, n] strided;  f: f32[m, n] */
int golden_layout(const DLTensor *a, const DLTensor *b, const DLTensor *c, const DLTensor *d,
                  const DLTensor *e, const DLTensor *f, dlf_error *error);

/** Work on elements, in any order that all share.
 *  @contract x: any[...] dense;  y: like x samelayout;  out: like x samelayout noalias */
int golden_elements(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_error *error);

/** Take any number of axes before the last.
 *  @contract x: f32[..., n];  y: f32[..., 2];  z: f32[n, ...] */
int golden_dots(const DLTensor *x, const DLTensor *y, const DLTensor *z, dlf_error *error);

/** Compute extents.
 *  @contract x: u8[n];  y: u8[2 * n + 1];  z: u8[n /^ s];  out: u8[n - 3];  s > 0 */
int golden_extents(const DLTensor *x, const DLTensor *y, const DLTensor *z, int32_t s,
                   DLTensor *out, dlf_error *error);

/** Make four times as many.
 *  @contract x: u8[n];  out: u8[4 * n] */
int golden_grow(const DLTensor *x, DLTensor *out, dlf_error *error);

/** Make an axis more.
 *  @contract x: f32[...];  out: f32[..., 2] */
int golden_spread(const DLTensor *x, DLTensor *out, dlf_error *error);

/** Take tensors of devices.
 *  @contract a: f32[n] anydevice;  b: f32[n] cuda|rocm;  c: f32[n] samedevice;  d: f32[n] */
int golden_devices(const DLTensor *a, const DLTensor *b, const DLTensor *c, const DLTensor *d,
                   dlf_error *error);

/** Make an output where the input is: the caller's own on any other device.
 *  @contract x: f32[n] anydevice;  out: f32[n] samedevice */
int golden_follow(const DLTensor *x, DLTensor *out, dlf_error *error);

/** Ask for alignment.
 *  @contract x: f32[n] align 64;  out: f64[n] strided */
int golden_aligned(const DLTensor *x, DLTensor *out, dlf_error *error);

/** Take scalars of every kind.
 *  @contract k > 0;  k <= 10;  r in -0.5..0.5;  k = 1;  r = 0.25;  mode = GOLDEN_MODE_ADD;  flags =
 * GOLDEN_FLAGS_A
 *  @contract flag = true;  text = "none" */
int golden_scalars(double k, float r, golden_mode mode, golden_flags flags, bool flag,
                   const char *text, dlf_error *error);

/** Compare integers.
 *  @contract a > 0;  b >= a;  c < 10;  d <= 10;  e == 5;  f != 7;  g in 1..4;  a % 3 */
int golden_integers(int32_t a, int64_t b, int8_t c, uint8_t d, uint32_t e, int16_t f, uint64_t g,
                    dlf_error *error);

/** Divide: a number is called as what the function returns is.
 *  @contract b != 0;  result: out */
int64_t golden_divide(int64_t a, int64_t b, double *result);

/** Compute with integers.
 *  @contract a * b < 100;  b > 0 */
int golden_product(int64_t a, int64_t b, dlf_error *error);

/** Compare extents.
 *  @contract x: f32[m, n];  m >= n;  n in 2..4;  m % n;  m * n < 30 */
int golden_limits(const DLTensor *x, dlf_error *error);

/** Update in place, with tensors that may be absent.
 *  @contract x: inout f32[n];  bias: opt f32[k, n];  mask: opt u8[k];  k < 9 */
int golden_update(DLTensor *x, const DLTensor *bias, const DLTensor *mask, dlf_error *error);

/** End with a code, which golden_text names.
 *  @contract return: status ok 1 text golden_text */
int golden_code(int32_t code);

/** End with a code that has no text. */
int golden_bare(int32_t code, dlf_error *error);

/** End with a code and a text of its own: 1 a plain one, 2 one that is too long, 3 in another
 * language. */
int golden_said(int32_t code, dlf_error *error);

/** Name a code; nothing for codes above 9. */
const char *golden_text(int code);

/** Stack images.
 *  @contract frames: T[h, w] *n;  out: T[n, h, w] noalias;  T in f32|f64;  n in 1..3 */
int golden_stack(const DLTensor *const *frames, int64_t count, DLTensor *out, dlf_error *error);

/** Take copies of a tensor, a list that follows a model.
 *  @contract x: f32|f64[a, b] dense cpu|cuda;  copies: like x *k samelayout samedevice noalias;
 * out: f32[a, b] samelayout
 *  @contract k % 2 */
int golden_repeat(const DLTensor *x, const DLTensor *const *copies, int64_t count, DLTensor *out,
                  dlf_error *error);

/** Take a tensor, an array and a list of one number.
 *  @contract x: f32[k, w];  axes: i64 *k;  rows: f32[_, _] *k;  k < 4 */
int golden_count(const DLTensor *x, const int64_t *axes, int32_t axes_count,
                 const DLTensor *const *rows, int64_t count, dlf_error *error);

/** Join rows, of which there may be none when out is given.
 *  @contract rows: f32[m] *n;  out: f32[n, m] */
int golden_join(const DLTensor *const *rows, int64_t count, DLTensor *out, dlf_error *error);

/** Weigh rows.
 *  @contract rows: f64[m] *n;  weights: f64 *n;  out: f64[m] noalias;  n > 0 */
int golden_weigh(const DLTensor *const *rows, const double *weights, int32_t n, DLTensor *out,
                 dlf_error *error);

/** Order axes.
 *  @contract x: f32[a, b, c];  axes: i64 *k;  k == 3 */
int golden_axes(const DLTensor *x, const int64_t *axes, int32_t count, dlf_error *error);

/** Tell a length: -1 for a ratio above 100.
 *  @contract x: f32[n] */
int64_t golden_length(const DLTensor *x, double ratio);

/** Resample to golden_length.
 *  @contract x: f32[n];  out: f32[hook(golden_length)];  ratio > 0 */
int golden_resample(const DLTensor *x, double ratio, DLTensor *out, dlf_error *error);

/** Give a tensor: 0 a good one, 1 none, 2 of another dtype, 3 of another length, 4 with a negative
 * extent, 5 of a DLPack to come.
 *  @contract out: f64[3] */
int golden_give(int32_t what, DLManagedTensorVersioned **out, dlf_error *error);

/* ---- kernels that read and write data alone, and never look at byte_offset ---- */

/** Add x, and y where there is one, to z, and put twice the sums into out.
 *  @contract x: f64[n];  y: opt f64[n];  z: inout f64[n];  out: f64[n] noalias */
int golden_gather(const DLTensor *x, const DLTensor *y, DLTensor *z, DLTensor *out,
                  dlf_error *error);

/** Sum the elements of all.
 *  @contract all: f64[n] *count */
double golden_sum_all(const DLTensor *const *all, int64_t count);

/** Tell the first element, as a length.
 *  @contract x: i64[n] */
int64_t golden_first(const DLTensor *x);

/** Count from 0.
 *  @contract x: i64[n];  out: i64[hook(golden_first)] */
int golden_upwards(const DLTensor *x, DLTensor *out, dlf_error *error);

/** Give the numbers from 1, behind others; 12 of them for 13.
 *  @contract out: f64[n] */
int golden_behind(int64_t n, DLManagedTensorVersioned **out, dlf_error *error);

/** Keep tensors themselves, not only their elements. */
typedef struct golden_shelf golden_shelf;

/** Open a shelf with a tensor.
 *  @contract x: f64[n];  n > 0;  keeps x in result */
golden_shelf *golden_shelf_create(const DLTensor *x);

/** Put another tensor there; 1 if its first element is negative.
 *  @contract x: inout f64[n];  n > 0;  keeps x in shelf;  return: status */
int golden_shelf_put(golden_shelf *shelf, DLTensor *x);

/** Sum the elements of what it keeps, and double those of what was put there. */
double golden_shelf_sum(golden_shelf *shelf);

/** Close a shelf. */
void golden_shelf_free(golden_shelf *shelf);

/** Open a store.
 *  Fails with UNSUPPORTED for the size 13.
 *  @contract size > 0;  size = 1 */
golden_store *golden_store_create(int32_t size, dlf_error *error);

/** Put a tensor into a store.
 *  @contract x: f64[n] */
int golden_store_put(golden_store *store, const DLTensor *x, dlf_error *error);

/** Compare two stores. */
bool golden_store_equal(const golden_store *store, const golden_store *other);

/** Tell a length: that of a text, once or twice as the mode says. */
int64_t golden_take_length(const golden_store *store, golden_mode mode, golden_flags flags,
                           const char *text);

/** Take a store out to golden_take_length, which trusts all that it is given.
 *  @contract out: f32[hook(golden_take_length)];  mode = GOLDEN_MODE_ADD;  flags = GOLDEN_FLAGS_A;
 * text = "two" */
int golden_take(const golden_store *store, golden_mode mode, golden_flags flags, const char *text,
                DLTensor *out, dlf_error *error);

/** Close a store. */
void golden_store_free(golden_store *store);

#ifdef __cplusplus
}
#endif

#endif
