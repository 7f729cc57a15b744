/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy arrays, read from their structure in a third of the buffer protocol's time. The structure
 * is part of NumPy's stable C ABI, the same in 1.x and 2.x. It is declared here so that building
 * needs no NumPy, and compared with a real array before the first use: a NumPy that changes it
 * costs speed, not safety. */
#include "release.h"

enum { FIRST_USER_TYPE = 256 };

PyTypeObject *dlfpy_ndarray;

_Static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "shapes are read in place");

/* Elements of 2^shift bytes. */
#define NUMBERS(code, shift) {{code, 8 << (shift), 1}, 1 << (shift), shift}

/* No entries for 13 and 16, long double, which is not IEEE, or for objects and texts. */
const dlfpy_numpy_dtype dlfpy_numpy_dtypes[DLFPY_NUMPY_DTYPES] = {
    NUMBERS(kDLBool, 0),
    NUMBERS(kDLInt, 0),
    NUMBERS(kDLUInt, 0),
    NUMBERS(kDLInt, 1),
    NUMBERS(kDLUInt, 1),
    NUMBERS(kDLInt, 2),
    NUMBERS(kDLUInt, 2),
    NUMBERS(kDLInt, 3), /* C's long */
    NUMBERS(kDLUInt, 3),
    NUMBERS(kDLInt, 3), /* and long long */
    NUMBERS(kDLUInt, 3),
    NUMBERS(kDLFloat, 2),
    NUMBERS(kDLFloat, 3),
    [14] = NUMBERS(kDLComplex, 3),
    NUMBERS(kDLComplex, 4),
    [23] = NUMBERS(kDLFloat, 1)};

static bool attribute_is(PyObject *x, const char *name, long long value) {
  PyObject *attribute = PyObject_GetAttrString(x, name);
  const bool same = attribute && PyLong_Check(attribute) && PyLong_AsLongLong(attribute) == value;
  Py_XDECREF(attribute);
  return same;
}

/* Each field that we read lies between two that are compared; no pointer is followed before its
 * neighbours agree. */
static bool same_structure(PyObject *x) {
  const dlfpy_array_head *array = (const dlfpy_array_head *)x;
  if (dlfpy_object_size(Py_TYPE(x)) < (Py_ssize_t)sizeof(dlfpy_array_head) ||
      !attribute_is(x, "ndim", array->ndim)) {
    return false;
  }
  PyObject *descr = PyObject_GetAttrString(x, "dtype");
  PyObject *flags = PyObject_GetAttrString(x, "flags");
  PyObject *interface = PyObject_GetAttrString(x, "__array_interface__");
  PyObject *data = NULL;
  if (interface && PyDict_Check(interface)) {
    data = PyDict_GetItemString(interface, "data");
  }
  const bool same = descr && descr == array->descr &&
                    dlfpy_object_size(Py_TYPE(descr)) >= (Py_ssize_t)sizeof(dlfpy_descr_head) &&
                    attribute_is(descr, "num", ((const dlfpy_descr_head *)descr)->number) &&
                    flags && attribute_is(flags, "num", array->flags) && data &&
                    PyTuple_Check(data) && PyTuple_GET_SIZE(data) == 2 &&
                    PyLong_AsVoidPtr(PyTuple_GET_ITEM(data, 0)) == (void *)array->data;
  Py_XDECREF(descr);
  Py_XDECREF(flags);
  Py_XDECREF(interface);
  return same;
}

/* NumPy's table of C functions; its places never change. It names numpy.ndarray's type, independent
 * of the names of classes and modules. */
enum { TABLE_TYPE = 2, TABLE_NEW = 93, TABLE_SET_BASE = 282 };
static void **table;

static void **find_table(void) {
  static const char *const modules[] = {"numpy._core._multiarray_umath",
                                        "numpy.core._multiarray_umath" /* NumPy 1 */};
  void **found = dlfpy_get(&table);
  for (int i = 0; i < 2 && !found; i++) {
    PyObject *capsule = dlfpy_imported(modules[i], "_ARRAY_API");
    if (capsule && PyCapsule_IsValid(capsule, NULL)) {
      found = PyCapsule_GetPointer(capsule, NULL);
    }
    Py_XDECREF(capsule);
  }
  dlfpy_set(&table, found);
  return found;
}

PyTypeObject *dlfpy_numpy_type(void) {
  static bool tried;
  if (dlfpy_get(&tried)) {
    return dlfpy_get(&dlfpy_ndarray);
  }
  void **functions = find_table();
  if (!functions) {
    return NULL;
  }
  /* An array of our own, since a caller's class may run Python code. */
  PyObject *array = PyObject_CallFunction(functions[TABLE_TYPE], "((ii))", 2, 3);
  if (array && Py_IS_TYPE(array, functions[TABLE_TYPE]) && same_structure(array) &&
      dlfpy_set_first(&dlfpy_ndarray, (PyTypeObject *)functions[TABLE_TYPE])) {
    Py_INCREF((PyObject *)functions[TABLE_TYPE]);
  }
  dlfpy_set(&tried, true);
  Py_XDECREF(array);
  PyErr_Clear();
  return dlfpy_get(&dlfpy_ndarray);
}

/* bfloat16, float8 and similar come from ml_dtypes; NumPy knows only their names. There, elements
 * narrower than a byte take a whole byte each. */
static bool user_dtype(PyObject *descr, const char *name, DLDataType *out, uint64_t *flags) {
  PyObject *text = PyObject_GetAttrString(descr, "name");
  const char *word = dlfpy_utf8(text);
  const bool found = word && dlf_dtype_parse(word, out, NULL) == DLF_OK && out->lanes == 1;
  if (found && out->bits < 8) {
    *flags |= DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  }
  if (!found && !PyErr_Occurred()) {
    dlfpy_fail(DLF_DTYPE,
               "%s: expected a dtype that DLPack has, got %s",
               name,
               word ? word : "one without a name");
  }
  Py_XDECREF(text);
  return found;
}

static inline bool dtype_of(PyObject *x, const char *name, DLDataType *out, uint64_t *flags) {
  const dlfpy_descr_head *descr = (const dlfpy_descr_head *)x;
  const bool swapped = descr->order != '=' && descr->order != '|';
  const unsigned number = (unsigned)descr->number;
  if (!swapped && number < DLFPY_NUMPY_DTYPES && dlfpy_numpy_dtypes[number].bytes) {
    *out = dlfpy_numpy_dtypes[number].dtype;
    return true;
  }
  if (!swapped && descr->number >= FIRST_USER_TYPE) {
    return user_dtype(x, name, out, flags);
  }
  PyObject *text = PyObject_Str(x);
  const char *word = dlfpy_utf8(text);
  if (word) {
    dlfpy_fail(DLF_DTYPE,
               "%s: expected a dtype that DLPack has, in native byte order, got %s",
               name,
               word);
  }
  Py_XDECREF(text);
  return false;
}

bool dlfpy_numpy_describe(PyObject *x, const char *name, DLTensor *tensor, int64_t *strides,
                          DLDataType *dtype, uint64_t *flags) {
  const dlfpy_array_head *array = (const dlfpy_array_head *)x;
  *flags = 0;
  if (!(array->flags & DLFPY_NUMPY_WRITEABLE)) {
    *flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  if (!dtype_of(array->descr, name, dtype, flags)) {
    return false;
  }
  const int64_t bytes = (dtype->bits + 7) / 8; /* a power of two: a shift instead of a division */
  const int shift = __builtin_ctz((unsigned)bytes);
  int64_t odd = bytes & (bytes - 1);
  tensor->data = array->data;
  tensor->device = (DLDevice){kDLCPU, 0};
  tensor->ndim = array->ndim;
  tensor->shape = (int64_t *)array->shape;
  tensor->strides = strides;
  tensor->byte_offset = 0;
  if (array->ndim > DLF_MAX_NDIM) {
    dlfpy_fail(
        DLF_INVALID, "%s: expected at most %d dimensions, got %d", name, DLF_MAX_NDIM, array->ndim);
    return false;
  }
  for (int i = 0; i < array->ndim; i++) {
    if (array->shape[i] > 1) {
      odd |= array->strides[i] & (bytes - 1);
    }
    strides[i] = array->strides[i] >> shift;
  }
  if (odd) { /* a field of a structured array */
    dlfpy_fail(
        DLF_LAYOUT,
        "%s: expected strides that are multiples of the %d-byte element, got others: pass a copy",
        name,
        (int)bytes);
  }
  return !odd;
}

bool dlfpy_numpy_registers(void) {
  PyObject *function = dlfpy_imported("numpy.dtypes", "register_dlpack_dtype");
  Py_XDECREF(function);
  return function != NULL;
}

bool dlfpy_numpy_must_export(PyObject *array) {
  PyObject *descr = ((const dlfpy_array_head *)array)->descr;
  const unsigned number = (unsigned)((const dlfpy_descr_head *)descr)->number;
  DLDataType dtype;
  uint64_t flags;
  if ((number < DLFPY_NUMPY_DTYPES && dlfpy_numpy_dtypes[number].bytes) ||
      !dlfpy_numpy_registers()) {
    return false;
  }
  const bool known = dtype_of(descr, "dtype", &dtype, &flags);
  PyErr_Clear();
  return !known;
}

bool dlfpy_numpy_unmasked(PyObject *array, const char *name) {
  const int masked = dlfpy_truth(dlfpy_call_from("numpy.ma", "is_masked", "(O)", array));
  if (masked == 1) {
    dlfpy_fail(
        DLF_LAYOUT,
        "%s: expected elements as they lie in memory, got a masked array; pass .filled() or .data",
        name);
  }
  return masked == 0;
}

dlf_tensor *dlfpy_numpy_wrap(PyObject *array, const char *name) {
  int64_t strides[DLF_MAX_NDIM];
  uint64_t flags;
  DLDataType dtype;
  DLTensor tensor;
  if (!dlfpy_numpy_describe(array, name, &tensor, strides, &dtype, &flags)) {
    return NULL;
  }
  tensor.dtype = dtype;
  return dlfpy_wrap(Py_NewRef(array), &tensor, flags, "wrap");
}

/* ---- New arrays, through NumPy's table of C functions in a third of its from_dlpack's time ----
 */

typedef PyObject *new_function(PyTypeObject *type, int ndim, const Py_ssize_t *shape, int number,
                               const Py_ssize_t *strides, void *data, int itemsize, int flags,
                               PyObject *like);
typedef int set_base_function(PyObject *array, PyObject *base);

static int number_of(DLDataType dtype) {
  for (int i = 0; i < DLFPY_NUMPY_DTYPES; i++) {
    const DLDataType known = dlfpy_numpy_dtypes[i].dtype;
    if (known.bits && known.code == dtype.code && known.bits == dtype.bits) {
      if (dtype.lanes == 1) {
        return i;
      }
      return -1;
    }
  }
  return -1;
}

static void release_owned(PyObject *capsule) {
  dlfpy_release_managed(PyCapsule_GetPointer(capsule, NULL));
}

PyObject *dlfpy_numpy_new(DLManagedTensorVersioned *owned) {
  const DLTensor *t = &owned->dl_tensor;
  Py_ssize_t strides[DLF_MAX_NDIM];
  const int number = number_of(t->dtype);
  if (number < 0 || !t->strides || t->ndim > DLF_MAX_NDIM || !dlfpy_get(&dlfpy_ndarray)) {
    return NULL;
  }
  if (t->device.device_type != kDLCPU || (owned->flags & DLPACK_FLAG_BITMASK_READ_ONLY)) {
    return NULL;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    strides[i] = dlfpy_stride(t, i);
  }
  /* Without an array there is no owner: NumPy allocates its own memory if data is NULL. */
  void *data = (char *)t->data + (t->data ? t->byte_offset : 0);
  if (!data) {
    return NULL;
  }
  PyObject *base = PyCapsule_New(owned, NULL, NULL);
  if (!base) {
    return NULL;
  }
  PyObject *array = ((new_function *)table[TABLE_NEW])(dlfpy_ndarray,
                                                       t->ndim,
                                                       (const Py_ssize_t *)t->shape,
                                                       number,
                                                       strides,
                                                       data,
                                                       0,
                                                       DLFPY_NUMPY_WRITEABLE,
                                                       NULL);
  if (!array || ((set_base_function *)table[TABLE_SET_BASE])(array, Py_NewRef(base))) {
    Py_XDECREF(array);
    Py_DECREF(base);
    return NULL;
  }
  (void)PyCapsule_SetDestructor(base, release_owned); /* from here on the array owns the tensor */
  Py_DECREF(base);
  return array;
}
