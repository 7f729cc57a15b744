/* SPDX-License-Identifier: Apache-2.0 */
/* For torch.c alone: what it asks torch through Python, and a tensor's storage. */
#ifndef DLFPY_TORCH_METHODS_H
#define DLFPY_TORCH_METHODS_H

#include "call.h"

/* ---- torch's methods: called through their C functions, 30 instead of 60 ns ---- */

static PyObject *method_requires_grad, *method_is_conj, *method_is_neg, *method_storage,
    *attribute_cdata;
static PyObject *storage_type, *method_storage_data, *method_storage_bytes, *function_grad_mode;
static PyObject *function_overrides;

static PyObject *read_attribute(PyObject *x, PyObject *descriptor) {
#ifndef Py_LIMITED_API
  if (Py_IS_TYPE(descriptor, &PyGetSetDescr_Type)) {
    const PyGetSetDef *def = ((PyGetSetDescrObject *)descriptor)->d_getset;
    return def->get(x, def->closure);
  }
#endif
  return PyObject_CallMethod(descriptor, "__get__", "O", x);
}

static PyObject *call_method(PyObject *x, PyObject *descriptor) {
#ifndef Py_LIMITED_API
  if (Py_IS_TYPE(descriptor, &PyMethodDescr_Type)) {
    const PyMethodDef *def = ((PyMethodDescrObject *)descriptor)->d_method;
    if (def->ml_flags == METH_NOARGS) {
      return def->ml_meth(x, NULL);
    }
  }
#endif
  return PyObject_CallOneArg(descriptor, x);
}

static bool keep_attribute(PyObject **place, PyObject *owner, const char *name) {
  return owner && dlfpy_keep(place, PyObject_GetAttrString(owner, name));
}

/* Tell whether torch's methods of x may run Python code: of its class, or of a torch function mode.
 */
static bool runs_python(PyObject *x) {
#ifndef Py_LIMITED_API
  PyObject *function = dlfpy_get(&function_overrides);
  if (PyCFunction_CheckExact(function) && PyCFunction_GET_FLAGS(function) == METH_O) {
    return dlfpy_truth(PyCFunction_GET_FUNCTION(function)(NULL, x)) != 0;
  }
#endif
  return dlfpy_truth(PyObject_CallOneArg(dlfpy_get(&function_overrides), x)) != 0;
}

/* Kept for the life of the process, like torch's own types. False with an exception. */
static bool find_methods(void) {
  if (dlfpy_get(&attribute_cdata)) {
    return true; /* the last one kept */
  }
  PyObject *type = (PyObject *)dlfpy_torch_type();
  PyObject *module = PyImport_ImportModule("torch");
  PyObject *overrides = PyImport_ImportModule("torch.overrides");
  const bool found = type && keep_attribute(&method_requires_grad, type, "requires_grad") &&
                     keep_attribute(&method_is_conj, type, "is_conj") &&
                     keep_attribute(&method_is_neg, type, "is_neg") &&
                     keep_attribute(&method_storage, type, "untyped_storage") &&
                     keep_attribute(&function_overrides, overrides, "has_torch_function_unary") &&
                     keep_attribute(&function_grad_mode, module, "is_grad_enabled") &&
                     keep_attribute(&storage_type, module, "UntypedStorage") &&
                     keep_attribute(&method_storage_data, storage_type, "data_ptr") &&
                     keep_attribute(&method_storage_bytes, storage_type, "nbytes") &&
                     keep_attribute(&attribute_cdata, type, "_cdata");
  Py_XDECREF(module);
  Py_XDECREF(overrides);
  return found;
}

/* ---- Storage ---- */

/* The bytes from the first element to the end of the last one, 0 without elements. False for a
 * layout that torch does not have, and if they overflow. */
static inline bool span_of(const DLTensor *t, DLDataType dtype, uint64_t *out) {
  const uint64_t size = ((uint64_t)dtype.bits * dtype.lanes + 7) / 8;
  uint64_t last = 0;
  uint64_t step;
  bool over = false;
  *out = 0;
  if (t->ndim > 0 && (!t->shape || !t->strides)) {
    return false;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) {
      return true;
    }
    if (t->shape[i] < 0 || t->strides[i] < 0) {
      return false;
    }
    over |= __builtin_mul_overflow((uint64_t)t->shape[i] - 1, (uint64_t)t->strides[i], &step);
    over |= __builtin_add_overflow(last, step, &last);
  }
  over |= __builtin_add_overflow(last, (uint64_t)1, &last);
  over |= __builtin_mul_overflow(last, size, out);
  return !over;
}

/* Give x's storage, or NULL with an exception. Of a subclass, and in a torch function mode, it may
 * run Python code. */
static PyObject *storage_of(PyObject *x) {
  PyObject *storage = NULL;
  if (find_methods()) {
    storage = call_method(x, method_storage);
  }
  if (!storage || PyObject_TypeCheck(storage, (PyTypeObject *)storage_type)) {
    return storage;
  }
  dlfpy_fail(
      DLF_FOREIGN, "expected an untyped storage, got %.80s", dlfpy_type_name(Py_TYPE(storage)));
  Py_DECREF(storage);
  return NULL;
}

/* Drop a reference with an exception in flight, since the end of a storage may run Python code. */
static void drop(PyObject *storage) {
  const dlfpy_flight flight = dlfpy_set_aside();
  Py_XDECREF(storage);
  dlfpy_put_back(flight);
}

/* A number from a storage's method; the largest one with an exception. Runs no Python code. */
static uint64_t number_of(PyObject *storage, PyObject *method) {
  PyObject *number = call_method(storage, method);
  uint64_t value = UINT64_MAX;
  if (number) {
    value = PyLong_AsUnsignedLongLong(number);
  }
  Py_XDECREF(number);
  return value;
}

/* Tell whether every element lies in the storage, which the caller keeps. That holds until the
 * storage itself is resized; changes of the tensor, also those since it was described, do not
 * matter. */
static bool lies_in(PyObject *storage, const DLTensor *t) {
  uint64_t span;
  if (!span_of(t, t->dtype, &span)) {
    return false;
  }
  if (span == 0) {
    return true;
  }
  const uint64_t begin = number_of(storage, method_storage_data);
  const uint64_t bytes = number_of(storage, method_storage_bytes);
  const uint64_t at = (uint64_t)(uintptr_t)t->data + t->byte_offset;
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return false;
  }
  return begin && at >= begin && at - begin <= bytes && span <= bytes - (at - begin);
}

#endif
