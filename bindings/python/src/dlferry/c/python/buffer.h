/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_BUFFER_H
#define DLFERRY_PYTHON_BUFFER_H

#include "base.h"

/** Give a handle on the memory of an object with the buffer protocol, with its own description. */
dlf_tensor *dlfpy_buffer_wrap(PyObject *x, const char *name);

/** The format of the struct module for a dtype, or NULL. */
const char *dlfpy_buffer_format(DLDataType dtype);

#endif
