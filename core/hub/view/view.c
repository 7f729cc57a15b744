/* SPDX-License-Identifier: Apache-2.0 */
/* Views that change one axis or the order of all. A view has its own handle; a view of a view keeps
 * the first owner. */
#include "hub/tensor/handle.h"

DLTensor dlf__editable(const dlf_tensor *self, int64_t *shape, int64_t *strides) {
  DLTensor shown = self->dl;
  const size_t bytes = (size_t)shown.ndim * sizeof *shape;
  if (bytes) {
    memcpy(shape, shown.shape, bytes);
    memcpy(strides, shown.strides, bytes);
  }
  shown.shape = shape;
  shown.strides = strides;
  return shown;
}

static DLF__INLINE dlf_status give_view(const char *name, dlf_tensor *self, const DLTensor *shown,
                                        dlf_tensor **out, dlf_error *error) {
  dlf_tensor *view = dlf__tensor_on(self, shown);
  if (!view) {
    return dlf__no_handle(name, error);
  }
  view->flags = self->flags;
  view->version = self->version;
  *out = view;
  return DLF_OK;
}

dlf_status dlf__give_view(const char *name, dlf_tensor *self, const DLTensor *shown,
                          dlf_tensor **out, dlf_error *error) {
  return give_view(name, self, shown, out, error);
}

static dlf_status want_axis(const char *name, const dlf_tensor *self, int64_t axis,
                            dlf_error *error) {
  if (axis >= 0 && axis < self->dl.ndim) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_BOUNDS,
                   "%s: expected axis below %d (from 0), got %" PRId64,
                   name,
                   self->dl.ndim,
                   axis);
}

static dlf_status begin_on_axis(const char *name, const dlf_tensor *self, int64_t axis,
                                dlf_tensor **out, dlf_error *error) {
  const dlf_status status = dlf__begin(name, self, out, error);
  if (status) {
    return status;
  }
  return want_axis(name, self, axis, error);
}

/* The touched bytes stay inside the parent's range, so only the sign needs care. */
dlf_status dlf__advance(const char *name, DLTensor *shown, uint64_t flags, int64_t elements,
                        dlf_error *error) {
  int64_t bytes;
  int bit;
  if (dlf__bytes_before(elements, shown->dtype, flags, &bytes, &bit)) {
    return dlf__fail(error, DLF_OVERFLOW, "%s: expected a nearer element", name);
  }
  if (bit) {
    return dlf__fail(error,
                     DLF_LAYOUT,
                     "%s: expected a view that starts on a byte, got bit %d of one",
                     name,
                     bit);
  }
  /* Some consumers, such as torch, ignore byte_offset and read wrong values: data itself moves if
   * it is an address. */
  if (shown->data && dlf__is_address(shown)) {
    shown->data = (void *)((uintptr_t)dlf__data(shown) + (uintptr_t)bytes);
    shown->byte_offset = 0;
    return DLF_OK;
  }
  const bool has_offset = bytes >= 0 ? (uint64_t)bytes <= UINT64_MAX - shown->byte_offset
                                     : shown->byte_offset >= (uint64_t)0 - (uint64_t)bytes;
  if (has_offset) {
    shown->byte_offset += (uint64_t)bytes;
    return DLF_OK;
  }
  /* byte_offset is unsigned, and moving a handle would make another one. */
  return dlf__fail(
      error, DLF_LAYOUT, "%s: expected a view that starts behind data, got one before it", name);
}

/* The last element must exist too; start + (count - 1) * step may overflow on hostile input. */
bool dlf__is_range(int64_t extent, int64_t start, int64_t count, int64_t step) {
  int64_t reach, last;
  if (count == 0) {
    return start >= 0 && start <= extent;
  }
  if (start < 0 || start >= extent || count < 0) {
    return false;
  }
  return !dlf__mul(count - 1, step, &reach) && !dlf__add(start, reach, &last) && last >= 0 &&
         last < extent;
}

static DLF__INLINE dlf_status slice(const char *name, dlf_tensor *self, int64_t axis, int64_t start,
                                    int64_t count, int64_t step, dlf_tensor **out,
                                    dlf_error *error) {
  DLTensor shown = self->dl;
  const int64_t stride = shown.strides[axis];
  /* An empty tensor touches nothing, and its strides may have any value. */
  const bool touches = count > 0 && !dlf__is_empty(&shown);
  dlf_status status = DLF_OK;
  if (touches && start) {
    status = dlf__advance(name, &shown, self->flags, start * stride, error);
  }
  if (!status) {
    status = give_view(name, self, &shown, out, error);
  }
  if (status) {
    return status;
  }
  (*out)->dl.shape[axis] = count;
  /* At least two elements lie inside the parent's range: this cannot overflow. */
  if (touches && count > 1) {
    (*out)->dl.strides[axis] = stride * step;
  }
  if (!touches || !dlf__is_packed(shown.dtype, self->flags)) {
    return DLF_OK;
  }
  /* A distance within 2^63 bytes may be more than 2^63 elements from the new first element. */
  status = dlf__check(name, &(*out)->dl, self->flags, error);
  if (!status) {
    return DLF_OK;
  }
  dlf_release(*out);
  *out = NULL;
  return status;
}

dlf_status dlf_slice(dlf_tensor *self, int64_t axis, int64_t start, int64_t count, int64_t step,
                     dlf_tensor **out, dlf_error *error) {
  const dlf_status status = begin_on_axis("slice", self, axis, out, error);
  if (status) {
    return status;
  }
  if (step == 0) {
    return dlf__fail(error, DLF_INVALID, "slice: expected step other than 0, got 0");
  }
  if (!dlf__is_range(self->dl.shape[axis], start, count, step)) {
    return dlf__fail(error,
                     DLF_BOUNDS,
                     "slice: expected %" PRId64 " elements from %" PRId64 " in steps of %" PRId64
                     " inside axis %" PRId64 " (from 0) of extent %" PRId64,
                     count,
                     start,
                     step,
                     axis,
                     self->dl.shape[axis]);
  }
  return slice("slice", self, axis, start, count, step, out, error);
}

static void drop_axis(DLTensor *shown, int64_t axis) {
  const size_t after = (size_t)(shown->ndim - axis - 1) * sizeof *shown->shape;
  memmove(shown->shape + axis, shown->shape + axis + 1, after);
  memmove(shown->strides + axis, shown->strides + axis + 1, after);
  shown->ndim--;
}

dlf_status dlf_select(dlf_tensor *self, int64_t axis, int64_t index, dlf_tensor **out,
                      dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  dlf_status status = begin_on_axis("select", self, axis, out, error);
  if (status) {
    return status;
  }
  DLTensor shown = dlf__editable(self, shape, strides);
  if (index < 0 || index >= shape[axis]) {
    return dlf__fail(error,
                     DLF_BOUNDS,
                     "select: expected index below %" PRId64 " of axis %" PRId64
                     " (from 0), got %" PRId64,
                     shape[axis],
                     axis,
                     index);
  }
  if (index != 0 && !dlf__is_empty(&shown)) {
    status = dlf__advance("select", &shown, self->flags, index * strides[axis], error);
  }
  if (status) {
    return status;
  }
  drop_axis(&shown, axis);
  return dlf__give_view("select", self, &shown, out, error);
}

dlf_status dlf_permute(dlf_tensor *self, const int64_t *axes, int64_t ndim, dlf_tensor **out,
                       dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  uint64_t seen = 0;
  dlf_status status = dlf__begin("permute", self, out, error);
  if (status) {
    return status;
  }
  if (ndim != self->dl.ndim) {
    return dlf__fail(
        error, DLF_INVALID, "permute: expected %d axes, got %" PRId64, self->dl.ndim, ndim);
  }
  if (ndim > 0 && !axes) {
    return dlf__fail(error, DLF_INVALID, "permute: expected %d axes, got NULL", self->dl.ndim);
  }
  DLTensor shown = dlf__editable(self, shape, strides);
  for (int32_t i = 0; i < ndim; i++) {
    status = want_axis("permute", self, axes[i], error);
    if (status) {
      return status;
    }
    if (seen >> axes[i] & 1) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "permute: expected each axis once, got axis %" PRId64 " (from 0) again",
                       axes[i]);
    }
    seen |= UINT64_C(1) << axes[i];
    shape[i] = self->dl.shape[axes[i]];
    strides[i] = self->dl.strides[axes[i]];
  }
  return dlf__give_view("permute", self, &shown, out, error);
}

dlf_status dlf_squeeze(dlf_tensor *self, int64_t axis, dlf_tensor **out, dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  const dlf_status status = begin_on_axis("squeeze", self, axis, out, error);
  if (status) {
    return status;
  }
  DLTensor shown = dlf__editable(self, shape, strides);
  if (shape[axis] != 1) {
    return dlf__fail(error,
                     DLF_SHAPE,
                     "squeeze: expected axis %" PRId64 " (from 0) of extent 1, got %" PRId64,
                     axis,
                     shape[axis]);
  }
  drop_axis(&shown, axis);
  return dlf__give_view("squeeze", self, &shown, out, error);
}

dlf_status dlf_unsqueeze(dlf_tensor *self, int64_t axis, dlf_tensor **out, dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM + 1], strides[DLF_MAX_NDIM + 1];
  const dlf_status status = dlf__begin("unsqueeze", self, out, error);
  if (status) {
    return status;
  }
  if (axis < 0 || axis > self->dl.ndim) {
    return dlf__fail(error,
                     DLF_BOUNDS,
                     "unsqueeze: expected axis up to %d (from 0), got %" PRId64,
                     self->dl.ndim,
                     axis);
  }
  if (self->dl.ndim == DLF_MAX_NDIM) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "unsqueeze: expected fewer than %d axes, got %d",
                     DLF_MAX_NDIM,
                     DLF_MAX_NDIM);
  }
  DLTensor shown = dlf__editable(self, shape, strides);
  const size_t after = (size_t)(shown.ndim - axis) * sizeof *shape;
  memmove(shape + axis + 1, shape + axis, after);
  memmove(strides + axis + 1, strides + axis, after);
  shape[axis] = 1;
  /* Never used to move; this value keeps a row-major tensor looking row-major to careless
   * consumers. */
  if (axis == shown.ndim || dlf__mul(shape[axis + 1], strides[axis + 1], &strides[axis])) {
    strides[axis] = 1;
  }
  shown.ndim++;
  return dlf__give_view("unsqueeze", self, &shown, out, error);
}

dlf_status dlf_flip(dlf_tensor *self, int64_t axis, dlf_tensor **out, dlf_error *error) {
  const dlf_status status = begin_on_axis("flip", self, axis, out, error);
  if (status) {
    return status;
  }
  const int64_t extent = self->dl.shape[axis];
  return slice("flip", self, axis, extent > 0 ? extent - 1 : 0, extent, -1, out, error);
}
