/* SPDX-License-Identifier: Apache-2.0 */
/* A row goes through the steps in blocks that the nearest cache holds. Elements that lie apart, or
 * share bytes, are first collected in a block, and at last spread from one. */
#include "convert.h"
#include "hub/move/bits.h"
#include "hub/move/kernels.h"

enum { BLOCK = 1024 }; /* elements; a multiple of 8, so that packed blocks begin a byte */

/* ---- elements of whole bytes ---- */

static void move_apart(char *to, int64_t to_step, const char *from, int64_t from_step,
                       int64_t count, int width) {
  const dlf__tile line = {
      .rows = 1, .columns = count, .to_column = to_step, .from_column = from_step};
  dlf__kernels_here()->runs(to, from, &line, width);
}

/* ---- packed elements: DLPack 1.1, the first one in the lowest bits ---- */

static int64_t bits_before(dlf__line line, int64_t element) {
  return line.bit + element * line.step;
}

/* The byte with a bit; division rounds down, since steps may be negative. */
static char *byte_of(dlf__line line, int64_t bit) {
  return line.at + (bit - (bit & 7)) / 8;
}

/* The rest of a line, from an element on. */
static dlf__line line_from(dlf__line line, int64_t element) {
  if (line.is_packed) {
    const int64_t bit = bits_before(line, element);
    return (dlf__line){byte_of(line, bit), bit & 7, line.step, true};
  }
  line.at += element * line.step;
  return line;
}

/* Whether elements of 4 bits fill whole bytes. */
static bool are_pairs(dlf__line line, int bits) {
  return bits == 4 && line.step == 4 && line.bit == 0;
}

static void unpack(const dlf__conversion *c, dlf__line from, int64_t count, char *codes) {
  int64_t done = 0;
  if (are_pairs(from, c->from_bits)) {
    c->run(DLF__UNPACK_4, NULL, from.at, codes, count / 2, 0);
    done = count / 2 * 2;
  }
  for (; done < count; done++) {
    codes[done] = (char)dlf__take_bits(from.at, bits_before(from, done), c->from_bits);
  }
}

static void pack(const dlf__conversion *c, dlf__line to, int64_t count, const char *codes) {
  int64_t done = 0;
  if (are_pairs(to, c->to_bits)) {
    c->run(DLF__PACK_4, NULL, codes, to.at, count / 2, 0);
    done = count / 2 * 2;
  }
  for (; done < count; done++) {
    dlf__put_bits(to.at, bits_before(to, done), (unsigned char)codes[done], c->to_bits);
  }
}

/* ---- blocks ---- */

static int bytes_for(int bits) {
  return (bits + 7) / 8;
}

static bool is_run(dlf__line line, int bits) {
  return !line.is_packed && line.step == bytes_for(bits);
}

/* The elements as one run: in place, or collected in the buffer. */
static const char *collect(const dlf__conversion *c, dlf__line from, int64_t count, char *buffer) {
  const int width = bytes_for(c->from_bits);
  if (from.is_packed) {
    unpack(c, from, count, buffer);
    return buffer;
  }
  if (is_run(from, c->from_bits)) {
    return from.at;
  }
  move_apart(buffer, width, from.at, from.step, count, width);
  return buffer;
}

static void spread(const dlf__conversion *c, dlf__line to, int64_t count, const char *block) {
  const int width = bytes_for(c->to_bits);
  if (to.is_packed) {
    pack(c, to, count, block);
    return;
  }
  move_apart(to.at, to.step, block, width, count, width);
}

/* At most BLOCK elements. */
static void convert_block(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count) {
  uint64_t buffers[2][BLOCK];
  char *free_buffer = (char *)buffers[0];
  char *other_buffer = (char *)buffers[1];
  const char *block = collect(c, from, count, other_buffer);
  int64_t ahead = block == from.at ? c->ahead : 0;
  for (int i = 0; i < c->count; i++) {
    const bool is_last = i + 1 == c->count;
    const bool in_place = is_last && is_run(to, c->to_bits);
    char *const result = in_place ? to.at : free_buffer;
    c->run(c->steps[i].kind, &c->steps[i].format, block, result, count, ahead);
    if (in_place) {
      return;
    }
    block = result;
    free_buffer = other_buffer;
    other_buffer = result;
    ahead = 0;
  }
  spread(c, to, count, block);
}

/* Results that go past the caches do so by whole lines. */
static void convert_streamed(const dlf__conversion *c, dlf__line from, dlf__line to,
                             int64_t count) {
  enum { PIECE = 4096 }; /* bytes of results */
  _Alignas(64) char block[PIECE];
  const dlf__kernels *const kernels = dlf__kernels_here();
  const int64_t most = dlf__least(PIECE / to.step, BLOCK);
  int64_t end = most - (int64_t)((uintptr_t)to.at & 63) / to.step; /* the next one begins a line */
  int64_t done = 0;
  while (done < count) {
    const int64_t now = dlf__least(end, count) - done;
    convert_block(c, line_from(from, done), (dlf__line){block, 0, to.step, false}, now);
    kernels->stream(to.at + done * to.step, block, now * to.step);
    done += now;
    end += most;
  }
}

static void convert_parts(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count) {
  const bool to_run = is_run(to, c->to_bits);
  if (c->streams && to_run) {
    convert_streamed(c, from, to, count);
    return;
  }
  if (to_run && is_run(from, c->from_bits) && c->count == 1) {
    c->run(c->steps[0].kind, &c->steps[0].format, from.at, to.at, count, c->ahead);
    return;
  }
  for (int64_t done = 0; done < count; done += BLOCK) {
    const int64_t now = dlf__least(BLOCK, count - done);
    convert_block(c, line_from(from, done), line_from(to, done), now);
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
