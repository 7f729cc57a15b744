/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the Julia emitter share: names, types, and what a contract says of a tensor. */
#ifndef DLFERRY_BIND_JULIA_JULIA_H
#define DLFERRY_BIND_JULIA_JULIA_H

#include "bind/base/output.h"
#include "bind/emit/slots.h"
#include "bind/read/ir.h"
#include <dlferry/contract.h>

const char *julia_name(const char *name);

/** Of a module, an enum or a handle. */
const char *julia_type_name(const char *short_name);

/** True when it is passed by name: what may be left out. */
bool julia_is_keyword(const bind_param *p);

/** True for a tensor that callers pass to be written. */
bool julia_is_written(const bind_param *p, bool makes);

/** How a parameter looks in a call: "image", "sigma = 1.0", or "" when it is left out. */
typedef const char *(*julia_argument)(const bind_param *p, const void *context);

/** blur!(out, image; sigma = 1.0), what is written to first, as Julia has it.
 *  @param makes  f_new is called, which makes its outputs */
const char *julia_signature(const bind_function *f, bool makes, julia_argument argument, const void *context);

/** "::Real" for a parameter of the definition, or "". */
const char *julia_annotation(const bind_type *type);

const char *julia_default(const bind_param *p);

/** What @kernel calls a parameter or a result: "Tensor", "Numbers{Int64}", "New{Float32,2}", "Value{Int64}". */
const char *julia_kind(const bind_function *f, const bind_slot *slot, const dlf_contract *contract);

/** What the docs call the value that C returns: "Int64", "String", "Sum". */
const char *julia_result_name(const bind_type *type);

/** True when a contract asks for this layout, and the axes are enough for it to matter.
 *  @param fortran  column-major, which a plain Matrix is; else row-major, which it is not */
bool julia_wants(const bind_param *p, const dlf_contract *contract, bool fortran);

/** The first paragraphs of a doc: the summary, or the name where there is none; then the description. */
const char *julia_doc(const char *summary, const char *name, const char *description);

/** Append the methods of a function: that which makes its outputs, where there is one, and that which is given them. */
void julia_put_functions(bind_text *t, const bind_function *f);

void julia_put_enum(bind_text *t, const bind_enum *e);
void julia_put_handle(bind_text *t, const bind_ir *ir, const bind_handle *h);

/** Write test/runtests.jl and test/golden.txt. */
void julia_emit_tests(const bind_ir *ir, bind_out *out, const char *module);

/* The entries of the table of languages; see emitters.h. */
int bind_emit_julia(const bind_ir *ir, bind_out *out);
void bind_explain_julia(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
