/* SPDX-License-Identifier: Apache-2.0 */
/* Start of an extension module. */
#ifndef DLFERRY_PYTHON_START_H
#define DLFERRY_PYTHON_START_H

#include "base.h"

/** Continue an extension module's init function, in the main interpreter only: types and the release queue belong to
 * the  process, and another interpreter's would replace them. */
PyObject *dlfpy_init(const char *package, PyObject *(*init)(void));

/** Set up the shared state; once for each extension module. */
bool dlfpy_start(void);

/** Add a generated package's functions, as if Python code of the package had defined them. */
bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions);

#endif
