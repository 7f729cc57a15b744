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
