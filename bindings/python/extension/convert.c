/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a Tensor, and NumPy's arrays of it. */
#include "hub.h"

static dlf_tensor *copy_of(PyObject *self) {
  dlf_tensor *handle = hub_handle(self, "copy");
  if (handle) {
    return dlfpy_copy(handle);
  }
  return NULL;
}

PyObject *hub_copy(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return hub_tensor_new(copy_of(self), false);
}

PyObject *hub_contiguous(PyObject *self, PyObject *Py_UNUSED(unused)) {
  const dlf_tensor *handle = hub_handle(self, "contiguous");
  if (!handle) {
    return NULL;
  }
  if (dlf_is_contiguous(dlf_dltensor(handle), DLF_ROW_MAJOR)) {
    return Py_NewRef(self);
  }
  return hub_copy(self, NULL);
}

/* NumPy knows the names of its own dtypes; those of ml_dtypes are ours too. No array has others. */
static PyObject *refuse_astype(DLDataType own, DLDataType dtype) {
  char has[DLF_NAME_CAPACITY], wanted[DLF_NAME_CAPACITY], instead[2 * DLF_NAME_CAPACITY] = "";
  dlf_dtype_format(own, has, sizeof has);
  dlf_dtype_format(dtype, wanted, sizeof wanted);
  if (dlfpy_buffer_format(dtype)) {
    PyOS_snprintf(instead, sizeof instead, "; write t.numpy().astype('%s')", wanted);
  } else if (hub_dtype_is_named(dtype)) {
    PyOS_snprintf(instead, sizeof instead, "; write t.numpy().astype(dlferry.%s.numpy())", wanted);
  }
  return dlfpy_fail(DLF_UNSUPPORTED,
                    "astype: expected %s, the tensor's own dtype, since dlferry converts no "
                    "elements, got %s%s",
                    has,
                    wanted,
                    instead);
}

PyObject *hub_astype(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("astype", 1, "dtype", "copy");
  DLDataType dtype;
  if (!dlfpy_sort(&signature, given, count, names, values) ||
      !hub_read_dtype(values[0], "astype: dtype", &dtype)) {
    return NULL;
  }
  int copies = 1;
  if (values[1]) {
    copies = PyObject_IsTrue(values[1]);
  }
  const dlf_tensor *handle = NULL;
  if (copies >= 0) {
    handle = hub_handle(self, "astype");
  }
  if (!handle) {
    return NULL;
  }
  const DLDataType own = dlf_dltensor(handle)->dtype;
  if (dlf_dtype_equal(own, dtype)) {
    if (copies) {
      return hub_copy(self, NULL);
    }
    return Py_NewRef(self);
  }
  return refuse_astype(own, dtype);
}

/* A subclass's object keeps its type and its attributes, like those of any class in Python. */
static PyObject *alike(PyObject *self, PyObject *memo) {
  dlf_tensor *copy = copy_of(self);
  PyObject *out = NULL;
  if (copy) {
    out = hub_adopt(Py_TYPE(self), dlfpy_alone(copy));
  }
  if (!out || Py_IS_TYPE(self, hub_type)) {
    return out;
  }
  PyObject *state = NULL;
  PyObject *own = NULL;
  PyObject *key = NULL;
  bool ok = true;
  if (memo) { /* before the attributes, which may refer to self */
    key = PyLong_FromVoidPtr(self);
    ok = key && PyObject_SetItem(memo, key, out) == 0;
  }
  PyObject *attributes = NULL;
  if (ok) {
    attributes = PyObject_GetAttrString(self, "__dict__");
  }
  if (attributes && memo) {
    state = dlfpy_call_from("copy", "deepcopy", "(OO)", attributes, memo);
  } else {
    state = Py_XNewRef(attributes);
  }
  if (state) {
    own = PyObject_GetAttrString(out, "__dict__");
  }
  ok = own && PyDict_Update(own, state) == 0;
  if (!attributes && PyErr_ExceptionMatches(PyExc_AttributeError)) { /* it has no attributes */
    PyErr_Clear();
    ok = true;
  }
  Py_XDECREF(key);
  Py_XDECREF(state);
  Py_XDECREF(own);
  Py_XDECREF(attributes);
  if (!ok) {
    Py_CLEAR(out);
  }
  return out;
}

PyObject *hub_copy_method(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return alike(self, NULL);
}

PyObject *hub_deepcopy(PyObject *self, PyObject *memo) {
  return alike(self, memo);
}

/* ---- NumPy's arrays ---- */

static PyObject *array_of(PyObject *self) {
  const dlfpy_content content = hub_content(self, "numpy");
  dlf_retain(content.handle); /* NumPy's Python code, or another thread, may release self */
  PyObject *array = NULL;
  if (content.handle) {
    array = dlfpy_numpy(content);
  }
  dlfpy_release(content.handle);
  return array;
}

/* Packed elements get whole bytes, which NumPy's arrays of such dtypes have. */
static PyObject *copied_array(PyObject *self) {
  dlf_tensor *copy = NULL;
  dlf_tensor *handle = hub_handle(self, "numpy");
  dlf_error error;
  if (!handle) {
    return NULL;
  }
  PyThreadState *thread = dlfpy_begin_copy(handle);
  const dlf_status status = dlf_copy_padded(handle, &copy, &error);
  dlfpy_end_copy(handle, thread);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  PyObject *array = dlfpy_numpy(dlfpy_alone(copy));
  dlfpy_release(copy);
  return array;
}

static PyObject *array_by(PyObject *self, dlf_copy_mode copy) {
  if (copy == DLF_COPY_ALWAYS) {
    return copied_array(self);
  }
  return array_of(self);
}

PyObject *hub_numpy(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("numpy", 0, "copy");
  dlf_copy_mode copy;
  if (!dlfpy_sort(&signature, given, count, names, values) || !dlfpy_copy_mode(values[0], &copy)) {
    return NULL;
  }
  return array_by(self, copy);
}

/* Without it NumPy puts an object that is not a buffer into an array of objects. */
PyObject *hub_array(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("__array__", 0, "dtype", "copy");
  dlf_copy_mode copy;
  if (!dlfpy_sort(&signature, given, count, names, values) || !dlfpy_copy_mode(values[1], &copy)) {
    return NULL;
  }
  PyObject *array = array_by(self, copy);
  if (!array || !dlfpy_is_given(values[0])) {
    return array;
  }
  PyObject *function = dlfpy_import_from("numpy", "asarray");
  PyObject *arguments = Py_BuildValue("(OO)", array, values[0]);
  PyObject *words_of_copy = Py_BuildValue(copy == DLF_COPY_NEVER ? "{sO}" : "{}", "copy", Py_False);
  PyObject *out = NULL;
  if (function && arguments && words_of_copy) {
    out = PyObject_Call(function, arguments, words_of_copy);
  }
  Py_XDECREF(words_of_copy);
  Py_XDECREF(arguments);
  Py_XDECREF(function);
  Py_DECREF(array);
  return out;
}
