/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the Rust emitter: names, types and functions. */
#ifndef DLFERRY_BIND_RUST_RUST_H
#define DLFERRY_BIND_RUST_RUST_H

#include "bind/base/names.h"
#include "bind/base/output.h"
#include "bind/ir/ir.h"

/* ---- types.c ---- */

/** Keywords, and names that emitted functions use. */
extern const char rust_words[];

/** Tell whether other crates can depend on a crate of this name. */
bool rust_is_crate(const char *name);

const char *rust_name(const char *name);
const char *rust_enum_name(const bind_enum *e);
const char *rust_handle_name(const bind_handle *h);
const char *rust_struct_name(const bind_struct *s);

/** Return the name of the twins' layout of a struct: "au_format_fields". */
const char *rust_layout_name(const bind_struct *s);

/** Return the type of a parameter or a result in the extern block. */
const char *rust_c_type(const bind_type *type);

/** Return the type of an argument, "" for tensors, whose types rust_parameter writes. lifetime is
 * that of a text: "", or "'a " in a struct. */
const char *rust_argument_type(const bind_type *type, const char *lifetime);

/** Count the fields of the function's options. */
int rust_count_options(const bind_function *f);

/* Tell whether a function borrows an object exclusively. */
bool rust_is_exclusive(const bind_function *f, const bind_param *p);

/** Return "BlurOptions", with "<lifetime>" if it holds a text. */
const char *rust_options_type(const bind_function *f, const char *lifetime);

/** Return the docs of a parameter: doc, contract, limits, default; may be "". */
const char *rust_about(const bind_param *p);

/** Return its name without changes for keywords and forms: "blur", "encode". */
const char *rust_function_name(const bind_function *f);

/** Return what stands before a function's name in its path: "Codec::", or "". */
const char *rust_home(const bind_function *f);

/** Return the path of a function in docs: "blur", "Codec::encode". */
const char *rust_path(const bind_function *f);

/** Return a doc text with lead before each line. */
const char *rust_doc(const char *lead, const char *doc);

/** Return the docs of an item; `instead` replaces a missing summary. */
const char *rust_docs(const char *summary, const char *instead, const char *description);

/** Return attributes with the names of a function in C, or of each member of a family, unless that
 * is its name in Rust. */
const char *rust_aliases(const bind_function *f, const char *name);

void rust_put_enum(bind_text *t, const bind_enum *e);
void rust_put_options(bind_text *t, const bind_function *f);

/** Append the struct of a handle. */
void rust_put_handle(bind_text *t, const bind_handle *h);

/* ---- struct.c ---- */

/** Append a struct with its defaults, and what ffi.rs has of it. */
void rust_put_struct(bind_text *t, const bind_struct *s);
void rust_put_layout(bind_text *types, bind_text *functions, const bind_struct *s);

/* ---- call.c ---- */

/** Append all forms of a function: returning new tensors, writing into given ones, in place. */
void rust_put_function(bind_text *t, const bind_function *f);

/** Add all names of a function, "blur", "blur_into", "BlurOptions", and those of its parameters. */
void rust_add_names(const bind_ir *ir, const bind_function *f, bind_names *own, bind_names *locals);

/** Append the declarations of f_checked and of f_new, if there is one, in the extern block. */
void rust_put_externs(bind_text *t, const bind_function *f);

/* ---- tests.c ---- */

/** Write tests/contract.rs and tests/golden.txt. */
void rust_emit_tests(const bind_ir *ir, bind_out *out);

/* The entries of the table of languages; see emitters.h. */
bool rust_settle_names(bind_ir *ir);
void bind_emit_rust(const bind_ir *ir, bind_out *out);
void bind_explain_rust(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
