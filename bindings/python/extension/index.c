/* SPDX-License-Identifier: Apache-2.0 */
/* What t[...] shows, len and iteration, by dlf_index. A view is returned for every index, also
 * where NumPy returns a number: the array API's rule, so that a consumer may take t[0] of any
 * tensor. */
#include "hub.h"

enum { LONGEST = 2 * DLF_MAX_NDIM + 1, ELLIPSIS = -1 };

/* An index as Python code gives it. Reading it may run Python code, which may release the tensor,
 * so all are read before the tensor is looked at. */
typedef struct part {
  int32_t kind; /* a dlf_index_kind, or ELLIPSIS */
  Py_ssize_t start, stop, step;
} part;

static bool refuse(PyObject *x) {
  const bool array = PyList_Check(x) || PyObject_HasAttrString(x, "__dlpack__") ||
                     PyObject_HasAttrString(x, "shape");
  const char *instead = "";
  if (array || dlfpy_is_bool(x)) {
    instead = ", which is no view; write t.numpy()[...]";
  }
  PyErr_Format(PyExc_TypeError,
               "index: expected integers, slices, Ellipsis and None, got %.80s%s",
               dlfpy_type_name_of(x),
               instead);
  return false;
}

static bool read_one(PyObject *x, part *out) {
  out->kind = DLF_INDEX_ONE;
  if (!PyLong_CheckExact(x) && (!PyIndex_Check(x) || dlfpy_is_bool(x))) {
    return refuse(x);
  }
  out->start = PyNumber_AsSsize_t(x, PyExc_IndexError);
  if (out->start != -1 || !PyErr_Occurred()) {
    return true;
  }
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
    return false;
  }
  PyErr_Clear(); /* an array with axes, which has the method for those without */
  return refuse(x);
}

static bool read_part(PyObject *x, part *out) {
  if (PyLong_CheckExact(x)) {
    return read_one(x, out);
  }
  if (PySlice_Check(x)) {
    out->kind = DLF_INDEX_RANGE;
    return PySlice_Unpack(x, &out->start, &out->stop, &out->step) == 0;
  }
  if (x == Py_None) {
    out->kind = (int32_t)DLF_INDEX_NEW;
    return true;
  }
  if (x == Py_Ellipsis) {
    out->kind = ELLIPSIS;
    return true;
  }
  return read_one(x, out);
}

static bool resolve(const DLTensor *t, const part *from, int32_t axis, dlf_index_item *to) {
  *to = (dlf_index_item){.kind = from->kind};
  if (from->kind == DLF_INDEX_NEW || axis >= t->ndim) {
    return true; /* the hub counts the axes */
  }
  const int64_t extent = t->shape[axis];
  if (from->kind == DLF_INDEX_RANGE) {
    Py_ssize_t start = from->start;
    Py_ssize_t stop = from->stop;
    to->count = PySlice_AdjustIndices(extent, &start, &stop, from->step);
    if (to->count) {
      to->start = start;
    }
    to->step = from->step;
    return true;
  }
  return hub_place("index", from->start, extent, axis, &to->start);
}

static dlf_tensor *view(PyObject *self, const part *parts, Py_ssize_t count, dlfpy_content *own) {
  dlf_index_item items[LONGEST + DLF_MAX_NDIM];
  int32_t axis = 0;
  int32_t made = 0;
  int32_t taken = 0;
  dlf_tensor *out;
  dlf_error error;
  *own = hub_content(self, "index");
  if (!own->handle) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(own->handle);
  for (Py_ssize_t i = 0; i < count; i++) {
    taken += parts[i].kind == DLF_INDEX_RANGE || parts[i].kind == DLF_INDEX_ONE;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    if (parts[i].kind == ELLIPSIS) {
      for (; axis < t->ndim - taken; axis++) {
        items[made++] = (dlf_index_item){DLF_INDEX_RANGE, 0, 0, t->shape[axis], 1};
      }
      continue;
    }
    const bool takes = parts[i].kind != DLF_INDEX_NEW;
    taken -= takes;
    if (!resolve(t, &parts[i], axis, &items[made++])) {
      return NULL;
    }
    axis += takes;
  }
  const dlf_status status = dlf_index(own->handle, items, made, &out, &error);
  if (status) {
    dlfpy_raise(status, &error);
  }
  return out;
}

dlf_tensor *hub_view_at(PyObject *self, PyObject *key, dlfpy_content *own) {
  part parts[LONGEST];
  bool ellipsis = false;
  if (!PyTuple_Check(key)) {
    if (read_part(key, parts)) {
      return view(self, parts, 1, own);
    }
    return NULL;
  }
  const Py_ssize_t count = PyTuple_GET_SIZE(key);
  if (count > LONGEST) {
    dlfpy_fail(
        DLF_BOUNDS, "index: expected at most %d indices, got %lld", LONGEST, (long long)count);
    return NULL;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    if (!read_part(PyTuple_GET_ITEM(key, i), &parts[i])) {
      return NULL;
    }
    if (parts[i].kind != ELLIPSIS) {
      continue;
    }
    if (ellipsis) {
      dlfpy_fail(DLF_BOUNDS, "index: expected one Ellipsis, got two");
      return NULL;
    }
    ellipsis = true;
  }
  return view(self, parts, count, own);
}

/* Takes the view; NULL for NULL, with its exception. */
static PyObject *shown(dlfpy_content own, dlf_tensor *view) {
  if (view) {
    return hub_view_new(own, view);
  }
  return NULL;
}

PyObject *hub_subscript(PyObject *self, PyObject *key) {
  dlfpy_content own;
  dlf_tensor *at = hub_view_at(self, key, &own);
  return shown(own, at);
}

/* The description of a tensor with an axis; NULL with an exception. */
static const DLTensor *with_axis(PyObject *self, const char *name) {
  const dlf_tensor *handle = hub_handle(self, name);
  if (!handle) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(handle);
  if (t->ndim) {
    return t;
  }
  PyErr_Format(PyExc_TypeError, "%s: expected a tensor with an axis, got one without", name);
  return NULL;
}

Py_ssize_t hub_length(PyObject *self) {
  const DLTensor *t = with_axis(self, "len");
  if (t) {
    return t->shape[0];
  }
  return -1;
}

PyObject *hub_item(PyObject *self, Py_ssize_t index) {
  const part single = {.kind = DLF_INDEX_ONE, .start = index};
  dlfpy_content own;
  dlf_tensor *at = view(self, &single, 1, &own);
  return shown(own, at);
}

/* The iterator of sequences ends at the IndexError of hub_item. */
PyObject *hub_iterate(PyObject *self) {
  if (with_axis(self, "iter")) {
    return PySeqIter_New(self);
  }
  return NULL;
}
