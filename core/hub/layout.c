/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes, addresses and orders. Every extent and stride may be hostile, so every product is checked.
 */
#include "internal.h"

/* The results of one walk over the axes. A fault is kept until the walk ends: a later extent of 0
 * makes the tensor empty, and then neither the other extents nor the strides matter. */
typedef struct extent_walk {
  int64_t count;       /* elements */
  int64_t first, last; /* lowest and highest element touched, relative to element 0 */
  int32_t axis;        /* where the fault is */
  enum { SOUND, NEGATIVE_EXTENT, TOO_MANY_ELEMENTS, TOO_FAR } fault;
} extent_walk;

static extent_walk walk_extents(const DLTensor *tensor, const int64_t *strides) {
  extent_walk walk = {1, 0, 0, 0, SOUND};
  bool empty = false;
  for (int32_t i = 0; i < tensor->ndim; i++) {
    const int64_t extent = tensor->shape[i];
    int64_t reach = 0;
    if (extent < 0) {
      walk.axis = i;
      walk.fault = NEGATIVE_EXTENT;
      return walk;
    }
    if (extent == 0) {
      empty = true;
    }
    if (walk.fault || empty) {
      continue;
    }
    bool far = strides && dlf__mul(extent - 1, strides[i], &reach);
    if (reach < 0) {
      far |= dlf__add(walk.first, reach, &walk.first);
    } else {
      far |= dlf__add(walk.last, reach, &walk.last);
    }
    if (dlf__mul(walk.count, extent, &walk.count)) {
      walk.fault = TOO_MANY_ELEMENTS;
    }
    if (far) {
      walk.fault = TOO_FAR;
    }
    walk.axis = i;
  }
  if (empty) {
    return (extent_walk){0, 0, 0, 0, SOUND};
  }
  if (!strides && !walk.fault) {
    walk.last = walk.count - 1; /* a count that overflowed may be INT64_MIN */
  }
  return walk;
}

static dlf_status fault_of(const char *name, const extent_walk *walk, const DLTensor *tensor,
                           dlf_error *error) {
  const int32_t axis = walk->axis;
  switch (walk->fault) {
  case NEGATIVE_EXTENT:
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected extents of 0 or more, got %" PRId64 " on axis %d (from 0)",
                     name,
                     tensor->shape[axis],
                     axis);
  case TOO_MANY_ELEMENTS:
    return dlf__fail(error,
                     DLF_OVERFLOW,
                     "%s: expected an element count below 2^63, got a larger one by axis %d (from "
                     "0) of extent %" PRId64,
                     name,
                     axis,
                     tensor->shape[axis]);
  case TOO_FAR:
    return dlf__fail(error,
                     DLF_OVERFLOW,
                     "%s: expected strides that stay below 2^63 elements, got %" PRId64
                     " on axis %d (from 0)",
                     name,
                     tensor->strides[axis],
                     axis);
  case SOUND:
    break;
  }
  return DLF_OK;
}

dlf_status dlf__count(const char *name, const DLTensor *tensor, int64_t *out, dlf_error *error) {
  const extent_walk walk = walk_extents(tensor, NULL);
  *out = 0;
  if (walk.fault) {
    return fault_of(name, &walk, tensor, error);
  }
  *out = walk.count;
  return DLF_OK;
}

dlf_status dlf_count(const DLTensor *tensor, int64_t *out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("count", error);
  }
  *out = 0;
  if (tensor) {
    return dlf__count("count", tensor, out, error);
  }
  return dlf__no_tensor("count", error);
}

/* Eight elements fill whole bytes, so only the rest needs bits: the distance in bits may not fit.
 */
bool dlf__bytes_before(int64_t index, DLDataType dtype, uint64_t flags, int64_t *bytes, int *bit) {
  const int64_t width = dlf__element_bits(dtype);
  int64_t groups, rest;
  *bit = 0;
  if (!dlf__is_packed(dtype, flags)) {
    return dlf__mul(index, (width + 7) / 8, bytes);
  }
  groups = index / 8;
  rest = index % 8;
  if (rest < 0) {
    groups -= 1;
    rest += 8;
  }
  *bit = (int)(rest * width % 8);
  return dlf__mul(groups, width, bytes) || dlf__add(*bytes, rest * width / 8, bytes);
}

/* Bytes up to the element that is the first one not touched. */
static bool bytes_to(int64_t end, DLDataType dtype, uint64_t flags, int64_t *bytes) {
  int bit;
  return dlf__bytes_before(end, dtype, flags, bytes, &bit) || dlf__add(*bytes, bit > 0, bytes);
}

static dlf_status too_many_bytes(const char *name, dlf_error *error) {
  return dlf__fail(
      error, DLF_OVERFLOW, "%s: expected a size below 2^63 bytes, got a larger one", name);
}

dlf_status dlf__byte_size(const char *name, const DLTensor *tensor, uint64_t flags, int64_t *out,
                          dlf_error *error) {
  int64_t count;
  *out = 0;
  const dlf_status status = dlf__count(name, tensor, &count, error);
  if (status) {
    return status;
  }
  if (bytes_to(count, tensor->dtype, flags, out)) {
    return too_many_bytes(name, error);
  }
  return DLF_OK;
}

dlf_status dlf_byte_size(const DLTensor *tensor, uint64_t flags, int64_t *out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("byte_size", error);
  }
  *out = 0;
  if (tensor) {
    return dlf__byte_size("byte_size", tensor, flags, out, error);
  }
  return dlf__no_tensor("byte_size", error);
}

dlf_status dlf__byte_range(const char *name, const DLTensor *tensor, uint64_t flags, int64_t *low,
                           int64_t *high, dlf_error *error) {
  const extent_walk walk = walk_extents(tensor, tensor->strides);
  int64_t end;
  int bit;
  *low = *high = 0;
  if (walk.fault) {
    return fault_of(name, &walk, tensor, error);
  }
  if (walk.count == 0) {
    return DLF_OK;
  }
  if (dlf__add(walk.last, 1, &end) ||
      dlf__bytes_before(walk.first, tensor->dtype, flags, low, &bit) ||
      bytes_to(end, tensor->dtype, flags, high) || __builtin_sub_overflow(*high, *low, &end)) {
    *low = *high = 0;
    return too_many_bytes(name, error);
  }
  return DLF_OK;
}

bool dlf__counts_bits(const DLTensor *tensor, uint64_t flags) {
  int64_t low, high, bits;
  return !dlf__byte_range("", tensor, flags, &low, &high, NULL) && !dlf__mul(high - low, 8, &bits);
}

dlf_status dlf_byte_range(const DLTensor *tensor, uint64_t flags, int64_t *low, int64_t *high,
                          dlf_error *error) {
  if (!low || !high) {
    return dlf__no_place("byte_range", error);
  }
  *low = *high = 0;
  if (tensor) {
    return dlf__byte_range("byte_range", tensor, flags, low, high, error);
  }
  return dlf__no_tensor("byte_range", error);
}

static bool is_ordered(const DLTensor *tensor, bool last_axis_fastest) {
  int64_t expected = 1;
  for (int32_t step = 0; step < tensor->ndim; step++) {
    int32_t i = step;
    if (last_axis_fastest) {
      i = tensor->ndim - 1 - step;
    }
    if (tensor->shape[i] == 1) {
      continue;
    }
    if (tensor->strides[i] != expected || dlf__mul(expected, tensor->shape[i], &expected)) {
      return false;
    }
  }
  return true;
}

_Static_assert(DLF_MAX_NDIM <= 64, "sets of axes are bits of a uint64_t");

/* Find the axis that continues the run of memory so far, until none is left; ndim is small, so no
 * sorting. */
static bool is_dense(const DLTensor *tensor) {
  uint64_t left = 0;
  int64_t expected = 1;
  if (tensor->ndim > DLF_MAX_NDIM) {
    return false;
  }
  for (int32_t i = 0; i < tensor->ndim; i++) {
    if (tensor->shape[i] != 1) {
      left |= UINT64_C(1) << i;
    }
  }
  while (left) {
    int32_t i = 0;
    while (i < tensor->ndim && !((left >> i & 1) && tensor->strides[i] == expected)) {
      i++;
    }
    if (i == tensor->ndim || dlf__mul(expected, tensor->shape[i], &expected)) {
      return false;
    }
    left &= ~(UINT64_C(1) << i);
  }
  return true;
}

bool dlf_is_contiguous(const DLTensor *tensor, int32_t order) {
  if (!tensor || order < DLF_ROW_MAJOR || order > DLF_DENSE) {
    return false;
  }
  if (dlf__is_empty(tensor)) {
    return true;
  }
  if (!tensor->strides) { /* row-major: also column-major if at most one axis is longer than 1 */
    int32_t longer = 0;
    for (int32_t i = 0; i < tensor->ndim; i++) {
      longer += tensor->shape[i] != 1;
    }
    return order != DLF_COLUMN_MAJOR || longer <= 1;
  }
  if (order == DLF_DENSE) {
    return is_dense(tensor);
  }
  return is_ordered(tensor, order == DLF_ROW_MAJOR);
}

void dlf__fill_strides(int64_t ndim, const int64_t *shape, int32_t order, int64_t *strides) {
  int64_t stride = 1;
  for (int64_t step = 0; step < ndim; step++) {
    int64_t i = step;
    if (order == DLF_ROW_MAJOR) {
      i = ndim - 1 - step;
    }
    strides[i] = stride;
    /* Only a tensor without elements can overflow here, and its strides are never used. */
    if (dlf__mul(stride, shape[i] ? shape[i] : 1, &stride)) {
      stride = 0;
    }
  }
}

dlf_status dlf__compact_strides(const char *name, int64_t ndim, const int64_t *shape, int32_t order,
                                int64_t *strides, dlf_error *error) {
  int64_t count;
  const DLTensor tensor = {.ndim = (int32_t)ndim, .shape = (int64_t *)(uintptr_t)shape};
  if (order != DLF_ROW_MAJOR && order != DLF_COLUMN_MAJOR) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected row- or column-major order, got %" PRId32, name, order);
  }
  const dlf_status status = dlf__count(name, &tensor, &count, error);
  if (!status) {
    dlf__fill_strides(ndim, shape, order, strides);
  }
  return status;
}

dlf_status dlf__check_ndim(const char *name, int64_t ndim, dlf_error *error) {
  if (ndim >= 0 && ndim <= DLF_MAX_NDIM) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: expected ndim between 0 and %d, got %" PRId64,
                   name,
                   DLF_MAX_NDIM,
                   ndim);
}

dlf_status dlf__check_shape(const char *name, int64_t ndim, const int64_t *shape,
                            dlf_error *error) {
  const dlf_status status = dlf__check_ndim(name, ndim, error);
  if (!status && ndim > 0 && !shape) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected a shape of %" PRId64 " extents, got NULL", name, ndim);
  }
  return status;
}

dlf_status dlf__describe_plain(const char *name, DLDataType dtype, int64_t ndim,
                               const int64_t *shape, DLDevice device, DLTensor *out,
                               dlf_error *error) {
  *out = (DLTensor){NULL, device, (int32_t)ndim, dtype, (int64_t *)(uintptr_t)shape, NULL, 0};
  return dlf__check_shape(name, ndim, shape, error);
}

dlf_status dlf_compact_strides(int64_t ndim, const int64_t *shape, int32_t order, int64_t *strides,
                               dlf_error *error) {
  const dlf_status status = dlf__check_ndim("compact_strides", ndim, error);
  if (status) {
    return status;
  }
  if (ndim > 0 && (!shape || !strides)) {
    return dlf__missing("compact_strides", "shape and strides", error);
  }
  return dlf__compact_strides("compact_strides", ndim, shape, order, strides, error);
}

void dlf__steps(const DLTensor *tensor, int64_t *steps) {
  const bool empty = dlf__is_empty(tensor);
  if (!tensor->strides) {
    dlf__fill_strides(tensor->ndim, tensor->shape, DLF_ROW_MAJOR, steps);
  }
  for (int32_t i = 0; i < tensor->ndim; i++) {
    if (tensor->strides) {
      steps[i] = tensor->strides[i];
    }
    if (empty || tensor->shape[i] == 1) {
      steps[i] = 0;
    }
  }
}

void *dlf_data(const DLTensor *tensor) {
  if (tensor) {
    return dlf__data(tensor);
  }
  return NULL;
}

int64_t dlf_alignment(const DLTensor *tensor) {
  if (!tensor) {
    return 0;
  }
  const uint64_t address = dlf__address(tensor);
  const uint64_t highest = UINT64_C(1) << 62;
  if (address % highest == 0 || dlf__is_empty(tensor)) {
    return (int64_t)highest;
  }
  return (int64_t)(address & (~address + 1)); /* the lowest set bit */
}

/* CUDA, HIP and SYCL give no address to two memories, and managed or pinned memory may be described
 * as the device's. */
bool dlf__is_address(const DLTensor *tensor) {
  switch ((int32_t)tensor->device.device_type) {
  case kDLCUDA:
  case kDLROCM:
  case kDLOneAPI:
    return true;
  default:
    return dlf_is_reachable(tensor);
  }
}

static bool same_memory(const DLTensor *a, const DLTensor *b) {
  if (a->device.device_type == b->device.device_type &&
      a->device.device_id == b->device.device_id) {
    return true;
  }
  return dlf__is_address(a) && dlf__is_address(b);
}

/* The addresses touched are *begin to *end - 1; false if they wrap around, as only other devices'
 * handles may. */
static bool touched(dlf_arg arg, int64_t low, int64_t high, uint64_t *begin, uint64_t *end) {
  const uint64_t data = dlf__address(arg.tensor);
  *begin = data + (uint64_t)low;
  *end = data + (uint64_t)high;
  return *begin <= data && *end >= data;
}

/* Of a checked tensor with elements of whole bytes. */
static void touched_by(const DLTensor *tensor, uintptr_t *begin, uintptr_t *end) {
  const int64_t width = dlf__element_bytes(tensor->dtype);
  int64_t first = 0, last = 0;
  for (int32_t i = 0; i < tensor->ndim; i++) {
    const int64_t reach = (tensor->shape[i] - 1) * tensor->strides[i];
    if (reach < 0) {
      first += reach;
    } else {
      last += reach;
    }
  }
  const uintptr_t data = (uintptr_t)dlf__data(tensor);
  *begin = data + (uintptr_t)(first * width);
  *end = data + (uintptr_t)((last + 1) * width);
}

bool dlf__handles_overlap(const dlf_tensor *a, const dlf_tensor *b) {
  uintptr_t a_begin, a_end, b_begin, b_end;
  if (dlf__is_packed(a->dl.dtype, a->flags) || dlf__is_packed(b->dl.dtype, b->flags)) {
    return dlf_overlap((dlf_arg){&a->dl, a->flags}, (dlf_arg){&b->dl, b->flags});
  }
  if (dlf__is_empty(&a->dl)) {
    return false;
  }
  touched_by(&a->dl, &a_begin, &a_end);
  touched_by(&b->dl, &b_begin, &b_end);
  return a_begin < b_end && b_begin < a_end;
}

bool dlf_overlap(dlf_arg a, dlf_arg b) {
  int64_t a_low, a_high, b_low, b_high;
  uint64_t a_begin, a_end, b_begin, b_end;
  if (!a.tensor || !b.tensor || !same_memory(a.tensor, b.tensor)) {
    return false;
  }
  if (dlf__byte_range("overlap", a.tensor, a.flags, &a_low, &a_high, NULL) ||
      dlf__byte_range("overlap", b.tensor, b.flags, &b_low, &b_high, NULL)) {
    return true;
  }
  if (a_low == a_high || b_low == b_high) {
    return false;
  }
  if (!touched(a, a_low, a_high, &a_begin, &a_end) ||
      !touched(b, b_low, b_high, &b_begin, &b_end)) {
    return true;
  }
  return a_begin < b_end && b_begin < a_end;
}
