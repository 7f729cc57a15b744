/* SPDX-License-Identifier: Apache-2.0 */
#include "hub.h"

dlf_tensor *hub_handle(PyObject *x) {
  if (!PyObject_TypeCheck(x, hub_type)) {
    PyErr_Format(PyExc_TypeError, "expected a dlferry.Tensor, got %.80s", Py_TYPE(x)->tp_name);
    return NULL;
  }
  dlf_tensor *handle = *hub_slot(x);
  if (!handle) dlfpy_fail(DLF_INVALID, "tensor: expected one that is alive, got one that has been released");
  return handle;
}

PyObject *hub_text(dlf_arg tensor, int64_t (*write)(const DLTensor *, uint64_t, char *, int64_t)) {
  char some[1024];
  dlf_error error;
  const dlf_status status = dlf_check(tensor.tensor, DLF_CHECK_STRUCTURE, &error);
  if (status) return dlfpy_raise(status, &error);
  const int64_t length = write(tensor.tensor, tensor.flags, some, sizeof some);
  if (length < (int64_t)sizeof some) return PyUnicode_DecodeUTF8(some, (Py_ssize_t)length, "replace");
  char *all = PyMem_Malloc((size_t)length + 1);
  if (!all) return PyErr_NoMemory();
  (void)write(tensor.tensor, tensor.flags, all, length + 1);
  PyObject *text = PyUnicode_DecodeUTF8(all, (Py_ssize_t)length, "replace");
  PyMem_Free(all);
  return text;
}

PyObject *hub_repr(PyObject *self) {
  dlf_tensor *handle = *hub_slot(self);
  if (!handle) return PyUnicode_FromString("<dlferry.Tensor, released>");
  return hub_text((dlf_arg){dlf_dltensor(handle), dlf_flags(handle)}, dlf_format);
}

PyObject *hub_integers(const int64_t *list, int32_t count) {
  PyObject *tuple = PyTuple_New(count);
  for (int32_t i = 0; tuple && i < count; i++) {
    PyObject *number = PyLong_FromLongLong(list[i]);
    if (!number) {
      Py_CLEAR(tuple);
      break;
    }
    PyTuple_SET_ITEM(tuple, i, number);
  }
  return tuple;
}

bool hub_read_integers(PyObject *sequence, const char *name, int64_t *list, int32_t *count) {
  const bool iterable = Py_TYPE(sequence)->tp_iter || PySequence_Check(sequence);
  PyObject *items = iterable && !PyUnicode_Check(sequence) ? PySequence_Tuple(sequence) : NULL;
  if (!items) return PyErr_Occurred() ? false : dlfpy_wrong_type(name, "a sequence of integers", sequence);
  const Py_ssize_t size = PyTuple_GET_SIZE(items);
  bool ok = size <= DLF_MAX_NDIM;
  if (!ok) dlfpy_fail(DLF_INVALID, "%s: expected at most %d axes, got %lld", name, DLF_MAX_NDIM, (long long)size);
  for (Py_ssize_t i = 0; ok && i < size; i++)
    ok = dlfpy_integer(name, PyTuple_GET_ITEM(items, i), INT64_MIN, INT64_MAX, &list[i]);
  *count = (int32_t)size;
  Py_DECREF(items);
  return ok;
}

bool hub_borrow(PyObject *x, const char *name, dlfpy_arg *arg) {
  dlfpy_call call = {.function = name, .args = arg, .end = arg};
  arg->handle = NULL;
  arg->managed = NULL;
  dlfpy_drain();
  return PyCapsule_CheckExact(x) ? dlfpy_capsule_peek(x, name, &arg->c) : dlfpy_tensor(&call, arg, name, x, false);
}

/* What goes may be Python objects whose __del__ comes here again. */
void hub_dealloc(PyObject *self) {
  dlf_tensor **slot = hub_slot(self), *owned = *slot;
  *slot = NULL;
  dlf_release(owned);
}

void hub_give_back(dlfpy_arg *arg) {
  dlf_release(arg->handle);
  if (arg->managed) dlf_dlpack_release(arg->managed);
}

/* ---- The buffer protocol: an export keeps the handle, not the Tensor, which may be released meanwhile. ---- */

typedef struct exported {
  dlf_tensor *handle;
  Py_ssize_t extents[];
} exported;

static int refuse(dlf_status status, const char *message) {
  dlfpy_fail(status, "buffer: %s", message);
  return -1;
}

int hub_getbuffer(PyObject *self, Py_buffer *view, int flags) {
  dlf_tensor *handle = hub_handle(self);
  view->obj = NULL;
  if (!handle) return -1;
  const DLTensor *t = dlf_dltensor(handle);
  const bool read_only = dlf_flags(handle) & DLPACK_FLAG_BITMASK_READ_ONLY;
  const char *format = dlfpy_buffer_format(t->dtype);
  const bool row_major = dlf_is_contiguous(t, DLF_ROW_MAJOR), column_major = dlf_is_contiguous(t, DLF_COLUMN_MAJOR);
  int64_t count;
  if (!dlf_is_cpu_accessible(t->device)) return refuse(DLF_DEVICE, "expected data that the processor can reach");
  if (!format || dlf_count(t, &count, NULL)) return refuse(DLF_LAYOUT, "expected a dtype that the struct module has");
  if ((flags & PyBUF_WRITABLE) && read_only) return refuse(DLF_READ_ONLY, "expected writable data, got read-only");
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !row_major)
    return refuse(DLF_LAYOUT, "expected row-major elements");
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !column_major)
    return refuse(DLF_LAYOUT, "expected column-major elements");
  if (((flags & PyBUF_STRIDES) != PyBUF_STRIDES || (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS) &&
      !row_major && !((flags & PyBUF_STRIDES) == PyBUF_STRIDES && column_major))
    return refuse(DLF_LAYOUT, "expected elements without gaps");
  exported *e = PyMem_Malloc(sizeof *e + 2 * (size_t)t->ndim * sizeof *e->extents);
  if (!e) {
    PyErr_NoMemory();
    return -1;
  }
  e->handle = dlf_retain(handle);
  view->itemsize = t->dtype.bits / 8;
  for (int32_t i = 0; i < t->ndim; i++) {
    e->extents[i] = t->shape[i];
    e->extents[t->ndim + i] = t->strides[i] * view->itemsize; /* dlf_check has seen that byte ranges fit */
  }
  view->buf = dlf_data(t);
  view->obj = Py_NewRef(self);
  view->len = count * view->itemsize;
  view->readonly = read_only;
  view->ndim = t->ndim;
  view->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)format : NULL;
  view->shape = flags & PyBUF_ND ? e->extents : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? e->extents + t->ndim : NULL;
  view->suboffsets = NULL;
  view->internal = e;
  return 0;
}

void hub_releasebuffer(PyObject *self, Py_buffer *view) {
  exported *e = view->internal;
  (void)self;
  dlf_release(e->handle);
  PyMem_Free(e);
}
