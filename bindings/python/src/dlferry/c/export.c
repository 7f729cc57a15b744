/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

/* Deleters here may let go of Python objects; an exception may be in flight when a capsule dies. */
static void destroy_versioned(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
    dlf_dlpack_release(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
}

static void destroy_legacy(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor")) dlf_dlpack_release_legacy(PyCapsule_GetPointer(capsule, "dltensor"));
}

static PyObject *in_capsule(dlf_status status, DLManagedTensorVersioned *managed, const dlf_error *error) {
  if (status) return dlfpy_raise(status, error);
  PyObject *capsule = PyCapsule_New(managed, "dltensor_versioned", destroy_versioned);
  if (!capsule) dlf_dlpack_release(managed);
  return capsule;
}

PyObject *dlfpy_capsule(dlf_tensor *self) {
  DLManagedTensorVersioned *managed;
  dlf_error error;
  const dlf_status status = dlf_to_dlpack(self, &managed, &error);
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

static PyObject *capsule_of_copy(dlf_tensor *self, bool versioned) {
  DLManagedTensorVersioned *managed;
  dlf_tensor *copy;
  dlf_error error;
  if (versioned) {
    const dlf_status status = dlf_to_dlpack_copy(self, &managed, &error);
    return in_capsule(status, managed, &error);
  }
  const dlf_status status = dlf_copy(self, &copy, &error);
  if (status) return dlfpy_raise(status, &error);
  PyObject *capsule = dlfpy_capsule_legacy(copy);
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

PyObject *dlfpy_dlpack(PyObject *x, dlf_tensor *(*handle_of)(PyObject *x), PyObject *const *given, Py_ssize_t count,
                       PyObject *names) {
  static const char *const words[] = {"stream", "max_version", "dl_device", "copy"};
  static PyObject *interned[4];
  static const dlfpy_signature signature = {"__dlpack__", 0, 4, words, interned};
  PyObject *v[4];
  dlf_tensor *self = handle_of(x);
  if (!self || !dlfpy_sort(&signature, given, count, names, v)) return NULL;
  const DLDevice at = dlf_dltensor(self)->device;
  if (!stream_fits(v[0], at)) return NULL;
  const long major = major_of(v[1]);
  if (major < 0) return NULL;
  int copy = !v[3] || v[3] == Py_None ? -1 : PyObject_IsTrue(v[3]);
  if (copy < 0 && PyErr_Occurred()) return NULL;
  if (v[2] && v[2] != Py_None) {
    DLDevice to;
    if (!dlfpy_device_pair(v[2], "to_dlpack", &to)) return NULL;
    if (to.device_type != at.device_type || to.device_id != at.device_id) {
      if (copy == 0 || to.device_type != kDLCPU || !dlf_is_cpu_accessible(at)) {
        char want[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
        dlf_device_format(at, want, sizeof want);
        dlf_device_format(to, got, sizeof got);
        return dlfpy_fail(DLF_DEVICE, "to_dlpack: expected device %s, got %s", want, got);
      }
      copy = 1; /* from pinned or managed memory to plain memory */
    }
  }
  self = handle_of(x); /* reading an argument may have run Python code that released it */
  if (!self) return NULL;
  if (copy == 1) return capsule_of_copy(self, major > 0);
  return major > 0 ? dlfpy_capsule(self) : dlfpy_capsule_legacy(self);
}

PyObject *dlfpy_dlpack_device(dlf_tensor *self) {
  const DLDevice at = dlf_dltensor(self)->device;
  PyObject *type = PyLong_FromLong((long)at.device_type), *id = PyLong_FromLong((long)at.device_id);
  PyObject *pair = type && id ? PyTuple_Pack(2, type, id) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(id);
  return pair;
}
