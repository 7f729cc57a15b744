/* SPDX-License-Identifier: Apache-2.0 */
#include "oneapi.h"

#include <dlferry/oneapi.h>

/* The C library lies beside dpctl's __init__.py, and dpctl has loaded it. */
void dlfpy_enable_oneapi(void) {
  static const char library[] = "libDPCTLSyclInterface.so";
  char path[4096];
  PyObject *file = dlfpy_imported("dpctl", "__file__");
  const char *init = dlfpy_utf8(file);
  const char *slash = NULL;
  if (init) {
    slash = strrchr(init, '/');
  }
  if (!init) {
    PyErr_Clear();
  }
  if (!slash || (size_t)(slash + 1 - init) + sizeof library > sizeof path) {
    return;
  }
  memcpy(path, init, (size_t)(slash + 1 - init));
  memcpy(path + (slash + 1 - init), library, sizeof library);
  (void)dlf_oneapi_enable(path, NULL);
}

bool dlfpy_wait_for_queue(PyObject *x, const char *name, DLDevice device) {
  static PyObject *word;
  PyObject *queue, *done;
  if (device.device_type != kDLOneAPI) {
    return true;
  }
  if (!dlfpy_attribute(x, &word, "sycl_queue", &queue)) {
    return dlfpy_foreign(name, "an array with a SYCL queue", x);
  }
  if (!queue) {
    return true;
  }
  done = PyObject_CallMethod(queue, "wait", NULL);
  Py_DECREF(queue);
  if (!done) {
    return dlfpy_foreign(name, "an array with a SYCL queue that finishes its work", x);
  }
  Py_DECREF(done);
  return true;
}
