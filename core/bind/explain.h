/* SPDX-License-Identifier: Apache-2.0 */
/* --explain FUNCTION or PATTERN. */
#ifndef DLFERRY_BIND_EXPLAIN_H
#define DLFERRY_BIND_EXPLAIN_H

#include "accept.h"
#include "bind/ir/ir.h"
#include "emitters.h"
#include <stdio.h>

/* Explain a function, named as in C or without the prefix; for a pattern with `*` say of each
 * function left out which clauses might bind it. Returns the exit status. */
int explain_function(const accept_inputs *inputs, const bind_ir *ir, const char *name, FILE *file);

/* Append the signature of a bound function in a language, a line for each of its forms, without
 * opening braces. */
void explain_put_signature(bind_text *t, const bind_emitter *e, const bind_ir *ir,
                           const bind_function *f);

#endif
