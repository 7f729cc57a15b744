/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief What photo.h does not have: several outputs, values, every scalar, awkward names and texts. */
#ifndef AWKWARD_H
#define AWKWARD_H
#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stdint.h>

/** Ways, to be or-ed: "quoted", back\slash, %} and */
typedef enum awk_way { AWK_WAY_UP = 1, AWK_WAY_DOWN = 2, AWK_WAY_LEFT = 4 } awk_way;

/** Which of two.
 *  Names that are Python's own. */
typedef enum awk_choice { AWK_CHOICE_NONE = -1, AWK_CHOICE_YES = 3 } awk_choice;

/** Split into whole and broken parts: "both" texts, a back\slash, %} and "Ünïcödé".
 *  ```
 *      kept as it is
 *  ```
 *  @param x    values
 *  @param whole    rounded towards 0
 *  @param broken    the rest
 *  @contract x: f64[n];  whole: f64[n];  broken: f64[n];  return: status */
int awk_split(const DLTensor *x, DLTensor *whole, DLTensor *broken);

/** Add up every scalar; the required one comes last in C.
 *  @contract a = 1;  b = 2;  c = 3;  d = 0.5;  e = 0.25;  f = true;  way = AWK_WAY_DOWN */
double awk_sum(int8_t a, uint16_t b, uint64_t c, float d, double e, bool f, awk_way way, int64_t lambda);

/** Turn a choice round. */
awk_choice awk_other(awk_choice from);

/** Measure a text.
 *  @contract text = "abc" */
uint64_t awk_length(const char *text);

/** Add, with a weight that may be absent.
 *  @contract x: f64[n];  weight: opt f64[n];  out: f64[n];  return: status */
int awk_weigh(const DLTensor *x, const DLTensor *weight, DLTensor *out);

/** Scale in place, under names that the wrapper might use itself.
 *  @contract t: inout f64[n];  status = 2.0;  return: status */
int awk_call(DLTensor *t, double status);

/** Fill, at a size that only the caller knows.
 *  @contract out: f64[n];  return: status */
int awk_fill(DLTensor *out, double value);

/** Count up, of no array's framework.
 *  @contract out: f64[n];  n >= 0;  return: status */
int awk_ramp(int64_t n, DLTensor *out);

/** Fail with any number but 7, without a word.
 *  @contract return: status ok 7 */
int awk_fail(int32_t answer);

/** What calls back when it is freed. */
typedef struct awk_bell awk_bell;

/** Make one.
 *  @param function  address of a void (*)(void) */
awk_bell *awk_bell_new(int64_t function);

/** Call back. */
void awk_bell_free(awk_bell *bell);

#endif
