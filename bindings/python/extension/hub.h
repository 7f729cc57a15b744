/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by dlferry's own extension module. */
#ifndef DLFERRY_HUB_H
#define DLFERRY_HUB_H

#include "dlferry_python.h"

/* ---- slot.i ---- */

/* Make a Tensor. Takes owned, even on failure. */
PyObject *hub_tensor_new(dlf_tensor *owned, bool legacy);
/* The place where a Tensor keeps its handle; NULL once released. */
dlf_tensor **hub_slot(PyObject *tensor);
/* All that a Tensor keeps, without an exception if its handle is NULL. */
dlfpy_content hub_peek(PyObject *tensor);
/* Keep the producer, or release it. */
void hub_keep(PyObject *tensor, PyObject *producer);
extern PyTypeObject *hub_type;

/* ---- tensor.c ---- */

/* The handle of a Tensor, or NULL with an exception. */
dlf_tensor *hub_handle(PyObject *x);
/* The same with the other fields. */
dlfpy_content hub_content(PyObject *x);
void hub_dealloc(PyObject *self);
PyObject *hub_repr(PyObject *self);
/* Describe any tensor by dlf_describe or dlf_format. */
PyObject *hub_text(dlf_arg tensor, int64_t (*write)(const DLTensor *, uint64_t, char *, int64_t));
PyObject *hub_integers(const int64_t *list, int32_t count);
bool hub_read_integers(PyObject *sequence, const char *name, int64_t *list, int32_t *count);
/* Borrow any object that dlferry takes; a capsule is not consumed. */
bool hub_borrow(PyObject *x, const char *name, dlfpy_arg *arg);
void hub_give_back(dlfpy_arg *arg);
/* Read a dtype by its usual name. */
bool hub_read_dtype(PyObject *x, const char *name, DLDataType *out);
int hub_getbuffer(PyObject *self, Py_buffer *view, int flags);
void hub_releasebuffer(PyObject *self, Py_buffer *view);

/* ---- number.c: a tensor of one element as a Python number ---- */

PyObject *hub_int(PyObject *self);
PyObject *hub_float(PyObject *self);
int hub_bool(PyObject *self);

/* ---- module.c ---- */

/* Add what SWIG does not make: the fast functions and methods, and the exchange table. On a second import, make the
 * module equal to the first one. */
bool hub_finish(PyObject *module, PyTypeObject *type);

/* ---- exchange.c ---- */

/* The capsule of __dlpack_c_exchange_api__. */
PyObject *hub_exchange_capsule(void);

#endif
