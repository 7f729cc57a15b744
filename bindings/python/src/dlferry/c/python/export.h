/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_EXPORT_H
#define DLFERRY_PYTHON_EXPORT_H

#include "content.h"

/** The method __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) of an object
 * whose content content_of lends, or else explains with an exception. */
PyObject *dlfpy_dlpack(PyObject *x, dlfpy_content (*content_of)(PyObject *x),
                       PyObject *const *given, Py_ssize_t count, PyObject *names);
PyObject *dlfpy_dlpack_device(dlf_tensor *self);

#endif
