/* SPDX-License-Identifier: Apache-2.0 */
/* Transposes and streams of one instruction set: ISA(name) is a name of its own, STREAM_BYTES the
 * widest store that goes past the caches. kernels.c includes this file once for each set. */

/* ---- transposes: squares of 16 bytes a side, interleaved in registers. `ahead` is how far ahead
 * of itself in the source one asks for memory, 0 if it does not. ---- */

/* Each round interleaves the rows of the upper half with those of the lower one; after as many
 * rounds as the side has bits, rows are columns. */
#define SQUARE(bits, side)                                                                         \
  static DLF__INLINE void ISA(square_##bits)(                                                      \
      char *to, int64_t to_row, const char *from, int64_t from_column) {                           \
    dlf__vector_##bits a[side];                                                                    \
    dlf__vector_##bits b[side];                                                                    \
    for (int i = 0; i < side; i++) {                                                               \
      memcpy(&a[i], from + i * from_column, 16);                                                   \
    }                                                                                              \
    for (int round = 1; round < side; round *= 2) {                                                \
      for (int i = 0; i < side / 2; i++) {                                                         \
        b[2 * i] = DLF__INTERLEAVE_LOW_##bits(a[i], a[i + side / 2]);                              \
        b[2 * i + 1] = DLF__INTERLEAVE_HIGH_##bits(a[i], a[i + side / 2]);                         \
      }                                                                                            \
      for (int i = 0; i < side; i++) {                                                             \
        a[i] = b[i];                                                                               \
      }                                                                                            \
    }                                                                                              \
    for (int i = 0; i < side; i++) {                                                               \
      memcpy(to + i * to_row, &a[i], 16);                                                          \
    }                                                                                              \
  }                                                                                                \
  static void ISA(flip_##bits)(char *to,                                                           \
                               int64_t to_row,                                                     \
                               const char *from,                                                   \
                               int64_t from_column,                                                \
                               int64_t rows,                                                       \
                               int64_t columns,                                                    \
                               int64_t ahead) {                                                    \
    const int64_t width = bits / 8;                                                                \
    if (bits >= 32 && rows == side && columns == side) { /* of a small tensor */                   \
      ISA(square_##bits)(to, to_row, from, from_column);                                           \
      return;                                                                                      \
    }                                                                                              \
    const int64_t whole_rows = rows & -side;                                                       \
    const int64_t whole_columns = columns & -side;                                                 \
    for (int64_t c = 0; c < whole_columns; c += side) {                                            \
      for (int64_t i = c; i < c + side && ahead != 0; i++) {                                       \
        dlf__ask_for(from, i * from_column + ahead, rows * width);                                 \
      }                                                                                            \
      for (int64_t r = 0; r < whole_rows; r += side) {                                             \
        ISA(square_##bits)(                                                                        \
            to + r * to_row + c * width, to_row, from + c * from_column + r * width, from_column); \
      }                                                                                            \
    }                                                                                              \
    if (whole_rows == rows && whole_columns == columns) {                                          \
      return;                                                                                      \
    }                                                                                              \
    for (int64_t r = 0; r < rows; r++) {                                                           \
      int64_t c = 0;                                                                               \
      if (r < whole_rows) {                                                                        \
        c = whole_columns;                                                                         \
      }                                                                                            \
      dlf__run(to + r * to_row + c * width,                                                        \
               width,                                                                              \
               from + c * from_column + r * width,                                                 \
               from_column,                                                                        \
               columns - c,                                                                        \
               bits / 8);                                                                          \
    }                                                                                              \
  }
SQUARE(8, 16)
SQUARE(16, 8)
SQUARE(32, 4)
SQUARE(64, 2)
#undef SQUARE

DLF__APART static void ISA(flip)(char *to, int64_t to_row, const char *from, int64_t from_column,
                                 int64_t rows, int64_t columns, int64_t width, int64_t ahead) {
  switch (width) {
  case 1:
    ISA(flip_8)(to, to_row, from, from_column, rows, columns, ahead);
    return;
  case 2:
    ISA(flip_16)(to, to_row, from, from_column, rows, columns, ahead);
    return;
  case 4:
    ISA(flip_32)(to, to_row, from, from_column, rows, columns, ahead);
    return;
  default:
    ISA(flip_64)(to, to_row, from, from_column, rows, columns, ahead);
  }
}

/* ---- streams ---- */

/* Store a line of 64 bytes past the caches; `to` is a multiple of 64. */
static DLF__INLINE void ISA(stream_line)(char *to, const char *from) {
#if STREAM_BYTES == 64
  _mm512_stream_si512((__m512i *)(void *)to, _mm512_loadu_si512(from));
#elif STREAM_BYTES == 32
  for (int i = 0; i < 64; i += 32) {
    const __m256i value = _mm256_loadu_si256((const __m256i *)(const void *)(from + i));
    _mm256_stream_si256((__m256i *)(void *)(to + i), value);
  }
#elif STREAM_BYTES == 16
  for (int i = 0; i < 64; i += 16) {
    const __m128i value = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
    _mm_stream_si128((__m128i *)(void *)(to + i), value);
  }
#else
  memcpy(to, from, 64);
#endif
}

/* Stream the whole lines of a short run and store the rest. */
static void ISA(stream_short)(char *to, const char *from, int64_t bytes) {
  int64_t at = (int64_t)(-(uintptr_t)to & 63);
  if (at > bytes) {
    at = bytes;
  }
  memcpy(to, from, (size_t)at);
  for (; at + 64 <= bytes; at += 64) {
    ISA(stream_line)(to + at, from + at);
  }
  memcpy(to + at, from + at, (size_t)(bytes - at));
}

/* Eight pages side by side keep more of the memory's banks busy than one. */
static void ISA(stream)(char *to, const char *from, int64_t bytes) {
  enum { PAGE = 4096, PAGES = 8, RUN = 256 };
  const int64_t head = (int64_t)(-(uintptr_t)to & 63);
  if (bytes < head + PAGE * PAGES) {
    ISA(stream_short)(to, from, bytes);
    return;
  }
  memcpy(to, from, (size_t)head);
  int64_t at = head;
  for (; at + PAGE * PAGES <= bytes; at += PAGE * PAGES) {
    for (int64_t i = at; i < at + PAGE; i += RUN) {
      for (int64_t page = i; page < i + PAGE * PAGES; page += PAGE) {
        for (int64_t line = page; line < page + RUN; line += 64) {
          ISA(stream_line)(to + line, from + line);
        }
      }
    }
  }
  ISA(stream_short)(to + at, from + at, bytes - at);
}

static void ISA(transpose)(char *to, const char *from, const dlf__tile *tile, int64_t width,
                           bool stream) {
  _Alignas(64) char stage[DLF__STAGE_ROWS * DLF__STAGE_BYTES];
  const int64_t most = DLF__STAGE_BYTES / width;
  const int64_t most_rows = dlf__least(most, DLF__STAGE_ROWS);
  int64_t columns;
  for (int64_t r = 0; r < tile->rows; r += most_rows) {
    const int64_t rows = dlf__least(most_rows, tile->rows - r);
    for (int64_t c = 0; c < tile->columns; c += columns) {
      char *const block = to + r * tile->to_row + c * width;
      const char *const source = from + c * tile->from_column + r * width;
      /* The first block ends where a line does, so that the next ones begin there. */
      columns = most - (int64_t)((uintptr_t)block & 63) / width;
      columns = dlf__least(columns, tile->columns - c);
      char *flipped = block;
      int64_t pitch = tile->to_row;
      if (stream) {
        flipped = stage;
        pitch = DLF__STAGE_BYTES;
      }
      const int64_t next = c + columns < tile->columns ? columns * tile->from_column : 0;
      ISA(flip)(flipped, pitch, source, tile->from_column, rows, columns, width, next);
      for (int64_t i = 0; i < rows && stream; i++) {
        ISA(stream_short)(block + i * tile->to_row, stage + i * DLF__STAGE_BYTES, columns * width);
      }
    }
  }
}

static void ISA(flip_tile)(char *to, const char *from, const dlf__tile *tile, int64_t width) {
  ISA(flip)(to, tile->to_row, from, tile->from_column, tile->rows, tile->columns, width, 0);
}
