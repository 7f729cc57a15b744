/* SPDX-License-Identifier: Apache-2.0 */
/* C for the arguments that a twin computes, since callers do not pass them, and for pointers to
 * elements. */
#ifndef DLFERRY_BIND_TWIN_DERIVE_H
#define DLFERRY_BIND_TWIN_DERIVE_H

#include "bind/base/text.h"
#include "bind/ir/ir.h"
#include "contract/contract.h"

/* Tell whether a function has such arguments. */
bool derive_needed(const bind_function *f);

/* Tell whether one of them may be refused, so that the twin uses its error. */
bool derive_may_refuse(const bind_function *f);

/* The statements that compute them before the call: `dlf_derived_NAME`. They run once the contract
 * holds. */
const char *derive_statements(const bind_function *f);

/* A computed argument of the call. */
const char *derive_argument(const bind_c_param *p);

/* Define a variable with the value of a source; where the value does not fit in the type, fail with
 * text about it. */
void derive_put_value(bind_text *t, const dlf_contract *c, const dlf__derived *d,
                      const bind_type *type, const char *variable, const char *where);

/* Refuse tensors whose data is a handle with an offset, which a pointer cannot carry; "" where no
 * clause allows such a device. For one parameter, a hook's; for all, the kernel's. */
const char *derive_offset(const bind_function *f, const bind_param *p);
const char *derive_offsets(const bind_function *f);

/* The pointer that C takes for a tensor. */
const char *derive_pointer(const bind_param *p);

#endif
