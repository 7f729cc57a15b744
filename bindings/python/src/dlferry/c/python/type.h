/* SPDX-License-Identifier: Apache-2.0 */
/* Types of other packages, and attributes of their objects. */
#ifndef DLFERRY_PYTHON_TYPE_H
#define DLFERRY_PYTHON_TYPE_H

#include "base.h"

/** A type known by identity, and the version that was checked: any change of the type or of a base
 * gives it another version. All zero for none. */
typedef struct dlfpy_type {
  PyTypeObject *type; /* kept: a new type at the address of a freed one would be mistaken for it */
  unsigned version;
} dlfpy_type;

/** Return a type's current version; 0 if CPython has none for it, or none in its limited API.
 * CPython 3.13 no longer sets the flag. */
static inline unsigned dlfpy_version(const PyTypeObject *type) {
#ifdef Py_LIMITED_API
  (void)type;
  return 0;
#elif PY_VERSION_HEX >= 0x030D0000
#ifdef Py_GIL_DISABLED
  return __atomic_load_n(&type->tp_version_tag, __ATOMIC_RELAXED);
#else
  return type->tp_version_tag;
#endif
#else
  return type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG ? type->tp_version_tag : 0;
#endif
}

/** Give an attribute of a module, if the module is imported; else NULL. Runs no Python code. */
PyObject *dlfpy_imported(const char *module, const char *name);

/** Import a module and give its attribute. */
PyObject *dlfpy_import_from(const char *module, const char *name);

/** Import a module and call its function with a tuple that Py_BuildValue makes of the rest. */
PyObject *dlfpy_call_from(const char *module, const char *function, const char *format, ...);

/** Give a type's ancestry, a tuple, or NULL; the value in its own dictionary, or NULL; and whether
 * its objects have attributes of their own. No exception; runs no Python code. */
PyObject *dlfpy_mro(PyTypeObject *type);
PyObject *dlfpy_own(PyTypeObject *type, const char *name);
bool dlfpy_has_dict(PyTypeObject *type);

/** Keep an object for the life of the process in a place, NULL at first; takes made. Two threads
 * may make it at once: the first one's stays. Returns that, borrowed; NULL if made is NULL and none
 * was kept. */
PyObject *dlfpy_keep(PyObject **place, PyObject *made);

/** Return Python's str of a text, borrowed, kept likewise. */
PyObject *dlfpy_interned(PyObject **place, const char *text);

/** Give an attribute of x in *out; NULL if it is missing or None. False for any exception but
 * AttributeError.
 *  @param interned  Python's str of the name, NULL at first */
bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out);

/** Call a function of dlferry._frameworks with x and, unless it is NULL, the text that opens
 * messages. */
PyObject *dlfpy_frameworks(const char *function, PyObject *x, const char *name);

#endif
