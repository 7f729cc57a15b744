/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the hub's functions as Python gives them. */
#include "hub.h"

/* With the hub's own text, which names the function and not its parameter. */
static void too_many_axes(const char *name, Py_ssize_t count) {
  dlfpy_fail(DLF_INVALID,
             "%.*s: expected ndim between 0 and %d, got %lld",
             (int)strcspn(name, ":"),
             name,
             DLF_MAX_NDIM,
             (long long)count);
}

/* One number stands for a list of it, as in NumPy. */
bool hub_read_integers(PyObject *sequence, const char *name, int64_t *list, int64_t *count) {
  const bool iterable = DLFPY_SLOT(Py_TYPE(sequence), tp_iter) || PySequence_Check(sequence);
  if (!iterable && PyIndex_Check(sequence)) {
    *count = 1;
    return dlfpy_integer(name, sequence, INT64_MIN, INT64_MAX, list);
  }
  PyObject *items = NULL;
  if (iterable && !PyUnicode_Check(sequence)) {
    items = PySequence_Tuple(sequence);
  }
  if (!items) {
    if (PyErr_Occurred()) {
      return false;
    }
    return dlfpy_wrong_type(name, "a sequence of integers", sequence);
  }
  const Py_ssize_t size = PyTuple_GET_SIZE(items);
  bool ok = size <= DLF_MAX_NDIM;
  if (!ok) {
    too_many_axes(name, size);
  }
  for (Py_ssize_t i = 0; ok && i < size; i++) {
    ok = dlfpy_integer(name, PyTuple_GET_ITEM(items, i), INT64_MIN, INT64_MAX, &list[i]);
  }
  *count = size;
  Py_DECREF(items);
  return ok;
}

bool hub_read_list(const char *name, PyObject *const *given, Py_ssize_t count, int64_t *list,
                   int64_t *length) {
  /* Arrays have __index__, too, which only works without axes. */
  PyObject *number = NULL;
  if (count == 1 && PyIndex_Check(given[0])) {
    number = PyNumber_Index(given[0]);
  }
  Py_XDECREF(number);
  if (count == 1 && !number) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) {
      return false;
    }
    PyErr_Clear();
    return hub_read_integers(given[0], name, list, length);
  }
  if (count > DLF_MAX_NDIM) {
    too_many_axes(name, count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    if (!dlfpy_integer(name, given[i], INT64_MIN, INT64_MAX, &list[i])) {
      return false;
    }
  }
  *length = count;
  return true;
}

bool hub_borrow(PyObject *x, const char *name, dlfpy_arg *arg) {
  dlfpy_call call = {.function = name, .args = arg, .end = arg, .looks = true};
  dlfpy_begin(arg, x, NULL);
  dlfpy_drain();
  if (PyCapsule_CheckExact(x)) {
    return dlfpy_capsule_peek(x, name, &arg->c);
  }
  return dlfpy_tensor(&call, arg, name, x, false);
}

bool hub_is_sound(dlf_arg tensor) {
  dlf_error error;
  const dlf_status status = dlf_check(tensor.tensor, tensor.flags, DLF_CHECK_STRUCTURE, &error);
  return !status || dlfpy_raise(status, &error);
}

bool hub_place(const char *name, int64_t index, int64_t extent, int32_t axis, int64_t *out) {
  *out = index;
  if (index < 0) {
    *out += extent;
  }
  if (*out >= 0 && *out < extent) {
    return true;
  }
  dlfpy_fail(DLF_BOUNDS,
             "%s: expected index below %lld of axis %d (from 0), got %lld",
             name,
             (long long)extent,
             axis,
             (long long)index);
  return false;
}

bool hub_read_order(PyObject *x, const char *name, int32_t *out) {
  static const char *const words[][2] = {[DLF_ROW_MAJOR] = {"row_major", "C"},
                                         [DLF_COLUMN_MAJOR] = {"column_major", "F"},
                                         [DLF_DENSE] = {"dense", "dense"}};
  const char *word;
  if (!dlfpy_string(name, x, &word)) {
    return false;
  }
  for (int32_t i = 0; i < 3; i++) {
    *out = i;
    if (strcmp(word, words[i][0]) == 0 || strcmp(word, words[i][1]) == 0) {
      return true;
    }
  }
  dlfpy_fail(
      DLF_INVALID, "%s: expected 'row_major', 'column_major' or 'dense', got '%.40s'", name, word);
  return false;
}
