/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that C keeps after the call: the handle holds them. */
#ifndef DLFERRY_BIND_TWIN_KEEP_H
#define DLFERRY_BIND_TWIN_KEEP_H

#include "bind/ir/ir.h"

bool keep_needed(const bind_function *f);

/* Tell whether C keeps a DLTensor and not only the address of elements. */
bool keep_is_struct(const bind_param *p);

/* The argument of C for such a tensor. */
const char *keep_tensor(const bind_param *p);

/* Describe each kept tensor as the arguments that are only lent. */
const char *keep_arguments(const bind_function *f);

/* Keep tensors in a handle before C gets them; release them if C fails. */
const char *keep_before(const bind_function *f);
const char *keep_undone(const bind_function *f);

/* Keep tensors in the handle that C has made. */
const char *keep_after(const bind_function *f);

#endif
