/* SPDX-License-Identifier: Apache-2.0 */
/* The quick check of a tensor, inlined in every import and call. */
#ifndef DLFERRY_PLAIN_H
#define DLFERRY_PLAIN_H

#include "dtype.h"

/* Accept the usual tensor: elements of whole bytes, axes, no extent of 0, no negative stride, no
 * fault; *out is then the number of bytes that it reaches from the first. It runs before every
 * import and every call, so it returns false as soon as the full check must decide. */
static DLF__INLINE bool dlf__plain_size(const DLTensor *tensor, int64_t *out) {
  const DLDataType dtype = tensor->dtype;
  const int64_t *const shape = tensor->shape;
  const int64_t *const strides = tensor->strides;
  int64_t i = (int64_t)tensor->ndim - 1;
  int64_t count = 1;
  int64_t signs = tensor->device.device_id;
  int64_t last, reach, size;
  uintptr_t end;
  if (dtype.bits % 8 != 0 || (uint64_t)i >= DLF_MAX_NDIM || !shape) {
    return false;
  }
  if (dtype.code > kDLBool && !dlf__has_right_width(dtype)) {
    return false; /* codes up to there have any width */
  }
  /* While the strides are row-major, the count so far is the next stride and the reach of the axes.
   * The first negative extent makes the next count negative, or follows a 0, which makes the size
   * 0. */
  if (strides) {
    for (; i >= 0 && strides[i] == count; i--) {
      if (dlf__mul(count, shape[i], &count)) {
        return false;
      }
      signs |= count;
    }
  } else {
    for (; i >= 0; i--) {
      if (dlf__mul(count, shape[i], &count)) {
        return false;
      }
      signs |= count;
    }
  }
  if (i >= 0) {
    if (signs < 0 || count <= 0) {
      return false;
    }
    for (last = count - 1; i >= 0; i--) {
      if (shape[i] <= 0 || dlf__mul(count, shape[i], &count) || strides[i] < 0 ||
          dlf__mul(shape[i] - 1, strides[i], &reach) || dlf__add(last, reach, &last)) {
        return false;
      }
    }
    if (dlf__add(last, 1, &count)) {
      return false;
    }
  }
  if (dlf__mul(count, (int64_t)(dtype.bits / 8) * dtype.lanes, &size)) {
    return false;
  }
  if ((signs | (int64_t)((uint64_t)size - 1)) < 0 || !tensor->data) {
    return false;
  }
  *out = size;
  /* If data is a handle and not an address, this may refuse without a reason: the full check
   * decides. */
  return !__builtin_add_overflow((uintptr_t)tensor->data, tensor->byte_offset, &end) &&
         !__builtin_add_overflow(end, (uint64_t)size, &end);
}

static DLF__INLINE bool dlf__is_plainly_sound(const DLTensor *tensor) {
  int64_t size;
  return dlf__plain_size(tensor, &size);
}

#endif
