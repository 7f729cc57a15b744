/* SPDX-License-Identifier: Apache-2.0 */
/* Read one element of any arithmetic dtype. */
#include "hub/convert/convert.h"
#include "hub/move/bits.h"

static double not_a_number(void) {
  return dlf__double_of(UINT64_C(0x7FF8000000000000));
}

/* The fraction bits and the lowest exponent of a real of this kind; false if it cannot be read. */
static bool precision_of(int code, int bits, int *fraction, int *lowest) {
  const dlf__small_float *const small = dlf__small_float_of(code, bits);
  if (small && small->bits >= 8) {
    *fraction = small->fraction;
    *lowest = 1 - small->bias;
  } else if (small || (code == kDLFloat && bits == 32)) { /* narrower ones as float32 */
    *fraction = 23;
    *lowest = -126;
  } else if (code == kDLFloat) {
    *fraction = 52;
    *lowest = -1022;
  } else {
    *fraction = 0;
    *lowest = -127;
  }
  return small || (code == kDLFloat && (bits == 32 || bits == 64));
}

static bool is_number(int code, int bits) {
  int fraction, lowest;
  return precision_of(code, bits, &fraction, &lowest);
}

bool dlf__is_readable(DLDataType dtype) {
  const DLDataType part = dlf__part_of(dtype);
  switch (dtype.code) {
  case kDLInt:
  case kDLUInt:
    return dtype.bits >= 1 && dtype.bits <= 64;
  case kDLBool:
    return dtype.bits == 8;
  case kDLComplex:
  case DLF__BCOMPLEX:
    return dtype.bits % 2 == 0 && is_number(part.code, part.bits);
  default:
    return is_number(dtype.code, dtype.bits);
  }
}

double dlf__round(double value, const dlf__number *kind) {
  int exponent = (int)(dlf__bits_of(value) >> 52 & 0x7FF) - 1023;
  if (kind->fraction >= 52 || exponent == 1024) {
    return value; /* infinite or NaN */
  }
  if (exponent < kind->lowest) {
    exponent = kind->lowest;
  }
  /* To the nearest whole number, ties to even. Each step is exact, so that a processor that
   * computes in more than double precision does not round twice. */
  const double scale = dlf__power_of_two(kind->fraction - exponent);
  const double scaled_value = value * scale;
  int64_t whole = (int64_t)scaled_value; /* towards 0 */
  const double rest = scaled_value - (double)whole;
  const bool odd = whole % 2 != 0;
  if (rest > 0.5 || (rest == 0.5 && odd)) {
    whole++;
  }
  if (rest < -0.5 || (rest == -0.5 && odd)) {
    whole--;
  }
  return (double)whole / scale;
}

static double load_real(const char *at, int64_t first_bit, int code, int bits) {
  const uint64_t raw = dlf__load_bits(at, first_bit, bits);
  if (bits == 64) {
    return dlf__double_of(raw);
  }
  if (bits == 32) {
    const uint32_t word = (uint32_t)raw;
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
  }
  const dlf__small_float *kind = dlf__small_float_of(code, bits);
  if (kind) {
    return dlf__value_of(kind, (uint32_t)raw);
  }
  return not_a_number();
}

dlf__number dlf__read(const DLTensor *tensor, uint64_t flags, int64_t element, int32_t lane) {
  const DLDataType dtype = tensor->dtype;
  const int64_t width = dlf__element_bits(dtype);
  const char *at = dlf_data(tensor);
  dlf__number number = {.kind = DLF_NUMBER_REAL};
  int64_t bit = (int64_t)lane * dtype.bits;
  /* Eight packed elements fill whole bytes: no product here exceeds the checked byte range. */
  if (dlf__is_packed(dtype, flags)) {
    const int64_t rest = (element % 8 + 8) % 8;
    at += (element - rest) / 8 * width;
    bit += rest * width;
  } else {
    at += element * ((width + 7) / 8);
  }
  const DLDataType part = dlf__part_of(dtype);
  const int bits = part.bits;
  switch (dtype.code) {
  case kDLBool:
    number.unsigned_value = dlf__load_bits(at, bit, bits) != 0;
    number.kind = DLF_NUMBER_BOOL;
    break;
  case kDLUInt:
    number.unsigned_value = dlf__load_bits(at, bit, bits);
    number.kind = DLF_NUMBER_UNSIGNED;
    break;
  case kDLInt: {
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    number.signed_value = (int64_t)((dlf__load_bits(at, bit, bits) ^ sign) - sign);
    number.kind = DLF_NUMBER_SIGNED;
    break;
  }
  case kDLComplex:
  case DLF__BCOMPLEX:
    number.kind = DLF_NUMBER_COMPLEX;
    number.imaginary = load_real(at, bit + bits, part.code, bits);
    /* fall through */
  default:
    number.real = load_real(at, bit, part.code, bits);
    (void)precision_of(part.code, bits, &number.fraction, &number.lowest);
  }
  return number;
}
