/* SPDX-License-Identifier: Apache-2.0 */
/* How an extension module begins. */
#ifndef DLFERRY_PYTHON_START_H
#define DLFERRY_PYTHON_START_H

#include "base.h"

/** Go on with an extension module's init function, in the main interpreter only: types and the release queue are the
 *  process's, and another interpreter's would take their place. */
PyObject *dlfpy_init(const char *package, PyObject *(*init)(void));

/** Set up what the functions here share; once for each extension module. */
bool dlfpy_start(void);

/** Add a generated package's functions, as if Python code of the package had defined them. */
bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions);

#endif
