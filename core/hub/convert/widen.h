/* SPDX-License-Identifier: Apache-2.0 */
/* Exact: small floats to float32. */
#ifndef DLFERRY_WIDEN_H
#define DLFERRY_WIDEN_H

#include "lane.h"

DLF__BEGIN_VECTORS

enum { DLF__QUIET = 0x7FC00000, DLF__INFINITY = 0x7F800000 };
#define DLF__SIGN UINT32_C(0x80000000)

/* A subnormal number's fraction gets the leading 1 that it lacks, as a number, and the number loses
 * it again. */
static DLF__INLINE uint32_t dlf__widen_finite(uint32_t magnitude, uint32_t bias) {
  const uint32_t one = UINT32_C(1) << 23;
  const uint32_t normal = magnitude + bias;
  const float leading = dlf__float_of(bias + one);
  const uint32_t subnormal = dlf__bits_of_float(dlf__float_of(normal + one) - leading);
  return dlf__choose(dlf__below(magnitude, one), subnormal, normal);
}

/* One with float16's payload of NaN. */
static DLF__INLINE uint32_t dlf__widen_float16(uint32_t code) {
  const uint32_t magnitude = (code & 0x7FFF) << 13;
  const uint32_t finite = dlf__widen_finite(magnitude, UINT32_C(112) << 23);
  const uint32_t special = magnitude + (UINT32_C(224) << 23);
  const bool is_finite = dlf__below(magnitude, UINT32_C(31) << 23);
  return dlf__choose(is_finite, finite, special) | (code & 0x8000) << 16;
}

static DLF__INLINE uint32_t dlf__widen_small(uint32_t code, const dlf__format *format) {
  const uint32_t magnitude = (code & format->codes) << format->shift;
  const uint32_t sign = code << format->sign_shift & DLF__SIGN;
  const uint32_t finite = dlf__widen_finite(magnitude, format->bias);
  const bool is_infinity = magnitude == format->special;
  const uint32_t special = dlf__choose(is_infinity, format->infinity, DLF__QUIET);
  const bool is_finite = dlf__below(magnitude, format->special);
  return dlf__choose(is_finite, finite, special) | sign;
}

static DLF__INLINE uint32_t dlf__widen_unsigned_zero(uint32_t code, const dlf__format *format) {
  const uint32_t magnitude = (code & 0x7F) << format->shift;
  const uint32_t finite = dlf__widen_finite(magnitude, format->bias);
  const uint32_t sign = code << 24 & DLF__SIGN;
  return dlf__choose(code == 0x80, DLF__QUIET, finite) | sign;
}

/* The least power is subnormal in float32: its half. The last code is NaN: that bit makes it quiet.
 */
static DLF__INLINE uint32_t dlf__widen_power(uint32_t code) {
  const bool is_at_end = ((code + 1) & 0xFE) == 0;
  return code << 23 | (uint32_t)is_at_end << 22;
}

DLF__END_VECTORS

#endif
