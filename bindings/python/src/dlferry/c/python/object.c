/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the user's C library as Python objects. C counts the calls inside and locks. No thread
 * waits for the lock while holding the GIL; nor, in a call or in close, for the library to free an
 * object. An object that Python releases is freed with the GIL: giving it up there would cost busy
 * threads milliseconds each time. A library that then waits for a thread that needs the GIL waits
 * forever, so the README tells callers to close such an object. */
#include "object.h"

#include <stddef.h>
#include <stdlib.h>

typedef dlfpy_boxed boxed;

/* ---- A call ---- */

#ifndef Py_GIL_DISABLED
bool dlfpy_gil_guards = true;
#endif

bool dlfpy_wrong_object(const char *name, PyObject *x, PyTypeObject *type) {
  char wanted[100];
  PyOS_snprintf(wanted, sizeof wanted, "a %.80s", dlfpy_type_name(type));
  return dlfpy_wrong_type(name, wanted, x);
}

/* Before the GIL is released while the objects are used. */
static void unguard(const dlf_use *uses, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    dlf_object_unguard(uses[i].object);
  }
}

bool dlfpy_enter_any_objects(dlfpy_call *call, dlfpy_arg *end, dlf_use *uses, int32_t count,
                             uint64_t limit) {
  dlf_status status = DLF_OK;
  dlf_error error;
  bool waits = call->bytes >= limit;
  if (!waits) {
    status = dlf_object_enter(call->function, uses, count, &waits, &error);
  }
  if (waits) {
    unguard(uses, count);
    if (!dlfpy_enter_released(call, end)) {
      return false;
    }
    status = dlf_object_enter(call->function, uses, count, NULL, &error);
  }
  if (!status) {
    return true;
  }
  dlfpy_leave(call, status);
  dlfpy_raise(status, &error);
  return false;
}

void dlfpy_leave_any_objects(dlfpy_call *call, dlf_use *uses, int32_t count) {
  bool open = true;
  for (int32_t i = 0; i < count; i++) {
    open = open && (!uses[i].object || dlf_object_is_open(uses[i].object));
  }
  if (!open && !call->thread) { /* freeing may take long */
    unguard(uses, count);
    call->thread = PyEval_SaveThread();
  }
  dlf_object_leave(uses, count);
}

/* ---- Results of a call ---- */

const char *dlfpy_keep_text(dlf_status status, const char *text) {
  if (status || !text) {
    return NULL;
  }
  return strdup(text);
}

PyObject *dlfpy_kept_text(const char *kept) {
  PyObject *text;
  if (kept) {
    text = dlfpy_text(kept);
  } else {
    text = PyErr_NoMemory();
  }
  free((void *)(uintptr_t)kept);
  return text;
}

dlf_object *dlfpy_box(dlf_status status, void (*release)(void *owned), void *owned,
                      const dlf_use *parents, int32_t count) {
  dlf_object *object = NULL;
  if (!status && dlf_object_create(owned, release, parents, count, &object, NULL)) {
    release(owned);
  }
  return object;
}

dlf_object *dlfpy_borrow(dlf_status status, void *lent, const dlf_use *owner) {
  dlf_object *object = NULL;
  if (!status) {
    (void)dlf_object_borrow(lent, owner, &object, NULL); /* dlfpy_object tells of NULL */
  }
  return object;
}

/* With an exception in flight: the library may call Python code. */
static void release_boxed(dlf_object *owned) {
  const dlfpy_flight flight = dlfpy_set_aside();
  dlf_object_release(owned);
  dlfpy_put_back(flight);
}

PyObject *dlfpy_object(PyTypeObject *type, dlf_object *owned) {
  if (!owned && !PyErr_Occurred()) {
    PyErr_NoMemory();
  }
  boxed *self = NULL;
  if (!PyErr_Occurred()) {
    self = PyObject_New(boxed, type);
  }
  if (!self) {
    release_boxed(owned);
    return NULL;
  }
  self->object = owned;
  self->weak = NULL;
  return (PyObject *)self;
}

/* ---- Properties ---- */

PyObject *dlfpy_property_get(PyObject *x, void *property) {
  return ((const dlfpy_property *)property)->get(x, NULL);
}

int dlfpy_property_set(PyObject *x, PyObject *value, void *property) {
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "a property of the C library cannot be deleted");
    return -1;
  }
  PyObject *done = ((const dlfpy_property *)property)->set(x, &value, 1, NULL);
  Py_XDECREF(done);
  if (done) {
    return 0;
  }
  return -1;
}

/* ---- The type ---- */

static bool is_open(PyObject *x) {
  return dlf_object_is_open(((boxed *)x)->object);
}

static void dealloc(PyObject *x) {
  if (((boxed *)x)->weak) {
    PyObject_ClearWeakRefs(x);
  }
  release_boxed(((boxed *)x)->object);
  PyObject_Free(x);
}

static PyObject *repr(PyObject *x) {
  const char *name = dlfpy_type_name_of(x);
  if (is_open(x)) {
    return PyUnicode_FromFormat("<%s at %p>", name, x);
  }
  return PyUnicode_FromFormat("<%s, closed>", name);
}

PyObject *dlfpy_object_close(PyObject *x, PyObject *Py_UNUSED(unused)) {
  dlf_object_unguard(((boxed *)x)->object);
  Py_BEGIN_ALLOW_THREADS dlf_object_close(((boxed *)x)->object);
  Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

PyObject *dlfpy_object_enter(PyObject *x, PyObject *Py_UNUSED(unused)) {
  const char *dot = strrchr(dlfpy_type_name_of(x), '.');
  if (is_open(x)) {
    return Py_NewRef(x);
  }
  return dlfpy_fail(
      DLF_INVALID, "%s: expected an open object, got a closed one", dot ? dot + 1 : "object");
}

PyObject *dlfpy_object_exit(PyObject *x, PyObject *const *Py_UNUSED(exception),
                            Py_ssize_t Py_UNUSED(count)) {
  return dlfpy_object_close(x, NULL);
}

#ifndef Py_LIMITED_API /* generated packages have static types, whose structure the limited API    \
                          hides */
#ifndef Py_GIL_DISABLED
static void stop_guarding(void) {
  dlfpy_gil_guards = false;
}
#endif

/* Once for all types. */
static bool heed_forks(void) {
#ifndef Py_GIL_DISABLED
  static bool heeded;
  if (!heeded && !dlfpy_after_fork(stop_guarding)) {
    return false;
  }
  heeded = true;
#endif
  return true;
}

bool dlfpy_object_type(PyObject *module, const char *name, PyTypeObject *type) {
  type->tp_basicsize = sizeof(boxed);
  type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type->tp_weaklistoffset = offsetof(boxed, weak);
  type->tp_dealloc = dealloc;
  type->tp_repr = repr;
  return heed_forks() && PyType_Ready(type) == 0 &&
         PyModule_AddObjectRef(module, name, (PyObject *)type) == 0;
}
#endif
