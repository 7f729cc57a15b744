/* SPDX-License-Identifier: Apache-2.0 */
/* Convert Python numbers, texts and bools to C: never rounded, cut or converted silently. */
#include "base.h"

#include <dlferry/contract.h>

/* Whether the dtype of an array without axes, of NumPy or another library, has this in its name:
 * float() and index() of a bool are 1, and of a complex number its real part. */
static bool is_array_of(PyObject *x, const char *kind) {
  const char *type = dlfpy_type_name_of(x);
  if (PyLong_Check(x) || PyFloat_Check(x)) {
    return false;
  }
  if (strncmp(type, "numpy.", 6) == 0 && strcmp(type, "numpy.ndarray") != 0) {
    return false; /* its scalars */
  }
  PyObject *dtype = PyObject_GetAttrString(x, "dtype");
  PyObject *text = NULL;
  if (dtype) {
    text = PyObject_Str(dtype);
  }
  const char *word = dlfpy_utf8(text);
  const bool found = word && strstr(word, kind);
  PyErr_Clear();
  Py_XDECREF(dtype);
  Py_XDECREF(text);
  return found;
}

static bool is_bool(PyObject *x) {
  const char *type = dlfpy_type_name_of(x);
  return PyBool_Check(x) || strcmp(type, "numpy.bool") == 0 || strcmp(type, "numpy.bool_") == 0;
}

bool dlfpy_is_bool(PyObject *x) {
  return is_bool(x) || is_array_of(x, "bool");
}

/* Python's number for x, or NULL with an exception. */
static PyObject *number_of(const char *name, PyObject *x) {
  static const char wanted[] = "an integer";
  if (PyLong_CheckExact(x)) {
    return Py_NewRef(x);
  }
  PyObject *number = NULL;
  if (PyIndex_Check(x) && !dlfpy_is_bool(x)) {
    number = PyNumber_Index(x);
  }
  if (!number) {
    (void)(PyErr_Occurred() ? dlfpy_foreign(name, wanted, x) : dlfpy_wrong_type(name, wanted, x));
  }
  return number;
}

bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out) {
  int overflow = 0;
  PyObject *number = number_of(name, x);
  if (!number) {
    return false;
  }
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (!overflow && value >= low && value <= high) {
    *out = value;
    return true;
  }
  dlfpy_fail(DLF_OVERFLOW,
             "%s: expected an integer from %lld to %lld, got one outside",
             name,
             (long long)low,
             (long long)high);
  return false;
}

bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out) {
  PyObject *number = number_of(name, x);
  if (!number) {
    return false;
  }
  const unsigned long long value = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  if (!PyErr_Occurred() && value <= high) {
    *out = value;
    return true;
  }
  PyErr_Clear();
  dlfpy_fail(DLF_OVERFLOW,
             "%s: expected an integer from 0 to %llu, got one outside",
             name,
             (unsigned long long)high);
  return false;
}

/* NumPy's own method drops the imaginary part with a warning. */
static bool is_complex(PyObject *x) {
  const char *type = dlfpy_type_name_of(x);
  return PyComplex_Check(x) || strncmp(type, "numpy.complex", 13) == 0 ||
         strcmp(type, "numpy.clongdouble") == 0;
}

bool dlfpy_real(const char *name, PyObject *x, double *out) {
  if (PyFloat_CheckExact(x)) {
    *out = PyFloat_AS_DOUBLE(x);
    return true;
  }
  if (dlfpy_is_bool(x) || is_complex(x) || !PyNumber_Check(x) || is_array_of(x, "complex")) {
    return dlfpy_wrong_type(name, "a number", x);
  }
  *out = PyFloat_AsDouble(x);
  if (*out != -1.0 || !PyErr_Occurred()) {
    return true;
  }
  if (!PyLong_Check(x) || !PyErr_ExceptionMatches(PyExc_OverflowError)) {
    return dlfpy_foreign(name, "a number", x);
  }
  PyErr_Clear();
  dlfpy_fail(DLF_OVERFLOW, "%s: expected a number that a float can be, got one outside", name);
  return false;
}

bool dlfpy_float(const char *name, PyObject *x, double *out) {
  dlf_error error;
  float narrow;
  if (!dlfpy_real(name, x, out)) {
    return false;
  }
  const dlf_status status = dlf_to_float(*out, name, &narrow, &error);
  *out = (double)narrow;
  return !status || dlfpy_raise(status, &error);
}

bool dlfpy_complex_double(const char *name, PyObject *x, double *re, double *im) {
  *im = 0;
  if (!is_complex(x) && !is_array_of(x, "complex")) {
    return dlfpy_real(name, x, re);
  }
  PyObject *number;
  if (PyComplex_Check(x)) {
    number = Py_NewRef(x);
  } else {
    number = PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, x, NULL);
  }
  if (!number) {
    return dlfpy_foreign(name, "a number", x);
  }
  *re = PyComplex_RealAsDouble(number);
  *im = PyComplex_ImagAsDouble(number);
  Py_DECREF(number);
  return true;
}

bool dlfpy_complex_float(const char *name, PyObject *x, float *re, float *im) {
  double wide[2];
  dlf_error error;
  if (!dlfpy_complex_double(name, x, &wide[0], &wide[1])) {
    return false;
  }
  dlf_status status = dlf_to_float(wide[0], name, re, &error);
  if (!status) {
    status = dlf_to_float(wide[1], name, im, &error);
  }
  return !status || dlfpy_raise(status, &error);
}

bool dlfpy_char(const char *name, PyObject *x, char *out) {
  static const char wanted[] = "a str of one ASCII character";
  Py_ssize_t length = 0;
  if (!PyUnicode_Check(x)) {
    return dlfpy_wrong_type(name, wanted, x);
  }
  const char *text = PyUnicode_AsUTF8AndSize(x, &length);
  if (!text && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
    return false;
  }
  PyErr_Clear();
  if (text && length == 1) {
    *out = *text;
    return true;
  }
  dlfpy_fail(DLF_INVALID, "%s: expected %s, got another str", name, wanted);
  return false;
}

bool dlfpy_bool(const char *name, PyObject *x, bool *out) {
  if (!is_bool(x)) {
    return dlfpy_wrong_type(name, "a bool", x);
  }
  const int truth = PyObject_IsTrue(x);
  *out = truth == 1;
  return truth >= 0;
}

bool dlfpy_string(const char *name, PyObject *x, const char **out) {
  Py_ssize_t length;
  if (!PyUnicode_Check(x)) {
    return dlfpy_wrong_type(name, "a str", x);
  }
  *out = PyUnicode_AsUTF8AndSize(x, &length);
  if (!*out && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
    return false;
  }
  if (!*out) {
    PyErr_Clear();
    dlfpy_fail(DLF_INVALID, "%s: expected a text that UTF-8 has, got a lone surrogate", name);
    return false;
  }
  if ((size_t)length == strlen(*out)) {
    return true;
  }
  dlfpy_fail(DLF_INVALID, "%s: expected a text without NUL, got one", name);
  return false;
}
