/* SPDX-License-Identifier: Apache-2.0 */
/* Python objects in front of the hub: what `dlferry` itself and every package made by dlferry-bind compile into their
 * extension modules. All functions need the GIL unless the comment says otherwise. Those that return a pointer or
 * `bool` have set a Python exception when they return NULL or false. */
#ifndef DLFERRY_PYTHON_H
#define DLFERRY_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <dlferry.h>
#include <stdint.h>

/* ---- error.c ---- */

/** Raise the exception of dlferry.errors that stands for the status. Returns NULL. */
PyObject *dlfpy_raise(dlf_status status, const dlf_error *error);

/** Raise with a text made as by printf, cut to what a dlf_error holds. Returns NULL. */
PyObject *dlfpy_fail(dlf_status status, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));

/* ---- release.c ---- */

/** Where Python objects wait whose tensors died on a thread without the GIL. */
extern dlf_queue *dlfpy_queue;
extern void *const *dlfpy_queue_head;

/** Set up the release queue; once for each extension module. */
bool dlfpy_start(void);

/** Let go of the objects that wait. Keeps an exception that is being handled. */
void dlfpy_drain_now(void);

static inline void dlfpy_drain(void) {
  if (*dlfpy_queue_head) dlfpy_drain_now();
}

/* ---- producer.c: what a type is to DLPack ---- */

typedef enum dlfpy_kind {
  DLFPY_HANDLE,   /**< this extension's own Tensor */
  DLFPY_NUMPY,    /**< numpy.ndarray, read from its structure */
  DLFPY_TABLE,    /**< has an exchange table */
  DLFPY_PROTOCOL, /**< has __dlpack__ */
  DLFPY_CAPSULE,
  DLFPY_BUFFER,
  DLFPY_UNKNOWN
} dlfpy_kind;

typedef struct dlfpy_producer {
  PyTypeObject *type; /**< kept: a new type at the address of a dead one would inherit its entry */
  dlfpy_kind kind;
  bool torch;
  const DLPackExchangeAPI *api; /**< NULL unless DLFPY_TABLE; major version 1; any slot may be NULL */
} dlfpy_producer;

/** Say what x is; the answer lives as long as the process. */
const dlfpy_producer *dlfpy_producer_of(PyObject *x);

/** Tell whether x belongs to a framework whose arrays never change: JAX and TensorFlow, which cannot say so. */
bool dlfpy_is_immutable(PyObject *x);

/** This extension's Tensor type and how to read its handle (NULL once released); NULL in generated packages. */
extern PyTypeObject *dlfpy_own_type;
extern dlf_tensor *(*dlfpy_own_handle)(PyObject *x);

/* ---- numpy.c ---- */

/** Tell whether the structure of arrays is the one this file knows; any ndarray serves as the sample. */
bool dlfpy_numpy_is_known(PyObject *array);

/** Describe an array. tensor->shape lies in the array; strides has room for DLF_MAX_NDIM. */
bool dlfpy_numpy_describe(PyObject *array, const char *name, DLTensor *tensor, int64_t *strides, uint64_t *flags);

/** Give a handle that keeps the array. */
dlf_tensor *dlfpy_numpy_wrap(PyObject *array, const char *name);

/* ---- buffer.c ---- */

/** Give a handle on the memory of an object with the buffer protocol, as it describes itself. */
dlf_tensor *dlfpy_buffer_wrap(PyObject *x, const char *name);

/** The format of the struct module for a dtype, or NULL. */
const char *dlfpy_buffer_format(DLDataType dtype);

/* ---- import.c ---- */

/** Give a handle on any object that dlferry takes.
 *  @param name    opens the messages
 *  @param device  what from_dlpack was asked for; type 0 for the device that the data is on
 *  @param copy    1 must, 0 must not, -1 may */
dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, int copy);

/** The same without draining first. *versioned says whether the producer could have said read-only. */
dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, int copy, bool *versioned);

/** Give a handle by the owning function of a producer's exchange table. */
dlf_tensor *dlfpy_from_table(PyObject *x, const dlfpy_producer *producer, const char *name);

/** Look into a capsule that has not been consumed, without consuming it. */
bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out);

/* ---- torch.c ---- */

/** Refuse a torch tensor whose memory does not hold its values.
 *  @param t           its description
 *  @param needs_grad  gets whether it requires grad, so that a write would go behind autograd's back; may be NULL */
bool dlfpy_torch_check(PyObject *x, const char *name, const DLTensor *t, bool *needs_grad);

/* ---- export.c ---- */

PyObject *dlfpy_capsule(dlf_tensor *self);
PyObject *dlfpy_capsule_legacy(dlf_tensor *self);

/** The method __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None). */
PyObject *dlfpy_dlpack(dlf_tensor *self, PyObject *const *given, Py_ssize_t count, PyObject *names);
PyObject *dlfpy_dlpack_device(dlf_tensor *self);

/** Read a (device type, device id) pair. */
bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out);

/* ---- result.c ---- */

/** Make an array of like's framework, or a dlferry.Tensor, of a new tensor. Takes owned, after a failure too. */
PyObject *dlfpy_give(PyObject *like, DLManagedTensorVersioned *owned);

/** A tuple of value, unless that is NULL without an exception, and of several new tensors as dlfpy_give makes them.
 *  Takes value and all tensors, after a failure too. */
PyObject *dlfpy_give_all(PyObject *like, PyObject *value, DLManagedTensorVersioned **owned, int count);

/** Look at a handle's data as a NumPy array that keeps it. */
PyObject *dlfpy_numpy(dlf_tensor *self);

/* ---- call.c: one call of a generated function ---- */

enum { DLFPY_MAX_PARAMS = 64 };

typedef struct dlfpy_signature {
  const char *function;
  int required; /**< the first ones */
  int count;
  const char *const *names;
  PyObject **interned; /**< as many as names, NULL at first */
} dlfpy_signature;

/** Sort positional and keyword arguments into values, NULL for those left out. */
bool dlfpy_bind(const dlfpy_signature *signature, PyObject *const *given, Py_ssize_t count, PyObject *names,
                PyObject **values);

/** Whether an argument that may be left out is there. */
static inline bool dlfpy_is_given(PyObject *value) { return value && value != Py_None; }

/** Check that the last parameters, outputs of which one is given, all are. */
bool dlfpy_all_given(const dlfpy_signature *signature, PyObject *const *values, int outputs);

/** One tensor argument while a call lasts. */
typedef struct dlfpy_arg {
  dlf_arg c; /**< what the C function gets */
  PyObject *object;
  const dlfpy_producer *producer;
  dlf_tensor *handle; /**< owned, or NULL while the tensor is borrowed from the object */
  DLTensor tensor;
  int64_t extents[2 * DLF_MAX_NDIM];
} dlfpy_arg;

typedef struct dlfpy_call {
  const char *function;
  dlfpy_arg *args;
  int count;
  PyThreadState *thread; /**< not NULL while the GIL is released */
} dlfpy_call;

/** Add a tensor argument, borrowed when its producer can lend. write asks for proof that it may be written. */
bool dlfpy_tensor(dlfpy_call *call, const char *name, PyObject *x, bool write);

/** Add an optional tensor argument: x may be NULL or None. */
bool dlfpy_tensor_or_none(dlfpy_call *call, const char *name, PyObject *x, bool write);

/** Scalars; name opens the messages: "blur: sigma". */
bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out);
bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out);
bool dlfpy_real(const char *name, PyObject *x, double *out);
bool dlfpy_bool(const char *name, PyObject *x, bool *out);
bool dlfpy_string(const char *name, PyObject *x, const char **out);

/** Prepare to run: a call on much data gets handles of its own and releases the GIL. */
bool dlfpy_enter(dlfpy_call *call);
/** Take the GIL back. */
void dlfpy_leave(dlfpy_call *call);
/** Let go of all arguments. */
void dlfpy_end(dlfpy_call *call);

#endif
