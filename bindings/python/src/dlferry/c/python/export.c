/* SPDX-License-Identifier: Apache-2.0 */
#include "signature.h"

/* A tuple, as most consumers pass, without the protocol of sequences. */
static PyObject *first_of(PyObject *version) {
  if (PyTuple_CheckExact(version) && PyTuple_GET_SIZE(version) > 0) {
    return Py_NewRef(PyTuple_GET_ITEM(version, 0));
  }
  if (PySequence_Check(version)) {
    return PySequence_GetItem(version, 0);
  }
  return NULL;
}

/* The first number of max_version; 0 for None. */
static long major_of(PyObject *version) {
  if (!version || version == Py_None) {
    return 0;
  }
  PyObject *first = first_of(version);
  long major = -1;
  if (first) {
    major = PyLong_AsLong(first);
  }
  Py_XDECREF(first);
  if (major >= 0) {
    return major;
  }
  PyErr_Clear();
  dlfpy_fail(DLF_INVALID,
             "to_dlpack: expected max_version (major, minor) or None, got %.80s",
             dlfpy_type_name_of(version));
  return -1;
}

/* Data is ready on the default stream, the only one that the hub knows: another stream of CUDA's
 * waits for that, if CUDA's driver is here. */
static void join_default(const DLTensor *t, dlf_export_options *options) {
  const DLDeviceType type = t->device.device_type;
  const DLDeviceType asked = options->device.device_type;
  if ((type != kDLCUDA && type != kDLCUDAManaged) || (asked && asked != type)) {
    return;
  }
  if (options->stream > 1 && dlfpy_cuda_wait(t->device.device_id, options->stream)) {
    options->stream = 1;
  }
}

static PyObject *forward(PyObject *producer, PyObject *const *given, Py_ssize_t count,
                         PyObject *names) {
  Py_INCREF(producer); /* its code may release the tensor */
  PyObject *method = PyObject_GetAttrString(producer, "__dlpack__");
  PyObject *moved = NULL;
  if (method) {
    moved = PyObject_Vectorcall(method, given, (size_t)count, names);
  }
  if (!moved) {
    dlfpy_foreign("to_dlpack", "a producer that can move its data", producer);
  }
  Py_XDECREF(method);
  Py_DECREF(producer);
  return moved;
}

/* The data that the hub cannot move may be its producer's to move: then *forwards, and NULL without
 * an exception. */
static PyObject *export_as(dlfpy_content content, const dlf_export_options *options,
                           bool *forwards) {
  DLManagedTensorVersioned *managed;
  DLManagedTensor *legacy;
  dlf_error error;
  const DLTensor *t = dlf_dltensor(content.handle);
  const bool must_hide = options->max_version.major == 0 &&
                         (dlf_flags(content.handle) & DLPACK_FLAG_BITMASK_READ_ONLY);
  const bool moved = must_hide || dlfpy_is_moved(t, options->device, (dlf_copy_mode)options->copy);
  PyThreadState *thread = NULL;
  if (moved) {
    thread = dlfpy_begin_copy(content.handle);
  }
  const dlf_status status = dlf_export(content.handle, options, &managed, &legacy, &error);
  *forwards = status == DLF_DEVICE && options->device.device_type &&
              options->copy != DLF_COPY_NEVER && content.producer && !dlf_is_reachable(t);
  if (moved) {
    dlfpy_end_copy(content.handle, thread);
  }
  if (status) {
    if (*forwards) {
      return NULL;
    }
    return dlfpy_raise(status, &error);
  }
  if (legacy) {
    return dlfpy_capsule_of_legacy(legacy);
  }
  if (content.legacy && !moved) {
    managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return dlfpy_capsule_of(managed);
}

PyObject *dlfpy_dlpack(PyObject *x, dlfpy_content (*content_of)(PyObject *x),
                       PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("__dlpack__", 0, "stream", "max_version", "dl_device", "copy");
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  dlf_copy_mode copy;
  if (!content_of(x).handle || !dlfpy_positional(&signature, 0, 0, count) ||
      !dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  if (dlfpy_is_given(values[0]) &&
      !dlfpy_integer("to_dlpack: stream", values[0], INT64_MIN, INT64_MAX, &options.stream)) {
    return NULL;
  }
  const long major = major_of(values[1]);
  if (major < 0 || !dlfpy_copy_mode(values[3], &copy)) {
    return NULL;
  }
  if (dlfpy_is_given(values[2]) &&
      !dlfpy_device(values[2], "to_dlpack: dl_device", &options.device)) {
    return NULL;
  }
  options.max_version = (DLPackVersion){(uint32_t)major, 0};
  options.copy = (int32_t)copy;
  const dlfpy_content content =
      content_of(x); /* reading an argument may have run Python code that released it */
  if (!content.handle) {
    return NULL;
  }
  join_default(dlf_dltensor(content.handle), &options);
  bool forwards;
  PyObject *capsule = export_as(content, &options, &forwards);
  if (forwards) {
    return forward(content.producer, given, count, names);
  }
  return capsule;
}

/* Array API: the type is a member of an enum. */
static PyObject *member_of(DLDeviceType type) {
  enum { NAMED = 19 };
  static PyObject *class, *members[NAMED];
  const unsigned number = (unsigned)type;
  if (number >= NAMED) {
    return dlfpy_enum("dlferry", "DeviceType", &class, number);
  }
  PyObject *known = dlfpy_get(&members[number]);
  return Py_XNewRef(
      known ? known
            : dlfpy_keep(&members[number], dlfpy_enum("dlferry", "DeviceType", &class, number)));
}

PyObject *dlfpy_dlpack_device(dlf_tensor *self) {
  DLDevice at = dlf_dltensor(self)->device;
  dlf_error error;
  if (at.device_type != kDLCPU) {
    const dlf_status status = dlf_export_device(self, &at, &error);
    if (status) {
      return dlfpy_raise(status, &error);
    }
  }
  PyObject *type = member_of(at.device_type);
  PyObject *id = NULL;
  if (type) {
    id = PyLong_FromLong(at.device_id);
  }
  PyObject *pair = NULL;
  if (id) {
    pair = PyTuple_Pack(2, type, id);
  }
  Py_XDECREF(type);
  Py_XDECREF(id);
  return pair;
}
