/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

PyObject *dlfpy_enum(const char *package, const char *name, PyObject **type, long long number) {
  PyObject *value = NULL;
  if (!PyErr_Occurred()) {
    value = PyLong_FromLongLong(number);
  }
  PyObject *class = NULL;
  if (value) {
    class = dlfpy_import_once(type, package, name);
  }
  PyObject *member = NULL;
  if (class) {
    member = PyObject_CallOneArg(class, value);
  }
  if (!member && value && PyErr_ExceptionMatches(PyExc_ValueError)) {
    PyErr_Clear();
    return value;
  }
  Py_XDECREF(value);
  return member;
}

/* 1 for a member of any enum, -1 with an exception. */
static int is_member(PyObject *x) {
  PyObject *class = dlfpy_import_from("enum", "Enum");
  int is = -1;
  if (class) {
    is = PyObject_IsInstance(x, class);
  }
  Py_XDECREF(class);
  return is;
}

bool dlfpy_enumerator(const char *name, const char *package, const char *class_name,
                      PyObject **type, PyObject *x) {
  char wanted[100];
  if (PyLong_CheckExact(x)) {
    return true;
  }
  int fits = 0;
  for (int again = 0; PyLong_Check(x) && fits == 0 && again < 2; again++) {
    if (again) {
      Py_CLEAR(*type); /* the package may have been imported again */
    }
    PyObject *class = dlfpy_import_once(type, package, class_name);
    fits = -1;
    if (class) {
      fits = PyObject_IsInstance(x, class);
    }
  }
  if (fits == 0 && PyIndex_Check(x) &&
      !PyBool_Check(x)) { /* the number of another enum's member does not count */
    const int member = is_member(x);
    if (member < 0) {
      fits = -1;
    } else {
      fits = !member;
    }
  }
  if (fits) {
    return fits > 0;
  }
  PyOS_snprintf(wanted, sizeof wanted, "a member of %.60s or an integer", class_name);
  return dlfpy_wrong_type(name, wanted, x);
}
