/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_TORCH_H
#define DLFERRY_PYTHON_TORCH_H

#include "call.h"
#include "type.h"

/** Exactly torch.Tensor, once its structure is verified. */
extern dlfpy_type dlfpy_torch_tensor;

/** Add an argument of exactly that type, borrowed if its structure tells enough: 1; 0 with an exception; or -1, without
 *  an effect, for one that only the exchange table can describe, which dlfpy_tensor_any takes or refuses. */
int dlfpy_torch_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);

/** Give a tensor around an object of exactly that type in *out, or NULL with an exception; false, without an effect, for
 *  one that only the exchange table can describe. */
bool dlfpy_torch_wrap(PyObject *x, const char *name, dlf_tensor **out);

/** Refuse a tensor of any torch type whose memory does not hold its values.
 *  @param t           its description
 *  @param needs_grad  gets whether it requires grad, so that autograd would miss a write; may be NULL */
bool dlfpy_torch_check(PyObject *x, const dlfpy_producer *producer, const char *name, const DLTensor *t,
                       bool *needs_grad);

/** Refuse to write a tensor that requires grad; tell autograd about a write to any other. */
bool dlfpy_torch_may_write(PyObject *x, const char *name, bool needs_grad);

#endif
