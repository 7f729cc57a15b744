/* SPDX-License-Identifier: Apache-2.0 */
/* A call's positional and keyword arguments, by parameter. */
#ifndef DLFERRY_PYTHON_SIGNATURE_H
#define DLFERRY_PYTHON_SIGNATURE_H

#include "base.h"

typedef struct dlfpy_signature {
  const char *function;
  int required; /**< the first ones */
  int count;
  const char *const *names;
  PyObject **interned; /**< as many as names, NULL at first */
} dlfpy_signature;

/** Declare `signature`, the function's name, how many of its first parameters are required, and the
 * names of all; and `values`, one for each. */
#define DLFPY_SIGNATURE(function, required, ...)                                                   \
  static const char *const signature_names[] = {__VA_ARGS__};                                      \
  enum { SIGNATURE_COUNT = sizeof signature_names / sizeof *signature_names };                     \
  static PyObject *signature_interned[SIGNATURE_COUNT];                                            \
  static const dlfpy_signature signature = {                                                       \
      function, required, SIGNATURE_COUNT, signature_names, signature_interned};                   \
  PyObject *values[SIGNATURE_COUNT]

/** Sort positional and keyword arguments into values; NULL for omitted ones. */
bool dlfpy_sort(const dlfpy_signature *signature, PyObject *const *given, Py_ssize_t count,
                PyObject *names, PyObject **values);

/** Refuse too few or too many positional arguments. */
bool dlfpy_positional(const dlfpy_signature *signature, Py_ssize_t least, Py_ssize_t most,
                      Py_ssize_t given);

/** Whether every argument is given, keywords in the signature's order. */
static inline bool dlfpy_in_order(const dlfpy_signature *signature, Py_ssize_t positional,
                                  PyObject *names) {
  Py_ssize_t named = 0;
  if (names) {
    named = PyTuple_GET_SIZE(names);
  }
  const Py_ssize_t count = signature->count;
  if (count == 0 || positional + named != count) {
    return false;
  }
  for (Py_ssize_t i = positional; i < count; i++) {
    if (PyTuple_GET_ITEM(names, i - positional) != dlfpy_get(&signature->interned[i])) {
      return false;
    }
  }
  return true;
}

/** Return the arguments in the signature's order: in place if they came so, else sorted into room.
 */
static inline PyObject *const *dlfpy_bind(const dlfpy_signature *signature, PyObject *const *given,
                                          Py_ssize_t count, PyObject *names, PyObject **room) {
  if (dlfpy_in_order(signature, count, names)) {
    return given;
  }
  if (!names && count >= signature->required &&
      count <= signature->count) { /* the rest has defaults */
    for (Py_ssize_t i = 0; i < signature->count; i++) {
      if (i < count) {
        room[i] = given[i];
      } else {
        room[i] = NULL;
      }
    }
    return room;
  }
  if (dlfpy_sort(signature, given, count, names, room)) {
    return room;
  }
  return NULL;
}

/** Whether an optional argument is given. */
static inline bool dlfpy_is_given(PyObject *value) {
  return value && value != Py_None;
}

/** Check that all outputs are given, since one of them is.
 *  @param outputs  their places in the signature, then -1 */
bool dlfpy_all_given(const dlfpy_signature *signature, PyObject *const *values, const int *outputs);

#endif
