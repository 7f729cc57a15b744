/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a dtype of reals from its bits and back, for the languages' own types of small
 * floats. */
#include "hub/dtype.h"

static const dlf__small_float float32 = {32, 8, 23, 127, DLF__IEEE};

static bool is_float(DLDataType dtype, int bits) {
  return dtype.code == kDLFloat && dtype.bits == bits;
}

/* The split of a dtype's bits; NULL if it is none of reals, or float64. */
static const dlf__small_float *split_of(DLDataType dtype) {
  if (is_float(dtype, 32)) {
    return &float32;
  }
  return dlf__small_float_of(dtype.code, dtype.bits);
}

static dlf_status not_of_reals(const char *name, DLDataType dtype, dlf_error *error) {
  char got[DLF_NAME_CAPACITY];
  dlf_dtype_format(dtype, got, sizeof got);
  return dlf__fail(error, DLF_DTYPE, "%s: expected a dtype of reals, got %s", name, got);
}

dlf_status dlf_float_decode(DLDataType dtype, uint64_t bits, double *out, dlf_error *error) {
  const dlf__small_float *const kind = split_of(dtype);
  if (!out) {
    return dlf__no_place("float_decode", error);
  }
  *out = 0;
  if (!kind && !is_float(dtype, 64)) {
    return not_of_reals("float_decode", dtype, error);
  }
  if (kind) {
    *out = dlf__decode(kind, (uint32_t)(bits & ((UINT64_C(1) << kind->bits) - 1)));
  } else {
    *out = dlf__double_of(bits);
  }
  return DLF_OK;
}

static bool is_negative(double value) {
  return dlf__bits_of(value) >> 63;
}

/* With the sign of a zero, which dlf__round loses. */
static double to_precision(double value, const dlf__small_float *kind) {
  const dlf__number precision = {.fraction = kind->fraction, .lowest = 1 - kind->bias};
  if (is_negative(value)) {
    return -dlf__round(-value, &precision);
  }
  return dlf__round(value, &precision);
}

/* ml_dtypes rounds up each number between the least two powers: they are subnormal in float32. */
static uint64_t encode_power(const dlf__small_float *kind, double value) {
  const uint64_t nan = (UINT64_C(1) << kind->exponent) - 1;
  const uint64_t bits = dlf__bits_of(value);
  /* a negative number's is beyond all others */
  const int lowest = 1 - kind->bias;
  const int exponent = (int)(bits >> 52) - 1023;
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  bool up;
  if (exponent == lowest) {
    up = fraction != 0;
  } else {
    up = fraction >> 51;
  }
  if (value == 0 || exponent > -lowest) {
    return nan;
  }
  if (exponent < lowest) {
    return 0;
  }
  return (uint64_t)(exponent - lowest + up);
}

/* Exponent and fraction of a magnitude that has no more precision; a larger number for a magnitude
 * beyond the kind's. */
static uint64_t magnitude_bits(const dlf__small_float *kind, double magnitude) {
  const int lowest = 1 - kind->bias;
  const int own = (int)(dlf__bits_of(magnitude) >> 52) - 1023;
  int exponent = lowest;
  if (own > lowest) {
    exponent = own;
  }
  if (own == 1024) {
    return UINT64_MAX;
  }
  /* The leading bit of a normal number adds 1 to the exponent's field. */
  const double fraction = magnitude * dlf__power_of_two(kind->fraction - exponent);
  return ((uint64_t)(exponent - lowest) << kind->fraction) + (uint64_t)fraction;
}

/* A number beyond the largest one becomes infinity, in a kind without it NaN, and in one without
 * both the largest one. */
static uint64_t encode(const dlf__small_float *kind, double value) {
  const uint64_t all = (UINT64_C(1) << (kind->exponent + kind->fraction)) - 1;
  const uint64_t sign_bit = all + 1;
  const uint64_t infinity = all >> kind->fraction << kind->fraction;
  uint64_t sign = 0;
  if (is_negative(value)) {
    sign = sign_bit;
  }
  if (kind->special == DLF__POWERS) {
    return encode_power(kind, value);
  }
  const uint64_t magnitude = magnitude_bits(kind, to_precision(sign ? -value : value, kind));
  switch (kind->special) {
  case DLF__IEEE:
    if (value != value) {
      return sign | infinity | UINT64_C(1) << (kind->fraction - 1);
    }
    return sign | (magnitude < infinity ? magnitude : infinity);
  case DLF__UNSIGNED_ZERO:
    if (value != value || magnitude > all) {
      return sign_bit; /* the NaN, in the place of -0 */
    }
    if (magnitude) {
      return sign | magnitude;
    }
    return 0;
  default: /* DLF__FINITE: all bits but the sign are NaN in 8 bits, and a number in 4 and 6 */
    if (value != value && kind->bits < 8) {
      /* There is no NaN: as in ml_dtypes it becomes -0, and a negative one 0. */
      return sign ^ sign_bit;
    }
    return sign | (magnitude < all ? magnitude : all);
  }
}

dlf_status dlf_float_encode(DLDataType dtype, double value, uint64_t *out, dlf_error *error) {
  const dlf__small_float *const kind = split_of(dtype);
  if (!out) {
    return dlf__no_place("float_encode", error);
  }
  *out = 0;
  if (!kind && !is_float(dtype, 64)) {
    return not_of_reals("float_encode", dtype, error);
  }
  if (kind && !is_float(dtype, 16)) {
    value = to_precision(value, &float32);
  }
  if (kind) {
    *out = encode(kind, value);
  } else {
    *out = dlf__bits_of(value);
  }
  return DLF_OK;
}
