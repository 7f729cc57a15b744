/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_SIZE_H
#define DLFERRY_PYTHON_SIZE_H

#include "base.h"

/** Bytes of all tensors from which on a call takes handles of its own and releases the GIL; with fewer it borrows the
 *  tensors and keeps the GIL. 65,536, or the value of the environment variable DLFERRY_GIL_LIMIT at import. */
extern uint64_t dlfpy_gil_limit;

/** Read that variable. */
void dlfpy_read_gil_limit(void);

/** Bytes of the elements, 0 for what cannot be, the largest number for what does not fit. */
uint64_t dlfpy_bytes(const DLTensor *t);

/** Bytes from one element of an axis to the next; of an axis of at most one element they may not fit, and are one's. */
static inline Py_ssize_t dlfpy_stride(const DLTensor *t, int32_t axis) {
  Py_ssize_t bytes;
  return __builtin_mul_overflow(t->strides[axis], t->dtype.bits / 8, &bytes) ? t->dtype.bits / 8 : bytes;
}

#endif
