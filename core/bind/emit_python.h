/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the Python emitter share: how a C function looks from Python. */
#ifndef DLFERRY_BIND_EMIT_PYTHON_H
#define DLFERRY_BIND_EMIT_PYTHON_H

#include "emit.h"

/* A function's parameters in Python's order: the required ones, those with a default, the outputs that may be left out;
 * C's order is kept within each of these. */
typedef struct python_params {
  const bind_param **list;
  int *tensor; /* index among the thunk's tensors, those made last; -1 for others */
  int count, required, tensors, made;
} python_params;

python_params python_order(const bind_function *f);

/* The name that Python knows something by. */
const char *python_name(const char *name);

/* A parameter's default as Python spells it, or NULL. */
const char *python_default(const bind_param *p);

/* Write all but the interface: the module, stubs, the project. */
void python_emit_package(const bind_ir *ir, bind_out *out);

#endif
