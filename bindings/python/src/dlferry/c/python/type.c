/* SPDX-License-Identifier: Apache-2.0 */
#include "type.h"

PyObject *dlfpy_imported(const char *module, const char *name) {
  PyObject *modules = PyImport_GetModuleDict();
  PyObject *found = modules && PyDict_Check(modules) ? PyDict_GetItemString(modules, module) : NULL;
  return found && PyModule_Check(found) ? PyDict_GetItemString(PyModule_GetDict(found), name) : NULL;
}

bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out) {
  *out = NULL;
  if (!*interned && !(*interned = PyUnicode_InternFromString(name))) return false;
#if PY_VERSION_HEX >= 0x030D0000
  const int found = PyObject_GetOptionalAttr(x, *interned, out);
#else
  const int found = _PyObject_LookupAttr(x, *interned, out);
#endif
  if (*out == Py_None) Py_CLEAR(*out);
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
