/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of a Tensor. */
#include "docs.h"
#include "hub.h"

static PyObject *get_shape(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? hub_integers(dlf_dltensor(handle)->shape, dlf_dltensor(handle)->ndim) : NULL;
}

static PyObject *get_strides(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? hub_integers(dlf_dltensor(handle)->strides, dlf_dltensor(handle)->ndim) : NULL;
}

static PyObject *get_ndim(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? PyLong_FromLong(dlf_dltensor(handle)->ndim) : NULL;
}

static PyObject *get_dtype(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? hub_dtype_new(dlf_dltensor(handle)->dtype) : NULL;
}

static PyObject *get_device(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? hub_device_new(dlf_dltensor(handle)->device) : NULL;
}

static PyObject *get_byte_offset(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? PyLong_FromUnsignedLongLong(dlf_dltensor(handle)->byte_offset) : NULL;
}

static PyObject *get_data(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? PyLong_FromVoidPtr(dlf_data(dlf_dltensor(handle))) : NULL;
}

static PyObject *get_flags(PyObject *self, void *unused) {
  const dlfpy_content content = hub_content(self);
  (void)unused;
  return content.handle ? PyLong_FromUnsignedLongLong(dlfpy_flags(content)) : NULL;
}

static PyObject *get_read_only(PyObject *self, void *unused) {
  const dlfpy_content content = hub_content(self);
  (void)unused;
  return content.handle ? PyBool_FromLong((dlfpy_flags(content) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0) : NULL;
}

PyGetSetDef hub_properties[] = {{"shape", get_shape, NULL, DOC_Tensor_shape, NULL},
                                {"strides", get_strides, NULL, DOC_Tensor_strides, NULL},
                                {"ndim", get_ndim, NULL, DOC_Tensor_ndim, NULL},
                                {"dtype", get_dtype, NULL, DOC_Tensor_dtype, NULL},
                                {"device", get_device, NULL, DOC_Tensor_device, NULL},
                                {"flags", get_flags, NULL, DOC_Tensor_flags, NULL},
                                {"read_only", get_read_only, NULL, DOC_Tensor_read_only, NULL},
                                {"byte_offset", get_byte_offset, NULL, DOC_Tensor_byte_offset, NULL},
                                {"data", get_data, NULL, DOC_Tensor_data, NULL},
                                {NULL, NULL, NULL, NULL, NULL}};
