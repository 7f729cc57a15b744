/* SPDX-License-Identifier: Apache-2.0 */
/* Types of other packages, and attributes of their objects. */
#ifndef DLFERRY_PYTHON_TYPE_H
#define DLFERRY_PYTHON_TYPE_H

#include "base.h"

/** A type that is known by identity, and the version of it that was looked at: any change of the type or of one that it
 *  derives from gives it another. All zero for none. */
typedef struct dlfpy_type {
  PyTypeObject *type; /**< kept: a new type at the address of a dead one would be taken for it */
  unsigned version;
} dlfpy_type;

/** The version of a type as it is now; 0 when CPython has none for it. */
static inline unsigned dlfpy_version(const PyTypeObject *type) {
  return type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG ? type->tp_version_tag : 0;
}

/** Give an attribute of a module, borrowed, if the module has been imported; else NULL. Runs no Python code. */
PyObject *dlfpy_imported(const char *module, const char *name);

/** Give an attribute of x in *out, NULL where there is none or None. False when anything but an AttributeError came up.
 *  @param interned  the name as Python has it, NULL at first */
bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out);

#endif
