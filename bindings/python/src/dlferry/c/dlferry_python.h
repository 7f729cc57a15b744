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
PyObject *dlfpy_raise(dlf_status status, const dlf_error *error) __attribute__((__cold__));

/** Raise with a text made as by printf, cut to what a dlf_error holds. Returns NULL. */
PyObject *dlfpy_fail(dlf_status status, const char *format, ...)
    __attribute__((__cold__, __format__(__printf__, 2, 3)));

/* The three that follow return false, so that `return dlfpy_...` ends a function that tells whether it worked. */

/** Raise TypeError for an argument that is not of a type that is taken, with what to pass instead if that is known. */
bool dlfpy_wrong_type(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));

/** Raise for an array that has elements but no memory of its own: FakeTensor. */
bool dlfpy_no_memory(const char *name, PyObject *x) __attribute__((__cold__));

/** Name the argument in the exception that its producer has raised, which becomes the cause; one of a producer's own
 *  class gets a note instead, and stays, like KeyboardInterrupt and its kind. */
bool dlfpy_foreign(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));
#define DLFPY_EXPORTED "an array that can be exported"

/* ---- release.c ---- */

/** Where Python objects wait whose tensors died on a thread without the GIL. */
extern dlf_queue *dlfpy_queue;
extern void *const *dlfpy_queue_head;

/** Go on with an extension module's init function, in the main interpreter only: types and the release queue are the
 *  process's, and another interpreter's would take their place. */
PyObject *dlfpy_init(const char *package, PyObject *(*init)(void));

/** Set up the release queue; once for each extension module. */
bool dlfpy_start(void);

/** Drop a reference where an exception may be in flight: a deleter may run Python code. */
void dlfpy_release(dlf_tensor *owned);
/** Call a deleter likewise. */
void dlfpy_release_managed(DLManagedTensorVersioned *owned);

/** Add a generated package's functions, as if Python code of the package had defined them. */
bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions);

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
  DLFPY_OBJECT /**< the type does not tell: an object may have a __dlpack__ of its own, or be a buffer, or neither */
} dlfpy_kind;

/** What a type decides; types of which the same holds share one, which lives as long as the process. */
typedef struct dlfpy_producer {
  dlfpy_kind kind;
  bool torch;            /**< torch.Tensor or a subclass */
  bool masked;           /**< a masked array of NumPy's */
  bool dlferry;          /**< dlferry.Tensor: its table runs no Python code */
  bool tensorflow;       /**< a tensor of TensorFlow's */
  const char *immutable; /**< the framework whose arrays never change, which JAX and TensorFlow cannot say by DLPack */
  const DLPackExchangeAPI *api; /**< or NULL; not NULL for DLFPY_TABLE; major version 1; any slot may be NULL */
} dlfpy_producer;

/** Say what x is. Runs no Python code, so that what is borrowed stays as it is. */
const dlfpy_producer *dlfpy_producer_of(PyObject *x);

/** A type that is known by identity, and the version of it that was looked at: any change of the type or of one that it
 *  derives from gives it another. All zero for none. */
typedef struct dlfpy_type {
  PyTypeObject *type; /**< kept: a new type at the address of a dead one would be taken for it */
  unsigned version;
} dlfpy_type;

/** The version of a type as it is now; 0 when CPython has none for it. */
static inline unsigned dlfpy_version(const PyTypeObject *type) {
  return type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG ? type->tp_version_tag : 0;
}

/** Give an attribute of a module, borrowed, if the module has been imported; else NULL. Runs no Python code. */
PyObject *dlfpy_imported(const char *module, const char *name);

/** Give an attribute of x in *out, NULL where there is none or None. False when anything but an AttributeError came up.
 *  @param interned  the name as Python has it, NULL at first */
bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out);

/** A handle as Python sees it. */
typedef struct dlfpy_view {
  dlf_tensor *handle;
  bool legacy; /**< its producer speaks DLPack 0.8, which cannot say read-only: such a tensor must not be written, but
                  consumers of that age, which cannot ask, get it as it is */
  PyObject *producer; /**< borrowed: who can move data to the processor that it cannot reach; or NULL */
} dlfpy_view;

/** The handle's flags, with READ_ONLY where it counts as that. */
static inline uint64_t dlfpy_flags(dlfpy_view view) {
  return dlf_flags(view.handle) | (view.legacy ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
}

/** This extension's Tensor type and how to look at its handle (NULL once released); NULL in generated packages. */
extern PyTypeObject *dlfpy_own_type;
extern dlfpy_view (*dlfpy_own_view)(PyObject *x);

/* ---- numpy.c ---- */

/* What is read of NumPy's structures. */
typedef struct dlfpy_array_head {
  PyObject_HEAD char *data;
  int ndim;
  Py_ssize_t *shape, *strides; /**< strides in bytes */
  PyObject *base, *descr;
  int flags;
} dlfpy_array_head;

typedef struct dlfpy_descr_head {
  PyObject_HEAD PyTypeObject *scalar;
  char kind, letter, order, former_flags;
  int number;
} dlfpy_descr_head;

enum { DLFPY_NUMPY_WRITEABLE = 0x400, DLFPY_NUMPY_DTYPES = 24 };

/** By NumPy's type number; bytes 0 for what DLPack has no name for. */
typedef struct dlfpy_numpy_dtype {
  DLDataType dtype;
  uint16_t bytes, shift; /**< a power of two, and which */
} dlfpy_numpy_dtype;
extern const dlfpy_numpy_dtype dlfpy_numpy_dtypes[DLFPY_NUMPY_DTYPES];

/** numpy.ndarray, borrowed, if NumPy has been imported and the structure of arrays is the one this file knows; else NULL. */
PyTypeObject *dlfpy_numpy_type(void);

/** NumPy 2.5 lets packages register what DLPack calls a dtype of theirs, which NumPy then imports and exports itself. */
bool dlfpy_numpy_registers(void);
/** Whether only NumPy may know what DLPack calls an array's dtype. */
bool dlfpy_numpy_must_export(PyObject *array);

/** Refuse a masked array that hides an element: DLPack has no word for that. Runs Python code. */
bool dlfpy_numpy_unmasked(PyObject *array, const char *name);

/** Give a handle that keeps the array. */
dlf_tensor *dlfpy_numpy_wrap(PyObject *array, const char *name);

/** Make an array of a tensor, which the array then owns; NULL, perhaps with an exception, and nothing taken, for what
 *  needs NumPy's from_dlpack. */
PyObject *dlfpy_numpy_new(DLManagedTensorVersioned *owned);

/* ---- buffer.c ---- */

/** Give a handle on the memory of an object with the buffer protocol, as it describes itself. */
dlf_tensor *dlfpy_buffer_wrap(PyObject *x, const char *name);

/** The format of the struct module for a dtype, or NULL. */
const char *dlfpy_buffer_format(DLDataType dtype);

/* ---- import.c ---- */

/** Give a handle on any object that dlferry takes.
 *  @param name    opens the messages
 *  @param device  what from_dlpack was asked for; type 0 for the device that the data is on
 *  @param copy    1 must, 0 must not, -1 may
 *  @param legacy  gets what dlfpy_view says of it */
dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, int copy, bool *legacy);

/** The same without draining first. */
dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, int copy, bool *legacy);

/** What the owning function of a producer's exchange table gives, unchecked; the caller must release it. */
DLManagedTensorVersioned *dlfpy_managed(PyObject *x, const dlfpy_producer *producer, const char *name);

/** Give a handle by the owning function of a producer's exchange table. */
dlf_tensor *dlfpy_from_table(PyObject *x, const dlfpy_producer *producer, const char *name);

/** Give a handle by __dlpack__ on data that is ready on a stream, a number as that takes it. */
dlf_tensor *dlfpy_import_on(PyObject *x, const char *name, PyObject *stream);

/** The number of a device's default stream, or None. */
PyObject *dlfpy_default_stream(DLDevice device);

/** Look into a capsule that has not been consumed, without consuming it. */
bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out);

/* ---- export.c ---- */

/** Copy a tensor, with the GIL released where there is much to copy. NULL with an exception. */
dlf_tensor *dlfpy_copy(dlf_tensor *self);

/** Export a handle, flagged read-only where it counts as that. */
dlf_status dlfpy_export(dlfpy_view view, DLManagedTensorVersioned **out, dlf_error *error);
PyObject *dlfpy_capsule(dlfpy_view view);
PyObject *dlfpy_capsule_legacy(dlf_tensor *self);

/** The method __dlpack__(stream=None, *, max_version=None, dl_device=None, copy=None) of an object with a handle, which
 *  view_of lends or says with an exception why not. */
PyObject *dlfpy_dlpack(PyObject *x, dlfpy_view (*view_of)(PyObject *x), PyObject *const *given, Py_ssize_t count,
                       PyObject *names);
PyObject *dlfpy_dlpack_device(dlf_tensor *self);

/** Read a (device type, device id) pair. */
bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out);

/* ---- result.c ---- */

/** Make an array of like's framework, or a dlferry.Tensor, of a new tensor. Takes owned, after a failure too, and keeps
 *  quiet when an exception is set already. */
PyObject *dlfpy_give(PyObject *like, DLManagedTensorVersioned *owned);

/** A tuple of several results, all taken; NULL if one is NULL. */
PyObject *dlfpy_tuple(PyObject **results, int count);

/** The member of an IntEnum or IntFlag of a package, or a plain int for a number that is none.
 *  @param type  NULL at first, then the class */
/** The class of an enum, borrowed from *type, or NULL with an exception. */
PyObject *dlfpy_enum_type(const char *package, const char *name, PyObject **type);
PyObject *dlfpy_enum(const char *package, const char *name, PyObject **type, long long number);

/** A str of a text that C lends. */
PyObject *dlfpy_text(const char *text);

/** Look at a handle's data as a NumPy array that keeps it. */
PyObject *dlfpy_numpy(dlfpy_view view);

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
bool dlfpy_sort(const dlfpy_signature *signature, PyObject *const *given, Py_ssize_t count, PyObject *names,
                PyObject **values);

/** Refuse fewer positional arguments than must come so, or more than may. */
bool dlfpy_positional(const dlfpy_signature *signature, Py_ssize_t least, Py_ssize_t most, Py_ssize_t given);

/** Whether every argument came, those by keyword in the signature's order. */
static inline bool dlfpy_in_order(const dlfpy_signature *signature, Py_ssize_t positional, PyObject *names) {
  const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0, count = signature->count;
  if (count == 0 || positional + named != count) return false;
  for (Py_ssize_t i = positional; i < count; i++)
    if (PyTuple_GET_ITEM(names, i - positional) != signature->interned[i]) return false;
  return true;
}

/** The arguments in the signature's order: as they came if they came so, else sorted into room. */
static inline PyObject *const *dlfpy_bind(const dlfpy_signature *signature, PyObject *const *given, Py_ssize_t count,
                                          PyObject *names, PyObject **room) {
  if (dlfpy_in_order(signature, count, names)) return given;
  return dlfpy_sort(signature, given, count, names, room) ? room : NULL;
}

/** Whether an argument that may be left out is there. */
static inline bool dlfpy_is_given(PyObject *value) { return value && value != Py_None; }

/** Check that the last parameters, outputs of which one is given, all are. */
bool dlfpy_all_given(const dlfpy_signature *signature, PyObject *const *values, int outputs);

/** One tensor argument while a call lasts. */
typedef struct dlfpy_arg {
  dlf_arg c; /**< what the C function gets */
  PyObject *object;
  const dlfpy_producer *producer;
  dlf_tensor *handle;                /**< owned, or NULL while the tensor is borrowed from the object */
  DLManagedTensorVersioned *managed; /**< owned likewise, from the producer's table once the GIL is released */
  DLTensor tensor;
  int64_t strides[DLF_MAX_NDIM], shape[DLF_MAX_NDIM]; /**< of tensor, where the object's own will not do */
} dlfpy_arg;

typedef struct dlfpy_tensors dlfpy_tensors;
typedef struct dlfpy_numbers dlfpy_numbers;

typedef struct dlfpy_call {
  const char *function;
  dlfpy_arg *args, *end; /**< in order; end is behind the last one once something is held */
  dlfpy_tensors *lists;
  dlfpy_numbers *arrays;
  bool held;             /**< something is to be let go of */
  uint64_t bytes;        /**< of all elements, the largest number if that does not fit */
  PyThreadState *thread; /**< not NULL while the GIL is released */
} dlfpy_call;

/** Bytes of all tensors from which on a call takes handles of its own and releases the GIL; with fewer it runs on
 *  borrowed views and keeps the GIL. 65,536, or what the environment variable DLFERRY_GIL_LIMIT says at import. */
extern uint64_t dlfpy_gil_limit;

/** Begin an argument. */
static inline void dlfpy_begin(dlfpy_arg *arg, PyObject *x, const dlfpy_producer *producer) {
  arg->object = x;
  arg->producer = producer;
  arg->handle = NULL;
  arg->managed = NULL;
}

/** Bytes of the elements, 0 for what cannot be, the largest number for what does not fit. */
uint64_t dlfpy_bytes(const DLTensor *t);

/** Bytes from one element of an axis to the next; of an axis of at most one element they may not fit, and are one's. */
static inline Py_ssize_t dlfpy_stride(const DLTensor *t, int32_t axis) {
  Py_ssize_t bytes;
  return __builtin_mul_overflow(t->strides[axis], t->dtype.bits / 8, &bytes) ? t->dtype.bits / 8 : bytes;
}

/** Add an argument's bytes to the call's. */
static inline void dlfpy_count_bytes(dlfpy_call *call, uint64_t bytes) {
  if (__builtin_add_overflow(call->bytes, bytes, &call->bytes)) call->bytes = UINT64_MAX;
}

/** Finish an argument whose tensor is described but for its dtype; the structure has not been checked yet. What has just
 *  been stored whole is not read in parts: that would wait for the memory. */
static inline void dlfpy_lent(dlfpy_call *call, dlfpy_arg *arg, DLDataType dtype, uint64_t flags) {
  DLTensor *t = &arg->tensor;
  const bool few = (uint32_t)t->ndim <= 3 && t->shape && dtype.lanes == 1;
  uint64_t bytes = (dtype.bits + 7u) / 8, bits = 0;
  t->dtype = dtype;
  for (int32_t i = 0; few && i < t->ndim; i++) {
    bytes *= (uint64_t)t->shape[i];
    bits |= (uint64_t)t->shape[i];
  }
  if (!few || bits >> 19) bytes = dlfpy_bytes(t); /* 3 times 19 bits and 32 bytes cannot overflow */
  dlfpy_count_bytes(call, bytes);
  arg->c = (dlf_arg){t, flags};
}

/** Exactly numpy.ndarray and torch.Tensor, once their structures have been found to be as known, and what they are. */
extern PyTypeObject *dlfpy_ndarray;
extern const dlfpy_producer dlfpy_plain_array;
extern dlfpy_type dlfpy_torch_tensor;

/** torch.Tensor, borrowed, if torch has been imported; else NULL. */
PyTypeObject *dlfpy_torch_type(void);

/** Borrow from a type whose structure is known, and from a producer's table. */
bool dlfpy_numpy_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, const dlfpy_producer *producer);
/** Begin an argument that owns what x exports by its table, until the call lets go; its bytes are not counted. */
bool dlfpy_own_managed(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, const dlfpy_producer *producer);
bool dlfpy_torch_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);
bool dlfpy_table_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, const dlfpy_producer *producer,
                      bool write);

/** Add a tensor argument of any type. */
bool dlfpy_tensor_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);

static inline void dlfpy_axis(dlfpy_arg *arg, const dlfpy_array_head *array, int i, unsigned shift, uint64_t *bytes,
                              uint64_t *all) {
  *bytes *= (uint64_t)array->shape[i];
  *all |= (uint64_t)array->strides[i];
  arg->strides[i] = array->strides[i] >> shift;
}

/** Borrow an array of few axes and whole elements of a plain dtype; false, and nothing done, for any other, which
 *  dlfpy_numpy_lend takes or refuses. NumPy has seen to it that the bytes of an array fit. */
static inline bool dlfpy_array_lend(dlfpy_call *call, dlfpy_arg *arg, PyObject *x) {
  const dlfpy_array_head *array = (const dlfpy_array_head *)x;
  const dlfpy_descr_head *descr = (const dlfpy_descr_head *)array->descr;
  if ((descr->order != '=' && descr->order != '|') || (unsigned)descr->number >= DLFPY_NUMPY_DTYPES) return false;
  const dlfpy_numpy_dtype *known = &dlfpy_numpy_dtypes[descr->number];
  uint64_t bytes = known->bytes, all = 0;
  switch (array->ndim) {
  case 4: dlfpy_axis(arg, array, 3, known->shift, &bytes, &all); /* fall through */
  case 3: dlfpy_axis(arg, array, 2, known->shift, &bytes, &all); /* fall through */
  case 2: dlfpy_axis(arg, array, 1, known->shift, &bytes, &all); /* fall through */
  case 1: dlfpy_axis(arg, array, 0, known->shift, &bytes, &all); /* fall through */
  case 0: break;
  default: return false;
  }
  if (!known->bytes || (all & (known->bytes - 1u))) return false;
  dlfpy_count_bytes(call, bytes);
  dlfpy_begin(arg, x, &dlfpy_plain_array);
  arg->c.tensor = &arg->tensor;
  arg->c.flags = array->flags & DLFPY_NUMPY_WRITEABLE ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY;
  arg->tensor.data = array->data;
  arg->tensor.device = (DLDevice){kDLCPU, 0};
  arg->tensor.ndim = array->ndim;
  arg->tensor.dtype = known->dtype;
  arg->tensor.shape = (int64_t *)array->shape;
  arg->tensor.strides = arg->strides;
  arg->tensor.byte_offset = 0;
  return true;
}

/** Add a tensor argument, borrowed when its producer can lend. write asks for proof that it may be written. */
static inline __attribute__((__always_inline__)) bool dlfpy_tensor(dlfpy_call *call, dlfpy_arg *arg, const char *name,
                                                                   PyObject *x, bool write) {
  if (Py_TYPE(x) == dlfpy_ndarray && dlfpy_array_lend(call, arg, x)) return true;
  if (Py_TYPE(x) == dlfpy_torch_tensor.type) return dlfpy_torch_lend(call, arg, name, x, write);
  return dlfpy_tensor_any(call, arg, name, x, write);
}

/** Add an optional tensor argument: x may be NULL or None. */
bool dlfpy_tensor_or_none(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);

/** Refuse a torch tensor whose memory does not hold its values.
 *  @param t           its description
 *  @param needs_grad  gets whether it requires grad, so that a write would be lost on autograd; may be NULL */
bool dlfpy_torch_check(PyObject *x, const dlfpy_producer *producer, const char *name, const DLTensor *t,
                       bool *needs_grad);

/** Take handles of its own for the tensors up to end: what is borrowed may change when Python code runs. */
bool dlfpy_hold(dlfpy_call *call, dlfpy_arg *end);

/** Prepare to run with the arguments up to end: a call on much data gets handles of its own and releases the GIL. */
bool dlfpy_enter_released(dlfpy_call *call, dlfpy_arg *end);
static inline bool dlfpy_enter(dlfpy_call *call, dlfpy_arg *end) {
  return call->bytes < dlfpy_gil_limit || dlfpy_enter_released(call, end);
}

/** Keep the GIL, however many bytes there are: for a function that its contract calls fast. */
static inline bool dlfpy_enter_holding(const dlfpy_call *call, const dlfpy_arg *end) {
  (void)call, (void)end;
  return true;
}

/** Take the GIL back. */
static inline void dlfpy_leave(dlfpy_call *call) {
  if (call->thread) PyEval_RestoreThread(call->thread);
  call->thread = NULL;
}

/** Let go of all arguments. */
void dlfpy_let_go(dlfpy_call *call);
static inline void dlfpy_end(dlfpy_call *call) {
  if (call->held) dlfpy_let_go(call);
}

/* ---- stream.c ---- */

typedef struct dlfpy_role {
  const char *name; /**< opens the messages */
  bool written;
} dlfpy_role;

/** The stream on which the first tensor's producer works whose data is on a device; NULL when there is none. What the
 *  others on that device are read from is made ready there; an output of another stream is refused with DEVICE.
 *  @param roles  of the arguments up to end */
bool dlfpy_stream(dlfpy_call *call, dlfpy_arg *end, const dlfpy_role *roles, dlf_stream *out);

/* ---- sequence.c ---- */

/** A list of tensors while a call lasts. */
struct dlfpy_tensors {
  const char *name;
  dlf_arg *items; /**< what C gets */
  Py_ssize_t count;
  PyObject *owner;
  dlfpy_call call; /**< the tensors as arguments */
  dlfpy_tensors *next;
};

/** An array of numbers while a call lasts. */
struct dlfpy_numbers {
  const void *data; /**< what C gets */
  Py_ssize_t count;
  Py_buffer view; /**< when the array is borrowed */
  void *memory;   /**< when it is a copy */
  dlfpy_numbers *next;
};

/** Widths, in the order of dlferry-bind's. */
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

/** Add an array argument: a buffer of such numbers, which is borrowed, or any iterable of numbers, which are copied. */
bool dlfpy_array(dlfpy_call *call, const char *name, PyObject *x, dlfpy_number number, dlfpy_numbers *out);

bool dlfpy_hold_lists(dlfpy_call *call);
void dlfpy_let_go_of_sequences(dlfpy_call *call);

/* ---- handle.c: objects of the user's C library ---- */

/** Name the object that an argument is, which the call has still to enter. */
bool dlfpy_use(const char *name, PyObject *x, PyTypeObject *type, dlf_use *use);

/** Enter a call with objects, and prepare as dlfpy_enter does with this limit: the GIL stays when the locks are free and
 *  the bytes are few, and is released before anything is waited for. */
bool dlfpy_enter_objects(dlfpy_call *call, dlfpy_arg *end, dlf_use *uses, int32_t count, uint64_t limit);
/** Leave them. Stands before dlfpy_leave: nobody waits for the GIL with a lock. */
void dlfpy_leave_objects(dlfpy_call *call, dlf_use *uses, int32_t count);

/* Inside such a call, with or without the GIL: */

/** Copy a text that the objects may own. */
const char *dlfpy_keep_text(dlf_status status, const char *text);
/** Make a str of the copy, which it frees. */
PyObject *dlfpy_kept_text(const char *kept);

/** Box what C gave in a call of this status, made of these objects; NULL, and all freed, when that fails. */
dlf_object *dlfpy_box(dlf_status status, void (*release)(void *owned), void *owned, const dlf_use *parents,
                      int32_t count);

/** Make a Python object of a box; takes it, after a failure too, and keeps quiet when an exception is set already. */
PyObject *dlfpy_handle(PyTypeObject *type, dlf_object *owned);

PyObject *dlfpy_handle_close(PyObject *x, PyObject *unused);
PyObject *dlfpy_handle_enter(PyObject *x, PyObject *unused);
PyObject *dlfpy_handle_exit(PyObject *x, PyObject *const *exception, Py_ssize_t count);

/** Finish a type whose name, doc, methods and tp_vectorcall are set, and add it to its module. */
bool dlfpy_handle_type(PyObject *module, const char *name, PyTypeObject *type);

/* ---- scalar.c; name opens the messages: "blur: sigma" ---- */

bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out);
bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out);
bool dlfpy_real(const char *name, PyObject *x, double *out);
/** The same for C's float, which a finite number must not become infinite in. */
bool dlfpy_float(const char *name, PyObject *x, double *out);
/** Tell whether x may be of an enum, as a member or a number, and none of another; dlfpy_integer or dlfpy_unsigned reads
 *  it. *type caches the class, as for dlfpy_enum. */
bool dlfpy_enumerator(const char *name, const char *package, const char *class_name, PyObject **type, PyObject *x);
bool dlfpy_bool(const char *name, PyObject *x, bool *out);
bool dlfpy_string(const char *name, PyObject *x, const char **out);

#endif
