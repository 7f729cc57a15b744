/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, casts and fills, into new memory or that of any package's array. The hub decides what may
 * be moved. */
#include "hub.h"

/* The bytes of as many elements of another dtype. */
static uint64_t bytes_as(const DLTensor *t, DLDataType dtype) {
  DLTensor other = *t;
  other.dtype = dtype;
  return dlfpy_bytes(&other);
}

static uint64_t more(uint64_t a, uint64_t b) {
  if (a > b) {
    return a;
  }
  return b;
}

/* ---- Into the memory of an array that Python code gives ---- */

/* What to do with the elements, and how texts name it and the array. */
typedef struct movement {
  const char *name, *destination;
  bool casts, saturates;
  const DLDataType *dtype; /* the one that the caller named, or NULL */
} movement;

static bool has_dtype(const movement *how, const DLTensor *t) {
  char wanted[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
  if (!how->dtype || dlf_dtype_equal(*how->dtype, t->dtype)) {
    return true;
  }
  dlf_dtype_format(*how->dtype, wanted, sizeof wanted);
  dlf_dtype_format(t->dtype, got, sizeof got);
  dlfpy_fail(DLF_DTYPE, "%s: expected %s, got %s", how->destination, wanted, got);
  return false;
}

static bool move(const movement *how, dlf_tensor *from, PyObject *destination) {
  dlfpy_arg to;
  dlfpy_call call = {.function = how->name, .args = &to, .end = &to, .looks = true};
  dlf_status status = DLF_INVALID;
  dlf_error error;
  dlfpy_drain();
  bool entered = dlfpy_tensor_to_keep(&call, &to, how->destination, destination, true) &&
                 has_dtype(how, to.c.tensor);
  call.bytes = more(call.bytes, dlfpy_bytes(dlf_dltensor(from)));
  entered = entered && dlfpy_enter(&call, &to + 1);
  if (entered && how->casts) {
    status = dlf_cast_into(from, to.handle, how->saturates, &error);
  } else if (entered) {
    status = dlf_copy_into(from, to.handle, &error);
  }
  dlfpy_leave(&call, status);
  dlfpy_end(&call);
  if (entered && status) {
    dlfpy_raise_as(how->name, how->casts ? "cast_into" : "copy_into", status, &error);
  }
  return !status;
}

/* Importing the destination may run Python code that releases self. */
static bool move_from(const movement *how, PyObject *self, PyObject *destination) {
  dlf_tensor *from = hub_retain(self, how->name);
  const bool moved = from && move(how, from, destination);
  dlfpy_release(from);
  return moved;
}

static PyObject *given_back(bool moved, PyObject *out) {
  if (moved) {
    return Py_NewRef(out);
  }
  return NULL;
}

PyObject *hub_copy_into(PyObject *self, PyObject *destination) {
  const movement how = {.name = "copy_into", .destination = "copy_into: destination"};
  return given_back(move_from(&how, self, destination), Py_None);
}

PyObject *hub_cast_into(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("cast_into", 1, "destination", "saturate");
  movement how = {.name = "cast_into", .destination = "cast_into: destination", .casts = true};
  if (!dlfpy_positional(&signature, 1, 1, count) ||
      !dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  if (values[1] && !dlfpy_bool("cast_into: saturate", values[1], &how.saturates)) {
    return NULL;
  }
  return given_back(move_from(&how, self, values[0]), Py_None);
}

/* ---- Into new memory, unless out is given ---- */

static PyObject *copied(PyObject *self, const char *name) {
  dlf_tensor *handle = hub_handle(self, name);
  if (handle) {
    return hub_tensor_new(dlfpy_copy(handle), false);
  }
  return NULL;
}

PyObject *hub_copy(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("copy", 0, "out");
  const movement how = {.name = "copy", .destination = "copy: out"};
  if (!dlfpy_positional(&signature, 0, 0, count) ||
      !dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  if (dlfpy_is_given(values[0])) {
    return given_back(move_from(&how, self, values[0]), values[0]);
  }
  return copied(self, "copy");
}

static PyObject *cast(dlf_tensor *handle, DLDataType dtype, bool saturates) {
  dlf_tensor *out = NULL;
  dlf_error error;
  const DLTensor *t = dlf_dltensor(handle);
  PyThreadState *thread = dlfpy_begin_move(handle, more(dlfpy_bytes(t), bytes_as(t, dtype)));
  const dlf_status status = dlf_cast(handle, dtype, saturates, &out, &error);
  dlfpy_end_copy(handle, thread);
  if (status) {
    return dlfpy_raise_as("astype", "cast", status, &error);
  }
  return hub_tensor_new(out, false);
}

/* The tensor's own dtype is a copy, padded like it. */
PyObject *hub_astype(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("astype", 1, "dtype", "copy", "saturate", "out");
  DLDataType dtype;
  movement how = {.name = "astype", .destination = "astype: out", .casts = true, .dtype = &dtype};
  if (!dlfpy_positional(&signature, 0, 2, count) ||
      !dlfpy_sort(&signature, given, count, names, values) ||
      !hub_read_dtype(values[0], "astype: dtype", &dtype)) {
    return NULL;
  }
  int copies = 1;
  if (values[1]) {
    copies = PyObject_IsTrue(values[1]);
  }
  if (copies < 0 || (values[2] && !dlfpy_bool("astype: saturate", values[2], &how.saturates))) {
    return NULL;
  }
  if (dlfpy_is_given(values[3])) {
    return given_back(move_from(&how, self, values[3]), values[3]);
  }
  dlf_tensor *handle = hub_handle(self, "astype");
  if (!handle) {
    return NULL;
  }
  if (!dlf_dtype_equal(dlf_dltensor(handle)->dtype, dtype)) {
    return cast(handle, dtype, how.saturates);
  }
  if (copies) {
    return copied(self, "astype");
  }
  return Py_NewRef(self);
}

PyObject *hub_contiguous(PyObject *self, PyObject *const *given, Py_ssize_t count,
                         PyObject *names) {
  DLFPY_SIGNATURE("contiguous", 0, "order");
  int32_t order = DLF_ROW_MAJOR;
  dlf_tensor *out = NULL;
  dlf_error error;
  if (!dlfpy_sort(&signature, given, count, names, values) ||
      (values[0] && !hub_read_order(values[0], "contiguous: order", &order))) {
    return NULL;
  }
  dlf_tensor *handle = hub_handle(self, "contiguous");
  if (!handle) {
    return NULL;
  }
  if (dlf_is_contiguous(dlf_dltensor(handle), order)) {
    return Py_NewRef(self);
  }
  PyThreadState *thread = dlfpy_begin_copy(handle);
  const dlf_status status = dlf_contiguous(handle, order, &out, &error);
  dlfpy_end_copy(handle, thread);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return hub_tensor_new(out, false);
}

/* ---- Into a Tensor's own memory ---- */

/* The handle of a Tensor may be writable where DLPack before 1.0 could not tell. */
static bool may_write(dlfpy_content content, const char *name) {
  if (!content.legacy) {
    return true;
  }
  dlfpy_fail(DLF_READ_ONLY,
             "%s: expected a tensor known to be writable, got one by DLPack before 1.0",
             name);
  return false;
}

static bool fill(const char *name, dlf_tensor *handle, const dlf_number *number) {
  dlf_error error;
  PyThreadState *thread = dlfpy_begin_copy(handle);
  const dlf_status status = dlf_fill(handle, number, &error);
  dlfpy_end_copy(handle, thread);
  return !status || dlfpy_raise_as(name, "fill", status, &error);
}

PyObject *hub_fill(PyObject *self, PyObject *value) {
  dlf_number number;
  if (!hub_read_number("fill", value, &number)) {
    return NULL;
  }
  const dlfpy_content own = hub_content(self, "fill");
  if (!own.handle || !may_write(own, "fill") || !fill("fill", own.handle, &number)) {
    return NULL;
  }
  Py_RETURN_NONE;
}

/* Broadcast a source, which is taken. One of another shape stays as it is: the copy refuses it. */
static dlf_tensor *widened(dlf_tensor *source, const DLTensor *like) {
  dlf_tensor *wide;
  dlf_error error;
  const dlf_status status = dlf_broadcast(source, like->shape, like->ndim, &wide, &error);
  if (status == DLF_SHAPE) {
    return source;
  }
  dlfpy_release(source);
  if (status) {
    dlfpy_raise_as("assign", "broadcast", status, &error);
  }
  return wide;
}

static bool copy_to(dlf_tensor *view, PyObject *value) {
  bool legacy;
  dlf_error error;
  dlf_tensor *source = dlfpy_import(value, "assign", (DLDevice){0, 0}, DLF_COPY_IF_NEEDED, &legacy);
  if (source) {
    source = widened(source, dlf_dltensor(view));
  }
  if (!source) {
    return false;
  }
  PyThreadState *thread = dlfpy_begin_copy(view);
  const dlf_status status = dlf_copy_into(source, view, &error);
  dlfpy_end_copy(view, thread);
  dlfpy_release(source);
  return !status || dlfpy_raise_as("assign", "copy_into", status, &error);
}

/* Tell a number from an array of some package, which may have the methods of numbers, too. */
static bool is_number(PyObject *x) {
  const dlfpy_kind kind = dlfpy_producer_of(x)->kind;
  const bool has_length = DLFPY_SLOT(Py_TYPE(x), sq_length) || DLFPY_SLOT(Py_TYPE(x), mp_length);
  return PyNumber_Check(x) && !has_length && (kind == DLFPY_BUFFER || kind == DLFPY_OBJECT);
}

static bool assign(dlf_tensor *view, PyObject *value) {
  dlf_number number;
  if (!is_number(value)) {
    return copy_to(view, value);
  }
  return hub_read_number("assign", value, &number) && fill("assign", view, &number);
}

int hub_assign(PyObject *self, PyObject *key, PyObject *value) {
  dlfpy_content own;
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "tensor: expected no deletion of elements, got one");
    return -1;
  }
  dlf_tensor *view = hub_view_at(self, key, &own);
  if (!view) {
    return -1;
  }
  const bool assigned = may_write(own, "assign") && assign(view, value);
  dlfpy_release(view);
  return assigned ? 0 : -1;
}
