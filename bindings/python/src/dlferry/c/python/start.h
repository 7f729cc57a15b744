/* SPDX-License-Identifier: Apache-2.0 */
/* Start of an extension module. */
#ifndef DLFERRY_PYTHON_START_H
#define DLFERRY_PYTHON_START_H

#include "base.h"

/** Continue an extension module's init function, whose definition of a module gets a first step: it
 * refuses every interpreter but the main one, since types and the release queue belong to the
 * process. */
PyObject *dlfpy_init(const char *package, PyObject *(*init)(void));

/** Set up the shared state; once for each extension module. */
bool dlfpy_start(void);

/** Add a generated package's functions, as if Python code of the package had defined them. */
bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions);

#endif
