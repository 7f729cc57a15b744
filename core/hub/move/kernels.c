/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- vectors of 16 bytes, which every instruction set has or gets from the compiler ---- */

#define DLF__VECTOR(bits) __attribute__((vector_size(16))) uint##bits##_t
typedef DLF__VECTOR(8) dlf__vector_8;
typedef DLF__VECTOR(16) dlf__vector_16;
typedef DLF__VECTOR(32) dlf__vector_32;
typedef DLF__VECTOR(64) dlf__vector_64;

#if defined(__clang__) || __GNUC__ >= 12
#define DLF__SHUFFLE(bits, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define DLF__SHUFFLE(bits, a, b, ...) __builtin_shuffle(a, b, (dlf__vector_##bits){__VA_ARGS__})
#endif
#define DLF__INTERLEAVE_LOW_8(a, b)                                                                \
  DLF__SHUFFLE(8, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define DLF__INTERLEAVE_HIGH_8(a, b)                                                               \
  DLF__SHUFFLE(8, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define DLF__INTERLEAVE_LOW_16(a, b) DLF__SHUFFLE(16, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define DLF__INTERLEAVE_HIGH_16(a, b) DLF__SHUFFLE(16, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define DLF__INTERLEAVE_LOW_32(a, b) DLF__SHUFFLE(32, a, b, 0, 4, 1, 5)
#define DLF__INTERLEAVE_HIGH_32(a, b) DLF__SHUFFLE(32, a, b, 2, 6, 3, 7)
#define DLF__INTERLEAVE_LOW_64(a, b) DLF__SHUFFLE(64, a, b, 0, 2)
#define DLF__INTERLEAVE_HIGH_64(a, b) DLF__SHUFFLE(64, a, b, 1, 3)

/* ---- runs of elements that no register holds as one: moves that may overlap, without a call ----
 */

static DLF__INLINE void run_by_halves(char *to, int64_t to_step, const char *from,
                                      int64_t from_step, int64_t count, int64_t width,
                                      size_t half) {
  const int64_t second = width - (int64_t)half;
  for (int64_t i = 0; i < count; i++) {
    memcpy(to, from, half);
    memcpy(to + second, from + second, half);
    to += to_step;
    from += from_step;
  }
}

static void dlf__run_odd(char *to, int64_t to_step, const char *from, int64_t from_step,
                         int64_t count, int64_t width) {
  if (width < 4) {
    run_by_halves(to, to_step, from, from_step, count, width, 2);
  } else if (width < 8) {
    run_by_halves(to, to_step, from, from_step, count, width, 4);
  } else if (width < 16) {
    run_by_halves(to, to_step, from, from_step, count, width, 8);
  } else if (width < 32) {
    run_by_halves(to, to_step, from, from_step, count, width, 16);
  } else if (width <= 64) {
    run_by_halves(to, to_step, from, from_step, count, width, 32);
  } else {
    for (int64_t i = 0; i < count; i++) {
      memcpy(to + i * to_step, from + i * from_step, (size_t)width);
    }
  }
}

/* ---- the kernels, for each instruction set. GNU C optimizes little of a loop below -O3. ---- */

#if !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

static DLF__INLINE void dlf__run(char *restrict to, int64_t to_step, const char *restrict from,
                                 int64_t from_step, int64_t count, size_t width) {
  for (int64_t i = 0; i < count; i++) {
    memcpy(to + i * to_step, from + i * from_step, width);
  }
}

#if defined(__x86_64__)
#define STREAM_BYTES 16
#else
#define STREAM_BYTES 0
#endif
#define USUAL_STEPS !DLF__HAS_AVX
#define ISA(name) name##_baseline
#include "runs.inc.h"
#include "streams.inc.h"
#undef USUAL_STEPS
#undef ISA
#undef STREAM_BYTES

#if DLF__HAS_AVX

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define STREAM_BYTES 32
#define USUAL_STEPS 1
#define ISA(name) name##_avx2
#include "runs.inc.h"
#include "streams.inc.h"
#undef USUAL_STEPS
#undef ISA
#undef STREAM_BYTES
#if defined(__clang__)
#pragma clang attribute pop
#if __clang_major__ >= 18 && __clang_major__ < 22 /* these can leave out the wide registers */
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512vl,evex512"))),    \
                             apply_to = function)
#else
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512vl"))),            \
                             apply_to = function)
#endif
#else
#pragma GCC target("avx512f,avx512bw,avx512vl")
#endif
#define STREAM_BYTES 64
#define ISA(name) name##_avx512
#include "streams.inc.h"
#undef ISA
#undef STREAM_BYTES
#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
#if !defined(__clang__)
#pragma GCC pop_options
#endif

const dlf__kernels *dlf__kernels_here(void) {
  static const dlf__kernels all[] = {
      [DLF__ISA_BASELINE] = {runs_baseline,
                             transpose_baseline,
                             flip_tile_baseline,
                             stream_baseline},
#if DLF__HAS_AVX
      [DLF__ISA_AVX2] = {runs_avx2, transpose_avx2, flip_tile_avx2, stream_avx2},
      [DLF__ISA_AVX512] = {runs_avx2, transpose_avx512, flip_tile_avx512, stream_avx512},
#endif
  };
  return &all[dlf__isa_here()];
}

void dlf__end_stream(void) {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}
