/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Every kind of parameter besides tensors and plain scalars, for the tests of all generated
 * packages. */
#ifndef KINDS_H
#define KINDS_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Sign of a number. */
typedef enum kinds_sign {
  KINDS_SIGN_NEGATIVE = -1, /**< below zero */
  KINDS_SIGN_ZERO = 0,      /**< zero, or not a number */
  KINDS_SIGN_POSITIVE = 1   /**< above zero */
} kinds_sign;

/** A running sum.
 *  Not to be used from two threads at once. */
typedef struct kinds_sum kinds_sum;

/** Open a running sum.
 *  Fails with UNSUPPORTED for the start 13.
 *  @param start what it begins with
 *  @contract start >= 0;  start = 0.0 */
kinds_sum *kinds_sum_create(double start, dlf_error *error);

/** Open a running sum that begins with the sum of a tensor.
 *  @contract values: f64[n] */
int kinds_sum_from_values(const DLTensor *values, kinds_sum **sum, dlf_error *error);

/** Add the elements of a tensor.
 *  @contract values: f64[n] */
int kinds_sum_add(kinds_sum *sum, const DLTensor *values, dlf_error *error);

/** Tell the sum so far.
 *  @return the sum */
double kinds_sum_total(const kinds_sum *sum);

/** Move what another running sum has to this one. */
void kinds_sum_move(kinds_sum *sum, kinds_sum *from);

/** Give all running sums the same total.
 *  @contract sums: in *n */
void kinds_even(kinds_sum *const *sums, int32_t n);

/** Spell the sum, rounded.
 *  @return what stands until the next call */
const char *kinds_sum_spell(kinds_sum *sum);

/** Tell whether a call is changing the sum.
 *  @contract threadsafe; fast */
bool kinds_sum_busy(const kinds_sum *sum);

/** Add one, which any number of threads may do at once.
 *  @contract threadsafe */
void kinds_sum_count(kinds_sum *sum);

/** Tell how often kinds_sum_count was called. */
int64_t kinds_sum_counted(const kinds_sum *sum);

/** Wait for some milliseconds, on no data at all.
 *  @contract milliseconds in 0..10000; slow */
void kinds_sleep(int32_t milliseconds);

/** Close a running sum. */
void kinds_sum_free(kinds_sum *sum);

/** Count the running sums that are open. */
int64_t kinds_open_sums(void);

/** Count the calls that met another one inside of a running sum, where one of them changed it. */
int64_t kinds_met(void);

/** Multiply by the total of a running sum.
 *  @contract x: f64[n];  out: like x;  return: status */
int kinds_scale(const DLTensor *x, const kinds_sum *sum, DLTensor *out);

/** Stack images into one tensor.
 *  @param frames images of one size
 *  @contract frames: T[h, w] *n;  out: T[n, h, w] noalias;  T in f32|f64 */
int kinds_stack(const DLTensor *const *frames, int64_t count, DLTensor *out, dlf_error *error);

/** Add rows, each with its weight.
 *  @contract rows: f64[m] *n;  weights: f64 *n;  out: f64[m] noalias;  n > 0 */
int kinds_weigh(const DLTensor *const *rows, const double *weights, int32_t n, DLTensor *out,
                dlf_error *error);

/** Pick elements by index, from 0.
 *  Fails with BOUNDS for an index outside.
 *  @contract x: f64[m];  index: i64 *k;  out: f64[k] noalias */
int kinds_pick(const DLTensor *x, const int64_t *index, int32_t count, DLTensor *out,
               dlf_error *error);

/** Find the smallest and the largest element.
 *  @param low  the smallest
 *  @param high the largest
 *  @contract x: f64[n];  n > 0 */
int kinds_range(const DLTensor *x, double *low, double *high, dlf_error *error);

/** Find a value.
 *  @param found whether it is there
 *  @param sign  of the value
 *  @return where, from 0; the length if nowhere
 *  @contract x: f64[n];  value = 0.0 */
int64_t kinds_find(const DLTensor *x, double value, bool *found, kinds_sign *sign);

/** Keep the positive elements: how many is known only afterwards. Read-only if all are.
 *  @contract x: T[n];  out: T[_];  T in f32|f64 */
int kinds_positive(const DLTensor *x, DLManagedTensorVersioned **out, dlf_error *error);

/** List the values that occur, ascending, and how often.
 *  @contract x: f64[n];  values: f64[k];  counts: i64[k] */
int kinds_unique(const DLTensor *x, DLManagedTensorVersioned **values,
                 DLManagedTensorVersioned **counts, dlf_error *error);

/** Give a tensor as asked: 0 a good one, 1 none, 2 of another dtype, 3 of a negative extent, 4 a
 * failure that leaves a pointer to nothing.
 *  @contract out: f64[3] */
int kinds_gift(int32_t what, DLManagedTensorVersioned **out, dlf_error *error);

/** Count the tensors that were given and not released yet. */
int64_t kinds_open_gifts(void);

/** Length after resampling, rounded down; -1 for a ratio above 1000.
 *  @contract x: f32[n] */
int64_t kinds_resampled(const DLTensor *x, double ratio);

/** Resample by taking the nearest sample.
 *  @param ratio samples out for each sample in
 *  @contract x: f32[n];  out: f32[hook(kinds_resampled)] noalias;  ratio > 0 */
int kinds_resample(const DLTensor *x, double ratio, DLTensor *out, dlf_error *error);

/** Fill a tensor, on a stream.
 *  @return whether the stream is the default one
 *  @contract out: f64[n];  value = 1.0 */
bool kinds_fill(DLTensor *out, double value, dlf_stream stream);

/** Name a small number.
 *  @return "one", "two", "three"; nothing for others */
const char *kinds_word(int32_t number);

/** A place on a map. */
typedef struct kinds_place {
  int32_t x, y;
} kinds_place;
/** A place with a name. */
typedef struct kinds_spot {
  char name[8];
  kinds_place at;
} kinds_spot;
/** Return the spot to the right. */
kinds_spot kinds_right_of(kinds_spot spot);

#ifdef __cplusplus
}
#endif

#endif
