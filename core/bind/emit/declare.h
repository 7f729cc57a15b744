/* SPDX-License-Identifier: Apache-2.0 */
/* The declarations of twins in C. */
#ifndef DLFERRY_BIND_EMIT_DECLARE_H
#define DLFERRY_BIND_EMIT_DECLARE_H

#include "bind/ir/ir.h"

/** Tell whether a twin takes a pointer to a number, which is NULL if callers leave it out. */
bool bind_is_behind(const bind_param *p);

/** Return a cast to a type, whose spelling may end with a blank: "(int64_t)", "(const float *)". */
const char *bind_cast_to(const char *c);

/** What the twins call a parameter whose name they need themselves begins with this. */
#define BIND_OWN_NAME "dlf_named_"

/** Return what the twins of a function call a parameter: its name, unless the twins need that. */
const char *bind_twin_param_name(const bind_function *f, const char *name);

/** Name the twins' parameter for the returned value: "result", unless another parameter has that
 * name. */
const char *bind_result_name(const bind_function *f);

/** Return the declaration of the twin, without ';':
 *  dlf_status photo_blur_checked(dlf_arg image, double sigma, dlf_arg out, dlf_error *error) */
const char *bind_declare_checked(const bind_function *f);
/** Return it under another name. */
const char *bind_declare_twin(const bind_function *f, const char *name);

/** Return the declaration of the twin that makes its outputs, without ';'; f->new_name must be set:
 *  dlf_status photo_blur_new(dlf_arg image, double sigma, DLManagedTensorVersioned **out, dlf_error
 * *error) */
const char *bind_declare_new(const bind_function *f);

#endif
