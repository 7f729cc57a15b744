/* SPDX-License-Identifier: Apache-2.0 */
/* What bench_move.py times in C: calls of the hub, memcpy, and loops written by hand. A run's time
 * is taken here, so that no call from Python is in it. */
#include "by_hand.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#endif

double bench_now(bool wall) {
  struct timespec t;
  clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Through a pointer that the compiler cannot follow: nothing is inlined or moved out of the loop.
 */
double bench_seconds(bench_run *run, const bench_job *job, int64_t calls, bool wall) {
  bench_run *volatile called = run;
  const double start = bench_now(wall);
  for (int64_t i = 0; i < calls; i++) {
    called(job);
  }
  return bench_now(wall) - start;
}

/* ---- the hub ---- */

static void must(dlf_status status) {
  if (status) {
    abort();
  }
}

void bench_hub_copy_into(const bench_job *job) {
  must(dlf_copy_into(job->source, job->destination, NULL));
}

void bench_hub_copy(const bench_job *job) {
  dlf_tensor *out;
  must(dlf_copy(job->source, &out, NULL));
  dlf_release(out);
}

void bench_hub_cast_into(const bench_job *job) {
  must(dlf_cast_into(job->source, job->destination, false, NULL));
}

void bench_hub_cast(const bench_job *job) {
  dlf_tensor *out;
  must(dlf_cast(job->source, dlf_dltensor(job->destination)->dtype, false, &out, NULL));
  dlf_release(out);
}

/* ---- without gaps ---- */

void bench_memcpy(const bench_job *job) {
  memcpy(job->to, job->from, (size_t)job->bytes);
}

/* Past the caches, four pages side by side. */
void bench_stream(const bench_job *job) {
  enum { PAGE = 4096, PAGES = 4 };
  const char *from = job->from;
  char *to = job->to;
  const int64_t whole = job->bytes / (PAGE * PAGES) * (PAGE * PAGES);
#if defined(__x86_64__)
  for (int64_t block = 0; block < whole; block += PAGE * PAGES) {
    for (int64_t at = block; at < block + PAGE; at += 64) {
      for (int64_t page = at; page < at + PAGE * PAGES; page += PAGE) {
        for (int64_t i = page; i < page + 64; i += 16) {
          const __m128i value = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
          _mm_stream_si128((__m128i *)(void *)(to + i), value);
        }
      }
    }
  }
  _mm_sfence();
#else
  memcpy(to, from, (size_t)whole);
#endif
  memcpy(to + whole, from + whole, (size_t)(job->bytes - whole));
}

static void (*volatile release)(void *) = free; /* the compiler knows that free reads nothing */

static void copy_to_new(char *out, const bench_job *job) {
  if (!out) {
    abort();
  }
  memcpy(out, job->from, (size_t)job->bytes);
  release(out);
}

void bench_malloc_memcpy(const bench_job *job) {
  copy_to_new(malloc((size_t)job->bytes), job);
}

/* Huge pages where the system has them to give. */
static char *huge_pages(const bench_job *job) {
  const size_t page = (size_t)2 << 20;
  const size_t size = ((size_t)job->bytes + page - 1) / page * page;
  char *out = aligned_alloc(page, size);
  if (!out) {
    abort();
  }
#if defined(MADV_HUGEPAGE)
  (void)madvise(out, size, MADV_HUGEPAGE);
#endif
  return out;
}

void bench_huge_memcpy(const bench_job *job) {
  copy_to_new(huge_pages(job), job);
}

/* ---- a matrix turned: extents are multiples of 64 ---- */

/* Blocks that fit the nearest cache, element by element. */
#define TRANSPOSE(type)                                                                            \
  void bench_transpose_##type(const bench_job *job) {                                              \
    enum { SIDE = 64 };                                                                            \
    const int64_t rows = job->rows, columns = job->columns;                                        \
    const type *from = (const type *)(const void *)job->from;                                      \
    type *to = (type *)(void *)job->to;                                                            \
    for (int64_t r = 0; r < rows; r += SIDE) {                                                     \
      for (int64_t c = 0; c < columns; c += SIDE) {                                                \
        for (int64_t i = r; i < r + SIDE; i++) {                                                   \
          for (int64_t j = c; j < c + SIDE; j++) {                                                 \
            to[i * columns + j] = from[j * rows + i];                                              \
          }                                                                                        \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
TRANSPOSE(uint8_t)
TRANSPOSE(uint32_t)

#if defined(__x86_64__)

enum { BLOCK = 64 };

/* A block from rows of `step` elements, turned in registers of 16 bytes. */
static void turn_block(const float *from, int64_t step, float *stage) {
  for (int64_t j = 0; j < BLOCK; j += 4) {
    for (int64_t i = 0; i < BLOCK; i += 4) {
      const float *at = from + j * step + i;
      __m128 v[4];
      for (int k = 0; k < 4; k++) {
        v[k] = _mm_loadu_ps(at + k * step);
      }
      _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
      for (int k = 0; k < 4; k++) {
        _mm_store_ps(stage + (i + k) * BLOCK + j, v[k]);
      }
    }
  }
}

static void stream_block(const float *stage, float *to, int64_t step) {
  for (int64_t i = 0; i < BLOCK; i++) {
    for (int64_t j = 0; j < BLOCK; j += 4) {
      _mm_stream_ps(to + i * step + j, _mm_load_ps(stage + i * BLOCK + j));
    }
  }
}

/* The best that we know: blocks turned into a buffer, and from there past the caches. */
void bench_transpose_streamed(const bench_job *job) {
  static _Alignas(64) float stage[BLOCK * BLOCK];
  const float *from = (const float *)(const void *)job->from;
  float *to = (float *)(void *)job->to;
  for (int64_t r = 0; r < job->rows; r += BLOCK) {
    for (int64_t c = 0; c < job->columns; c += BLOCK) {
      turn_block(from + c * job->rows + r, job->rows, stage);
      stream_block(stage, to + r * job->columns + c, job->columns);
    }
  }
  _mm_sfence();
}

#else

void bench_transpose_streamed(const bench_job *job) {
  bench_transpose_uint32_t(job);
}

#endif

/* The same into new memory. */
void bench_huge_transpose_streamed(const bench_job *job) {
  bench_job of_new = *job;
  of_new.to = huge_pages(job);
  bench_transpose_streamed(&of_new);
  release(of_new.to);
}

/* ---- the floors of casts: a source read and a result written, with nothing computed ---- */

#if defined(__x86_64__)

/* Each line of the result goes past the caches, and holds what was read last. */
static void pass(const char *from, int64_t read, char *to, int64_t written, int64_t blocks) {
  enum { AHEAD = 4096 };
  for (int64_t block = 0; block < blocks; block++) {
    __m128i value = _mm_setzero_si128();
    for (int64_t i = 0; i < read; i += 64) {
      _mm_prefetch(from + i + AHEAD, _MM_HINT_T1);
      for (int64_t k = i; k < i + 64; k += 16) {
        value = _mm_xor_si128(value, _mm_loadu_si128((const __m128i *)(const void *)(from + k)));
      }
    }
    for (int64_t i = 0; i < written; i += 16) {
      _mm_stream_si128((__m128i *)(void *)(to + i), value);
    }
    from += read;
    to += written;
  }
  _mm_sfence();
}

#else

static void pass(const char *from, int64_t read, char *to, int64_t written, int64_t blocks) {
  for (int64_t block = 0; block < blocks; block++) {
    unsigned char value = 0;
    for (int64_t i = 0; i < read; i++) {
      value ^= (unsigned char)from[block * read + i];
    }
    memset(to + block * written, value, (size_t)written);
  }
}

#endif

/* 128 elements at once, of so many halves of a byte. */
#define PASS(name, from_halves, to_halves)                                                         \
  void bench_pass_##name(const bench_job *job) {                                                   \
    const int64_t read = 64 * from_halves, written = 64 * to_halves;                               \
    pass(job->from, read, job->to, written, job->bytes / written);                                 \
  }
PASS(8_2, 16, 4)
PASS(8_4, 16, 8)
PASS(4_2, 8, 4)
PASS(4_1, 8, 2)
PASS(4_half, 8, 1)
PASS(2_4, 4, 8)
PASS(1_4, 2, 8)
PASS(half_4, 1, 8)

/* ---- more floors of casts: elements lose their upper bytes, or get zeros there ---- */

#if defined(__x86_64__)

#define AVX512 __attribute__((__target__("avx512f,avx512bw")))

AVX512 static inline __m512i load_line(const char *from) {
  return _mm512_loadu_si512(from);
}

AVX512 static inline __m512i both(__m256i low, __m256i high) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

AVX512 static inline __m256i four_to_one(const char *from) {
  const __m128i low = _mm512_cvtepi32_epi8(load_line(from));
  const __m128i high = _mm512_cvtepi32_epi8(load_line(from + 64));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* A line of results. */
AVX512 static inline __m512i resized_8_4(const char *from) {
  return both(_mm512_cvtepi64_epi32(load_line(from)), _mm512_cvtepi64_epi32(load_line(from + 64)));
}

AVX512 static inline __m512i resized_4_2(const char *from) {
  return both(_mm512_cvtepi32_epi16(load_line(from)), _mm512_cvtepi32_epi16(load_line(from + 64)));
}

AVX512 static inline __m512i resized_4_1(const char *from) {
  return both(four_to_one(from), four_to_one(from + 128));
}

AVX512 static inline __m512i resized_2_4(const char *from) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from));
}

AVX512 static inline __m512i resized_1_4(const char *from) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
}

/* 64 elements at once; a processor without such registers takes the floor above. */
#define RESIZE_BY(name, from_width, to_width, way, store)                                          \
  AVX512 static void resize_##name##way(const bench_job *job) {                                    \
    enum { AHEAD = 16384, READ = 64 * from_width, WRITTEN = 64 * to_width };                       \
    const char *from = job->from;                                                                  \
    for (char *to = job->to; to < job->to + job->bytes; to += WRITTEN) {                           \
      for (int64_t i = 0; i < READ; i += 64) {                                                     \
        _mm_prefetch(from + i + AHEAD, _MM_HINT_T1);                                               \
        _mm_prefetch(from + i + AHEAD / 4, _MM_HINT_T0);                                           \
      }                                                                                            \
      for (int64_t i = 0; i < to_width; i++) {                                                     \
        store((__m512i *)(void *)(to + 64 * i), resized_##name(from + READ / to_width * i));       \
      }                                                                                            \
      from += READ;                                                                                \
    }                                                                                              \
    _mm_sfence();                                                                                  \
  }                                                                                                \
  void bench_resize_##name##way(const bench_job *job) {                                            \
    if (__builtin_cpu_supports("avx512bw")) {                                                      \
      resize_##name##way(job);                                                                     \
    } else {                                                                                       \
      bench_pass_##name(job);                                                                      \
    }                                                                                              \
  }

#else

#define RESIZE_BY(name, from_width, to_width, way, store)                                          \
  void bench_resize_##name##way(const bench_job *job) {                                            \
    bench_pass_##name(job);                                                                        \
  }

#endif

#define RESIZE(name, from_width, to_width)                                                         \
  RESIZE_BY(name, from_width, to_width, , _mm512_stream_si512)                                     \
  RESIZE_BY(name, from_width, to_width, _cached, _mm512_store_si512)
RESIZE(8_4, 8, 4)
RESIZE(4_2, 4, 2)
RESIZE(4_1, 4, 1)
RESIZE(2_4, 2, 4)
RESIZE(1_4, 1, 4)

/* ---- a loop over the result, as one would write it ---- */

#define LOOP(width)                                                                                \
  void bench_loop_##width(const bench_job *job) {                                                  \
    const int64_t rows = job->extents[0], columns = job->extents[1], last = job->extents[2];       \
    const int64_t row = job->steps[0], column = job->steps[1], step = job->steps[2];               \
    const char *first = job->first;                                                                \
    char *to = job->to;                                                                            \
    for (int64_t i = 0; i < rows; i++) {                                                           \
      for (int64_t j = 0; j < columns; j++) {                                                      \
        const char *from = first + (i * row + j * column);                                         \
        for (int64_t k = 0; k < last; k++) {                                                       \
          memcpy(to, from + k * step, width);                                                      \
          to += width;                                                                             \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
LOOP(1)
LOOP(2)
LOOP(3)
LOOP(4)
LOOP(6)
LOOP(8)
LOOP(12)
LOOP(16)

/* ---- the floor of small copies: the same loop behind the checks that a copy owes its caller ----
 */

static bool may_copy(const DLTensor *from, const DLTensor *to, uint64_t flags) {
  if (!dlf_dtype_equal(from->dtype, to->dtype) || from->ndim != to->ndim) {
    return false;
  }
  for (int32_t i = 0; i < to->ndim; i++) {
    if (from->shape[i] != to->shape[i]) {
      return false;
    }
  }
  return from->device.device_type == kDLCPU && to->device.device_type == kDLCPU &&
         !(flags & DLPACK_FLAG_BITMASK_READ_ONLY);
}

static bool overlap(const DLTensor *a, const DLTensor *b) {
  return dlf_overlap((dlf_arg){a, 0}, (dlf_arg){b, 0});
}

#define CHECKED(width)                                                                             \
  void bench_checked_##width(const bench_job *job) {                                               \
    const DLTensor *from = dlf_dltensor(job->source), *to = dlf_dltensor(job->destination);        \
    if (!may_copy(from, to, dlf_flags(job->destination)) || overlap(from, to) ||                   \
        !dlf_is_contiguous(to, DLF_ROW_MAJOR)) {                                                   \
      abort();                                                                                     \
    }                                                                                              \
    bench_loop_##width(job);                                                                       \
  }
CHECKED(4)
CHECKED(8)
