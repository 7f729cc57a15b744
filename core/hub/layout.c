/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, addresses and orders. Every extent and stride may be hostile, so every product is checked. */
#include "internal.h"

dlf_status dlf__count(const char *name, const DLTensor *tensor, int64_t *out, dlf_error *error) {
  bool empty = false;
  int64_t count = 1;
  *out = 0;
  for (int32_t i = 0; i < tensor->ndim; i++) {
    const int64_t extent = tensor->shape[i];
    if (extent < 0)
      return dlf__fail(error, DLF_INVALID, "%s: expected extents of 0 or more, got %" PRId64 " on axis %d (from 0)",
                       name, extent, i);
    empty |= extent == 0;
  }
  if (empty) return DLF_OK; /* whatever the other extents would multiply to */
  for (int32_t i = 0; i < tensor->ndim; i++)
    if (dlf__mul(count, tensor->shape[i], &count))
      return dlf__fail(
          error, DLF_OVERFLOW,
          "%s: expected an element count below 2^63, got a larger one by axis %d (from 0) of extent %" PRId64, name, i,
          tensor->shape[i]);
  *out = count;
  return DLF_OK;
}

dlf_status dlf_count(const DLTensor *tensor, int64_t *out, dlf_error *error) {
  return dlf__count("count", tensor, out, error);
}

/* Bytes before element `index`, which may be negative: rounded down, or up when it is the first one not touched.
 * Groups of eight elements fill whole bytes, so that only the rest needs bits. True when the result does not fit. */
static bool bytes_before(int64_t index, DLDataType dtype, uint64_t flags, bool round_up, int64_t *out) {
  const int64_t bits = dlf__element_bits(dtype);
  int64_t groups, rest, bytes;
  if (!dlf__is_packed(dtype, flags)) return dlf__mul(index, (bits + 7) / 8, out);
  groups = index / 8;
  rest = index % 8;
  if (rest < 0) {
    groups -= 1;
    rest += 8;
  }
  return dlf__mul(groups, bits, &bytes) || dlf__add(bytes, (rest * bits + (round_up ? 7 : 0)) / 8, out);
}

static dlf_status too_many_bytes(const char *name, dlf_error *error) {
  return dlf__fail(error, DLF_OVERFLOW, "%s: expected a size below 2^63 bytes, got a larger one", name);
}

dlf_status dlf__byte_size(const char *name, const DLTensor *tensor, uint64_t flags, int64_t *out, dlf_error *error) {
  int64_t count;
  *out = 0;
  const dlf_status status = dlf__count(name, tensor, &count, error);
  if (status) return status;
  return bytes_before(count, tensor->dtype, flags, true, out) ? too_many_bytes(name, error) : DLF_OK;
}

dlf_status dlf_byte_size(const DLTensor *tensor, uint64_t flags, int64_t *out, dlf_error *error) {
  return dlf__byte_size("byte_size", tensor, flags, out, error);
}

dlf_status dlf__byte_range(const char *name, const DLTensor *tensor, uint64_t flags, int64_t *low, int64_t *high,
                           dlf_error *error) {
  int64_t count, first = 0, last = 0;
  *low = *high = 0;
  const dlf_status status = dlf__count(name, tensor, &count, error);
  if (status || count == 0) return status;
  if (!tensor->strides) {
    last = count - 1;
  } else {
    for (int32_t i = 0; i < tensor->ndim; i++) {
      int64_t reach, *end;
      const bool far = dlf__mul(tensor->shape[i] - 1, tensor->strides[i], &reach);
      end = reach < 0 ? &first : &last;
      if (far || dlf__add(*end, reach, end))
        return dlf__fail(error, DLF_OVERFLOW,
                         "%s: expected strides that stay below 2^63 elements, got %" PRId64 " on axis %d (from 0)",
                         name, tensor->strides[i], i);
    }
  }
  if (dlf__add(last, 1, &last) || bytes_before(first, tensor->dtype, flags, false, low) ||
      bytes_before(last, tensor->dtype, flags, true, high)) {
    *low = *high = 0;
    return too_many_bytes(name, error);
  }
  return DLF_OK;
}

dlf_status dlf_byte_range(const DLTensor *tensor, uint64_t flags, int64_t *low, int64_t *high, dlf_error *error) {
  return dlf__byte_range("byte_range", tensor, flags, low, high, error);
}

static bool is_empty(const DLTensor *tensor) {
  for (int32_t i = 0; i < tensor->ndim; i++)
    if (tensor->shape[i] == 0) return true;
  return false;
}

static bool is_ordered(const DLTensor *tensor, bool last_axis_fastest) {
  int64_t expected = 1;
  for (int32_t step = 0; step < tensor->ndim; step++) {
    const int32_t i = last_axis_fastest ? tensor->ndim - 1 - step : step;
    if (tensor->shape[i] == 1) continue;
    if (tensor->strides[i] != expected || dlf__mul(expected, tensor->shape[i], &expected)) return false;
  }
  return true;
}

/* Find the axis that continues the run of memory so far, until none is left; ndim is small, so no sorting. */
static bool is_dense(const DLTensor *tensor) {
  uint64_t left = 0;
  int64_t expected = 1;
  if (tensor->ndim > DLF_MAX_NDIM) return false;
  for (int32_t i = 0; i < tensor->ndim; i++)
    if (tensor->shape[i] != 1) left |= UINT64_C(1) << i;
  while (left) {
    int32_t i = 0;
    while (i < tensor->ndim && !((left >> i & 1) && tensor->strides[i] == expected)) i++;
    if (i == tensor->ndim || dlf__mul(expected, tensor->shape[i], &expected)) return false;
    left &= ~(UINT64_C(1) << i);
  }
  return true;
}

bool dlf_is_contiguous(const DLTensor *tensor, dlf_order order) {
  if (is_empty(tensor)) return true;
  if (!tensor->strides) { /* row-major: column-major too when at most one axis is longer than 1 */
    int32_t longer = 0;
    for (int32_t i = 0; i < tensor->ndim; i++) longer += tensor->shape[i] != 1;
    return order != DLF_COLUMN_MAJOR || longer <= 1;
  }
  switch (order) {
  case DLF_ROW_MAJOR: return is_ordered(tensor, true);
  case DLF_COLUMN_MAJOR: return is_ordered(tensor, false);
  case DLF_DENSE: return is_dense(tensor);
  }
  return false;
}

dlf_status dlf__compact_strides(const char *name, int32_t ndim, const int64_t *shape, dlf_order order, int64_t *strides,
                                dlf_error *error) {
  int64_t stride = 1, count;
  const DLTensor tensor = {.ndim = ndim, .shape = (int64_t *)(uintptr_t)shape};
  if (order != DLF_ROW_MAJOR && order != DLF_COLUMN_MAJOR)
    return dlf__fail(error, DLF_INVALID, "%s: expected row- or column-major order, got %d", name, (int)order);
  const dlf_status status = dlf__count(name, &tensor, &count, error);
  if (status) return status;
  for (int32_t step = 0; step < ndim; step++) {
    const int32_t i = order == DLF_ROW_MAJOR ? ndim - 1 - step : step;
    strides[i] = stride;
    /* Only a tensor without elements can overflow here, and its strides are never used. */
    if (dlf__mul(stride, shape[i] ? shape[i] : 1, &stride)) stride = 0;
  }
  return DLF_OK;
}

dlf_status dlf_compact_strides(int32_t ndim, const int64_t *shape, dlf_order order, int64_t *strides,
                               dlf_error *error) {
  if (ndim < 0 || ndim > DLF_MAX_NDIM)
    return dlf__fail(error, DLF_INVALID, "compact_strides: expected ndim between 0 and %d, got %d", DLF_MAX_NDIM, ndim);
  if (ndim > 0 && (!shape || !strides))
    return dlf__fail(error, DLF_INVALID, "compact_strides: expected shape and strides, got NULL");
  return dlf__compact_strides("compact_strides", ndim, shape, order, strides, error);
}

void *dlf_data(const DLTensor *tensor) {
  return tensor->data ? (void *)((uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset) : NULL;
}

static bool same_memory(DLDevice a, DLDevice b) {
  if (dlf_is_cpu_accessible(a) && dlf_is_cpu_accessible(b)) return true;
  return a.device_type == b.device_type && a.device_id == b.device_id;
}

bool dlf_overlap(dlf_arg a, dlf_arg b) {
  int64_t a_low, a_high, b_low, b_high;
  if (!a.tensor || !b.tensor || !same_memory(a.tensor->device, b.tensor->device)) return false;
  if (dlf__byte_range("overlap", a.tensor, a.flags, &a_low, &a_high, NULL) ||
      dlf__byte_range("overlap", b.tensor, b.flags, &b_low, &b_high, NULL))
    return true;
  if (a_low == a_high || b_low == b_high) return false;
  /* Unsigned, so that addresses in the upper half compare too; dlf_check has refused ranges that wrap around. */
  const uintptr_t a_data = (uintptr_t)dlf_data(a.tensor), b_data = (uintptr_t)dlf_data(b.tensor);
  return a_data + (uintptr_t)a_low < b_data + (uintptr_t)b_high &&
         b_data + (uintptr_t)b_low < a_data + (uintptr_t)a_high;
}
