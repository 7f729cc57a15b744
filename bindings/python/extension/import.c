/* SPDX-License-Identifier: Apache-2.0 */
/* from_dlpack. */
#include "hub.h"

static PyObject *import(PyObject *x, PyObject *device_word, PyObject *copy_word) {
  DLDevice device = {(DLDeviceType)0, 0};
  dlf_copy_mode copy;
  bool legacy;
  if (dlfpy_is_given(device_word) &&
      !hub_read_device(device_word, "from_dlpack: device", &device)) {
    return NULL;
  }
  if (!dlfpy_copy_mode(copy_word, &copy)) {
    return NULL;
  }
  dlf_tensor *handle = dlfpy_import(x, "from_dlpack", device, copy, &legacy);
  if (!handle) {
    return NULL;
  }
  const bool reachable = dlf_is_reachable(dlf_dltensor(handle));
  PyObject *tensor = hub_tensor_new(handle, legacy);
  if (tensor && hub_may_refer(x)) {
    hub_track(tensor);
  }
  if (tensor && !reachable && !PyCapsule_CheckExact(x)) {
    hub_keep(tensor, Py_IS_TYPE(x, hub_type) ? hub_peek(x).producer : x);
  }
  return tensor;
}

PyObject *hub_from_dlpack(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t count,
                          PyObject *names) {
  DLFPY_SIGNATURE("from_dlpack", 1, "x", "device", "copy");
  if (count == 1 && !names) {
    return import(given[0], NULL, NULL);
  }
  if (!dlfpy_positional(&signature, 1, 1, count) ||
      !dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  return import(values[0], values[1], values[2]);
}

PyObject *hub_import(PyObject *arguments, PyObject *words) {
  static char *names[] = {"", "device", "copy", NULL};
  PyObject *x;
  PyObject *device = NULL;
  PyObject *copy = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, words, "O|$OO:Tensor", names, &x, &device, &copy)) {
    return NULL;
  }
  return import(x, device, copy);
}
