/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and methods that must be fast, by METH_FASTCALL, which SWIG does not emit. */
#include "docs.h"
#include "hub.h"

#define FAST(function) ((PyCFunction)(void (*)(void))(function)), METH_FASTCALL | METH_KEYWORDS

static bool read_device(PyObject *x, DLDevice *out) {
  dlf_error error;
  *out = (DLDevice){0, 0};
  if (!x || x == Py_None) return true;
  if (!PyUnicode_Check(x)) return dlfpy_device_pair(x, "from_dlpack", out);
  const char *name = PyUnicode_AsUTF8(x);
  const dlf_status status = name ? dlf_device_parse(name, out, &error) : DLF_OK;
  if (status) dlfpy_raise(status, &error);
  return name && !status;
}

static PyObject *from_dlpack(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  static const char *const words[] = {"x", "device", "copy"};
  static PyObject *interned[3];
  static const dlfpy_signature signature = {"from_dlpack", 1, 3, words, interned};
  PyObject *v[3];
  DLDevice device;
  (void)module;
  if (!dlfpy_sort(&signature, given, count, names, v) || !read_device(v[1], &device)) return NULL;
  const int copy = !v[2] || v[2] == Py_None ? -1 : PyObject_IsTrue(v[2]);
  if (copy < 0 && PyErr_Occurred()) return NULL;
  dlf_tensor *handle = dlfpy_import(v[0], "from_dlpack", device, copy);
  return handle ? hub_tensor_new(handle) : NULL;
}

/* Look at the bytes of a contiguous buffer as elements of another dtype and shape; takes bytes. */
static dlf_tensor *reinterpret(dlf_tensor *bytes, PyObject *dtype_name, PyObject *shape_list, PyObject *stride_list) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM], size, low, high;
  int32_t ndim = 1, stride_count = 0;
  const DLTensor *old = dlf_dltensor(bytes);
  DLTensor now = {dlf_data(old), old->device, 0, old->dtype, shape, NULL, 0};
  dlf_tensor *out = NULL;
  dlf_error error = {0};
  const char *word = NULL;
  dlf_status status = DLF_OK;
  if (!dlf_is_contiguous(old, DLF_ROW_MAJOR)) {
    dlfpy_fail(DLF_LAYOUT, "wrap: expected a contiguous buffer when dtype or shape is given, got gaps");
    goto end;
  }
  if (dtype_name && !dlfpy_string("wrap: dtype", dtype_name, &word)) goto end;
  if (word) status = dlf_dtype_parse(word, &now.dtype, &error);
  if (!status) status = dlf_byte_size(old, 0, &size, &error);
  if (status) goto fail;
  if (shape_list) {
    if (!hub_read_integers(shape_list, "wrap: shape", shape, &ndim)) goto end;
  } else {
    const int64_t bits = (int64_t)now.dtype.bits * now.dtype.lanes;
    shape[0] = size > INT64_MAX / 8 ? size / ((bits + 7) / 8) : size * 8 / bits;
  }
  now.ndim = ndim;
  if (stride_list) {
    if (!hub_read_integers(stride_list, "wrap: strides", strides, &stride_count)) goto end;
    now.strides = strides;
    if (stride_count != ndim) {
      dlfpy_fail(DLF_INVALID, "wrap: expected %d strides, got %d", (int)ndim, (int)stride_count);
      goto end;
    }
  }
  if (!now.data) now.data = &now; /* an empty buffer: any address will do for the check, none for the tensor */
  status = dlf_check(&now, DLF_CHECK_STRUCTURE, &error);
  if (!status) status = dlf_byte_range(&now, 0, &low, &high, &error);
  if (status) goto fail;
  if (low < 0 || high > size) {
    dlfpy_fail(DLF_BOUNDS, "wrap: expected bytes from 0 to %lld, got %lld to %lld", (long long)size, (long long)low,
               (long long)high);
    goto end;
  }
  status = dlf_wrap(dlf_data(old), now.dtype, ndim, shape, now.strides, now.device, dlf_flags(bytes), bytes,
                    (void (*)(void *))(void (*)(void))dlf_release, &out, &error);
  if (!status) return out;
fail:
  dlfpy_raise(status, &error);
end:
  dlf_release(bytes);
  return NULL;
}

static PyObject *wrap(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  static const char *const words[] = {"buffer", "dtype", "shape", "strides"};
  static PyObject *interned[4];
  static const dlfpy_signature signature = {"wrap", 1, 4, words, interned};
  PyObject *v[4];
  (void)module;
  if (!dlfpy_sort(&signature, given, count, names, v)) return NULL;
  for (int i = 1; i < 4; i++)
    if (v[i] == Py_None) v[i] = NULL;
  dlfpy_drain();
  dlf_tensor *handle =
      dlfpy_producer_of(v[0])->kind == DLFPY_NUMPY ? dlfpy_numpy_wrap(v[0], "wrap") : dlfpy_buffer_wrap(v[0], "wrap");
  if (handle && (v[1] || v[2] || v[3])) handle = reinterpret(handle, v[1], v[2], v[3]);
  return handle ? hub_tensor_new(handle) : NULL;
}

static PyObject *to_dlpack(PyObject *module, PyObject *x) {
  dlf_tensor *handle = hub_handle(x);
  (void)module;
  return handle ? dlfpy_capsule(handle) : NULL;
}

static PyObject *to_dlpack_legacy(PyObject *module, PyObject *x) {
  dlf_tensor *handle = hub_handle(x);
  (void)module;
  return handle ? dlfpy_capsule_legacy(handle) : NULL;
}

static PyMethodDef functions[] = {{"from_dlpack", FAST(from_dlpack), DOC_from_dlpack},
                                  {"wrap", FAST(wrap), DOC_wrap},
                                  {"to_dlpack", to_dlpack, METH_O, DOC_to_dlpack},
                                  {"to_dlpack_legacy", to_dlpack_legacy, METH_O, DOC_to_dlpack_legacy},
                                  {NULL, NULL, 0, NULL}};

static PyObject *method_dlpack(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  return dlfpy_dlpack(self, hub_handle, given, count, names);
}

static PyObject *method_dlpack_device(PyObject *self, PyObject *unused) {
  dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? dlfpy_dlpack_device(handle) : NULL;
}

static PyObject *method_numpy(PyObject *self, PyObject *unused) {
  dlf_tensor *handle = dlf_retain(hub_handle(self)); /* NumPy's Python code, or another thread, may release self */
  (void)unused;
  PyObject *array = handle ? dlfpy_numpy(handle) : NULL;
  dlf_release(handle);
  return array;
}

static PyObject *method_release(PyObject *self, PyObject *unused) {
  (void)unused;
  hub_dealloc(self);
  Py_RETURN_NONE;
}

static PyObject *method_enter(PyObject *self, PyObject *unused) {
  (void)unused;
  return hub_handle(self) ? Py_NewRef(self) : NULL;
}

static PyObject *method_exit(PyObject *self, PyObject *const *exception, Py_ssize_t count) {
  (void)exception;
  (void)count;
  hub_dealloc(self);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"__dlpack__", FAST(method_dlpack), DOC_Tensor___dlpack__},
    {"__dlpack_device__", method_dlpack_device, METH_NOARGS, DOC_Tensor___dlpack_device__},
    {"numpy", method_numpy, METH_NOARGS, DOC_Tensor_numpy},
    {"release", method_release, METH_NOARGS, DOC_Tensor_release},
    {"__enter__", method_enter, METH_NOARGS, DOC_Tensor___enter__},
    {"__exit__", (PyCFunction)(void (*)(void))method_exit, METH_FASTCALL, DOC_Tensor___exit__},
    {NULL, NULL, 0, NULL}};

static dlf_tensor *own_handle(PyObject *x) { return *hub_slot(x); }

bool hub_finish(PyObject *module) {
  if (!dlfpy_start()) return false;
  dlfpy_own_type = hub_type;
  dlfpy_own_handle = own_handle;
  PyObject *dict = hub_type->tp_dict;
  for (PyMethodDef *m = methods; m->ml_name; m++) {
    PyObject *descriptor = PyDescr_NewMethod(hub_type, m);
    const int failed = descriptor ? PyDict_SetItemString(dict, m->ml_name, descriptor) : -1;
    Py_XDECREF(descriptor);
    if (failed) return false;
  }
  hub_type->tp_name = "dlferry.Tensor";
  PyObject *home = PyUnicode_InternFromString("dlferry");
  if (!home || PyDict_SetItemString(dict, "__module__", home)) return false;
  Py_DECREF(home);
  hub_type->tp_new = NULL; /* a Tensor comes from create, wrap or from_dlpack */
  hub_type->tp_flags &= ~Py_TPFLAGS_BASETYPE;
  PyObject *table = hub_exchange_capsule();
  const int failed = table ? PyDict_SetItemString(dict, "__dlpack_c_exchange_api__", table) : -1;
  Py_XDECREF(table);
  PyType_Modified(hub_type);
  return !failed && PyModule_AddFunctions(module, functions) == 0;
}
