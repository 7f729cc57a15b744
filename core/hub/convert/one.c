/* SPDX-License-Identifier: Apache-2.0 */
/* One element, as its bits. */
#include "convert.h"

/* The lowest bytes of a number, in the machine's order. */
static void put_raw(char *to, uint64_t bits, int width) {
  const uint16_t half = (uint16_t)bits;
  const uint32_t word = (uint32_t)bits;
  if (width == 1) {
    *to = (char)(bits & 0xFF);
  } else if (width == 2) {
    memcpy(to, &half, sizeof half);
  } else if (width == 4) {
    memcpy(to, &word, sizeof word);
  } else {
    memcpy(to, &bits, sizeof bits);
  }
}

static uint64_t get_raw(const char *from, int width) {
  uint16_t half;
  uint32_t word;
  uint64_t bits;
  if (width == 1) {
    return (unsigned char)*from;
  }
  if (width == 2) {
    memcpy(&half, from, sizeof half);
    return half;
  }
  if (width == 4) {
    memcpy(&word, from, sizeof word);
    return word;
  }
  memcpy(&bits, from, sizeof bits);
  return bits;
}

void dlf__convert_one(DLDataType from, uint64_t bits, DLDataType to, uint64_t *out) {
  char memory[2][8];
  dlf__conversion conversion;
  const int from_width = (from.bits + 7) / 8;
  const int to_width = (to.bits + 7) / 8;
  (void)dlf__conversion_of(from, to, false, &conversion);
  put_raw(memory[0], bits, from_width);
  const dlf__line source = {memory[0], 0, from_width, false};
  const dlf__line result = {memory[1], 0, to_width, false};
  dlf__convert_row(&conversion, source, result, 1);
  *out = get_raw(memory[1], to_width);
}

double dlf__value_of(const dlf__small_float *kind, uint32_t code) {
  char memory[8];
  float value;
  const dlf__format format = dlf__format_of(kind, false, false);
  put_raw(memory, code, (kind->bits + 7) / 8);
  dlf__step_runner()(dlf__widening_of(kind), &format, memory, (char *)&value, 1);
  return (double)value;
}
