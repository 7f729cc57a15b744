/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor arguments of a call, borrowed if their producer can lend. */
#ifndef DLFERRY_PYTHON_LEND_H
#define DLFERRY_PYTHON_LEND_H

#include "call.h"

/** Add a tensor argument of any type. */
bool dlfpy_tensor_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);

/** Borrow an array of few axes and whole elements of a plain dtype; false, without an effect, for
 * any other, which dlfpy_tensor_any takes or refuses. NumPy ensures that the bytes of an array fit.
 * Inlined by force: a call of it for each argument takes a twelfth of a small call's time. */
static inline __attribute__((__always_inline__)) bool
dlfpy_array_lend(dlfpy_call *call, dlfpy_arg *arg, PyObject *x) {
  const dlfpy_array_head *array = (const dlfpy_array_head *)x;
  const dlfpy_descr_head *descr = (const dlfpy_descr_head *)array->descr;
  if ((descr->order != '=' && descr->order != '|') ||
      (unsigned)descr->number >= DLFPY_NUMPY_DTYPES) {
    return false;
  }
  const dlfpy_numpy_dtype *known = &dlfpy_numpy_dtypes[descr->number];
  uint64_t bytes = known->bytes;
  uint64_t all = 0;
  if ((unsigned)array->ndim > 4) {
    return false;
  }
  for (int i = 0; i < array->ndim; i++) {
    bytes *= (uint64_t)array->shape[i];
    all |= (uint64_t)array->strides[i];
    arg->strides[i] = array->strides[i] >> known->shift;
  }
  if (!known->bytes || (all & (known->bytes - 1u))) {
    return false;
  }
  dlfpy_count_bytes(call, bytes);
  dlfpy_begin(arg, x, &dlfpy_plain_array);
  arg->c.tensor = &arg->tensor;
  arg->c.flags = 0;
  if (!(array->flags & DLFPY_NUMPY_WRITEABLE)) {
    arg->c.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  arg->tensor.data = array->data;
  arg->tensor.device = (DLDevice){kDLCPU, 0};
  arg->tensor.ndim = array->ndim;
  arg->tensor.dtype = known->dtype;
  arg->tensor.shape = (int64_t *)array->shape;
  arg->tensor.strides = arg->strides;
  arg->tensor.byte_offset = 0;
  return true;
}

/** Add a tensor argument, borrowed if its producer can lend. write requires proof that it may be
 * written. */
static inline __attribute__((__always_inline__)) bool
dlfpy_tensor(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write) {
  if (Py_TYPE(x) == dlfpy_get(&dlfpy_ndarray) && dlfpy_array_lend(call, arg, x)) {
    return true;
  }
  if (Py_TYPE(x) == dlfpy_get(&dlfpy_torch_tensor.type)) {
    const int lent = dlfpy_torch_lend(call, arg, name, x, write);
    if (lent >= 0) {
      return lent;
    }
  }
  return dlfpy_tensor_any(call, arg, name, x, write);
}

/** Add a tensor argument that C keeps after the call: arg->handle is owned until the call ends.
 * Never a copy. */
bool dlfpy_tensor_to_keep(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x,
                          bool write);

/** Add an optional tensor argument: x may be NULL or None. */
bool dlfpy_tensor_or_none(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x,
                          bool write);

#endif
