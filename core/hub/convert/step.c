/* SPDX-License-Identifier: Apache-2.0 */
/* The loops over a run. Those that are often used are compiled for each instruction set, from one
 * source: a function without one is inlined into a function with it. */
#include "narrow.h"

#if DLF__HAS_AVX
#include <immintrin.h>
#endif

DLF__BEGIN_VECTORS

enum { STRIP = 64 }; /* elements between two questions for memory */

/* One step: load each element as `in`, and store what the expression makes of `x`. A strip of a
 * stream is made beside it. */
#define EACH(kind, load, in, store, expression)                                                    \
  case kind:                                                                                       \
    for (; by_strips && done + STRIP <= count; done += STRIP) {                                    \
      const char *const source = from + done * (int64_t)sizeof(dlf__##load);                       \
      char *const result = to + done * (int64_t)sizeof(dlf__##store);                              \
      dlf__ask_ahead(source, STRIP * sizeof(dlf__##load), caching);                                \
      if (caching.streams) {                                                                       \
        MAKE_STRIP(source, strip, load, in, store, expression);                                    \
        stream(result, strip, STRIP * sizeof(dlf__##store));                                       \
      } else {                                                                                     \
        MAKE_STRIP(source, result, load, in, store, expression);                                   \
      }                                                                                            \
    }                                                                                              \
    REST(load, in, store, expression)

#define MAKE_STRIP(source, result, load, in, store, expression)                                    \
  for (int64_t i = 0; i < STRIP; i++) {                                                            \
    const in x = dlf__load_##load(source, i);                                                      \
    dlf__store_##store(result, i, expression);                                                     \
  }

#define REST(load, in, store, expression)                                                          \
  for (int64_t i = done; i < count; i++) {                                                         \
    const in x = dlf__load_##load(from, i);                                                        \
    dlf__store_##store(to, i, expression);                                                         \
  }                                                                                                \
  break

/* The same for steps that are seldom used, or that run_vectors.inc.h has. */
#define RARE(kind, load, in, store, expression)                                                    \
  case kind:                                                                                       \
    REST(load, in, store, expression)

/* Between floats these processors keep NaN's sign and payload, and make it quiet, as we want it. */
#if defined(__x86_64__) || defined(__aarch64__)
#define NAN_IS_KEPT true
#else
#define NAN_IS_KEPT false
#endif

static DLF__INLINE uint64_t float64_of(float x, bool is_quiet) {
  const uint32_t bits = dlf__bits_of_float(x);
  const uint64_t sign = (uint64_t)(bits & DLF__SIGN) << 32;
  const uint64_t quiet = is_quiet ? UINT64_C(1) << 51 : 0;
  const uint64_t nan = sign | UINT64_C(0x7FF) << 52 | (uint64_t)(bits & 0x7FFFFF) << 29 | quiet;
  const bool is_own = x != x && !(NAN_IS_KEPT && is_quiet);
  return dlf__choose_wide(is_own, nan, dlf__bits_of((double)x));
}

static DLF__INLINE uint32_t float32_of(double x) {
  const uint64_t bits = dlf__bits_of(x);
  const uint32_t sign = (uint32_t)(bits >> 32) & DLF__SIGN;
  const uint32_t nan = sign | DLF__QUIET | ((uint32_t)(bits >> 29) & 0x3FFFFF);
  return dlf__choose(x != x && !NAN_IS_KEPT, nan, dlf__bits_of_float((float)x));
}

static DLF__INLINE uint32_t int32_of(float x) {
  const bool is_inside = x >= -2147483648.0f && x < 2147483648.0f;
  const uint32_t inside = dlf__choose(is_inside, dlf__bits_of_float(x), 0);
  const uint32_t below = dlf__choose(x < 0, DLF__SIGN, 0);
  const uint32_t outside = dlf__choose(x > 0, INT32_MAX, below);
  return dlf__choose(is_inside, (uint32_t)(int32_t)dlf__float_of(inside), outside);
}

/* Store lines of 64 bytes past the caches. */
typedef void line_streamer(char *to, const char *from, int64_t bytes);

/* The first elements are done already. Strips pay on wide vectors, which can stream. */
static DLF__INLINE void run_fast(dlf__step_kind kind, const dlf__format *known,
                                 const char *restrict from, char *restrict to, int64_t done,
                                 int64_t count, dlf__caching caching, line_streamer *stream) {
  const bool by_strips = stream != NULL;
  _Alignas(64) char strip[STRIP * sizeof(uint64_t)];
  dlf__format format = {0};
  if (known) {
    format = *known; /* so that no store can change it */
  }
  const dlf__format *const f = &format;
  switch (kind) {
    EACH(DLF__WIDEN_BFLOAT16, uint16, uint32_t, uint32, x << 16);
    RARE(DLF__WIDEN_FLOAT16, uint16, uint32_t, uint32, dlf__widen_float16(x));
    RARE(DLF__WIDEN_SMALL, uint8, uint32_t, uint32, dlf__widen_small(x, f));
    RARE(DLF__WIDEN_UNSIGNED_ZERO, uint8, uint32_t, uint32, dlf__widen_unsigned_zero(x, f));
    EACH(DLF__WIDEN_POWERS, uint8, uint32_t, uint32, dlf__widen_power(x));
    RARE(DLF__NARROW_BFLOAT16, uint32, uint32_t, uint16, (uint16_t)dlf__narrow_bfloat16(x, f));
    RARE(DLF__NARROW_FLOAT16, uint32, uint32_t, uint16, (uint16_t)dlf__narrow_float16(x, f));
    RARE(DLF__NARROW_SMALL, uint32, uint32_t, uint8, (uint8_t)dlf__narrow_small(x, f));
    RARE(DLF__NARROW_UNSIGNED_ZERO,
         uint32,
         uint32_t,
         uint8,
         (uint8_t)dlf__narrow_unsigned_zero(x, f));
    RARE(DLF__NARROW_POWERS, uint32, uint32_t, uint8, (uint8_t)dlf__narrow_power(x, f));
    EACH(DLF__INT8_TO_FLOAT32, int8, int8_t, float32, (float)x);
    EACH(DLF__UINT8_TO_FLOAT32, uint8, uint8_t, float32, (float)x);
    EACH(DLF__FLOAT32_TO_INT32, float32, float, uint32, int32_of(x));
    EACH(DLF__FLOAT32_TO_FLOAT64, float32, float, uint64, float64_of(x, true));
    EACH(DLF__FLOAT64_TO_FLOAT32, float64, double, uint32, float32_of(x));
    EACH(DLF__FLOAT64_TO_ODD, uint64, uint64_t, uint32, dlf__float64_to_odd(x));
  case DLF__PACK_4: /* count is a number of bytes here */
    for (int64_t i = 0; i < count; i++) {
      const unsigned low = dlf__load_uint8(from, 2 * i);
      const unsigned high = dlf__load_uint8(from, 2 * i + 1);
      dlf__store_uint8(to, i, (uint8_t)(low | high << 4));
    }
    break;
  case DLF__UNPACK_4:
    for (int64_t i = 0; i < count; i++) {
      const unsigned both = dlf__load_uint8(from, i);
      dlf__store_uint8(to, 2 * i, (uint8_t)(both & 15));
      dlf__store_uint8(to, 2 * i + 1, (uint8_t)(both >> 4));
    }
    break;
  default:
    break;
  }
}

static DLF__INLINE double sticky_of(int64_t x) {
  const uint64_t sign = (uint64_t)(x >> 63);
  const double magnitude = (double)dlf__sticky(((uint64_t)x ^ sign) - sign);
  return x < 0 ? -magnitude : magnitude;
}

static DLF__INLINE int64_t int64_of(double x) {
  if (x >= 9223372036854775808.0) {
    return INT64_MAX;
  }
  if (x < -9223372036854775808.0) {
    return INT64_MIN;
  }
  return x != x ? 0 : (int64_t)x;
}

static DLF__INLINE uint64_t uint64_of(double x) {
  if (x >= 18446744073709551616.0) {
    return UINT64_MAX;
  }
  return x > -1 ? (uint64_t)x : 0;
}

static DLF__INLINE int64_t clamped(int64_t x, int64_t least, int64_t most) {
  const int64_t raised = x < least ? least : x;
  return raised > most ? most : raised;
}

static void run_rare(dlf__step_kind kind, const char *restrict from, char *restrict to,
                     int64_t count) {
  const int64_t done = 0;
  switch (kind) {
    RARE(DLF__FLOAT32_TO_FLOAT64_AS_IS, float32, float, uint64, float64_of(x, false));
    RARE(DLF__INT16_TO_FLOAT32, int16, int16_t, float32, (float)x);
    RARE(DLF__UINT16_TO_FLOAT32, uint16, uint16_t, float32, (float)x);
    RARE(DLF__INT32_TO_FLOAT32, int32, int32_t, float32, (float)x);
    RARE(DLF__UINT32_TO_FLOAT32, uint32, uint32_t, float32, (float)x);
    RARE(DLF__INT64_TO_FLOAT32, int64, int64_t, float32, (float)x);
    RARE(DLF__UINT64_TO_FLOAT32, uint64, uint64_t, float32, (float)x);
    RARE(DLF__INT32_TO_FLOAT64, int32, int32_t, float64, (double)x);
    RARE(DLF__UINT32_TO_FLOAT64, uint32, uint32_t, float64, (double)x);
    RARE(DLF__INT64_TO_FLOAT64, int64, int64_t, float64, (double)x);
    RARE(DLF__UINT64_TO_FLOAT64, uint64, uint64_t, float64, (double)x);
    RARE(DLF__INT64_TO_STICKY, int64, int64_t, float64, sticky_of(x));
    RARE(DLF__UINT64_TO_STICKY, uint64, uint64_t, float64, (double)dlf__sticky(x));
    RARE(DLF__FLOAT64_TO_INT64, float64, double, int64, int64_of(x));
    RARE(DLF__FLOAT64_TO_UINT64, float64, double, uint64, uint64_of(x));
    RARE(DLF__INT8_TO_INT64, int8, int8_t, int64, x);
    RARE(DLF__UINT8_TO_INT64, uint8, uint8_t, int64, x);
    RARE(DLF__INT16_TO_INT64, int16, int16_t, int64, x);
    RARE(DLF__UINT16_TO_INT64, uint16, uint16_t, int64, x);
    RARE(DLF__INT32_TO_INT64, int32, int32_t, int64, x);
    RARE(DLF__UINT32_TO_INT64, uint32, uint32_t, int64, x);
    RARE(DLF__WRAP_8, uint64, uint64_t, uint8, (uint8_t)x);
    RARE(DLF__WRAP_16, uint64, uint64_t, uint16, (uint16_t)x);
    RARE(DLF__WRAP_32, uint64, uint64_t, uint32, (uint32_t)x);
    RARE(DLF__CLAMP_INT8, int64, int64_t, int8, (int8_t)clamped(x, INT8_MIN, INT8_MAX));
    RARE(DLF__CLAMP_UINT8, int64, int64_t, uint8, (uint8_t)clamped(x, 0, UINT8_MAX));
    RARE(DLF__CLAMP_INT16, int64, int64_t, int16, (int16_t)clamped(x, INT16_MIN, INT16_MAX));
    RARE(DLF__CLAMP_UINT16, int64, int64_t, uint16, (uint16_t)clamped(x, 0, UINT16_MAX));
    RARE(DLF__CLAMP_INT32, int64, int64_t, int32, (int32_t)clamped(x, INT32_MIN, INT32_MAX));
    RARE(DLF__CLAMP_UINT32, int64, int64_t, uint32, (uint32_t)clamped(x, 0, UINT32_MAX));
    RARE(DLF__CLAMP_UINT64, int64, int64_t, int64, clamped(x, 0, INT64_MAX));
    RARE(DLF__CLAMP_INT64, uint64, uint64_t, uint64, x > INT64_MAX ? INT64_MAX : x);
    RARE(DLF__FINITE_FLOAT16, uint16, uint16_t, uint16, (uint16_t)(x - ((x & 0x7FFF) == 0x7C00)));
    RARE(DLF__FINITE_BFLOAT16, uint16, uint16_t, uint16, (uint16_t)(x - ((x & 0x7FFF) == 0x7F80)));
    RARE(DLF__FINITE_FLOAT32, uint32, uint32_t, uint32, x - (x << 1 == 0xFF000000));
    RARE(DLF__FINITE_FLOAT64, uint64, uint64_t, uint64, x - (x << 1 == UINT64_C(0x7FF) << 53));
    RARE(DLF__NONZERO_8, uint8, uint8_t, uint8, x != 0);
    RARE(DLF__NONZERO_16, uint16, uint16_t, uint8, x != 0);
    RARE(DLF__NONZERO_32, uint32, uint32_t, uint8, x != 0);
    RARE(DLF__NONZERO_64, uint64, uint64_t, uint8, x != 0);
    RARE(DLF__NONZERO_FLOAT32, uint32, uint32_t, uint8, x << 1 != 0);
    RARE(DLF__NONZERO_FLOAT64, uint64, uint64_t, uint8, x << 1 != 0);
  default:
    break;
  }
}

static DLF__INLINE int64_t run_no_vectors(dlf__step_kind kind, const dlf__format *format,
                                          const char *from, char *to, int64_t done, int64_t count,
                                          dlf__caching caching) {
  (void)kind, (void)format, (void)from, (void)to, (void)done, (void)count, (void)caching;
  return -1;
}

/* The steps for one instruction set. Where its vectors stop, the loop does a strip. */
#define RUNNER(name, instructions, run_vectors, stream)                                            \
  instructions static void name(dlf__step_kind kind,                                               \
                                const dlf__format *format,                                         \
                                const char *from,                                                  \
                                char *to,                                                          \
                                int64_t count,                                                     \
                                dlf__caching caching) {                                            \
    if (kind > DLF__LAST_FAST) {                                                                   \
      run_rare(kind, from, to, count);                                                             \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t done = 0, end; done < count; done = end) {                                        \
      const int64_t stop = run_vectors(kind, format, from, to, done, count, caching);              \
      done = stop < 0 ? done : stop;                                                               \
      end = stop < 0 || count - done < STRIP ? count : done + STRIP;                               \
      run_fast(kind, format, from, to, done, end, caching, stream);                                \
    }                                                                                              \
  }

RUNNER(run_general, , run_no_vectors, NULL)
#if DLF__HAS_AVX
#define INSTRUCTIONS __attribute__((__target__("avx2,f16c,fma")))
#define ISA(name) name##_avx2
#define HALVES 8
#include "run_vectors.inc.h"
RUNNER(run_avx2, INSTRUCTIONS, run_vectors_avx2, stream_lines_avx2)
#undef INSTRUCTIONS
#undef ISA
#undef HALVES
/* gcc uses half of such a register by itself. */
#if defined(__clang__)
#define PREFER_512
#else
#define PREFER_512 ",prefer-vector-width=512"
#endif
#define INSTRUCTIONS                                                                               \
  __attribute__((__target__("avx2,f16c,fma,avx512f,avx512bw,avx512dq,avx512vl" PREFER_512)))
#define ISA(name) name##_avx512
#if defined(__clang__) /* some versions need another word for registers of 512 bits, others lack   \
                          it */
#define HALVES 8
#else
#define HALVES 16
#endif
#include "run_vectors.inc.h"
RUNNER(run_avx512, INSTRUCTIONS, run_vectors_avx512, stream_lines_avx512)
#undef INSTRUCTIONS
#undef ISA
#undef HALVES
#endif

#undef RUNNER
#undef RARE
#undef REST
#undef MAKE_STRIP
#undef EACH

DLF__END_VECTORS

dlf__run_step *dlf__step_runner(void) {
#if DLF__HAS_AVX
  static dlf__run_step *const all[DLF__ISA_COUNT] = {run_general, run_avx2, run_avx512};
  return all[dlf__isa_here()];
#else
  return run_general;
#endif
}

bool dlf__step_streams(dlf__step_kind kind) {
  return kind <= DLF__LAST_FAST && dlf__isa_here() != DLF__ISA_BASELINE;
}
