/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of a Tensor, most with METH_FASTCALL. */
#include "docs.h"
#include "hub.h"

#define FAST(function) ((PyCFunction)(void (*)(void))(function)), METH_FASTCALL | METH_KEYWORDS

static PyObject *method_dlpack(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  return dlfpy_dlpack(self, hub_content, given, count, names);
}

static PyObject *method_dlpack_device(PyObject *self, PyObject *unused) {
  dlf_tensor *handle = hub_handle(self);
  (void)unused;
  return handle ? dlfpy_dlpack_device(handle) : NULL;
}

static PyObject *method_numpy(PyObject *self, PyObject *unused) {
  const dlfpy_content content = hub_content(self);
  (void)unused;
  dlf_retain(content.handle); /* NumPy's Python code, or another thread, may release self */
  PyObject *array = content.handle ? dlfpy_numpy(content) : NULL;
  dlf_release(content.handle);
  return array;
}

/* Without it NumPy puts an object that is not a buffer into an array of objects. */
static PyObject *method_array(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  static const char *const words[] = {"dtype", "copy"};
  static PyObject *interned[2];
  static const dlfpy_signature signature = {"__array__", 0, 2, words, interned};
  PyObject *v[2];
  if (!dlfpy_sort(&signature, given, count, names, v)) return NULL;
  PyObject *array = method_numpy(self, NULL);
  PyObject *space = array ? PyImport_ImportModule("numpy") : NULL;
  PyObject *function = space ? PyObject_GetAttrString(space, v[1] == Py_True ? "array" : "asarray") : NULL;
  PyObject *arguments = function ? Py_BuildValue("(OO)", array, dlfpy_is_given(v[0]) ? v[0] : Py_None) : NULL;
  PyObject *words_of_copy = arguments && v[1] == Py_False ? Py_BuildValue("{sO}", "copy", Py_False) : NULL;
  PyObject *out = arguments && !PyErr_Occurred() ? PyObject_Call(function, arguments, words_of_copy) : NULL;
  Py_XDECREF(words_of_copy);
  Py_XDECREF(arguments);
  Py_XDECREF(function);
  Py_XDECREF(space);
  Py_XDECREF(array);
  return out;
}

/* JAX's only method for unknown objects. */
static PyObject *method_jax_array(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *jax = PyImport_ImportModule("jax.numpy");
  PyObject *array = jax ? PyObject_CallMethod(jax, "from_dlpack", "O", self) : NULL;
  Py_XDECREF(jax);
  return array;
}

static PyObject *method_copy(PyObject *self, PyObject *unused) {
  dlf_tensor *handle = hub_handle(self);
  (void)unused;
  dlf_tensor *copy = handle ? dlfpy_copy(handle) : NULL;
  return copy ? hub_tensor_new(copy, false) : NULL;
}

static PyObject *method_release(PyObject *self, PyObject *unused) {
  (void)unused;
  hub_release(self);
  Py_RETURN_NONE;
}

static PyObject *method_enter(PyObject *self, PyObject *unused) {
  (void)unused;
  return hub_handle(self) ? Py_NewRef(self) : NULL;
}

static PyObject *method_exit(PyObject *self, PyObject *const *exception, Py_ssize_t count) {
  (void)exception;
  (void)count;
  hub_release(self);
  Py_RETURN_NONE;
}

PyMethodDef hub_methods[] = {{"__dlpack__", FAST(method_dlpack), DOC_Tensor___dlpack__},
                             {"__dlpack_device__", method_dlpack_device, METH_NOARGS, DOC_Tensor___dlpack_device__},
                             {"__array__", FAST(method_array), DOC_Tensor___array__},
                             {"__jax_array__", method_jax_array, METH_NOARGS, DOC_Tensor___jax_array__},
                             {"copy", method_copy, METH_NOARGS, DOC_Tensor_copy},
                             {"numpy", method_numpy, METH_NOARGS, DOC_Tensor_numpy},
                             {"release", method_release, METH_NOARGS, DOC_Tensor_release},
                             {"__reduce_ex__", hub_reduce, METH_O, DOC_Tensor___reduce_ex__},
                             {"__enter__", method_enter, METH_NOARGS, DOC_Tensor___enter__},
                             {"__exit__", (PyCFunction)(void (*)(void))method_exit, METH_FASTCALL, DOC_Tensor___exit__},
                             {NULL, NULL, 0, NULL}};
