/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the Julia emitter: names, types, and the contract's rules for a tensor. */
#ifndef DLFERRY_BIND_JULIA_JULIA_H
#define DLFERRY_BIND_JULIA_JULIA_H

#include "bind/base/output.h"
#include "bind/emit/slots.h"
#include "bind/ir/ir.h"

const char *julia_name(const char *name);

/** Return the name of a submodule, an enum, a struct or a handle. */
const char *julia_type_name(const char *short_name);

/** Return the package's name, "Fft", or "LibFft" where a type is called Fft: a module cannot hold
 * its own name. */
const char *julia_package(const bind_ir *ir);

/** Return the type of a number in C: "Int32", "Cdouble"; "Bool" for a bool. */
const char *julia_scalar(const bind_type *type);

/** Tell whether a parameter is passed by name, since it may be left out. */
bool julia_is_keyword(const bind_param *p);

/** Tell whether callers pass a tensor that is written. */
bool julia_is_written(const bind_param *p, bool makes);

/** Returns the text of a parameter in a call: "image", "sigma = 1.0", or "" to leave it out. */
typedef const char *(*julia_argument)(const bind_param *p, const void *context);

/** Return blur!(out, image; sigma = 1.0); tensors that are written come first, as Julia has it.
 *  @param makes  for f_new, which makes its outputs */
const char *julia_signature(const bind_function *f, bool makes, julia_argument argument,
                            const void *context);

/** Return "::Real" for a parameter of the definition, or "". */
const char *julia_annotation(const bind_param *p);

const char *julia_default(const bind_param *p);

/** Return the kind of a parameter or a result for @kernel: "Tensor", "New{Float32,2}",
 * "Value{Int64}". */
const char *julia_kind(const bind_function *f, const bind_slot *slot);

/** Return the type of the value that C returns, for docs: "Int64", "String", "Sum". */
const char *julia_result_name(const bind_type *type);

/** Tell whether a contract asks for this layout of a tensor with enough axes to have one.
 *  @param fortran  column-major, like a plain Matrix; else row-major */
bool julia_wants(const bind_function *f, const bind_param *p, bool fortran);

/** Return the first paragraphs of a doc: the summary, or the name without one; then the
 * description. */
const char *julia_doc(const char *summary, const char *name, const char *description);

/** Append the methods of a function: the one that makes its outputs, if there is one, and the one
 * that gets them. */
void julia_put_functions(bind_text *t, const bind_function *f);

void julia_put_enum(bind_text *t, const bind_enum *e);
void julia_put_handle(bind_text *t, const bind_handle *h);

/* ---- struct.c ---- */

/** Append a struct with its constructor, and its layout for C. */
void julia_put_struct(bind_text *t, const bind_struct *s);

/** Write test/runtests.jl and test/golden.txt. */
void julia_emit_tests(const bind_ir *ir, bind_out *out);

/* The entries of the table of languages; see emitters.h. */
void bind_emit_julia(const bind_ir *ir, bind_out *out);
void bind_explain_julia(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
