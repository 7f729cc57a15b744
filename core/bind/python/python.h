/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the Python emitter share: how a C function looks from Python. */
#ifndef DLFERRY_BIND_PYTHON_PYTHON_H
#define DLFERRY_BIND_PYTHON_PYTHON_H

#include "bind/base/output.h"
#include "bind/read/ir.h"

/* What callers pass, in Python's order: what is required, what has a default, the outputs that may be left out; C's
 * order is kept within each of these. The object of a method comes first, as self. */
typedef struct python_params {
  const bind_param **list;
  int *slot; /* index among the thunk's tensors, lists, arrays or objects; -1 for others */
  int count, required, made;
  int tensors, lists, arrays, objects;
  int self; /* 1 for a method, else 0 */
} python_params;

python_params python_order(const bind_function *f);

/* Where in the list a parameter is. */
int python_place_of(const python_params *params, const bind_param *p);

/* The name that Python knows something by. */
const char *python_name(const char *name);

/* The name of a function in its module or class, and of a handle's class. */
const char *python_function_name(const bind_function *f);
const char *python_class_name(const bind_handle *h);
const char *python_enum_name(const bind_enum *e);
const char *python_member_name(const bind_enumerator *v);

/* A builtin, or what the module imports, under a name that none of its own hides: "str", or "_str". */
const char *python_plain(const bind_ir *ir, const char *word);
/* The same where it is imported: "Iterable", or "Iterable as _Iterable". */
const char *python_import(const bind_ir *ir, const char *word);

/* The function that Class(...) calls: the first that creates one, or NULL. */
const bind_function *python_constructor(const bind_ir *ir, const bind_handle *h);

/* True for a function of the module, false for one of a class. */
bool python_is_free(const bind_function *f);

/* A parameter's default as Python spells it, or NULL. */
const char *python_default(const bind_param *p);

/* "(image, sigma=1.0, out=None)"; "$self" first for a method. */
const char *python_signature(const bind_ir *ir, const bind_function *f, const python_params *params);

/* The type that stubs and docs name, of what is not a tensor. */
const char *python_hint(const bind_type *type);

/* What a call returns, in order: the value (p NULL), what is made, what is returned; false at the end. Outputs that are
 * given are results too where f_new would make them, so that a call's results have one shape. */
bool python_next_result(const bind_function *f, int *at, const bind_param **p, const bind_type **type);

/* The thunk of one function: static PyObject *py_NAME(...). */
void python_put_thunk(bind_text *t, const bind_ir *ir, const bind_function *f);

/* Its docstring: static const char doc_NAME[]. */
void python_put_docstring(bind_text *t, const bind_ir *ir, const bind_function *f);

/* A class's docstring, with the constructor's parameters if it has one. */
void python_put_class_doc(bind_text *t, const bind_ir *ir, const bind_handle *h);

/* Write all but the interface: the module, the project; stubs; tests. */
void python_emit_package(const bind_ir *ir, bind_out *out);
void python_emit_tests(const bind_ir *ir, bind_out *out);
void python_emit_stubs(const bind_ir *ir, bind_out *out);
void python_put_enums(bind_text *t, const bind_ir *ir, int blank);
void python_put_all(bind_text *t, const bind_ir *ir);
void python_put_enum_import(bind_text *t, const bind_ir *ir);

/* The entries of the table of languages; see emitters.h. */
int bind_emit_python(const bind_ir *ir, bind_out *out);
void bind_explain_python(const bind_ir *ir, const bind_function *f, bind_text *text);

#endif
