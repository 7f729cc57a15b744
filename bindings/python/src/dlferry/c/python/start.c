/* SPDX-License-Identifier: Apache-2.0 */
#include "release.h"

static const char *own_package;

/* Not PyInit's task: since CPython 3.13 that runs in the main interpreter for every other one too.
 */
static int refuse_subinterpreter(PyObject *Py_UNUSED(module)) {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0 /* the main one */) {
    return 0;
  }
  PyErr_Format(
      PyExc_ImportError, "%s: expected the main interpreter, got a subinterpreter", own_package);
  return -1;
}

PyObject *dlfpy_init(const char *package, PyModuleDef *module) {
  enum { SLOTS = 8 };
  static PyModuleDef_Slot slots[SLOTS] = {
      {Py_mod_exec, (void *)(uintptr_t)refuse_subinterpreter}, /* the first to run */
#ifdef Py_mod_multiple_interpreters
      {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_mod_gil
      {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
  };
  if (!module || module->m_slots == slots) {
    return (PyObject *)module;
  }
  int count = 0;
  while (slots[count].slot) {
    count++;
  }
  for (const PyModuleDef_Slot *own = module->m_slots; own && own->slot; own++) {
    if (count == SLOTS - 1) {
      return PyErr_Format(PyExc_SystemError, "%s: expected fewer slots", package);
    }
    slots[count++] = *own;
  }
  own_package = package;
  module->m_slots = slots;
  return PyModuleDef_Init(module);
}

bool dlfpy_start(void) {
  if (dlfpy_queue) {
    return true;
  }
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
