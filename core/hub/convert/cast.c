/* SPDX-License-Identifier: Apache-2.0 */
#include "convert.h"
#include "hub/move/kernels.h"
#include "hub/move/move.h"
#include "hub/move/threads.h"
#include "hub/rounding.h"
#include "hub/tensor/handle.h"

/* One side of a cast: places are counted in bits if elements or lanes share bytes, else in bytes.
 */
typedef struct cast_side {
  char *data;
  int64_t element, lane; /* from one to the next */
  bool is_packed;
} cast_side;

typedef struct cast_job {
  dlf__conversion conversion;
  cast_side from, to;
  bool streams_turned; /* results of a transpose go past the caches */
} cast_job;

static cast_side side_of(const dlf_tensor *tensor) {
  const DLDataType dtype = tensor->dl.dtype;
  const bool is_packed = dlf__is_packed(dtype, tensor->flags);
  cast_side side = {dlf__data(&tensor->dl), dlf__element_bytes(dtype), (dtype.bits + 7) / 8, false};
  if (is_packed || (dtype.bits % 8 != 0 && dtype.lanes > 1)) {
    side.is_packed = true;
    side.lane = dtype.bits;
    side.element = is_packed ? dlf__element_bits(dtype) : side.element * 8;
  }
  return side;
}

static dlf__line line_at(const cast_side *side, int64_t place, int64_t step) {
  if (!side->is_packed) {
    return (dlf__line){side->data + place, 0, step, false};
  }
  const int64_t bit = place & 7;
  return (dlf__line){side->data + (place - bit) / 8, bit, step, true};
}

/* ---- tiles ---- */

enum { TOGETHER = 1024, SHORT_ROW = 64, WIDEST = 8 }; /* elements, elements, bytes */
enum { TURNED = 16 << 10 };                           /* bytes of a block */

/* Short rows at once: collected without gaps, converted, and spread. At most TOGETHER elements. */
static void cast_together(const cast_job *job, const dlf__tile *tile) {
  uint64_t from[TOGETHER], to[TOGETHER];
  const dlf__kernels *const kernels = dlf__kernels_here();
  const int64_t from_width = job->from.lane;
  const int64_t to_width = job->to.lane;
  dlf__tile collected = *tile;
  collected.to_row = tile->columns * from_width;
  collected.to_column = from_width;
  dlf__tile spread = *tile;
  spread.from_row = tile->columns * to_width;
  spread.from_column = to_width;
  const bool in_place = tile->to_column == to_width && tile->to_row == spread.from_row;
  char *const result = in_place ? job->to.data + tile->to : (char *)to;
  kernels->runs((char *)from, job->from.data + tile->from, &collected, from_width);
  dlf__convert_row(&job->conversion,
                   (dlf__line){(char *)from, 0, from_width, false},
                   (dlf__line){result, 0, to_width, false},
                   tile->rows * tile->columns);
  if (!in_place) {
    kernels->runs(job->to.data + tile->to, result, &spread, to_width);
  }
}

static bool are_short_rows(const cast_job *job, const dlf__tile *tile) {
  if (job->from.is_packed || job->to.is_packed) {
    return false;
  }
  return tile->rows > 1 && tile->columns < SHORT_ROW && job->from.lane <= WIDEST &&
         job->to.lane <= WIDEST;
}

static void cast_rows(const cast_job *job, const dlf__tile *tile) {
  if (are_short_rows(job, tile)) {
    const int64_t most = TOGETHER / tile->columns;
    dlf__tile part = *tile;
    for (int64_t row = 0; row < tile->rows; row += most) {
      part.from = tile->from + row * tile->from_row;
      part.to = tile->to + row * tile->to_row;
      part.rows = dlf__least(most, tile->rows - row);
      cast_together(job, &part);
    }
    return;
  }
  for (int64_t row = 0; row < tile->rows; row++) {
    const int64_t from = tile->from + row * tile->from_row;
    const int64_t to = tile->to + row * tile->to_row;
    dlf__convert_row(&job->conversion,
                     line_at(&job->from, from, tile->from_column),
                     line_at(&job->to, to, tile->to_column),
                     tile->columns);
  }
}

/* One block is turned, converted and stored. The next one, `ahead` in the source, is asked for. */
static void cast_block(const cast_job *job, const dlf__tile *block, int64_t ahead) {
  _Alignas(64) char turned[TURNED], converted[TURNED];
  const dlf__kernels *const kernels = dlf__kernels_here();
  const int64_t width = job->to.lane;
  const char *const from = job->from.data + block->from;
  dlf__tile dense = *block;
  dense.to_column = job->from.lane;
  dense.to_row = block->columns * job->from.lane;
  kernels->flip(turned, from, &dense, job->from.lane);
  for (int64_t i = 0; i < block->columns && ahead != 0; i++) {
    dlf__ask_for(from, i * block->from_column + ahead, block->rows * job->from.lane);
  }
  dlf__convert_row(&job->conversion,
                   (dlf__line){turned, 0, job->from.lane, false},
                   (dlf__line){converted, 0, width, false},
                   block->rows * block->columns);
  for (int64_t i = 0; i < block->rows; i++) {
    char *const to = job->to.data + block->to + i * block->to_row;
    const char *const row = converted + i * block->columns * width;
    if (job->streams_turned) {
      kernels->stream(to, row, block->columns * width);
    } else {
      memcpy(to, row, (size_t)(block->columns * width));
    }
  }
}

static bool cast_turned(const dlf__tile *tile, void *context) {
  enum { COLUMNS = 64 }; /* a line of results or more */
  const cast_job *const job = context;
  const bool widens = job->to.lane > job->from.lane;
  const int64_t rows = TURNED / COLUMNS / (widens ? job->to.lane : job->from.lane);
  dlf__tile block = *tile;
  for (int64_t row = 0; row < tile->rows; row += rows) {
    block.rows = dlf__least(rows, tile->rows - row);
    for (int64_t column = 0; column < tile->columns; column += block.columns) {
      block.to = tile->to + row * tile->to_row + column * tile->to_column;
      block.from = tile->from + row * tile->from_row + column * tile->from_column;
      /* The first block ends where a line does, so that the next ones begin there. */
      const uintptr_t address = (uintptr_t)job->to.data + (uintptr_t)block.to;
      block.columns = COLUMNS - (int64_t)(address & 63) / job->to.lane;
      block.columns = dlf__least(block.columns, tile->columns - column);
      const bool is_last = column + block.columns == tile->columns;
      cast_block(job, &block, is_last ? 0 : block.columns * tile->from_column);
    }
  }
  return true;
}

/* A short line is not worth its call. */
static bool cast_tile(const dlf__tile *tile, void *context) {
  enum { SHORT = 16 };
  dlf__tile whole = *tile;
  int64_t rows, columns;
  if (whole.columns < SHORT && whole.columns < whole.rows) {
    whole = dlf__turned(tile);
  }
  dlf__tile block = whole;
  dlf__block_of(&whole, &rows, &columns);
  for (int64_t row = 0; row < whole.rows; row += rows) {
    for (int64_t column = 0; column < whole.columns; column += columns) {
      block.from = whole.from + row * whole.from_row + column * whole.from_column;
      block.to = whole.to + row * whole.to_row + column * whole.to_column;
      block.rows = dlf__least(rows, whole.rows - row);
      block.columns = dlf__least(columns, whole.columns - column);
      cast_rows(context, &block);
    }
  }
  return true;
}

/* ---- checks ---- */

static dlf_status check_dtypes(const char *name, DLDataType from, DLDataType to, bool saturate,
                               dlf__conversion *out, dlf_error *error) {
  char from_name[DLF_NAME_CAPACITY];
  char to_name[DLF_NAME_CAPACITY];
  if (from.lanes == to.lanes && dlf__conversion_of(from, to, saturate, out)) {
    return DLF_OK;
  }
  dlf_dtype_format(from, from_name, sizeof from_name);
  dlf_dtype_format(to, to_name, sizeof to_name);
  if (from.lanes != to.lanes) {
    return dlf__fail(error,
                     DLF_DTYPE,
                     "%s: expected %d lanes for %s, got %s",
                     name,
                     from.lanes,
                     from_name,
                     to_name);
  }
  if (dlf__is_complex(from)) {
    return dlf__fail(error,
                     DLF_DTYPE,
                     "%s: expected a complex dtype for %s, got %s; bitcast it to its parts first",
                     name,
                     from_name,
                     to_name);
  }
  return dlf__fail(error,
                   DLF_DTYPE,
                   "%s: expected bool, integers of 8 to 64 bits, floats or complex numbers, got %s "
                   "to %s",
                   name,
                   from_name,
                   to_name);
}

/* ---- the casts ---- */

/* Lanes are a last axis, of which an axis of elements without gaps is a part. There is room: fewer
 * than 63 axes are longer than 1. */
static void add_lanes(dlf__loop *loop, int64_t lanes, const cast_job *job) {
  const int32_t last = loop->ndim - 1;
  if (lanes == 1 || last < -1) {
    return;
  }
  int32_t axis = last + 1;
  int64_t extent = lanes;
  const bool continues = last >= 0 && loop->to_step[last] == lanes * job->to.lane &&
                         loop->from_step[last] == lanes * job->from.lane;
  if (continues) {
    axis = last;
    extent = lanes * loop->extent[last];
  }
  loop->extent[axis] = extent;
  loop->to_step[axis] = job->to.lane;
  loop->from_step[axis] = job->from.lane;
  loop->ndim = axis + 1;
}

/* Packed elements of two threads might share a byte. */
static int32_t threads_for(const dlf__loop *loop, const cast_side *to) {
  if (to->is_packed) {
    return 1;
  }
  return dlf__threads_for(dlf__loop_bytes(loop, to->lane));
}

/* The source is dense along another axis than the results are. */
static bool is_turned(const cast_job *job, const dlf__loop *loop) {
  enum { LEAST = 16 };
  const int32_t column = loop->ndim - 1;
  const int32_t row = column - 1;
  if (row < 0 || job->from.is_packed || job->to.is_packed || job->to.lane > WIDEST ||
      job->from.lane > WIDEST) {
    return false;
  }
  return loop->from_step[row] == job->from.lane && loop->to_step[column] == job->to.lane &&
         loop->from_step[column] != 0 && loop->from_step[column] != job->from.lane &&
         loop->extent[row] >= LEAST && loop->extent[column] >= LEAST;
}

static int64_t side_bytes(const cast_side *side, const dlf__loop *loop) {
  const int64_t units = dlf__loop_bytes(loop, side->lane);
  return side->is_packed ? units / 8 : units;
}

/* How a conversion along runs uses the caches. */
static void plan_runs(cast_job *job, const dlf__loop *loop) {
  enum { LONG = 64 << 10, AHEAD = 16 << 10 }; /* bytes; measured on server processors */
  const int32_t last = loop->ndim - 1;
  if (last < 0) {
    return;
  }
  const int64_t run = loop->extent[last] * job->to.lane;
  const int64_t moved = side_bytes(&job->from, loop) + side_bytes(&job->to, loop);
  if (loop->from_step[last] == job->from.lane && loop->extent[last] * job->from.lane >= LONG) {
    job->conversion.caching.ahead = AHEAD;
  }
  job->conversion.caching.streams = !job->to.is_packed && loop->to_step[last] == job->to.lane &&
                                    run >= DLF__STREAM_LEAST_RUN &&
                                    moved >= 2 * (int64_t)DLF__STREAM_RUNS;
}

static void cast_elements(const dlf_tensor *from, const dlf_tensor *to, cast_job *job) {
  dlf__loop loop;
  job->streams_turned = false;
  dlf__tile_work work = cast_tile;
  job->from = side_of(from);
  job->to = side_of(to);
  dlf__loop_begin(&loop, &to->dl, job->to.element, &from->dl, job->from.element);
  add_lanes(&loop, from->dl.dtype.lanes, job);
  dlf__loop_pair(&loop);
  if (is_turned(job, &loop)) {
    work = cast_turned;
    job->streams_turned = dlf__loop_bytes(&loop, job->to.lane) >= DLF__STREAM_TRANSPOSE;
  } else {
    plan_runs(job, &loop);
  }
  const dlf__rounding before = dlf__rounding_begin();
  dlf__walk_on_threads(&loop, threads_for(&loop, &job->to), work, job);
  dlf__rounding_end(before);
  if (job->conversion.caching.streams || job->streams_turned) {
    dlf__end_stream();
  }
}

static bool is_copy(DLDataType from, DLDataType to) {
  return dlf__same_dtype(from, to) && (from.lanes == 1 || from.bits % 8 == 0);
}

static void cast_apart(const dlf_tensor *from, const dlf_tensor *to, cast_job *job) {
  if (is_copy(from->dl.dtype, to->dl.dtype)) {
    dlf__move(&to->dl, to->flags, &from->dl, from->flags);
  } else {
    cast_elements(from, to, job);
  }
}

/* Only a copy may share memory. */
static dlf_status cast_checked(const dlf_tensor *from, const dlf_tensor *to, cast_job *job,
                               dlf_error *error) {
  if (!dlf__handles_overlap(from, to)) {
    cast_apart(from, to, job);
    return DLF_OK;
  }
  if (is_copy(from->dl.dtype, to->dl.dtype) &&
      dlf__move_within(&to->dl, to->flags, &from->dl, from->flags)) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "cast_into: expected a source apart from the destination, got shared memory");
}

dlf_status dlf_cast_into(dlf_tensor *source, dlf_tensor *destination, bool saturate,
                         dlf_error *error) {
  cast_job job;
  if (!source || !destination) {
    return dlf__no_tensor("cast_into", error);
  }
  const DLTensor *const from = &source->dl;
  const DLTensor *const to = &destination->dl;
  dlf_status status =
      check_dtypes("cast_into", from->dtype, to->dtype, saturate, &job.conversion, error);
  if (!status) {
    status = dlf__check_same_shape("cast_into", from, to, error);
  }
  if (!status) {
    status = dlf__check_readable("cast_into", source, error);
  }
  if (!status) {
    status = dlf__check_writable("cast_into", destination, error);
  }
  if (status) {
    return status;
  }
  return cast_checked(source, destination, &job, error);
}

dlf_status dlf_cast(dlf_tensor *self, DLDataType dtype, bool saturate, dlf_tensor **out,
                    dlf_error *error) {
  cast_job job;
  dlf_status status = dlf__begin("cast", self, out, error);
  if (!status) {
    status = dlf__check_dtype("cast", dtype, error);
  }
  if (!status) {
    status = check_dtypes("cast", self->dl.dtype, dtype, saturate, &job.conversion, error);
  }
  if (!status) {
    status = dlf__check_readable("cast", self, error);
  }
  if (!status) {
    status = dlf__new_like("cast", self, dtype, 0, DLF_ROW_MAJOR, out, error);
  }
  if (status) {
    return status;
  }
  cast_apart(self, *out, &job);
  return DLF_OK;
}
