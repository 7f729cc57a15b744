/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the same bytes as another dtype: bit-cast and lanes. All widths are in bits, for packed
 * elements. */
#include "hub/tensor/handle.h"

/* Bits from one element to the next. */
static int64_t width_of(DLDataType dtype, uint64_t flags) {
  const int64_t bits = dlf__element_bits(dtype);
  if (dlf__is_packed(dtype, flags)) {
    return bits;
  }
  return (bits + 7) / 8 * 8;
}

/* Convert a number of elements to elements of another width; *whole unless they end inside one.
 * True if the result does not fit, which the number of bits need not. */
static bool in_widths(int64_t elements, int64_t from, int64_t to, bool *whole, int64_t *out) {
  /* Euclid's algorithm */
  int64_t common = from;
  int64_t rest = to;
  while (rest) {
    const int64_t next = common % rest;
    common = rest;
    rest = next;
  }
  *whole = elements % (to / common) == 0;
  return dlf__mul(elements / (to / common), from / common, out);
}

/* Strides count elements; convert them to elements of another width. Axes that never move may have
 * any stride. */
static dlf_status rescale(const char *name, DLTensor *shown, int32_t axes, int64_t from, int64_t to,
                          dlf_error *error) {
  for (int32_t i = 0; i < axes; i++) {
    const int64_t stride = shown->strides[i];
    int64_t bits;
    bool whole;
    if (shown->shape[i] <= 1) {
      shown->strides[i] = 0;
      continue;
    }
    const bool far = in_widths(stride, from, to, &whole, &shown->strides[i]);
    if (whole && !far) {
      continue;
    }
    if (far || dlf__mul(stride, from, &bits)) {
      return dlf__fail(error,
                       DLF_OVERFLOW,
                       "%s: expected a stride below 2^63 bits, got %" PRId64 " elements",
                       name,
                       stride);
    }
    return dlf__fail(error,
                     DLF_LAYOUT,
                     "%s: expected strides in whole elements of %" PRId64 " bits, got %" PRId64
                     " bits on axis %d (from 0)",
                     name,
                     to,
                     bits,
                     i);
  }
  return DLF_OK;
}

static dlf_status check_last_axis(const char *name, const DLTensor *tensor, dlf_error *error) {
  const int32_t last = tensor->ndim - 1;
  if (last < 0) {
    return dlf__fail(error, DLF_SHAPE, "%s: expected an axis, got a tensor without one", name);
  }
  if (tensor->shape[last] <= 1 || tensor->strides[last] == 1) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "%s: expected a dense last axis, got stride %" PRId64 ": pass a row-major copy",
                   name,
                   tensor->strides[last]);
}

dlf_status dlf_bitcast(dlf_tensor *self, DLDataType dtype, dlf_tensor **out, dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM], extent, bits;
  bool whole;
  dlf_status status = dlf__begin("bitcast", self, out, error);
  if (!status) {
    status = dlf__check_dtype("bitcast", dtype, error);
  }
  if (!status) {
    status = dlf__check_codes_released("bitcast", dtype, (DLDevice){kDLCPU, 0}, error);
  }
  if (status) {
    return status;
  }
  const int64_t from = width_of(self->dl.dtype, self->flags);
  const int64_t to = width_of(dtype, self->flags);
  DLTensor shown = dlf__editable(self, shape, strides);
  shown.dtype = dtype;
  if (from == to) {
    return dlf__give_view("bitcast", self, &shown, out, error);
  }
  status = check_last_axis("bitcast", &shown, error);
  if (status) {
    return status;
  }
  const int32_t last = shown.ndim - 1;
  const bool far = in_widths(shape[last], from, to, &whole, &extent);
  if (far || (!whole && dlf__mul(shape[last], from, &bits))) {
    return dlf__fail(error,
                     DLF_OVERFLOW,
                     "bitcast: expected an axis below 2^63 bits, got %" PRId64 " elements",
                     shape[last]);
  }
  if (!whole) {
    return dlf__fail(error,
                     DLF_SHAPE,
                     "bitcast: expected a last axis of whole elements of %" PRId64
                     " bits, got %" PRId64 " bits",
                     to,
                     bits);
  }
  if (!dlf__is_empty(&shown)) {
    status = rescale("bitcast", &shown, last, from, to, error);
  }
  if (status) {
    return status;
  }
  shape[last] = extent;
  strides[last] = 1;
  /* Narrower elements are more, and further apart: neither number may fit, for overlapping or
   * packed elements. */
  status = dlf__check("bitcast", &shown, self->flags, error);
  if (status) {
    return status;
  }
  return dlf__give_view("bitcast", self, &shown, out, error);
}

/* Padding surrounds an element with all its lanes, so padded lanes and padded elements lie
 * differently. */
static dlf_status begin_lanes(const char *name, const dlf_tensor *self, dlf_tensor **out,
                              dlf_error *error) {
  const dlf_status status = dlf__begin(name, self, out, error);
  if (status) {
    return status;
  }
  if (!(self->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) || self->dl.dtype.bits % 8 == 0) {
    return DLF_OK;
  }
  return dlf__fail(error, DLF_UNSUPPORTED, "%s: expected packed elements, got padded", name);
}

dlf_status dlf_pack_lanes(dlf_tensor *self, dlf_tensor **out, dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  dlf_status status = begin_lanes("pack_lanes", self, out, error);
  if (status) {
    return status;
  }
  DLTensor shown = dlf__editable(self, shape, strides);
  if (shown.dtype.lanes != 1) {
    return dlf__fail(
        error, DLF_DTYPE, "pack_lanes: expected a dtype of 1 lane, got %d", shown.dtype.lanes);
  }
  status = check_last_axis("pack_lanes", &shown, error);
  if (status) {
    return status;
  }
  const int64_t bits = shown.dtype.bits;
  const int64_t lanes = shape[--shown.ndim];
  if (lanes < 1 || lanes > UINT16_MAX) {
    return dlf__fail(
        error, DLF_SHAPE, "pack_lanes: expected a last axis of 1 to 65535, got %" PRId64, lanes);
  }
  if (!dlf__is_empty(&shown)) {
    status = rescale("pack_lanes", &shown, shown.ndim, bits, bits * lanes, error);
  }
  if (status) {
    return status;
  }
  shown.dtype.lanes = (uint16_t)lanes;
  return dlf__give_view("pack_lanes", self, &shown, out, error);
}

dlf_status dlf_unpack_lanes(dlf_tensor *self, dlf_tensor **out, dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM + 1], strides[DLF_MAX_NDIM + 1];
  dlf_status status = begin_lanes("unpack_lanes", self, out, error);
  if (status) {
    return status;
  }
  DLTensor shown = dlf__editable(self, shape, strides);
  if (shown.ndim == DLF_MAX_NDIM) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "unpack_lanes: expected fewer than %d axes, got %d",
                     DLF_MAX_NDIM,
                     DLF_MAX_NDIM);
  }
  const int64_t bits = shown.dtype.bits;
  const int64_t lanes = shown.dtype.lanes;
  if (!dlf__is_empty(&shown)) {
    status = rescale("unpack_lanes", &shown, shown.ndim, bits * lanes, bits, error);
  }
  if (status) {
    return status;
  }
  shape[shown.ndim] = lanes;
  strides[shown.ndim++] = 1;
  shown.dtype.lanes = 1;
  /* Lanes multiply counts and strides, which may no longer fit. */
  status = dlf__check("unpack_lanes", &shown, self->flags, error);
  if (status) {
    return status;
  }
  return dlf__give_view("unpack_lanes", self, &shown, out, error);
}
