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

/* The format takes both operands. */
static PyObject *refuse_pair(PyObject *a, const char *format, PyObject *b) {
  if (!(is_tensor(a) || is_number(a)) || !(is_tensor(b) || is_number(b))) {
    return Py_NewRef(Py_NotImplemented);
  }
  PyObject *left = written(a, "t");
  PyObject *right = written(b, is_tensor(a) ? "u" : "t");
  if (left && right) {
    PyErr_Format(PyExc_TypeError, format, left, right);
  }
  Py_XDECREF(left);
  Py_XDECREF(right);
  return NULL;
}

#define SENTENCE(operator, instead)                                                                \
  "tensor: expected no arithmetic with elements, got " operator "; write " instead
#define INFIX(operator) SENTENCE(operator, "%U " operator " %U")
#define PAIR(name, format)                                                                         \
  PyObject *hub_##name(PyObject *a, PyObject *b) {                                                 \
    return refuse_pair(a, format, b);                                                              \
  }
PAIR(add, INFIX("+"))
PAIR(subtract, INFIX("-"))
PAIR(multiply, INFIX("*"))
PAIR(divide, INFIX("/"))
PAIR(floor_divide, INFIX("//"))
PAIR(remainder, INFIX("%%"))
PAIR(divmod, SENTENCE("divmod()", "divmod(%U, %U)"))
PAIR(matrix_multiply, INFIX("@"))
PAIR(and, INFIX("&"))
PAIR(or, INFIX("|"))
PAIR(xor, INFIX("^"))
PAIR(shift_left, INFIX("<<"))
PAIR(shift_right, INFIX(">>"))

PyObject *hub_power(PyObject *a, PyObject *b, PyObject *Py_UNUSED(modulus)) {
  return refuse_pair(a, INFIX("**"), b);
}

#define ONE(name, operator, instead)                                                               \
  PyObject *hub_##name(PyObject *Py_UNUSED(x)) {                                                   \
    PyErr_SetString(PyExc_TypeError, SENTENCE(operator, instead));                                 \
    return NULL;                                                                                   \
  }
ONE(negative, "-", "-t.numpy()")
ONE(positive, "+", "+t.numpy()")
ONE(invert, "~", "~t.numpy()")
ONE(absolute, "abs()", "abs(t.numpy())")

/* Equal is only the same object, which makes its hash the object's, too. */
PyObject *hub_compare(PyObject *a, PyObject *b, int op) {
  static const char *const formats[] = {
      [Py_LT] = INFIX("<"), [Py_LE] = INFIX("<="), [Py_GT] = INFIX(">"), [Py_GE] = INFIX(">=")};
  if (op != Py_EQ && op != Py_NE) {
    return refuse_pair(a, formats[op], b);
  }
  const richcmpfunc same = (richcmpfunc)DLFPY_SLOT(&PyBaseObject_Type, tp_richcompare);
  return same(a, b, op);
}

Py_hash_t hub_hash(PyObject *x) {
  const hashfunc of_object = (hashfunc)DLFPY_SLOT(&PyBaseObject_Type, tp_hash);
  return of_object(x);
}
