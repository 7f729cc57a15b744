/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

/* dlferry.errors.BY_STATUS, imported by the first failure so that success costs nothing. */
static PyObject *classes;

static PyObject *class_of(dlf_status status) {
  PyObject *known = dlfpy_import_once(&classes, "dlferry.errors", "BY_STATUS");
  PyObject *key = PyLong_FromLong(status);
  PyObject *class = NULL;
  if (known && key) {
    class = PyObject_GetItem(known, key);
  }
  Py_XDECREF(key);
  return class;
}

PyObject *dlfpy_raise(dlf_status status, const dlf_error *error) {
  PyObject *class = class_of(status);
  if (!class) {
    return NULL;
  }
  const char *message;
  if (error && error->message[0]) {
    message = error->message;
  } else {
    message = dlf_status_name((int32_t)status);
  }
  PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
  if (text) {
    PyErr_SetObject(class, text);
  }
  Py_XDECREF(text);
  Py_DECREF(class);
  return NULL;
}

PyObject *dlfpy_raise_as(const char *name, const char *verb, dlf_status status,
                         const dlf_error *error) {
  const size_t length = strlen(verb);
  if (strncmp(error->message, verb, length) != 0 || error->message[length] != ':') {
    return dlfpy_raise(status, error);
  }
  return dlfpy_fail(status, "%s%s", name, error->message + length);
}

PyObject *dlfpy_fail(dlf_status status, const char *format, ...) {
  char message[1024];
  dlf_error error;
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  return dlfpy_raise(dlf_error_set(&error, status, message), &error);
}

/* ---- Errors about an argument: written in Python, which only a failure imports ---- */

static const char refusals[] = "dlferry._refusals";

bool dlfpy_raise_instance(PyObject *error) {
  if (error) {
    PyErr_SetObject((PyObject *)Py_TYPE(error), error);
  }
  Py_XDECREF(error);
  return false;
}

bool dlfpy_wrong_type(const char *name, const char *wanted, PyObject *x) {
  return dlfpy_raise_instance(dlfpy_call_from(refusals, "wrong_type", "(ssO)", name, wanted, x));
}

bool dlfpy_no_protocol(const char *name, const char *wanted, PyObject *x) {
  dlfpy_flight flight = dlfpy_set_aside();
  PyErr_NormalizeException(&flight.type, &flight.value, &flight.traceback);
  PyObject *error = dlfpy_call_from(refusals, "no_protocol", "(ssO)", name, wanted, x);
  if (error && flight.value) {
    PyException_SetCause(error, Py_NewRef(flight.value));
  }
  Py_XDECREF(flight.type);
  Py_XDECREF(flight.value);
  Py_XDECREF(flight.traceback);
  return dlfpy_raise_instance(error);
}

bool dlfpy_no_memory(const char *name, PyObject *x) {
  return dlfpy_raise_instance(dlfpy_call_from(refusals, "no_memory", "(sO)", name, x));
}

bool dlfpy_foreign(const char *name, const char *wanted, PyObject *x) {
  PyObject *type, *value, *traceback;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) {
    return false; /* KeyboardInterrupt is not about the argument */
  }
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback) {
    (void)PyException_SetTraceback(value, traceback);
  }
  PyObject *error = dlfpy_call_from(refusals, "foreign", "(ssOO)", name, wanted, x, value);
  if (!error || error == value) {
    PyErr_Restore(type, value, traceback); /* instead of the failure of the description */
    Py_XDECREF(error);
    return false;
  }
  PyException_SetCause(error, value);
  Py_DECREF(type);
  Py_XDECREF(traceback);
  return dlfpy_raise_instance(error);
}
