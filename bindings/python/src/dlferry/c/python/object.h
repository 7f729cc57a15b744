/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the user's C library. */
#ifndef DLFERRY_PYTHON_OBJECT_H
#define DLFERRY_PYTHON_OBJECT_H

#include "call.h"
#include "signature.h"

#include <dlferry/object.h>

/** A Python object around an object of the library. */
typedef struct dlfpy_boxed {
  PyObject_HEAD dlf_object *object;
  PyObject *weak;
} dlfpy_boxed;

/** Name an argument's object, which the call must still enter. */
bool dlfpy_wrong_object(const char *name, PyObject *x, PyTypeObject *type)
    __attribute__((__cold__));
static inline bool dlfpy_use(const char *name, PyObject *x, PyTypeObject *type, dlf_use *use) {
  if (Py_TYPE(x) != type) {
    return dlfpy_wrong_object(name, x, type);
  }
  use->object = ((dlfpy_boxed *)x)->object; /* x is the caller's, until the call is over */
  return true;
}

/** The same for an argument that may be None or left out. */
static inline bool dlfpy_use_or_none(const char *name, PyObject *x, PyTypeObject *type,
                                     dlf_use *use) {
  if (!dlfpy_is_given(x)) {
    use->mode = DLF_USE_ABSENT;
    return true;
  }
  return dlfpy_use(name, x, type, use);
}

/** Add any iterable of objects, each to be used like this one, behind the uses of the call so far:
 * these move into memory of the call's. */
bool dlfpy_objects(dlfpy_call *call, const char *name, PyObject *x, PyTypeObject *type,
                   const dlf_use *like, dlf_use **uses, int32_t *count, dlfpy_numbers *out);

/** Give C the addresses of a list's objects once they are entered. */
const void *dlfpy_pointers(const dlfpy_numbers *list, const dlf_use *uses);

/** Tell whether the GIL guards the objects that no thread has used without it. Not in a child of
 * fork(): a thread of the parent may have been inside. */
#ifdef Py_GIL_DISABLED
#define dlfpy_gil_guards false
#else
extern bool dlfpy_gil_guards;
#endif

/** Enter a call with objects, and prepare like dlfpy_enter with this limit: the GIL stays if the
 * locks are free and the bytes are few, and is released before any wait. */
bool dlfpy_enter_any_objects(dlfpy_call *call, dlfpy_arg *end, dlf_use *uses, int32_t count,
                             uint64_t limit);
static inline bool dlfpy_enter_objects(dlfpy_call *call, dlfpy_arg *end, dlf_use *uses,
                                       int32_t count, uint64_t limit) {
  if (count == 1 && call->bytes < limit && dlfpy_gil_guards && dlf_object_enter_guarded(uses)) {
    return true;
  }
  return dlfpy_enter_any_objects(call, end, uses, count, limit);
}

/** Leave them. Runs before dlfpy_leave: no thread waits for the GIL while it holds a lock. */
void dlfpy_leave_any_objects(dlfpy_call *call, dlf_use *uses, int32_t count);
static inline void dlfpy_leave_objects(dlfpy_call *call, dlf_use *uses, int32_t count) {
  if (count == 1 && !call->thread && dlfpy_gil_guards && dlf_object_leave_guarded(uses)) {
    return;
  }
  dlfpy_leave_any_objects(call, uses, count);
}

/* Inside such a call, with or without the GIL: */

/** Copy a text that the objects may own. */
const char *dlfpy_keep_text(dlf_status status, const char *text);
/** Make a str of the copy, which it frees. */
PyObject *dlfpy_kept_text(const char *kept);

/** Box the result of a C call with this status, made from these objects; NULL, with all freed, if
 * that fails. */
dlf_object *dlfpy_box(dlf_status status, void (*release)(void *owned), void *owned,
                      const dlf_use *parents, int32_t count);

/** The same for an object that C frees with its owner's, or never: then the owner is NULL. */
dlf_object *dlfpy_borrow(dlf_status status, void *lent, const dlf_use *owner);

/** Make a Python object of a box; takes it, even on failure, and adds no exception if one is set
 * already. */
PyObject *dlfpy_object(PyTypeObject *type, dlf_object *owned);

/** The functions behind a property, with the arguments of METH_NOARGS and of METH_FASTCALL |
 * METH_KEYWORDS. */
typedef struct dlfpy_property {
  PyObject *(*get)(PyObject *self, PyObject *unused);
  PyObject *(*set)(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *words);
} dlfpy_property;

/** The members of a PyGetSetDef, whose closure is a dlfpy_property. */
PyObject *dlfpy_property_get(PyObject *x, void *property);
int dlfpy_property_set(PyObject *x, PyObject *value, void *property);

PyObject *dlfpy_object_close(PyObject *x, PyObject *unused);
PyObject *dlfpy_object_enter(PyObject *x, PyObject *unused);
PyObject *dlfpy_object_exit(PyObject *x, PyObject *const *exception, Py_ssize_t count);

/** Finish a type whose name, doc, methods, properties and tp_vectorcall are set, and add it to its
 * module. */
bool dlfpy_object_type(PyObject *module, const char *name, PyTypeObject *type);

#endif
