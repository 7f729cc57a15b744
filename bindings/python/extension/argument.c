/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of the hub's functions as Python gives them. */
#include "hub.h"

#include <string.h>

bool hub_read_integers(PyObject *sequence, const char *name, int64_t *list, int32_t *count) {
  const bool iterable = DLFPY_SLOT(Py_TYPE(sequence), tp_iter) || PySequence_Check(sequence);
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

bool hub_read_list(const char *name, PyObject *const *given, Py_ssize_t count, int64_t *list, int32_t *length) {
  /* Arrays have __index__, too, which only works without axes. */
  PyObject *number = count == 1 && PyIndex_Check(given[0]) ? PyNumber_Index(given[0]) : NULL;
  Py_XDECREF(number);
  if (count == 1 && !number) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    PyErr_Clear();
    return hub_read_integers(given[0], name, list, length);
  }
  if (count > DLF_MAX_NDIM) {
    dlfpy_fail(DLF_INVALID, "%s: expected at most %d axes, got %lld", name, DLF_MAX_NDIM, (long long)count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++)
    if (!dlfpy_integer(name, given[i], INT64_MIN, INT64_MAX, &list[i])) return false;
  *length = (int32_t)count;
  return true;
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
static bool read_name(PyObject *x, const char *name, DLDataType *out) {
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

/* DLPack's own form: code, bits and lanes. */
static bool read_numbers(PyObject *x, const char *name, DLDataType *out) {
  int code, bits, lanes = 1;
  if (PyArg_ParseTuple(x, "ii|i", &code, &bits, &lanes) && code >= 0 && code <= UINT8_MAX && bits >= 1 &&
      bits <= UINT8_MAX && lanes >= 1 && lanes <= UINT16_MAX) {
    *out = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
    return true;
  }
  PyErr_Clear();
  dlfpy_fail(DLF_DTYPE, "%s: expected a dtype as (code, bits, lanes), got other numbers", name);
  return false;
}

bool hub_read_dtype(PyObject *x, const char *name, DLDataType *out) {
  if (hub_is_dtype(x)) {
    *out = hub_dtype_value(x);
    return true;
  }
  if (PyUnicode_Check(x)) return read_name(x, name, out);
  if (PyTuple_Check(x)) return read_numbers(x, name, out);
  PyObject *plain = dlfpy_frameworks("dtype_name", x, name);
  const bool read = plain && (PyTuple_Check(plain) ? read_numbers(plain, name, out) : read_name(plain, name, out));
  Py_XDECREF(plain);
  return read;
}

bool hub_borrow(PyObject *x, const char *name, dlfpy_arg *arg) {
  dlfpy_call call = {.function = name, .args = arg, .end = arg};
  arg->handle = NULL;
  arg->managed = NULL;
  dlfpy_drain();
  return PyCapsule_CheckExact(x) ? dlfpy_capsule_peek(x, name, &arg->c) : dlfpy_tensor(&call, arg, name, x, false);
}

void hub_give_back(dlfpy_arg *arg) {
  dlf_release(arg->handle);
  if (arg->managed) dlf_dlpack_release(arg->managed);
}

bool hub_is_sound(dlf_arg tensor) {
  dlf_error error;
  const dlf_status status = dlf_check(tensor.tensor, tensor.flags, DLF_CHECK_STRUCTURE, &error);
  return !status || dlfpy_raise(status, &error);
}

bool hub_read_order(PyObject *x, const char *name, dlf_order *out) {
  static const char *const words[][2] = {[DLF_ROW_MAJOR] = {"row_major", "C"},
                                         [DLF_COLUMN_MAJOR] = {"column_major", "F"},
                                         [DLF_DENSE] = {"dense", "dense"}};
  const char *word;
  if (!dlfpy_string(name, x, &word)) return false;
  for (int i = 0; i < 3; i++) {
    *out = (dlf_order)i;
    if (strcmp(word, words[i][0]) == 0 || strcmp(word, words[i][1]) == 0) return true;
  }
  dlfpy_fail(DLF_INVALID, "%s: expected 'row_major', 'column_major' or 'dense', got '%.40s'", name, word);
  return false;
}
