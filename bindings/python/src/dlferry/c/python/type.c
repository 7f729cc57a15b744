/* SPDX-License-Identifier: Apache-2.0 */
#include "type.h"

#include <string.h>

/* Sets no exception. */
static PyObject *item_of(PyObject *dict, const char *name) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX >= 0x030D0000
  PyObject *value;
  if (PyDict_GetItemStringRef(dict, name, &value) < 0) {
    PyErr_Clear();
  }
  return value;
#else
  return Py_XNewRef(PyDict_GetItemString(dict, name));
#endif
}

PyObject *dlfpy_imported(const char *module, const char *name) {
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *found = modules && PyDict_Check(modules) ? item_of(modules, module) : NULL;
  PyObject *value = found && PyModule_Check(found) ? item_of(PyModule_GetDict(found), name) : NULL;
  Py_XDECREF(found);
  return value;
}

PyObject *dlfpy_keep(PyObject **place, PyObject *made) {
  if (made && !dlfpy_set_first(place, made)) {
    Py_DECREF(made);
  }
  return dlfpy_get(place);
}

PyObject *dlfpy_interned(PyObject **place, const char *text) {
  PyObject *known = dlfpy_get(place);
  return known ? known : dlfpy_keep(place, PyUnicode_InternFromString(text));
}

bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out) {
  *out = NULL;
  PyObject *word = dlfpy_interned(interned, name);
  if (!word) {
    return false;
  }
#ifdef Py_LIMITED_API
  *out = PyObject_GetAttr(x, word);
  const int found = *out ? 1 : PyErr_ExceptionMatches(PyExc_AttributeError) ? 0 : -1;
  if (found == 0) {
    PyErr_Clear();
  }
#elif PY_VERSION_HEX >= 0x030D0000
  const int found = PyObject_GetOptionalAttr(x, word, out);
#else
  const int found = _PyObject_LookupAttr(x, word, out);
#endif
  if (*out == Py_None) {
    Py_CLEAR(*out);
  }
  return found >= 0;
}

PyObject *dlfpy_frameworks(const char *function, PyObject *x, const char *name) {
  PyObject *module = PyImport_ImportModule("dlferry._frameworks");
  PyObject *f = module ? PyObject_GetAttrString(module, function) : NULL;
  PyObject *result = f ? PyObject_CallFunction(f, name ? "Os" : "O", x, name) : NULL;
  Py_XDECREF(f);
  Py_XDECREF(module);
  return result;
}

/* ---- What a type's structure tells ---- */

#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED)
/* The structure is hidden, or another thread may change it. The generic way runs no code of a
 * metaclass. */
static PyObject *own_attribute(PyTypeObject *type, const char *name) {
  PyObject *word = PyUnicode_FromString(name);
  PyObject *value = word ? PyObject_GenericGetAttr((PyObject *)type, word) : NULL;
  Py_XDECREF(word);
  PyErr_Clear();
  return value;
}

PyObject *dlfpy_mro(PyTypeObject *type) {
  return own_attribute(type, "__mro__");
}
#else
PyObject *dlfpy_mro(PyTypeObject *type) {
  return Py_XNewRef(type->tp_mro);
}
#endif

#ifdef Py_LIMITED_API
PyObject *dlfpy_own(PyTypeObject *type, const char *name) {
  PyObject *dict = own_attribute(type, "__dict__");
  PyObject *value = dict ? PyMapping_GetItemString(dict, name) : NULL;
  Py_XDECREF(dict);
  PyErr_Clear();
  return value;
}

static Py_ssize_t size_of(PyTypeObject *type, const char *name) {
  PyObject *number = own_attribute(type, name);
  const Py_ssize_t size = number && PyLong_Check(number) ? PyLong_AsSsize_t(number) : 0;
  Py_XDECREF(number);
  return size;
}

Py_ssize_t dlfpy_object_size(PyTypeObject *type) {
  return size_of(type, "__basicsize__");
}

bool dlfpy_has_dict(PyTypeObject *type) {
  return size_of(type, "__dictoffset__") != 0;
}

/* A type of C code has the module in its name. */
const char *dlfpy_type_name(PyTypeObject *type) {
  static _Thread_local char names[4][100];
  static _Thread_local unsigned next;
  char *out = names[next++ % 4];
  PyObject *name = PyType_GetName(type);
  PyObject *module =
      PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE ? NULL : own_attribute(type, "__module__");
  const char *first = module && PyUnicode_Check(module) ? PyUnicode_AsUTF8(module) : "builtins";
  const char *last = name ? PyUnicode_AsUTF8(name) : NULL;
  const bool plain = !first || strcmp(first, "builtins") == 0;
  PyOS_snprintf(out, sizeof *names, "%s%s%s", plain ? "" : first, plain ? "" : ".",
                last ? last : "?");
  Py_XDECREF(name);
  Py_XDECREF(module);
  PyErr_Clear();
  return out;
}
#else
PyObject *dlfpy_own(PyTypeObject *type, const char *name) {
#if PY_VERSION_HEX >= 0x030C0000
  PyObject *dict = PyType_GetDict(type);
#else
  PyObject *dict = Py_XNewRef(type->tp_dict);
#endif
  PyObject *value = dict ? item_of(dict, name) : NULL;
  Py_XDECREF(dict);
  return value;
}

bool dlfpy_has_dict(PyTypeObject *type) {
  bool dict = type->tp_dictoffset != 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
  dict = dict || (type->tp_flags & Py_TPFLAGS_MANAGED_DICT);
#endif
  return dict;
}
#endif
