/* SPDX-License-Identifier: Apache-2.0 */
#include "hub.h"

#include <string.h>

dlf_tensor *hub_handle(PyObject *x) {
  if (!PyObject_TypeCheck(x, hub_type)) {
    PyErr_Format(PyExc_TypeError, "expected a dlferry.Tensor, got %.80s", Py_TYPE(x)->tp_name);
    return NULL;
  }
  dlf_tensor *handle = *hub_slot(x);
  if (!handle) dlfpy_fail(DLF_INVALID, "tensor: expected one that is alive, got one that has been released");
  return handle;
}

dlfpy_content hub_content(PyObject *x) { return hub_handle(x) ? hub_peek(x) : (dlfpy_content){NULL, false, NULL}; }

PyObject *hub_text(dlf_arg tensor, int64_t (*write)(const DLTensor *, uint64_t, char *, int64_t)) {
  char some[1024];
  dlf_error error;
  const dlf_status status = dlf_check(tensor.tensor, tensor.flags, DLF_CHECK_STRUCTURE, &error);
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
  return hub_text((dlf_arg){dlf_dltensor(handle), dlfpy_flags(hub_content(self))}, dlf_format);
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

/* NumPy's meaning of a typestring such as "i8" or "<f4", whose numbers are bytes; false for anything else. */
static bool numpy_dtype(const char *text, DLDataType *out) {
  static const char letters[] = "iufcb";
  static const uint8_t codes[] = {kDLInt, kDLUInt, kDLFloat, kDLComplex, kDLBool};
  if (*text && strchr("<>=|", *text)) text++;
  const char *letter = *text ? strchr(letters, *text) : NULL;
  if (!letter || text[1] < '1' || text[1] > '9') return false;
  const int bytes = text[2] ? (text[1] - '0') * 10 + text[2] - '0' : text[1] - '0';
  const bool two_digits = text[2] >= '0' && text[2] <= '9' && !text[3];
  if ((text[2] && !two_digits) || bytes > 31 || (*letter == 'b' && bytes != 1)) return false;
  *out = (DLDataType){codes[letter - letters], (uint8_t)(bytes * 8), 1};
  return true;
}

/* Contracts' short names are only for contracts: "i8" is eight bits there and eight bytes in NumPy. */
bool hub_read_dtype(PyObject *x, const char *name, DLDataType *out) {
  char usual[DLF_NAME_CAPACITY] = "", theirs[DLF_NAME_CAPACITY] = "";
  const char *word;
  DLDataType numpy;
  if (!dlfpy_string(name, x, &word)) return false;
  const bool known = !dlf_dtype_parse(word + (*word && strchr("<>=|", *word)), out, NULL);
  if (known) dlf_dtype_format(*out, usual, sizeof usual);
  if (known && (strcmp(usual, word) == 0 || strncmp(word, "dtype(", 6) == 0)) return true;
  if (numpy_dtype(word, &numpy)) dlf_dtype_format(numpy, theirs, sizeof theirs);
  const bool two = *usual && *theirs && strcmp(usual, theirs) != 0;
  if (!*usual && !*theirs)
    dlfpy_fail(DLF_DTYPE, "%s: expected a dtype such as float32, got '%.64s'", name, word);
  else
    dlfpy_fail(DLF_DTYPE, "%s: expected a dtype by its whole name, got '%.64s'; %s%s%s?", name, word, usual,
               two ? " or " : "", two || !*usual ? theirs : "");
  return false;
}

bool hub_borrow(PyObject *x, const char *name, dlfpy_arg *arg) {
  dlfpy_call call = {.function = name, .args = arg, .end = arg};
  arg->handle = NULL;
  arg->managed = NULL;
  dlfpy_drain();
  return PyCapsule_CheckExact(x) ? dlfpy_capsule_peek(x, name, &arg->c) : dlfpy_tensor(&call, arg, name, x, false);
}

/* The released objects may be Python objects whose __del__ calls this again. */
void hub_dealloc(PyObject *self) {
  dlf_tensor **slot = hub_slot(self), *owned = *slot;
  *slot = NULL;
  dlfpy_release(owned);
  hub_keep(self, NULL);
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

/* The request's conditions on the elements. */
static uint32_t asked(int flags) {
  uint32_t how = DLF_LOOK_UNALIGNED | (flags & PyBUF_WRITABLE ? DLF_LOOK_WRITE : 0u);
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS || (flags & PyBUF_STRIDES) != PyBUF_STRIDES)
    how |= DLF_LOOK_ROW_MAJOR;
  else if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS)
    how |= DLF_LOOK_COLUMN_MAJOR;
  else if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS)
    how |= DLF_LOOK_ROW_MAJOR | DLF_LOOK_COLUMN_MAJOR;
  return how;
}

int hub_getbuffer(PyObject *self, Py_buffer *view, int flags) {
  const dlfpy_content own = hub_content(self);
  dlf_elements elements;
  dlf_error error;
  view->obj = NULL;
  if (!own.handle) return -1;
  const DLTensor *t = dlf_dltensor(own.handle);
  const char *format = dlfpy_buffer_format(t->dtype);
  const dlf_status status =
      dlf_look((dlf_arg){t, dlfpy_flags(own)}, (DLDataType){0, 0, 0}, asked(flags), &elements, &error);
  if (status) {
    dlfpy_raise(status, &error);
    return -1;
  }
  if (!format) return refuse(DLF_LAYOUT, "expected a dtype that the struct module has");
  /* torch.asarray and similar would read the bytes as a tensor of one axis. */
  if (!(flags & PyBUF_ND) && t->ndim > 1)
    return refuse(DLF_LAYOUT,
                  "expected a consumer that asks for the shape of several axes; pass memoryview(x) for bytes");
  exported *e = PyMem_Malloc(sizeof *e + 2 * (size_t)t->ndim * sizeof *e->extents);
  if (!e) {
    PyErr_NoMemory();
    return -1;
  }
  e->handle = dlf_retain(own.handle);
  view->itemsize = t->dtype.bits / 8;
  for (int32_t i = 0; i < t->ndim; i++) {
    e->extents[i] = t->shape[i];
    e->extents[t->ndim + i] = dlfpy_stride(t, i);
  }
  view->buf = dlf_data(t);
  view->obj = Py_NewRef(self);
  view->len = elements.count * view->itemsize;
  view->readonly = (dlfpy_flags(own) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
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
  dlfpy_release(e->handle);
  PyMem_Free(e);
}
