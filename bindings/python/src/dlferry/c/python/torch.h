/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_TORCH_H
#define DLFERRY_PYTHON_TORCH_H

#include "call.h"
#include "type.h"

/** Exactly torch.Tensor, once its structure is verified. */
extern dlfpy_type dlfpy_torch_tensor;

/** Add an argument of exactly that type, borrowed if its structure tells enough: 1; 0 with an
 * exception; or -1, without an effect, for one that dlfpy_torch_lend_any takes or refuses. */
int dlfpy_torch_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write);

/** Add an argument of any torch type with an exchange table. */
bool dlfpy_torch_lend_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x,
                          const dlfpy_producer *producer, bool write);

/** Refuse to write a tensor that requires grad; note a write to any other, so that autograd is
 * told. */
bool dlfpy_torch_may_write(dlfpy_call *call, dlfpy_arg *arg, const char *name);

/** Give a handle that keeps the storage of an object of a torch type with an exchange table. */
dlf_tensor *dlfpy_torch_wrap(PyObject *x, const dlfpy_producer *producer, const char *name);

/** Give the tensor whose __dlpack__ is asked. torch's refuses what requires grad in every grad
 * mode: where it may leave as a read-only tensor, a detached one is asked. NULL with an exception.
 */
PyObject *dlfpy_torch_to_ask(PyObject *x, const char *name);

/** Exchange a handle from x's own __dlpack__, which keeps only the C++ tensor, for one that keeps
 * the storage. Takes out.
 *  @param may_move  the producer was asked for another place, or to copy */
dlf_tensor *dlfpy_torch_keep(PyObject *x, const dlfpy_producer *producer, const char *name,
                             bool may_move, dlf_tensor *out);

#endif
