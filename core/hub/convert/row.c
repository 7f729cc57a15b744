/* SPDX-License-Identifier: Apache-2.0 */
/* A row goes through the steps in blocks that the nearest cache holds. Elements that lie apart, or
 * share bytes, are first collected in a block, and at last spread from one. */
#include "convert.h"
#include "hub/move/bits.h"
#include "hub/move/kernels.h"

enum { BLOCK = 1024 }; /* elements; a multiple of 8, so that packed blocks begin a byte */

/* ---- elements of whole bytes ---- */

#define APART(width)                                                                               \
  case width:                                                                                      \
    for (int64_t i = 0; i < count; i++) {                                                          \
      memcpy(to + i * to_step, from + i * from_step, width);                                       \
    }                                                                                              \
    break

static void move_apart(char *to, int64_t to_step, const char *from, int64_t from_step,
                       int64_t count, int width) {
  switch (width) {
    APART(1);
    APART(2);
    APART(4);
    APART(8);
  default:
    break;
  }
}

#undef APART

/* ---- packed elements: DLPack 1.1, the first one in the lowest bits ---- */

static int64_t bits_before(dlf__line line, int64_t element) {
  return line.bit + element * line.step;
}

/* The byte with a bit; division rounds down, since steps may be negative. */
static char *byte_of(dlf__line line, int64_t bit) {
  return line.at + (bit - (bit & 7)) / 8;
}

/* Whether elements of 4 bits fill whole bytes from here on. */
static bool are_pairs(dlf__line line, int64_t element, int bits) {
  return bits == 4 && line.step == 4 && (bits_before(line, element) & 7) == 0;
}

static void unpack(const dlf__conversion *c, dlf__line from, int64_t first, int64_t count,
                   char *codes) {
  int64_t done = 0;
  if (are_pairs(from, first, c->from_bits)) {
    c->run(DLF__UNPACK_4, NULL, byte_of(from, bits_before(from, first)), codes, count / 2);
    done = count / 2 * 2;
  }
  for (; done < count; done++) {
    codes[done] = (char)dlf__take_bits(from.at, bits_before(from, first + done), c->from_bits);
  }
}

static void pack(const dlf__conversion *c, dlf__line to, int64_t first, int64_t count,
                 const char *codes) {
  int64_t done = 0;
  if (are_pairs(to, first, c->to_bits)) {
    c->run(DLF__PACK_4, NULL, codes, byte_of(to, bits_before(to, first)), count / 2);
    done = count / 2 * 2;
  }
  for (; done < count; done++) {
    dlf__put_bits(to.at, bits_before(to, first + done), (unsigned char)codes[done], c->to_bits);
  }
}

/* ---- blocks ---- */

static int bytes_for(int bits) {
  return (bits + 7) / 8;
}

static bool is_run(dlf__line line, int bits) {
  return !line.is_packed && line.step == bytes_for(bits);
}

/* The block's elements as one run: in place, or collected in the buffer. */
static const char *collect(const dlf__conversion *c, dlf__line from, int64_t first, int64_t count,
                           char *buffer) {
  const int width = bytes_for(c->from_bits);
  if (from.is_packed) {
    unpack(c, from, first, count, buffer);
    return buffer;
  }
  const char *const at = from.at + first * from.step;
  if (is_run(from, c->from_bits)) {
    return at;
  }
  move_apart(buffer, width, at, from.step, count, width);
  return buffer;
}

static void spread_block(const dlf__conversion *c, dlf__line to, int64_t first, int64_t count,
                         const char *block) {
  const int width = bytes_for(c->to_bits);
  if (to.is_packed) {
    pack(c, to, first, count, block);
    return;
  }
  char *const at = to.at + first * to.step;
  if (is_run(to, c->to_bits)) {
    memcpy(at, block, (size_t)(count * width));
    return;
  }
  move_apart(at, to.step, block, width, count, width);
}

static void convert_block(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t first,
                          int64_t count) {
  uint64_t buffers[2][BLOCK];
  char *free_buffer = (char *)buffers[0];
  char *other_buffer = (char *)buffers[1];
  const char *block = collect(c, from, first, count, other_buffer);
  for (int i = 0; i < c->count; i++) {
    const bool is_last = i + 1 == c->count;
    const bool in_place = is_last && is_run(to, c->to_bits);
    char *const result = in_place ? to.at + first * to.step : free_buffer;
    c->run(c->steps[i].kind, &c->steps[i].format, block, result, count);
    if (in_place) {
      return;
    }
    block = result;
    free_buffer = other_buffer;
    other_buffer = result;
  }
  spread_block(c, to, first, count, block);
}

/* The processor's own prefetching ends with each page. This asks for the nearest cache but one,
 * which waits for more lines at once. */
static void prefetch(const char *at, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 64) {
    __builtin_prefetch(at + i, 0, 2);
  }
}

/* A large run: the next piece comes from memory while one is converted, and a result that is to go
 * past the caches does so by whole lines. */
static void convert_large(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count,
                          bool streams) {
  enum { PIECE = 2048 }; /* bytes */
  uint64_t block[BLOCK];
  const dlf__kernels *const kernels = dlf__kernels_here();
  const int64_t most = dlf__least(PIECE / from.step, BLOCK);
  int64_t now = most - (int64_t)((uintptr_t)to.at & 63) / to.step; /* the next one begins a line */
  while (count > 0) {
    now = dlf__least(now, count);
    const int64_t next = dlf__least(most, count - now);
    dlf__line result = to;
    if (streams) {
      result.at = (char *)block;
    }
    prefetch(from.at + now * from.step, next * from.step);
    convert_block(c, from, result, 0, now);
    if (streams) {
      kernels->stream(to.at, result.at, now * to.step);
    }
    from.at += now * from.step;
    to.at += now * to.step;
    count -= now;
    now = next;
  }
  dlf__end_stream();
}

static void convert_parts(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count) {
  enum { LARGE = 1 << 20 }; /* bytes of both: more than the nearest caches hold */
  const int64_t moved = count * (from.step + to.step);
  const bool are_runs = is_run(from, c->from_bits) && is_run(to, c->to_bits);
  if (are_runs && moved >= LARGE) {
    convert_large(c, from, to, count, moved >= 2 * (int64_t)DLF__STREAM_RUNS);
    return;
  }
  if (are_runs && c->count == 1) {
    c->run(c->steps[0].kind, &c->steps[0].format, from.at, to.at, count);
    return;
  }
  for (int64_t done = 0; done < count; done += BLOCK) {
    convert_block(c, from, to, done, dlf__least(BLOCK, count - done));
  }
}

/* ---- complex elements ---- */

static void fill_zero(dlf__line to, int64_t count, int width) {
  for (int64_t i = 0; i < count; i++) {
    memset(to.at + i * to.step, 0, (size_t)width);
  }
}

void dlf__convert_row(const dlf__conversion *conversion, dlf__line from, dlf__line to,
                      int64_t count) {
  convert_parts(conversion, from, to, count);
  if (conversion->to_parts == 1) {
    return;
  }
  to.at += bytes_for(conversion->to_bits);
  if (conversion->from_parts == 1) {
    fill_zero(to, count, bytes_for(conversion->to_bits));
    return;
  }
  from.at += bytes_for(conversion->from_bits);
  convert_parts(conversion, from, to, count);
}
