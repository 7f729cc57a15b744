/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of CPython's API that its limited API of 3.12 lacks (-DPy_LIMITED_API=0x030C0000), by
 * slower ways. Types have no version there, so that each use of a tensor examines its type again.
 */
#ifndef DLFERRY_PYTHON_STABLE_H
#define DLFERRY_PYTHON_STABLE_H

#include <Python.h>

/** Return a slot of a type, a function, or NULL. */
#define DLFPY_SLOT(type, slot) PyType_GetSlot(type, Py_##slot)

/** Return a type's name as messages have it. Valid on this thread until the fourth call after this
 * one. */
#ifdef Py_LIMITED_API
const char *dlfpy_type_name(PyTypeObject *type);
#else
static inline const char *dlfpy_type_name(PyTypeObject *type) {
  return type->tp_name;
}
#endif

/** Return the name of an object's type likewise. */
static inline const char *dlfpy_type_name_of(PyObject *x) {
  return dlfpy_type_name(Py_TYPE(x));
}

/** Return the size of a type's objects. */
#ifdef Py_LIMITED_API
Py_ssize_t dlfpy_object_size(PyTypeObject *type);
#else
static inline Py_ssize_t dlfpy_object_size(PyTypeObject *type) {
  return type->tp_basicsize;
}
#endif

#ifdef Py_LIMITED_API
#define PyTuple_GET_SIZE(tuple) PyTuple_Size(tuple)
#define PyTuple_GET_ITEM(tuple, i) PyTuple_GetItem(tuple, i)
#define PyTuple_SET_ITEM(tuple, i, item) (void)PyTuple_SetItem(tuple, i, item)
#define PyFloat_AS_DOUBLE(x) PyFloat_AsDouble(x)
#define PyMem_RawMalloc(size) PyMem_Malloc(size)
#define PyObject_CallOneArg(callable, x) PyObject_CallFunctionObjArgs(callable, x, NULL)
#if Py_LIMITED_API < 0x030D0000
#define PyUnicode_AsUTF8(text) PyUnicode_AsUTF8AndSize(text, NULL)
#endif
#define PyList_SET_ITEM(list, i, item) (void)PyList_SetItem(list, i, item)
/* A bound method has its function's __code__. */
#define PyMethod_Check(x) 0
#define PyMethod_GET_FUNCTION(x) (x)
#define PyFunction_Check(x) PyObject_HasAttrString(x, "__code__")

typedef struct dlfpy_complex {
  double real, imag;
} dlfpy_complex;
#define Py_complex dlfpy_complex

static inline dlfpy_complex dlfpy_as_complex(PyObject *x) {
  dlfpy_complex value = {-1, 0};
  PyObject *made = NULL;
  if (PyUnicode_Check(x)) { /* which complex() would read */
    PyErr_SetString(PyExc_TypeError, "expected a number, got a str");
  } else {
    made = PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, x, NULL);
  }
  if (made) {
    value = (dlfpy_complex){PyComplex_RealAsDouble(made), PyComplex_ImagAsDouble(made)};
  }
  Py_XDECREF(made);
  return value;
}
#define PyComplex_AsCComplex(x) dlfpy_as_complex(x)
#define PyComplex_FromCComplex(value) PyComplex_FromDoubles((value).real, (value).imag)
#endif

/** One thread at a time in an object: a critical section, which ends where the GIL could change
 * hands, so that code which is right with the GIL is right without it. Declare nothing in it that
 * is used after it. */
#ifdef Py_GIL_DISABLED
#define DLFPY_BEGIN_SECTION(x) Py_BEGIN_CRITICAL_SECTION(x);
#define DLFPY_END_SECTION() Py_END_CRITICAL_SECTION();
#else
#define DLFPY_BEGIN_SECTION(x) {
#define DLFPY_END_SECTION() }
#endif

#endif
