/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of a header's functions: f_checked calls f once its arguments hold, f_new makes the
 * outputs too. */
#ifndef DLFERRY_BIND_TWIN_TWIN_H
#define DLFERRY_BIND_TWIN_TWIN_H

#include "bind/base/output.h"
#include "bind/base/text.h"
#include "bind/ir/ir.h"

/* The compiled contract of a function, and the arguments of a call for it. */
void twin_put_once(bind_text *c, const bind_function *f);
const char *twin_value_list(const bind_function *f, bool make);

/* The twins of a family: they choose a member. */
void twin_put_family(bind_text *c, const bind_function *f);

/* f_checked, and f_new if there is one. */
void bind_put_twins(bind_text *c, const bind_function *f);

/* Write NAME_dlferry.h and NAME_dlferry.c, and fill ir->twin_h and ir->twin_c. */
void bind_emit_twins(bind_ir *ir, bind_out *out);

#endif
