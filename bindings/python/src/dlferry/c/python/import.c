/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"
#include "oneapi.h"
#include "release.h"

static void release_legacy(void *owner) {
  dlf_dlpack_release_legacy(owner);
}

/* The legacy structure has no flags: only its type shows that JAX's data must not be written. */
static dlf_status from_immutable(DLManagedTensor *managed, dlf_tensor **out, dlf_error *error) {
  const DLTensor *t = &managed->dl_tensor;
  const dlf_status status = dlf_check(t, 0, DLF_CHECK_STRUCTURE, error);
  if (status) {
    return status;
  }
  return dlf_wrap(t, DLPACK_FLAG_BITMASK_READ_ONLY, managed, release_legacy, out, error);
}

static dlf_tensor *take_legacy(DLManagedTensor *managed, const char *name, bool immutable) {
  dlf_tensor *out;
  dlf_error error;
  dlf_status status;
  if (immutable) {
    status = from_immutable(managed, &out, &error);
  } else {
    status = dlf_from_dlpack_legacy(managed, &out, &error);
  }
  if (!status) {
    return out;
  }
  dlf_dlpack_release_legacy(managed);
  dlfpy_raise_as(name, "from_dlpack", status, &error);
  return NULL;
}

static dlf_tensor *consume(PyObject *capsule, const char *name, bool immutable, bool *legacy) {
  bool versioned;
  void *managed = dlfpy_capsule_take(capsule, name, &versioned);
  if (!managed) {
    return NULL;
  }
  *legacy = !versioned;
  if (!versioned) {
    return take_legacy(managed, name, immutable);
  }
  DLManagedTensorVersioned *const read = managed;
  if (immutable && read->version.major == DLF_DLPACK_MAJOR &&
      !(read->flags & DLPACK_FLAG_BITMASK_IS_COPIED)) {
    read->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return dlfpy_take(read, name);
}

/* We cannot know whether a producer has copied as asked: only the flag tells, which several leave
 * out. Then the hub copies again where it can. */
static bool is_copied(const dlf_tensor *out, bool told_to_copy) {
  if (dlf_flags(out) & DLPACK_FLAG_BITMASK_IS_COPIED) {
    return true;
  }
  return told_to_copy && !dlf_is_reachable(dlf_dltensor(out));
}

/* Ask x itself, or in its place a torch tensor that does not require grad. */
static PyObject *capsule_of(PyObject *x, PyObject *method, const char *name, DLDevice device,
                            dlf_copy_mode copy, PyObject *stream, bool *told_to_copy) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  const bool by_torch = producer->torch && !(producer->api && producer->kind == DLFPY_PROTOCOL);
  if (!by_torch) {
    return dlfpy_ask(x, method, name, device, copy, stream, told_to_copy);
  }
  PyObject *asked = dlfpy_torch_to_ask(x, name);
  PyObject *own = NULL;
  PyObject *capsule = NULL;
  if (asked && dlfpy_method(asked, name, &own) && own) {
    capsule = dlfpy_ask(asked, own, name, device, copy, stream, told_to_copy);
  } else if (!PyErr_Occurred()) {
    dlfpy_no_protocol(name, "an array with __dlpack__", x);
  }
  Py_XDECREF(asked);
  Py_XDECREF(own);
  return capsule;
}

/* Stream NULL is the default one. A copy mode that the producer has done becomes IF_NEEDED. */
static dlf_tensor *by_method(PyObject *x, PyObject *method, const char *name, DLDevice device,
                             dlf_copy_mode *copy, PyObject *stream, bool *legacy) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  const bool may_move = device.device_type || *copy == DLF_COPY_ALWAYS;
  bool told_to_copy;
  PyObject *capsule = capsule_of(x, method, name, device, *copy, stream, &told_to_copy);
  dlf_tensor *out = NULL;
  if (capsule) {
    out = consume(capsule, name, producer->immutable != NULL, legacy);
  }
  Py_XDECREF(capsule);
  if (out && !dlfpy_wait_for_queue(x, name, dlf_dltensor(out)->device)) {
    dlfpy_release(out);
    return NULL;
  }
  if (out && *copy == DLF_COPY_NEVER && (dlf_flags(out) & DLPACK_FLAG_BITMASK_IS_COPIED)) {
    dlf_release(out); /* a producer older than the keyword */
    dlfpy_fail(DLF_LAYOUT,
               "%s: expected data that is shared, got a copy from %.80s",
               name,
               dlfpy_type_name_of(x));
    return NULL;
  }
  if (out && *copy == DLF_COPY_ALWAYS && is_copied(out, told_to_copy)) {
    *copy = DLF_COPY_IF_NEEDED;
  }
  return dlfpy_torch_keep(x, producer, name, may_move, out);
}

static dlf_tensor *no_array(PyObject *x, const char *name) {
  dlfpy_no_protocol(name, "an array with __dlpack__, a DLPack capsule or a buffer", x);
  return NULL;
}

static dlf_tensor *from_buffer(PyObject *x, const char *name) {
  if (PyObject_CheckBuffer(x)) {
    return dlfpy_buffer_wrap(x, name);
  }
  return no_array(x, name);
}

static dlf_tensor *owned_by_table(PyObject *x, const dlfpy_producer *producer, const char *name) {
  if (producer->torch && producer->api->dltensor_from_py_object_no_sync) {
    return dlfpy_torch_wrap(x, producer, name);
  }
  DLManagedTensorVersioned *managed = dlfpy_managed(x, producer, name);
  dlf_tensor *out = NULL;
  if (managed) {
    out = dlfpy_take(managed, name);
  }
  return dlfpy_torch_keep(x, producer, name, false, out);
}

/* The rest of from_dlpack's device and copy, after the producer's part. Takes out. */
static dlf_tensor *settle(dlf_tensor *out, const char *name, DLDevice device, dlf_copy_mode copy,
                          bool *legacy) {
  dlf_tensor *settled;
  dlf_error error;
  if (!dlfpy_is_moved(dlf_dltensor(out), device, copy)) {
    return out;
  }
  PyThreadState *thread = dlfpy_begin_copy(out);
  const dlf_status status = dlf_to_device(out, device, copy, &settled, &error);
  dlfpy_end_copy(out, thread);
  dlf_release(out);
  *legacy = false;
  if (status) {
    dlfpy_raise_as(name, "to_device", status, &error);
  }
  return settled;
}

static dlf_tensor *from_table(PyObject *x, const dlfpy_producer *producer, const char *name,
                              DLDevice device, dlf_copy_mode *copy, bool *legacy) {
  PyObject *method;
  dlf_tensor *out = owned_by_table(x, producer, name);
  if (!out || dlf_is_cpu_accessible(dlf_dltensor(out)->device)) {
    return out;
  }
  /* The table does not wait for the device's stream, and only the producer can move or copy from
   * there. */
  const bool asked = dlfpy_method(x, name, &method);
  if (asked && !method) {
    return out;
  }
  dlfpy_release(out);
  out = NULL;
  if (asked) {
    out = by_method(x, method, name, device, copy, NULL, legacy);
  }
  Py_XDECREF(method);
  return out;
}

/* Asking for the device costs as much as the export. It only decides on the stream, which data on
 * the processor does not have: so objects of a type whose objects were there are not asked. NULL,
 * mostly without an exception, if the caller must ask: this one is elsewhere, or raised an
 * exception, which the full question shall show. */
static dlf_tensor *at_once(PyObject *x, const dlfpy_producer *producer, const char *name,
                           bool *legacy) {
  PyObject *capsule = dlfpy_ask_at_once(x);
  dlf_tensor *out = NULL;
  if (capsule && PyCapsule_CheckExact(capsule)) {
    out = consume(capsule, name, producer->immutable != NULL, legacy);
  } else if (!capsule && PyErr_ExceptionMatches(PyExc_Exception)) {
    PyErr_Clear();
  }
  Py_XDECREF(capsule);
  out = dlfpy_torch_keep(x, producer, name, false, out);
  if (!out || dlf_dltensor(out)->device.device_type == kDLCPU) {
    return out;
  }
  dlf_release(out);
  *legacy = false;
  return NULL;
}

/* An object with __dlpack__, of its type or its own, else a buffer. */
static dlf_tensor *from_object(PyObject *x, const char *name, DLDevice device, dlf_copy_mode *copy,
                               bool *legacy) {
  PyObject *method;
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  const bool tries = producer->regular && !device.device_type && *copy == DLF_COPY_IF_NEEDED &&
                     !producer->tensorflow && dlfpy_place_of(x) == DLFPY_ON_CPU;
  dlf_tensor *out = NULL;
  if (tries) {
    out = at_once(x, producer, name, legacy);
  }
  if (out || (tries && PyErr_Occurred())) {
    return out;
  }
  if (!dlfpy_method(x, name, &method)) {
    return NULL;
  }
  if (!method) {
    return from_buffer(x, name);
  }
  out = by_method(x, method, name, device, copy, NULL, legacy);
  Py_DECREF(method);
  if (out && tries) {
    dlfpy_remember_place(x, DLFPY_ANYWHERE); /* these objects must always be asked */
  }
  return out;
}

static dlf_tensor *from_own(PyObject *x, const char *name, DLDevice device, dlf_copy_mode *copy,
                            bool *legacy) {
  dlfpy_content own;
  DLFPY_BEGIN_SECTION(x)
  own = dlfpy_own_content(x);
  (void)dlf_retain(own.handle);
  Py_XINCREF(own.producer); /* its code may release the tensor */
  DLFPY_END_SECTION()
  if (!own.handle) {
    dlfpy_fail(DLF_INVALID, "%s: expected an open tensor, got a closed one", name);
  }
  *legacy = own.legacy;
  dlf_tensor *out = own.handle;
  if (own.producer && device.device_type == kDLCPU && *copy != DLF_COPY_NEVER) {
    out = from_object(own.producer, name, device, copy, legacy);
    dlfpy_release(own.handle);
  }
  Py_XDECREF(own.producer);
  return out;
}

dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, dlf_copy_mode copy,
                               bool *legacy) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  dlf_tensor *out = NULL;
  *legacy = false;
  switch (producer->kind) {
  case DLFPY_OWN:
    out = from_own(x, name, device, &copy, legacy);
    break;
  case DLFPY_NUMPY:
    if (producer->masked && !dlfpy_numpy_unmasked(x, name)) {
      return NULL;
    }
    if (dlfpy_numpy_must_export(x)) {
      out = from_object(x, name, device, &copy, legacy);
      if (out || !PyErr_ExceptionMatches(PyExc_BufferError)) {
        break;
      }
      PyErr_Clear(); /* NumPy does not know it either */
    }
    out = dlfpy_numpy_wrap(x, name);
    break;
  case DLFPY_TABLE:
    out = from_table(x, producer, name, device, &copy, legacy);
    break;
  case DLFPY_CAPSULE:
    out = consume(x, name, false, legacy);
    break;
  case DLFPY_BUFFER:
    out = from_buffer(x, name);
    break;
  default:
    out = from_object(x, name, device, &copy, legacy);
  }
  if (out) {
    return settle(out, name, device, copy, legacy);
  }
  return NULL;
}

dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, dlf_copy_mode copy,
                         bool *legacy) {
  dlfpy_drain();
  return dlfpy_import_known(x, name, device, copy, legacy);
}

dlf_tensor *dlfpy_import_on(PyObject *x, const char *name, PyObject *stream) {
  bool legacy;
  dlf_copy_mode copy = DLF_COPY_IF_NEEDED;
  PyObject *method;
  if (!dlfpy_method(x, name, &method)) {
    return NULL;
  }
  dlf_tensor *out;
  if (method) {
    out = by_method(x, method, name, (DLDevice){0, 0}, &copy, stream, &legacy);
  } else {
    out = no_array(x, name);
  }
  Py_XDECREF(method);
  return out;
}
