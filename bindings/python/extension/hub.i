/* SPDX-License-Identifier: Apache-2.0 */
%module(package="dlferry") hub

%begin %{
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
%}
%{
#include "hub.h"
#include <string.h>
%}

%include "stdint.i"
%include "typemaps.i"
%include "docs.i"
%include "slot.i"

%rename("%(strip:[dlf_])s") "";
%rename(Tensor) dlf_tensor;

%feature("python:tp_repr") dlf_tensor "hub_repr";
%feature("python:tp_dealloc") dlf_tensor "tensor_dealloc";
%feature("python:nb_int") dlf_tensor "hub_int";
%feature("python:nb_float") dlf_tensor "hub_float";
%feature("python:nb_bool") dlf_tensor "hub_bool";
%feature("python:tp_hash") dlf_tensor "hub_hash";
%feature("python:tp_richcompare") dlf_tensor "hub_compare";
%feature("python:bf_getbuffer") dlf_tensor "hub_getbuffer";
%feature("python:bf_releasebuffer") dlf_tensor "hub_releasebuffer";
%feature("docstring") dlf_tensor "A tensor: shape, dtype, device, and memory shared with its producer.\n\nC: dlf_tensor";
%nodefaultctor dlf_tensor;
%nodefaultdtor dlf_tensor;

typedef struct dlf_tensor {} dlf_tensor;

%{
static PyObject *dlf_tensor_shape_get(dlf_tensor *self) {
  const DLTensor *t = dlf_dltensor(self);
  return hub_integers(t->shape, t->ndim);
}
static PyObject *dlf_tensor_strides_get(dlf_tensor *self) {
  const DLTensor *t = dlf_dltensor(self);
  return hub_integers(t->strides, t->ndim);
}
static PyObject *dlf_tensor_dtype_get(dlf_tensor *self) {
  char name[DLF_NAME_CAPACITY];
  dlf_dtype_format(dlf_dltensor(self)->dtype, name, sizeof name);
  return PyUnicode_FromString(name);
}
static PyObject *dlf_tensor_device_get(dlf_tensor *self) {
  char name[DLF_NAME_CAPACITY];
  dlf_device_format(dlf_dltensor(self)->device, name, sizeof name);
  return PyUnicode_FromString(name);
}
#define dlf_tensor_ndim_get(self) (dlf_dltensor(self)->ndim)
#define dlf_tensor_byte_offset_get(self) (dlf_dltensor(self)->byte_offset)
#define dlf_tensor_data_get(self) ((uint64_t)(uintptr_t)dlf_data(dlf_dltensor(self)))
%}

%extend dlf_tensor {
  %immutable;
  PyObject *shape;
  PyObject *strides;
  int32_t ndim;
  PyObject *dtype;
  PyObject *device;
  uint64_t byte_offset;
  uint64_t data;
  %mutable;
}

/* Parameters have the names that Python's keywords have. */
dlf_status dlf_create(DLDataType dtype, int32_t shape, const int64_t *extents, DLDevice device, dlf_tensor **out,
                      dlf_error *error);
dlf_status dlf_check(const DLTensor *x, uint64_t flags, dlf_check_level level, dlf_error *error);
const char *dlf_version(void);

%exception dlf_live { dlfpy_drain(); $action }
int64_t dlf_live(void);
%exception;

%{
static PyObject *text_describe(dlf_arg tensor) { return hub_text(tensor, dlf_describe); }
static PyObject *text_format(dlf_arg tensor) { return hub_text(tensor, dlf_format); }
#define dlf_describe(x) text_describe(x)
#define dlf_format(x) text_format(x)
%}
PyObject *dlf_describe(dlf_arg x);
PyObject *dlf_format(dlf_arg x);

%header %{
static void tensor_dealloc(PyObject *self);

/* Objects are equal if they are identical, the default of Python types. */
#define hub_hash PyBaseObject_Type.tp_hash
#define hub_compare PyBaseObject_Type.tp_richcompare
%}
%wrapper %{
static PyObject *hub_swig_init(void);
PyMODINIT_FUNC PyInit__hub(void) { return dlfpy_init("dlferry", hub_swig_init); }
#undef SWIG_init
#define SWIG_init hub_swig_init
#undef SWIGEXPORT
#define SWIGEXPORT static

static const char *strip(const char *doc) { return doc && *doc == '\n' ? doc + 1 : doc; }

static void tensor_dealloc(PyObject *self) {
  SwigPyObject *object = (SwigPyObject *)self;
  if (object->weakreflist) PyObject_ClearWeakRefs(self);
  Py_CLEAR(object->swigdict);
  hub_dealloc(self);
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) Py_DECREF(type); /* PyObject_New counted it */
}
%}

%init %{
  /* SWIG begins each docstring on a new line, where inspect does not find the signature. */
  for (PyMethodDef *f = SwigMethods; f->ml_name; f++) f->ml_doc = strip(f->ml_doc);
  for (PyGetSetDef *f = SwigPyBuiltin__dlf_tensor_getset; f->name; f++) f->doc = strip(f->doc);
  if (!hub_finish(m, SwigPyBuiltin__dlf_tensor_clientdata.pytype)) return -1;
%}
