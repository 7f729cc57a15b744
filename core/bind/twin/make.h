/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that a call omits, made without the interpreter: straight-line C beside the fast check.
 */
#ifndef DLFERRY_BIND_TWIN_MAKE_H
#define DLFERRY_BIND_TWIN_MAKE_H

#include "bind/base/text.h"
#include "bind/ir/ir.h"

/* static bool dlferry_make_NAME(...), for a function with a fast check. */
void bind_put_make(bind_text *text, const bind_function *f);

#endif
