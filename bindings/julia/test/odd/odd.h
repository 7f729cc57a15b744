/* SPDX-License-Identifier: Apache-2.0 */
/* What a header may hold beside the ordinary, for the generated Julia package: every kind of parameter and result,
 * words that Julia keeps for itself, flags, outputs of several kinds. */
#ifndef ODD_H
#define ODD_H

#include <dlferry.h>

/** How to round. */
typedef enum odd_mode {
  ODD_MODE_DOWN = -1, /**< towards minus infinity; costs $5 and a "quote" */
  ODD_MODE_NEAREST = 0,
  ODD_MODE_UP = 1,
  ODD_MODE_DEFAULT = 0 /**< another name for the one above */
} odd_mode;

/** What to leave out. */
typedef enum odd_skip { ODD_SKIP_FIRST = 1, ODD_SKIP_LAST = 2, ODD_SKIP_NEGATIVE = 4 } odd_skip;

/** Fill a tensor with a ramp.
 *  @contract end: inout any[n];  begin = 0 */
int odd_function(DLTensor *end, int64_t begin, dlf_error *error);

/** Split a vector into its whole and its broken part.
 *  @contract x: T[n];  whole: i64[n];  rest: like x noalias;  T in f32|f64;  mode = ODD_MODE_NEAREST */
int odd_split(const DLTensor *x, odd_mode mode, DLTensor *whole, DLTensor *rest, dlf_error *error);

/** Sum what is not left out, and count it.
 *  @contract x: f64[...];  weights: opt f64[...];  total: f64[] */
int64_t odd_sum(const DLTensor *x, const DLTensor *weights, odd_skip skip, DLTensor *total);

/** Next mode. */
odd_mode odd_next(odd_mode mode);

/** Whether two texts are the same.
 *  @contract strict = true;  b = "none" */
bool odd_same(const char *a, const char *b, bool strict);

/** Add numbers of every width. */
double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, float i);

/** Do nothing. */
void odd_nothing(void);

/** Fail.
 *  @contract return: status ok 0 */
int odd_code(int32_t code);

/** Make eights of float8, which Julia has no type for.
 *  @contract like_this: any[n];  out: f8_e4m3fn[n] */
int odd_eights(const DLTensor *like_this, DLTensor *out, dlf_error *error);

#endif
