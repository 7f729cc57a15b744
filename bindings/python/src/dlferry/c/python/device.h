/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_DEVICE_H
#define DLFERRY_PYTHON_DEVICE_H

#include "base.h"

/** Read a (device type, device id) pair. */
bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out);

/** Read a device as callers give it: a name, a pair, or another package's device. */
bool dlfpy_device(PyObject *x, const char *name, DLDevice *out);

/** Return the number of a device's default stream, or None. */
PyObject *dlfpy_default_stream(DLDevice device);

#endif
