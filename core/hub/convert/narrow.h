/* SPDX-License-Identifier: Apache-2.0 */
/* One rounding: float32 to small floats, to nearest and ties to even, and wider numbers to a
 * float32 that rounds once more as the number would. */
#ifndef DLFERRY_NARROW_H
#define DLFERRY_NARROW_H

#include "widen.h"

DLF__BEGIN_VECTORS

static DLF__INLINE bool dlf__is_nan(uint32_t magnitude) {
  return dlf__below(DLF__INFINITY, magnitude);
}

static DLF__INLINE uint32_t dlf__lesser(uint32_t a, uint32_t b) {
  const int32_t x = (int32_t)a;
  const int32_t y = (int32_t)b;
  return (uint32_t)(x < y ? x : y);
}

static DLF__INLINE uint32_t dlf__greater(uint32_t a, uint32_t b) {
  const int32_t x = (int32_t)a;
  const int32_t y = (int32_t)b;
  return (uint32_t)(x > y ? x : y);
}

/* The processor rounds: added to a power of two, a number keeps just the bits that its format has
 * for it. That power grows with the number's exponent, down to the one of subnormal numbers. It has
 * the code's exponent in its last bits, an even number, so that the sum's fraction is the code. */
static DLF__INLINE uint32_t dlf__narrow_finite(uint32_t magnitude, const dlf__format *format) {
  const uint32_t number = dlf__lesser(magnitude, format->most);
  const uint32_t exponent = dlf__greater(number & DLF__INFINITY, format->lowest);
  const uint32_t power = exponent + format->raise + (exponent >> format->shift);
  return dlf__bits_of_float(dlf__float_of(number) + dlf__float_of(power));
}

static DLF__INLINE uint32_t dlf__narrow_float16(uint32_t bits, const dlf__format *format) {
  const uint32_t magnitude = bits & ~DLF__SIGN;
  const uint32_t finite = dlf__narrow_finite(magnitude, format);
  const uint32_t payload = magnitude >> 13 & format->payload;
  const uint32_t nan = format->nan | payload;
  const uint32_t not_infinity = nan | (nan == 0x7C00);
  const uint32_t sign = (bits & DLF__SIGN) >> 16;
  return dlf__choose(dlf__is_nan(magnitude), not_infinity | sign, finite | sign);
}

/* bfloat16 has float32's exponents: half of its last bit is added, a bit less if that is even. The
 * sum of the largest number is infinity. */
static DLF__INLINE uint32_t dlf__narrow_bfloat16(uint32_t bits, const dlf__format *format) {
  const uint32_t last = bits >> 16 & 1;
  const uint32_t code = (bits + 0x7FFF + last) >> 16;
  const uint32_t nan = (bits >> 16 & 0x8000) | format->nan;
  return dlf__choose(dlf__is_nan(bits & ~DLF__SIGN), nan, code);
}

/* Of these, the last bits are the code. ml_dtypes: where there is no NaN, it becomes -0, and a
 * negative one 0. */
static DLF__INLINE uint32_t dlf__narrow_small(uint32_t bits, const dlf__format *format) {
  const uint32_t magnitude = bits & ~DLF__SIGN;
  const uint32_t finite = dlf__narrow_finite(magnitude, format);
  const uint32_t code = dlf__choose(dlf__is_nan(magnitude), format->nan, finite);
  return code ^ (bits & DLF__SIGN) >> format->sign_shift;
}

static DLF__INLINE uint32_t dlf__narrow_unsigned_zero(uint32_t bits, const dlf__format *format) {
  const uint32_t magnitude = bits & ~DLF__SIGN;
  const uint32_t finite = dlf__narrow_finite(magnitude, format);
  const uint32_t sign = (bits & DLF__SIGN) >> 24;
  const uint32_t code = dlf__choose((finite & 0xFF) == 0, 0, finite | sign);
  return dlf__choose(dlf__is_nan(magnitude), 0x80, code);
}

/* Ties go up. As in ml_dtypes, all numbers between the least two powers go up: they are subnormal
 * in float32. */
static DLF__INLINE uint32_t dlf__narrow_power(uint32_t bits, const dlf__format *format) {
  const uint32_t half = UINT32_C(1) << 22;
  const uint32_t nearest = (bits + half) >> 23;
  const uint32_t power = nearest - (bits == half);   /* the least one itself */
  const bool is_positive = bits - 1 < DLF__INFINITY; /* and no NaN */
  return dlf__choose(is_positive, dlf__lesser(power, format->largest), 0xFF);
}

/* A float32 whose last bit is 1 if any later bit of the number was: it lies on the same side of
 * every middle between two small floats. */
static DLF__INLINE uint32_t dlf__float64_to_odd(uint64_t bits) {
  const uint64_t magnitude = bits << 1 >> 1;
  const uint64_t exponent = magnitude >> 52;
  const uint64_t fraction = magnitude & ((UINT64_C(1) << 52) - 1);
  const uint64_t leading = (uint64_t)(magnitude != 0) << 52;
  /* A number that is subnormal in float32 has its leading bit there, and fewer of the last ones. */
  const int64_t least_normal = 897;
  const int64_t own = (int64_t)exponent;
  const int64_t above = own > least_normal ? own : least_normal;
  const int64_t lost = 29 + (above - own);
  const uint64_t shift = (uint64_t)(lost < 63 ? lost : 63);
  const uint64_t normal = magnitude - (UINT64_C(896) << 52);
  const uint64_t whole = dlf__choose_wide(own < least_normal, fraction | leading, normal);
  const uint64_t kept = whole >> shift;
  const uint64_t odd = kept | (kept << shift != whole);
  const uint64_t largest = 0x7F7FFFFF;
  const uint64_t finite = odd < largest ? odd : largest;
  const uint64_t payload = fraction >> 29 | ((fraction & 0x1FFFFFFF) != 0);
  const uint64_t value = dlf__choose_wide(exponent == 2047, DLF__INFINITY | payload, finite);
  return (uint32_t)(value | (bits >> 63) << 31);
}

/* 53 bits of an integer, of which the last one is 1 if any later one was. */
static DLF__INLINE uint64_t dlf__sticky(uint64_t magnitude) {
  const uint64_t late = magnitude & 0x7FF;
  const uint64_t sticky = (uint64_t)(late != 0) << 11;
  return dlf__choose_wide(magnitude >> 53 != 0, (magnitude - late) | sticky, magnitude);
}

DLF__END_VECTORS

#endif
