/* SPDX-License-Identifier: Apache-2.0 */
/* Code of every import, view and release, inlined: beside the one allocation, calls would cost
 * noticeably. */
#ifndef DLFERRY_HANDLE_H
#define DLFERRY_HANDLE_H

#include "hub/internal.h"

#include <stdlib.h>

/* Owners may own handles in turn, through any library between them, so that one release can run a
 * chain of others. At most DLF__DEEPEST of them are inside each other on a thread. The handles of
 * the next ones wait for the innermost of these, which releases them one by one: a chain of any
 * length needs little stack, and still has no end that comes later than the release of its first
 * handle. */
#define DLF__DEEPEST 8
DLF__BEGIN_HIDDEN
typedef struct dlf__releases {
  int32_t depth;       /* releases of this thread that are inside each other */
  bool clears_waiting; /* the innermost one releases what waits */
  dlf_tensor *waiting;
} dlf__releases;
extern _Thread_local dlf__releases dlf__releases_here;

/* Check the flags of a new tensor; dlf__refuse_new_flags says how it fails. */
static inline dlf_status dlf__check_new_flags(const char *name, uint64_t flags, dlf_error *error) {
  if (!(flags & ~(uint64_t)DLF__KNOWN_FLAGS)) {
    return DLF_OK;
  }
  return dlf__refuse_new_flags(name, flags, error);
}

/* Begin a call that makes a tensor of another one: *out is NULL until it has succeeded. Fails with
 * INVALID without a place or a tensor. */
static inline dlf_status dlf__begin(const char *name, const dlf_tensor *self, dlf_tensor **out,
                                    dlf_error *error) {
  if (!out) {
    return dlf__no_place(name, error);
  }
  *out = NULL;
  if (!self) {
    return dlf__no_tensor(name, error);
  }
  return DLF_OK;
}

/* Begin to release an owner that is not ours. NULL if the handle waits: its let_go will be called
 * again. */
static DLF__INLINE dlf__releases *dlf__begin_release(dlf_tensor *self) {
  dlf__releases *here = &dlf__releases_here;
  __asm__(
      ""
      : "+r"(
          here)); /* the compiler shall keep the address: in a shared library a call computes it */
  if (here->depth < DLF__DEEPEST) {
    here->depth++;
    return here;
  }
  self->next = here->waiting;
  here->waiting = self;
  return NULL;
}

/* Release what waited for this one. */
DLF__COLD void dlf__clear_waiting(dlf__releases *here);
DLF__END_HIDDEN

static DLF__INLINE void dlf__end_release(dlf__releases *here) {
  here->depth--;
  if (here->waiting && !here->clears_waiting) {
    dlf__clear_waiting(here);
  }
}

/* Begin a handle in the given memory, with a copy of shape and strides; NULL for NULL. dlf__check
 * has accepted tensor. The caller fills in flags, version, has_owner, owner, let_go and what let_go
 * reads. */
static DLF__INLINE dlf_tensor *dlf__tensor_at(dlf_tensor *self, const DLTensor *tensor) {
  const int64_t ndim = tensor->ndim;
  if (!self) {
    return NULL;
  }
  int64_t *const shape = self->extents;
  int64_t *const strides = self->extents + ndim;
  memcpy(&self->dl, tensor, sizeof self->dl); /* fewer moves than for its fields one by one */
  self->dl.shape = shape;
  self->dl.strides = strides;
  /* DLPack: the id of plain, pinned and managed memory "is set to 0". Some producers number their
   * processors. */
  if (tensor->device.device_id != 0 && dlf__is_host(tensor->device)) {
    self->dl.device.device_id = 0;
  }
  atomic_init(&self->references, 1);
  atomic_fetch_add_explicit(&dlf__live, 1, memory_order_relaxed);
  const int64_t *const from_shape = tensor->shape;
  const int64_t *const from_strides = tensor->strides;
  if (!from_strides || ndim < 2) {
    return dlf__copy_extents(self, from_shape, from_strides);
  }
  /* Copy pairs, since there are mostly so few that memcpy takes longer. The last pair may overlap
   * the one before. */
  for (int64_t i = 2; i + 2 < ndim; i += 2) {
    memcpy(shape + i, from_shape + i, 2 * sizeof *shape);
    memcpy(strides + i, from_strides + i, 2 * sizeof *strides);
  }
  memcpy(shape, from_shape, 2 * sizeof *shape);
  memcpy(strides, from_strides, 2 * sizeof *strides);
  memcpy(shape + ndim - 2, from_shape + ndim - 2, 2 * sizeof *shape);
  memcpy(strides + ndim - 2, from_strides + ndim - 2, 2 * sizeof *strides);
  return self;
}

/* The same in its own memory; NULL without memory. At most DLF_MAX_NDIM axes: the product cannot
 * overflow. */
static DLF__INLINE dlf_tensor *dlf__tensor_new(const DLTensor *tensor) {
  return dlf__tensor_at(malloc(sizeof(dlf_tensor) + 2 * (size_t)tensor->ndim * sizeof(int64_t)),
                        tensor);
}

/* Make a handle on elements that another handle keeps. It keeps that handle's first owner instead:
 * no chain grows, so a release never recurses and intermediate handles are freed at once. Its flags
 * are not set yet. */
static DLF__INLINE dlf_tensor *dlf__tensor_on(dlf_tensor *parent, const DLTensor *tensor) {
  dlf_tensor *self = dlf__tensor_new(tensor);
  if (!self) {
    return NULL;
  }
  self->owner = dlf_retain(parent->let_go == dlf__let_go_of_root ? parent->owner : parent);
  self->let_go = dlf__let_go_of_root;
  self->has_owner = parent->has_owner;
  return self;
}

/* The result of dlf_to_dlpack, with its own shape and strides, since a consumer may write into what
 * it owns. */
typedef struct dlf__export {
  DLManagedTensorVersioned managed;
  int64_t extents[];
} dlf__export;

static DLF__INLINE void dlf__tensor_free(dlf_tensor *self) {
  atomic_fetch_sub_explicit(&dlf__live, 1, memory_order_release);
  free(self);
}

#endif
