/* SPDX-License-Identifier: Apache-2.0 */
/* Elements narrower than a byte, and others that are not whole bytes: bit 0 is a byte's lowest, and
 * an element's neighbours in its bytes keep theirs. */
#include "bits.h"
#include "move.h"

typedef struct bit_mover {
  unsigned char *to;
  const unsigned char *from;
  int64_t bits, room_bits;
} bit_mover;

/* Copy whole bytes to the begin of a byte; returns their number. */
static int64_t copy_bytes(unsigned char *to, const unsigned char *from, int64_t at, int64_t bytes) {
  const int skipped = (int)(at & 7);
  from += at >> 3;
  if (skipped == 0) {
    memcpy(to, from, (size_t)bytes);
    return bytes;
  }
  for (int64_t i = 0; i < bytes; i++) {
    to[i] = (unsigned char)(from[i] >> skipped | from[i + 1] << (8 - skipped));
  }
  return bytes;
}

static void copy_bits(unsigned char *to, int64_t to_at, const unsigned char *from, int64_t from_at,
                      int64_t count) {
  while (count > 0) {
    const int skipped = (int)(to_at & 7);
    int64_t done = 8 - skipped;
    if (done > count) {
      done = count;
    }
    if (done == 8) {
      done = 8 * copy_bytes(to + (to_at >> 3), from, from_at, count / 8);
    } else {
      dlf__put_bits(to, to_at, dlf__take_bits(from, from_at, (int)done), (int)done);
    }
    to_at += done;
    from_at += done;
    count -= done;
  }
}

/* Zeros behind a padded element, which ends its last byte. */
static void clear_bits(unsigned char *to, int64_t at, int64_t end) {
  if (at < end) {
    dlf__put_bits(to, at, 0, (int)(end - at));
  }
}

static bool move_tile_of_bits(const dlf__tile *tile, void *context) {
  const bit_mover *m = context;
  for (int64_t r = 0; r < tile->rows; r++) {
    for (int64_t c = 0; c < tile->columns; c++) {
      const int64_t to = tile->to + r * tile->to_row + c * tile->to_column;
      copy_bits(
          m->to, to, m->from, tile->from + r * tile->from_row + c * tile->from_column, m->bits);
      clear_bits(m->to, to + m->bits, to + m->room_bits);
    }
  }
  return true;
}

void dlf__move_bits(const dlf__loop *loop, void *to, const void *from, int64_t bits,
                    int64_t room_bits) {
  bit_mover m = {to, from, bits, room_bits};
  (void)dlf__walk(loop, move_tile_of_bits, &m);
}
