/* SPDX-License-Identifier: Apache-2.0 */
/* What copies the elements of whole bytes of one tile, for each instruction set. */
#ifndef DLFERRY_KERNELS_H
#define DLFERRY_KERNELS_H

#include "isa.h"
#include "loop.h"

/* A run of so many bytes goes past the caches: above it, a copy that reads each line of its result
 * before it writes it takes longer. Measured on server processors. */
enum {
  DLF__STREAM_RUNS = 32 << 20,
  DLF__STREAM_TRANSPOSE = 2 << 20, /* of all results of a transpose */
  DLF__STREAM_LEAST_RUN = 2048
};

/* A transpose works on blocks of so many rows and bytes a row. */
enum { DLF__STAGE_ROWS = 128, DLF__STAGE_BYTES = 256 };

/* `to` and `from` are the addresses of the tile's first elements; steps are in bytes. */
typedef struct dlf__kernels {
  /* Any steps. */
  void (*runs)(char *to, const char *from, const dlf__tile *tile, int64_t width);
  /* `to` is dense along the columns, `from` along the rows; width is 1, 2, 4 or 8. A stream goes
   * past the caches: end it with dlf__end_stream. */
  void (*transpose)(char *to, const char *from, const dlf__tile *tile, int64_t width, bool stream);
  /* The same at once, for a tile that fits the nearest cache. */
  void (*flip)(char *to, const char *from, const dlf__tile *tile, int64_t width);
  /* One run without gaps, past the caches. */
  void (*stream)(char *to, const char *from, int64_t bytes);
} dlf__kernels;

DLF__BEGIN_HIDDEN

const dlf__kernels *dlf__kernels_here(void);
/* Make what was streamed visible to other threads in the order of the program. */
void dlf__end_stream(void);

DLF__END_HIDDEN

#endif
