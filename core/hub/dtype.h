/* SPDX-License-Identifier: Apache-2.0 */
/* The table of dtypes: names, width and decoder of each code. */
#ifndef DLFERRY_DTYPE_H
#define DLFERRY_DTYPE_H

#include "internal.h"

typedef enum dlf__special_values {
  DLF__IEEE,   /* the highest exponent holds infinity and NaN */
  DLF__FINITE, /* no infinity; NaN only in 8 bits, where all bits but the sign are set ("fn") */
  DLF__UNSIGNED_ZERO, /* no infinity and no negative zero: its bits are the NaN ("fnuz") */
  DLF__POWERS         /* powers of two: no sign, no fraction, no zero; all bits set are the NaN */
} dlf__special_values;

/* How the bits of a float are split. */
typedef struct dlf__small_float {
  uint8_t bits; /* of the float that this decodes; 0: none */
  uint8_t exponent, fraction;
  int16_t bias; /* 1 - bias is the lowest exponent */
  dlf__special_values special;
} dlf__small_float;

typedef struct dlf__dtype_row {
  const char *usual, *brief; /* NULL where no such code is known */
  uint8_t bits;              /* the only width with this name; 0: any, written after the name */
  bool refused;              /* another width is no tensor of DLPack's */
  dlf__small_float small;    /* the integers, and floats of 32 and 64 bits, need none */
} dlf__dtype_row;

DLF__BEGIN_HIDDEN

/* By code. */
extern const dlf__dtype_row dlf__dtypes[];
extern const uint8_t dlf__dtype_count;

static inline const dlf__dtype_row *dlf__dtype_of(uint8_t code) {
  if (code < dlf__dtype_count && dlf__dtypes[code].usual) {
    return &dlf__dtypes[code];
  }
  return NULL;
}

/* How the bits of a float are split; NULL for the ones of 32 and 64 bits, and for no
 * float. */
const dlf__small_float *dlf__small_float_of(int code, int bits);

static inline double dlf__double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t dlf__bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* 2 to the power of a normal exponent. */
static inline double dlf__power_of_two(int exponent) {
  return dlf__double_of((uint64_t)(exponent + 1023) << 52);
}

/* True unless the code has another width. DLPack 1.1: "the consumer must stop importing if the
 * value is unexpected". */
static inline bool dlf__has_right_width(DLDataType dtype) {
  const dlf__dtype_row *row = dlf__dtype_of(dtype.code);
  return !row || !row->refused || row->bits == dtype.bits;
}

DLF__END_HIDDEN

#endif
