/* SPDX-License-Identifier: Apache-2.0 */
/* Which dtypes there are casts between. It stands apart from their steps: messages of contracts
 * need no more. */
#include "convert.h"

static bool is_integer_width(int bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_convertible(DLDataType part) {
  switch (part.code) {
  case kDLBool:
    return part.bits == 8;
  case kDLInt:
  case kDLUInt:
    return is_integer_width(part.bits);
  case kDLFloat:
    return part.bits == 16 || part.bits == 32 || part.bits == 64;
  default:
    return dlf__small_float_of(part.code, part.bits) != NULL;
  }
}

bool dlf__is_castable(DLDataType from, DLDataType to) {
  if (dlf__is_complex(from) && !dlf__is_complex(to)) {
    return false;
  }
  return is_convertible(dlf__part_of(from)) && is_convertible(dlf__part_of(to));
}
