/* SPDX-License-Identifier: Apache-2.0 */
/* C for the arguments that a twin computes, since callers do not pass them, and for pointers to elements. */
#ifndef DLFERRY_BIND_TWIN_DERIVE_H
#define DLFERRY_BIND_TWIN_DERIVE_H

#include "bind/read/ir.h"
#include "contract/contract.h"
#include <stdbool.h>

/* Tell whether a function has such arguments. */
bool derive_needed(const bind_function *f);

/* Tell whether one of them may be refused, so that the twin uses its error. */
bool derive_may_refuse(const bind_function *f);

/* The statements that compute them before the call: `dlf_derived_NAME`. They run once the contract holds. */
const char *derive_statements(const bind_function *f);

/* An expression of a contract as C, over the call's tensors and numbers; dlf_sure becomes false if it overflows. */
const char *derive_integer(const dlf_contract *c, int32_t node);

/* A computed argument of the call. */
const char *derive_argument(const bind_c_param *p);

/* The pointer that C takes for a tensor. */
const char *derive_pointer(const bind_param *p);

#endif
