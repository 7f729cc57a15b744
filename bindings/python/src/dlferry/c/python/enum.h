/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_ENUM_H
#define DLFERRY_PYTHON_ENUM_H

#include "base.h"

/** A class of a package, such as an enum, borrowed from *type, or NULL with an exception.
 *  @param type  NULL at first, then the class */
PyObject *dlfpy_class(const char *package, const char *name, PyObject **type);

/** Return the member of a package's IntEnum or IntFlag, or a plain int for any other number. NULL,
 * without a new exception, if one is set already. */
PyObject *dlfpy_enum(const char *package, const char *name, PyObject **type, long long number);

/** Tell whether x may belong to an enum, as a member or a number, and not to another one;
 * dlfpy_integer or dlfpy_unsigned  reads it. */
bool dlfpy_enumerator(const char *name, const char *package, const char *class_name,
                      PyObject **type, PyObject *x);

#endif
