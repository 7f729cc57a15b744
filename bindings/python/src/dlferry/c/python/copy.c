/* SPDX-License-Identifier: Apache-2.0 */
#include "copy.h"

#include "error.h"
#include "size.h"

/* Other threads run during a large copy, and may release self. */
static PyThreadState *begin_copy(dlf_tensor *self) {
  dlf_retain(self);
  return dlfpy_bytes(dlf_dltensor(self)) < dlfpy_gil_limit ? NULL : PyEval_SaveThread();
}

static void end_copy(dlf_tensor *self, PyThreadState *thread) {
  if (thread) PyEval_RestoreThread(thread);
  dlf_release(self);
}

dlf_tensor *dlfpy_copy(dlf_tensor *self) {
  dlf_tensor *copy;
  dlf_error error;
  PyThreadState *thread = begin_copy(self);
  const dlf_status status = dlf_copy(self, &copy, &error);
  end_copy(self, thread);
  if (status) dlfpy_raise(status, &error);
  return copy;
}

DLManagedTensorVersioned *dlfpy_copy_managed(dlf_tensor *self) {
  DLManagedTensorVersioned *copy;
  dlf_error error;
  PyThreadState *thread = begin_copy(self);
  const dlf_status status = dlf_to_dlpack_copy(self, &copy, &error);
  end_copy(self, thread);
  if (status) dlfpy_raise(status, &error);
  return copy;
}
