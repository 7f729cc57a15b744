/* SPDX-License-Identifier: Apache-2.0 */
#include "export.h"

#include "capsule.h"
#include "copy.h"
#include "device.h"
#include "error.h"
#include "scalar.h"
#include "signature.h"

static PyObject *capsule_of_copy(dlf_tensor *self, bool versioned) {
  if (versioned) return dlfpy_capsule_of_copy(self);
  dlf_tensor *copy = dlfpy_copy(self);
  PyObject *capsule = copy ? dlfpy_capsule_legacy(copy) : NULL;
  dlf_release(copy);
  return capsule;
}

/* The streams for which we may export without a device runtime: only the import's. */
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

PyObject *dlfpy_dlpack(PyObject *x, dlfpy_content (*content_of)(PyObject *x), PyObject *const *given, Py_ssize_t count,
                       PyObject *names) {
  static const char *const words[] = {"stream", "max_version", "dl_device", "copy"};
  static PyObject *interned[4];
  static const dlfpy_signature signature = {"__dlpack__", 0, 4, words, interned};
  PyObject *v[4];
  DLDevice to = {0, 0};
  dlfpy_content content = content_of(x);
  if (!content.handle || !dlfpy_positional(&signature, 0, 1, count) || !dlfpy_sort(&signature, given, count, names, v))
    return NULL;
  if (!stream_fits(v[0], dlf_dltensor(content.handle)->device)) return NULL;
  const long major = major_of(v[1]);
  if (major < 0) return NULL;
  const int copy = dlfpy_is_given(v[3]) ? PyObject_IsTrue(v[3]) : -1;
  if (copy < 0 && PyErr_Occurred()) return NULL;
  if (dlfpy_is_given(v[2]) && !dlfpy_device_pair(v[2], "to_dlpack", &to)) return NULL;
  content = content_of(x); /* reading an argument may have run Python code that released it */
  if (!content.handle) return NULL;
  const DLTensor *t = dlf_dltensor(content.handle);
  switch (dlfpy_transfer_of(t, to, copy)) {
  case DLFPY_AS_IT_IS: return major > 0 ? dlfpy_capsule(content) : dlfpy_capsule_legacy(content.handle);
  case DLFPY_BY_COPY: return capsule_of_copy(content.handle, major > 0);
  default:
    if (content.producer && copy != 0 && !dlf_is_reachable(t)) return forward(content.producer, given, count, names);
    return dlfpy_wrong_device("to_dlpack", t->device, to);
  }
}

PyObject *dlfpy_dlpack_device(dlf_tensor *self) {
  const DLDevice at = dlf_dltensor(self)->device;
  PyObject *type = PyLong_FromLong((long)at.device_type), *id = PyLong_FromLong((long)at.device_id);
  PyObject *pair = type && id ? PyTuple_Pack(2, type, id) : NULL;
  Py_XDECREF(type);
  Py_XDECREF(id);
  return pair;
}
