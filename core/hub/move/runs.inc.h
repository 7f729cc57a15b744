/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of one tile with any steps, for one instruction set: ISA(name) is a name of its own, and
 * USUAL_STEPS true if its vectors pay for runs. kernels.c includes this file once for each set that
 * makes them faster. */

/* A constant step lets the compiler use vectors. In elements the usual ones are 0 of a broadcast, 2
 * to 4 of every such element, and -1 of a flip. */
static DLF__INLINE void ISA(run_into_dense)(char *to, const char *from, int64_t from_step,
                                            int64_t count, int64_t width) {
  const size_t bytes = (size_t)width;
  if (from_step == width) {
    memcpy(to, from, (size_t)(count * width));
    return;
  }
#if USUAL_STEPS
  if (from_step == 0) {
    dlf__run(to, width, from, 0, count, bytes);
    return;
  }
  if (from_step == 2 * width) {
    dlf__run(to, width, from, 2 * width, count, bytes);
    return;
  }
  if (from_step == 3 * width) {
    dlf__run(to, width, from, 3 * width, count, bytes);
    return;
  }
  if (from_step == 4 * width) {
    dlf__run(to, width, from, 4 * width, count, bytes);
    return;
  }
  if (from_step == -width) {
    dlf__run(to, width, from, -width, count, bytes);
    return;
  }
#endif
  dlf__run(to, width, from, from_step, count, bytes);
}

#define RUNS(width)                                                                                \
  static void ISA(run_##width)(                                                                    \
      char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count) {             \
    if (to_step == width) {                                                                        \
      ISA(run_into_dense)(to, from, from_step, count, width);                                      \
    } else {                                                                                       \
      dlf__run(to, to_step, from, from_step, count, width);                                        \
    }                                                                                              \
  }
RUNS(1)
RUNS(2)
RUNS(4)
RUNS(8)
RUNS(16)
#undef RUNS

static void ISA(run_of)(char *to, int64_t to_step, const char *from, int64_t from_step,
                        int64_t count, int64_t width) {
  switch (width) {
  case 1:
    ISA(run_1)(to, to_step, from, from_step, count);
    return;
  case 2:
    ISA(run_2)(to, to_step, from, from_step, count);
    return;
  case 4:
    ISA(run_4)(to, to_step, from, from_step, count);
    return;
  case 8:
    ISA(run_8)(to, to_step, from, from_step, count);
    return;
  case 16:
    ISA(run_16)(to, to_step, from, from_step, count);
    return;
  default:
    dlf__run_odd(to, to_step, from, from_step, count, width);
  }
}

static void ISA(block)(char *to, const char *from, const dlf__tile *tile, int64_t width) {
  for (int64_t i = 0; i < tile->rows; i++) {
    ISA(run_of)(to, tile->to_column, from, tile->from_column, tile->columns, width);
    to += tile->to_row;
    from += tile->from_row;
  }
}

static void ISA(runs)(char *to, const char *from, const dlf__tile *tile, int64_t width) {
  dlf__tile block = *tile;
  dlf__block_of(tile, &block.rows, &block.columns);
  const bool swapped = block.columns < 16 && block.columns < block.rows;
  const int64_t rows = block.rows;
  const int64_t columns = block.columns;
  for (int64_t r = 0; r < tile->rows; r += rows) {
    for (int64_t c = 0; c < tile->columns; c += columns) {
      block.rows = dlf__least(rows, tile->rows - r);
      block.columns = dlf__least(columns, tile->columns - c);
      const dlf__tile turned = dlf__turned(&block);
      ISA(block)(to + r * tile->to_row + c * tile->to_column,
                 from + r * tile->from_row + c * tile->from_column,
                 swapped ? &turned : &block,
                 width);
    }
  }
}
