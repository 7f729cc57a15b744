/* SPDX-License-Identifier: Apache-2.0 */
/* int(t), float(t) and bool(t): the value of a tensor's only element, never its address. */
#include "hub.h"

#include <string.h>

static PyObject *refuse(dlf_status status, const char *name, const char *wanted, const DLTensor *t) {
  char text[256];
  dlf_describe(t, 0, text, sizeof text);
  return dlfpy_fail(status, "%s: expected %s, got %s", name, wanted, text);
}

/* NumPy reads dtypes that neither C nor Python has, through ml_dtypes. */
static PyObject *by_numpy(dlfpy_content content) {
  dlf_retain(content.handle); /* NumPy's Python code, or another thread, may release the Tensor */
  PyObject *array = dlfpy_numpy(content);
  PyObject *item = array ? PyObject_CallMethod(array, "item", NULL) : NULL;
  Py_XDECREF(array);
  dlf_release(content.handle);
  return item;
}

#define READ(type, make)                                                                                               \
  do {                                                                                                                 \
    type value;                                                                                                        \
    memcpy(&value, at, sizeof value);                                                                                  \
    return make(value);                                                                                                \
  } while (0)

static PyObject *element(dlfpy_content content) {
  const DLTensor *t = dlf_dltensor(content.handle);
  const void *at = dlf_data(t);
  if (t->dtype.lanes != 1) return by_numpy(content);
  switch (t->dtype.code << 8 | t->dtype.bits) {
  case kDLBool << 8 | 8: READ(uint8_t, PyBool_FromLong);
  case kDLInt << 8 | 8: READ(int8_t, PyLong_FromLong);
  case kDLInt << 8 | 16: READ(int16_t, PyLong_FromLong);
  case kDLInt << 8 | 32: READ(int32_t, PyLong_FromLong);
  case kDLInt << 8 | 64: READ(int64_t, PyLong_FromLongLong);
  case kDLUInt << 8 | 8: READ(uint8_t, PyLong_FromUnsignedLong);
  case kDLUInt << 8 | 16: READ(uint16_t, PyLong_FromUnsignedLong);
  case kDLUInt << 8 | 32: READ(uint32_t, PyLong_FromUnsignedLong);
  case kDLUInt << 8 | 64: READ(uint64_t, PyLong_FromUnsignedLongLong);
  case kDLFloat << 8 | 32: READ(float, PyFloat_FromDouble);
  case kDLFloat << 8 | 64: READ(double, PyFloat_FromDouble);
  default: return by_numpy(content);
  }
}

static PyObject *item_of(PyObject *self, const char *name) {
  const dlfpy_content content = hub_content(self);
  int64_t count;
  if (!content.handle) return NULL;
  const DLTensor *t = dlf_dltensor(content.handle);
  if (dlf_count(t, &count, NULL) || count != 1) return refuse(DLF_SHAPE, name, "one element", t);
  if (!dlf_is_reachable(t)) return refuse(DLF_DEVICE, name, "data that the processor can reach", t);
  return element(content);
}

PyObject *hub_int(PyObject *self) {
  PyObject *item = item_of(self, "int"), *number = item ? PyNumber_Long(item) : NULL;
  Py_XDECREF(item);
  return number;
}

PyObject *hub_float(PyObject *self) {
  PyObject *item = item_of(self, "float"), *number = item ? PyNumber_Float(item) : NULL;
  Py_XDECREF(item);
  return number;
}

int hub_bool(PyObject *self) {
  PyObject *item = item_of(self, "bool");
  const int truth = item ? PyObject_IsTrue(item) : -1;
  Py_XDECREF(item);
  return truth;
}
