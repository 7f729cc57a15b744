/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_TORCH_H
#define DLFERRY_PYTHON_TORCH_H

#include "producer.h"
#include "type.h"

/** Exactly torch.Tensor, once its structure has been found to be as known, and what that version of it is. */
extern dlfpy_type dlfpy_torch_tensor;
extern const dlfpy_producer *dlfpy_plain_tensor;

/** Describe a tensor of exactly that type: all but the dtype goes into *out. False, quietly, for what only the exchange
 *  table can tell: other devices and dtypes, tensors without storage (sparse, vmap's). */
bool dlfpy_torch_describe(PyObject *x, DLTensor *out, DLDataType *dtype);

/** Refuse one of them whose memory does not hold its values, or that must not be written but is going to be. */
bool dlfpy_torch_check_known(PyObject *x, const char *name, DLDataType dtype, bool write);

/** Refuse a tensor of any torch type whose memory does not hold its values.
 *  @param t           its description
 *  @param needs_grad  gets whether it requires grad, so that a write would be lost on autograd; may be NULL */
bool dlfpy_torch_check(PyObject *x, const dlfpy_producer *producer, const char *name, const DLTensor *t,
                       bool *needs_grad);

/** Refuse to write a tensor that requires grad, and tell autograd of the write to any other. */
bool dlfpy_torch_may_write(PyObject *x, const char *name, bool needs_grad);

#endif
