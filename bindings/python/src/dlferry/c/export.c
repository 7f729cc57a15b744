/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

static void destroy_versioned(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
    dlfpy_release_managed(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
}

static void destroy_legacy(PyObject *capsule) {
  PyObject *type, *value, *traceback;
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  PyErr_Fetch(&type, &value, &traceback); /* an exception may be in flight when a capsule dies */
  dlf_dlpack_release_legacy(PyCapsule_GetPointer(capsule, "dltensor"));
  PyErr_Restore(type, value, traceback);
}

static PyObject *in_capsule(dlf_status status, DLManagedTensorVersioned *managed, const dlf_error *error) {
  if (status) return dlfpy_raise(status, error);
  PyObject *capsule = PyCapsule_New(managed, "dltensor_versioned", destroy_versioned);
  if (!capsule) dlf_dlpack_release(managed);
  return capsule;
}

dlf_status dlfpy_export(dlfpy_view view, DLManagedTensorVersioned **out, dlf_error *error) {
  const dlf_status status = dlf_to_dlpack(view.handle, out, error);
  if (!status && view.legacy) (*out)->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  return status;
}

PyObject *dlfpy_capsule(dlfpy_view view) {
  DLManagedTensorVersioned *managed;
  dlf_error error;
  const dlf_status status = dlfpy_export(view, &managed, &error);
  return in_capsule(status, managed, &error);
}

PyObject *dlfpy_capsule_legacy(dlf_tensor *self) {
  DLManagedTensor *managed;
  dlf_error error;
  const dlf_status status = dlf_to_dlpack_legacy(self, &managed, &error);
  if (status) return dlfpy_raise(status, &error);
  PyObject *capsule = PyCapsule_New(managed, "dltensor", destroy_legacy);
  if (!capsule) dlf_dlpack_release_legacy(managed);
  return capsule;
}

/* Other threads run while much is copied, and may let go of self. */
static PyThreadState *begin_copy(dlf_tensor *self) {
  dlf_retain(self);
  return dlfpy_bytes(dlf_dltensor(self)) < dlfpy_gil_limit ? NULL : PyEval_SaveThread();
}

static void end_copy(dlf_tensor *self, PyThreadState *thread) {
  if (thread) PyEval_RestoreThread(thread);
  dlf_release(self);
}

dlf_tensor *dlfpy_copy(dlf_tensor *self) {
  dlf_tensor *copy;
  dlf_error error;
  PyThreadState *thread = begin_copy(self);
  const dlf_status status = dlf_copy(self, &copy, &error);
  end_copy(self, thread);
  if (status) dlfpy_raise(status, &error);
  return copy;
}

static PyObject *capsule_of_copy(dlf_tensor *self, bool versioned) {
  DLManagedTensorVersioned *managed;
  dlf_error error;
  if (versioned) {
    PyThreadState *thread = begin_copy(self);
    const dlf_status status = dlf_to_dlpack_copy(self, &managed, &error);
    end_copy(self, thread);
    return in_capsule(status, managed, &error);
  }
  dlf_tensor *copy = dlfpy_copy(self);
  PyObject *capsule = copy ? dlfpy_capsule_legacy(copy) : NULL;
  dlf_release(copy);
  return capsule;
}

/* Which streams we may hand data over on without a device runtime: the one it was imported on. */
static bool stream_fits(PyObject *stream, DLDevice at) {
  const bool rocm = at.device_type == kDLROCM;
  char device[DLF_NAME_CAPACITY];
  if (!stream || stream == Py_None) return true;
  int64_t number;
  if (!dlfpy_integer("to_dlpack: stream", stream, INT64_MIN, INT64_MAX, &number)) return false;
  if (number == -1) return true;
  dlf_device_format(at, device, sizeof device);
  if (dlf_is_cpu_accessible(at))
    dlfpy_fail(DLF_INVALID, "to_dlpack: expected stream None on %s, got %lld", device, (long long)number);
  else if (number < 0 || (rocm ? number == 1 || number == 2 : number == 0))
    dlfpy_fail(DLF_INVALID, "to_dlpack: expected a stream of %s, got %lld", device, (long long)number);
  else if (number != (rocm ? 0 : 1))
    dlfpy_fail(DLF_UNSUPPORTED, "to_dlpack: expected the default stream of %s, got %lld", device, (long long)number);
  return !PyErr_Occurred();
}

/* The first number of max_version; 0 for None. */
static long major_of(PyObject *version) {
  if (!version || version == Py_None) return 0;
  PyObject *first = PySequence_Check(version) ? PySequence_GetItem(version, 0) : NULL;
  const long major = first ? PyLong_AsLong(first) : -1;
  Py_XDECREF(first);
  if (major >= 0) return major;
  PyErr_Clear();
  dlfpy_fail(DLF_INVALID, "to_dlpack: expected max_version (major, minor) or None, got %.80s",
             Py_TYPE(version)->tp_name);
  return -1;
}

static PyObject *forward(PyObject *producer, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  Py_INCREF(producer); /* its code may release the tensor */
  PyObject *method = PyObject_GetAttrString(producer, "__dlpack__");
  PyObject *moved = method ? PyObject_Vectorcall(method, given, (size_t)count, names) : NULL;
  if (!moved) dlfpy_foreign("to_dlpack", "a producer that can move its data", producer);
  Py_XDECREF(method);
  Py_DECREF(producer);
  return moved;
}

PyObject *dlfpy_dlpack(PyObject *x, dlfpy_view (*view_of)(PyObject *x), PyObject *const *given, Py_ssize_t count,
                       PyObject *names) {
  static const char *const words[] = {"stream", "max_version", "dl_device", "copy"};
  static PyObject *interned[4];
  static const dlfpy_signature signature = {"__dlpack__", 0, 4, words, interned};
  PyObject *v[4];
  dlfpy_view view = view_of(x);
  if (!view.handle || !dlfpy_positional(&signature, 0, 1, count) || !dlfpy_sort(&signature, given, count, names, v))
    return NULL;
  const DLDevice at = dlf_dltensor(view.handle)->device;
  if (!stream_fits(v[0], at)) return NULL;
  const long major = major_of(v[1]);
  if (major < 0) return NULL;
  int copy = !v[3] || v[3] == Py_None ? -1 : PyObject_IsTrue(v[3]);
  if (copy < 0 && PyErr_Occurred()) return NULL;
  if (v[2] && v[2] != Py_None) {
    DLDevice to;
    if (!dlfpy_device_pair(v[2], "to_dlpack", &to)) return NULL;
    if (to.device_type != at.device_type || to.device_id != at.device_id) {
      view = view_of(x); /* reading an argument may have run Python code that released it */
      if (!view.handle) return NULL;
      const bool reachable = dlf_is_reachable(dlf_dltensor(view.handle));
      if (!reachable && copy != 0 && view.producer) return forward(view.producer, given, count, names);
      if (copy == 0 || to.device_type != kDLCPU || !reachable) {
        char want[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
        dlf_device_format(at, want, sizeof want);
        dlf_device_format(to, got, sizeof got);
        return dlfpy_fail(DLF_DEVICE, "to_dlpack: expected device %s, got %s", want, got);
      }
      copy = 1; /* from pinned or managed memory to plain memory */
    }
  }
  view = view_of(x); /* likewise */
  if (!view.handle) return NULL;
  if (copy == 1) return capsule_of_copy(view.handle, major > 0);
  return major > 0 ? dlfpy_capsule(view) : dlfpy_capsule_legacy(view.handle);
}

PyObject *dlfpy_dlpack_device(dlf_tensor *self) {
  const DLDevice at = dlf_dltensor(self)->device;
  PyObject *type = PyLong_FromLong((long)at.device_type), *id = PyLong_FromLong((long)at.device_id);
  PyObject *pair = type && id ? PyTuple_Pack(2, type, id) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(id);
  return pair;
}
