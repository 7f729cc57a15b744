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
    c->run(DLF__UNPACK_4, NULL, from.at, codes, count / 2, (dlf__caching){0});
    done = count / 2 * 2;
  }
  for (; done < count; done++) {
    codes[done] = (char)dlf__take_bits(from.at, bits_before(from, done), c->from_bits);
  }
}

static void pack(const dlf__conversion *c, dlf__line to, int64_t count, const char *codes) {
  int64_t done = 0;
  if (are_pairs(to, c->to_bits)) {
    c->run(DLF__PACK_4, NULL, codes, to.at, count / 2, (dlf__caching){0});
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

/* At most BLOCK elements. If their results are a stream, they begin a line. */
static void convert_block(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count,
                          bool streams) {
  uint64_t buffers[2][BLOCK];
  char *free_buffer = (char *)buffers[0];
  char *other_buffer = (char *)buffers[1];
  const char *block = collect(c, from, count, other_buffer);
  dlf__caching caching = {block == from.at ? c->caching.ahead : 0, false};
  for (int i = 0; i < c->count; i++) {
    const bool is_last = i + 1 == c->count;
    const bool in_place = is_last && is_run(to, c->to_bits);
    char *const result = in_place ? to.at : free_buffer;
    caching.streams = in_place && streams;
    c->run(c->steps[i].kind, &c->steps[i].format, block, result, count, caching);
    if (in_place) {
      return;
    }
    block = result;
    free_buffer = other_buffer;
    other_buffer = result;
    caching.ahead = 0;
  }
  spread(c, to, count, block);
}

/* All of them: a step from run to run at once, else by blocks. */
static void convert_all(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count,
                        bool streams) {
  if (c->count == 1 && is_run(from, c->from_bits) && is_run(to, c->to_bits)) {
    const dlf__caching caching = {c->caching.ahead, streams};
    c->run(c->steps[0].kind, &c->steps[0].format, from.at, to.at, count, caching);
    return;
  }
  for (int64_t done = 0; done < count; done += BLOCK) {
    const int64_t now = dlf__least(BLOCK, count - done);
    convert_block(c, line_from(from, done), line_from(to, done), now, streams);
  }
}

static int64_t bytes_to_line(dlf__line line) {
  return (int64_t)(-(uintptr_t)line.at & 63);
}

/* The last step streams whole lines itself if it can; there is none where the bits stay as they
 * are. */
static bool can_stream(const dlf__conversion *c, dlf__line to) {
  if (c->count == 0 || bytes_to_line(to) != 0) {
    return false;
  }
  return dlf__step_streams(c->steps[c->count - 1].kind);
}

/* Results that go past the caches. */
static void convert_streamed(const dlf__conversion *c, dlf__line from, dlf__line to,
                             int64_t count) {
  enum { PIECE = 4096 }; /* bytes of results */
  _Alignas(64) char block[PIECE];
  const int64_t first = dlf__least(bytes_to_line(to) / to.step, count);
  const int64_t most = dlf__least(PIECE / to.step, BLOCK);
  convert_all(c, from, to, first, false);
  from = line_from(from, first);
  to = line_from(to, first);
  count -= first;
  if (can_stream(c, to)) {
    convert_all(c, from, to, count, true);
    return;
  }
  for (int64_t done = 0; done < count; done += most) {
    const int64_t now = dlf__least(most, count - done);
    convert_block(c, line_from(from, done), (dlf__line){block, 0, to.step, false}, now, false);
    dlf__kernels_here()->stream(to.at + done * to.step, block, now * to.step);
  }
}

static void convert_parts(const dlf__conversion *c, dlf__line from, dlf__line to, int64_t count) {
  if (c->caching.streams && is_run(to, c->to_bits)) {
    convert_streamed(c, from, to, count);
    return;
  }
  convert_all(c, from, to, count, false);
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
