/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief All that the Rust emitter must get right and photo.h does not have: <b>html</b>, [links], "quotes", keywords.
 */
#ifndef ODD_H
#define ODD_H

#include <dlferry.h>

/** Modes, or-ed. */
typedef enum odd_mode { ODD_MODE_A = 1, ODD_MODE_B = 2, ODD_MODE_C = 4 } odd_mode;

/** Kinds. */
enum odd_kind { ODD_SMALL = -1, ODD_LARGE = 7, ODD_ALSO_LARGE = 7 };

/** Split a row in two.
 *      indented code
 *  @param match   a keyword
 *  @contract match: f32[n];  left: f32[n];  right: f32[n] */
int odd_split(const DLTensor *match, DLTensor *left, DLTensor *right, dlf_error *error);

/** Sum, with an optional mask.
 *  @contract x: f32[n]; mask: opt f32[n];  scale = 2.0;  label = "sum";  kind = ODD_LARGE */
double odd_sum(const DLTensor *x, const DLTensor *mask, float scale, const char *label, enum odd_kind kind);

/** Return what is set. */
int odd_bits(odd_mode modes);

/** Which kind is this? */
enum odd_kind odd_kind_of(int64_t value);

/** Is it even? */
bool odd_is_even(uint64_t value);

/** Measure and make.
 *  @contract x: f64[n]; out: f64[n] */
int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c, uint16_t d, uint32_t e,
             dlf_error *error);

/** Nothing at all. */
void odd_nothing(void);

/** @contract text = "a" ; return: status */
int odd_text_of(const char *text);

#endif
