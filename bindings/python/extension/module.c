/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and methods that must be fast, with METH_FASTCALL, which SWIG does not emit. */
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
  bool legacy;
  (void)module;
  if (!dlfpy_positional(&signature, 1, 1, count) || !dlfpy_sort(&signature, given, count, names, v)) return NULL;
  if (!read_device(v[1], &device)) return NULL;
  dlf_copy_mode copy;
  if (!dlfpy_copy_mode(v[2], &copy)) return NULL;
  dlf_tensor *handle = dlfpy_import(v[0], "from_dlpack", device, copy, &legacy);
  if (!handle) return NULL;
  const bool reachable = dlf_is_reachable(dlf_dltensor(handle));
  PyObject *tensor = hub_tensor_new(handle, legacy);
  if (tensor && !reachable && !PyCapsule_CheckExact(v[0]))
    hub_keep(tensor, Py_IS_TYPE(v[0], hub_type) ? hub_peek(v[0]).producer : v[0]);
  return tensor;
}

/* Read the bytes of a contiguous buffer as elements of another dtype and shape; takes bytes. */
static dlf_tensor *reinterpret(dlf_tensor *bytes, PyObject *dtype_name, PyObject *shape_list, PyObject *stride_list) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  int32_t ndim = 1, stride_count = 0;
  const DLTensor *old = dlf_dltensor(bytes);
  dlf_window window = {.memory = dlf_data(old), .dtype = old->dtype, .shape = shape, .strides = NULL};
  DLTensor now;
  dlf_tensor *out = NULL;
  dlf_error error;
  if (!dlf_is_contiguous(old, DLF_ROW_MAJOR)) {
    dlfpy_fail(DLF_LAYOUT, "wrap: expected a contiguous buffer when dtype or shape is given, got gaps");
    goto end;
  }
  if (dtype_name && !hub_read_dtype(dtype_name, "wrap: dtype", &window.dtype)) goto end;
  dlf_status status = dlf_byte_size(old, 0, &window.size, &error);
  if (status) goto fail;
  if (shape_list) {
    if (!hub_read_integers(shape_list, "wrap: shape", shape, &ndim)) goto end;
  } else {
    const int64_t bits = (int64_t)window.dtype.bits * window.dtype.lanes;
    shape[0] = window.size > INT64_MAX / 8 ? window.size / ((bits + 7) / 8) : window.size * 8 / bits;
  }
  if (stride_list) {
    if (!hub_read_integers(stride_list, "wrap: strides", strides, &stride_count)) goto end;
    window.strides = strides;
  }
  window.ndim = ndim;
  window.stride_count = stride_count;
  status = dlf_check_window("wrap", &window, &now, &error);
  if (status) goto fail;
  now.device = old->device;
  status = dlf_wrap(&now, dlf_flags(bytes), bytes, (void (*)(void *))(void (*)(void))dlf_release, &out, &error);
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
  return handle ? hub_tensor_new(handle, false) : NULL;
}

static PyObject *to_dlpack(PyObject *module, PyObject *x) {
  const dlfpy_content content = hub_content(x);
  (void)module;
  return content.handle ? dlfpy_capsule(content) : NULL;
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
  return dlfpy_dlpack(self, hub_content, given, count, names);
}

static PyObject *method_dlpack_device(PyObject *self, PyObject *unused) {
  dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? dlfpy_dlpack_device(handle) : NULL;
}

static PyObject *method_numpy(PyObject *self, PyObject *unused) {
  const dlfpy_content content = hub_content(self);
  (void)unused;
  dlf_retain(content.handle); /* NumPy's Python code, or another thread, may release self */
  PyObject *array = content.handle ? dlfpy_numpy(content) : NULL;
  dlf_release(content.handle);
  return array;
}

/* Without it NumPy puts an object that is not a buffer into an array of objects. */
static PyObject *method_array(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  static const char *const words[] = {"dtype", "copy"};
  static PyObject *interned[2];
  static const dlfpy_signature signature = {"__array__", 0, 2, words, interned};
  PyObject *v[2];
  if (!dlfpy_sort(&signature, given, count, names, v)) return NULL;
  PyObject *array = method_numpy(self, NULL);
  PyObject *space = array ? PyImport_ImportModule("numpy") : NULL;
  PyObject *function = space ? PyObject_GetAttrString(space, v[1] == Py_True ? "array" : "asarray") : NULL;
  PyObject *arguments = function ? Py_BuildValue("(OO)", array, dlfpy_is_given(v[0]) ? v[0] : Py_None) : NULL;
  PyObject *words_of_copy = arguments && v[1] == Py_False ? Py_BuildValue("{sO}", "copy", Py_False) : NULL;
  PyObject *out = arguments && !PyErr_Occurred() ? PyObject_Call(function, arguments, words_of_copy) : NULL;
  Py_XDECREF(words_of_copy);
  Py_XDECREF(arguments);
  Py_XDECREF(function);
  Py_XDECREF(space);
  Py_XDECREF(array);
  return out;
}

/* JAX's only method for unknown objects. */
static PyObject *method_jax_array(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *jax = PyImport_ImportModule("jax.numpy");
  PyObject *array = jax ? PyObject_CallMethod(jax, "from_dlpack", "O", self) : NULL;
  Py_XDECREF(jax);
  return array;
}

static PyObject *method_copy(PyObject *self, PyObject *unused) {
  dlf_tensor *handle = hub_handle(self);
  (void)unused;
  dlf_tensor *copy = handle ? dlfpy_copy(handle) : NULL;
  return copy ? hub_tensor_new(copy, false) : NULL;
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
    {"__array__", FAST(method_array), DOC_Tensor___array__},
    {"__jax_array__", method_jax_array, METH_NOARGS, DOC_Tensor___jax_array__},
    {"copy", method_copy, METH_NOARGS, DOC_Tensor_copy},
    {"numpy", method_numpy, METH_NOARGS, DOC_Tensor_numpy},
    {"release", method_release, METH_NOARGS, DOC_Tensor_release},
    {"__enter__", method_enter, METH_NOARGS, DOC_Tensor___enter__},
    {"__exit__", (PyCFunction)(void (*)(void))method_exit, METH_FASTCALL, DOC_Tensor___exit__},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"flags", get_flags, NULL, DOC_Tensor_flags, NULL},
                                   {"read_only", get_read_only, NULL, DOC_Tensor_read_only, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

/* Takes value. */
static bool add(PyObject *dict, const char *name, PyObject *value) {
  const int failed = value ? PyDict_SetItemString(dict, name, value) : -1;
  Py_XDECREF(value);
  return !failed;
}

/* The methods of SWIG's base class have no meaning here, and some corrupt memory: a Tensor derives from object alone.
 * hub.i sets its slots. */
static bool leave_base(PyTypeObject *type) {
  static const char *const leftovers[] = {"this", "thisown"};
  PyObject *bases = PyTuple_Pack(1, &PyBaseObject_Type), *mro = PyTuple_Pack(2, type, &PyBaseObject_Type);
  if (!bases || !mro) return false;
  Py_SETREF(type->tp_base, (PyTypeObject *)Py_NewRef(&PyBaseObject_Type));
  Py_SETREF(type->tp_bases, bases);
  Py_SETREF(type->tp_mro, mro);
  for (int i = 0; i < 2; i++)
    if (PyDict_GetItemString(type->tp_dict, leftovers[i]) && PyDict_DelItemString(type->tp_dict, leftovers[i]))
      return false;
  return true;
}

static bool finish_type(PyTypeObject *type) {
  PyObject *dict = type->tp_dict;
  bool ok = leave_base(type);
  for (PyMethodDef *m = methods; ok && m->ml_name; m++) ok = add(dict, m->ml_name, PyDescr_NewMethod(type, m));
  for (PyGetSetDef *p = properties; ok && p->name; p++) ok = add(dict, p->name, PyDescr_NewGetSet(type, p));
  type->tp_name = "dlferry.Tensor";
  type->tp_new = NULL; /* a Tensor comes from create, wrap or from_dlpack */
  type->tp_flags &= ~Py_TPFLAGS_BASETYPE;
  ok = ok && add(dict, "__module__", PyUnicode_InternFromString("dlferry"));
  ok = ok && add(dict, DLF_EXCHANGE_ATTRIBUTE, hub_exchange_capsule());
  PyType_Modified(type);
  return ok;
}

/* A process has one dlferry: after sys.modules is cleared and the package is imported again, tensors and exceptions of
 * the two would not match. */
static bool finish_again(PyObject *module, PyObject *first, PyObject *errors) {
  PyObject *modules = PyImport_GetModuleDict();
  return PyDict_Update(PyModule_GetDict(module), first) == 0 &&
         PyDict_SetItemString(modules, "dlferry.errors", errors) == 0;
}

bool hub_finish(PyObject *module, PyTypeObject *type) {
  static PyObject *first, *errors;
  if (first) return finish_again(module, first, errors);
  if (!dlfpy_start() || !finish_type(type) || PyModule_AddFunctions(module, functions)) return false;
  errors = PyImport_ImportModule("dlferry.errors");
  hub_type = dlfpy_own_type = type;
  dlfpy_own_content = hub_peek;
  return errors && (first = PyDict_Copy(PyModule_GetDict(module)));
}
