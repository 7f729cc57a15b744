/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as Python numbers, of any dtype with arithmetic; lanes as a tuple. Making a number may
 * run the collector, whose finalizers may release the tensor: a reader keeps the handle. */
#include "hub.h"

#include <math.h>

typedef struct reader {
  dlf_tensor *handle; /* kept */
  uint64_t flags;
  int64_t index[DLF_MAX_NDIM];
} reader;

static PyObject *refuse(dlf_status status, const char *name, const char *wanted,
                        const DLTensor *t) {
  char text[256];
  dlf_describe(t, 0, text, sizeof text);
  return dlfpy_fail(status, "%s: expected %s, got %s", name, wanted, text);
}

PyObject *hub_out_of_reach(const char *name, const DLTensor *t) {
  char device[DLF_NAME_CAPACITY];
  dlf_device_format(t->device, device, sizeof device);
  return dlfpy_fail(
      DLF_DEVICE,
      "%s: expected data that the processor can reach, got %s: move it to the CPU first",
      name,
      device);
}

static bool begin(reader *r, PyObject *self) {
  const dlfpy_content content = hub_content(self, "read");
  if (!content.handle) {
    return false;
  }
  const DLTensor *t = dlf_dltensor(content.handle);
  if (!dlf_is_reachable(t)) {
    (void)hub_out_of_reach("read",
                           t); /* as dlf_read says it, which an empty tensor does not call */
    return false;
  }
  r->handle = dlf_retain(content.handle);
  r->flags = dlfpy_flags(content);
  memset(r->index, 0, (size_t)t->ndim * sizeof *r->index);
  return true;
}

static PyObject *python_number(const dlf_number *n) {
  switch (n->kind) {
  case DLF_NUMBER_COMPLEX:
    return PyComplex_FromDoubles(n->real, n->imaginary);
  case DLF_NUMBER_SIGNED:
    return PyLong_FromLongLong(n->signed_value);
  case DLF_NUMBER_UNSIGNED:
    return PyLong_FromUnsignedLongLong(n->unsigned_value);
  case DLF_NUMBER_BOOL:
    return PyBool_FromLong(n->unsigned_value != 0);
  default:
    return PyFloat_FromDouble(n->real);
  }
}

static PyObject *lane_of(const reader *r, int32_t lane) {
  dlf_number number;
  dlf_error error;
  const dlf_arg arg = {dlf_dltensor(r->handle), r->flags};
  const dlf_status status = dlf_read(arg, r->index, lane, &number, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return python_number(&number);
}

/* The element at the reader's index. */
static PyObject *element(const reader *r) {
  const int32_t lanes = dlf_dltensor(r->handle)->dtype.lanes;
  if (lanes == 1) {
    return lane_of(r, 0);
  }
  PyObject *tuple = PyTuple_New(lanes);
  for (int32_t lane = 0; tuple && lane < lanes; lane++) {
    PyObject *number = lane_of(r, lane);
    if (number) {
      PyTuple_SET_ITEM(tuple, lane, number);
    } else {
      Py_CLEAR(tuple);
    }
  }
  return tuple;
}

static PyObject *nested(reader *r, int32_t axis) {
  const DLTensor *t = dlf_dltensor(r->handle);
  if (axis == t->ndim) {
    return element(r);
  }
  PyObject *list = PyList_New(t->shape[axis]);
  for (int64_t i = 0; list && i < t->shape[axis]; i++) {
    r->index[axis] = i;
    PyObject *item = nested(r, axis + 1);
    if (item) {
      PyList_SET_ITEM(list, i, item);
    } else {
      Py_CLEAR(list);
    }
  }
  return list;
}

PyObject *hub_tolist(PyObject *self, PyObject *Py_UNUSED(unused)) {
  reader r;
  if (!begin(&r, self)) {
    return NULL;
  }
  PyObject *list = nested(&r, 0);
  dlfpy_release(r.handle);
  return list;
}

/* ---- One element ---- */

static PyObject *only(PyObject *self, const char *name) {
  reader r;
  int64_t count;
  if (!begin(&r, self)) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(r.handle);
  const bool is_single = !dlf_count(t, &count, NULL) && count == 1;
  PyObject *item;
  if (is_single) {
    item = element(&r);
  } else {
    item = refuse(DLF_SHAPE, name, "one element", t);
  }
  dlfpy_release(r.handle);
  return item;
}

/* A single index counts in row-major order if there are several axes, as in NumPy. */
static bool place(reader *r, int64_t *list, int64_t count) {
  const DLTensor *t = dlf_dltensor(r->handle);
  int64_t all;
  const bool flat = count == 1 && t->ndim != 1;
  if (!flat && count != t->ndim) {
    dlfpy_fail(DLF_BOUNDS, "read: expected %d indices, got %lld", t->ndim, (long long)count);
    return false;
  }
  (void)dlf_count(t, &all, NULL); /* fits: the import has checked it */
  for (int32_t i = 0; i < count; i++) {
    const int64_t extent = flat ? all : t->shape[i];
    if (!hub_place("read", list[i], extent, i, &r->index[i])) {
      return false;
    }
  }
  if (!flat) {
    return true;
  }
  int64_t rest = r->index[0];
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    r->index[i] = rest % t->shape[i];
    rest /= t->shape[i];
  }
  return true;
}

PyObject *hub_method_item(PyObject *self, PyObject *const *given, Py_ssize_t count) {
  int64_t list[DLF_MAX_NDIM];
  int64_t length;
  reader r;
  if (count == 0) {
    return only(self, "item");
  }
  if (!hub_read_list("item", given, count, list, &length) || !begin(&r, self)) {
    return NULL;
  }
  PyObject *item = NULL;
  if (place(&r, list, length)) {
    item = element(&r);
  }
  dlfpy_release(r.handle);
  return item;
}

/* Lanes are no number. */
static PyObject *number_of(PyObject *self, const char *name) {
  PyObject *item = only(self, name);
  if (!item || !PyTuple_Check(item)) {
    return item;
  }
  Py_DECREF(item);
  return refuse(DLF_DTYPE, name, "a dtype of one lane", dlf_dltensor(hub_peek(self).handle));
}

static PyObject *converted(PyObject *self, const char *name, hub_unary *convert) {
  PyObject *item = number_of(self, name);
  PyObject *number = NULL;
  if (item) {
    number = convert(item);
  }
  Py_XDECREF(item);
  return number;
}

PyObject *hub_int(PyObject *self) {
  return converted(self, "int", PyNumber_Long);
}

PyObject *hub_float(PyObject *self) {
  return converted(self, "float", PyNumber_Float);
}

int hub_bool(PyObject *self) {
  return dlfpy_truth(number_of(self, "bool"));
}

PyObject *hub_complex(PyObject *self, PyObject *Py_UNUSED(unused)) {
  PyObject *item = number_of(self, "complex");
  if (!item) {
    return NULL;
  }
  const Py_complex value = PyComplex_AsCComplex(item);
  Py_DECREF(item);
  if (PyErr_Occurred()) {
    return NULL;
  }
  return PyComplex_FromCComplex(value);
}

/* As in NumPy, only an integer without axes is an index. The others are refused with TypeError,
 * since Python code that tries this first goes on with the buffer or the sequence then. */
PyObject *hub_index(PyObject *self) {
  const dlf_tensor *handle = hub_handle(self, "index");
  if (!handle) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(handle);
  if (t->ndim == 0 && (t->dtype.code == kDLInt || t->dtype.code == kDLUInt)) {
    return number_of(self, "index");
  }
  return refuse(DLF_DTYPE, "index", "an integer without axes", t);
}

/* ---- x in t ---- */

bool hub_read_number(const char *name, PyObject *x, dlf_number *out) {
  PyObject *whole = NULL;
  if (PyIndex_Check(x)) {
    whole = PyNumber_Index(x);
  }
  int beyond = 0;
  *out = (dlf_number){.kind = DLF_NUMBER_SIGNED};
  if (whole) {
    out->signed_value = PyLong_AsLongLongAndOverflow(whole, &beyond);
    if (beyond > 0) {
      out->kind = DLF_NUMBER_UNSIGNED;
      out->unsigned_value = PyLong_AsUnsignedLongLong(whole);
      beyond = PyErr_Occurred() != NULL;
    }
    PyErr_Clear();
    if (beyond) {
      *out = (dlf_number){.kind = DLF_NUMBER_REAL, .real = PyLong_AsDouble(whole)};
    }
    Py_DECREF(whole);
    return !PyErr_Occurred();
  }
  PyErr_Clear(); /* a Tensor or an array of reals has the method, too */
  const Py_complex value = PyComplex_AsCComplex(x);
  if (PyErr_Occurred()) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
      return false;
    }
    PyErr_Clear();
    return dlfpy_wrong_type(name, "a number", x);
  }
  *out = (dlf_number){.kind = DLF_NUMBER_COMPLEX, .real = value.real, .imaginary = value.imag};
  if (value.imag == 0 && !signbit(value.imag)) {
    out->kind = DLF_NUMBER_REAL; /* most are, and texts show no imaginary part of these */
  }
  return true;
}

int hub_contains(PyObject *self, PyObject *x) {
  dlf_number number;
  dlf_error error;
  bool found;
  if (!hub_read_number("contains", x, &number)) {
    return -1;
  }
  const dlfpy_content content = hub_content(self, "contains");
  if (!content.handle) {
    return -1;
  }
  const dlf_arg arg = {dlf_dltensor(content.handle), dlfpy_flags(content)};
  PyThreadState *thread = dlfpy_begin_copy(content.handle);
  const dlf_status status = dlf_contains(arg, &number, &found, &error);
  dlfpy_end_copy(content.handle, thread);
  if (!status) {
    return found;
  }
  dlfpy_raise(status, &error);
  return -1;
}
