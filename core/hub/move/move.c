/* SPDX-License-Identifier: Apache-2.0 */
#include "move.h"

#include "kernels.h"
#include "threads.h"

typedef struct mover {
  char *to;
  const char *from;
  int64_t width;
  bool streams;
  const dlf__kernels *kernels;
} mover;

static bool move_runs(const dlf__tile *tile, void *context) {
  const mover *m = context;
  m->kernels->runs(m->to + tile->to, m->from + tile->from, tile, m->width);
  return true;
}

static bool move_transposed(const dlf__tile *tile, void *context) {
  const mover *m = context;
  m->kernels->transpose(m->to + tile->to, m->from + tile->from, tile, m->width, m->streams);
  return true;
}

static bool move_block(const dlf__tile *tile, void *context) {
  const mover *m = context;
  m->kernels->flip(m->to + tile->to, m->from + tile->from, tile, m->width);
  return true;
}

static bool move_streams(const dlf__tile *tile, void *context) {
  const mover *m = context;
  for (int64_t r = 0; r < tile->rows; r++) {
    for (int64_t c = 0; c < tile->columns; c++) {
      m->kernels->stream(m->to + tile->to + r * tile->to_row + c * tile->to_column,
                         m->from + tile->from + r * tile->from_row + c * tile->from_column,
                         m->width);
    }
  }
  return true;
}

/* Both tensors are dense along another axis of the tile. A broadcast column is no transpose. */
static bool is_transposed(const dlf__loop *loop, int64_t width) {
  const int32_t column = loop->ndim - 1;
  const int32_t row = column - 1;
  if (row < 0 || (width != 1 && width != 2 && width != 4 && width != 8)) {
    return false;
  }
  return loop->to_step[column] == width && loop->from_step[row] == width &&
         loop->from_step[column] != 0 && loop->extent[row] * width >= 16 &&
         loop->extent[column] * width >= 16;
}

/* All tiles are blocks of a transpose. */
static bool are_blocks(const dlf__loop *loop, int64_t width) {
  const int32_t column = loop->ndim - 1;
  return loop->extent[column - 1] <= DLF__STAGE_ROWS &&
         loop->extent[column] * width <= DLF__STAGE_BYTES;
}

/* Make pieces of a run that threads share; returns a piece's width. The rest is moved at once. */
static int64_t cut_run(dlf__loop *loop, char *to, const char *from, int64_t width) {
  enum { PIECE = 1 << 20 };
  const int64_t whole = width / PIECE * PIECE;
  memcpy(to + loop->to + whole, from + loop->from + whole, (size_t)(width - whole));
  loop->ndim = 1;
  loop->extent[0] = width / PIECE;
  loop->to_step[0] = loop->from_step[0] = PIECE;
  return PIECE;
}

/* The loop counts bytes. */
static void move_bytes(dlf__loop *loop, void *to, const void *from, int64_t width) {
  if (loop->ndim < 0) {
    return;
  }
  width = dlf__loop_widen(loop, width);
  const int64_t bytes = dlf__loop_bytes(loop, width);
  const int32_t threads = dlf__threads_for(bytes);
  if (loop->ndim == 0 && threads > 1) {
    width = cut_run(loop, to, from, width);
  }
  if (loop->ndim == 0 && bytes < DLF__STREAM_RUNS) {
    memcpy((char *)to + loop->to, (const char *)from + loop->from, (size_t)width);
    return;
  }
  dlf__tile_work work = move_runs;
  mover m = {to, from, width, false, dlf__kernels_here()};
  dlf__loop_pair(loop);
  if (is_transposed(loop, width)) {
    m.streams = bytes >= DLF__STREAM_TRANSPOSE;
    work = move_transposed;
    if (!m.streams && are_blocks(loop, width)) {
      work = move_block;
    }
  } else if (bytes >= DLF__STREAM_RUNS && width >= DLF__STREAM_LEAST_RUN) {
    work = move_streams;
    m.streams = true;
  }
  dlf__walk_on_threads(loop, threads, work, &m);
  if (m.streams) {
    dlf__end_stream();
  }
}

/* Bits from one element to the next. */
static int64_t bits_between(DLDataType dtype, uint64_t flags) {
  const int64_t bits = dlf__element_bits(dtype);
  if (dlf__is_packed(dtype, flags)) {
    return bits;
  }
  return (bits + 7) / 8 * 8;
}

/* Count bytes instead of bits if all runs are whole bytes. */
static bool are_bytes(dlf__loop *loop, int64_t bits) {
  int64_t all = bits | loop->to | loop->from;
  for (int32_t i = 0; i < loop->ndim; i++) {
    all |= loop->to_step[i] | loop->from_step[i];
  }
  if (all % 8 != 0) {
    return false;
  }
  loop->to /= 8;
  loop->from /= 8;
  for (int32_t i = 0; i < loop->ndim; i++) {
    loop->to_step[i] /= 8;
    loop->from_step[i] /= 8;
  }
  return true;
}

static void move_packed(const DLTensor *to, uint64_t to_flags, const DLTensor *from,
                        uint64_t from_flags) {
  const int64_t to_bits = bits_between(to->dtype, to_flags);
  const int64_t from_bits = bits_between(from->dtype, from_flags);
  int64_t bits = dlf__element_bits(to->dtype);
  dlf__loop loop;
  dlf__loop_begin(&loop, to, to_bits, from, from_bits);
  if (to_bits != from_bits) {
    dlf__move_bits(&loop, dlf__data(to), dlf__data(from), bits, to_bits);
    return;
  }
  bits = dlf__loop_widen(&loop, bits);
  if (are_bytes(&loop, bits)) {
    move_bytes(&loop, dlf__data(to), dlf__data(from), bits / 8);
    return;
  }
  dlf__move_bits(&loop, dlf__data(to), dlf__data(from), bits, bits);
}

void dlf__move(const DLTensor *to, uint64_t to_flags, const DLTensor *from, uint64_t from_flags) {
  dlf__loop loop;
  if (dlf__is_packed(to->dtype, to_flags) || dlf__is_packed(from->dtype, from_flags)) {
    move_packed(to, to_flags, from, from_flags);
    return;
  }
  const int64_t width = dlf__element_bytes(to->dtype);
  dlf__loop_begin(&loop, to, width, from, width);
  move_bytes(&loop, dlf__data(to), dlf__data(from), width);
}

/* ---- within one memory ---- */

static bool move_in_order(const dlf__tile *tile, void *context) {
  const mover *m = context;
  for (int64_t r = 0; r < tile->rows; r++) {
    for (int64_t c = 0; c < tile->columns; c++) {
      memmove(m->to + tile->to + r * tile->to_row + c * tile->to_column,
              m->from + tile->from + r * tile->from_row + c * tile->from_column,
              (size_t)m->width);
    }
  }
  return true;
}

static bool has_equal_steps(const dlf__loop *loop) {
  for (int32_t i = 0; i < loop->ndim; i++) {
    if (loop->to_step[i] != loop->from_step[i]) {
      return false;
    }
  }
  return true;
}

bool dlf__move_within(const DLTensor *to, uint64_t to_flags, const DLTensor *from,
                      uint64_t from_flags) {
  const int64_t bits = bits_between(to->dtype, to_flags);
  dlf__loop loop;
  if (!dlf__counts_bits(to, to_flags) || !dlf__counts_bits(from, from_flags)) {
    return false;
  }
  dlf__loop_begin(&loop, to, bits, from, bits_between(from->dtype, from_flags));
  if (loop.ndim < 0) {
    return true;
  }
  if (bits != bits_between(from->dtype, from_flags) || !has_equal_steps(&loop)) {
    return false;
  }
  const int64_t run = dlf__loop_widen(&loop, bits);
  if (!are_bytes(&loop, run)) {
    return false;
  }
  mover m = {dlf__data(to), dlf__data(from), run / 8, false, NULL};
  if ((uintptr_t)m.to > (uintptr_t)m.from) {
    dlf__loop_reverse(&loop);
  }
  (void)dlf__walk(&loop, move_in_order, &m);
  return true;
}

bool dlf__are_apart(const DLTensor *tensor) {
  dlf__loop loop;
  if (dlf_is_contiguous(tensor, DLF_ROW_MAJOR)) { /* the usual case, decided sooner */
    return true;
  }
  dlf__loop_begin(&loop, tensor, 1, tensor, 1);
  int64_t reach = 1; /* elements that the inner axes span */
  for (int32_t i = loop.ndim - 1; i >= 0; i--) {
    if (loop.to_step[i] < reach) {
      return false;
    }
    reach += (loop.extent[i] - 1) * loop.to_step[i];
  }
  return true;
}
