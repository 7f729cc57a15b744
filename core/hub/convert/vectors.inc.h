/* SPDX-License-Identifier: Apache-2.0 */
/* float32 to small floats of a byte, a strip at a time: the bits that step.c's loops give, which do
 * the rest. step.c includes this file for each instruction set, behind halves.inc.h. */

#if HALVES == 16
#define WIDE(operation) _mm512_##operation
#define WIDE_TYPE __m512i
#define WIDE_FLOATS __m512
#else
#define WIDE(operation) _mm256_##operation
#define WIDE_TYPE __m256i
#define WIDE_FLOATS __m256
#endif

/* What a format is to these vectors. */
typedef struct ISA(narrowing) {
  WIDE_TYPE lowest, parts, most, unshift;
  WIDE_FLOATS scale;
} ISA(narrowing);

/* As dlf__narrow_finite, the processor rounds: added to a power of two, a number keeps just its
 * format's bits. That power is the number's own, times a scale, so that the sum's exponent and last
 * bits together are the code, but for a constant. The scale's last 16 bits take the constant off:
 * it is even, and as a number with a sign it is negative. A code has 7 - fraction bits behind it.
 */
INSTRUCTIONS static inline ISA(narrowing) ISA(narrowing_of)(const dlf__format *format) {
  const uint32_t fraction = (uint32_t)(23 - format->shift);
  const uint32_t constant = ((format->lowest >> 23) + (uint32_t)format->shift) << fraction;
  const uint32_t scale = (uint32_t)(127 + format->shift) << 23 | (0x10000 - constant);
  ISA(narrowing) self;
  self.lowest = WIDE(set1_epi32)((int)format->lowest);
  self.parts = WIDE(set1_epi32)(1 << 16 | 1 << (7 - fraction));
  self.most = WIDE(set1_epi16)((int16_t)(format->largest << (7 - fraction)));
  self.unshift = WIDE(set1_epi16)((int16_t)(1 << (9 + fraction)));
  self.scale = WIDE(set1_ps)(dlf__float_of(scale));
  return self;
}

INSTRUCTIONS static inline WIDE_TYPE ISA(load_wide)(const char *from, int64_t element) {
  WIDE_TYPE value;
  memcpy(&value, from + 4 * element, sizeof value);
  return value;
}

INSTRUCTIONS static inline WIDE_TYPE ISA(shifted_codes)(WIDE_TYPE bits,
                                                        const ISA(narrowing) * self) {
  const WIDE_TYPE magnitude = bits & WIDE(set1_epi32)(INT32_MAX);
  const WIDE_TYPE exponent = bits & WIDE(set1_epi32)(DLF__INFINITY);
  const WIDE_TYPE power = WIDE(max_epi32)(exponent, self->lowest);
  const WIDE_FLOATS sum = WIDE(fmadd_ps)((WIDE_FLOATS)power, self->scale, (WIDE_FLOATS)magnitude);
  return WIDE(madd_epi16)((WIDE_TYPE)sum, self->parts);
}

/* Codes of 16 bits, of which larger ones became the largest. */
INSTRUCTIONS static inline WIDE_TYPE ISA(pair_of_codes)(WIDE_TYPE a, WIDE_TYPE b,
                                                        const ISA(narrowing) * self) {
  const WIDE_TYPE pair =
      WIDE(packs_epi32)(ISA(shifted_codes)(a, self), ISA(shifted_codes)(b, self));
  return WIDE(mulhi_epu16)(WIDE(min_epi16)(pair, self->most), self->unshift);
}

/* Packing works within 16 bytes: it leaves the first quarters of four vectors side by side. */
INSTRUCTIONS static inline WIDE_TYPE ISA(in_order)(WIDE_TYPE codes) {
#if HALVES == 16
  const WIDE_TYPE places = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(places, codes);
#else
  return _mm256_permutevar8x32_epi32(codes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#endif
}

INSTRUCTIONS static inline bool ISA(have_nan)(WIDE_TYPE a, WIDE_TYPE b, WIDE_TYPE c, WIDE_TYPE d) {
#if HALVES == 16
  const __mmask16 first = _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_UNORD_Q);
  return (first | _mm512_cmp_ps_mask((__m512)c, (__m512)d, _CMP_UNORD_Q)) != 0;
#else
  const __m256 first = _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
  const __m256 second = _mm256_cmp_ps((__m256)c, (__m256)d, _CMP_UNORD_Q);
  return _mm256_movemask_ps(_mm256_or_ps(first, second)) != 0;
#endif
}

/* From an element on, up to the first strip with NaN; returns how many are done then. */
INSTRUCTIONS static int64_t ISA(narrow_bytes)(const dlf__format *format, bool unsigned_zero,
                                              const char *from, char *to, int64_t done,
                                              int64_t count, int64_t ahead) {
  enum { EACH_TIME = 4 * HALVES };
  const ISA(narrowing) self = ISA(narrowing_of)(format);
  const WIDE_TYPE sign_bit = WIDE(set1_epi8)((char)(1U << (31 - format->sign_shift)));
  const WIDE_TYPE to_sign = WIDE(set1_epi8)(unsigned_zero ? 0x7F : -1);
  for (; done + EACH_TIME <= count; done += EACH_TIME) {
    dlf__ask_for(from, 4 * done + ahead, 4 * EACH_TIME);
    const WIDE_TYPE a = ISA(load_wide)(from, done);
    const WIDE_TYPE b = ISA(load_wide)(from, done + HALVES);
    const WIDE_TYPE c = ISA(load_wide)(from, done + 2 * HALVES);
    const WIDE_TYPE d = ISA(load_wide)(from, done + 3 * HALVES);
    if (ISA(have_nan)(a, b, c, d)) {
      return done;
    }
    const WIDE_TYPE codes =
        WIDE(packus_epi16)(ISA(pair_of_codes)(a, b, &self), ISA(pair_of_codes)(c, d, &self));
    const WIDE_TYPE tops = WIDE(packs_epi16)(WIDE(packs_epi32)(a, b), WIDE(packs_epi32)(c, d));
    /* The highest bit of this sum is clear at most for 0. */
    const WIDE_TYPE may_have_sign = WIDE(adds_epu8)(codes, to_sign);
    const WIDE_TYPE negative = tops & may_have_sign & WIDE(set1_epi8)(INT8_MIN);
    const WIDE_TYPE result = ISA(in_order)(codes | WIDE(min_epu8)(negative, sign_bit));
    memcpy(to + done, &result, sizeof result);
  }
  return done;
}

/* From an element on; returns how many are done then, or -1 if it has no such step. */
INSTRUCTIONS static int64_t ISA(run_vectors)(dlf__step_kind kind, const dlf__format *format,
                                             const char *from, char *to, int64_t done,
                                             int64_t count, int64_t ahead) {
  switch (kind) {
  case DLF__WIDEN_FLOAT16:
    return ISA(widen_halves)(from, to, done, count, ahead);
  case DLF__NARROW_FLOAT16:
    return ISA(narrow_halves)(from, to, done, count, ahead);
  case DLF__WIDEN_SMALL:
    return ISA(widen_bytes)(format, false, from, to, done, count, ahead);
  case DLF__WIDEN_UNSIGNED_ZERO:
    return ISA(widen_bytes)(format, true, from, to, done, count, ahead);
  case DLF__NARROW_SMALL:
    return ISA(narrow_bytes)(format, false, from, to, done, count, ahead);
  case DLF__NARROW_UNSIGNED_ZERO:
    return ISA(narrow_bytes)(format, true, from, to, done, count, ahead);
  default:
    return -1;
  }
}

#undef WIDE
#undef WIDE_TYPE
#undef WIDE_FLOATS
