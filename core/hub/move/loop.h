/* SPDX-License-Identifier: Apache-2.0 */
/* The one loop over the elements of two tensors of one shape. Copies, conversions, fills and
 * comparisons differ in what they do with a tile of two axes; the loop has brought the axes into
 * the order that suits memory. */
#ifndef DLFERRY_LOOP_H
#define DLFERRY_LOOP_H

#include "hub/internal.h"

/* Axes longer than 1, the innermost last. Steps and places are in one unit that the caller chooses:
 * bytes, bits or elements, counted from each tensor's first element. */
typedef struct dlf__loop {
  int32_t ndim; /* -1: no elements */
  int64_t to, from;
  int64_t extent[DLF_MAX_NDIM], to_step[DLF_MAX_NDIM], from_step[DLF_MAX_NDIM];
} dlf__loop;

/* The two innermost axes at one index of the others. */
typedef struct dlf__tile {
  int64_t to, from;
  int64_t rows, columns; /* 1 or more */
  int64_t to_row, to_column;
  int64_t from_row, from_column; /* steps to the next one */
} dlf__tile;

/* Work on a tile; false ends the walk. */
typedef bool (*dlf__tile_work)(const dlf__tile *tile, void *context);

DLF__BEGIN_HIDDEN

static inline int64_t dlf__least(int64_t a, int64_t b) {
  if (a < b) {
    return a;
  }
  return b;
}

static inline int64_t dlf__magnitude(int64_t step) {
  if (step < 0) {
    return -step;
  }
  return step;
}

/* The tile with its rows as columns. */
static inline dlf__tile dlf__turned(const dlf__tile *tile) {
  return (dlf__tile){.to = tile->to,
                     .from = tile->from,
                     .rows = tile->columns,
                     .columns = tile->rows,
                     .to_row = tile->to_column,
                     .to_column = tile->to_row,
                     .from_row = tile->from_column,
                     .from_column = tile->from_row};
}

/* How much of a tile to do at once: all, unless both orders jump in one of the two memories. Then
 * the lines that a block touches stay in the nearest cache until it is done. */
void dlf__block_of(const dlf__tile *tile, int64_t *rows, int64_t *columns);

/* The bytes of all elements of a width in bytes. */
int64_t dlf__loop_bytes(const dlf__loop *loop, int64_t width);

/* Begin a loop over two checked tensors of one shape, whose elements are to_width and from_width
 * units apart. Axes are in the order of the steps of `to`, the longest first, none of which is
 * negative; axes that continue each other are one. */
void dlf__loop_begin(dlf__loop *loop, const DLTensor *to, int64_t to_width, const DLTensor *from,
                     int64_t from_width);
/* Bring the axis along which `from` lies closest into the tile, so that a transpose can go by
 * blocks. */
void dlf__loop_pair(dlf__loop *loop);
/* Make the innermost axis a part of the element if both sides are dense along it: returns the new
 * width. */
int64_t dlf__loop_widen(dlf__loop *loop, int64_t width);
/* Walk backwards through every axis. */
void dlf__loop_reverse(dlf__loop *loop);
/* Do the work on each tile in order; false if it ended the walk. */
bool dlf__walk(const dlf__loop *loop, dlf__tile_work work, void *context);

DLF__END_HIDDEN

#endif
