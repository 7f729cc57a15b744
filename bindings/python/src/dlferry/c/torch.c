/* SPDX-License-Identifier: Apache-2.0 */
/* What PyTorch's exchange table leaves out: it exports lazily conjugated or negated tensors with the wrong values, and
 * says nothing of requires_grad. */
#include "dlferry_python.h"

/* The C functions behind torch's methods, called without the interpreter in between: 30 instead of 60 ns. */
static PyObject *read_attribute(PyObject *x, PyObject *descriptor) {
  if (Py_IS_TYPE(descriptor, &PyGetSetDescr_Type)) {
    const PyGetSetDef *def = ((PyGetSetDescrObject *)descriptor)->d_getset;
    return def->get(x, def->closure);
  }
  return PyObject_CallMethod(descriptor, "__get__", "O", x);
}

static PyObject *call_method(PyObject *x, PyObject *descriptor) {
  if (Py_IS_TYPE(descriptor, &PyMethodDescr_Type)) {
    const PyMethodDef *def = ((PyMethodDescrObject *)descriptor)->d_method;
    if (def->ml_flags == METH_NOARGS) return def->ml_meth(x, NULL);
  }
  return PyObject_CallOneArg(descriptor, x);
}

/* 1, 0, or -1 with an exception; takes answer. */
static int truth_of(PyObject *answer) {
  const int truth = answer ? PyObject_IsTrue(answer) : -1;
  Py_XDECREF(answer);
  return truth;
}

/* Kept for the life of the process, as torch's own types are. */
static PyObject *requires_grad, *is_conj, *is_neg;

static bool find_methods(void) {
  if (is_neg) return true;
  PyObject *module = PyImport_ImportModule("torch");
  PyObject *type = module ? PyObject_GetAttrString(module, "Tensor") : NULL;
  requires_grad = type ? PyObject_GetAttrString(type, "requires_grad") : NULL;
  is_conj = requires_grad ? PyObject_GetAttrString(type, "is_conj") : NULL;
  is_neg = is_conj ? PyObject_GetAttrString(type, "is_neg") : NULL;
  Py_XDECREF(module);
  Py_XDECREF(type);
  return is_neg != NULL;
}

/* A lazily negated tensor is the imaginary half of a complex one, so that every stride over two elements or more is
 * even: most real tensors need not be asked. */
static bool may_be_negated(const DLTensor *t) {
  if (t->dtype.code == kDLComplex) return true;
  if (t->dtype.code != kDLFloat) return false;
  if (!t->shape || !t->strides) return true;
  for (int32_t i = 0; i < t->ndim; i++)
    if (t->shape[i] > 1 && (t->strides[i] & 1)) return false;
  return true;
}

bool dlfpy_torch_check(PyObject *x, const char *name, const DLTensor *t, bool *needs_grad) {
  int lazy = 0;
  if (!find_methods()) return false;
  if (t->dtype.code == kDLComplex) lazy = truth_of(call_method(x, is_conj));
  if (lazy == 1)
    dlfpy_fail(DLF_LAYOUT,
               "%s: expected elements as they lie in memory, got a lazily conjugated tensor; pass "
               ".resolve_conj()",
               name);
  if (lazy == 0 && may_be_negated(t)) {
    lazy = truth_of(call_method(x, is_neg));
    if (lazy == 1)
      dlfpy_fail(DLF_LAYOUT,
                 "%s: expected elements as they lie in memory, got a lazily negated tensor; pass "
                 ".resolve_neg()",
                 name);
  }
  if (lazy) return false;
  if (!needs_grad) return true;
  const int grad = truth_of(read_attribute(x, requires_grad));
  *needs_grad = grad == 1;
  return grad >= 0;
}
