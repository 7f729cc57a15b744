/* SPDX-License-Identifier: Apache-2.0 */
/* float32 to small floats of a byte: the bits that step.c's loops give, which do the rest. step.c
 * includes this file for each instruction set, behind wide.inc.h. */

/* What a format is to these vectors. */
typedef struct ISA(narrowing) {
  WIDE_TYPE lowest, parts, unshift, largest;
  WIDE_FLOATS scale;
} ISA(narrowing);

/* As dlf__narrow_finite, the processor rounds: added to a power of two, a number keeps just its
 * format's bits. That power is the number's own, times a scale, so that the sum's exponent and last
 * bits together are the code, but for a constant. The scale's last 16 bits take the constant off:
 * it is even, and as a number with a sign it is negative. A code has 7 - fraction bits behind it.
 * The power has the number's sign, and so has the sum, whose magnitude is the same. */
INSTRUCTIONS static inline ISA(narrowing) ISA(narrowing_of)(const dlf__format *format) {
  const uint32_t fraction = (uint32_t)(23 - format->shift);
  const uint32_t constant = ((format->lowest >> 23) + (uint32_t)format->shift) << fraction;
  const uint32_t scale = (uint32_t)(127 + format->shift) << 23 | (0x10000 - constant);
  ISA(narrowing) self;
  self.lowest = WIDE(set1_epi32)((int)format->lowest);
  self.parts = WIDE(set1_epi32)(1 << 16 | 1 << (7 - fraction));
  self.unshift = WIDE(set1_epi16)((int16_t)(1 << (8 + fraction)));
  self.largest = WIDE(set1_epi8)((char)format->largest);
  self.scale = WIDE(set1_ps)(dlf__float_of(scale));
  return self;
}

/* The power of two of a number, or the lowest one of its format, with the number's sign. */
INSTRUCTIONS static inline WIDE_FLOATS ISA(power_of)(WIDE_TYPE bits, const ISA(narrowing) * self) {
  const WIDE_TYPE exponent = WIDE(set1_epi32)(DLF__INFINITY);
  const WIDE_TYPE sign = WIDE(set1_epi32)(INT32_MIN);
#if HALVES == 16
  enum { GREATER_MAGNITUDE = 3 }; /* with the first one's sign */
  const __m512 greater = _mm512_range_ps((__m512)bits, (__m512)self->lowest, GREATER_MAGNITUDE);
  return (__m512)((__m512i)greater & (sign | exponent));
#else
  return (__m256)(_mm256_max_epi32(bits & exponent, self->lowest) | (bits & sign));
#endif
}

INSTRUCTIONS static inline WIDE_TYPE ISA(shifted_codes)(WIDE_TYPE bits,
                                                        const ISA(narrowing) * self) {
  const WIDE_FLOATS sum = WIDE(fmadd_ps)(ISA(power_of)(bits, self), self->scale, (WIDE_FLOATS)bits);
  return WIDE(madd_epi16)((WIDE_TYPE)sum, self->parts);
}

/* 16 bits of each: the sign, and the code with bits behind it. */
INSTRUCTIONS static inline WIDE_TYPE ISA(pair_of_codes)(WIDE_TYPE a, WIDE_TYPE b,
                                                        const ISA(narrowing) * self) {
  return WIDE(packs_epi32)(ISA(shifted_codes)(a, self), ISA(shifted_codes)(b, self));
}

/* Codes without signs, of which larger ones became the largest. */
INSTRUCTIONS static inline WIDE_TYPE ISA(codes_of)(WIDE_TYPE ab, WIDE_TYPE cd,
                                                   const ISA(narrowing) * self) {
  const WIDE_TYPE first = WIDE(mulhi_epu16)(WIDE(slli_epi16)(ab, 1), self->unshift);
  const WIDE_TYPE second = WIDE(mulhi_epu16)(WIDE(slli_epi16)(cd, 1), self->unshift);
  return WIDE(min_epu8)(WIDE(packus_epi16)(first, second), self->largest);
}

/* From an element on, up to the first strip with NaN; returns how many are done then. */
INSTRUCTIONS static int64_t ISA(narrow_bytes)(const dlf__format *format, bool unsigned_zero,
                                              const char *from, char *to, int64_t done,
                                              int64_t count, dlf__caching caching) {
  enum { EACH_TIME = 4 * HALVES };
  const ISA(narrowing) self = ISA(narrowing_of)(format);
  const WIDE_TYPE sign_bit = WIDE(set1_epi8)((char)(1U << (31 - format->sign_shift)));
  for (; done + EACH_TIME <= count; done += EACH_TIME) {
    dlf__ask_ahead(from + 4 * done, 4 * EACH_TIME, caching);
    const WIDE_TYPE a = ISA(load_wide)(from, done);
    const WIDE_TYPE b = ISA(load_wide)(from, done + HALVES);
    const WIDE_TYPE c = ISA(load_wide)(from, done + 2 * HALVES);
    const WIDE_TYPE d = ISA(load_wide)(from, done + 3 * HALVES);
    if (ISA(have_nan)(a, b, c, d)) {
      return done;
    }
    const WIDE_TYPE ab = ISA(pair_of_codes)(a, b, &self);
    const WIDE_TYPE cd = ISA(pair_of_codes)(c, d, &self);
    const WIDE_TYPE codes = ISA(codes_of)(ab, cd, &self);
    WIDE_TYPE negative = WIDE(packs_epi16)(ab, cd) & WIDE(set1_epi8)(INT8_MIN);
    if (unsigned_zero) { /* the highest bit of this sum is clear for 0 alone */
      negative &= WIDE(adds_epu8)(codes, WIDE(set1_epi8)(INT8_MAX));
    }
    const WIDE_TYPE result = ISA(in_order)(codes | WIDE(min_epu8)(negative, sign_bit));
    ISA(store)(to + done, (ISA(floats))result, caching.streams);
  }
  return done;
}
