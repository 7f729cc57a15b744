/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by dlferry's own extension module. */
#ifndef DLFERRY_HUB_H
#define DLFERRY_HUB_H

#include "dlferry_python.h"
#include "docs.h"

#include <dlferry/contract.h>
#include <stdatomic.h>

/* Python's shapes of functions. Of a pair, the second is NULL in a method without arguments. */
typedef PyObject *hub_unary(PyObject *x);
typedef PyObject *hub_binary(PyObject *x, PyObject *y);
typedef PyObject *hub_getter(PyObject *x, void *closure);
typedef PyObject *hub_method(PyObject *x, PyObject *const *given, Py_ssize_t count,
                             PyObject *names);
#define HUB_FAST(function) ((PyCFunction)(void (*)(void))(function)), METH_FASTCALL | METH_KEYWORDS

/* ---- handle.c ---- */

typedef struct hub_tensor {
  PyObject_HEAD dlf_tensor *handle; /* NULL once released */
  PyObject *producer;               /* or NULL */
  PyObject *weak;
  dlf_tensor
      *lent; /* the handle whose address a consumer knows, kept until the object goes; or NULL */
  atomic_int buffers; /* those that are in use: each keeps the handle, and this object */
  bool legacy;        /* dlfpy_content's */
} hub_tensor;

extern PyTypeObject *hub_type; /* set by tensor.c */

/* Make a Tensor. Takes owned, even on failure; NULL for NULL, with its exception. */
PyObject *hub_tensor_new(dlf_tensor *owned, bool legacy);
/* The same for a view of a Tensor's data: it counts as read-only if its parent does. */
PyObject *hub_view_new(dlfpy_content parent, dlf_tensor *owned);
/* Make an object of any type of Tensor without calling the type. Takes the handle, even on failure;
 * keeps the producer. */
PyObject *hub_adopt(PyTypeObject *type, dlfpy_content content);
/* Keep the producer of a new Tensor; NULL for none. */
void hub_keep(PyObject *tensor, PyObject *producer);
void hub_release(PyObject *tensor);
/* Free its memory, or keep that for the next Tensor. */
void hub_free(PyObject *tensor);
/* Tell whether the collector knows x's type, as one whose objects may refer to others. */
static inline bool hub_may_refer(PyObject *x) {
  return PyType_HasFeature(Py_TYPE(x), Py_TPFLAGS_HAVE_GC);
}
/* Let the collector know a new Tensor, which it does not know yet, if its handle keeps an object
 * that may refer to others. */
void hub_track(PyObject *tensor);
/* The object that the handle keeps, borrowed, if nothing but this Tensor keeps the handle; else
 * NULL. */
PyObject *hub_owner(PyObject *tensor);
/* Keep the memory as long as the Tensor, also after its release. */
void hub_lend(PyObject *tensor);

/* The flags that DLPack 1.3 does not name. The hub lets them travel, and uses no elements. */
static inline uint64_t hub_unknown_flags(dlfpy_content content) {
  return dlfpy_flags(content) &
         ~(uint64_t)(DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED |
                     DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
}
/* Refuse such flags where this module itself uses elements; false with an exception. */
bool hub_check_flags(dlfpy_content content, const char *name);

/* The handle of a Tensor, or NULL with an exception. name opens the text. */
dlf_tensor *hub_handle(PyObject *x, const char *name);
/* The same, owned. */
dlf_tensor *hub_retain(PyObject *x, const char *name);
/* The same with the other fields. */
dlfpy_content hub_content(PyObject *x, const char *name);
/* The bytes of its elements; -1 with an exception. */
int64_t hub_byte_size(const dlf_tensor *handle);
/* Without an exception if the handle is NULL. x must be a Tensor. */
dlfpy_content hub_peek(PyObject *x);

/* ---- tensor.c ---- */

bool hub_add_type(PyObject *module);

/* ---- section.c: one thread at a time in a Tensor, as with the GIL ---- */

/* Put a type's methods, properties and slots into the section, once, before the type is made. */
bool hub_guard(PyMethodDef *methods, PyGetSetDef *properties, PyType_Slot *slots);

/* ---- view.c ---- */

/* documented.py lists the views, with their arguments. */
#define HUB_VIEW_NONE(name) *hub_##name(PyObject *self, PyObject *unused)
#define HUB_VIEW_ONE(name) *hub_##name(PyObject *self, PyObject *argument)
#define HUB_VIEW_LIST(name)                                                                        \
  *hub_##name(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names)
PyObject HUB_VIEWS(HUB_VIEW_NONE, HUB_VIEW_ONE, HUB_VIEW_LIST);
PyObject *hub_T(dlfpy_content own);
PyObject *hub_mT(dlfpy_content own);

/* ---- convert.c, interface.c ---- */

hub_binary hub_copy_method, hub_deepcopy;
hub_method hub_numpy, hub_array;
hub_getter hub_array_interface, hub_cuda_array_interface;

/* ---- move.c ---- */

hub_method hub_astype, hub_cast_into, hub_contiguous, hub_copy;
hub_binary hub_copy_into, hub_fill;
int hub_assign(PyObject *self, PyObject *key, PyObject *value);

/* ---- compare.c: of any two arrays ---- */

hub_binary hub_identical, hub_equal;
PyObject *hub_all_close(PyObject *a, PyObject *b, double relative, double absolute, bool equal_nan);
hub_method hub_method_all_close;

/* ---- index.c ---- */

hub_binary hub_subscript;
/* The view at a key, owned, and what self holds; NULL with an exception. */
dlf_tensor *hub_view_at(PyObject *self, PyObject *key, dlfpy_content *own);
Py_ssize_t hub_length(PyObject *self);
PyObject *hub_item(PyObject *self, Py_ssize_t index);
hub_unary hub_iterate;

/* ---- methods.c, properties.c, text.c, tensor_buffer.c: what the type refers to ---- */

extern PyMethodDef hub_methods[];
extern PyGetSetDef hub_properties[];
hub_unary hub_repr;
int hub_getbuffer(PyObject *self, Py_buffer *view, int flags);
void hub_releasebuffer(PyObject *self, Py_buffer *view);

/* ---- text.c ---- */

/* Describe any tensor by dlf_describe or dlf_format. */
PyObject *hub_text(dlf_arg tensor, int64_t (*write)(const DLTensor *, uint64_t, char *, int64_t));
PyObject *hub_integers(const int64_t *list, int64_t count);

/* ---- argument.c ---- */

bool hub_read_integers(PyObject *sequence, const char *name, int64_t *list, int64_t *count);
/* Read f(2, 3) like f((2, 3)). */
bool hub_read_list(const char *name, PyObject *const *given, Py_ssize_t count, int64_t *list,
                   int64_t *length);
/* Borrow any object that dlferry takes, until dlfpy_drop; a capsule is not consumed. */
bool hub_borrow(PyObject *x, const char *name, dlfpy_arg *arg);
/* Refuse a tensor that dlf_check refuses: a capsule may hold anything. */
bool hub_is_sound(dlf_arg tensor);
/* Count an index from the end of the axis if it is negative. */
bool hub_place(const char *name, int64_t index, int64_t extent, int32_t axis, int64_t *out);
/* Read an order of axes: 'row_major', 'column_major' or 'dense'; NumPy's 'C' and 'F' too. */
bool hub_read_order(PyObject *x, const char *name, int32_t *out);
/* Tell whether dlferry has an attribute for a dtype. */
bool hub_dtype_is_named(DLDataType value);
/* Read a dtype: a dlferry.dtype, a usual name, or another package's dtype. */
bool hub_read_dtype(PyObject *x, const char *name, DLDataType *out);

/* ---- named.c: what dtypes and devices have in common. They equal their names and never change.
 * ----
 */

typedef struct hub_named {
  PyObject_HEAD PyObject *name;
} hub_named;

static inline PyObject *hub_name(PyObject *x) {
  return ((hub_named *)x)->name;
}
/* The only argument of a call of the type, borrowed. */
PyObject *hub_named_given(PyObject *arguments, PyObject *words, const char *format);
void hub_named_dealloc(PyObject *x);
/* Compare with a name, or by a function that returns 1, 0, 2 for an object of another kind, or -1
 * with an exception. */
PyObject *hub_named_compare(PyObject *a, PyObject *b, int op,
                            int (*same)(PyObject *a, PyObject *b));
Py_hash_t hub_named_hash(PyObject *x);
hub_unary hub_named_str;
hub_binary hub_named_reduce, hub_named_format;

/* ---- dtype.c, device.c ---- */

bool hub_add_dtypes(PyObject *module);
PyObject *hub_dtype_new(DLDataType value);

bool hub_add_devices(PyObject *module);
PyObject *hub_device_new(DLDevice value);
/* Read a device: a dlferry.Device, or anything that dlfpy_device reads. */
bool hub_read_device(PyObject *x, const char *name, DLDevice *out);

/* ---- number.c: elements as Python numbers ---- */

hub_binary hub_tolist, hub_complex;
/* Read a number of Python or another package, or an array of one. name opens the text. */
bool hub_read_number(const char *name, PyObject *x, dlf_number *out);
PyObject *hub_method_item(PyObject *self, PyObject *const *given, Py_ssize_t count);
hub_unary hub_index, hub_int, hub_float;
int hub_bool(PyObject *self);
int hub_contains(PyObject *self, PyObject *x);
/* Raise for a tensor that the processor cannot reach; returns NULL. */
PyObject *hub_out_of_reach(const char *name, const DLTensor *t);

/* ---- import.c ---- */

hub_method hub_from_dlpack;
/* The same for a call of the type. */
PyObject *hub_import(PyObject *arguments, PyObject *words);

/* ---- module.c ---- */

/* Add the type and the fast functions to what SWIG has made. On a second import, make the module
 * equal to the first one. */
bool hub_finish(PyObject *module);

/* ---- pickle.c ---- */

extern PyMethodDef hub_pickle_functions[];
hub_binary hub_reduce;

/* ---- to.c ---- */

PyObject *hub_to(PyObject *module, PyObject *const *given, Py_ssize_t count);

/* ---- contract.c ---- */

/* A compiled contract with its parameters, in a capsule. */
typedef struct hub_contract {
  dlf_contract *compiled;
  PyObject *names, *labels; /* tuples of str: "image", "blur: image" */
  int32_t count;
  dlf_parameter *parameters;
} hub_contract;
/* Read tuples of names and of kinds, before the contract is compiled. */
hub_contract *hub_contract_begin(const char *function, PyObject *names, PyObject *kinds);
/* Make the capsule. Takes both, even on failure. */
PyObject *hub_contract_new(hub_contract *self, dlf_contract *owned);
void hub_contract_free(hub_contract *self);
const hub_contract *hub_contract_of(PyObject *capsule);
PyObject *hub_contract_text(const hub_contract *self, int32_t which);

/* The arguments of one call. */
typedef struct hub_arguments {
  dlfpy_call call;
  dlfpy_tensors *lists;
  dlf_value *values; /* then those of hooks */
} hub_arguments;
/* End them even after a failure. */
bool hub_read_arguments(const hub_contract *contract, PyObject *given, PyObject *hooks,
                        hub_arguments *self);
void hub_end_arguments(hub_arguments *self);
PyObject *hub_prototype(const dlf_prototype *p);

/* ---- npy.c ---- */

/* Raise for a failure of npy_open or npy_save; number is the system's errno. */
void hub_raise_of_file(dlf_status status, const dlf_error *error, int number);

/* ---- arithmetic.c: operators, which are all refused ---- */

hub_binary hub_add, hub_subtract, hub_multiply, hub_divide, hub_floor_divide, hub_remainder;
hub_binary hub_divmod, hub_matrix_multiply, hub_and, hub_or, hub_xor;
hub_binary hub_shift_left, hub_shift_right;
PyObject *hub_power(PyObject *a, PyObject *b, PyObject *modulus);
hub_unary hub_negative, hub_positive, hub_invert, hub_absolute;
PyObject *hub_compare(PyObject *a, PyObject *b, int op);
Py_hash_t hub_hash(PyObject *x);

/* ---- exchange.c ---- */

/* The capsule of __dlpack_c_exchange_api__. */
PyObject *hub_exchange_capsule(void);

#endif
