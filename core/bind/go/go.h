/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_BIND_GO_GO_H
#define DLFERRY_BIND_GO_GO_H

#include "bind/base/output.h"
#include "bind/ir/ir.h"

/* The entries of the table of languages; see emitters.h. */
bool go_settle_names(bind_ir *ir);
void bind_emit_go(const bind_ir *ir, bind_out *out);
void go_emit_tests(const bind_ir *ir, bind_out *out);
void bind_explain_go(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
