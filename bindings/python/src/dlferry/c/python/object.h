/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the user's C library. */
#ifndef DLFERRY_PYTHON_OBJECT_H
#define DLFERRY_PYTHON_OBJECT_H

#include "call.h"

#include <dlferry/object.h>

/** Name an argument's object, which the call must still enter. */
bool dlfpy_use(const char *name, PyObject *x, PyTypeObject *type, dlf_use *use);

/** Enter a call with objects, and prepare like dlfpy_enter with this limit: the GIL stays if the locks are free and the
 *  bytes are few, and is released before any wait. */
bool dlfpy_enter_objects(dlfpy_call *call, dlfpy_arg *end, dlf_use *uses, int32_t count, uint64_t limit);
/** Leave them. Runs before dlfpy_leave: no thread waits for the GIL while it holds a lock. */
void dlfpy_leave_objects(dlfpy_call *call, dlf_use *uses, int32_t count);

/* Inside such a call, with or without the GIL: */

/** Copy a text that the objects may own. */
const char *dlfpy_keep_text(dlf_status status, const char *text);
/** Make a str of the copy, which it frees. */
PyObject *dlfpy_kept_text(const char *kept);

/** Box the result of a C call with this status, made from these objects; NULL, with all freed, if that fails. */
dlf_object *dlfpy_box(dlf_status status, void (*release)(void *owned), void *owned, const dlf_use *parents,
                      int32_t count);

/** Make a Python object of a box; takes it, even on failure, and adds no exception if one is set already. */
PyObject *dlfpy_object(PyTypeObject *type, dlf_object *owned);

/** The functions behind a property, each with the arguments of METH_FASTCALL | METH_KEYWORDS. */
typedef PyObject *(*dlfpy_call_of)(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *words);
typedef struct dlfpy_property {
  dlfpy_call_of get, set;
} dlfpy_property;

/** The members of a PyGetSetDef, whose closure is a dlfpy_property. */
PyObject *dlfpy_property_get(PyObject *x, void *property);
int dlfpy_property_set(PyObject *x, PyObject *value, void *property);

PyObject *dlfpy_object_close(PyObject *x, PyObject *unused);
PyObject *dlfpy_object_enter(PyObject *x, PyObject *unused);
PyObject *dlfpy_object_exit(PyObject *x, PyObject *const *exception, Py_ssize_t count);

/** Finish a type whose name, doc, methods, properties and tp_vectorcall are set, and add it to its module. */
bool dlfpy_object_type(PyObject *module, const char *name, PyTypeObject *type);

#endif
