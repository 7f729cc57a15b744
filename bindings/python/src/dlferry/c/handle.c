/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the user's C library as Python objects. Closing one while another thread is inside a call on it, which has
 * released the GIL, must not free it under that call: the last user does. The GIL guards the count. */
#include "dlferry_python.h"

#include <stddef.h>
#include <string.h>

typedef struct handle_object {
  PyObject_HEAD void *pointer;
  void (*free)(void *owned);
  int64_t uses;
  bool closed;
  PyObject *weak;
} handle_object;

/* Pointer first: a library's free function may run for long, and callbacks of its own are not our concern. */
static void free_pointer(handle_object *self) {
  void *owned = self->pointer;
  self->pointer = NULL;
  if (owned) self->free(owned);
}

PyObject *dlfpy_handle(PyTypeObject *type, void (*free)(void *owned), void *owned) {
  handle_object *self = PyErr_Occurred() ? NULL : PyObject_New(handle_object, type);
  if (!self) {
    free(owned);
    return NULL;
  }
  self->pointer = owned;
  self->free = free;
  self->uses = 0;
  self->closed = false;
  self->weak = NULL;
  return (PyObject *)self;
}

bool dlfpy_use(const char *name, PyObject *x, PyTypeObject *type, dlfpy_user *out) {
  if (Py_TYPE(x) != type) {
    char wanted[100];
    PyOS_snprintf(wanted, sizeof wanted, "a %.80s", type->tp_name);
    return dlfpy_wrong_type(name, wanted, x);
  }
  handle_object *self = (handle_object *)x;
  out->pointer = self->closed ? NULL : self->pointer; /* the twin refuses NULL, in the words of all languages */
  out->object = Py_NewRef(x);
  self->uses++;
  return true;
}

void dlfpy_done(dlfpy_user *user) {
  handle_object *self = (handle_object *)user->object;
  if (!self) return;
  if (--self->uses == 0 && self->closed) free_pointer(self);
  Py_DECREF(self);
}

static void dealloc(PyObject *x) {
  if (((handle_object *)x)->weak) PyObject_ClearWeakRefs(x);
  free_pointer((handle_object *)x);
  PyObject_Free(x);
}

static PyObject *repr(PyObject *x) {
  const char *name = Py_TYPE(x)->tp_name;
  return ((handle_object *)x)->closed ? PyUnicode_FromFormat("<%s, closed>", name)
                                      : PyUnicode_FromFormat("<%s at %p>", name, x);
}

PyObject *dlfpy_handle_close(PyObject *x, PyObject *unused) {
  handle_object *self = (handle_object *)x;
  (void)unused;
  self->closed = true;
  if (self->uses == 0) free_pointer(self);
  Py_RETURN_NONE;
}

PyObject *dlfpy_handle_enter(PyObject *x, PyObject *unused) {
  const char *dot = strrchr(Py_TYPE(x)->tp_name, '.');
  (void)unused;
  if (!((handle_object *)x)->closed) return Py_NewRef(x);
  return dlfpy_fail(DLF_INVALID, "%s: expected an open object, got a closed one", dot ? dot + 1 : "object");
}

PyObject *dlfpy_handle_exit(PyObject *x, PyObject *const *exception, Py_ssize_t count) {
  (void)exception;
  (void)count;
  return dlfpy_handle_close(x, NULL);
}

bool dlfpy_handle_type(PyObject *module, const char *name, PyTypeObject *type) {
  type->tp_basicsize = sizeof(handle_object);
  type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type->tp_weaklistoffset = offsetof(handle_object, weak);
  type->tp_dealloc = dealloc;
  type->tp_repr = repr;
  return PyType_Ready(type) == 0 && PyModule_AddObjectRef(module, name, (PyObject *)type) == 0;
}
