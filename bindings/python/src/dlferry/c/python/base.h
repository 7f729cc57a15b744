/* SPDX-License-Identifier: Apache-2.0 */
/* Every file here begins with this. Functions need the GIL unless their comment says otherwise;
 * those that return a pointer or `bool` have set a Python exception if they return NULL or false.
 */
#ifndef DLFERRY_PYTHON_BASE_H
#define DLFERRY_PYTHON_BASE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "once.h"
#include "stable.h"

#include <dlferry.h>
#include <string.h>

/* ---- error.c ---- */

/** Raise the exception of dlferry.errors for the status. Returns NULL. */
PyObject *dlfpy_raise(dlf_status status, const dlf_error *error) __attribute__((__cold__));

/** The same for a failure of the hub's function `verb`, whose name in the text another one
 * replaces. */
PyObject *dlfpy_raise_as(const char *name, const char *verb, dlf_status status,
                         const dlf_error *error) __attribute__((__cold__));

/** Raise with a text made by printf, cut to the size of a dlf_error's. Returns NULL. */
PyObject *dlfpy_fail(dlf_status status, const char *format, ...)
    __attribute__((__cold__, __format__(__printf__, 2, 3)));

/* The five that follow return false, so that `return dlfpy_...` ends a function that returns
 * success. */

/** Raise an exception object, which is taken; NULL keeps the exception that is set. */
bool dlfpy_raise_instance(PyObject *error) __attribute__((__cold__));

/** Raise TypeError for an argument of a refused type, and say what to pass instead if that is
 * known. */
bool dlfpy_wrong_type(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));

/** Raise an exception that is an AttributeError and a TypeError, for an object without DLPack's
 * methods. An exception that is set becomes its cause. */
bool dlfpy_no_protocol(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));

/** Raise for an array that has elements but no memory of its own: FakeTensor. */
bool dlfpy_no_memory(const char *name, PyObject *x) __attribute__((__cold__));

/** Name the argument in the producer's exception, which becomes the cause; an exception of a
 * producer's own class gets a  note instead, and stays, like KeyboardInterrupt. */
bool dlfpy_foreign(const char *name, const char *wanted, PyObject *x) __attribute__((__cold__));
#define DLFPY_EXPORTED "an array that can be exported"

/** A saved exception: code that runs meanwhile must neither see nor replace it. */
typedef struct dlfpy_flight {
  PyObject *type, *value, *traceback;
} dlfpy_flight;

static inline dlfpy_flight dlfpy_set_aside(void) {
  dlfpy_flight flight = {NULL, NULL, NULL};
  if (PyErr_Occurred()) {
    PyErr_Fetch(&flight.type, &flight.value, &flight.traceback); /* mostly there is none */
  }
  return flight;
}

/** Restore the saved exception, instead of any exception set since. */
static inline void dlfpy_put_back(dlfpy_flight flight) {
  if (flight.type || PyErr_Occurred()) {
    PyErr_Restore(flight.type, flight.value, flight.traceback);
  }
}

/* ---- type.c ---- */

/* Types of other packages, and attributes of their objects. */

/** A type known by identity, and the version that was checked: any change of the type or of a base
 * gives it another version. All zero for none. */
typedef struct dlfpy_type {
  PyTypeObject *type; /* kept: a new type at the address of a freed one would be mistaken for it */
  unsigned version;
} dlfpy_type;

/** Return a type's current version; 0 if CPython has none for it, or none in its limited API.
 * CPython 3.13 no longer sets the flag. */
static inline unsigned dlfpy_version(const PyTypeObject *type) {
#ifdef Py_LIMITED_API
  (void)type;
  return 0;
#elif PY_VERSION_HEX >= 0x030D0000
#ifdef Py_GIL_DISABLED
  return __atomic_load_n(&type->tp_version_tag, __ATOMIC_RELAXED);
#else
  return type->tp_version_tag;
#endif
#else
  return type->tp_flags & Py_TPFLAGS_VALID_VERSION_TAG ? type->tp_version_tag : 0;
#endif
}

/** Give an attribute of a module, if the module is imported; else NULL. Runs no Python code. */
PyObject *dlfpy_imported(const char *module, const char *name);

/** Give an attribute; NULL of NULL. */
PyObject *dlfpy_attribute_of(PyObject *x, const char *name);

/** Return the text of a str; NULL, perhaps without an exception, for NULL and for anything else. */
const char *dlfpy_utf8(PyObject *x);

/** Tell whether an answer, which is taken, is true: 1, 0, or -1 with an exception, also for NULL.
 */
int dlfpy_truth(PyObject *answer);

/** Import a module and give its attribute. */
PyObject *dlfpy_import_from(const char *module, const char *name);

/** Import a module and call its function with a tuple that Py_BuildValue makes of the rest. */
PyObject *dlfpy_call_from(const char *module, const char *function, const char *format, ...);

/** Give a type's ancestry, a tuple, or NULL; the value in its own dictionary, or NULL; and whether
 * its objects have attributes of their own. No exception; runs no Python code. */
PyObject *dlfpy_mro(PyTypeObject *type);
PyObject *dlfpy_own(PyTypeObject *type, const char *name);
bool dlfpy_has_dict(PyTypeObject *type);

/** Keep an object for the life of the process in a place, NULL at first; takes made. Two threads
 * may make it at once: the first one's stays. Returns that, borrowed; NULL if made is NULL and none
 * was kept. */
PyObject *dlfpy_keep(PyObject **place, PyObject *made);

/** Import a module and give its attribute, borrowed, kept likewise. */
PyObject *dlfpy_import_once(PyObject **place, const char *module, const char *name);

/** Return Python's str of a text, borrowed, kept likewise. */
PyObject *dlfpy_interned(PyObject **place, const char *text);

/** Give an attribute of x in *out; NULL if it is missing or None. False for any exception but
 * AttributeError.
 *  @param interned  Python's str of the name, NULL at first */
bool dlfpy_attribute(PyObject *x, PyObject **interned, const char *name, PyObject **out);

/** Call a function of dlferry._frameworks with x and, unless it is NULL, the text that opens
 * messages. */
PyObject *dlfpy_frameworks(const char *function, PyObject *x, const char *name);

/* ---- size.c ---- */

/** A call with at least this many bytes takes own handles and releases the GIL; with fewer it
 * borrows the tensors and keeps  the GIL. 65,536, or the value of the environment variable
 * DLFERRY_GIL_LIMIT at import. */
extern uint64_t dlfpy_gil_limit;

/** Read that variable. */
void dlfpy_read_gil_limit(void);

/** Return the bytes of the elements: 0 for an impossible size, the largest number on overflow. */
uint64_t dlfpy_bytes(const DLTensor *t);

/** Bytes from one element of an axis to the next; for an axis of at most one element that may
 * overflow: one element's.
 * */
static inline Py_ssize_t dlfpy_stride(const DLTensor *t, int32_t axis) {
  Py_ssize_t bytes;
  if (__builtin_mul_overflow(t->strides[axis], t->dtype.bits / 8, &bytes)) {
    return t->dtype.bits / 8;
  }
  return bytes;
}

/* ---- scalar.c ---- */

/* Convert Python numbers, texts and bools to C. `name` opens the messages: "blur: sigma". */

bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out);
bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out);
bool dlfpy_real(const char *name, PyObject *x, double *out);
/** The same for C's float; a finite number must not become infinite. */
bool dlfpy_float(const char *name, PyObject *x, double *out);
/** Whether x is a bool of Python or NumPy, or an array of bool; no exception. */
bool dlfpy_is_bool(PyObject *x);
bool dlfpy_bool(const char *name, PyObject *x, bool *out);
/** A complex number of Python or NumPy, or a real one. */
bool dlfpy_complex_double(const char *name, PyObject *x, double *re, double *im);
bool dlfpy_complex_float(const char *name, PyObject *x, float *re, float *im);
/** A str of one character of ASCII. */
bool dlfpy_char(const char *name, PyObject *x, char *out);
bool dlfpy_string(const char *name, PyObject *x, const char **out);

/* ---- enum.c ---- */

/** Return the member of a package's IntEnum or IntFlag, or a plain int for any other number. NULL,
 * without a new exception, if one is set already. */
PyObject *dlfpy_enum(const char *package, const char *name, PyObject **type, long long number);

/** Tell whether x may belong to an enum, as a member or a number, and not to another one;
 * dlfpy_integer or dlfpy_unsigned  reads it. */
bool dlfpy_enumerator(const char *name, const char *package, const char *class_name,
                      PyObject **type, PyObject *x);

/* ---- what a Python object for a tensor holds ---- */

/** The content of a Python object for a tensor. */
typedef struct dlfpy_content {
  dlf_tensor *handle; /**< NULL once released */
  bool legacy; /**< its producer uses DLPack 0.8, which cannot say read-only: such a tensor must not
                  be written, but consumers of 0.8, which cannot ask, get it unchanged */
  PyObject *producer; /**< borrowed: it can move data that the processor cannot reach; or NULL */
} dlfpy_content;

/** Return the content of an object around a handle alone. */
static inline dlfpy_content dlfpy_alone(dlf_tensor *handle) {
  return (dlfpy_content){handle, false, NULL};
}

/** Return the handle's flags, with READ_ONLY if it counts as read-only. */
static inline uint64_t dlfpy_flags(dlfpy_content content) {
  return dlf_flags(content.handle) | (content.legacy ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
}

/* ---- producer.c ---- */

/* How a type supports DLPack. */

typedef enum dlfpy_kind {
  DLFPY_OWN,      /**< this extension's own Tensor */
  DLFPY_NUMPY,    /**< numpy.ndarray, read from its structure */
  DLFPY_TABLE,    /**< has an exchange table */
  DLFPY_PROTOCOL, /**< has __dlpack__ */
  DLFPY_CAPSULE,
  DLFPY_BUFFER,
  DLFPY_OBJECT /* the type does not tell: an object may have its own __dlpack__, or be a buffer, or
                  neither */
} dlfpy_kind;

/** The properties of a type; equal ones are shared and live as long as the process. */
typedef struct dlfpy_producer {
  dlfpy_kind kind;
  bool torch;            /**< torch.Tensor or a subclass, of either kind */
  bool masked;           /* a NumPy masked array */
  bool dlferry;          /**< dlferry.Tensor: its table runs no Python code */
  bool tensorflow;       /* a TensorFlow tensor */
  bool regular;          /* DLFPY_PROTOCOL whose type has both of DLPack's methods */
  const char *immutable; /* the framework whose arrays never change, which JAX and TensorFlow cannot
                            say in DLPack */
  const DLPackExchangeAPI *api; /**< or NULL; not NULL for DLFPY_TABLE; major version 1; any slot
                                   may be NULL but managed_tensor_from_py_object_no_sync */
} dlfpy_producer;

/** Return x's producer. Runs no Python code, so that borrowed data does not change. */
const dlfpy_producer *dlfpy_producer_of(PyObject *x);
/** The same for objects of a type. */
const dlfpy_producer *dlfpy_producer_of_type(PyTypeObject *type);

/** Where a type's objects were when they were asked. */
typedef enum dlfpy_place { DLFPY_UNKNOWN, DLFPY_ON_CPU, DLFPY_ANYWHERE } dlfpy_place;

/** Return it for objects of x's type; DLFPY_UNKNOWN again after a change of the type. */
dlfpy_place dlfpy_place_of(PyObject *x);
/** Remember it; DLFPY_ANYWHERE is final. */
void dlfpy_remember_place(PyObject *x, dlfpy_place place);

/** The producer of exactly numpy.ndarray. */
extern const dlfpy_producer dlfpy_plain_array;

/** torch.Tensor, borrowed, if torch is imported; else NULL. */
PyTypeObject *dlfpy_torch_type(void);

/** This extension's Tensor type and the content of one; NULL in generated packages. */
extern PyTypeObject *dlfpy_own_type;
extern dlfpy_content (*dlfpy_own_content)(PyObject *x);

/* ---- numpy.c ---- */

/* The fields of NumPy's structures that we read. */
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

/** By NumPy's type number; bytes 0 for types without a DLPack name. */
typedef struct dlfpy_numpy_dtype {
  DLDataType dtype;
  uint16_t bytes, shift; /**< a power of two, and which */
} dlfpy_numpy_dtype;
extern const dlfpy_numpy_dtype dlfpy_numpy_dtypes[DLFPY_NUMPY_DTYPES];

/** Exactly numpy.ndarray, once its structure is verified; else NULL. */
extern PyTypeObject *dlfpy_ndarray;

/** The same, searched for if not known yet: numpy.ndarray, borrowed, if NumPy is imported and its
 * arrays have the structure that this file knows; else NULL. */
PyTypeObject *dlfpy_numpy_type(void);

/** NumPy 2.5 lets packages register DLPack's name of their dtype; NumPy then imports and exports it
 * itself. */
bool dlfpy_numpy_registers(void);
/** Whether only NumPy may know DLPack's name of an array's dtype. */
bool dlfpy_numpy_must_export(PyObject *array);

/** Refuse a masked array that hides an element: DLPack cannot express that. Runs Python code. */
bool dlfpy_numpy_unmasked(PyObject *array, const char *name);

/** Describe an array: fills all but the dtype of *tensor; the caller gives room for the strides. */
bool dlfpy_numpy_describe(PyObject *x, const char *name, DLTensor *tensor, int64_t *strides,
                          DLDataType *dtype, uint64_t *flags);

/** Give a handle that keeps the array. */
dlf_tensor *dlfpy_numpy_wrap(PyObject *array, const char *name);

/** Make an array that owns a tensor; NULL, perhaps with an exception, and nothing taken, for a
 * tensor that needs NumPy's  from_dlpack. */
PyObject *dlfpy_numpy_new(DLManagedTensorVersioned *owned);

/* ---- table.c ---- */

/* A producer's exchange table, applied to an object. */

/** Call the owning function of a producer's exchange table, unchecked; the caller must release the
 * result. */
DLManagedTensorVersioned *dlfpy_managed(PyObject *x, const dlfpy_producer *producer,
                                        const char *name);

/** Describe x with the lending function of its producer's exchange table. */
bool dlfpy_described(PyObject *x, const dlfpy_producer *producer, const char *name, DLTensor *out);

/** Make an object of the framework whose table producer has. Takes owned. type names it in
 * messages. */
PyObject *dlfpy_from_managed(const dlfpy_producer *producer, const char *type,
                             DLManagedTensorVersioned *owned);

/* ---- capsule.c ---- */

/* DLPack's capsules: their content, and its owner. */

/** Export a handle, flagged read-only if it counts as read-only. */
dlf_status dlfpy_export(dlfpy_content content, DLManagedTensorVersioned **out, dlf_error *error);
PyObject *dlfpy_capsule(dlfpy_content content);
PyObject *dlfpy_capsule_legacy(dlf_tensor *self);

/** Make a capsule of a managed tensor, which it takes, after a failure too. */
PyObject *dlfpy_capsule_of(DLManagedTensorVersioned *owned);
PyObject *dlfpy_capsule_of_legacy(DLManagedTensor *owned);

/** Refuse another major version than ours. */
bool dlfpy_has_our_version(const DLManagedTensorVersioned *managed, const char *name);

/** Read a capsule that has not been consumed, without consuming it. */
bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out);

/** Consume a capsule: gives its DLManagedTensorVersioned, or DLManagedTensor if *versioned is
 * false. */
void *dlfpy_capsule_take(PyObject *capsule, const char *name, bool *versioned);

/* ---- buffer.c ---- */

/** Give a handle on the memory of an object with the buffer protocol, with its own description. */
dlf_tensor *dlfpy_buffer_wrap(PyObject *x, const char *name);

/** The format of the struct module for a dtype, or NULL. */
const char *dlfpy_buffer_format(DLDataType dtype);

/* ---- device.c ---- */

/** Read a (device type, device id) pair. */
bool dlfpy_device_pair(PyObject *pair, const char *name, DLDevice *out);

/** Read a device as callers give it: a name, a pair, or another package's device. */
bool dlfpy_device(PyObject *x, const char *name, DLDevice *out);

/** Return the number of a device's default stream, or None. */
PyObject *dlfpy_default_stream(DLDevice device);

/* ---- copy.c ---- */

/** Read the word copy of from_dlpack and __dlpack__: None, absent too, True or False. */
bool dlfpy_copy_mode(PyObject *x, dlf_copy_mode *out);

/** Whether the hub, asked for this device and copy, copies or fails. */
static inline bool dlfpy_is_moved(const DLTensor *t, DLDevice device, dlf_copy_mode copy) {
  return copy == DLF_COPY_ALWAYS || (device.device_type && !dlf_device_equal(device, t->device));
}

/** Keep a tensor while the hub copies it, with the GIL released if it is large, or if that many
 * bytes are. */
PyThreadState *dlfpy_begin_copy(dlf_tensor *self);
PyThreadState *dlfpy_begin_move(dlf_tensor *self, uint64_t bytes);
void dlfpy_end_copy(dlf_tensor *self, PyThreadState *thread);

/** Copy a tensor so. NULL with an exception. */
dlf_tensor *dlfpy_copy(dlf_tensor *self);

/* ---- keyword.c ---- */

/* Producers are older than some keywords of __dlpack__. */

/** The keywords, as bits. */
enum {
  DLFPY_STREAM = 1,
  DLFPY_MAX_VERSION = 2,
  DLFPY_DL_DEVICE = 4,
  DLFPY_COPY = 8,
  DLFPY_KEYWORDS = 4
};
extern const char *const dlfpy_keywords[DLFPY_KEYWORDS];

/** Return those of the given keywords that the method's signature has just refused with TypeError,
 * whose exception is then cleared; 0 if its body raised the exception, which stays. */
int dlfpy_refused(PyObject *method, int given);

/* ---- method.c ---- */

/* An object's own __dlpack__. */

/** Find the method __dlpack__ of x; NULL for an object without one. */
bool dlfpy_method(PyObject *x, const char *name, PyObject **out);

/** Call it, for data that is ready on a stream: a number for __dlpack__, or NULL for the default
 * one. Gives a capsule.
 *  @param device  type 0 for the device that the data is on
 *  @param told_to_copy  whether copy=True was passed: producers from before that keyword cannot
 * copy
 */
PyObject *dlfpy_ask(PyObject *x, PyObject *method, const char *name, DLDevice device,
                    dlf_copy_mode copy, PyObject *stream, bool *told_to_copy);

/** Call it without asking for the device before: for an object of a type whose objects were on the
 * processor so far. The result may be anything, or NULL with the producer's exception. */
PyObject *dlfpy_ask_at_once(PyObject *x);

/* ---- platform.c ---- */

/** Give a library that a framework has loaded, by its file's name, or by the name that its file has
 * on each system; else NULL. */
void *dlfpy_find_loaded(const char *file);
void *dlfpy_find_library(const char *name);

/** Call this in every forked child, on systems that fork. */
bool dlfpy_after_fork(void (*child)(void));

/** Sleep for a millisecond; keeps the GIL. */
void dlfpy_pause(void);

/** Store the address of a function of a loaded library, NULL if it has none, in *function, a
 * pointer to a function. Tell whether it has; a NULL library has none. */
bool dlfpy_find_symbol(void *library, const char *name, void *function);

/* ---- cuda.c ---- */

/** Make a stream of a CUDA device wait for the work that the legacy default stream has now. False,
 * without an exception, if CUDA does not run in this process, or refuses.
 *  @param stream  its number in Python's array API */
bool dlfpy_cuda_wait(int32_t device_id, int64_t stream);

/* ---- import.c ---- */

/** Give a handle on any object that dlferry takes.
 *  @param name    opens the messages
 *  @param device  the one asked of from_dlpack; type 0 for the device that the data is on
 *  @param legacy  gets dlfpy_content's field */
dlf_tensor *dlfpy_import(PyObject *x, const char *name, DLDevice device, dlf_copy_mode copy,
                         bool *legacy);

/** The same without draining first. */
dlf_tensor *dlfpy_import_known(PyObject *x, const char *name, DLDevice device, dlf_copy_mode copy,
                               bool *legacy);

/** Give a handle by __dlpack__ on data that is ready on a stream, given as a number for it. */
dlf_tensor *dlfpy_import_on(PyObject *x, const char *name, PyObject *stream);

/* ---- export.c ---- */

/** The method __dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None) of an object
 * whose content content_of lends, or else explains with an exception. */
PyObject *dlfpy_dlpack(PyObject *x, dlfpy_content (*content_of)(PyObject *x),
                       PyObject *const *given, Py_ssize_t count, PyObject *names);
PyObject *dlfpy_dlpack_device(dlf_tensor *self);

/* ---- result.c ---- */

/** Make an array of like's framework from a new tensor. If like is NULL, a buffer or a capsule, it
 * is NumPy's; if NumPy is missing or has no such array, a dlferry.Tensor. Takes owned, even on
 * failure, and adds no exception if one is set already. */
PyObject *dlfpy_give(PyObject *like, DLManagedTensorVersioned *owned);

/** A named tuple of several results, all taken; NULL if one is NULL.
 *  @param type  NULL at first, then the package's class of that name */
PyObject *dlfpy_results(const char *package, const char *name, PyObject **type, PyObject **results,
                        int count);

/** Return a str of a text that C lends. */
PyObject *dlfpy_text(const char *text);

/** Make a str of a text, or None for NULL; takes the text, also on failure. */
PyObject *dlfpy_given_text(const char *owned, void (*release)(const char *owned));
PyObject *dlfpy_given_texts(const char *const *owned, void (*release)(const char *owned));

/** Make a NumPy array of a handle's memory, which keeps the handle. */
PyObject *dlfpy_numpy(dlfpy_content content);

/* ---- start.c ---- */

/* Start of an extension module. */

/** Return what an extension module's init function returns. Its definition gets a first step, which
 * refuses every interpreter but the main one: types and the release queue belong to the process.
 *  @param module  NULL, with an exception, if there is none */
PyObject *dlfpy_init(const char *package, PyModuleDef *module);

/** Set up the shared state; once for each extension module. */
bool dlfpy_start(void);

/** Add a generated package's functions, as if Python code of the package had defined them. */
bool dlfpy_add_functions(PyObject *module, const char *package, PyMethodDef *functions);

#endif
