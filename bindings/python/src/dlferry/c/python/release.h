/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_RELEASE_H
#define DLFERRY_PYTHON_RELEASE_H

#include "base.h"

/** The queue of Python objects whose tensors were released on a thread without the GIL. */
extern dlf_queue *dlfpy_queue;
extern void *const *dlfpy_queue_head;

/** Set up the queue; once for each extension module. */
bool dlfpy_open_queue(void);

/** Release the waiting objects. Keeps an exception that is being handled. */
void dlfpy_drain_now(void);

static inline void dlfpy_drain(void) {
  if (dlf_queue_has_waiting(dlfpy_queue_head)) {
    dlfpy_drain_now();
  }
}

/* Release where an exception may be in flight: a deleter may run Python code. */

void dlfpy_release(dlf_tensor *owned);
void dlfpy_release_managed(DLManagedTensorVersioned *owned);
void dlfpy_release_legacy(DLManagedTensor *owned);

/** Give a handle on memory that an object keeps; takes the object, even on failure. */
dlf_tensor *dlfpy_wrap(PyObject *owned, const DLTensor *t, uint64_t flags, const char *name);

/** Give a handle on a managed tensor, which it takes, even on failure. */
dlf_tensor *dlfpy_take(DLManagedTensorVersioned *owned, const char *name);

/** Give a handle on a tensor's memory, which it keeps, with another description. */
dlf_tensor *dlfpy_redescribe(dlf_tensor *self, const DLTensor *description, uint64_t flags);

#endif
