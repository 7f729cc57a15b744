/* SPDX-License-Identifier: Apache-2.0 */
/* What runs on every import, view and release, inlined there: beside the one allocation, calls would count. */
#ifndef DLFERRY_HANDLE_H
#define DLFERRY_HANDLE_H

#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* What most tensors are: elements of whole bytes, axes, no extent of 0, no stride below 0, nothing to complain about.
 * Stands before every import and every call, so it says no as soon as a closer look must tell. */
static inline bool dlf__is_plainly_sound(const DLTensor *tensor) {
  int64_t count = 1, last = 0, reach, size;
  const DLDataType dtype = tensor->dtype;
  const int64_t bits = dlf__element_bits(dtype), *const shape = tensor->shape, *const strides = tensor->strides;
  const uintptr_t data = (uintptr_t)tensor->data;
  int64_t i = (int64_t)tensor->ndim - 1;
  if (bits == 0 || bits % 8 != 0 || (uint64_t)i >= DLF_MAX_NDIM || !shape || !data || tensor->device.device_id < 0)
    return false;
  if (dtype.code >= kDLFloat8_e3m4 && dtype.code <= kDLFloat4_e2m1fn &&
      (dtype.bits != 8 || dtype.code >= kDLFloat6_e2m3fn))
    return false;
  /* As long as the strides are row-major, the count so far is the next one and says how far the axes reach. */
  for (; i >= 0 && (!strides || strides[i] == count); i--)
    if (shape[i] <= 0 || dlf__mul(shape[i], count, &count)) return false;
  last = count - 1;
  for (; i >= 0; i--)
    if (shape[i] <= 0 || dlf__mul(count, shape[i], &count) || strides[i] < 0 ||
        dlf__mul(shape[i] - 1, strides[i], &reach) || dlf__add(last, reach, &last))
      return false;
  if (dlf__add(last, 1, &size) || dlf__mul(size, bits / 8, &size)) return false;
  return !dlf__is_host(tensor->device) || /* a handle is no address */
         (tensor->byte_offset <= UINTPTR_MAX - data &&
          (uintptr_t)size <= UINTPTR_MAX - data - (uintptr_t)tensor->byte_offset);
}

/* Allocate a handle with a copy of shape and strides; tensor has passed dlf__check. NULL when there is no memory. The
 * caller fills in flags, version, has_owner, owner, let_go and what let_go needs. */
static inline dlf_tensor *dlf__tensor_new(const DLTensor *tensor) {
  const int64_t ndim = tensor->ndim; /* at most DLF_MAX_NDIM: the product below cannot overflow */
  dlf_tensor *self = malloc(sizeof *self + 2 * (size_t)ndim * sizeof *self->extents);
  if (!self) return NULL;
  int64_t *const shape = self->extents, *const strides = self->extents + ndim, i = 0;
  /* Producers before DLPack 1.2 may give no strides: the shape stands in until they are filled in. */
  const int64_t *const from = tensor->strides ? tensor->strides : tensor->shape;
  self->dl.data = tensor->data;
  self->dl.device = tensor->device;
  self->dl.ndim = tensor->ndim;
  self->dl.dtype = tensor->dtype;
  self->dl.shape = ndim ? shape : NULL;
  self->dl.strides = ndim ? strides : NULL;
  self->dl.byte_offset = tensor->byte_offset;
  atomic_init(&self->references, 1);
  /* Pairs, since there are mostly so few that a call of memcpy takes longer. */
  for (; i + 1 < ndim; i += 2) {
    memcpy(shape + i, tensor->shape + i, 2 * sizeof *shape);
    memcpy(strides + i, from + i, 2 * sizeof *strides);
  }
  if (i < ndim) {
    shape[i] = tensor->shape[i];
    strides[i] = from[i];
  }
  if (!tensor->strides) dlf__fill_strides((int32_t)ndim, shape, DLF_ROW_MAJOR, strides);
  atomic_fetch_add_explicit(&dlf__live, 1, memory_order_relaxed);
  return self;
}

static inline void dlf__tensor_free(dlf_tensor *self) {
  atomic_fetch_sub_explicit(&dlf__live, 1, memory_order_release);
  free(self);
}

#endif
