/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

#include <string.h>

/* A handle that speaks __dlpack__ and nothing else: how a tensor reaches another framework's from_dlpack. */
typedef struct carrier {
  PyObject_HEAD dlf_tensor *handle;
} carrier;

static dlf_tensor *carrier_handle(PyObject *self) { return ((carrier *)self)->handle; }

static PyObject *carrier_dlpack(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  return dlfpy_dlpack(self, carrier_handle, given, count, names);
}

static PyObject *carrier_device(PyObject *self, PyObject *unused) {
  (void)unused;
  return dlfpy_dlpack_device(((carrier *)self)->handle);
}

static void carrier_free(PyObject *self) {
  dlf_release(((carrier *)self)->handle);
  PyObject_Free(self);
}

static PyMethodDef carrier_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))carrier_dlpack, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"__dlpack_device__", carrier_device, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyTypeObject carrier_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "dlferry.Carrier",
    .tp_basicsize = sizeof(carrier),
    .tp_dealloc = carrier_free,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = carrier_methods,
};

/* Keeps handle. */
static PyObject *carrier_new(dlf_tensor *handle) {
  if (!(carrier_type.tp_flags & Py_TPFLAGS_READY) && PyType_Ready(&carrier_type)) return NULL;
  carrier *self = PyObject_New(carrier, &carrier_type);
  if (self) self->handle = dlf_retain(handle);
  return (PyObject *)self;
}

static PyObject *through(PyObject *from_dlpack, dlf_tensor *handle) {
  PyObject *object = carrier_new(handle);
  PyObject *result = object ? PyObject_CallOneArg(from_dlpack, object) : NULL;
  Py_XDECREF(object);
  return result;
}

static PyObject *numpy_from_dlpack(void) {
  static PyObject *function;
  if (function) return function;
  PyObject *module = PyImport_ImportModule("numpy");
  if (!module) return NULL;
  function = PyObject_GetAttrString(module, "from_dlpack");
  Py_DECREF(module);
  return function;
}

static void release_handle(void *owner) { dlf_release(owner); }

/* NumPy has bfloat16 and its like only from ml_dtypes, and not in its from_dlpack: bytes of their size, then a view. */
static PyObject *numpy_by_name(dlf_tensor *self, PyObject *from_dlpack) {
  const DLTensor *t = dlf_dltensor(self);
  const uint64_t flags = dlf_flags(self);
  char name[DLF_NAME_CAPACITY];
  dlf_tensor *raw;
  dlf_error error;
  dlf_dtype_format(t->dtype, name, sizeof name);
  PyObject *module = PyImport_ImportModule("ml_dtypes");
  PyErr_Clear();
  PyObject *dtype = module ? PyObject_GetAttrString(module, name) : NULL;
  PyErr_Clear();
  Py_XDECREF(module);
  const bool packed = t->dtype.bits % 8 && !(flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  if (!dtype || t->dtype.lanes != 1 || t->dtype.bits > 16 || packed) {
    Py_XDECREF(dtype);
    return dlfpy_fail(DLF_DTYPE, "numpy: expected a dtype that NumPy or ml_dtypes has, got %s%s", name,
                      packed ? ", packed" : "");
  }
  const DLDataType bytes = {kDLUInt, t->dtype.bits > 8 ? 16 : 8, 1};
  const dlf_status status =
      dlf_wrap(dlf_data(t), bytes, t->ndim, t->shape, t->strides, t->device, flags & DLPACK_FLAG_BITMASK_READ_ONLY,
               dlf_retain(self), release_handle, &raw, &error);
  if (status) {
    dlf_release(self);
    Py_DECREF(dtype);
    return dlfpy_raise(status, &error);
  }
  PyObject *array = through(from_dlpack, raw);
  PyObject *view = array ? PyObject_CallMethod(array, "view", "O", dtype) : NULL;
  dlf_release(raw);
  Py_XDECREF(array);
  Py_DECREF(dtype);
  return view;
}

PyObject *dlfpy_numpy(dlf_tensor *self) {
  const DLTensor *t = dlf_dltensor(self);
  PyObject *from_dlpack = numpy_from_dlpack();
  if (!from_dlpack) return NULL;
  if (!dlf_is_cpu_accessible(t->device)) {
    char device[DLF_NAME_CAPACITY];
    dlf_device_format(t->device, device, sizeof device);
    return dlfpy_fail(DLF_DEVICE, "numpy: expected data that the processor can reach, got %s", device);
  }
  return dlfpy_buffer_format(t->dtype) ? through(from_dlpack, self) : numpy_by_name(self, from_dlpack);
}

static PyObject *as_dlferry_tensor(dlf_tensor *handle) {
  PyObject *module = PyImport_ImportModule("dlferry");
  PyObject *function = module ? PyObject_GetAttrString(module, "from_dlpack") : NULL;
  PyObject *result = function ? through(function, handle) : NULL;
  Py_XDECREF(module);
  Py_XDECREF(function);
  return result;
}

/* TensorFlow takes the legacy structure only, and not every dtype. */
static PyObject *by_tensorflow(dlf_tensor *handle) {
  PyObject *module = PyImport_ImportModule("tensorflow.experimental.dlpack");
  PyObject *capsule = module ? dlfpy_capsule_legacy(handle) : NULL;
  PyObject *result = capsule ? PyObject_CallMethod(module, "from_dlpack", "O", capsule) : NULL;
  PyErr_Clear();
  Py_XDECREF(module);
  Py_XDECREF(capsule);
  return result ? result : as_dlferry_tensor(handle);
}

/* JAX, CuPy, dpnp and others name their array API namespace, which has from_dlpack. */
static PyObject *by_namespace(PyObject *like, dlf_tensor *handle) {
  PyObject *space = PyObject_CallMethod(like, "__array_namespace__", NULL);
  PyObject *function = space ? PyObject_GetAttrString(space, "from_dlpack") : NULL;
  PyErr_Clear();
  PyObject *result = function ? through(function, handle) : as_dlferry_tensor(handle);
  Py_XDECREF(space);
  Py_XDECREF(function);
  return result;
}

PyObject *dlfpy_give(PyObject *like, DLManagedTensorVersioned *owned) {
  const dlfpy_producer *producer = like ? dlfpy_producer_of(like) : NULL;
  void *object = NULL;
  dlf_tensor *handle;
  dlf_error error;
  if (PyErr_Occurred()) {
    dlf_dlpack_release(owned);
    return NULL;
  }
  if (producer && producer->kind == DLFPY_TABLE && producer->api->managed_tensor_to_py_object_no_sync) {
    /* The specification does not say who owns the tensor after a failure: rather leak it than free it twice. */
    if (!producer->api->managed_tensor_to_py_object_no_sync(owned, &object) && object) return object;
    if (!PyErr_Occurred()) dlfpy_fail(DLF_FOREIGN, "%.80s: expected a new array, got none", Py_TYPE(like)->tp_name);
    return NULL;
  }
  PyObject *result = producer && producer->kind == DLFPY_NUMPY ? dlfpy_numpy_new(owned) : NULL;
  if (result) return result;
  PyErr_Clear();
  const dlf_status status = dlf_from_dlpack(owned, &handle, &error);
  if (status) {
    dlf_dlpack_release(owned);
    return dlfpy_raise(status, &error);
  }
  if (producer && producer->kind == DLFPY_NUMPY)
    result = dlfpy_numpy(handle);
  else if (producer && producer->kind == DLFPY_PROTOCOL)
    result = dlfpy_is_from(like, "tensorflow") ? by_tensorflow(handle) : by_namespace(like, handle);
  else
    result = as_dlferry_tensor(handle);
  dlf_release(handle);
  return result;
}

PyObject *dlfpy_tuple(PyObject **results, int count) {
  bool ok = true;
  for (int i = 0; i < count; i++) ok = ok && results[i];
  PyObject *tuple = ok ? PyTuple_New(count) : NULL;
  for (int i = 0; i < count; i++)
    if (tuple)
      PyTuple_SET_ITEM(tuple, i, results[i]);
    else
      Py_XDECREF(results[i]);
  return tuple;
}

PyObject *dlfpy_enum_type(const char *package, const char *name, PyObject **type) {
  if (*type) return *type;
  PyObject *module = PyImport_ImportModule(package);
  PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;
  Py_XDECREF(module);
  if (*type)
    Py_XDECREF(found); /* an import may run this again */
  else
    *type = found;
  return *type;
}

PyObject *dlfpy_enum(const char *package, const char *name, PyObject **type, long long number) {
  PyObject *value = PyErr_Occurred() ? NULL : PyLong_FromLongLong(number);
  PyObject *class = value ? dlfpy_enum_type(package, name, type) : NULL;
  PyObject *member = class ? PyObject_CallOneArg(class, value) : NULL;
  if (!member && value && PyErr_ExceptionMatches(PyExc_ValueError)) {
    PyErr_Clear();
    return value;
  }
  Py_XDECREF(value);
  return member;
}

PyObject *dlfpy_text(const char *text) {
  return PyErr_Occurred() ? NULL : PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}
