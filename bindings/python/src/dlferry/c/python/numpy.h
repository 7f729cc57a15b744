/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_NUMPY_H
#define DLFERRY_PYTHON_NUMPY_H

#include "base.h"

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

#endif
