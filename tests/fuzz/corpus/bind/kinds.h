/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Every kind of parameter besides tensors and plain scalars, for the tests of all generated packages. */
#ifndef K_H
#define K_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sign of a number. */
typedef enum k_sign {
  K_SIGN_NEGATIVE = -1, /**< below zero */
  K_SIGN_ZERO = 0,      /**< zero, or not a number */
  K_SIGN_POSITIVE = 1   /**< above zero */
} k_sign;

/** A running sum.
 *  Not to be used from two threads at once. */
typedef struct k_sum k_sum;

/** Open a running sum.
 *  Fails with UNSUPPORTED for the start 13.
 *  @param start what it begins with
 *  @contract start >= 0;  start = 0.0 */
k_sum *k_sum_create(double start, dlf_error *error);

/** Open a running sum that begins with the sum of a tensor.
 *  @contract values: f64[n] */
int k_sum_from_values(const DLTensor *values, k_sum **sum, dlf_error *error);

/** Add the elements of a tensor.
 *  @contract values: f64[n] */
int k_sum_add(k_sum *sum, const DLTensor *values, dlf_error *error);

/** Tell the sum so far.
 *  @return the sum */
double k_sum_total(const k_sum *sum);

/** Close a running sum. */
void k_sum_free(k_sum *sum);

/** Count the running sums that are open. */
int64_t k_open_sums(void);

/** Multiply by the total of a running sum.
 *  @contract x: f64[n];  out: like x;  return: status */
int k_scale(const DLTensor *x, const k_sum *sum, DLTensor *out);

/** Stack images into one tensor.
 *  @param frames images of one size
 *  @contract frames: T[h, w] *n;  out: T[n, h, w] noalias;  T in f32|f64 */
int k_stack(const DLTensor *const *frames, int64_t count, DLTensor *out, dlf_error *error);

/** Add rows, each with its weight.
 *  @contract rows: f64[m] *n;  weights: f64 *n;  out: f64[m] noalias;  n > 0 */
int k_weigh(const DLTensor *const *rows, const double *weights, int32_t n, DLTensor *out, dlf_error *error);

/** Pick elements by index, from 0.
 *  Fails with BOUNDS for an index outside.
 *  @contract x: f64[m];  index: i64 *k;  out: f64[k] noalias */
int k_pick(const DLTensor *x, const int64_t *index, int32_t count, DLTensor *out, dlf_error *error);

/** Find the smallest and the largest element.
 *  @param low  the smallest
 *  @param high the largest
 *  @contract x: f64[n];  n > 0 */
int k_range(const DLTensor *x, double *low, double *high, dlf_error *error);

/** Find a value.
 *  @param found whether it is there
 *  @param sign  of the value
 *  @return where, from 0; the length if nowhere
 *  @contract x: f64[n];  value = 0.0 */
int64_t k_find(const DLTensor *x, double value, bool *found, k_sign *sign);

/** Keep the positive elements: how many is known only afterwards.
 *  @contract x: T[n];  out: T[_];  T in f32|f64 */
int k_positive(const DLTensor *x, DLManagedTensorVersioned **out, dlf_error *error);

/** List the values that occur, ascending, and how often.
 *  @contract x: f64[n];  values: f64[k];  counts: i64[k] */
int k_unique(const DLTensor *x, DLManagedTensorVersioned **values, DLManagedTensorVersioned **counts,
                 dlf_error *error);

/** Give a tensor as asked: 0 a good one, 1 none, 2 of another dtype, 3 of a negative extent, 4 a failure
 *  that leaves a pointer to nothing.
 *  @contract out: f64[3] */
int k_gift(int32_t what, DLManagedTensorVersioned **out, dlf_error *error);

/** Count the tensors that were given and not released yet. */
int64_t k_open_gifts(void);

/** Length after resampling, rounded down; -1 for a ratio above 1000.
 *  @contract x: f32[n] */
int64_t k_resampled(const DLTensor *x, double ratio);

/** Resample by taking the nearest sample.
 *  @param ratio samples out for each sample in
 *  @contract x: f32[n];  out: f32[hook(k_resampled)] noalias;  ratio > 0 */
int k_resample(const DLTensor *x, double ratio, DLTensor *out, dlf_error *error);

/** Fill a tensor, on a stream.
 *  @return whether the stream is the default one
 *  @contract out: f64[n];  value = 1.0 */
bool k_fill(DLTensor *out, double value, dlf_stream stream);

/** Name a small number.
 *  @return "one", "two", "three"; nothing for others */
const char *k_word(int32_t number);

#ifdef __cplusplus
}
#endif

#endif
