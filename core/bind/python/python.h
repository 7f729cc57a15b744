/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the Python emitter: the form of a C function in Python. */
#ifndef DLFERRY_BIND_PYTHON_PYTHON_H
#define DLFERRY_BIND_PYTHON_PYTHON_H

#include "bind/base/output.h"
#include "bind/base/template.h"
#include "bind/ir/ir.h"

/* The parameters of callers in C's order, but those that may be left out (with a default, optional,
 * or an output that is made) come after the last required one, as Python wants. The object of a
 * method comes first, as self. */
typedef struct python_params {
  const bind_param **list;
  int *slot; /* index among the thunk's tensors, lists, arrays or objects; -1 for others. Tensors
                that are made come last */
  int count, required, made;
  int tensors, lists, arrays, objects;
  int object_lists; /* among the arrays */
  int self;         /* 1 for a method, else 0 */
} python_params;

python_params python_order(const bind_function *f);

/* Return the place of a parameter in the list. */
int python_place_of(const python_params *params, const bind_param *p);

/* Return the name in Python, apart from keywords. */
const char *python_name(const char *name);

/* Return the name of a function in its module or class, and of a handle's class. */
const char *python_function_name(const bind_function *f);
const char *python_class_name(const bind_handle *h);
const char *python_enum_name(const bind_enum *e);
const char *python_struct_name(const bind_struct *s);
const char *python_member_name(const bind_enumerator *v);

/* Return a builtin or imported name that no name of the module hides: "str", or "_str". */
const char *python_plain(const bind_ir *ir, const char *word);
/* Return its import: "Iterable", or "Iterable as _Iterable". */
const char *python_import(const bind_ir *ir, const char *word);

/* Return the function that Class(...) calls: the first that makes an object, or NULL.
 * A deprecated one only if all are. */
const bind_function *python_constructor(const bind_handle *h);

/* Tell whether Class(...) calls a function. */
bool python_constructs(const bind_function *f);

/* Tell a function of the module from one of a class. */
bool python_is_free(const bind_function *f);

/* Return a parameter's default in Python, or NULL. */
const char *python_default(const bind_param *p);

/* Return "(image, sigma=1.0, out=None)"; "$self" comes first for a method. */
const char *python_signature(const bind_ir *ir, const bind_function *f,
                             const python_params *params);

/* Return the type in stubs and docs of a parameter that is not a tensor. */
const char *python_hint(const bind_type *type);
/* Return it as no name of the module hides it. */
const char *python_plain_hint(const bind_ir *ir, const bind_type *type);
/* The same of a result that is no array. */
const char *python_result_hint(const bind_ir *ir, const bind_param *p);

/* Append the thunk of a function: static PyObject *py_NAME(...). */
void python_put_thunk(bind_text *t, const bind_ir *ir, const bind_function *f);

/** Tell whether a function is a method without parameters, whose thunk has the arguments of
 * METH_NOARGS. */
bool python_is_bare(const bind_function *f);

/** How a thunk handles a value of a kind, as templates. */
typedef struct python_row {
  const char *local;  /**< the variable for its value */
  const char *reads;  /**< a condition that is true if reading it fails */
  const char *passed; /**< the argument of C */
  const char *object; /**< the Python object of a result */
} python_row;

extern const python_row python_rows[BIND_OTHER];

/* ---- struct.c ---- */

/* Append what types of structs have in the extension: their properties and the type itself. */
void python_put_struct(bind_text *t, const bind_ir *ir, const bind_struct *s);

/* Append its stub. */
void python_put_struct_stub(bind_text *t, const bind_ir *ir, const bind_struct *s);

/* Append its docstring: static const char doc_NAME[]. */
void python_put_docstring(bind_text *t, const bind_ir *ir, const bind_function *f);

/* Append a class's docstring, with the parameters of its constructor. */
void python_put_class_doc(bind_text *t, const bind_ir *ir, const bind_handle *h);

/* Write the other files: the module and the project; stubs; tests. */
void python_emit_package(const bind_ir *ir, bind_out *out);
void python_emit_tests(const bind_ir *ir, bind_out *out);
void python_emit_stubs(const bind_ir *ir, bind_out *out);
void python_put_enums(bind_text *t, const bind_ir *ir, int blank);
void python_put_constants(bind_text *t, const bind_ir *ir, bool stub);
void python_put_all(bind_text *t, const bind_ir *ir);
void python_put_enum_import(bind_text *t, const bind_ir *ir);

/* The entries of the table of languages; see emitters.h. */
void bind_emit_python(const bind_ir *ir, bind_out *out);
void bind_explain_python(const bind_ir *ir, const bind_function *f, bind_text *text);

/** Import the builtins whose names the package has for something else; only those that body
 * mentions, unless NULL. */
void python_put_builtins(bind_text *t, const bind_ir *ir, const char *body);

/* Return fields, and behind them those that templates of thunks have for a type. */
const bind_field *python_type_fields(const bind_field *fields, const bind_type *type);

#endif
