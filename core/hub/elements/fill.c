/* SPDX-License-Identifier: Apache-2.0 */
/* One number in every element: its bits, copied with strides of 0. */
#include "hub/convert/convert.h"
#include "hub/move/bits.h"
#include "hub/move/move.h"

static dlf_status not_a_value(const dlf_number *number, DLDataType dtype, dlf_error *error) {
  char name[DLF_NAME_CAPACITY];
  dlf_dtype_format(dtype, name, sizeof name);
  switch (number->kind) {
  case DLF_NUMBER_SIGNED:
    return dlf__fail(error,
                     DLF_INVALID,
                     "fill: expected a number that %s has, got %" PRId64,
                     name,
                     number->signed_value);
  case DLF_NUMBER_UNSIGNED:
  case DLF_NUMBER_BOOL:
    return dlf__fail(error,
                     DLF_INVALID,
                     "fill: expected a number that %s has, got %" PRIu64,
                     name,
                     number->unsigned_value);
  case DLF_NUMBER_COMPLEX:
    return dlf__fail(error,
                     DLF_INVALID,
                     "fill: expected a number that %s has, got %.17g%+.17gi",
                     name,
                     number->real,
                     number->imaginary);
  default:
    return dlf__fail(
        error, DLF_INVALID, "fill: expected a number that %s has, got %.17g", name, number->real);
  }
}

/* The bits of a whole number. False if the number is none, or too large for 64 bits. */
static bool whole_bits(const dlf_number *number, bool *negative, uint64_t *bits) {
  const double two_63 = 9223372036854775808.0;
  *negative = false;
  switch (number->kind) {
  case DLF_NUMBER_UNSIGNED:
  case DLF_NUMBER_BOOL:
    *bits = number->unsigned_value;
    return true;
  case DLF_NUMBER_SIGNED:
    *bits = (uint64_t)number->signed_value;
    *negative = number->signed_value < 0;
    return true;
  default:
    break;
  }
  const double value = number->real;
  if (!(value >= -two_63 && value < 2 * two_63) ||
      (number->kind == DLF_NUMBER_COMPLEX && number->imaginary != 0)) {
    return false;
  }
  *negative = value < 0;
  if (*negative) {
    *bits = (uint64_t)(int64_t)value;
    return (double)(int64_t)value == value;
  }
  *bits = (uint64_t)value;
  return (double)*bits == value;
}

static bool integer_bits(const dlf_number *number, DLDataType dtype, uint64_t *bits) {
  bool negative;
  if (!whole_bits(number, &negative, bits)) {
    return false;
  }
  int room = dtype.bits;
  if (dtype.code == kDLBool) {
    room = 1;
  }
  if (dtype.code == kDLInt) {
    const uint64_t magnitude = negative ? ~*bits : *bits;
    return magnitude >> (room - 1) == 0;
  }
  return !negative && (room == 64 || *bits >> room == 0);
}

static uint64_t double_bits(double value, DLDataType part) {
  uint64_t bits = 0;
  dlf__convert_one((DLDataType){kDLFloat, 64, 1}, dlf__bits_of(value), part, &bits);
  return bits;
}

/* As a cast does it, which rounds once. */
static uint64_t real_bits(const dlf_number *number, DLDataType part) {
  uint64_t bits = 0;
  switch (number->kind) {
  case DLF_NUMBER_SIGNED:
    dlf__convert_one((DLDataType){kDLInt, 64, 1}, (uint64_t)number->signed_value, part, &bits);
    break;
  case DLF_NUMBER_UNSIGNED:
  case DLF_NUMBER_BOOL:
    dlf__convert_one((DLDataType){kDLUInt, 64, 1}, number->unsigned_value, part, &bits);
    break;
  default:
    bits = double_bits(number->real, part);
  }
  return bits;
}

/* One lane; value has room for 16 bytes. */
static dlf_status encode_number(const dlf_number *number, DLDataType dtype, unsigned char *value,
                                dlf_error *error) {
  uint64_t bits;
  if (dtype.code == kDLInt || dtype.code == kDLUInt || dtype.code == kDLBool) {
    if (!integer_bits(number, dtype, &bits)) {
      return not_a_value(number, dtype, error);
    }
    dlf__store_bits(value, bits, dtype.bits);
    return DLF_OK;
  }
  double imaginary = 0;
  if (number->kind == DLF_NUMBER_COMPLEX) {
    imaginary = number->imaginary;
  }
  const bool is_complex = dlf__is_complex(dtype);
  const DLDataType part = dlf__part_of(dtype);
  if (imaginary != 0 && !is_complex) {
    return not_a_value(number, dtype, error);
  }
  dlf__store_bits(value, real_bits(number, part), part.bits);
  if (is_complex) {
    dlf__store_bits(value + part.bits / 8, double_bits(imaginary, part), part.bits);
  }
  return DLF_OK;
}

/* Lanes as one more axis of elements. */
static dlf_status split_lanes(DLTensor *tensor, uint64_t flags, int64_t *shape, int64_t *strides,
                              dlf_error *error) {
  const int64_t lanes = tensor->dtype.lanes;
  const int32_t ndim = tensor->ndim;
  const bool is_padded = dlf__element_bits(tensor->dtype) % 8 != 0 &&
                         flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  if (ndim == DLF_MAX_NDIM || is_padded) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "fill: expected one lane, or at most %d axes without padding, got %" PRId64
                     " lanes",
                     DLF_MAX_NDIM - 1,
                     lanes);
  }
  for (int32_t i = 0; i < ndim; i++) {
    shape[i] = tensor->shape[i];
    strides[i] = 0; /* that of one element may be any number */
    if (tensor->shape[i] > 1) {
      strides[i] = tensor->strides[i] * lanes;
    }
  }
  shape[ndim] = lanes;
  strides[ndim] = 1;
  tensor->dtype.lanes = 1;
  tensor->ndim = ndim + 1;
  tensor->shape = shape;
  tensor->strides = strides;
  return DLF_OK;
}

dlf_status dlf_fill(dlf_tensor *self, const dlf_number *number, dlf_error *error) {
  static const int64_t still[DLF_MAX_NDIM];
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  unsigned char value[16] = {0};
  if (!self) {
    return dlf__no_tensor("fill", error);
  }
  if (!number) {
    return dlf__missing("fill", "a number", error);
  }
  if (number->kind < DLF_NUMBER_REAL || number->kind > DLF_NUMBER_BOOL) {
    return dlf__fail(
        error, DLF_INVALID, "fill: expected a dlf_number_kind, got %d", (int)number->kind);
  }
  DLTensor to = self->dl;
  dlf_status status = dlf__check_elements("fill", (dlf_arg){&to, self->flags}, true, error);
  if (!status) {
    status = dlf__check_writable("fill", self, error);
  }
  if (!status) {
    status = encode_number(number, to.dtype, value, error);
  }
  if (status || dlf__is_empty(&to)) { /* the strides of an empty one may be any numbers */
    return status;
  }
  uint64_t flags = self->flags;
  if (to.dtype.lanes > 1) {
    status = split_lanes(&to, flags, shape, strides, error);
    flags &= ~(uint64_t)DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED; /* lanes have no padding */
  }
  if (status) {
    return status;
  }
  const DLTensor from = {
      value, to.device, to.ndim, to.dtype, to.shape, (int64_t *)(uintptr_t)still, 0};
  dlf__move(&to, flags, &from, flags);
  return DLF_OK;
}
