/* SPDX-License-Identifier: Apache-2.0 */
/* Counting and releasing handles. */
#include "handle.h"

_Atomic int64_t dlf__live;

int64_t dlf_live(void) {
  return atomic_load_explicit(&dlf__live, memory_order_acquire);
}

dlf_status dlf__no_handle(const char *name, dlf_error *error) {
  return dlf__fail(error, DLF_NO_MEMORY, "%s: expected memory for a handle, got none", name);
}

dlf_tensor *dlf__copy_extents(dlf_tensor *self, const int64_t *shape, const int64_t *strides) {
  const int32_t ndim = self->dl.ndim;
  if (ndim == 0) {
    self->dl.shape = self->dl.strides = NULL;
  }
  for (int32_t i = 0; i < ndim; i++) {
    self->dl.shape[i] = shape[i];
    if (strides) {
      self->dl.strides[i] = strides[i];
    }
  }
  if (!strides) {
    dlf__fill_strides(ndim, self->dl.shape, DLF_ROW_MAJOR, self->dl.strides);
  }
  return self;
}

void dlf__let_go_of_root(dlf_tensor *self) {
  dlf_release(self->owner);
  dlf__tensor_free(self);
}

_Thread_local dlf__releases dlf__releases_here;

void dlf__clear_waiting(dlf__releases *here) {
  here->clears_waiting = true;
  while (here->waiting) {
    dlf_tensor *first = here->waiting;
    here->waiting = first->next;
    first->let_go(first);
  }
  here->clears_waiting = false;
}

dlf_tensor *dlf_retain(dlf_tensor *self) {
  if (self) {
    atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
  }
  return self;
}

void dlf_release(dlf_tensor *self) {
  if (!self) {
    return;
  }
  /* Acquire and release: other threads' uses of the tensor happen before its owner is released. The
   * holder of the only reference need not write: no other thread can add or drop one. */
  if (atomic_load_explicit(&self->references, memory_order_acquire) == 1 ||
      atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) == 1) {
    self->let_go(self);
  }
}

const DLTensor *dlf_dltensor(const dlf_tensor *self) {
  if (self) {
    return &self->dl;
  }
  return NULL;
}

/* Acquire: uses of the tensor by former holders happen before the caller's next ones. */
bool dlf_is_unique(const dlf_tensor *self) {
  if (!self || atomic_load_explicit(&self->references, memory_order_acquire) != 1) {
    return false;
  }
  return self->let_go != dlf__let_go_of_root || dlf_is_unique(self->owner);
}

uint64_t dlf_flags(const dlf_tensor *self) {
  if (self) {
    return self->flags;
  }
  return 0;
}

DLPackVersion dlf_dlpack_version(const dlf_tensor *self) {
  if (self) {
    return self->version;
  }
  return (DLPackVersion){0, 0};
}
