/* SPDX-License-Identifier: Apache-2.0 */
/* Views with another number of axes: reshape and broadcast. */
#include "hub/tensor/handle.h"

static dlf_status begin_with_shape(const char *name, const dlf_tensor *self, const int64_t *shape,
                                   int64_t ndim, dlf_tensor **out, dlf_error *error) {
  const dlf_status status = dlf__begin(name, self, out, error);
  if (status) {
    return status;
  }
  return dlf__check_shape(name, ndim, shape, error);
}

static DLTensor shaped(const dlf_tensor *self, int64_t ndim, int64_t *shape, int64_t *strides) {
  DLTensor shown = self->dl;
  shown.ndim = (int32_t)ndim;
  shown.shape = shape;
  shown.strides = strides;
  return shown;
}

/* Copy the requested shape; compute an extent of -1 from count and the others. */
static dlf_status complete(int64_t count, const int64_t *asked, int64_t ndim, int64_t *shape,
                           dlf_error *error) {
  int32_t open = -1;
  int64_t given;
  for (int32_t i = 0; i < ndim; i++) {
    shape[i] = asked[i];
    if (asked[i] != -1) {
      continue;
    }
    if (open >= 0) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "reshape: expected one extent of -1, got axes %d and %d (from 0)",
                       open,
                       i);
    }
    open = i;
    shape[i] = 1;
  }
  const DLTensor rest = {.ndim = (int32_t)ndim, .shape = shape};
  const dlf_status status = dlf__count("reshape", &rest, &given, error);
  if (status) {
    return status;
  }
  if (open >= 0 && given != 0 && count % given == 0) {
    shape[open] = count / given;
    return DLF_OK;
  }
  if (open < 0 && given == count) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_SHAPE,
                   "reshape: expected %s%" PRId64 " elements, got a shape of %" PRId64,
                   open < 0 ? "" : "a divisor of ",
                   count,
                   given);
}

/* Match runs of old axes with runs of new ones that hold equally many elements. A run of old axes
 * must be evenly spaced memory; the new axes then divide it. Old axes of extent 1 do not matter.
 * False if no strides fit. */
static bool regroup(const DLTensor *old, const int64_t *shape, int64_t ndim, int64_t *strides) {
  int32_t from = 0;
  int32_t to = 0;
  while (to < ndim) {
    int64_t old_run = 1;
    int64_t new_run = shape[to];
    int64_t stride = 1;
    int32_t end = to + 1;
    bool begun = false;
    for (;;) {
      if (old_run < new_run ||
          (!begun && new_run == 1 && from < old->ndim && old->shape[from] == 1)) {
        const int64_t extent = old->shape[from];
        if (extent != 1) {
          int64_t whole; /* one step past the axis; if it overflows, it is no other axis's stride */
          if (begun && (dlf__mul(extent, old->strides[from], &whole) || stride != whole)) {
            return false;
          }
          stride = old->strides[from];
          begun = true;
        }
        old_run *= extent;
        from++;
      } else if (new_run < old_run) {
        new_run *= shape[end++];
      } else {
        break;
      }
    }
    for (int32_t i = end - 1; i >= to; i--) {
      strides[i] = stride;
      /* Overflows only past the first axis of the run, where it is not used again. */
      (void)dlf__mul(stride, shape[i], &stride);
    }
    to = end;
  }
  return true;
}

dlf_status dlf_reshape(dlf_tensor *self, const int64_t *asked, int64_t ndim, dlf_tensor **out,
                       dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM], count;
  dlf_status status = begin_with_shape("reshape", self, asked, ndim, out, error);
  if (!status) {
    status = dlf__count("reshape", &self->dl, &count, error);
  }
  if (!status) {
    status = complete(count, asked, ndim, shape, error);
  }
  if (status) {
    return status;
  }
  if (count == 0) {
    dlf__fill_strides(ndim, shape, DLF_ROW_MAJOR, strides);
  } else if (!regroup(&self->dl, shape, ndim, strides)) {
    return dlf__fail(
        error,
        DLF_LAYOUT,
        "reshape: expected axes that are even in memory, got strides that need a copy: pass a "
        "row-major copy");
  }
  const DLTensor shown = shaped(self, ndim, shape, strides);
  return dlf__give_view("reshape", self, &shown, out, error);
}

dlf_status dlf_broadcast(dlf_tensor *self, const int64_t *shape, int64_t ndim, dlf_tensor **out,
                         dlf_error *error) {
  int64_t extents[DLF_MAX_NDIM], strides[DLF_MAX_NDIM], count;
  dlf_status status = begin_with_shape("broadcast", self, shape, ndim, out, error);
  if (status) {
    return status;
  }
  const int64_t added = ndim - self->dl.ndim;
  if (added < 0) {
    return dlf__fail(error,
                     DLF_SHAPE,
                     "broadcast: expected %d extents or more, got %" PRId64,
                     self->dl.ndim,
                     ndim);
  }
  for (int32_t i = 0; i < ndim; i++) {
    int64_t extent = 1;
    if (i >= added) {
      extent = self->dl.shape[i - added];
    }
    if (shape[i] != extent && extent != 1) {
      return dlf__fail(error,
                       DLF_SHAPE,
                       "broadcast: expected extent %" PRId64 " on axis %d (from 0), got %" PRId64,
                       extent,
                       i,
                       shape[i]);
    }
    extents[i] = shape[i];
    strides[i] = 0;
    if (shape[i] == extent && i >= added) {
      strides[i] = self->dl.strides[i - added];
    }
  }
  const DLTensor shown = shaped(self, ndim, extents, strides);
  status = dlf__count("broadcast", &shown, &count, error);
  if (status) {
    return status;
  }
  return dlf__give_view("broadcast", self, &shown, out, error);
}
