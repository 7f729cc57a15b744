/* SPDX-License-Identifier: Apache-2.0 */
/* Python numbers, texts and truth values as C's: never rounded, cut or converted in silence. */
#include "dlferry_python.h"

#include <string.h>

static bool wrong_type(const char *name, const char *wanted, PyObject *x) {
  PyErr_Format(PyExc_TypeError, "%s: expected %s, got %.80s", name, wanted, Py_TYPE(x)->tp_name);
  return false;
}

bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out) {
  int overflow = 0;
  PyObject *number = PyIndex_Check(x) && !PyBool_Check(x) ? PyNumber_Index(x) : NULL;
  if (!number) return PyErr_Occurred() ? false : wrong_type(name, "an integer", x);
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (!overflow && value >= low && value <= high) {
    *out = value;
    return true;
  }
  dlfpy_fail(DLF_OVERFLOW, "%s: expected an integer from %lld to %lld, got one outside", name, (long long)low,
             (long long)high);
  return false;
}

bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out) {
  PyObject *number = PyIndex_Check(x) && !PyBool_Check(x) ? PyNumber_Index(x) : NULL;
  if (!number) return PyErr_Occurred() ? false : wrong_type(name, "an integer", x);
  const unsigned long long value = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  if (!PyErr_Occurred() && value <= high) {
    *out = value;
    return true;
  }
  PyErr_Clear();
  dlfpy_fail(DLF_OVERFLOW, "%s: expected an integer from 0 to %llu, got one outside", name, (unsigned long long)high);
  return false;
}

static bool is_bool(PyObject *x) {
  const char *type = Py_TYPE(x)->tp_name;
  return PyBool_Check(x) || strcmp(type, "numpy.bool") == 0 || strcmp(type, "numpy.bool_") == 0;
}

bool dlfpy_real(const char *name, PyObject *x, double *out) {
  if (PyFloat_CheckExact(x)) {
    *out = PyFloat_AS_DOUBLE(x);
    return true;
  }
  if (is_bool(x) || !PyNumber_Check(x)) return wrong_type(name, "a number", x);
  *out = PyFloat_AsDouble(x);
  return *out != -1.0 || !PyErr_Occurred();
}

bool dlfpy_bool(const char *name, PyObject *x, bool *out) {
  if (!is_bool(x)) return wrong_type(name, "a bool", x);
  const int truth = PyObject_IsTrue(x);
  *out = truth == 1;
  return truth >= 0;
}

bool dlfpy_string(const char *name, PyObject *x, const char **out) {
  Py_ssize_t length;
  if (!PyUnicode_Check(x)) return wrong_type(name, "a str", x);
  *out = PyUnicode_AsUTF8AndSize(x, &length);
  if (!*out) return false;
  if ((size_t)length == strlen(*out)) return true;
  dlfpy_fail(DLF_INVALID, "%s: expected a text without NUL, got one", name);
  return false;
}
