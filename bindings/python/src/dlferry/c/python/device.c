/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

/* The number of a device type or id: an integer, or a member of a plain enum.Enum. -1 with an
 * exception. */
static long number_of(PyObject *x) {
  const long number = PyLong_AsLong(x);
  if (number != -1 || !PyErr_ExceptionMatches(PyExc_TypeError)) {
    return number;
  }
  PyErr_Clear();
  PyObject *value = PyObject_GetAttrString(x, "value");
  long of_member = -1;
  if (value) {
    of_member = PyLong_AsLong(value);
  }
  Py_XDECREF(value);
  return of_member;
}

bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out) {
  PyObject *list = NULL;
  if (PySequence_Check(pair) && PySequence_Size(pair) == 2) {
    list = PySequence_Tuple(pair);
  }
  PyErr_Clear();
  if (list) {
    PyObject *id = PyTuple_GET_ITEM(list, 1);
    const long type = number_of(PyTuple_GET_ITEM(list, 0));
    /* Paddle uses (1, None) */
    long number = 0;
    if (id != Py_None) {
      number = number_of(id);
    }
    *out = (DLDevice){(DLDeviceType)type, (int32_t)number};
    const bool fits =
        !PyErr_Occurred() && type > 0 && type <= INT32_MAX && number >= 0 && number <= INT32_MAX;
    Py_DECREF(list);
    PyErr_Clear();
    if (fits) {
      return true;
    }
  }
  dlfpy_fail(DLF_INVALID,
             "%s: expected a pair of device type and device id, got %.80s",
             name,
             dlfpy_type_name_of(pair));
  return false;
}

static bool read_name(PyObject *x, const char *name, DLDevice *out) {
  const char *word;
  dlf_error error;
  if (!dlfpy_string(name, x, &word)) {
    return false;
  }
  const dlf_status status = dlf_device_parse(word, out, &error);
  return !status || dlfpy_raise_as(name, "device_parse", status, &error);
}

static bool read_name_or_pair(PyObject *x, const char *name, DLDevice *out) {
  if (PyUnicode_Check(x)) {
    return read_name(x, name, out);
  }
  return dlfpy_device_pair(x, name, out);
}

bool dlfpy_device(PyObject *x, const char *name, DLDevice *out) {
  if (PyUnicode_Check(x) || PySequence_Check(x)) {
    return read_name_or_pair(x, name, out);
  }
  PyObject *plain = dlfpy_frameworks("device_name", x, name);
  const bool read = plain && read_name_or_pair(plain, name, out);
  Py_XDECREF(plain);
  return read;
}

/* The stream on which the data must be ready. It is explicit, since producers differ about None:
 * the legacy default stream, which orders the processor's later calls. */
PyObject *dlfpy_default_stream(DLDevice device) {
  if (device.device_type == kDLCUDA || device.device_type == kDLCUDAManaged) {
    return PyLong_FromLong(1);
  }
  if (device.device_type == kDLROCM) {
    return PyLong_FromLong(0);
  }
  Py_RETURN_NONE;
}
