/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include "release.h"
#include "size.h"

PyObject *dlfpy_init(const char *package, PyObject *(*init)(void)) {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return init();
  PyErr_Format(PyExc_ImportError, "%s: expected the main interpreter, got a subinterpreter", package);
  return NULL;
}

bool dlfpy_start(void) {
  if (dlfpy_queue) return true;
  dlfpy_read_gil_limit();
  return dlfpy_open_queue();
}

bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions) {
  PyObject *home = PyUnicode_InternFromString(package);
  bool ok = home != NULL;
  for (PyMethodDef *f = functions; ok && f->ml_name; f++) {
    PyObject *function = PyCFunction_NewEx(f, module, home);
    ok = function && PyModule_AddObjectRef(module, f->ml_name, function) == 0;
    Py_XDECREF(function);
  }
  Py_XDECREF(home);
  return ok;
}
