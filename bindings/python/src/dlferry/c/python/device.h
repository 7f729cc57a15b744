/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_DEVICE_H
#define DLFERRY_PYTHON_DEVICE_H

#include "base.h"

/** Read a (device type, device id) pair. */
bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out);

/** Return the number of a device's default stream, or None. */
PyObject *dlfpy_default_stream(DLDevice device);

/** How to satisfy a consumer that asks for a device and a copy. */
typedef enum dlfpy_transfer {
  DLFPY_AS_IT_IS,
  DLFPY_BY_COPY,  /**< also from pinned or managed memory to plain memory */
  DLFPY_ELSEWHERE /* needs a device runtime, or a forbidden copy */
} dlfpy_transfer;

/** Decide.
 *  @param device  the requested one; type 0 for the device that the data is on
 *  @param copy    1 must, 0 must not, -1 may */
dlfpy_transfer dlfpy_transfer_of(const DLTensor *t, DLDevice device, int copy);

/** Raise for data on another device than expected. Returns NULL. */
PyObject *dlfpy_wrong_device(const char *name, DLDevice expected, DLDevice got);

#endif
