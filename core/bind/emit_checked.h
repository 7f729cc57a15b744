/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of NAME_dlferry.c. */
#ifndef DLFERRY_BIND_EMIT_CHECKED_H
#define DLFERRY_BIND_EMIT_CHECKED_H

#include "emit.h"

/* What all twins call. */
void bind_put_checked_helpers(bind_text *c, const bind_ir *ir);

/* f_checked, and f_new where there is one. */
void bind_put_twins(bind_text *c, const bind_function *f);

#endif
