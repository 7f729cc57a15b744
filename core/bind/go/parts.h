/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the Go emitter: go.c writes the package, call.c its functions and the C
 * that they call, types.c its names, docs and types, tests.c its tests. */
#ifndef DLFERRY_BIND_GO_PARTS_H
#define DLFERRY_BIND_GO_PARTS_H

#include "bind/base/template.h"
#include "bind/ir/ir.h"

#define GO_KEYWORDS                                                                                \
  "break case chan const continue default defer else fallthrough for func go goto if import "      \
  "interface map package "                                                                         \
  "range return select struct switch type var"

/* One form of a function: with make, outputs that can be made are results. */
typedef struct go_call {
  const bind_ir *ir;
  const bind_function *f;
  bool make;
} go_call;

/* ---- types.c ---- */

/* Step to the next form, from {ir} to the first: of each function the form that makes its outputs,
 * then the other. */
bool go_next_call(go_call *call);

/* Return a parameter's name: maxCount for max_count. */
const char *go_local(const char *name);

/* Return the type of an argument or a result that is not generic. */
const char *go_type(const bind_type *type);

/* Tell whether callers choose the element type of a list or an array. A method cannot be generic,
 * so its lists and arrays have the plain type. */
bool go_is_generic(const bind_function *f, const bind_param *p);

/* All options of a function are one parameter in the place of the first, which is NULL if there are
 * none. */
const bind_param *go_first_option(const bind_function *f);

/* Return "options.Sigma" or "image". */
const char *go_argument(const bind_param *p);

/* Return its value: "generated.Or(options.Sigma, 1.0)" if a nil pointer means a default that is not
 * zero. */
const char *go_value(const bind_param *p);

/* Tell whether a call may fail, so that it returns an error: an object may be closed. */
bool go_can_fail(const bind_function *f);

/* Return "Blur", "BlurInto", or a method's "Encode". */
const char *go_function_name(const go_call *call);

/* Return the name of the C function: "dlfgo_photo_blur_new". It cannot begin with the package's
 * name, since C.enum_... is a type to cgo. */
const char *go_shim(const go_call *call);
const char *go_free_shim(const bind_ir *ir, const bind_handle *h);

/* Return a doc text on one line. gofmt rewrites indented lines, lists and headings, so docs have
 * none from C. */
const char *go_one_line(const char *doc);

/* Return "// NAME: summary", and the paragraphs of the description. */
const char *go_doc(const char *name, const char *summary, const char *description);

/* Return ": values of any range; f32[h, w]; default 1.0", or the parts that there are. */
const char *go_about(const bind_param *p);

void go_put_enum(bind_text *t, const bind_enum *e);
void go_put_handle(bind_text *t, const bind_handle *h);
void go_put_options(bind_text *t, const bind_function *f);

/* ---- struct.c ---- */

/* Return the name of the twins' layout of a struct, "au_format_fields", and of the function that
 * gives its defaults, "FormatDefaults". */
const char *go_layout(const bind_struct *s);
const char *go_defaults_name(const bind_struct *s);

/* Return the name of the C function that gives its defaults. */
const char *go_defaults_shim(const bind_ir *ir, const bind_struct *s);

/* Append a struct in Go, and that function. */
void go_put_struct(bind_text *t, const bind_ir *ir, const bind_struct *s);
void go_put_defaults_shim(bind_text *t, const bind_ir *ir, const bind_struct *s);

/* ---- uses.c ---- */

/* Count the single objects that a call enters before a parameter, or all for NULL. */
int go_count_uses(const bind_function *f, const bind_param *before);

/* Tell whether a call enters objects. */
bool go_enters(const bind_function *f);

/* Return where the objects of a list are among those of the call: "2 + lids_count". */
const char *go_first_use(const bind_function *f, const bind_param *list);

/* Return "dlf_uses, 2". */
const char *go_used(const bind_function *f);

/* Return what refuses pointers that are NULL: "!(a && b) ? ... : ". */
const char *go_without_memory(const bind_function *f, const char *pointers);

/* Enter the objects in C, and leave them: before that their texts are copied and new handles are
 * boxed. */
const char *go_entering(const bind_function *f, const bind_field *fields);
const char *go_leaving(const bind_function *f);

/* ---- call.c ---- */

/* Return the fields for the templates of a function, in Go and in C. */
const bind_field *go_fields(const go_call *call);

/* Append a function in Go, with the options before its first form. */
void go_put_function(bind_text *t, const go_call *call, const bind_field *fields);

/* Append its function in C. */
void go_put_shim(bind_text *t, const go_call *call, const bind_field *fields);

#endif
