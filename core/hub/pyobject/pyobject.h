/* SPDX-License-Identifier: Apache-2.0 */
/* Python's functions, found at run time so that nothing links Python: all belong to its stable ABI
 * of 3.10. */
#ifndef DLFERRY_HUB_PYOBJECT_H
#define DLFERRY_HUB_PYOBJECT_H

#include "hub/internal.h"

#include <dlferry/pyobject.h>

DLF__BEGIN_HIDDEN

/* PyType_Slot and PyType_Spec. */
typedef struct dlf__py_slot {
  int slot;
  void *value;
} dlf__py_slot;

typedef struct dlf__py_spec {
  const char *name;
  int basicsize, itemsize;
  unsigned flags;
  dlf__py_slot *slots;
} dlf__py_spec;

/* PyMethodDef of a method with keywords. */
typedef struct dlf__py_method {
  const char *name;
  void *(*call)(void *self, void *args, void *keywords);
  int flags;
  const char *doc;
} dlf__py_method;

/* PyGetSetDef and PyMemberDef. */
typedef struct dlf__py_getter {
  const char *name;
  void *(*get)(void *self, void *closure);
  int (*set)(void *self, void *value, void *closure);
  const char *doc;
  void *closure;
} dlf__py_getter;

typedef struct dlf__py_member {
  const char *name;
  int type;
  ptrdiff_t offset;
  int flags;
  const char *doc;
} dlf__py_member;

/* Py_buffer. */
typedef struct dlf__py_buffer {
  void *buf;
  void *obj; /* a reference */
  ptrdiff_t len, itemsize;
  int readonly, ndim;
  char *format;
  ptrdiff_t *shape, *strides, *suboffsets;
  void *internal;
} dlf__py_buffer;

/* Python's functions, named without Py; each object is a PyObject *. "b": borrowed, "steals": takes
 * a reference. */
#define DLF__PY_FUNCTIONS(F)                                                                       \
  F(int, _IsInitialized, (void))                                                                   \
  F(int, GILState_Ensure, (void))                                                                  \
  F(void, GILState_Release, (int state))                                                           \
  F(void, _IncRef, (void *x))                                                                      \
  F(void, _DecRef, (void *x))                                                                      \
  F(void *, Err_Occurred, (void))                                                                  \
  F(void, Err_Fetch, (void **type, void **value, void **traceback))                                \
  F(void, Err_NormalizeException, (void **type, void **value, void **traceback))                   \
  F(void, Err_Restore, (void *type, void *value, void *traceback)) /* steals */                    \
  F(void, Err_Clear, (void))                                                                       \
  F(void, Err_SetString, (void *type, const char *text))                                           \
  F(void *, Err_NoMemory, (void))                                                                  \
  F(void *, Object_Type, (void *x))                                                                \
  F(void *, Object_Str, (void *x))                                                                 \
  F(void *, Object_GetAttrString, (void *x, const char *name))                                     \
  F(int, Object_SetAttrString, (void *x, const char *name, void *value))                           \
  F(void *, Object_Call, (void *x, void *args, void *keywords))                                    \
  F(void *, Object_CallFunctionObjArgs, (void *x, ...))                                            \
  F(int, Object_IsInstance, (void *x, void *type))                                                 \
  F(int, Object_IsTrue, (void *x))                                                                 \
  F(void, Object_Free, (void *x))                                                                  \
  F(void, Object_ClearWeakRefs, (void *x))                                                         \
  F(void *, MemoryView_FromObject, (void *x))                                                      \
  F(void *, Unicode_AsUTF8String, (void *x))                                                       \
  F(void *, Unicode_FromString, (const char *text))                                                \
  F(char *, Bytes_AsString, (void *x))                                                             \
  F(void *, Long_FromLong, (long value))                                                           \
  F(void *, Long_FromLongLong, (long long value))                                                  \
  F(long, Long_AsLong, (void *x))                                                                  \
  F(long long, Long_AsLongLong, (void *x))                                                         \
  F(void *, Long_AsVoidPtr, (void *x))                                                             \
  F(void *, Tuple_New, (ptrdiff_t size))                                                           \
  F(ptrdiff_t, Tuple_Size, (void *x))                                                              \
  F(void *, Tuple_GetItem, (void *x, ptrdiff_t index))           /* b */                           \
  F(int, Tuple_SetItem, (void *x, ptrdiff_t index, void *value)) /* steals */                      \
  F(void *, Object_GetIter, (void *x))                                                             \
  F(void *, Iter_Next, (void *iterator))                                                           \
  F(void *, Dict_New, (void))                                                                      \
  F(int, Dict_SetItemString, (void *x, const char *key, void *value))                              \
  F(void *, Dict_GetItemString, (void *x, const char *key)) /* b */                                \
  F(void *, Mapping_GetItemString, (void *x, const char *key))                                     \
  F(void *, Import_ImportModule, (const char *name))                                               \
  F(void *, Import_GetModuleDict, (void)) /* b */                                                  \
  F(void *, Eval_GetBuiltins, (void))     /* b */                                                  \
  F(void *, Eval_SaveThread, (void))                                                               \
  F(void, Eval_RestoreThread, (void *state))                                                       \
  F(void *, InterpreterState_Get, (void))                                                          \
  F(void *, InterpreterState_GetDict, (void *interpreter)) /* b */                                 \
  F(void *, Capsule_New, (void *pointer, const char *name, void (*destructor)(void *x)))           \
  F(int, Capsule_IsValid, (void *x, const char *name))                                             \
  F(void *, Capsule_GetPointer, (void *x, const char *name))                                       \
  F(int, Capsule_SetName, (void *x, const char *name))                                             \
  F(int,                                                                                           \
    Arg_ParseTupleAndKeywords,                                                                     \
    (void *args, void *keywords, const char *format, const char *const *words, ...))               \
  F(void *, Type_FromSpec, (dlf__py_spec * spec))                                                  \
  F(void *, Type_GenericAlloc, (void *type, ptrdiff_t items))                                      \
  F(void *, Type_GetSlot, (void *type, int slot))

typedef struct dlf__py_functions {
  DLF__PY_FUNCTIONS(DLF__FUNCTION_POINTER)
  void *none; /* the object None */
} dlf__py_functions;

/* Valid after dlf__py_begin has succeeded. */
extern dlf__py_functions dlf__py;

/* What dlf__py_end needs. */
typedef struct dlf__py_stay {
  int state;
  bool keep;       /* leave the exception of a failure in flight */
  void *flight[3]; /* an exception that will be in flight: one that was, or that of a failure */
} dlf__py_stay;

/* Take the GIL; the name opens the text of a failure. */
dlf_status dlf__py_begin(const char *name, bool keep_exception, dlf__py_stay *stay,
                         dlf_error *error);
void dlf__py_end(dlf__py_stay *stay);

/* Set aside an exception in flight, and put it back. */
void dlf__py_set_aside(void *flight[3]);
void dlf__py_put_back(void *flight[3]);

/* Drop a reference; NULL does nothing. */
void dlf__py_drop(void *x);
/* An attribute; NULL of NULL, and if it raises an exception, which this clears. */
void *dlf__py_attribute(void *x, const char *name);
/* What a method without arguments returns; NULL for NULL, without the method, and with its
 * exception. */
void *dlf__py_ask(void *x, const char *name);
/* Tell whether an attribute, called if it is a method, is true. */
bool dlf__py_is(void *x, const char *name);
/* Copy the first line of str(x); no exception is in flight afterwards. */
void dlf__py_line(void *x, char *buffer, size_t size);
/* The name of x's type, cut to the buffer. */
const char *dlf__py_kind(void *x, char *buffer, size_t size);
/* Fail with FOREIGN and the exception in flight: "NAME: expected WANTED, got KIND, which raised
 * TypeError: ..." with the kind of x. Until the stay ends none is in flight, since deleters may run
 * Python code. */
dlf_status dlf__py_raised(dlf__py_stay *stay, const char *name, const char *wanted, void *x,
                          dlf_error *error);

/* A tuple of numbers, and of two; NULL with an exception. */
void *dlf__py_integers(const int64_t *values, int32_t count);
void *dlf__py_pair(long a, long b);
/* Read such a sequence; -1 for what is no number. */
void dlf__py_read_pair(void *pair, long long numbers[2]);

/* The exchange table of a type; NULL without one, and if a subclass has its own __dlpack__. */
const DLPackExchangeAPI *dlf__py_table(void *type);

/* Set the exception of a status; gives NULL. */
void *dlf__py_raise(dlf_status status, const dlf_error *error);

/* An object of the hub's type: a PyObject, the handle, the list of weak references. */
size_t dlf__py_weak_offset(void);
dlf_tensor *dlf__py_handle(void *self);
/* Make one of a type that keeps the handle too; NULL with an exception. */
void *dlf__py_holder(void *type, dlf_tensor *handle);
/* Its slots and methods for NumPy and other readers of memory. */
int dlf__py_get_buffer(void *self, dlf__py_buffer *view, int flags);
void dlf__py_release_buffer(void *self, dlf__py_buffer *view);
void *dlf__py_array(void *self, void *args, void *keywords);
/* An object of the hub's own type; NULL with an exception. */
void *dlf__py_share(dlf_tensor *handle);

DLF__END_HIDDEN

#endif
