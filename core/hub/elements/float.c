/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a dtype of reals from its bits and back, for the languages' own types of small
 * floats. */
#include "hub/convert/convert.h"

static const DLDataType float32 = {kDLFloat, 32, 1};
static const DLDataType float64 = {kDLFloat, 64, 1};

static bool is_real_dtype(DLDataType dtype) {
  const bool is_wide = dtype.bits == 32 || dtype.bits == 64;
  return (dtype.code == kDLFloat && is_wide) || dlf__small_float_of(dtype.code, dtype.bits);
}

static dlf_status not_of_reals(const char *name, DLDataType dtype, dlf_error *error) {
  char got[DLF_NAME_CAPACITY];
  dlf_dtype_format(dtype, got, sizeof got);
  return dlf__fail(error, DLF_DTYPE, "%s: expected a dtype of reals, got %s", name, got);
}

/* NaN's sign, without its payload. */
static double canonical(double value) {
  const uint64_t sign = dlf__bits_of(value) >> 63 << 63;
  return value != value ? dlf__double_of(sign | UINT64_C(0x7FF8) << 48) : value;
}

dlf_status dlf_float_decode(DLDataType dtype, uint64_t bits, double *out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("float_decode", error);
  }
  *out = 0;
  if (!is_real_dtype(dtype)) {
    return not_of_reals("float_decode", dtype, error);
  }
  if (dtype.bits == 64) {
    *out = dlf__double_of(bits);
    return DLF_OK;
  }
  dlf__convert_one(dtype, bits, float64, &bits);
  *out = canonical(dlf__double_of(bits));
  return DLF_OK;
}

dlf_status dlf_float_encode(DLDataType dtype, double value, uint64_t *out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("float_encode", error);
  }
  *out = 0;
  if (!is_real_dtype(dtype)) {
    return not_of_reals("float_encode", dtype, error);
  }
  const bool is_float = dtype.code == kDLFloat;
  *out = dlf__bits_of(canonical(value));
  if (is_float) {
    dlf__convert_one(float64, *out, dtype, out);
    return DLF_OK;
  }
  /* ml_dtypes rounds twice. */
  dlf__convert_one(float64, *out, float32, out);
  dlf__convert_one(float32, *out, dtype, out);
  return DLF_OK;
}
