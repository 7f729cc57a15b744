/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a function for its contract. */
#ifndef DLFERRY_BIND_IR_PARAMETERS_H
#define DLFERRY_BIND_IR_PARAMETERS_H

#include "contract/contract.h"
#include "ir.h"
#include <dlferry/contract.h>

/** Tell whether a constraint is about a parameter that is no tensor, also as an argument of a hook.
 */
bool bind_is_limited(const bind_param *p, const dlf_contract *c, const dlf__constraint *constraint);

/** Find a parameter by its name in C; NULL for none. */
bind_param *bind_find_param(const bind_function *f, const char *name);

/** Tell whether a parameter is an integer that callers pass. */
bool bind_is_integer(const bind_param *p);

/** Return the parameter so many places behind another one if it is such an integer, or NULL. */
const bind_param *bind_integer_beside(const bind_function *f, const bind_param *p, int distance);

/** Compile a text for f->compiled and f->contract, its usual form, which the package compiles when
 * it runs; false with the error. */
bool bind_try_contract(bind_function *f, const char *text, dlf_error *error);

/** Compile f->contract again, after the function's name or its parameters have changed. */
void bind_compile_contract(bind_function *f);

/** Return the f->c_param_count parameters of the contract: those of the C function. */
const dlf_parameter *bind_contract_parameters(const bind_function *f);

#endif
