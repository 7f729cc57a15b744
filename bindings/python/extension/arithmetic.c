/* SPDX-License-Identifier: Apache-2.0 */
/* A Tensor computes nothing: its operators say how to write the same with NumPy. An operand of
 * another package decides itself, so t + a with a NumPy array still gives an array. */
#include "hub.h"

static bool is_tensor(PyObject *x) {
  return PyObject_TypeCheck(x, hub_type);
}

static bool is_number(PyObject *x) {
  return PyLong_CheckExact(x) || PyFloat_CheckExact(x) || PyComplex_CheckExact(x) ||
         PyBool_Check(x);
}

/* How callers write an operand; NULL for one of another package. */
static PyObject *written(PyObject *x, const char *name) {
  if (is_tensor(x)) {
    return PyUnicode_FromFormat("%s.numpy()", name);
  }
  if (is_number(x)) {
    return PyObject_Repr(x);
  }
  return NULL;
}

static PyObject *refuse_pair(PyObject *a, const char *operator, PyObject *b) {
  if (!(is_tensor(a) || is_number(a)) || !(is_tensor(b) || is_number(b))) {
    return Py_NewRef(Py_NotImplemented);
  }
  PyObject *left = written(a, "t");
  PyObject *right = written(b, is_tensor(a) ? "u" : "t");
  if (left && right) {
    PyErr_Format(PyExc_TypeError,
                 "tensor: expected no arithmetic with elements, got %s; write %U %s %U",
                 operator,
                 left,
                 operator,
                 right);
  }
  Py_XDECREF(left);
  Py_XDECREF(right);
  return NULL;
}

static PyObject *refuse_one(const char *operator, const char *instead) {
  return PyErr_Format(PyExc_TypeError,
                      "tensor: expected no arithmetic with elements, got %s; write %s",
                      operator,
                      instead);
}

#define PAIR(name, operator)                                                                       \
  PyObject *hub_##name(PyObject *a, PyObject *b) {                                                 \
    return refuse_pair(a, operator, b);                                                            \
  }
PAIR(add, "+")
PAIR(subtract, "-")
PAIR(multiply, "*")
PAIR(divide, "/")
PAIR(floor_divide, "//")
PAIR(remainder, "%")
PAIR(matrix_multiply, "@")
PAIR(and, "&")
PAIR(or, "|")
PAIR(xor, "^")
PAIR(shift_left, "<<")
PAIR(shift_right, ">>")

PyObject *hub_power(PyObject *a, PyObject *b, PyObject *modulus) {
  (void)modulus;
  return refuse_pair(a, "**", b);
}

#define ONE(name, operator, instead)                                                               \
  PyObject *hub_##name(PyObject *x) {                                                              \
    (void)x;                                                                                       \
    return refuse_one(operator, instead);                                                          \
  }
ONE(negative, "-", "-t.numpy()")
ONE(positive, "+", "+t.numpy()")
ONE(invert, "~", "~t.numpy()")
ONE(absolute, "abs()", "abs(t.numpy())")
