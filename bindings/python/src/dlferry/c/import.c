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
static dlf_tensor *consume(PyObject *capsule, const char *name, bool immutable, bool *versioned) {
  const int content = content_of(capsule, name);
  if (content < 0) return NULL;
  void *managed = PyCapsule_GetPointer(capsule, content ? VERSIONED : LEGACY);
  if (!managed || PyCapsule_SetName(capsule, content ? "used_" VERSIONED : "used_" LEGACY)) return NULL;
  *versioned = content;
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

static PyObject *ask(PyObject *x, PyObject *stream, DLDevice device, int copy) {
  PyObject *result = NULL, *method = PyObject_GetAttrString(x, "__dlpack__"), *none = PyTuple_New(0);
  PyObject *words = Py_BuildValue("{s(ii)}", "max_version", DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR);
  bool ok = method && none && words;
  if (ok && stream != Py_None) ok = PyDict_SetItemString(words, "stream", stream) == 0;
  if (ok && device.device_type) {
    PyObject *pair = Py_BuildValue("(ii)", (int)device.device_type, (int)device.device_id);
    ok = pair && PyDict_SetItemString(words, "dl_device", pair) == 0;
    Py_XDECREF(pair);
  }
  if (ok && copy >= 0) ok = PyDict_SetItemString(words, "copy", copy ? Py_True : Py_False) == 0;
  if (ok) result = PyObject_Call(method, none, words);
  if (ok && !result && PyErr_ExceptionMatches(PyExc_TypeError)) {
    /* A producer from before the keywords: it cannot copy or move, which the caller settles afterwards. */
    PyErr_Clear();
    PyDict_Clear(words);
    if (stream == Py_None || PyDict_SetItemString(words, "stream", stream) == 0)
      result = PyObject_Call(method, none, words);
  }
  Py_XDECREF(method);
  Py_XDECREF(none);
  Py_XDECREF(words);
  return result;
}

/* Asked to export objects of its own, TensorFlow ends the process. */
static bool has_plain_elements(PyObject *x, const char *name) {
  static const char *const own[] = {"string", "resource", "variant"};
  if (!dlfpy_is_from(x, "tensorflow")) return true;
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

/* Stream NULL is the default one. */
static dlf_tensor *from_protocol(PyObject *x, const char *name, DLDevice device, int copy, PyObject *stream,
                                 bool *versioned) {
  DLDevice at = {kDLCPU, 0};
  dlf_tensor *out = NULL;
  PyObject *pair = PyObject_CallMethod(x, "__dlpack_device__", NULL);
  if (!pair && !PyErr_ExceptionMatches(PyExc_AttributeError)) {
    dlfpy_foreign(name, DLFPY_EXPORTED, x);
    return NULL;
  }
  PyErr_Clear();
  const bool known = !pair || dlfpy_device_pair(pair, name, &at);
  Py_XDECREF(pair);
  if (!known || !has_plain_elements(x, name)) return NULL;
  stream = stream ? Py_NewRef(stream) : dlfpy_default_stream(at);
  PyObject *capsule = stream ? ask(x, stream, device, copy) : NULL;
  if (!capsule)
    dlfpy_foreign(name, DLFPY_EXPORTED, x);
  else if (PyCapsule_CheckExact(capsule))
    out = consume(capsule, name, dlfpy_immutable(x) != NULL, versioned);
  else
    dlfpy_fail(DLF_FOREIGN, "%s: expected a capsule from __dlpack__ of %.80s, got %.80s", name, Py_TYPE(x)->tp_name,
               Py_TYPE(capsule)->tp_name);
  Py_XDECREF(stream);
  Py_XDECREF(capsule);
  return out;
}

static bool has_protocol(PyObject *x) {
  PyObject *method = PyObject_GetAttrString((PyObject *)Py_TYPE(x), "__dlpack__");
  PyErr_Clear();
  Py_XDECREF(method);
  return method != NULL;
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
    if (!dlfpy_torch_check(x, name, &managed->dl_tensor, &read_only)) {
      dlf_dlpack_release(managed);
      return NULL;
    }
    if (read_only) managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY; /* a write would go behind autograd's back */
  }
  return take(managed, name);
}

/* The rest of what from_dlpack's device and copy ask, once the producer has done its share. Takes out. */
static dlf_tensor *settle(dlf_tensor *out, const char *name, DLDevice device, int copy) {
  dlf_tensor *copied = NULL;
  dlf_error error;
  const DLDevice at = dlf_dltensor(out)->device;
  const bool elsewhere =
      device.device_type && (at.device_type != device.device_type || at.device_id != device.device_id);
  if (!elsewhere && copy != 1) return out;
  if (elsewhere && (copy == 0 || device.device_type != kDLCPU || !dlf_is_cpu_accessible(at))) {
    char want[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
    dlf_device_format(device, want, sizeof want);
    dlf_device_format(at, got, sizeof got);
    dlfpy_fail(DLF_DEVICE, "%s: expected device %s, got %s", name, want, got);
  } else {
    const dlf_status status = dlf_copy(out, &copied, &error);
    if (status) dlfpy_raise(status, &error);
  }
  dlf_release(out);
  return copied;
}

dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, int copy, bool *versioned) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  dlf_tensor *out = NULL;
  *versioned = true;
  switch (producer->kind) {
  case DLFPY_HANDLE:
    out = dlf_retain(dlfpy_own_handle(x));
    if (!out) dlfpy_fail(DLF_INVALID, "%s: expected a tensor, got one that has been released", name);
    break;
  case DLFPY_NUMPY:
    if (producer->masked && !dlfpy_numpy_unmasked(x, name)) return NULL;
    out = dlfpy_numpy_wrap(x, name);
    break;
  case DLFPY_TABLE:
    out = dlfpy_from_table(x, producer, name);
    /* The table does not wait for the device's stream, and only the producer can move or copy from there. */
    if (out && !dlf_is_cpu_accessible(dlf_dltensor(out)->device) && has_protocol(x)) {
      dlf_release(out);
      return from_protocol(x, name, device, copy, NULL, versioned);
    }
    break;
  case DLFPY_PROTOCOL:
    out = from_protocol(x, name, device, copy, NULL, versioned);
    /* Whether an old producer has copied when asked, nobody knows: only the flag says so. */
    if (out && copy == 1 && (dlf_flags(out) & DLPACK_FLAG_BITMASK_IS_COPIED)) copy = -1;
    break;
  case DLFPY_CAPSULE: out = consume(x, name, false, versioned); break;
  case DLFPY_BUFFER: out = dlfpy_buffer_wrap(x, name); break;
  default: dlfpy_wrong_type(name, "an array with __dlpack__, a DLPack capsule or a buffer", x);
  }
  return out ? settle(out, name, device, copy) : NULL;
}

dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, int copy) {
  bool versioned;
  dlfpy_drain();
  return dlfpy_import_known(x, name, device, copy, &versioned);
}

dlf_tensor *dlfpy_import_on(PyObject *x, const char *name, PyObject *stream) {
  bool versioned;
  return from_protocol(x, name, (DLDevice){0, 0}, -1, stream, &versioned);
}
