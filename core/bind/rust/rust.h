/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the Rust emitter share: names and types, functions. */
#ifndef DLFERRY_BIND_RUST_RUST_H
#define DLFERRY_BIND_RUST_RUST_H

#include "bind/base/names.h"
#include "bind/base/output.h"
#include "bind/read/ir.h"

/* ---- types.c ---- */

/** Keywords, and the names that emitted functions use. */
extern const char rust_words[];

/** True for what a crate can be called that others depend on. */
bool rust_is_crate(const char *name);

const char *rust_name(const char *name);
const char *rust_enum_name(const bind_enum *e);
const char *rust_handle_name(const bind_handle *h);

/** The type of a parameter or a result that crosses to C by value. */
const char *rust_c_type(const bind_type *type);

/** What callers pass for anything but tensors; lifetime is "" or "'a ". */
const char *rust_type(const bind_type *type, const char *lifetime);

/** A parameter with a default, as each stream has, is a field of the function's options. */
bool rust_is_option(const bind_param *p);
int rust_count_options(const bind_function *f);

/** "BlurOptions". */
const char *rust_options_name(const bind_function *f);

/** "BlurOptions", with "<lifetime>" when it holds a text. */
const char *rust_options_type(const bind_function *f, const char *lifetime);

/** What the docs say of a parameter, in the order doc, contract, limits, default; may be "". */
const char *rust_about(const bind_param *p);

/** What it is called before keywords and forms are told apart: "blur", "encode". */
const char *rust_function_name(const bind_function *f);

/** Where the docs find a function: "blur", "Codec::encode". */
const char *rust_path(const bind_function *f);

/** The handle in whose impl a function stands, or NULL. */
const bind_handle *rust_home(const bind_function *f);

/** A doc text, each line after lead. */
const char *rust_doc(const char *lead, const char *doc);

/** The docs of an item; instead of a summary that is missing another. */
const char *rust_docs(const char *summary, const char *instead, const char *description);

/** What says how an item is called in C, unless that is its name. */
const char *rust_alias(const char *c, const char *name);

void rust_put_enum(bind_text *t, const bind_enum *e);
void rust_put_options(bind_text *t, const bind_function *f);

/** The struct around a handle. */
void rust_put_handle(bind_text *t, const bind_handle *h);

/* ---- call.c ---- */

/** A function in each of its forms: new tensors come back, into given ones, in place. */
void rust_put_function(bind_text *t, const bind_function *f);

/** All names that come of a function: "blur", "blur_into", "BlurOptions"; and those of its parameters, apart. */
void rust_add_names(bind_names *set, const bind_function *f);

/** The declaration of a twin in the extern block: of f_new (make) or f_checked. */
void rust_put_extern(bind_text *t, const bind_function *f, bool make);

/* ---- tests.c ---- */

/** tests/contract.rs and what its calls end with. */
void rust_emit_tests(const bind_ir *ir, bind_out *out);

/* The entries of the table of languages; see emitters.h. */
int bind_emit_rust(const bind_ir *ir, bind_out *out);
void bind_explain_rust(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
