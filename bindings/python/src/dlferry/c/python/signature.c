/* SPDX-License-Identifier: Apache-2.0 */
#include "signature.h"

/* The parameters after the last one found are the likeliest. */
static int index_of(const dlfpy_signature *s, PyObject *name, int likely) {
  if (likely < s->count && s->interned[likely] == name) {
    return likely;
  }
  for (int i = 0; i < s->count; i++) {
    if (s->interned[i] == name) {
      return i;
    }
  }
  for (int i = 0; i < s->count; i++) { /* a keyword made at run time */
    if (PyUnicode_Compare(s->interned[i], name) == 0) {
      return i;
    }
  }
  return -1;
}

static bool intern_names(const dlfpy_signature *s) {
  for (int i = 0; i < s->count; i++) {
    if (!dlfpy_interned(&s->interned[i], s->names[i])) {
      return false;
    }
  }
  return true;
}

bool dlfpy_positional(const dlfpy_signature *s, Py_ssize_t least, Py_ssize_t most,
                      Py_ssize_t given) {
  if (given >= least && given <= most) {
    return true;
  }
  Py_ssize_t limit = most;
  if (given < least) {
    limit = least;
  }
  PyErr_Format(PyExc_TypeError,
               "%s() takes at %s %zd positional argument%s (%zd given)",
               s->function,
               given < least ? "least" : "most",
               limit,
               limit == 1 ? "" : "s",
               given);
  return false;
}

bool dlfpy_sort(const dlfpy_signature *s, PyObject *const *given, Py_ssize_t positional,
                PyObject *names, PyObject **values) {
  if (positional > s->count) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes at most %d arguments (%zd given)",
                 s->function,
                 s->count,
                 positional);
    return false;
  }
  for (Py_ssize_t i = 0; i < positional; i++) {
    values[i] = given[i];
  }
  for (Py_ssize_t i = positional; i < s->count; i++) {
    values[i] = NULL;
  }
  if (names) {
    const Py_ssize_t named = PyTuple_GET_SIZE(names);
    int likely = (int)positional;
    if (s->count && !dlfpy_get(&s->interned[s->count - 1]) && !intern_names(s)) {
      return false;
    }
    for (Py_ssize_t k = 0; k < named; k++) {
      PyObject *name = PyTuple_GET_ITEM(names, k);
      const int i = index_of(s, name, likely);
      if (i < 0 || values[i]) {
        PyErr_Format(PyExc_TypeError,
                     "%s() got %s argument '%U'",
                     s->function,
                     i < 0 ? "an unexpected keyword" : "multiple values for",
                     name);
        return false;
      }
      values[i] = given[positional + k];
      likely = i + 1;
    }
  }
  for (int i = (int)positional; i < s->required; i++) {
    if (values[i]) {
      continue;
    }
    PyErr_Format(PyExc_TypeError,
                 "%s() missing required argument '%s' (pos %d)",
                 s->function,
                 s->names[i],
                 i + 1);
    return false;
  }
  return true;
}

bool dlfpy_all_given(const dlfpy_signature *s, PyObject *const *values, const int *outputs) {
  const int *missing = outputs;
  const int *given = outputs;
  while (*missing >= 0 && dlfpy_is_given(values[*missing])) {
    missing++;
  }
  while (*given >= 0 && !dlfpy_is_given(values[*given])) {
    given++;
  }
  if (*missing < 0) {
    return true;
  }
  PyErr_Format(PyExc_TypeError,
               "%s() takes its outputs all or not at all: got '%s' without '%s'",
               s->function,
               s->names[*given],
               s->names[*missing]);
  return false;
}
