/* SPDX-License-Identifier: Apache-2.0 */
/* Steps by the processor's own float16, as far as it gives the bits that step.c's loops give: they
 * do the rest. step.c includes this file for each instruction set, behind store.inc.h. */

INSTRUCTIONS static inline ISA(floats) ISA(floats_of)(ISA(halves) codes) {
#if HALVES == 16
  return (ISA(floats))_mm512_cvtph_ps((__m256i)codes);
#else
  return (ISA(floats))_mm256_cvtph_ps((__m128i)codes);
#endif
}

INSTRUCTIONS static inline ISA(more_halves) ISA(load_bytes)(const char *from) {
#if HALVES == 16
  const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)from);
  return (ISA(more_halves))_mm512_cvtepu8_epi16(bytes);
#else
  const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)from);
  return (ISA(more_halves))_mm256_cvtepu8_epi16(bytes);
#endif
}

INSTRUCTIONS static inline ISA(halves) ISA(low_of)(ISA(more_halves) codes) {
#if HALVES == 16
  return (ISA(halves))_mm512_castsi512_si256((__m512i)codes);
#else
  return (ISA(halves))_mm256_castsi256_si128((__m256i)codes);
#endif
}

INSTRUCTIONS static inline ISA(halves) ISA(high_of)(ISA(more_halves) codes) {
#if HALVES == 16
  return (ISA(halves))_mm512_extracti64x4_epi64((__m512i)codes, 1);
#else
  return (ISA(halves))_mm256_extracti128_si256((__m256i)codes, 1);
#endif
}

/* To nearest, ties to even, without regard to the mode that the thread has set. */
INSTRUCTIONS static inline ISA(halves) ISA(halves_of)(ISA(floats) numbers) {
#if HALVES == 16
  return (ISA(halves))_mm512_cvtps_ph((__m512)numbers, 0);
#else
  return (ISA(halves))_mm256_cvtps_ph((__m256)numbers, 0);
#endif
}

/* The processor makes every NaN quiet. */
INSTRUCTIONS static inline bool ISA(has_nan)(ISA(floats) numbers) {
#if HALVES == 16
  return _mm512_cmp_ps_mask((__m512)numbers, (__m512)numbers, _CMP_UNORD_Q) != 0;
#else
  const __m256 nan = _mm256_cmp_ps((__m256)numbers, (__m256)numbers, _CMP_UNORD_Q);
  return _mm256_movemask_ps(nan) != 0;
#endif
}

INSTRUCTIONS static int64_t ISA(widen_halves)(const char *from, char *to, int64_t done,
                                              int64_t count, dlf__caching caching) {
  for (; done + HALVES <= count; done += HALVES) {
    dlf__ask_ahead(from + 2 * done, 2 * HALVES, caching);
    ISA(halves) codes;
    memcpy(&codes, from + 2 * done, sizeof codes);
    const ISA(floats) numbers = ISA(floats_of)(codes);
    if (ISA(has_nan)(numbers)) {
      return done;
    }
    ISA(store)(to + 4 * done, numbers, caching.streams);
  }
  return done;
}

INSTRUCTIONS static inline ISA(floats) ISA(both)(ISA(halves) low, ISA(halves) high) {
#if HALVES == 16
  return (ISA(floats))_mm512_inserti64x4(_mm512_castsi256_si512((__m256i)low), (__m256i)high, 1);
#else
  return (ISA(floats))_mm256_inserti128_si256(
      _mm256_castsi128_si256((__m128i)low), (__m128i)high, 1);
#endif
}

INSTRUCTIONS static int64_t ISA(narrow_halves)(const char *from, char *to, int64_t done,
                                               int64_t count, dlf__caching caching) {
  for (; done + 2 * HALVES <= count; done += 2 * HALVES) {
    dlf__ask_ahead(from + 4 * done, 8 * HALVES, caching);
    ISA(floats) low, high;
    memcpy(&low, from + 4 * done, sizeof low);
    memcpy(&high, from + 4 * done + sizeof low, sizeof high);
    if (ISA(has_nan)(low) || ISA(has_nan)(high)) {
      return done;
    }
    const ISA(floats) codes = ISA(both)(ISA(halves_of)(low), ISA(halves_of)(high));
    ISA(store)(to + 2 * done, codes, caching.streams);
  }
  return done;
}

/* Of numbers with signs. */
INSTRUCTIONS static inline ISA(more_halves) ISA(larger)(ISA(more_halves) a, ISA(more_halves) b) {
#if HALVES == 16
  return (ISA(more_halves))_mm512_max_epi16((__m512i)a, (__m512i)b);
#else
  return (ISA(more_halves))_mm256_max_epi16((__m256i)a, (__m256i)b);
#endif
}

/* A smaller float has its bits in a float16, which is then a power of two too small. */
INSTRUCTIONS static int64_t ISA(widen_bytes)(const dlf__format *format, bool unsigned_zero,
                                             const char *from, char *to, int64_t done,
                                             int64_t count, dlf__caching caching) {
  const uint16_t factor = (uint16_t)(1U << (format->shift - 13)); /* faster than a shift */
  const uint16_t codes = (uint16_t)format->codes;
  const uint16_t sign_factor = (uint16_t)(1U << (format->sign_shift - 16));
  const int16_t special = (int16_t)dlf__lesser(format->special >> 13, INT16_MAX);
  const uint16_t infinity = (uint16_t)(format->infinity >> 13 & INT16_MAX);
  const bool is_halved = unsigned_zero && format->shift == 21; /* its largest are float16's NaN */
  const float scale = dlf__float_of(format->bias + ((uint32_t)(15 + is_halved) << 23));
  const uint16_t nan = 0x7E00;
  const uint16_t sign = 0x8000;
  for (; done + 2 * HALVES <= count; done += 2 * HALVES) {
    dlf__ask_ahead(from + done, 2 * HALVES, caching);
    const ISA(more_halves) code = ISA(load_bytes)(from + done);
    ISA(more_halves) magnitude = (code & codes) * factor;
    const ISA(more_halves) at_infinity =
        (ISA(more_halves))((ISA(signed_halves))magnitude == special);
    ISA(more_halves) is_special = (ISA(more_halves))((ISA(signed_halves))magnitude >= special);
    ISA(more_halves) value = (at_infinity & infinity) | (~at_infinity & nan);
    if (unsigned_zero) {
      is_special = (ISA(more_halves))(code == 0x80);
    }
    if (is_halved) { /* a subnormal number by its bits, another by its exponent */
      magnitude = ISA(larger)(magnitude >> 1, magnitude - 0x400);
    }
    value = (is_special & value) | (~is_special & magnitude) | (code * sign_factor & sign);
    const ISA(floats) low = ISA(floats_of)(ISA(low_of)(value)) * scale;
    const ISA(floats) high = ISA(floats_of)(ISA(high_of)(value)) * scale;
    ISA(store)(to + 4 * done, low, caching.streams);
    ISA(store)(to + 4 * done + sizeof low, high, caching.streams);
  }
  return done;
}
