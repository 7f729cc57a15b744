/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files of the Go emitter: go.c writes NAME.go and what lies beside it, call.c its functions and
 * the C that they call, types.c its names, docs and types, and files. */
#ifndef DLFERRY_BIND_GO_GO_H
#define DLFERRY_BIND_GO_GO_H

#include "bind/base/output.h"
#include "bind/base/template.h"
#include "bind/read/ir.h"

#define GO_KEYWORDS                                                                                                    \
  "break case chan const continue default defer else fallthrough for func go goto if import interface map package "    \
  "range return select struct switch type var"

/* One function as it is emitted: with make, outputs that can be made are results. */
typedef struct go_call {
  const bind_ir *ir;
  const bind_function *f;
  bool make;
} go_call;

/* ---- types.c ---- */

/* A file of a template, below the lines that say where it is from. */
#define go_write(ir, out, path, template, ...) go_write_file(ir, out, path, template, bind_fields(__VA_ARGS__))
void go_write_file(const bind_ir *ir, bind_out *out, const char *path, const char *template, const bind_field *fields);

/* The call after it, of {ir} the first: of each function the form that makes its outputs, then the other. */
bool go_next_call(go_call *call);

/* A parameter's name: maxCount from max_count. */
const char *go_local(const char *name);

/* Of an argument or a result, where it is not generic. */
const char *go_type(const bind_type *type);

/* An option has a default, as a stream has. All of a function are one parameter, in the place of the first, NULL when there is none. */
bool go_is_option(const bind_param *p);
const bind_param *go_first_option(const bind_function *f);

/* "options.Sigma" or "image". */
const char *go_argument(const bind_param *p);

/* "Blur", "BlurInto", or a method's "Encode". */
const char *go_function_name(const go_call *call);

/* Where a function is told apart from others of its package: "CodecEncode". */
const char *go_options_name(const bind_function *f);

/* What Go calls in C: "dlfgo_photo_blur_new". To cgo C.enum_... is a type, so the package's name may not begin it. */
const char *go_shim(const go_call *call);
const char *go_free_shim(const bind_ir *ir, const bind_handle *h);

/* Docs: gofmt rewrites indented lines, lists and headings, so none of these may come from a C comment. */
const char *go_one_line(const char *doc);

/* "// NAME: what it does.", and paragraphs. */
const char *go_doc(const char *name, const char *summary, const char *description);

/* ": values of any range; f32[h, w]; default 1.0": whatever there is. */
const char *go_about(const bind_param *p);

void go_put_enum(bind_text *t, const bind_enum *e);
void go_put_handle(bind_text *t, const bind_handle *h);
void go_put_options(bind_text *t, const bind_function *f);

/* ---- call.c ---- */

/* With the options, if it is the first of its forms. */
void go_put_function(bind_text *t, const go_call *call);

/* The same in C. */
void go_put_shim(bind_text *t, const go_call *call);

/* ---- tests.c ---- */

/* NAME_contract_test.go and what its calls end with. */
void go_emit_tests(const bind_ir *ir, bind_out *out);

/* The entries of the table of languages; see emitters.h. */
int bind_emit_go(const bind_ir *ir, bind_out *out);
void bind_explain_go(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
