/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a Tensor for Python's module copy, and NumPy's arrays of it. */
#include "hub.h"

/* A subclass's object keeps its type and its attributes, like those of any class in Python. */
static PyObject *alike(PyObject *self, PyObject *memo) {
  dlf_tensor *handle = hub_handle(self, "copy");
  dlf_tensor *copy = NULL;
  PyObject *out = NULL;
  if (handle) {
    copy = dlfpy_copy(handle);
  }
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
