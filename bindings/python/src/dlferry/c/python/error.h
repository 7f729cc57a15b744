/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_ERROR_H
#define DLFERRY_PYTHON_ERROR_H

#include "base.h"

/** Raise the exception of dlferry.errors for the status. Returns NULL. */
PyObject *dlfpy_raise(dlf_status status, const dlf_error *error) __attribute__((__cold__));

/** The same for a failure of the hub's function `verb`, whose name in the text another one
 * replaces. */
PyObject *dlfpy_raise_as(const char *name, const char *verb, dlf_status status,
                         const dlf_error *error) __attribute__((__cold__));

/** Raise with a text made by printf, cut to the size of a dlf_error's. Returns NULL. */
PyObject *dlfpy_fail(dlf_status status, const char *format, ...)
    __attribute__((__cold__, __format__(__printf__, 2, 3)));

/* The four that follow return false, so that `return dlfpy_...` ends a function that returns
 * success. */

/** Raise TypeError for an argument of a refused type, and say what to pass instead if that is
 * known. */
bool dlfpy_wrong_type(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));

/** Raise an exception that is an AttributeError and a TypeError, for an object without DLPack's
 * methods. An exception that is set becomes its cause. */
bool dlfpy_no_protocol(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));

/** Raise for an array that has elements but no memory of its own: FakeTensor. */
bool dlfpy_no_memory(const char *name, PyObject *x) __attribute__((__cold__));

/** Name the argument in the producer's exception, which becomes the cause; an exception of a
 * producer's own class gets a  note instead, and stays, like KeyboardInterrupt. */
bool dlfpy_foreign(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));
#define DLFPY_EXPORTED "an array that can be exported"

/** A saved exception: code that runs meanwhile must neither see nor replace it. */
typedef struct dlfpy_flight {
  PyObject *type, *value, *traceback;
} dlfpy_flight;

static inline dlfpy_flight dlfpy_set_aside(void) {
  dlfpy_flight flight = {NULL, NULL, NULL};
  if (PyErr_Occurred()) {
    PyErr_Fetch(&flight.type, &flight.value, &flight.traceback); /* mostly there is none */
  }
  return flight;
}

/** Restore the saved exception, instead of any exception set since. */
static inline void dlfpy_put_back(dlfpy_flight flight) {
  if (flight.type || PyErr_Occurred()) {
    PyErr_Restore(flight.type, flight.value, flight.traceback);
  }
}

#endif
