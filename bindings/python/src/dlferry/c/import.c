/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

#include <string.h>

#define VERSIONED "dltensor_versioned"
#define LEGACY "dltensor"

/* The hub's texts open with its function, of which a caller's argument is one. */
static dlf_tensor *refuse(dlf_status status, dlf_error *error, const char *name) {
  static const char verb[] = "from_dlpack: ";
  const size_t size = sizeof verb - 1;
  if (strncmp(error->message, verb, size) == 0)
    dlfpy_fail(status, "%s: %s", name, error->message + size);
  else
    dlfpy_raise(status, error);
  return NULL;
}

/* The first failure of an import leaves the managed tensor with us, so its deleter is ours to call. */
static dlf_tensor *take(DLManagedTensorVersioned *managed, const char *name) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status = dlf_from_dlpack(managed, &out, &error);
  if (!status) return out;
  dlf_dlpack_release(managed);
  return refuse(status, &error, name);
}

static void release_legacy(void *owner) { dlf_dlpack_release_legacy(owner); }

/* The legacy structure has no flags: that JAX's data must not be written is known from its type alone. */
static dlf_status from_immutable(DLManagedTensor *managed, dlf_tensor **out, dlf_error *error) {
  const DLTensor *t = &managed->dl_tensor;
  const dlf_status status = dlf_check(t, DLF_CHECK_STRUCTURE, error);
  if (status) return status;
  return dlf_wrap(dlf_data(t), t->dtype, t->ndim, t->shape, t->strides, t->device, DLPACK_FLAG_BITMASK_READ_ONLY,
                  managed, release_legacy, out, error);
}

static dlf_tensor *take_legacy(DLManagedTensor *managed, const char *name, bool immutable) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status =
      immutable ? from_immutable(managed, &out, &error) : dlf_from_dlpack_legacy(managed, &out, &error);
  if (!status) return out;
  dlf_dlpack_release_legacy(managed);
  return refuse(status, &error, name);
}

/* What a capsule holds: 1 versioned, 0 legacy, -1 with an exception. */
static int content_of(PyObject *capsule, const char *name) {
  const char *is = PyCapsule_GetName(capsule);
  if (is && strcmp(is, VERSIONED) == 0) return 1;
  if (is && strcmp(is, LEGACY) == 0) return 0;
  if (is && strncmp(is, "used_", 5) == 0)
    dlfpy_fail(DLF_INVALID, "%s: expected a capsule that has not been consumed, got \"%s\"", name, is);
  else if (!PyErr_Occurred())
    dlfpy_fail(DLF_INVALID, "%s: expected a capsule \"" VERSIONED "\" or \"" LEGACY "\", got %s%s%s", name,
               is ? "\"" : "one without a name", is ? is : "", is ? "\"" : "");
  return -1;
}

/* Renamed before anything else can fail or run, so that nobody consumes it twice. */
static dlf_tensor *consume(PyObject *capsule, const char *name, bool immutable, bool *legacy) {
  const int content = content_of(capsule, name);
  if (content < 0) return NULL;
  void *managed = PyCapsule_GetPointer(capsule, content ? VERSIONED : LEGACY);
  if (!managed || PyCapsule_SetName(capsule, content ? "used_" VERSIONED : "used_" LEGACY)) return NULL;
  *legacy = !content;
  return content ? take(managed, name) : take_legacy(managed, name, immutable);
}

bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out) {
  const int content = content_of(capsule, name);
  void *managed = content < 0 ? NULL : PyCapsule_GetPointer(capsule, content ? VERSIONED : LEGACY);
  if (!managed) return false;
  if (!content) {
    *out = (dlf_arg){&((DLManagedTensor *)managed)->dl_tensor, DLF_FLAGS_UNKNOWN};
    return true;
  }
  const DLManagedTensorVersioned *m = managed;
  *out = (dlf_arg){&m->dl_tensor, m->flags};
  if (m->version.major == DLF_DLPACK_MAJOR) return true;
  dlfpy_fail(DLF_VERSION, "%s: expected DLPack major version %d, got %lu", name, DLF_DLPACK_MAJOR,
             (unsigned long)m->version.major);
  return false;
}

bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out) {
  PyObject *list = PySequence_Check(pair) && PySequence_Size(pair) == 2 ? PySequence_Tuple(pair) : NULL;
  PyErr_Clear();
  if (list) {
    PyObject *id = PyTuple_GET_ITEM(list, 1);
    const long type = PyLong_AsLong(PyTuple_GET_ITEM(list, 0));
    const long number = id == Py_None ? 0 : PyLong_AsLong(id); /* Paddle says (1, None) */
    *out = (DLDevice){(DLDeviceType)type, (int32_t)number};
    const bool fits = !PyErr_Occurred() && type > 0 && type <= INT32_MAX && number >= 0 && number <= INT32_MAX;
    Py_DECREF(list);
    PyErr_Clear();
    if (fits) return true;
  }
  dlfpy_fail(DLF_INVALID, "%s: expected a pair of device type and device id, got %.80s", name, Py_TYPE(pair)->tp_name);
  return false;
}

/* The stream on which the data must be ready. An explicit one, since producers differ about None: the legacy default
 * stream, with which the processor's later calls are ordered. */
PyObject *dlfpy_default_stream(DLDevice device) {
  if (device.device_type == kDLCUDA || device.device_type == kDLCUDAManaged) return PyLong_FromLong(1);
  if (device.device_type == kDLROCM) return PyLong_FromLong(0);
  Py_RETURN_NONE;
}

/* Call __dlpack__ with the keywords that are not NULL; their names come in tuples that are made once. */
static PyObject *call_with(PyObject *method, PyObject *const *values) {
  static const char *const words[] = {"stream", "max_version", "dl_device", "copy"};
  static PyObject *names[16];
  PyObject *given[4];
  Py_ssize_t count = 0;
  int which = 0;
  for (int i = 0; i < 4; i++)
    if (values[i]) {
      given[count++] = values[i];
      which |= 1 << i;
    }
  if (!names[which]) {
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0, at = 0; tuple && i < 4; i++) {
      PyObject *word = values[i] ? PyUnicode_InternFromString(words[i]) : NULL;
      if (word) PyTuple_SET_ITEM(tuple, at++, word);
      if (values[i] && !word) Py_CLEAR(tuple);
    }
    if (!tuple) return NULL;
    names[which] = tuple;
  }
  return PyObject_Vectorcall(method, given, 0, count ? names[which] : NULL);
}

/* Stream None is not passed. */
static PyObject *ask(PyObject *method, PyObject *stream, DLDevice device, int copy) {
  static PyObject *newest;
  PyObject *values[4] = {stream == Py_None ? NULL : stream, NULL, NULL, NULL};
  if (!newest && !(newest = Py_BuildValue("(ii)", DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR))) return NULL;
  values[1] = newest;
  if (device.device_type) values[2] = Py_BuildValue("(ii)", (int)device.device_type, (int)device.device_id);
  if (device.device_type && !values[2]) return NULL;
  if (copy >= 0) values[3] = copy ? Py_True : Py_False;
  PyObject *result = call_with(method, values);
  Py_XDECREF(values[2]);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  /* A producer from before the keywords: it cannot copy or move, which the caller settles afterwards. */
  PyErr_Clear();
  values[1] = values[2] = values[3] = NULL;
  return call_with(method, values);
}

/* Asked to export objects of its own, TensorFlow ends the process. */
static bool has_plain_elements(PyObject *x, const char *name) {
  static const char *const own[] = {"string", "resource", "variant"};
  PyObject *dtype = PyObject_GetAttrString(x, "dtype");
  PyObject *text = dtype ? PyObject_GetAttrString(dtype, "name") : NULL;
  const char *is = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
  bool plain = true;
  PyErr_Clear();
  for (size_t i = 0; is && i < sizeof own / sizeof *own; i++) plain = plain && strcmp(is, own[i]) != 0;
  if (!plain) dlfpy_fail(DLF_DTYPE, "%s: expected numbers, got TensorFlow's %s", name, is);
  Py_XDECREF(dtype);
  Py_XDECREF(text);
  return plain;
}

/* Where the data of x is; an object without the method is taken to be the processor's. */
static bool device_of(PyObject *x, const char *name, DLDevice *out) {
  static PyObject *word;
  PyObject *method;
  *out = (DLDevice){kDLCPU, 0};
  if (!dlfpy_attribute(x, &word, "__dlpack_device__", &method)) return dlfpy_foreign(name, DLFPY_EXPORTED, x);
  if (!method) return true;
  PyObject *pair = PyObject_CallNoArgs(method);
  const bool known = pair ? dlfpy_device_pair(pair, name, out) : dlfpy_foreign(name, DLFPY_EXPORTED, x);
  Py_DECREF(method);
  Py_XDECREF(pair);
  return known;
}

static bool method_of(PyObject *x, const char *name, PyObject **out) {
  static PyObject *word;
  *out = NULL;
  if (PyType_Check(x)) return true; /* its objects' method, not its own */
  return dlfpy_attribute(x, &word, "__dlpack__", out) || dlfpy_foreign(name, DLFPY_EXPORTED, x);
}

/* Stream NULL is the default one. */
static dlf_tensor *by_method(PyObject *x, PyObject *method, const char *name, DLDevice device, int copy,
                             PyObject *stream, bool *legacy) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  DLDevice at;
  dlf_tensor *out = NULL;
  if (!device_of(x, name, &at)) return NULL;
  if (producer->tensorflow && !has_plain_elements(x, name)) return NULL;
  stream = stream ? Py_NewRef(stream) : dlfpy_default_stream(at);
  PyObject *capsule = stream ? ask(method, stream, device, copy) : NULL;
  if (!capsule)
    dlfpy_foreign(name, DLFPY_EXPORTED, x);
  else if (PyCapsule_CheckExact(capsule))
    out = consume(capsule, name, producer->immutable != NULL, legacy);
  else
    dlfpy_fail(DLF_FOREIGN, "%s: expected a capsule from __dlpack__ of %.80s, got %.80s", name, Py_TYPE(x)->tp_name,
               Py_TYPE(capsule)->tp_name);
  Py_XDECREF(stream);
  Py_XDECREF(capsule);
  return out;
}

static dlf_tensor *no_array(PyObject *x, const char *name) {
  dlfpy_wrong_type(name, "an array with __dlpack__, a DLPack capsule or a buffer", x);
  return NULL;
}

DLManagedTensorVersioned *dlfpy_managed(PyObject *x, const dlfpy_producer *producer, const char *name) {
  DLManagedTensorVersioned *managed = NULL;
  if (!producer->api->managed_tensor_from_py_object_no_sync(x, &managed) && managed) {
    const bool readable = producer->torch && managed->version.major == DLF_DLPACK_MAJOR;
    if (!readable || managed->dl_tensor.data || !dlfpy_bytes(&managed->dl_tensor)) return managed;
    dlf_dlpack_release(managed);
    dlfpy_no_memory(name, x);
  } else if (PyErr_Occurred())
    dlfpy_foreign(name, DLFPY_EXPORTED, x);
  else
    dlfpy_fail(DLF_FOREIGN, "%s: expected a managed tensor or an exception from %.80s, got neither", name,
               Py_TYPE(x)->tp_name);
  return NULL;
}

dlf_tensor *dlfpy_from_table(PyObject *x, const dlfpy_producer *producer, const char *name) {
  DLManagedTensorVersioned *managed = dlfpy_managed(x, producer, name);
  bool read_only = false;
  if (!managed) return NULL;
  if (producer->torch && managed->version.major == DLF_DLPACK_MAJOR) {
    if (!dlfpy_torch_check(x, producer, name, &managed->dl_tensor, &read_only)) {
      dlf_dlpack_release(managed);
      return NULL;
    }
    if (read_only) managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY; /* a write would go behind autograd's back */
  }
  return take(managed, name);
}

/* The rest of what from_dlpack's device and copy ask, once the producer has done its share. Takes out. */
static dlf_tensor *settle(dlf_tensor *out, const char *name, DLDevice device, int copy, bool *legacy) {
  dlf_tensor *copied = NULL;
  const DLDevice at = dlf_dltensor(out)->device;
  const bool elsewhere =
      device.device_type && (at.device_type != device.device_type || at.device_id != device.device_id);
  if (!elsewhere && copy != 1) return out;
  if (elsewhere && (copy == 0 || device.device_type != kDLCPU || !dlf_is_reachable(dlf_dltensor(out)))) {
    char want[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
    dlf_device_format(device, want, sizeof want);
    dlf_device_format(at, got, sizeof got);
    dlfpy_fail(DLF_DEVICE, "%s: expected device %s, got %s", name, want, got);
  } else {
    copied = dlfpy_copy(out);
    *legacy = false;
  }
  dlf_release(out);
  return copied;
}

static dlf_tensor *from_table(PyObject *x, const dlfpy_producer *producer, const char *name, DLDevice device, int copy,
                              bool *legacy) {
  PyObject *method;
  dlf_tensor *out = dlfpy_from_table(x, producer, name);
  if (!out || dlf_is_cpu_accessible(dlf_dltensor(out)->device)) return out;
  /* The table does not wait for the device's stream, and only the producer can move or copy from there. */
  const bool asked = method_of(x, name, &method);
  if (asked && !method) return out;
  dlf_release(out);
  out = asked ? by_method(x, method, name, device, copy, NULL, legacy) : NULL;
  Py_XDECREF(method);
  return out;
}

/* An object with __dlpack__, of its type or its own, else a buffer. */
static dlf_tensor *from_object(PyObject *x, const char *name, DLDevice device, int *copy, bool *legacy) {
  PyObject *method;
  if (!method_of(x, name, &method)) return NULL;
  if (!method) return PyObject_CheckBuffer(x) ? dlfpy_buffer_wrap(x, name) : no_array(x, name);
  dlf_tensor *out = by_method(x, method, name, device, *copy, NULL, legacy);
  Py_DECREF(method);
  /* Whether an old producer has copied when asked, nobody knows: only the flag says so. */
  if (out && *copy == 1 && (dlf_flags(out) & DLPACK_FLAG_BITMASK_IS_COPIED)) *copy = -1;
  return out;
}

static dlf_tensor *from_own(PyObject *x, const char *name, DLDevice device, int *copy, bool *legacy) {
  const dlfpy_view view = dlfpy_own_view(x);
  if (!view.handle) dlfpy_fail(DLF_INVALID, "%s: expected a tensor, got one that has been released", name);
  *legacy = view.legacy;
  if (!view.producer || device.device_type != kDLCPU || *copy == 0) return dlf_retain(view.handle);
  PyObject *producer = Py_NewRef(view.producer); /* its code may release the tensor */
  dlf_tensor *out = from_object(producer, name, device, copy, legacy);
  Py_DECREF(producer);
  return out;
}

dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, int copy, bool *legacy) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  dlf_tensor *out = NULL;
  *legacy = false;
  switch (producer->kind) {
  case DLFPY_HANDLE: out = from_own(x, name, device, &copy, legacy); break;
  case DLFPY_NUMPY:
    if (producer->masked && !dlfpy_numpy_unmasked(x, name)) return NULL;
    if (dlfpy_numpy_must_export(x)) {
      out = from_object(x, name, device, &copy, legacy);
      if (out || !PyErr_ExceptionMatches(PyExc_BufferError)) break;
      PyErr_Clear(); /* NumPy does not know it either */
    }
    out = dlfpy_numpy_wrap(x, name);
    break;
  case DLFPY_TABLE: out = from_table(x, producer, name, device, copy, legacy); break;
  case DLFPY_CAPSULE: out = consume(x, name, false, legacy); break;
  case DLFPY_BUFFER: out = PyObject_CheckBuffer(x) ? dlfpy_buffer_wrap(x, name) : no_array(x, name); break;
  default: out = from_object(x, name, device, &copy, legacy);
  }
  return out ? settle(out, name, device, copy, legacy) : NULL;
}

dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, int copy, bool *legacy) {
  dlfpy_drain();
  return dlfpy_import_known(x, name, device, copy, legacy);
}

dlf_tensor *dlfpy_import_on(PyObject *x, const char *name, PyObject *stream) {
  bool legacy;
  PyObject *method;
  if (!method_of(x, name, &method)) return NULL;
  dlf_tensor *out = method ? by_method(x, method, name, (DLDevice){0, 0}, -1, stream, &legacy) : no_array(x, name);
  Py_XDECREF(method);
  return out;
}
