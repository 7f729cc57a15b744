/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of an object of the hub's type: as a buffer, and as NumPy's array. */
#include "pyobject.h"

#include <stdlib.h>

/* Requests of Python's object.h. */
enum {
  BUF_WRITABLE = 0x1,
  BUF_FORMAT = 0x4,
  BUF_ND = 0x8,
  BUF_STRIDES = 0x10 | BUF_ND,
  BUF_C_CONTIGUOUS = 0x20 | BUF_STRIDES,
  BUF_F_CONTIGUOUS = 0x40 | BUF_STRIDES,
  BUF_ANY_CONTIGUOUS = 0x80 | BUF_STRIDES
};

/* ---- the object ---- */

/* The size of a PyObject, which differs between builds of CPython; the handle lies behind it. */
static size_t handle_offset(void) {
  static _Atomic size_t known;
  if (!known) {
    void *object = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), "object");
    void *size = dlf__py_attribute(object, "__basicsize__");
    if (size) {
      known = (size_t)dlf__py.Long_AsLong(size);
    }
    dlf__py_drop(size);
  }
  return known;
}

size_t dlf__py_weak_offset(void) {
  return handle_offset() + sizeof(dlf_tensor *);
}

dlf_tensor *dlf__py_handle(void *self) {
  dlf_tensor *handle;
  memcpy(&handle, (char *)self + handle_offset(), sizeof handle);
  return handle;
}

void *dlf__py_holder(void *type, dlf_tensor *handle) {
  void *object = dlf__py.Type_GenericAlloc(type, 0); /* filled with zeros */
  if (object) {
    memcpy((char *)object + handle_offset(), &(dlf_tensor *){dlf_retain(handle)}, sizeof handle);
  }
  return object;
}

static void raise_named(const char *exception, const dlf_error *error) {
  void *class = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), exception);
  if (class) {
    dlf__py.Err_SetString(class, error->message);
  }
}

void *dlf__py_raise(dlf_status status, const dlf_error *error) {
  raise_named(dlf__exception_of(status), error);
  return NULL;
}

/* ---- the buffer protocol ---- */

/* The struct module's name of a dtype, or NULL; by code, then by the logarithm of the bytes. */
static char *format_of(DLDataType dtype) {
  static char names[][5][3] = {[kDLInt] = {"b", "h", "i", "q"},
                               [kDLUInt] = {"B", "H", "I", "Q"},
                               [kDLFloat] = {"", "e", "f", "d"},
                               [kDLComplex] = {"", "", "", "Zf", "Zd"},
                               [kDLBool] = {"?"}};
  if (dtype.code >= sizeof names / sizeof *names || dtype.lanes != 1) {
    return NULL;
  }
  for (int i = 0; i < 5; i++) {
    if (names[dtype.code][i][0] && dtype.bits == 8 << i) {
      return names[dtype.code][i];
    }
  }
  return NULL;
}

static bool asks(int flags, int request) {
  return (flags & request) == request;
}

/* The request's conditions on the elements. */
static uint32_t conditions(int flags) {
  uint32_t how = DLF_LOOK_UNALIGNED;
  if (asks(flags, BUF_WRITABLE)) {
    how |= DLF_LOOK_WRITE;
  }
  if (asks(flags, BUF_C_CONTIGUOUS) || !asks(flags, BUF_STRIDES)) {
    return how | DLF_LOOK_ROW_MAJOR;
  }
  if (asks(flags, BUF_F_CONTIGUOUS)) {
    return how | DLF_LOOK_COLUMN_MAJOR;
  }
  if (asks(flags, BUF_ANY_CONTIGUOUS)) {
    return how | DLF_LOOK_ROW_MAJOR | DLF_LOOK_COLUMN_MAJOR;
  }
  return how;
}

static dlf_status check_request(dlf_tensor *handle, int flags, dlf_elements *elements,
                                dlf_error *error) {
  const DLTensor *t = dlf_dltensor(handle);
  const dlf_arg arg = {t, dlf_flags(handle)};
  const dlf_status status =
      dlf_look(arg, (DLDataType){0, 0, 0}, conditions(flags), elements, error);
  if (status) {
    return status;
  }
  if (!format_of(t->dtype)) {
    return dlf__fail(error, DLF_LAYOUT, "buffer: expected a dtype that the struct module has");
  }
  /* torch.asarray and similar would read the bytes as a tensor of one axis. */
  if (!asks(flags, BUF_ND) && t->ndim > 1) {
    return dlf__fail(error,
                     DLF_LAYOUT,
                     "buffer: expected a consumer that asks for the shape of several axes; pass "
                     "memoryview(x) for "
                     "bytes");
  }
  return DLF_OK;
}

/* The bytes of a stride. One that does not fit is never used: its axis has one element, or the
 * tensor is empty. */
static ptrdiff_t stride_of(const DLTensor *t, int32_t axis) {
  const ptrdiff_t element = t->dtype.bits / 8;
  ptrdiff_t bytes;
  if (__builtin_mul_overflow(t->strides[axis], element, &bytes)) {
    return element;
  }
  return bytes;
}

/* The view keeps the object, which keeps the memory: the producer's deleter runs after the last
 * view. */
int dlf__py_get_buffer(void *self, dlf__py_buffer *view, int flags) {
  dlf_tensor *handle = dlf__py_handle(self);
  const DLTensor *t = dlf_dltensor(handle);
  dlf_elements elements;
  dlf_error error;
  view->obj = NULL;
  if (check_request(handle, flags, &elements, &error)) {
    raise_named("BufferError", &error);
    return -1;
  }
  ptrdiff_t *extents = malloc((2 * (size_t)t->ndim + 1) * sizeof *extents);
  if (!extents) {
    (void)dlf__py.Err_NoMemory();
    return -1;
  }
  ptrdiff_t *strides = extents + t->ndim;
  const ptrdiff_t size = t->dtype.bits / 8;
  for (int32_t i = 0; i < t->ndim; i++) {
    extents[i] = (ptrdiff_t)t->shape[i];
    strides[i] = stride_of(t, i);
  }
  dlf__py._IncRef(self);
  *view = (dlf__py_buffer){.buf = dlf_data(t),
                           .obj = self,
                           .len = (ptrdiff_t)elements.count * size,
                           .itemsize = size,
                           .readonly = (dlf_flags(handle) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
                           .ndim = t->ndim,
                           .internal = extents};
  if (asks(flags, BUF_FORMAT)) {
    view->format = format_of(t->dtype);
  }
  if (asks(flags, BUF_ND)) {
    view->shape = extents;
  }
  if (asks(flags, BUF_STRIDES)) {
    view->strides = strides;
  }
  return 0;
}

void dlf__py_release_buffer(void *self, dlf__py_buffer *view) {
  (void)self;
  free(view->internal);
}

/* ---- NumPy ---- */

/* Call module.function(x, **keywords); NULL with an exception. */
static void *call_numpy(const char *name, void *x, void *keywords) {
  void *numpy = dlf__py.Import_ImportModule("numpy");
  void *function = NULL;
  if (numpy) {
    function = dlf__py.Object_GetAttrString(numpy, name);
  }
  void *args = NULL;
  if (function) {
    args = dlf__py.Tuple_New(1);
  }
  void *result = NULL;
  if (args) {
    dlf__py._IncRef(x);
    if (dlf__py.Tuple_SetItem(args, 0, x) == 0) {
      result = dlf__py.Object_Call(function, args, keywords);
    }
  }
  dlf__py_drop(args);
  dlf__py_drop(function);
  dlf__py_drop(numpy);
  return result;
}

/* A memoryview between, since NumPy itself hides why an object gives no buffer, and asks for
 * __array__ again. */
static void *array_of_buffer(void *type, dlf_tensor *handle) {
  void *object = dlf__py_holder(type, handle);
  void *view = NULL;
  if (object) {
    view = dlf__py.MemoryView_FromObject(object);
  }
  void *array = NULL;
  if (view) {
    array = call_numpy("asarray", view, NULL);
  }
  dlf__py_drop(view);
  dlf__py_drop(object);
  return array;
}

static void release_handle(void *handle) {
  dlf_release(handle);
}

/* The same memory as unsigned integers of the elements' size. */
static dlf_status as_bits(dlf_tensor *handle, dlf_tensor **out, dlf_error *error) {
  DLTensor bits = *dlf_dltensor(handle);
  const uint64_t flags = dlf_flags(handle) & DLPACK_FLAG_BITMASK_READ_ONLY;
  bits.dtype = (DLDataType){kDLUInt, bits.dtype.bits > 8 ? 16 : 8, 1};
  const dlf_status status = dlf_wrap(&bits, flags, dlf_retain(handle), release_handle, out, error);
  if (status) {
    dlf_release(handle);
  }
  return status;
}

/* NumPy has bfloat16 and similar from ml_dtypes, and no buffer of them. */
static void *array_by_name(void *type, dlf_tensor *handle) {
  const DLDataType dtype = dlf_dltensor(handle)->dtype;
  const bool packed =
      dtype.bits % 8 != 0 && !(dlf_flags(handle) & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  char name[DLF_NAME_CAPACITY];
  dlf_tensor *bits = NULL;
  dlf_error error;
  /* No structure with flags is left behind: those of the bits are known. */
  const dlf_status flags = dlf__check_flags("numpy", dlf_flags(handle), &error);
  if (flags) {
    return dlf__py_raise(flags, &error);
  }
  dlf_dtype_format(dtype, name, sizeof name);
  void *module = dlf__py.Import_ImportModule("ml_dtypes");
  dlf__py.Err_Clear();
  void *wanted = dlf__py_attribute(module, name);
  dlf__py_drop(module);
  if (!wanted || dtype.lanes != 1 || dtype.bits > 16 || packed) {
    const dlf_status status =
        dlf__fail(&error,
                  DLF_DTYPE,
                  "numpy: expected a dtype that NumPy or ml_dtypes has, got %s%s",
                  name,
                  packed ? ", packed; write numpy.array(x, copy=True)" : "");
    dlf__py_drop(wanted);
    return dlf__py_raise(status, &error);
  }
  const dlf_status status = as_bits(handle, &bits, &error);
  void *array = NULL;
  void *method = NULL;
  if (status) {
    (void)dlf__py_raise(status, &error);
  } else {
    array = array_of_buffer(type, bits);
  }
  if (array) {
    method = dlf__py.Object_GetAttrString(array, "view");
  }
  void *typed = NULL;
  if (method) {
    typed = dlf__py.Object_CallFunctionObjArgs(method, wanted, NULL);
  }
  dlf__py_drop(method);
  dlf__py_drop(array);
  dlf__py_drop(wanted);
  dlf_release(bits);
  return typed;
}

static void *array_of(void *type, dlf_tensor *handle) {
  dlf_error error;
  const dlf_status status = dlf__check_reachable("numpy", dlf_dltensor(handle), &error);
  if (status) {
    return dlf__py_raise(status, &error);
  }
  if (format_of(dlf_dltensor(handle)->dtype)) {
    return array_of_buffer(type, handle);
  }
  return array_by_name(type, handle);
}

/* Packed elements get whole bytes, which NumPy's arrays of such dtypes have. */
static void *array_of_copy(void *type, dlf_tensor *handle) {
  dlf_tensor *copy;
  dlf_error error;
  void *thread = dlf__py.Eval_SaveThread(); /* other threads run during a copy */
  const dlf_status status = dlf_copy_padded(handle, &copy, &error);
  dlf__py.Eval_RestoreThread(thread);
  if (status) {
    return dlf__py_raise(status, &error);
  }
  void *array = array_of(type, copy);
  dlf_release(copy);
  return array;
}

static void *converted(void *array, void *dtype, bool may_copy) {
  void *keywords = dlf__py.Dict_New();
  void *never = dlf__py.Long_FromLong(0); /* as false */
  void *copy = never;
  if (may_copy) {
    copy = dlf__py.none;
  }
  void *result = NULL;
  if (keywords && copy && !dlf__py.Dict_SetItemString(keywords, "dtype", dtype) &&
      !dlf__py.Dict_SetItemString(keywords, "copy", copy)) {
    result = call_numpy("array", array, keywords);
  }
  dlf__py_drop(never);
  dlf__py_drop(keywords);
  return result;
}

void *dlf__py_array(void *self, void *args, void *keywords) {
  static const char *const words[] = {"dtype", "copy", NULL};
  void *dtype = dlf__py.none;
  void *copy = dlf__py.none;
  if (!dlf__py.Arg_ParseTupleAndKeywords(args, keywords, "|OO:__array__", words, &dtype, &copy)) {
    return NULL;
  }
  int copies = 0;
  if (copy != dlf__py.none) {
    copies = dlf__py.Object_IsTrue(copy);
  }
  if (copies < 0) {
    return NULL;
  }
  void *type = dlf__py.Object_Type(self);
  dlf_tensor *handle = dlf__py_handle(self);
  void *array;
  if (copies) {
    array = array_of_copy(type, handle);
  } else {
    array = array_of(type, handle);
  }
  dlf__py_drop(type);
  if (!array || dtype == dlf__py.none) {
    return array;
  }
  void *result = converted(array, dtype, copies || copy == dlf__py.none);
  dlf__py_drop(array);
  return result;
}
