/* SPDX-License-Identifier: Apache-2.0 */
/* float32 to bfloat16: the bits that step.c's loop gives, which does the rest. step.c includes this
 * file for each instruction set, behind wide.inc.h. */

/* As in dlf__narrow_bfloat16. */
INSTRUCTIONS static inline WIDE_TYPE ISA(rounded_half)(WIDE_TYPE bits) {
  const WIDE_TYPE last = WIDE(srli_epi32)(bits, 16) & WIDE(set1_epi32)(1);
  const WIDE_TYPE sum = WIDE(add_epi32)(bits, WIDE(set1_epi32)(0x7FFF));
  return WIDE(srli_epi32)(WIDE(add_epi32)(sum, last), 16);
}

/* Packing works within 16 bytes: it leaves the first halves of two vectors side by side. */
INSTRUCTIONS static inline WIDE_TYPE ISA(halves_in_order)(WIDE_TYPE codes) {
#if HALVES == 16
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), codes);
#else
  return _mm256_permute4x64_epi64(codes, _MM_SHUFFLE(3, 1, 2, 0));
#endif
}

/* From an element on, up to the first strip with NaN; returns how many are done then. */
INSTRUCTIONS static int64_t ISA(narrow_bfloat16)(const char *from, char *to, int64_t done,
                                                 int64_t count, dlf__caching caching) {
  enum { EACH_TIME = 2 * HALVES };
  for (; done + EACH_TIME <= count; done += EACH_TIME) {
    dlf__ask_ahead(from + 4 * done, 4 * EACH_TIME, caching);
    const WIDE_TYPE a = ISA(load_wide)(from, done);
    const WIDE_TYPE b = ISA(load_wide)(from, done + HALVES);
    if (ISA(have_nan)(a, a, b, b)) {
      return done;
    }
    const WIDE_TYPE codes = WIDE(packus_epi32)(ISA(rounded_half)(a), ISA(rounded_half)(b));
    ISA(store)(to + 2 * done, (ISA(floats))ISA(halves_in_order)(codes), caching.streams);
  }
  return done;
}
