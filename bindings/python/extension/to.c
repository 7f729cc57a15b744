/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor as an array of a given type: through the type's exchange table if it has one that makes
 * objects. */
#include "hub.h"

/* The content of any array; the caller releases its handle. */
static dlfpy_content take(PyObject *x) {
  dlfpy_content content = dlfpy_alone(NULL);
  if (!PyObject_TypeCheck(x, hub_type)) {
    content.handle = dlfpy_import(x, "to", (DLDevice){0, 0}, DLF_COPY_IF_NEEDED, &content.legacy);
    return content;
  }
  content.handle = hub_retain(x, "to"); /* the framework may run Python code that releases x */
  content.legacy = hub_peek(x).legacy;
  return content;
}

/* Takes the handle. */
static PyObject *by_table(const dlfpy_producer *producer, PyTypeObject *target,
                          dlfpy_content content, PyObject *x) {
  DLManagedTensorVersioned *managed;
  dlf_error error;
  char wanted[128];
  const dlf_status status = dlf_into_dlpack(content.handle, &managed, &error);
  if (status) {
    dlfpy_release(content.handle);
    return dlfpy_raise(status, &error);
  }
  if (content.legacy) {
    managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  PyObject *made = dlfpy_from_managed(producer, dlfpy_type_name(target), managed);
  if (made && PyObject_TypeCheck(made, target)) {
    return made;
  }
  if (!made) {
    PyOS_snprintf(wanted, sizeof wanted, "a tensor that %.80s can hold", dlfpy_type_name(target));
    dlfpy_foreign("to", wanted, x);
    return NULL;
  }
  PyErr_Format(PyExc_TypeError,
               "to: expected a type whose exchange table makes its objects, got %.80s, whose table "
               "makes %.80s",
               dlfpy_type_name(target),
               dlfpy_type_name_of(made));
  Py_DECREF(made);
  return NULL;
}

/* Types without a table are known to Python code, which only they import. Takes the handle. */
static PyObject *by_name(PyTypeObject *target, dlfpy_content content) {
  PyObject *tensor = hub_tensor_new(content.handle, content.legacy);
  PyObject *made = NULL;
  if (tensor) {
    made = dlfpy_call_from("dlferry._targets", "make", "(OO)", target, tensor);
  }
  Py_XDECREF(tensor);
  return made;
}

PyObject *hub_to(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t count) {
  if (count != 2) {
    return PyErr_Format(PyExc_TypeError, "to() takes 2 positional arguments (%zd given)", count);
  }
  PyObject *x = given[0];
  if (!PyType_Check(given[1])) {
    dlfpy_wrong_type("to: target", "a type such as torch.Tensor or numpy.ndarray", given[1]);
    return NULL;
  }
  PyTypeObject *target = (PyTypeObject *)given[1];
  if (Py_IS_TYPE(x, target)) {
    return Py_NewRef(x);
  }
  if (PyType_IsSubtype(target, hub_type)) {
    return PyObject_CallOneArg(given[1], x);
  }
  const dlfpy_producer *producer = dlfpy_producer_of_type(target);
  const bool has_table = producer->api && producer->api->managed_tensor_to_py_object_no_sync;
  const dlfpy_content content = take(x);
  if (!content.handle) {
    return NULL;
  }
  if (!hub_check_flags(content, "to")) { /* the library may not know that it must heed them */
    dlfpy_release(content.handle);
    return NULL;
  }
  if (has_table) {
    return by_table(producer, target, content, x);
  }
  if (target != dlfpy_numpy_type()) {
    return by_name(target, content);
  }
  PyObject *made = dlfpy_numpy(content);
  dlfpy_release(content.handle);
  return made;
}
