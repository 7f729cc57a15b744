/* SPDX-License-Identifier: Apache-2.0 */
/* Bits at any place. DLPack 1.1: an element's first in the lowest ones. */
#ifndef DLFERRY_BITS_H
#define DLFERRY_BITS_H

#include "hub/internal.h"

DLF__BEGIN_HIDDEN

/* raw.c: read up to 64 bits from any bit on, lowest first; whole bytes from a byte's first on are
 * in the machine's order. */
uint64_t dlf__load_bits(const char *at, int64_t first_bit, int bits);
/* Write bits from the lowest on; whole bytes in the machine's order. */
void dlf__store_bits(unsigned char *to, uint64_t value, int bits);

/* Up to 8 bits, which may lie in two bytes; the place may be negative. */
static inline unsigned dlf__take_bits(const void *from, int64_t at, int count) {
  const int skipped = (int)(at & 7);
  const unsigned char *const byte = (const unsigned char *)from + (at >> 3);
  unsigned value = (unsigned)byte[0] >> skipped;
  if (skipped + count > 8) {
    value |= (unsigned)byte[1] << (8 - skipped);
  }
  return value & ((1U << count) - 1);
}

/* Their neighbours keep theirs. */
static inline void dlf__put_bits(void *to, int64_t at, unsigned value, int count) {
  const int skipped = (int)(at & 7);
  const unsigned mask = ((1U << count) - 1) << skipped;
  const unsigned placed = value << skipped & mask;
  unsigned char *const byte = (unsigned char *)to + (at >> 3);
  byte[0] = (unsigned char)((byte[0] & ~mask) | (placed & 0xFF));
  if (skipped + count > 8) {
    byte[1] = (unsigned char)((byte[1] & ~(mask >> 8)) | placed >> 8);
  }
}

DLF__END_HIDDEN

#endif
