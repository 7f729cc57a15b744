/* SPDX-License-Identifier: Apache-2.0 */
/* The hub's texts and numbers as Python objects. */
#include "hub.h"

PyObject *hub_text(dlf_arg tensor, int64_t (*write)(const DLTensor *, uint64_t, char *, int64_t)) {
  char some[1024];
  if (!hub_is_sound(tensor)) {
    return NULL;
  }
  const int64_t length = write(tensor.tensor, tensor.flags, some, sizeof some);
  if (length < (int64_t)sizeof some) {
    return PyUnicode_DecodeUTF8(some, (Py_ssize_t)length, "replace");
  }
  char *all = PyMem_Malloc((size_t)length + 1);
  if (!all) {
    return PyErr_NoMemory();
  }
  (void)write(tensor.tensor, tensor.flags, all, length + 1);
  PyObject *text = PyUnicode_DecodeUTF8(all, (Py_ssize_t)length, "replace");
  PyMem_Free(all);
  return text;
}

PyObject *hub_repr(PyObject *self) {
  const dlfpy_content own = hub_peek(self);
  if (!own.handle) {
    return PyUnicode_FromString("<dlferry.Tensor, released>");
  }
  return hub_text((dlf_arg){dlf_dltensor(own.handle), dlfpy_flags(own)}, dlf_format);
}

PyObject *hub_integers(const int64_t *list, int64_t count) {
  PyObject *tuple = PyTuple_New(count);
  for (int64_t i = 0; tuple && i < count; i++) {
    PyObject *number = PyLong_FromLongLong(list[i]);
    if (!number) {
      Py_CLEAR(tuple);
      break;
    }
    PyTuple_SET_ITEM(tuple, i, number);
  }
  return tuple;
}
