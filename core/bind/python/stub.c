/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs, NAME/__init__.pyi, for type checkers.
 *
 *   def blur(image: _Array, sigma: float = 1.0, out: _Array | None = None) -> _Array: ... */
#include "bind/base/escape.h"
#include "bind/base/template.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "python.h"
#include <string.h>

const char *python_hint(const bind_type *type) {
  switch (type->kind) {
  case BIND_REAL: return "float";
  case BIND_BOOL: return "bool";
  case BIND_STRING: return "str";
  case BIND_ENUM: return python_enum_name(type->enumeration);
  case BIND_HANDLE: return python_class_name(type->handle);
  case BIND_ARRAY: return type->scalar == BIND_F32 || type->scalar == BIND_F64 ? "float" : "int";
  default: return "int";
  }
}

static const char *python_stub_hint(const bind_ir *ir, const bind_type *type) {
  const bool own = type->kind == BIND_ENUM || type->kind == BIND_HANDLE;
  return own ? python_hint(type) : python_plain(ir, python_hint(type));
}

static bool python_is_array(const bind_param *p) { return p && (p->made || p->type.kind == BIND_GIVEN); }

/* Return the clause from its only dtype on, "T[h, w] noalias"; NULL for none or several. */
static const char *python_one_dtype(const bind_param *p) {
  const char *text = p->contract, *bracket = strchr(text, '[');
  if (!bracket || memchr(text, '|', (size_t)(bracket - text))) return NULL;
  for (const char *at = text; at < bracket; at++)
    if (*at == ' ') text = at + 1;
  return strncmp(text, "any[", 4) == 0 ? NULL : text;
}

/* Count the extents; a run of any number counts as a thousand. */
static int python_axes(const char *clause) {
  const char *at = clause + strcspn(clause, "[");
  at += *at == '[';
  int count = *at != ']';
  for (; *at && *at != ']'; at++) count += *at == ',' ? 1 : strncmp(at, "...", 3) == 0 ? 1000 : 0;
  return count;
}

/* Tell whether a result has the first tensor's type if types tell dtype and rank, as in NumPy. */
static bool python_is_like_first(const bind_function *f, const bind_param *p) {
  const bind_param *first = bind_first_tensor(f);
  if (!first || !python_is_array(p)) return false;
  const char *like = bind_string("like %s ", first->name);
  if (strncmp(bind_string("%s ", p->contract), like, strlen(like)) == 0) return true;
  const char *ours = python_one_dtype(p), *its = python_one_dtype(first);
  if (!ours || !its || strncmp(ours, its, strcspn(its, "[") + 1) != 0) return false;
  return python_axes(ours) == python_axes(its);
}

/* Return the type of a returned array. Without a first array a new one is dlferry's, but a given one may be any. */
static const char *python_array_hint(const bind_function *f, const bind_param *p) {
  if (!bind_first_tensor(f)) return p->made ? "Any" : "Tensor";
  return python_is_like_first(f, p) ? "_Array" : "Any";
}

/* Return the only output if the call returns it because it has no results; else NULL. */
static const bind_param *python_sole_output(const bind_function *f) {
  const bind_param *sole = NULL, *p;
  const bind_type *type;
  if (python_next_result(f, &(int){0}, &p, &type)) return NULL;
  for (p = f->params; p < f->params + f->param_count; p++) {
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_OUT || p->optional) continue;
    if (sole) return NULL;
    sole = p;
  }
  return sole;
}

/* An argument is a type variable if results have its type. */
static bool python_is_variable(const bind_function *f, const bind_param *p) {
  if (p == python_sole_output(f)) return true;
  const bind_param *result;
  const bind_type *type;
  if (p != bind_first_tensor(f)) return python_is_like_first(f, p);
  for (int at = 0; python_next_result(f, &at, &result, &type);)
    if (python_is_like_first(f, result)) return true;
  return false;
}

static const char *python_argument_hint(const bind_ir *ir, const bind_function *f, const bind_param *p) {
  const char *array = python_is_variable(f, p) ? "_Array" : python_plain(ir, "object");
  const char *sequence = python_plain(ir, "Iterable");
  switch (p->type.kind) {
  case BIND_TENSOR: return p->made || p->optional ? bind_string("%s | None", array) : array;
  case BIND_LIST: return bind_string("%s[%s]", sequence, array);
  case BIND_ARRAY: return bind_string("%s[%s]", sequence, python_stub_hint(ir, &p->type));
  default: return python_stub_hint(ir, &p->type);
  }
}

/* A call without results returns the given outputs, or None. */
static const char *python_return_hint(const bind_ir *ir, const bind_function *f) {
  const bind_param *p;
  const bind_type *type;
  const char *list = "";
  int count = 0;
  for (int at = 0; python_next_result(f, &at, &p, &type); count++) {
    const char *array = python_is_array(p) ? python_array_hint(f, p) : "";
    const char *one = !*array ? python_stub_hint(ir, type) : *array == '_' ? array : python_plain(ir, array);
    list = bind_join(list, ", ", one);
  }
  if (python_sole_output(f)) return "_Array";
  for (int i = 0; count == 0 && i < f->param_count; i++) {
    const bind_param *out = &f->params[i];
    if (out->type.kind == BIND_TENSOR && out->direction == BIND_OUT && !out->optional)
      return python_plain(ir, "object");
  }
  if (count == 0) return "None";
  return count == 1 ? list : bind_string("%s[%s]", python_plain(ir, "tuple"), list);
}

static void python_put_stub(bind_text *t, const bind_ir *ir, const bind_function *f, const char *name,
                            const char *first) {
  const python_params params = python_order(f);
  bind_put(t, "def %s(%s", name, first);
  for (int i = params.self; i < params.count; i++) {
    const bind_param *p = params.list[i];
    const char *value = python_default(p);
    bind_put(t, "%s%s: %s%s%s", i > params.self || *first ? ", " : "", python_name(p->name),
             python_argument_hint(ir, f, p), value ? " = " : "", value ? value : "");
  }
  bind_line(t, ") -> %s: ...", *first == 'c' ? python_plain(ir, "Self") : python_return_hint(ir, f));
}

static const char python_class_stub[] = "\n"
                                        "@$final\n"
                                        "class $name:\n"
                                        "    \"\"\"$doc\"\"\"\n"
                                        "\n"
                                        "    $methods\n"
                                        "    def close(self) -> None: ...\n"
                                        "    def __enter__(self) -> $self: ...\n"
                                        "    def __exit__(self, *exception: $object) -> None: ...\n";

static void python_put_class_stub(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const bind_function *constructor = python_constructor(ir, h);
  bind_text methods = {0};
  if (constructor) python_put_stub(&methods, ir, constructor, "__new__", "cls");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->creates == h && f != constructor) {
      bind_line(&methods, "@%s", python_plain(ir, "staticmethod"));
      python_put_stub(&methods, ir, f, python_function_name(f), "");
    }
    if (f->method_of == h) python_put_stub(&methods, ir, f, python_function_name(f), "self");
  }
  bind_fill(t, python_class_stub, {"final", python_plain(ir, "final")}, {"name", python_class_name(h)},
            {"doc", bind_doc_escape(BIND_DOC_PYTHON, *h->summary ? h->summary : h->name)},
            {"methods", bind_keep(&methods)}, {"self", python_plain(ir, "Self")},
            {"object", python_plain(ir, "object")});
}

typedef struct python_needs {
  bool tensor, array, any, iterable;
} python_needs;

static python_needs python_find_needs(const bind_ir *ir) {
  python_needs needs = {false, false, false, false};
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    const bind_param *p;
    const bind_type *type;
    for (int at = 0; python_next_result(f, &at, &p, &type);) {
      if (!python_is_array(p)) continue;
      const char *hint = python_array_hint(f, p);
      *(*hint == 'T' ? &needs.tensor : *hint == 'A' ? &needs.any : &needs.array) = true;
    }
    needs.array = needs.array || python_sole_output(f);
    for (int i = 0; i < f->param_count; i++)
      needs.iterable = needs.iterable || f->params[i].type.kind == BIND_LIST || f->params[i].type.kind == BIND_ARRAY;
  }
  return needs;
}

/* The builtins that stubs use. */
static const char *const python_builtins[] = {"bool", "float", "int", "object", "staticmethod", "str", "tuple"};

void python_emit_stubs(const bind_ir *ir, bind_out *out) {
  bind_text t = {.unit = "    "}, marker = {0};
  const python_needs needs = python_find_needs(ir);
  bind_first_line(&t, ir, "#", "", "python");
  for (size_t i = 0; i < sizeof python_builtins / sizeof *python_builtins; i++)
    if (*python_plain(ir, python_builtins[i]) == '_')
      bind_line(&t, "from builtins import %s", python_import(ir, python_builtins[i]));
  if (needs.iterable) bind_line(&t, "from collections.abc import %s", python_import(ir, "Iterable"));
  python_put_enum_import(&t, ir);
  const char *names = needs.any ? bind_string(", %s", python_import(ir, "Any")) : "";
  if (needs.array) names = bind_string("%s, %s", names, python_import(ir, "TypeVar"));
  if (ir->handle_count) names = bind_string("%s, %s", names, python_import(ir, "final"));
  if (*names) bind_line(&t, "from typing import %s", names + 2);
  if (needs.tensor || ir->handle_count) bind_line(&t, "%s", "");
  if (needs.tensor) bind_line(&t, "from dlferry import %s", python_import(ir, "Tensor"));
  if (ir->handle_count) bind_line(&t, "from typing_extensions import %s", python_import(ir, "Self"));
  if (needs.array) {
    bind_line(&t, "%s", "");
    bind_line(&t,
              "# An array of any framework. Results have the first argument's type, or Any if dtype or rank differ.");
    bind_line(&t, "_Array = %s(\"_Array\")", python_plain(ir, "TypeVar"));
  }
  bind_line(&t, "%s", "");
  python_put_all(&t, ir);
  python_put_enums(&t, ir, 1);
  for (int i = 0; i < ir->handle_count; i++) python_put_class_stub(&t, ir, &ir->handles[i]);
  bind_line(&t, "%s", "");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    if (python_is_free(f)) python_put_stub(&t, ir, f, python_function_name(f), "");
  bind_write(out, bind_string("python/%s/__init__.pyi", ir->name), &t);
  bind_write(out, bind_string("python/%s/py.typed", ir->name), &marker);
  bind_text_free(&t);
}

void bind_explain_python(const bind_ir *ir, const bind_function *f, bind_text *t) {
  const bind_handle *home = f->creates ? f->creates : f->method_of;
  if (python_is_free(f)) {
    python_put_stub(t, ir, f, python_function_name(f), "");
    return;
  }
  bind_open(t, "class %s:", python_class_name(home));
  if (f->creates && python_constructor(ir, home) != f) bind_line(t, "@staticmethod");
  if (f->creates && python_constructor(ir, home) == f)
    python_put_stub(t, ir, f, "__new__", "cls");
  else
    python_put_stub(t, ir, f, python_function_name(f), f->method_of ? "self" : "");
  t->depth--;
}
