/* SPDX-License-Identifier: Apache-2.0 */
/* How C declares the twins. */
#ifndef DLFERRY_BIND_EMIT_DECLARE_H
#define DLFERRY_BIND_EMIT_DECLARE_H

#include "bind/base/text.h"
#include "bind/read/ir.h"

/** C declaration of the twins' parameter, as a list of them wants it: "const dlf_arg *frames, int64_t frames_count, ". */
void bind_put_c_param(bind_text *text, const bind_param *p, bool make);

/** How the twins call the place of what the function returns: "result", unless a parameter is called so. */
const char *bind_result_name(const bind_function *f);

/** C declaration of the twin, without ';':
 *  dlf_status photo_blur_checked(dlf_arg image, double sigma, dlf_arg out, dlf_error *error) */
void bind_put_checked(bind_text *text, const bind_function *f);
/** The same under another name. */
void bind_put_twin(bind_text *text, const bind_function *f, const char *name);

/** C declaration of the function that makes its outputs, without ';'; f->new_name must be set:
 *  dlf_status photo_blur_new(dlf_arg image, double sigma, DLManagedTensorVersioned **out, dlf_error *error) */
void bind_put_new(bind_text *text, const bind_function *f);

#endif
