/* SPDX-License-Identifier: Apache-2.0 */
/* float32 to powers of two: the bits that step.c's loop gives, which does the rest. step.c includes
 * this file for each instruction set, behind wide.inc.h. */

/* A negative number's exponent gets the sign before it. */
INSTRUCTIONS static inline WIDE_TYPE ISA(nearest_power)(WIDE_TYPE bits) {
  const WIDE_TYPE half = WIDE(set1_epi32)(1 << 22);
  return WIDE(srli_epi32)(WIDE(add_epi32)(bits, half), 23);
}

/* 16 bits of each; the code behind the largest one becomes that. */
INSTRUCTIONS static inline WIDE_TYPE ISA(pair_of_powers)(WIDE_TYPE a, WIDE_TYPE b,
                                                         ISA(signed_halves) behind) {
  const WIDE_TYPE packed = WIDE(packus_epi32)(ISA(nearest_power)(a), ISA(nearest_power)(b));
  const ISA(signed_halves) pair = (ISA(signed_halves))packed;
  return (WIDE_TYPE)(pair + (pair == behind)); /* what is true is -1 */
}

INSTRUCTIONS static inline bool ISA(have_least)(WIDE_TYPE codes) {
  const WIDE_TYPE one = WIDE(set1_epi8)(1);
#if HALVES == 16
  return _mm512_cmple_epu8_mask(codes, one) != 0;
#else
  return _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(codes, one), codes)) != 0;
#endif
}

/* From an element on, up to the first strip with NaN, 0, or a number near the least power, of which
 * dlf__narrow_power knows more; returns how many are done then. Packing makes all that have a sign
 * the last code, which is NaN. */
INSTRUCTIONS static int64_t ISA(narrow_powers)(const dlf__format *format, const char *from,
                                               char *to, int64_t done, int64_t count,
                                               dlf__caching caching) {
  enum { EACH_TIME = 4 * HALVES };
  const ISA(signed_halves) behind =
      (ISA(signed_halves))WIDE(set1_epi16)((int16_t)(format->largest + 1));
  for (; done + EACH_TIME <= count; done += EACH_TIME) {
    dlf__ask_ahead(from + 4 * done, 4 * EACH_TIME, caching);
    const WIDE_TYPE a = ISA(load_wide)(from, done);
    const WIDE_TYPE b = ISA(load_wide)(from, done + HALVES);
    const WIDE_TYPE c = ISA(load_wide)(from, done + 2 * HALVES);
    const WIDE_TYPE d = ISA(load_wide)(from, done + 3 * HALVES);
    const WIDE_TYPE ab = ISA(pair_of_powers)(a, b, behind);
    const WIDE_TYPE cd = ISA(pair_of_powers)(c, d, behind);
    const WIDE_TYPE codes = WIDE(packus_epi16)(ab, cd);
    if (ISA(have_nan)(a, b, c, d) || ISA(have_least)(codes)) {
      return done;
    }
    ISA(store)(to + done, (ISA(floats))ISA(in_order)(codes), caching.streams);
  }
  return done;
}
