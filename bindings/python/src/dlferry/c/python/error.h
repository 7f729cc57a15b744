/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_ERROR_H
#define DLFERRY_PYTHON_ERROR_H

#include "base.h"

/** Raise the exception of dlferry.errors that stands for the status. Returns NULL. */
PyObject *dlfpy_raise(dlf_status status, const dlf_error *error) __attribute__((__cold__));

/** Raise with a text made as by printf, cut to what a dlf_error holds. Returns NULL. */
PyObject *dlfpy_fail(dlf_status status, const char *format, ...)
    __attribute__((__cold__, __format__(__printf__, 2, 3)));

/* The three that follow return false, so that `return dlfpy_...` ends a function that tells whether it worked. */

/** Raise TypeError for an argument of a type that is not taken, and say what to pass instead if that is known. */
bool dlfpy_wrong_type(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));

/** Raise for an array that has elements but no memory of its own: FakeTensor. */
bool dlfpy_no_memory(const char *name, PyObject *x) __attribute__((__cold__));

/** Name the argument in the exception that its producer has raised, which becomes the cause; one of a producer's own
 *  class gets a note instead, and stays, like KeyboardInterrupt and its kind. */
bool dlfpy_foreign(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));
#define DLFPY_EXPORTED "an array that can be exported"

/** An exception in flight, set aside: code that runs meanwhile must neither see nor replace it. */
typedef struct dlfpy_flight {
  PyObject *type, *value, *traceback;
} dlfpy_flight;

static inline dlfpy_flight dlfpy_set_aside(void) {
  dlfpy_flight flight;
  PyErr_Fetch(&flight.type, &flight.value, &flight.traceback);
  return flight;
}

/** Put back what was in flight, instead of any exception set since. */
static inline void dlfpy_put_back(dlfpy_flight flight) { PyErr_Restore(flight.type, flight.value, flight.traceback); }

#endif
