/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_BY_HAND_H
#define BENCH_BY_HAND_H

#include <dlferry.h>

/* bench_move.py has the same structure. */
typedef struct bench_job {
  const char *from;  /* the source's memory */
  const char *first; /* its first element: behind `from` if a stride is negative */
  char *to;
  int64_t bytes;                /* of the result */
  int64_t rows, columns;        /* of the result as a matrix, for transposes */
  int64_t extents[3], steps[3]; /* for loops; steps of the source in bytes */
  dlf_tensor *source, *destination;
} bench_job;

typedef void bench_run(const bench_job *job);

double bench_now(bool wall);
/* The processor's time for the whole process, or the wall's. */
double bench_seconds(bench_run *run, const bench_job *job, int64_t calls, bool wall);

bench_run bench_hub_copy_into, bench_hub_copy, bench_hub_cast_into, bench_hub_cast;
bench_run bench_memcpy, bench_stream, bench_malloc_memcpy, bench_huge_memcpy;
bench_run bench_transpose_uint8_t, bench_transpose_uint32_t, bench_transpose_streamed,
    bench_huge_transpose_streamed;
/* bench_pass_A_B reads A bytes for each element and writes B. */
bench_run bench_pass_8_2, bench_pass_8_4, bench_pass_4_2, bench_pass_4_1, bench_pass_4_half;
bench_run bench_pass_2_4, bench_pass_1_4, bench_pass_half_4;
/* These drop bytes of each element, or put zeros above it; past the caches, or into them. */
bench_run bench_resize_8_4, bench_resize_4_2, bench_resize_4_1, bench_resize_2_4, bench_resize_1_4;
bench_run bench_resize_8_4_cached, bench_resize_4_2_cached, bench_resize_4_1_cached,
    bench_resize_2_4_cached, bench_resize_1_4_cached;
bench_run bench_checked_4, bench_checked_8;
bench_run bench_loop_1, bench_loop_2, bench_loop_3, bench_loop_4, bench_loop_6, bench_loop_8,
    bench_loop_12, bench_loop_16;

#endif
