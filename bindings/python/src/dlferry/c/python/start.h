/* SPDX-License-Identifier: Apache-2.0 */
/* Start of an extension module. */
#ifndef DLFERRY_PYTHON_START_H
#define DLFERRY_PYTHON_START_H

#include "base.h"

/** Return what an extension module's init function returns. Its definition gets a first step, which
 * refuses every interpreter but the main one: types and the release queue belong to the process.
 *  @param module  NULL, with an exception, if there is none */
PyObject *dlfpy_init(const char *package, PyModuleDef *module);

/** Set up the shared state; once for each extension module. */
bool dlfpy_start(void);

/** Add a generated package's functions, as if Python code of the package had defined them. */
bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions);

#endif
