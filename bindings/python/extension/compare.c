/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of any two arrays, with the GIL released if they are large. */
#include "hub.h"

typedef struct tolerances {
  double relative, absolute;
  bool equal_nan;
} tolerances;

typedef dlf_status comparison(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/* With tolerances if they are given, else by the function. */
static PyObject *compare(const char *name, comparison *function, const tolerances *t, PyObject *a,
                         PyObject *b) {
  dlfpy_arg args[2];
  dlfpy_call call = {.function = name, .args = args, .end = args, .looks = true};
  dlf_status status = DLF_OK;
  dlf_error error;
  bool same = false;
  dlfpy_drain();
  const bool entered = dlfpy_tensor(&call, &args[0], name, a, false) &&
                       dlfpy_tensor(&call, &args[1], name, b, false) &&
                       dlfpy_enter(&call, args + 2);
  if (entered && t) {
    status =
        dlf_all_close(args[0].c, args[1].c, t->relative, t->absolute, t->equal_nan, &same, &error);
  } else if (entered) {
    status = function(args[0].c, args[1].c, &same, &error);
  }
  dlfpy_leave(&call, status);
  dlfpy_end(&call);
  if (!entered) {
    return NULL;
  }
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return PyBool_FromLong(same);
}

PyObject *hub_identical(PyObject *a, PyObject *b) {
  return compare("identical", dlf_identical, NULL, a, b);
}

PyObject *hub_equal(PyObject *a, PyObject *b) {
  return compare("equal", dlf_equal, NULL, a, b);
}

PyObject *hub_all_close(PyObject *a, PyObject *b, double relative, double absolute,
                        bool equal_nan) {
  const tolerances t = {relative, absolute, equal_nan};
  return compare("all_close", NULL, &t, a, b);
}

PyObject *hub_method_all_close(PyObject *self, PyObject *const *given, Py_ssize_t count,
                               PyObject *names) {
  DLFPY_SIGNATURE("all_close", 1, "other", "rtol", "atol", "equal_nan");
  tolerances t = {1e-5, 1e-8, false};
  if (!dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  if ((values[1] && !dlfpy_real("all_close: rtol", values[1], &t.relative)) ||
      (values[2] && !dlfpy_real("all_close: atol", values[2], &t.absolute)) ||
      (values[3] && !dlfpy_bool("all_close: equal_nan", values[3], &t.equal_nan))) {
    return NULL;
  }
  return compare("all_close", NULL, &t, self, values[0]);
}
