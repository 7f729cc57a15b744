/* SPDX-License-Identifier: Apache-2.0 */
/* Dtypes of a width that no program has: DLPack can write f65 and u12, but in a contract they are
 * misspelt, and no tensor would fit. */
#include "builder.h"
#include "contract/contract.h"
#include <dlferry.h>
#include <stdlib.h>

static bool width_is_power(int bits) {
  return (bits & (bits - 1)) == 0;
}

static bool width_is_usual(uint8_t code, int bits) {
  switch (code) {
  case kDLInt:
  case kDLUInt:
    return width_is_power(bits) && bits <= 128;
  case kDLFloat:
    return width_is_power(bits) && bits >= 16 && bits <= 128;
  case kDLComplex:
    return width_is_power(bits) && bits >= 32 && bits <= 128;
  case kDLBfloat:
    return bits == 16;
  default:
    return true; /* the name has the width, or nothing is known of the code */
  }
}

/* The dtype that was meant: NumPy's f4 counts bytes, others are near. */
static DLDataType width_meant(DLDataType dtype) {
  DLDataType meant = dtype;
  int least = 256;
  for (int bits = 1; bits <= 128; bits++) {
    const int far = abs(bits - dtype.bits);
    if (width_is_usual(dtype.code, bits) && far < least) {
      least = far;
      meant.bits = (uint8_t)bits;
    }
  }
  const int bytes = 8 * dtype.bits;
  const bool counts_bytes = dtype.code == kDLFloat || dtype.code == kDLComplex;
  if (counts_bytes && bytes <= 128 && width_is_usual(dtype.code, bytes)) {
    meant.bits = (uint8_t)bytes;
  }
  return meant;
}

static bool width_check(ir_builder *b, const bind_function *f, DLDataType dtype) {
  char name[DLF_NAME_CAPACITY];
  char meant[DLF_NAME_CAPACITY];
  if (width_is_usual(dtype.code, dtype.bits)) {
    return true;
  }
  dlf_dtype_format_short(dtype, name, sizeof name);
  dlf_dtype_format_short(width_meant(dtype), meant, sizeof meant);
  ir_fail_in(b, f, "contract: expected a dtype, did you mean %s, got `%s`", meant, name);
  return false;
}

bool ir_check_widths(ir_builder *b, const bind_function *f, const dlf_contract *c) {
  bool good = true;
  DLF__EACH_CLAUSE (clause, c) {
    for (int32_t i = 0; i < clause->dtype_count && clause->like < 0; i++) {
      good &= width_check(b, f, clause->dtypes[i]);
    }
  }
  DLF__EACH_CONSTRAINT (constraint, c) {
    for (int32_t i = 0; i < constraint->dtype_count; i++) {
      good &= width_check(b, f, constraint->dtypes[i]);
    }
  }
  DLF__EACH_DERIVED (d, c) {
    for (int32_t i = 0; i < d->choice_count && d->source == DLF__SOURCE_DTYPE; i++) {
      good &= width_check(b, f, d->choices[i].dtype);
    }
  }
  return good;
}
