/* SPDX-License-Identifier: Apache-2.0 */
/* oneAPI's tensors: the hub's backend over dpctl's C library, and the queues of dpctl's arrays. */
#ifndef DLFERRY_PYTHON_ONEAPI_H
#define DLFERRY_PYTHON_ONEAPI_H

#include "base.h"

/** Enable the hub's backend if dpctl is imported. Runs no Python code and sets no exception:
 * without it such a tensor is one of an unknown device. */
void dlfpy_enable_oneapi(void);

/** See a foreign tensor before the hub does. */
static inline void dlfpy_meet(const DLTensor *t) {
  if (t->device.device_type == kDLOneAPI) {
    dlfpy_enable_oneapi();
  }
}

/** Wait until x's SYCL queue has finished, if it has one: __dlpack__ without a queue does not wait.
 */
bool dlfpy_wait_for_queue(PyObject *x, const char *name, DLDevice device);

#endif
