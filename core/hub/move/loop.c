/* SPDX-License-Identifier: Apache-2.0 */
#include "loop.h"

/* Put an axis where it belongs by its step in `to`, before those with shorter ones. */
static void insert_axis(dlf__loop *loop, int64_t extent, int64_t to_step, int64_t from_step) {
  int32_t at = loop->ndim++;
  for (; at > 0 && loop->to_step[at - 1] < to_step; at--) {
    loop->extent[at] = loop->extent[at - 1];
    loop->to_step[at] = loop->to_step[at - 1];
    loop->from_step[at] = loop->from_step[at - 1];
  }
  loop->extent[at] = extent;
  loop->to_step[at] = to_step;
  loop->from_step[at] = from_step;
}

/* True if the second axis begins where the first one ends, in both tensors. */
static bool continues(const dlf__loop *loop, int32_t outer, int32_t inner) {
  int64_t to, from;
  return !dlf__mul(loop->extent[inner], loop->to_step[inner], &to) &&
         !dlf__mul(loop->extent[inner], loop->from_step[inner], &from) &&
         to == loop->to_step[outer] && from == loop->from_step[outer];
}

static void join_axes(dlf__loop *loop) {
  int32_t kept = 0;
  for (int32_t i = 1; i < loop->ndim; i++) {
    if (continues(loop, kept, i)) {
      loop->extent[kept] *= loop->extent[i];
    } else {
      loop->extent[++kept] = loop->extent[i];
    }
    loop->to_step[kept] = loop->to_step[i];
    loop->from_step[kept] = loop->from_step[i];
  }
  if (loop->ndim > 0) {
    loop->ndim = kept + 1;
  }
}

static void begin_with_steps(dlf__loop *loop, const DLTensor *to, const int64_t *to_steps,
                             int64_t to_width, const int64_t *from_steps, int64_t from_width) {
  loop->ndim = 0;
  loop->to = loop->from = 0;
  for (int32_t i = 0; i < to->ndim; i++) {
    const int64_t extent = to->shape[i];
    if (extent == 1) {
      continue; /* its stride may be any number */
    }
    int64_t to_step = to_steps[i] * to_width;
    int64_t from_step = from_steps[i] * from_width;
    if (to_step < 0) {
      loop->to += (extent - 1) * to_step;
      loop->from += (extent - 1) * from_step;
      to_step = -to_step;
      from_step = -from_step;
    }
    insert_axis(loop, extent, to_step, from_step);
  }
  join_axes(loop);
}

void dlf__loop_begin(dlf__loop *loop, const DLTensor *to, int64_t to_width, const DLTensor *from,
                     int64_t from_width) {
  int64_t row_major[DLF_MAX_NDIM];
  const int64_t *to_steps = to->strides;
  const int64_t *from_steps = from->strides;
  if (dlf__is_empty(to)) { /* its strides may be any numbers */
    loop->ndim = -1;
    return;
  }
  if (!to_steps || !from_steps) {
    dlf__fill_strides(to->ndim, to->shape, DLF_ROW_MAJOR, row_major);
  }
  if (!to_steps) {
    to_steps = row_major;
  }
  if (!from_steps) {
    from_steps = row_major;
  }
  begin_with_steps(loop, to, to_steps, to_width, from_steps, from_width);
}

int64_t dlf__loop_bytes(const dlf__loop *loop, int64_t width) {
  int64_t bytes = width;
  for (int32_t i = 0; i < loop->ndim; i++) {
    bytes *= loop->extent[i];
  }
  return bytes;
}

static void exchange(int64_t *a, int64_t *b) {
  const int64_t kept = *a;
  *a = *b;
  *b = kept;
}

static void exchange_axes(dlf__loop *loop, int32_t a, int32_t b) {
  exchange(&loop->extent[a], &loop->extent[b]);
  exchange(&loop->to_step[a], &loop->to_step[b]);
  exchange(&loop->from_step[a], &loop->from_step[b]);
}

void dlf__loop_pair(dlf__loop *loop) {
  const int32_t last = loop->ndim - 1;
  int32_t closest = last;
  for (int32_t i = last - 1; i >= 0; i--) {
    const int64_t step = dlf__magnitude(loop->from_step[i]);
    if (step != 0 && step < dlf__magnitude(loop->from_step[closest])) {
      closest = i;
    }
  }
  if (closest >= last - 1) {
    return;
  }
  for (int32_t i = closest; i < last - 1; i++) {
    exchange_axes(loop, i, i + 1);
  }
}

int64_t dlf__loop_widen(dlf__loop *loop, int64_t width) {
  const int32_t last = loop->ndim - 1;
  if (last < 0 || loop->to_step[last] != width || loop->from_step[last] != width) {
    return width;
  }
  loop->ndim--;
  return width * loop->extent[last];
}

void dlf__loop_reverse(dlf__loop *loop) {
  for (int32_t i = 0; i < loop->ndim; i++) {
    loop->to += (loop->extent[i] - 1) * loop->to_step[i];
    loop->from += (loop->extent[i] - 1) * loop->from_step[i];
    loop->to_step[i] = -loop->to_step[i];
    loop->from_step[i] = -loop->from_step[i];
  }
}

static dlf__tile first_tile(const dlf__loop *loop) {
  const int32_t column = loop->ndim - 1;
  const int32_t row = loop->ndim - 2;
  dlf__tile tile = {loop->to, loop->from, 1, 1, 0, 0, 0, 0};
  if (column >= 0) {
    tile.columns = loop->extent[column];
    tile.to_column = loop->to_step[column];
    tile.from_column = loop->from_step[column];
  }
  if (row >= 0) {
    tile.rows = loop->extent[row];
    tile.to_row = loop->to_step[row];
    tile.from_row = loop->from_step[row];
  }
  return tile;
}

bool dlf__walk(const dlf__loop *loop, dlf__tile_work work, void *context) {
  int64_t left[DLF_MAX_NDIM]; /* steps along each axis */
  if (loop->ndim < 0) {
    return true;
  }
  dlf__tile tile = first_tile(loop);
  const int32_t outer = loop->ndim - 2;
  for (int32_t i = 0; i < outer; i++) {
    left[i] = loop->extent[i] - 1;
  }
  for (;;) {
    if (!work(&tile, context)) {
      return false;
    }
    int32_t axis = outer - 1;
    for (; axis >= 0 && left[axis] == 0; axis--) {
      left[axis] = loop->extent[axis] - 1;
      tile.to -= left[axis] * loop->to_step[axis];
      tile.from -= left[axis] * loop->from_step[axis];
    }
    if (axis < 0) {
      return true;
    }
    left[axis]--;
    tile.to += loop->to_step[axis];
    tile.from += loop->from_step[axis];
  }
}

void dlf__block_of(const dlf__tile *tile, int64_t *rows, int64_t *columns) {
  enum { SIDE = 64, ELEMENTS = 4096 };
  const bool jumps = dlf__magnitude(tile->from_row) < dlf__magnitude(tile->from_column);
  *rows = tile->rows;
  *columns = tile->columns;
  if (tile->rows == 1 || (!jumps && *columns >= 16)) {
    return;
  }
  if (*columns < SIDE) {
    *rows = dlf__least(*rows, ELEMENTS / *columns);
    return;
  }
  *rows = dlf__least(*rows, SIDE);
  *columns = dlf__least(*columns, ELEMENTS / *rows);
}
