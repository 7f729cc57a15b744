/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of NAME_dlferry.c. */
#ifndef DLFERRY_BIND_TWIN_CHECKED_H
#define DLFERRY_BIND_TWIN_CHECKED_H

#include "bind/base/output.h"
#include "bind/base/text.h"
#include "bind/read/ir.h"

/* What all twins call. */
void bind_put_checked_helpers(bind_text *c, const bind_ir *ir);

/* f_checked, and f_new where there is one. */
void bind_put_twins(bind_text *c, const bind_function *f);

/* Write NAME_dlferry.h and NAME_dlferry.c, and fill ir->checked_h and ir->checked_c. */
int bind_emit_checked(bind_ir *ir, bind_out *out);

#endif
