/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_SIZE_H
#define DLFERRY_PYTHON_SIZE_H

#include "base.h"

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

#endif
