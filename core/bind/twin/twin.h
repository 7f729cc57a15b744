/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of a header's functions: f_checked calls f once its arguments hold, f_new makes the
 * outputs too. */
#ifndef DLFERRY_BIND_TWIN_TWIN_H
#define DLFERRY_BIND_TWIN_TWIN_H

#include "bind/base/output.h"
#include "bind/ir/ir.h"

/* Write NAME_dlferry.h and NAME_dlferry.c, and fill ir->twin_h and ir->twin_c. */
void bind_emit_twins(bind_ir *ir, bind_out *out);

#endif
