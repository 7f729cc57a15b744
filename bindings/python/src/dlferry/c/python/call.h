/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a generated function: its tensors, lists and arrays, and the GIL. */
#ifndef DLFERRY_PYTHON_CALL_H
#define DLFERRY_PYTHON_CALL_H

#include "base.h"

/** One tensor argument during a call. */
typedef struct dlfpy_arg dlfpy_arg;
typedef struct dlfpy_call dlfpy_call;
struct dlfpy_arg {
  dlf_arg c; /* passed to the C function */
  PyObject *object;
  const dlfpy_producer *producer;
  dlf_tensor *handle; /**< owned, or NULL while the tensor is borrowed from the object */
  DLManagedTensorVersioned
      *managed; /* owned likewise, from the producer's table, if the GIL is released */
  DLTensor tensor;
  PyObject *storage; /* owned likewise: what holds the elements of a torch tensor */
  /** Hold what is borrowed until the call ends; NULL for what NumPy or the producer's table holds.
   */
  bool (*hold)(dlfpy_call *call, dlfpy_arg *arg, const char *name);
  dlfpy_arg *written; /* the next one of the call's */
  int64_t strides[DLF_MAX_NDIM],
      shape[DLF_MAX_NDIM]; /* of tensor, if the object's own are unsuitable */
};

typedef struct dlfpy_tensors dlfpy_tensors;
typedef struct dlfpy_numbers dlfpy_numbers;

struct dlfpy_call {
  const char *function;
  dlfpy_arg *args, *end; /* in order; end is past the last one once something is held */
  dlfpy_tensors *lists;
  dlfpy_numbers *arrays;
  bool held;  /* something must be released */
  bool looks; /**< the call computes no values from its tensors, so that no gradient gets lost */
  dlfpy_arg *written;                     /* tensors whose framework must learn of it, */
  void (*tell)(const dlfpy_arg *written); /* by this, once there is one */
  uint64_t bytes;        /* of all elements; the largest number if that overflows */
  PyThreadState *thread; /**< not NULL while the GIL is released */
};

/** Begin an argument. */
static inline void dlfpy_begin(dlfpy_arg *arg, PyObject *x, const dlfpy_producer *producer) {
  arg->object = x;
  arg->producer = producer;
  arg->handle = NULL;
  arg->managed = NULL;
  arg->storage = NULL;
  arg->hold = NULL;
}

/** Add an argument's bytes to the call's. */
static inline void dlfpy_count_bytes(dlfpy_call *call, uint64_t bytes) {
  if (__builtin_add_overflow(call->bytes, bytes, &call->bytes)) {
    call->bytes = UINT64_MAX;
  }
}

/** Finish an argument whose tensor is described except for its dtype; the structure is not checked
 * yet. Do not read parts  of a value just stored as a whole: that would wait for the memory. */
static inline void dlfpy_lent(dlfpy_call *call, dlfpy_arg *arg, DLDataType dtype, uint64_t flags) {
  DLTensor *t = &arg->tensor;
  const bool few = (uint32_t)t->ndim <= 3 && t->shape && dtype.lanes == 1;
  uint64_t bytes = (dtype.bits + 7u) / 8;
  uint64_t bits = 0;
  t->dtype = dtype;
  for (int32_t i = 0; few && i < t->ndim; i++) {
    bytes *= (uint64_t)t->shape[i];
    bits |= (uint64_t)t->shape[i];
  }
  if (!few || bits >> 19) {
    bytes = dlfpy_bytes(t); /* 3 times 19 bits and 32 bytes cannot overflow */
  }
  dlfpy_count_bytes(call, bytes);
  arg->c = (dlf_arg){t, flags};
}

/** A list of tensors during a call. */
struct dlfpy_tensors {
  const char *name;
  dlf_arg *items; /* passed to C */
  Py_ssize_t count;
  PyObject *owner;
  dlfpy_call elements; /**< the tensors as arguments */
  dlfpy_tensors *next;
};

/** Pass what the list's tensors are now. */
static inline void dlfpy_pass(dlfpy_tensors *list) {
  for (Py_ssize_t i = 0; i < list->count; i++) {
    list->items[i] = list->elements.args[i].c;
  }
}

/** An array of numbers, texts or objects during a call. */
struct dlfpy_numbers {
  const void *data; /* passed to C */
  Py_ssize_t count;
  Py_buffer buffer; /* if the array is borrowed */
  void *memory;     /* if it is a copy */
  PyObject *items;  /* if it has objects, which live so long; else NULL */
  int32_t first;    /* of them among the objects of the call */
  dlfpy_numbers *next;
};

/** Own the export of an argument's object by its table until the call ends; its bytes are not
 * counted. */
bool dlfpy_own_managed(dlfpy_call *call, dlfpy_arg *arg, const char *name);

/** Take own handles for the tensors up to end and for those of all lists: borrowed ones may change
 * when Python code runs. */
bool dlfpy_hold(dlfpy_call *call, dlfpy_arg *end);

/** Prepare to run with the arguments up to end: a call on much data takes own handles and releases
 * the GIL. */
bool dlfpy_enter_released(dlfpy_call *call, dlfpy_arg *end);
static inline bool dlfpy_enter(dlfpy_call *call, dlfpy_arg *end) {
  return call->bytes < dlfpy_gil_limit || dlfpy_enter_released(call, end);
}

/** Keep the GIL for any number of bytes: for a function that its contract calls fast. */
static inline bool dlfpy_enter_holding(const dlfpy_call *Py_UNUSED(call),
                                       const dlfpy_arg *Py_UNUSED(end)) {
  return true;
}

/** Take note of a tensor that the call writes, for its framework. */
void dlfpy_writes(dlfpy_call *call, dlfpy_arg *arg, void (*tell)(const dlfpy_arg *written));

/** Called by a twin whose function has begun and fails, so that it may have written. */
void dlfpy_begun(void);

/** Tell the framework about what was written, unless the call was refused before its function
 * began. */
void dlfpy_tell_written(dlfpy_call *call, dlf_status status);

/** Take the GIL back after a call with that status. */
static inline void dlfpy_leave(dlfpy_call *call, dlf_status status) {
  if (call->thread) {
    PyEval_RestoreThread(call->thread);
  }
  call->thread = NULL;
  if (call->written) {
    dlfpy_tell_written(call, status);
  }
}

/** Release what an argument owns. Keeps an exception in flight, which a deleter in Python would
 * see.
 */
void dlfpy_drop(dlfpy_arg *arg);

/** Release all arguments likewise. */
void dlfpy_let_go(dlfpy_call *call);
static inline void dlfpy_end(dlfpy_call *call) {
  if (call->held) {
    dlfpy_let_go(call);
  }
}

/* ---- sequence.c ---- */

/* Python sequences as C's lists of tensors and arrays of numbers, during one call. */

/** Widths, in dlferry-bind's order. */
typedef enum dlfpy_number {
  DLFPY_I8,
  DLFPY_I16,
  DLFPY_I32,
  DLFPY_I64,
  DLFPY_U8,
  DLFPY_U16,
  DLFPY_U32,
  DLFPY_U64,
  DLFPY_F32,
  DLFPY_F64
} dlfpy_number;

/** Add a list argument: any iterable of tensors that are only read. */
bool dlfpy_list(dlfpy_call *call, const char *name, PyObject *x, dlfpy_tensors *out);

/** The list's first tensor or NULL, borrowed. */
PyObject *dlfpy_first_of(const dlfpy_tensors *list);

/** Add an array argument: a matching buffer, which is borrowed, or any iterable of numbers, which
 * are copied. */
bool dlfpy_array(dlfpy_call *call, const char *name, PyObject *x, dlfpy_number number,
                 dlfpy_numbers *out);

/** Add any iterable of str, which are copied: out has a const char * for each. */
bool dlfpy_texts(dlfpy_call *call, const char *name, PyObject *x, dlfpy_numbers *out);

/* ---- torch.c ---- */

/** Exactly torch.Tensor, once its structure is verified. */
extern dlfpy_type dlfpy_torch_tensor;

/** Add an argument of exactly that type, borrowed if its structure tells enough: 1; 0 with an
 * exception; or -1, without an effect, for one that dlfpy_torch_lend_any takes or refuses. */
int dlfpy_torch_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);

/** Add an argument that has begun, of any torch type with an exchange table. */
bool dlfpy_torch_lend_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, bool write);

/** Refuse to write a tensor that requires grad; note a write to any other, so that autograd is
 * told. */
bool dlfpy_torch_may_write(dlfpy_call *call, dlfpy_arg *arg, const char *name);

/** Give a handle that keeps the storage of an object of a torch type with an exchange table. */
dlf_tensor *dlfpy_torch_wrap(PyObject *x, const dlfpy_producer *producer, const char *name);

/** Give the tensor whose __dlpack__ is asked. torch's refuses what requires grad in every grad
 * mode: where it may leave as a read-only tensor, a detached one is asked. NULL with an exception.
 */
PyObject *dlfpy_torch_to_ask(PyObject *x, const char *name);

/** Exchange a handle from the own __dlpack__ of a torch type, which keeps only the C++ tensor, for
 * one that keeps the storage. Takes out, and returns it for any other type.
 *  @param may_move  the producer was asked for another place, or to copy */
dlf_tensor *dlfpy_torch_keep(PyObject *x, const dlfpy_producer *producer, const char *name,
                             bool may_move, dlf_tensor *out);

/* ---- stream.c ---- */

typedef struct dlfpy_role {
  const char *name; /**< opens the messages */
  bool written;
} dlfpy_role;

/** Return the stream of the first device tensor's producer; NULL if there is none. Makes the other
 * inputs on that device ready there; refuses an output of another stream with DEVICE.
 *  @param roles  of the arguments up to end */
bool dlfpy_stream(dlfpy_call *call, dlfpy_arg *end, const dlfpy_role *roles, dlf_stream *out);

#endif
