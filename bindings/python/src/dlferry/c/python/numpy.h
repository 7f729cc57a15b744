/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_NUMPY_H
#define DLFERRY_PYTHON_NUMPY_H

#include "base.h"

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

/** Exactly numpy.ndarray, once its structure has been found to be as known; else NULL. */
extern PyTypeObject *dlfpy_ndarray;

/** The same, looked for if it is not known yet: numpy.ndarray, borrowed, if NumPy has been imported and the structure of arrays is the one this file knows; else NULL. */
PyTypeObject *dlfpy_numpy_type(void);

/** NumPy 2.5 lets packages register what DLPack calls a dtype of theirs, which NumPy then imports and exports itself. */
bool dlfpy_numpy_registers(void);
/** Whether only NumPy may know what DLPack calls an array's dtype. */
bool dlfpy_numpy_must_export(PyObject *array);

/** Refuse a masked array that hides an element: DLPack has no word for that. Runs Python code. */
bool dlfpy_numpy_unmasked(PyObject *array, const char *name);

/** Describe an array: all but the dtype goes into *tensor, whose strides get room from the caller. */
bool dlfpy_numpy_describe(PyObject *x, const char *name, DLTensor *tensor, int64_t *strides, DLDataType *dtype,
                          uint64_t *flags);

/** Give a handle that keeps the array. */
dlf_tensor *dlfpy_numpy_wrap(PyObject *array, const char *name);

/** Make an array of a tensor, which the array then owns; NULL, perhaps with an exception, and nothing taken, for what
 *  needs NumPy's from_dlpack. */
PyObject *dlfpy_numpy_new(DLManagedTensorVersioned *owned);

#endif
