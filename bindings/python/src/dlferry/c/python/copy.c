/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

bool dlfpy_copy_mode(PyObject *x, dlf_copy_mode *out) {
  *out = DLF_COPY_IF_NEEDED;
  if (!x || x == Py_None) {
    return true;
  }
  const int truth = PyObject_IsTrue(x);
  *out = truth == 1 ? DLF_COPY_ALWAYS : DLF_COPY_NEVER;
  return truth >= 0;
}

/* Other threads run during a large copy, and may release self. */
PyThreadState *dlfpy_begin_move(dlf_tensor *self, uint64_t bytes) {
  dlf_retain(self);
  if (bytes < dlfpy_gil_limit) {
    return NULL;
  }
  return PyEval_SaveThread();
}

PyThreadState *dlfpy_begin_copy(dlf_tensor *self) {
  return dlfpy_begin_move(self, dlfpy_bytes(dlf_dltensor(self)));
}

void dlfpy_end_copy(dlf_tensor *self, PyThreadState *thread) {
  if (thread) {
    PyEval_RestoreThread(thread);
  }
  dlf_release(self);
}

dlf_tensor *dlfpy_copy(dlf_tensor *self) {
  dlf_tensor *copy;
  dlf_error error;
  PyThreadState *thread = dlfpy_begin_copy(self);
  const dlf_status status = dlf_copy(self, &copy, &error);
  dlfpy_end_copy(self, thread);
  if (status) {
    dlfpy_raise(status, &error);
  }
  return copy;
}
