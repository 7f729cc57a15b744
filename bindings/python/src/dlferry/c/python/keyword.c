/* SPDX-License-Identifier: Apache-2.0 */
/* The array API tells consumers to call an older producer again without the keywords after a
 * TypeError. Such an error of the producer's body must not be lost, so two proofs count here. The
 * body of a Python function has not begun if the exception has no traceback. Anything else must
 * say, in one of the interpreters' and binding generators' own texts, that __dlpack__ does not take
 * a keyword. */
#include "base.h"

const char *const dlfpy_keywords[DLFPY_KEYWORDS] = {"stream", "max_version", "dl_device", "copy"};

static bool has(const char *text, const char *part) {
  return strstr(text, part) != NULL;
}

/* CPython before 3.13 writes 'copy' is an invalid keyword argument for __dlpack__(). */
static bool is_about_method(const char *text, bool is_python) {
  if (has(text, "__dlpack__()")) {
    return true; /* a decorator's or proxy's call of the method, too */
  }
  return !is_python && (has(text, "this function") || strncmp(text, "function ", 9) == 0);
}

static int newest_of(int given) {
  for (int bit = DLFPY_COPY; bit > DLFPY_STREAM; bit >>= 1) {
    if (given & bit) {
      return bit;
    }
  }
  return 0;
}

/* Without a stream the data would be ready too late: that keyword is never dropped. */
static int refused_by(const char *text, int given) {
  static const char *const all[] = {"takes no keyword arguments", "takes no arguments"};
  static const char *const newest[] = {
      "takes at most ", "takes exactly ", "incompatible function arguments"};
  char quoted[32];
  for (int i = 1; i < DLFPY_KEYWORDS && has(text, "keyword argument"); i++) {
    PyOS_snprintf(quoted, sizeof quoted, "'%s'", dlfpy_keywords[i]);
    if ((given & 1 << i) && has(text, quoted)) {
      return 1 << i;
    }
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (has(text, all[i])) {
      return given & ~DLFPY_STREAM;
    }
  }
  for (size_t i = 0; i < sizeof newest / sizeof *newest; i++) {
    if (has(text, newest[i])) {
      return newest_of(given);
    }
  }
  return 0;
}

int dlfpy_refused(PyObject *method, int given) {
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
    return 0;
  }
  PyObject *function = method;
  if (PyMethod_Check(method)) {
    function = PyMethod_GET_FUNCTION(method);
  }
  dlfpy_flight flight = dlfpy_set_aside();
  PyErr_NormalizeException(&flight.type, &flight.value, &flight.traceback);
  PyObject *said = NULL;
  if (flight.value) {
    said = PyObject_Str(flight.value);
  }
  const char *text = dlfpy_utf8(said);
  const bool is_python = PyFunction_Check(function);
  const bool is_unbegun = is_python && !flight.traceback;
  const bool proved = text && (is_unbegun || is_about_method(text, is_python));
  int refused = 0;
  if (proved) {
    refused = refused_by(text, given);
  }
  Py_XDECREF(said);
  if (!refused) {
    dlfpy_put_back(flight);
    return 0;
  }
  PyErr_Clear();
  Py_XDECREF(flight.type);
  Py_XDECREF(flight.value);
  Py_XDECREF(flight.traceback);
  return refused;
}
