/* SPDX-License-Identifier: Apache-2.0 */
/* One element, as its bits. */
#include "convert.h"
#include "hub/move/bits.h"
#include "hub/rounding.h"

void dlf__convert_one(DLDataType from, uint64_t bits, DLDataType to, uint64_t *out) {
  unsigned char memory[2][8];
  dlf__conversion conversion;
  const int from_width = (from.bits + 7) / 8;
  const int to_width = (to.bits + 7) / 8;
  (void)dlf__conversion_of(from, to, false, &conversion);
  dlf__store_bits(memory[0], bits, from.bits);
  const dlf__line source = {(char *)memory[0], 0, from_width, false};
  const dlf__line result = {(char *)memory[1], 0, to_width, false};
  const dlf__rounding before = dlf__rounding_begin();
  dlf__convert_row(&conversion, source, result, 1);
  dlf__rounding_end(before);
  *out = dlf__load_bits((const char *)memory[1], 0, to.bits);
}

double dlf__value_of(const dlf__small_float *kind, uint32_t code) {
  unsigned char memory[2];
  float value;
  const dlf__format format = dlf__format_of(kind, false, false);
  dlf__store_bits(memory, code, kind->bits);
  dlf__step_runner()(
      dlf__widening_of(kind), &format, (char *)memory, (char *)&value, 1, (dlf__caching){0});
  return (double)value;
}
