/* SPDX-License-Identifier: Apache-2.0 */
#include "hub.h"

PyObject *hub_named_given(PyObject *arguments, PyObject *words, const char *format) {
  static char *names[] = {"", NULL};
  PyObject *x;
  if (PyArg_ParseTupleAndKeywords(arguments, words, format, names, &x)) {
    return x;
  }
  return NULL;
}

void hub_named_dealloc(PyObject *x) {
  PyTypeObject *type = Py_TYPE(x);
  Py_XDECREF(hub_name(x));
  PyObject_Free(x);
  Py_DECREF(type);
}

PyObject *hub_named_compare(PyObject *a, PyObject *b, int op,
                            int (*same)(PyObject *a, PyObject *b)) {
  if ((op != Py_EQ && op != Py_NE) || b == Py_None) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  int answer;
  if (PyUnicode_Check(b)) {
    answer = PyObject_RichCompareBool(hub_name(a), b, Py_EQ);
  } else {
    answer = same(a, b);
  }
  if (answer == 2) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  if (answer >= 0) {
    return PyBool_FromLong((op == Py_EQ) == (answer == 1));
  }
  if (PyUnicode_Check(b) || !PyErr_ExceptionMatches(PyExc_Exception)) {
    return NULL;
  }
  PyErr_Clear();
  Py_RETURN_NOTIMPLEMENTED;
}

Py_hash_t hub_named_hash(PyObject *x) {
  return PyObject_Hash(hub_name(x));
}

PyObject *hub_named_str(PyObject *x) {
  return Py_NewRef(hub_name(x));
}

PyObject *hub_named_reduce(PyObject *x, PyObject *Py_UNUSED(unused)) {
  return Py_BuildValue("(O(O))", Py_TYPE(x), hub_name(x));
}

PyObject *hub_named_format(PyObject *x, PyObject *spec) {
  return PyObject_Format(hub_name(x), spec);
}
