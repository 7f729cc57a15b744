/* SPDX-License-Identifier: Apache-2.0 */
/* Between read.c and the files that build the IR: build.c, type.c, contract.c and shorten.c. */
#ifndef DLFERRY_BIND_READ_BUILDER_H
#define DLFERRY_BIND_READ_BUILDER_H

#include "bind/base/text.h"
#include "doc.h"
#include "ir.h"
#include "parse.h"
#include "read.h"
#include <dlferry.h>

typedef struct ir_builder {
  bind_ir *ir;
  const bind_options *options;
  const c_header *header;
  bool failed;
} ir_builder;

/* Print what is wrong at a line; the command then fails. */
void ir_fail(ir_builder *b, int line, const char *format, ...) BIND_PRINTF(3, 4);

/* A name without the prefix, and without that and another one; ir_strip gives NULL when what is left is no name. */
const char *ir_short_name(ir_builder *b, const char *name, int line);
const char *ir_strip(const char *name, const char *prefix);

/* ---- build.c ---- */

/* The enums of the header; the count of those that are skipped, each with a message. */
int ir_build_enums(ir_builder *b);

/* All functions but those that free a handle; after enums and handles. */
void ir_build_functions(ir_builder *b);

/* ---- type.c ---- */

bool ir_is_struct(const c_type *t, const char *name);
bind_type ir_build_type(const ir_builder *b, const c_type *t);

/* A parameter's type; what is written through a pointer to a scalar or to a handle is a result. */
bind_type ir_build_param_type(const ir_builder *b, const c_type *t, bool *returned);

/* The structs that some function frees. */
void ir_build_handles(ir_builder *b);

/* Why a type cannot be bound as a parameter, or NULL; `from` is what C calls it. */
const char *ir_why_unbound(const ir_builder *b, const bind_type *type, const c_type *from);

/* ---- contract.c ---- */

/* Compile the contract and take over what it says; lists and arrays lose the parameters that count them. */
void ir_build_contract(ir_builder *b, bind_function *f, const char *text);

#endif
