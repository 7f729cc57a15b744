/* SPDX-License-Identifier: Apache-2.0 */
/* Copies that need no conversion beside loops written by hand: bench_move [ROUNDS].
 *
 * Each row compares dlferry with its peers in one run, in turn, round after round; a ratio is the
 * median of those of the rounds, so that what others do on the machine concerns both sides alike.
 * Times are the processor's for this thread: milliseconds of the machine at hand. */
#include <dlferry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { MOST_ROUNDS = 101, MOST_PEERS = 3 };
static const size_t LARGE = (size_t)256 << 20;

static char *from, *to; /* LARGE bytes each */
static dlf_tensor *source, *destination;
static const DLDevice cpu = {kDLCPU, 0};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- what is compared ---- */

static size_t bytes;          /* of the row at hand */
static int64_t rows, columns; /* of its result, for peers that loop */

static void copy_into(void) {
  if (dlf_copy_into(source, destination, NULL)) {
    abort();
  }
}

static void copy(void) {
  dlf_tensor *out;
  if (dlf_copy(source, &out, NULL)) {
    abort();
  }
  dlf_release(out);
}

static void use_memcpy(void) {
  memcpy(to, from, bytes);
}

/* Past the caches, four pages side by side, as by hand. */
static void use_stream(void) {
#if defined(__x86_64__)
  enum { PAGE = 4096, PAGES = 4 };
  for (size_t block = 0; block < bytes; block += PAGE * PAGES) {
    for (size_t at = block; at < block + PAGE; at += 64) {
      for (size_t page = at; page < at + PAGE * PAGES; page += PAGE) {
        for (size_t i = page; i < page + 64; i += 16) {
          const __m128i value = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
          _mm_stream_si128((__m128i *)(void *)(to + i), value);
        }
      }
    }
  }
  _mm_sfence();
#else
  memcpy(to, from, bytes);
#endif
}

static void (*volatile release)(void *) = free; /* the compiler knows that free reads nothing */

static void malloc_memcpy(void) {
  char *out = malloc(bytes);
  if (!out) {
    abort();
  }
  memcpy(out, from, bytes);
  release(out);
}

static void huge_memcpy(void) {
  char *out = aligned_alloc((size_t)2 << 20, bytes);
  if (!out) {
    abort();
  }
#if defined(MADV_HUGEPAGE)
  (void)madvise(out, bytes, MADV_HUGEPAGE);
#endif
  memcpy(out, from, bytes);
  release(out);
}

/* Blocks that fit the nearest cache, element by element. */
#define TRANSPOSE(type)                                                                            \
  static void transpose_##type(void) {                                                             \
    enum { SIDE = 64 };                                                                            \
    const type *f = (const type *)(const void *)from;                                              \
    type *t = (type *)(void *)to;                                                                  \
    for (int64_t r = 0; r < rows; r += SIDE) {                                                     \
      for (int64_t c = 0; c < columns; c += SIDE) {                                                \
        for (int64_t i = r; i < r + SIDE; i++) {                                                   \
          for (int64_t j = c; j < c + SIDE; j++) {                                                 \
            t[i * columns + j] = f[j * rows + i];                                                  \
          }                                                                                        \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
TRANSPOSE(uint8_t)
TRANSPOSE(uint32_t)

/* The best that we know: blocks of 64 by 64 in registers of 16 bytes, into a buffer, and from there
 * past the caches. */
static void transpose_streamed(void) {
#if defined(__x86_64__)
  enum { SIDE = 64 };
  static _Alignas(64) float stage[SIDE * SIDE];
  const float *f = (const float *)(const void *)from;
  float *t = (float *)(void *)to;
  for (int64_t r = 0; r < rows; r += SIDE) {
    for (int64_t c = 0; c < columns; c += SIDE) {
      for (int64_t j = 0; j < SIDE; j += 4) {
        for (int64_t i = 0; i < SIDE; i += 4) {
          const float *at = f + (c + j) * rows + r + i;
          __m128 v[4];
          for (int k = 0; k < 4; k++) {
            v[k] = _mm_loadu_ps(at + k * rows);
          }
          _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
          for (int k = 0; k < 4; k++) {
            _mm_store_ps(stage + (i + k) * SIDE + j, v[k]);
          }
        }
      }
      for (int64_t i = 0; i < SIDE; i++) {
        for (int64_t j = 0; j < SIDE; j += 4) {
          _mm_stream_ps(t + (r + i) * columns + c + j, _mm_load_ps(stage + i * SIDE + j));
        }
      }
    }
  }
  _mm_sfence();
#else
  transpose_uint32_t();
#endif
}

/* A loop over the result's rows, as one would write it. */
static int64_t row_step, column_step; /* of the source, in bytes */
#define LOOP(name, width)                                                                          \
  static void loop_##name(void) {                                                                  \
    char *at = to;                                                                                 \
    for (int64_t r = 0; r < rows; r++) {                                                           \
      for (int64_t c = 0; c < columns; c++) {                                                      \
        memcpy(at, from + (r * row_step + c * column_step), width);                                \
        at += width;                                                                               \
      }                                                                                            \
    }                                                                                              \
  }
LOOP(1, 1)
LOOP(3, 3)
LOOP(4, 4)
LOOP(8, 8)
LOOP(12, 12)
LOOP(16, 16)

/* ---- rows of the table ---- */

typedef struct peer {
  const char *name;
  void (*run)(void);
} peer;

typedef struct row {
  const char *name;
  DLDataType dtype;
  int32_t ndim;
  int64_t shape[4], strides[4]; /* of the source, in elements */
  int64_t first;                /* its first element */
  bool allocates;
  int64_t rows, columns; /* for the peers' loops */
  peer peers[MOST_PEERS];
} row;

#define U8 {kDLUInt, 8, 1}
#define F32 {kDLFloat, 32, 1}
#define U64 {kDLUInt, 64, 1}

static const row table[] = {
    {"contiguous into 256 MiB",
     F32,
     1,
     {64 << 20},
     {1},
     0,
     false,
     1,
     1,
     {{"memcpy", use_memcpy}, {"stream by hand", use_stream}}},
    {"contiguous into 16 MiB", F32, 1, {4 << 20}, {1}, 0, false, 1, 1, {{"memcpy", use_memcpy}}},
    {"contiguous into 256 KiB", F32, 1, {64 << 10}, {1}, 0, false, 1, 1, {{"memcpy", use_memcpy}}},
    {"contiguous, allocating 256 MiB",
     F32,
     1,
     {64 << 20},
     {1},
     0,
     true,
     1,
     1,
     {{"malloc + memcpy", malloc_memcpy}, {"huge pages + memcpy", huge_memcpy}}},
    {"transpose 4096 x 4096 float32",
     F32,
     2,
     {4096, 4096},
     {1, 4096},
     0,
     false,
     4096,
     4096,
     {{"blocks streamed", transpose_streamed}, {"blocks", transpose_uint32_t}}},
    {"transpose 4096 x 4096 uint8",
     U8,
     2,
     {4096, 4096},
     {1, 4096},
     0,
     false,
     4096,
     4096,
     {{"blocks", transpose_uint8_t}}},
    {"transpose 512 x 512 float32",
     F32,
     2,
     {512, 512},
     {1, 512},
     0,
     false,
     512,
     512,
     {{"blocks", transpose_uint32_t}}},
    {"permute [64, 128, 256] to (2, 0, 1)",
     F32,
     3,
     {256, 64, 128},
     {1, 32768, 256},
     0,
     false,
     256,
     8192,
     {{"blocks", transpose_uint32_t}}},
    {"x[:, ::2] uint8, 4096 x 8192",
     U8,
     2,
     {4096, 4096},
     {8192, 2},
     0,
     false,
     4096,
     4096,
     {{"loop", loop_1}}},
    {"x[:, ::2] float32, 2048 x 4096",
     F32,
     2,
     {2048, 2048},
     {4096, 2},
     0,
     false,
     2048,
     2048,
     {{"loop", loop_4}}},
    {"x[:, ::-1] uint8, 4096 x 4096",
     U8,
     2,
     {4096, 4096},
     {4096, -1},
     4095,
     false,
     4096,
     4096,
     {{"loop", loop_1}}},
    {"x[::-1] float32, 2048 x 2048",
     F32,
     2,
     {2048, 2048},
     {-2048, 1},
     2047 * 2048,
     false,
     2048,
     2048,
     {{"loop", loop_4}}},
    {"broadcast a row, float32 2048 x 2048",
     F32,
     2,
     {2048, 2048},
     {0, 1},
     0,
     false,
     2048,
     2048,
     {{"loop", loop_4}}},
    {"broadcast a column, float32 2048 x 2048",
     F32,
     2,
     {2048, 2048},
     {1, 0},
     0,
     false,
     2048,
     2048,
     {{"loop", loop_4}}},
    {"rows of 3 bytes, 2^22 of 4",
     U8,
     2,
     {1 << 22, 3},
     {4, 1},
     0,
     false,
     1 << 22,
     1,
     {{"loop", loop_3}}},
    {"rows of 8 bytes, 2^22 of 16",
     U8,
     2,
     {1 << 22, 8},
     {16, 1},
     0,
     false,
     1 << 22,
     1,
     {{"loop", loop_8}}},
    {"rows of 12 bytes, 2^22 of 16",
     U8,
     2,
     {1 << 22, 12},
     {16, 1},
     0,
     false,
     1 << 22,
     1,
     {{"loop", loop_12}}},
    {"rows of 16 bytes, 2^22 of 24",
     U8,
     2,
     {1 << 22, 16},
     {24, 1},
     0,
     false,
     1 << 22,
     1,
     {{"loop", loop_16}}},
    {"[480, 640, 3] uint8 to planes",
     U8,
     3,
     {3, 480, 640},
     {1, 1920, 3},
     0,
     false,
     3,
     307200,
     {{"loop", loop_1}}},
    {"planes to [480, 640, 3] uint8",
     U8,
     3,
     {480, 640, 3},
     {640, 1, 307200},
     0,
     false,
     307200,
     3,
     {{"loop", loop_1}}},
    {"1 element", F32, 1, {1}, {1}, 0, false, 1, 1, {{"loop", loop_4}}},
    {"[8, 8] float32, transposed", F32, 2, {8, 8}, {1, 8}, 0, false, 8, 8, {{"loop", loop_4}}},
    {"[4, 4, 4] uint64, every second",
     U64,
     3,
     {4, 4, 4},
     {64, 16, 2},
     0,
     false,
     16,
     4,
     {{"loop", loop_8}}},
};
enum { ROWS = sizeof table / sizeof *table };

/* ---- measuring ---- */

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return values[count / 2];
}

static double time_of(void (*run)(void), long calls) {
  void (*volatile called)(void) = run;
  const double start = now();
  for (long i = 0; i < calls; i++) {
    called();
  }
  return (now() - start) / (double)calls;
}

static int64_t size_of(const row *r) {
  int64_t size = r->dtype.bits / 8;
  for (int32_t i = 0; i < r->ndim; i++) {
    size *= r->shape[i];
  }
  return size;
}

static void prepare(const row *r) {
  int64_t shape[4], strides[4];
  memcpy(shape, r->shape, sizeof shape);
  memcpy(strides, r->strides, sizeof strides);
  const int64_t width = r->dtype.bits / 8;
  DLTensor f = {from + r->first * width, cpu, r->ndim, r->dtype, shape, strides, 0};
  DLTensor t = {to, cpu, r->ndim, r->dtype, shape, NULL, 0};
  if (dlf_wrap(&f, 0, NULL, NULL, &source, NULL) ||
      dlf_wrap(&t, 0, NULL, NULL, &destination, NULL)) {
    abort();
  }
  bytes = (size_t)size_of(r);
  rows = r->rows;
  columns = r->columns;
  row_step = r->strides[r->ndim > 2 && r->rows != r->shape[0] ? 1 : 0] * width;
  column_step = r->strides[r->ndim - 1] * width;
}

static void measure(const row *r, int rounds) {
  double ours[MOST_ROUNDS], peers[MOST_PEERS][MOST_ROUNDS], ratios[MOST_ROUNDS];
  prepare(r);
  const long calls = bytes >= (1 << 20) ? 1 : bytes >= (64 << 10) ? 20 : 20000;
  void (*run)(void) = r->allocates ? copy : copy_into;
  for (int i = 0; i < rounds; i++) {
    ours[i] = time_of(run, calls);
    for (int p = 0; p < MOST_PEERS && r->peers[p].run; p++) {
      peers[p][i] = time_of(r->peers[p].run, calls);
    }
  }
  for (int p = 0; p < MOST_PEERS && r->peers[p].run; p++) {
    for (int i = 0; i < rounds; i++) {
      ratios[i] = peers[p][i] / ours[i];
    }
    const double ratio = median(ratios, rounds);
    double copied[MOST_ROUNDS];
    memcpy(copied, ours, sizeof copied);
    printf("%-42s%12.5f  %-18s%12.5f%8.2f\n",
           p == 0 ? r->name : "",
           median(copied, rounds),
           r->peers[p].name,
           median(peers[p], rounds),
           ratio);
  }
  dlf_release(source);
  dlf_release(destination);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 21;
  if (rounds < 1 || rounds > MOST_ROUNDS) {
    rounds = MOST_ROUNDS;
  }
  from = aligned_alloc(4096, LARGE);
  to = aligned_alloc(4096, LARGE);
  if (!from || !to) {
    return 1;
  }
  for (size_t i = 0; i < LARGE; i++) {
    from[i] = (char)(i * 31);
  }
  memset(to, 1, LARGE);
  printf("milliseconds of processor time, medians of %d rounds; ratio: the median of peer / "
         "dlferry\n\n",
         rounds);
  printf("%-42s%12s  %-18s%12s%8s\n", "copy", "dlferry", "peer", "its", "ratio");
  for (int i = 0; i < ROWS; i++) {
    measure(&table[i], rounds);
  }
  free(from);
  free(to);
  return dlf_live() != 0;
}
