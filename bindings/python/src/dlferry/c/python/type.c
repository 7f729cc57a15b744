/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <stdarg.h>

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
  PyObject *found = NULL;
  if (modules && PyDict_Check(modules)) {
    found = item_of(modules, module);
  }
  PyObject *value = NULL;
  if (found && PyModule_Check(found)) {
    value = item_of(PyModule_GetDict(found), name);
  }
  Py_XDECREF(found);
  return value;
}

PyObject *dlfpy_attribute_of(PyObject *x, const char *name) {
  if (x) {
    return PyObject_GetAttrString(x, name);
  }
  return NULL;
}

const char *dlfpy_utf8(PyObject *x) {
  if (x && PyUnicode_Check(x)) {
    return PyUnicode_AsUTF8(x);
  }
  return NULL;
}

int dlfpy_truth(PyObject *answer) {
  int truth = -1;
  if (answer) {
    truth = PyObject_IsTrue(answer);
  }
  Py_XDECREF(answer);
  return truth;
}

PyObject *dlfpy_import_from(const char *module, const char *name) {
  PyObject *found = PyImport_ImportModule(module);
  PyObject *value = dlfpy_attribute_of(found, name);
  Py_XDECREF(found);
  return value;
}

PyObject *dlfpy_call_from(const char *module, const char *function, const char *format, ...) {
  PyObject *called = dlfpy_import_from(module, function);
  if (!called) {
    return NULL;
  }
  va_list list;
  va_start(list, format);
  PyObject *arguments = Py_VaBuildValue(format, list);
  va_end(list);
  PyObject *result = NULL;
  if (arguments) {
    result = PyObject_Call(called, arguments, NULL);
  }
  Py_XDECREF(arguments);
  Py_DECREF(called);
  return result;
}

PyObject *dlfpy_keep(PyObject **place, PyObject *made) {
  if (made && !dlfpy_set_first(place, made)) {
    Py_DECREF(made);
  }
  return dlfpy_get(place);
}

PyObject *dlfpy_import_once(PyObject **place, const char *module, const char *name) {
  PyObject *known = dlfpy_get(place);
  if (known) {
    return known;
  }
  return dlfpy_keep(place, dlfpy_import_from(module, name));
}

PyObject *dlfpy_interned(PyObject **place, const char *text) {
  PyObject *known = dlfpy_get(place);
  if (known) {
    return known;
  }
  return dlfpy_keep(place, PyUnicode_InternFromString(text));
}

bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out) {
  *out = NULL;
  PyObject *word = dlfpy_interned(interned, name);
  if (!word) {
    return false;
  }
#ifdef Py_LIMITED_API
  *out = PyObject_GetAttr(x, word);
  int found = 1;
  if (!*out) {
    found = -1;
  }
  if (found < 0 && PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyErr_Clear();
    found = 0;
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
  return dlfpy_call_from("dlferry._frameworks", function, name ? "(Os)" : "(O)", x, name);
}

/* ---- What a type's structure tells ---- */

#if defined(Py_LIMITED_API) || defined(Py_GIL_DISABLED)
/* The structure is hidden, or another thread may change it. The generic way runs no code of a
 * metaclass. */
static PyObject *own_attribute(PyTypeObject *type, const char *name) {
  PyObject *word = PyUnicode_FromString(name);
  PyObject *value = NULL;
  if (word) {
    value = PyObject_GenericGetAttr((PyObject *)type, word);
  }
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
  PyObject *value = NULL;
  if (dict) {
    value = PyMapping_GetItemString(dict, name);
  }
  Py_XDECREF(dict);
  PyErr_Clear();
  return value;
}

static Py_ssize_t size_of(PyTypeObject *type, const char *name) {
  PyObject *number = own_attribute(type, name);
  Py_ssize_t size = 0;
  if (number && PyLong_Check(number)) {
    size = PyLong_AsSsize_t(number);
  }
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
  PyObject *module;
  if (PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE) {
    module = NULL;
  } else {
    module = own_attribute(type, "__module__");
  }
  const char *first = "builtins";
  if (module && PyUnicode_Check(module)) {
    first = PyUnicode_AsUTF8(module);
  }
  const char *last = dlfpy_utf8(name);
  if (!last) {
    last = "?";
  }
  if (!first || strcmp(first, "builtins") == 0) {
    PyOS_snprintf(out, sizeof *names, "%s", last);
  } else {
    PyOS_snprintf(out, sizeof *names, "%s.%s", first, last);
  }
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
  PyObject *value = NULL;
  if (dict) {
    value = item_of(dict, name);
  }
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
