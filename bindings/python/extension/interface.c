/* SPDX-License-Identifier: Apache-2.0 */
/* The protocols before DLPack: __array_interface__ of NumPy and __cuda_array_interface__ of Numba,
 * both version 3. They pass an address and leave it to the consumer to keep the object, so from
 * then on the memory lives as long as the Tensor, also after release(). */
#include "hub.h"

/* "<f4"; false for a dtype that NumPy has no such name for. */
static bool typestring(DLDataType dtype, char *text, size_t size) {
  static const char kinds[] = {
      [kDLInt] = 'i', [kDLUInt] = 'u', [kDLFloat] = 'f', [kDLComplex] = 'c', [kDLBool] = 'b'};
  if (!dlfpy_buffer_format(dtype)) {
    return false;
  }
  char order = '<';
  if (dtype.bits == 8) {
    order = '|';
  } else if (PY_BIG_ENDIAN) {
    order = '>';
  }
  PyOS_snprintf(text, size, "%c%c%d", order, kinds[dtype.code], dtype.bits / 8);
  return true;
}

static PyObject *strides_of(const DLTensor *t) {
  int64_t bytes[DLF_MAX_NDIM];
  if (dlf_is_contiguous(t, DLF_ROW_MAJOR)) {
    Py_RETURN_NONE;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    bytes[i] = dlfpy_stride(t, i);
  }
  return hub_integers(bytes, t->ndim);
}

/* AttributeError, so that hasattr tells whether a tensor has the protocol. */
static PyObject *refuse(const char *name, const char *wanted, dlfpy_content own) {
  char text[256];
  dlf_describe(dlf_dltensor(own.handle), dlfpy_flags(own), text, sizeof text);
  PyErr_Format(PyExc_AttributeError, "%s: expected %s, got %.200s", name, wanted, text);
  return NULL;
}

/* The format takes as many of the entries as the protocol has, the stream last. */
static PyObject *interface(PyObject *self, const char *name, const char *where,
                           bool (*is_there)(const DLTensor *), const char *format) {
  char text[16];
  const dlfpy_content own = hub_content(self, name);
  if (!own.handle) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(own.handle);
  if (!is_there(t)) {
    return refuse(name, where, own);
  }
  if (!typestring(t->dtype, text, sizeof text)) {
    return refuse(name, "a dtype that NumPy itself has", own);
  }
  if (hub_unknown_flags(own)) {
    return refuse(name, "flags that DLPack 1.3 names", own);
  }
  PyObject *out =
      Py_BuildValue(format,
                    "version",
                    3,
                    "shape",
                    hub_integers(t->shape, t->ndim),
                    "typestr",
                    text,
                    "data",
                    PyLong_FromVoidPtr(dlf_data(t)),
                    PyBool_FromLong((dlfpy_flags(own) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0),
                    "strides",
                    strides_of(t),
                    "stream",
                    1);
  if (out) {
    hub_lend(self);
  }
  return out;
}

PyObject *hub_array_interface(PyObject *self, void *Py_UNUSED(unused)) {
  return interface(self,
                   "__array_interface__",
                   "data that the processor can reach",
                   dlf_is_reachable,
                   "{s:i,s:N,s:s,s:(NN),s:N}");
}

static bool is_on_cuda(const DLTensor *t) {
  const int32_t type = (int32_t)t->device.device_type;
  return type == kDLCUDA || type == kDLCUDAManaged;
}

/* Importing asked the producer for data that is ready on the legacy default stream, number 1. */
PyObject *hub_cuda_array_interface(PyObject *self, void *Py_UNUSED(unused)) {
  return interface(self,
                   "__cuda_array_interface__",
                   "data on a CUDA device",
                   is_on_cuda,
                   "{s:i,s:N,s:s,s:(NN),s:N,s:i}");
}
