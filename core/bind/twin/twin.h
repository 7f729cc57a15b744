/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of a header's functions: f_checked calls f once its arguments hold, f_new makes the outputs too. */
#ifndef DLFERRY_BIND_TWIN_TWIN_H
#define DLFERRY_BIND_TWIN_TWIN_H

#include "bind/base/output.h"
#include "bind/base/text.h"
#include "bind/read/ir.h"

/* f_checked, and f_new if there is one. */
void bind_put_twins(bind_text *c, const bind_function *f);

/* Write NAME_dlferry.h and NAME_dlferry.c, and fill ir->twin_h and ir->twin_c. */
int bind_emit_twins(bind_ir *ir, bind_out *out);

#endif
