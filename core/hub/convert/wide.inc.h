/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of float32, as far as steps from it share what they do. step.c includes this file for
 * each instruction set, behind store.inc.h; WIDE(operation) is the set's own. */

INSTRUCTIONS static inline WIDE_TYPE ISA(load_wide)(const char *from, int64_t element) {
  WIDE_TYPE value;
  memcpy(&value, from + 4 * element, sizeof value);
  return value;
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
