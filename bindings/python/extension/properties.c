/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of a Tensor. */
#include "docs.h"
#include "hub.h"

static PyObject *get_shape(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "shape");
  (void)unused;
  if (handle) {
    return hub_integers(dlf_dltensor(handle)->shape, dlf_dltensor(handle)->ndim);
  }
  return NULL;
}

static PyObject *get_strides(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "strides");
  (void)unused;
  if (handle) {
    return hub_integers(dlf_dltensor(handle)->strides, dlf_dltensor(handle)->ndim);
  }
  return NULL;
}

static PyObject *get_ndim(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "ndim");
  (void)unused;
  if (handle) {
    return PyLong_FromLong(dlf_dltensor(handle)->ndim);
  }
  return NULL;
}

static PyObject *get_dtype(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "dtype");
  (void)unused;
  if (handle) {
    return hub_dtype_new(dlf_dltensor(handle)->dtype);
  }
  return NULL;
}

static PyObject *get_device(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "device");
  (void)unused;
  if (handle) {
    return hub_device_new(dlf_dltensor(handle)->device);
  }
  return NULL;
}

static PyObject *get_size(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "size");
  int64_t count = 0;
  (void)unused;
  if (!handle) {
    return NULL;
  }
  (void)dlf_count(dlf_dltensor(handle), &count, NULL); /* fits: the import has checked it */
  return PyLong_FromLongLong(count);
}

static PyObject *get_nbytes(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "nbytes");
  dlf_error error;
  int64_t bytes;
  (void)unused;
  if (!handle) {
    return NULL;
  }
  const dlf_status status = dlf_byte_size(dlf_dltensor(handle), dlf_flags(handle), &bytes, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return PyLong_FromLongLong(bytes);
}

static PyObject *get_itemsize(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "itemsize");
  (void)unused;
  if (handle) {
    return PyLong_FromLongLong(dlf_dtype_size(dlf_dltensor(handle)->dtype));
  }
  return NULL;
}

static PyObject *get_version(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "version");
  (void)unused;
  const DLPackVersion version = dlf_dlpack_version(handle);
  if (handle) {
    return Py_BuildValue("(II)", (unsigned)version.major, (unsigned)version.minor);
  }
  return NULL;
}

static PyObject *get_byte_offset(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "byte_offset");
  (void)unused;
  if (handle) {
    return PyLong_FromUnsignedLongLong(dlf_dltensor(handle)->byte_offset);
  }
  return NULL;
}

static PyObject *get_data(PyObject *self, void *unused) {
  const dlf_tensor *handle = hub_handle(self, "data");
  (void)unused;
  if (handle) {
    return PyLong_FromVoidPtr(dlf_data(dlf_dltensor(handle)));
  }
  return NULL;
}

static PyObject *get_flags(PyObject *self, void *unused) {
  const dlfpy_content content = hub_content(self, "flags");
  (void)unused;
  if (content.handle) {
    return PyLong_FromUnsignedLongLong(dlfpy_flags(content));
  }
  return NULL;
}

static PyObject *get_readonly(PyObject *self, void *unused) {
  const dlfpy_content content = hub_content(self, "readonly");
  (void)unused;
  if (content.handle) {
    return PyBool_FromLong((dlfpy_flags(content) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
  }
  return NULL;
}

PyGetSetDef hub_properties[] = {
    {"T", hub_get_T, NULL, DOC_Tensor_T, NULL},
    {"__array_interface__", hub_array_interface, NULL, DOC_Tensor___array_interface__, NULL},
    {"__cuda_array_interface__",
     hub_cuda_array_interface,
     NULL,
     DOC_Tensor___cuda_array_interface__,
     NULL},
    {"mT", hub_get_mT, NULL, DOC_Tensor_mT, NULL},
    {"size", get_size, NULL, DOC_Tensor_size, NULL},
    {"nbytes", get_nbytes, NULL, DOC_Tensor_nbytes, NULL},
    {"itemsize", get_itemsize, NULL, DOC_Tensor_itemsize, NULL},
    {"version", get_version, NULL, DOC_Tensor_version, NULL},
    {"shape", get_shape, NULL, DOC_Tensor_shape, NULL},
    {"strides", get_strides, NULL, DOC_Tensor_strides, NULL},
    {"ndim", get_ndim, NULL, DOC_Tensor_ndim, NULL},
    {"dtype", get_dtype, NULL, DOC_Tensor_dtype, NULL},
    {"device", get_device, NULL, DOC_Tensor_device, NULL},
    {"flags", get_flags, NULL, DOC_Tensor_flags, NULL},
    {"readonly", get_readonly, NULL, DOC_Tensor_readonly, NULL},
    {"byte_offset", get_byte_offset, NULL, DOC_Tensor_byte_offset, NULL},
    {"data", get_data, NULL, DOC_Tensor_data, NULL},
    {NULL, NULL, NULL, NULL, NULL}};
