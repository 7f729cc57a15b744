/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as numbers of C. */
#include "hub/rounding.h"

dlf_status dlf_read(dlf_arg arg, const int64_t *index, int32_t lane, dlf_number *out,
                    dlf_error *error) {
  int64_t steps[DLF_MAX_NDIM];
  int64_t element = 0;
  if (!out) {
    return dlf__no_place("read", error);
  }
  *out = (dlf_number){.kind = DLF_NUMBER_REAL};
  const dlf_status status = dlf__check_elements("read", arg, true, error);
  if (status) {
    return status;
  }
  const DLTensor *t = arg.tensor;
  if (t->ndim > 0 && !index) {
    return dlf__fail(error, DLF_INVALID, "read: expected %d indices, got NULL", t->ndim);
  }
  if (lane < 0 || lane >= t->dtype.lanes) {
    return dlf__fail(
        error, DLF_BOUNDS, "read: expected a lane below %d, got %d", t->dtype.lanes, lane);
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (index[i] < 0 || index[i] >= t->shape[i]) {
      return dlf__fail(error,
                       DLF_BOUNDS,
                       "read: expected index below %" PRId64 " of axis %d (from 0), got %" PRId64,
                       t->shape[i],
                       i,
                       index[i]);
    }
  }
  dlf__steps(t, steps);
  for (int32_t i = 0; i < t->ndim; i++) {
    element += index[i] * steps[i];
  }
  const dlf__rounding before = dlf__rounding_begin();
  const dlf__number number = dlf__read(t, arg.flags, element, lane);
  dlf__rounding_end(before);
  *out = (dlf_number){
      number.kind, 0, number.real, number.imaginary, number.signed_value, number.unsigned_value};
  return DLF_OK;
}

/* The number that a consumer looks for. */
static dlf_status sought(const dlf_number *number, dlf__number *out, dlf_error *error) {
  if (number->kind < DLF_NUMBER_REAL || number->kind > DLF_NUMBER_BOOL) {
    return dlf__fail(
        error, DLF_INVALID, "contains: expected a dlf_number_kind, got %d", (int)number->kind);
  }
  *out = (dlf__number){.kind = (dlf_number_kind)number->kind,
                       .signed_value = number->signed_value,
                       .unsigned_value = number->unsigned_value,
                       .real = number->real};
  if (number->kind == DLF_NUMBER_COMPLEX) {
    out->imaginary = number->imaginary;
  }
  return DLF_OK;
}

static double real_for(const dlf__number *element, const dlf__number *number) {
  if (element->fraction == 52) {
    return dlf__real_of(number);
  }
  return dlf__real_of_sticky(number);
}

static bool is_equal(const dlf__number *element, dlf__number number) {
  if (element->kind == DLF_NUMBER_REAL || element->kind == DLF_NUMBER_COMPLEX) {
    number.imaginary = dlf__round(number.imaginary, element);
    number.real = dlf__round(real_for(element, &number), element);
    number.kind = DLF_NUMBER_COMPLEX;
  }
  return dlf__equal_numbers(element, &number);
}

static bool is_among(const DLTensor *t, uint64_t flags, const int64_t *steps, int32_t axis,
                     int64_t element, const dlf__number *number) {
  if (axis < t->ndim) {
    for (int64_t i = 0; i < t->shape[axis]; i++) {
      if (is_among(t, flags, steps, axis + 1, element + i * steps[axis], number)) {
        return true;
      }
    }
    return false;
  }
  for (int32_t lane = 0; lane < t->dtype.lanes; lane++) {
    const dlf__number at = dlf__read(t, flags, element, lane);
    if (is_equal(&at, *number)) {
      return true;
    }
  }
  return false;
}

dlf_status dlf_contains(dlf_arg arg, const dlf_number *number, bool *out, dlf_error *error) {
  int64_t steps[DLF_MAX_NDIM];
  dlf__number wanted;
  if (!out) {
    return dlf__no_place("contains", error);
  }
  *out = false;
  if (!number) {
    return dlf__missing("contains", "a number", error);
  }
  dlf_status status = dlf__check_elements("contains", arg, true, error);
  if (!status) {
    status = sought(number, &wanted, error);
  }
  if (status || dlf__is_empty(arg.tensor)) {
    return status;
  }
  dlf__steps(arg.tensor, steps);
  const dlf__rounding before = dlf__rounding_begin();
  *out = is_among(arg.tensor, arg.flags, steps, 0, 0, &wanted);
  dlf__rounding_end(before);
  return DLF_OK;
}
