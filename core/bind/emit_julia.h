/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the Julia emitter share: names, types, and what a contract says of a tensor. */
#ifndef DLFERRY_BIND_EMIT_JULIA_H
#define DLFERRY_BIND_EMIT_JULIA_H

#include "emit.h"

const char *julia_name(const char *name);
const char *julia_enum_name(const bind_enum *e);
const char *julia_handle_name(const bind_handle *h);

/** Flags are plain integers in Julia, since an @enum cannot be or-ed. */
bool julia_is_enum(const bind_type *type);

/** The type of a ccall. */
const char *julia_c_type(const bind_type *type);

/** "::Real" for a parameter of the definition, or "". */
const char *julia_annotation(const bind_type *type);

const char *julia_default(const bind_param *p);

/** What @kernel calls a parameter that callers pass: "Tensor", "Numbers{Int64}". */
const char *julia_kind(const bind_type *type);

/** What @kernel calls a result that is no tensor: "Value{Int64}", "Text", "Opened{Sum}". */
const char *julia_result_kind(const bind_type *type);

/** What the docs call the value that C returns: "Int64", "String", "Sum". */
const char *julia_result_name(const bind_type *type);

/** What @kernel calls a tensor that comes back: "New{Float32,2}", or "New" when the contract leaves it open. */
const char *julia_new(const bind_function *f, const bind_param *p);

/** True when a contract asks for row-major elements, which a plain Matrix does not have. */
bool julia_wants_rows(const bind_function *f, const bind_param *p);

void julia_put_enum(bind_text *t, const bind_enum *e);
void julia_put_handle(bind_text *t, const bind_ir *ir, const bind_handle *h);

#endif
