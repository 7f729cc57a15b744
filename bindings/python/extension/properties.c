/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of a Tensor. */
#include "hub.h"

typedef struct property {
  const char *name; /* opens the text for a closed tensor */
  PyObject *(*read)(dlfpy_content own);
} property;

static PyObject *get(PyObject *self, void *closure) {
  const property *p = closure;
  const dlfpy_content own = hub_content(self, p->name);
  if (own.handle) {
    return p->read(own);
  }
  return NULL;
}

static PyObject *shape(dlfpy_content own) {
  const DLTensor *t = dlf_dltensor(own.handle);
  return hub_integers(t->shape, t->ndim);
}

static PyObject *strides(dlfpy_content own) {
  const DLTensor *t = dlf_dltensor(own.handle);
  return hub_integers(t->strides, t->ndim);
}

static PyObject *ndim(dlfpy_content own) {
  return PyLong_FromLong(dlf_dltensor(own.handle)->ndim);
}

static PyObject *dtype(dlfpy_content own) {
  return hub_dtype_new(dlf_dltensor(own.handle)->dtype);
}

static PyObject *device(dlfpy_content own) {
  return hub_device_new(dlf_dltensor(own.handle)->device);
}

static PyObject *size(dlfpy_content own) {
  int64_t count = 0;
  (void)dlf_count(dlf_dltensor(own.handle), &count, NULL); /* fits: the import has checked it */
  return PyLong_FromLongLong(count);
}

static PyObject *nbytes(dlfpy_content own) {
  const int64_t bytes = hub_byte_size(own.handle);
  if (bytes < 0) {
    return NULL;
  }
  return PyLong_FromLongLong(bytes);
}

static PyObject *itemsize(dlfpy_content own) {
  return PyLong_FromLongLong(dlf_dtype_size(dlf_dltensor(own.handle)->dtype));
}

static PyObject *version(dlfpy_content own) {
  const DLPackVersion version = dlf_dlpack_version(own.handle);
  return Py_BuildValue("(II)", (unsigned)version.major, (unsigned)version.minor);
}

static PyObject *byte_offset(dlfpy_content own) {
  return PyLong_FromUnsignedLongLong(dlf_dltensor(own.handle)->byte_offset);
}

static PyObject *data(dlfpy_content own) {
  return PyLong_FromVoidPtr(dlf_data(dlf_dltensor(own.handle)));
}

static PyObject *flags(dlfpy_content own) {
  return PyLong_FromUnsignedLongLong(dlfpy_flags(own));
}

static PyObject *readonly(dlfpy_content own) {
  return PyBool_FromLong((dlfpy_flags(own) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0);
}

#define PROPERTY_BY(name, read)                                                                    \
  {                                                                                                \
    #name, get, NULL, DOC_Tensor_##name, &(property) {                                             \
      #name, read                                                                                  \
    }                                                                                              \
  }
#define PROPERTY(name) PROPERTY_BY(name, name)

PyGetSetDef hub_properties[] = {
    PROPERTY_BY(T, hub_T),
    {"__array_interface__", hub_array_interface, NULL, DOC_Tensor___array_interface__, NULL},
    {"__cuda_array_interface__",
     hub_cuda_array_interface,
     NULL,
     DOC_Tensor___cuda_array_interface__,
     NULL},
    PROPERTY_BY(mT, hub_mT),
    PROPERTY(size),
    PROPERTY(nbytes),
    PROPERTY(itemsize),
    PROPERTY(version),
    PROPERTY(shape),
    PROPERTY(strides),
    PROPERTY(ndim),
    PROPERTY(dtype),
    PROPERTY(device),
    PROPERTY(flags),
    PROPERTY(readonly),
    PROPERTY(byte_offset),
    PROPERTY(data),
    {NULL, NULL, NULL, NULL, NULL}};
