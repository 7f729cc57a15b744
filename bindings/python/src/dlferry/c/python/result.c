/* SPDX-License-Identifier: Apache-2.0 */
#include "release.h"

/* A handle with only __dlpack__, to give a tensor to another framework's from_dlpack. */
typedef struct carrier {
  PyObject_HEAD dlfpy_content content;
} carrier;

static dlfpy_content carrier_content(PyObject *self) {
  return ((carrier *)self)->content;
}

static PyObject *carrier_dlpack(PyObject *self, PyObject *const *given, Py_ssize_t count,
                                PyObject *names) {
  return dlfpy_dlpack(self, carrier_content, given, count, names);
}

static PyObject *carrier_device(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return dlfpy_dlpack_device(((carrier *)self)->content.handle);
}

static void carrier_free(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  dlfpy_release(((carrier *)self)->content.handle);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyMethodDef carrier_methods[] = {{"__dlpack__",
                                         (PyCFunction)(void (*)(void))carrier_dlpack,
                                         METH_FASTCALL | METH_KEYWORDS,
                                         NULL},
                                        {"__dlpack_device__", carrier_device, METH_NOARGS, NULL},
                                        {NULL, NULL, 0, NULL}};

static PyType_Slot carrier_slots[] = {
    {Py_tp_dealloc, carrier_free}, {Py_tp_methods, carrier_methods}, {0, NULL}};

static PyType_Spec carrier_spec = {.name = "dlferry.Carrier",
                                   .basicsize = sizeof(carrier),
                                   .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                   .slots = carrier_slots};

/* Keeps the handle. */
static PyObject *carrier_new(dlfpy_content content) {
  static PyObject *carrier_type;
  PyObject *type = dlfpy_get(&carrier_type);
  if (!type) {
    type = dlfpy_keep(&carrier_type, PyType_FromSpec(&carrier_spec));
  }
  if (!type) {
    return NULL;
  }
  carrier *self = PyObject_New(carrier, (PyTypeObject *)(void *)type);
  if (self) {
    self->content = (dlfpy_content){dlf_retain(content.handle), content.legacy, NULL};
  }
  return (PyObject *)self;
}

static PyObject *through(PyObject *from_dlpack, dlfpy_content content) {
  PyObject *object = carrier_new(content);
  PyObject *result = NULL;
  if (object) {
    result = PyObject_CallOneArg(from_dlpack, object);
  }
  Py_XDECREF(object);
  return result;
}

static PyObject *numpy_from_dlpack(void) {
  static PyObject *function;
  return dlfpy_import_once(&function, "numpy", "from_dlpack");
}

/* A failed import is not repeated, since it searches all of sys.path. */
static bool numpy_is_there(void) {
  static bool missing;
  if (dlfpy_get(&missing)) {
    return false;
  }
  const bool found = numpy_from_dlpack() != NULL;
  if (!found) {
    PyErr_Clear();
    dlfpy_set(&missing, true);
  }
  return found;
}

/* NumPy has bfloat16 and similar only from ml_dtypes, not in its from_dlpack: export bytes of their
 * size, then view. */
static PyObject *numpy_by_name(dlfpy_content content, PyObject *from_dlpack) {
  const DLTensor *t = dlf_dltensor(content.handle);
  const uint64_t flags = dlfpy_flags(content);
  char name[DLF_NAME_CAPACITY];
  dlf_dtype_format(t->dtype, name, sizeof name);
  PyObject *dtype = dlfpy_import_from("ml_dtypes", name);
  PyErr_Clear();
  /* another package's dtype */
  PyObject *array = NULL;
  if (dlfpy_numpy_registers()) {
    array = through(from_dlpack, content);
  }
  PyErr_Clear();
  if (array) {
    Py_XDECREF(dtype);
    return array;
  }
  const bool packed = t->dtype.bits % 8 && !(flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  if (!dtype || t->dtype.lanes != 1 || t->dtype.bits > 16 || packed) {
    Py_XDECREF(dtype);
    return dlfpy_fail(DLF_DTYPE,
                      "numpy: expected a dtype that NumPy or ml_dtypes has, got %s%s",
                      name,
                      packed ? ", packed; write t.numpy(copy=True)" : "");
  }
  DLTensor bytes = *t;
  bytes.dtype = (DLDataType){kDLUInt, t->dtype.bits > 8 ? 16 : 8, 1};
  dlf_tensor *raw = dlfpy_redescribe(content.handle, &bytes, flags & DLPACK_FLAG_BITMASK_READ_ONLY);
  PyObject *typed = NULL;
  if (raw) {
    array = through(from_dlpack, dlfpy_alone(raw));
  }
  if (array) {
    typed = PyObject_CallMethod(array, "view", "O", dtype);
  }
  dlf_release(raw);
  Py_XDECREF(array);
  Py_DECREF(dtype);
  return typed;
}

/* Memory of a device that the processor reaches, such as oneAPI's shared memory, described as the
 * processor's: NumPy takes no other. */
static PyObject *numpy_of_shared(dlfpy_content content) {
  DLTensor here = *dlf_dltensor(content.handle);
  here.device = (DLDevice){kDLCPU, 0};
  dlf_tensor *same = dlfpy_redescribe(content.handle, &here, dlfpy_flags(content));
  PyObject *array = NULL;
  if (same) {
    array = dlfpy_numpy(dlfpy_alone(same));
  }
  dlf_release(same);
  return array;
}

PyObject *dlfpy_numpy(dlfpy_content content) {
  const DLTensor *t = dlf_dltensor(content.handle);
  PyObject *from_dlpack = numpy_from_dlpack();
  dlf_elements elements;
  dlf_error error;
  DLTensor bytes = *t; /* elements narrower than a byte as the bytes that hold them when padded */
  if (bytes.dtype.bits % 8) {
    bytes.dtype = (DLDataType){kDLUInt, 8, 1};
  }
  if (!from_dlpack) {
    return NULL;
  }
  const dlf_status status = dlf_look((dlf_arg){&bytes, dlfpy_flags(content)},
                                     (DLDataType){0, 0, 0},
                                     DLF_LOOK_UNALIGNED,
                                     &elements,
                                     &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  if (!dlf_is_cpu_accessible(t->device)) {
    return numpy_of_shared(content);
  }
  if (dlfpy_buffer_format(t->dtype)) {
    return through(from_dlpack, content);
  }
  return numpy_by_name(content, from_dlpack);
}

static PyObject *as_dlferry_tensor(dlf_tensor *handle) {
  PyObject *function = dlfpy_import_from("dlferry", "from_dlpack");
  PyObject *result = NULL;
  if (function) {
    result = through(function, dlfpy_alone(handle));
  }
  Py_XDECREF(function);
  return result;
}

/* NumPy may be missing, and it lacks some dtypes and devices. */
static PyObject *as_numpy_or_tensor(dlf_tensor *handle) {
  PyObject *array = NULL;
  if (numpy_is_there()) {
    array = dlfpy_numpy(dlfpy_alone(handle));
  }
  if (array) {
    return array;
  }
  PyErr_Clear();
  return as_dlferry_tensor(handle);
}

/* TensorFlow takes only the legacy structure, and not every dtype. */
static PyObject *by_tensorflow(dlf_tensor *handle) {
  PyObject *capsule = dlfpy_capsule_legacy(handle);
  PyObject *result = NULL;
  if (capsule) {
    result = dlfpy_call_from("tensorflow.experimental.dlpack", "from_dlpack", "(O)", capsule);
  }
  PyErr_Clear();
  Py_XDECREF(capsule);
  if (result) {
    return result;
  }
  return as_dlferry_tensor(handle);
}

/* JAX, CuPy, dpnp and others name their array API namespace, which has from_dlpack. */
static PyObject *by_namespace(PyObject *like, dlf_tensor *handle) {
  PyObject *space = PyObject_CallMethod(like, "__array_namespace__", NULL);
  PyObject *function = dlfpy_attribute_of(space, "from_dlpack");
  PyErr_Clear();
  PyObject *result;
  if (function) {
    result = through(function, dlfpy_alone(handle));
  } else {
    result = as_dlferry_tensor(handle);
  }
  Py_XDECREF(space);
  Py_XDECREF(function);
  return result;
}

/* A copy of what C made read-only, which a library without read-only arrays would let callers
 * write. Takes owned. */
static DLManagedTensorVersioned *copy_to_write(DLManagedTensorVersioned *owned) {
  DLManagedTensorVersioned *out = NULL;
  dlf_error error;
  dlf_status status = DLF_OK;
  dlf_tensor *handle = dlfpy_take(owned, "from_dlpack");
  if (!handle) {
    return NULL;
  }
  dlf_tensor *copy = dlfpy_copy(handle);
  dlfpy_release(handle);
  if (copy) {
    status = dlf_into_dlpack(copy, &out, &error);
  }
  if (status) {
    dlf_release(copy);
    dlfpy_raise(status, &error);
  }
  return out;
}

/* Through a library's exchange table. What it exports of the new array tells whether it has
 * read-only ones. Memory that the processor cannot reach is shared. Takes owned. */
static PyObject *by_table(PyObject *like, const dlfpy_producer *producer,
                          DLManagedTensorVersioned *owned) {
  const char *type = dlfpy_type_name_of(like);
  const bool read_only =
      (owned->flags & DLPACK_FLAG_BITMASK_READ_ONLY) && dlf_is_reachable(&owned->dl_tensor);
  PyObject *shared = dlfpy_from_managed(producer, type, owned);
  if (!shared || !read_only) {
    return shared;
  }
  DLManagedTensorVersioned *exported = dlfpy_managed(shared, producer, type);
  if (exported && (exported->flags & DLPACK_FLAG_BITMASK_READ_ONLY)) {
    dlfpy_release_managed(exported);
    return shared;
  }
  const dlfpy_flight flight = dlfpy_set_aside(); /* its deleter may run Python code */
  Py_DECREF(shared);
  dlfpy_put_back(flight);
  DLManagedTensorVersioned *copy = NULL;
  if (exported) {
    copy = copy_to_write(exported);
  }
  if (copy) {
    return dlfpy_from_managed(producer, type, copy);
  }
  return NULL;
}

PyObject *dlfpy_give(PyObject *like, DLManagedTensorVersioned *owned) {
  if (PyErr_Occurred()) {
    dlfpy_release_managed(owned);
    return NULL;
  }
  const dlfpy_producer *producer = NULL;
  dlfpy_kind kind = DLFPY_BUFFER;
  if (like) {
    producer = dlfpy_producer_of(like);
    kind = producer->kind;
  }
  if (producer && producer->api && producer->api->managed_tensor_to_py_object_no_sync) {
    return by_table(like, producer, owned);
  }
  PyObject *result = NULL;
  if (kind == DLFPY_NUMPY) {
    result = dlfpy_numpy_new(owned);
  }
  if (result) {
    return result;
  }
  PyErr_Clear();
  dlf_tensor *handle = dlfpy_take(owned, "from_dlpack");
  if (!handle) {
    return NULL;
  }
  if (kind == DLFPY_NUMPY) {
    result = dlfpy_numpy(dlfpy_alone(handle));
  } else if (kind == DLFPY_PROTOCOL || kind == DLFPY_OBJECT) {
    if (producer->tensorflow) {
      result = by_tensorflow(handle);
    } else {
      result = by_namespace(like, handle);
    }
  } else if (kind == DLFPY_OWN) {
    result = as_dlferry_tensor(handle);
  } else {
    result = as_numpy_or_tensor(handle);
  }
  dlfpy_release(handle);
  return result;
}

/* A named tuple is a tuple of another type, so it is filled like one: its class's own function
 * takes four times as long. A program may have put anything else in the class's place. */
static PyObject *tuple_of(PyObject *class, int count) {
  PyTypeObject *type = (PyTypeObject *)(void *)class;
  if (!PyType_Check(class) || type == &PyTuple_Type || !PyType_IsSubtype(type, &PyTuple_Type)) {
    return PyTuple_New(count);
  }
  const allocfunc alloc = (allocfunc)DLFPY_SLOT(type, tp_alloc);
  return alloc(type, count);
}

PyObject *dlfpy_results(const char *package, const char *name, PyObject **type, PyObject **results,
                        int count) {
  bool ok = true;
  for (int i = 0; i < count; i++) {
    ok = ok && results[i];
  }
  PyObject *class = NULL;
  if (ok) {
    class = dlfpy_import_once(type, package, name);
  }
  PyObject *tuple = NULL;
  if (class) {
    tuple = tuple_of(class, count);
  }
  for (int i = 0; i < count; i++) {
    if (tuple) {
      PyTuple_SET_ITEM(tuple, i, results[i]);
    } else {
      Py_XDECREF(results[i]);
    }
  }
  return tuple;
}

PyObject *dlfpy_text(const char *text) {
  if (PyErr_Occurred()) {
    return NULL;
  }
  if (!text) {
    return Py_NewRef(Py_None);
  }
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyObject *dlfpy_given_text(const char *owned, void (*release)(const char *owned)) {
  PyObject *text = dlfpy_text(owned);
  release(owned);
  return text;
}

PyObject *dlfpy_given_texts(const char *const *owned, void (*release)(const char *owned)) {
  PyObject *list = PyErr_Occurred() ? NULL : PyList_New(0);
  for (Py_ssize_t i = 0; list && owned && owned[i]; i++) {
    PyObject *text = dlfpy_text(owned[i]);
    if (!text || PyList_Append(list, text)) {
      Py_CLEAR(list);
    }
    Py_XDECREF(text);
  }
  release((const char *)owned);
  return list;
}
