/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

#include <stdarg.h>
#include <stdio.h>

/* dlferry.errors.BY_STATUS, imported by the first failure so that success never pays for it. */
static PyObject *classes;

static PyObject *class_of(dlf_status status) {
  if (!classes) {
    PyObject *module = PyImport_ImportModule("dlferry.errors");
    if (!module) return NULL;
    classes = PyObject_GetAttrString(module, "BY_STATUS");
    Py_DECREF(module);
    if (!classes) return NULL;
  }
  PyObject *key = PyLong_FromLong((long)status);
  if (!key) return NULL;
  PyObject *class = PyObject_GetItem(classes, key);
  Py_DECREF(key);
  return class;
}

PyObject *dlfpy_raise(dlf_status status, const dlf_error *error) {
  PyObject *class = class_of(status);
  if (!class) return NULL;
  const char *message = error && error->message[0] ? error->message : dlf_status_name((int32_t)status);
  PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
  if (text) PyErr_SetObject(class, text);
  Py_XDECREF(text);
  Py_DECREF(class);
  return NULL;
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
