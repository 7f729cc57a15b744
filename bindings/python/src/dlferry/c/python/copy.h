/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_COPY_H
#define DLFERRY_PYTHON_COPY_H

#include "base.h"

/** Read the word copy of from_dlpack and __dlpack__: None, absent too, True or False. */
bool dlfpy_copy_mode(PyObject *x, dlf_copy_mode *out);

/** Whether the hub, asked for this device and copy, copies or fails. */
static inline bool dlfpy_is_moved(const DLTensor *t, DLDevice device, dlf_copy_mode copy) {
  return copy == DLF_COPY_ALWAYS || (device.device_type && !dlf_device_equal(device, t->device));
}

/** Keep a tensor while the hub copies it, with the GIL released if it is large. */
PyThreadState *dlfpy_begin_copy(dlf_tensor *self);
void dlfpy_end_copy(dlf_tensor *self, PyThreadState *thread);

/** Copy a tensor so. NULL with an exception. */
dlf_tensor *dlfpy_copy(dlf_tensor *self);

#endif
