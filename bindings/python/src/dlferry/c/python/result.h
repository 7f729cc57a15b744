/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_RESULT_H
#define DLFERRY_PYTHON_RESULT_H

#include "content.h"

/** Make an array of like's framework from a new tensor. If like is NULL, a buffer or a capsule, it
 * is NumPy's; if NumPy is missing or has no such array, a dlferry.Tensor. Takes owned, even on
 * failure, and adds no exception if one is set already. */
PyObject *dlfpy_give(PyObject *like, DLManagedTensorVersioned *owned);

/** A named tuple of several results, all taken; NULL if one is NULL.
 *  @param type  NULL at first, then the package's class of that name */
PyObject *dlfpy_results(const char *package, const char *name, PyObject **type, PyObject **results,
                        int count);

/** Return a str of a text that C lends. */
PyObject *dlfpy_text(const char *text);

/** Make a NumPy array of a handle's memory, which keeps the handle. */
PyObject *dlfpy_numpy(dlfpy_content content);

#endif
