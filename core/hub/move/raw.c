/* SPDX-License-Identifier: Apache-2.0 */
/* The bits of one value as a number. */
#include "bits.h"

/* The place of a byte among those of an element, counted from the one with the lowest bits. */
static int place_of(int byte, int bytes) {
  const uint16_t probe = 1;
  if (*(const unsigned char *)&probe == 1) {
    return byte;
  }
  return bytes - 1 - byte;
}

static uint64_t load_bytes(const char *at, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) {
    value |= (uint64_t)(unsigned char)at[place_of(i, bytes)] << (8 * i);
  }
  return value;
}

uint64_t dlf__load_bits(const char *at, int64_t first_bit, int bits) {
  uint64_t value = 0;
  at += first_bit / 8;
  first_bit %= 8;
  if (first_bit == 0 && (bits == 16 || bits == 32 || bits == 64)) {
    uint16_t half;
    uint32_t word;
    if (bits == 64) {
      memcpy(&value, at, sizeof value);
    } else if (bits == 32) {
      memcpy(&word, at, sizeof word);
      value = word;
    } else {
      memcpy(&half, at, sizeof half);
      value = half;
    }
    return value;
  }
  if (first_bit == 0 && bits % 8 == 0) {
    return load_bytes(at, bits / 8);
  }
  /* DLPack 1.1: packed data is little bit-endian, and 64 bits may span nine bytes. */
  for (int done = 0; done < bits; done += 8) {
    const int taken = bits - done < 8 ? bits - done : 8;
    value |= (uint64_t)dlf__take_bits(at, first_bit + done, taken) << done;
  }
  return value;
}

void dlf__store_bits(unsigned char *to, uint64_t value, int bits) {
  const int bytes = (bits + 7) / 8;
  value &= UINT64_MAX >> (64 - bits); /* zeros behind the last bit */
  for (int i = 0; i < bytes; i++) {
    int at = i;
    if (bits % 8 == 0) {
      at = place_of(i, bytes);
    }
    to[at] = (unsigned char)(value >> (8 * i) & 0xFF);
  }
}
