/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the IR that the twins, the tests and the languages ask. */
#ifndef DLFERRY_BIND_EMIT_QUERY_H
#define DLFERRY_BIND_EMIT_QUERY_H

#include "bind/base/text.h"
#include "bind/read/ir.h"
#include <dlferry.h>

/** The bound function after f; the first for NULL; NULL at the end. */
const bind_function *bind_next_function(const bind_ir *ir, const bind_function *f);

/** Count the parameters that f_new makes. */
int bind_count_made(const bind_function *f);

/** True for a parameter that callers pass, to f_new (make) or to f_checked. */
bool bind_is_passed(const bind_param *p, bool make);

/** Count what a call returns: the value, then what is made or returned. */
int bind_count_results(const bind_function *f, bool make);

/** The place, from 0, of the handle that a function creates among its results. */
int bind_place_of_handle(const bind_function *f, bool make);

/** How a call uses an object that it is passed: the name of a dlf_use_mode. */
const char *bind_use_mode(const bind_function *f, const bind_param *p);

/** True for a pointer to const. */
bool bind_is_const(const bind_type *type);

/** The first tensor or list of tensors that callers pass to f_new, or NULL. Results come in its framework. */
const bind_param *bind_first_tensor(const bind_function *f);

/** True when any bound function takes or returns this enum. */
bool bind_enum_is_used(const bind_ir *ir, const bind_enum *e);

/** True when a parameter is of this kind. */
bool bind_has_kind(const bind_function *f, bind_kind kind);

/** True when any bound function takes or returns this handle. */
bool bind_handle_is_used(const bind_ir *ir, const bind_handle *h);

/** The only output that may share memory with an input, because the contract makes it alike without noalias, and that
 *  input; NULL when there is no such output, or more than one. */
const bind_param *bind_inplace_output(const bind_function *f);
const bind_param *bind_inplace_model(const bind_function *f);

#endif
