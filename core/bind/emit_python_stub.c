/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs, NAME/__init__.pyi: what type checkers read.
 *
 *   def blur(image: _Array, sigma: float = 1.0, out: _Array | None = None) -> _Array: ... */
#include "emit_python.h"

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

static bool python_gives_tensors(const bind_function *f) {
  const bind_param *p;
  const bind_type *type;
  for (int at = 0; python_next_result(f, &at, &p, &type);)
    if (p && (p->made || p->type.kind == BIND_GIVEN)) return true;
  return false;
}

/* Results are of the first tensor's type, so that is a type variable where there are any. */
static const char *python_argument_hint(const bind_ir *ir, const bind_function *f, const bind_param *p) {
  const bool like = python_gives_tensors(f) && (p == bind_first_tensor(f) || p->made) && bind_first_tensor(f);
  const char *array = like ? "_Array" : python_plain(ir, "object"), *sequence = python_plain(ir, "Iterable");
  switch (p->type.kind) {
  case BIND_TENSOR: return p->made || p->optional ? bind_string("%s | None", array) : array;
  case BIND_LIST: return bind_string("%s[%s]", sequence, array);
  case BIND_ARRAY: return bind_string("%s[%s]", sequence, python_stub_hint(ir, &p->type));
  default: return python_stub_hint(ir, &p->type);
  }
}

/* A call without results returns the outputs that were given, or None. */
static const char *python_return_hint(const bind_ir *ir, const bind_function *f) {
  const bind_param *p;
  const bind_type *type;
  const char *list = "";
  int count = 0;
  for (int at = 0; python_next_result(f, &at, &p, &type); count++) {
    const bool tensor = p && (p->made || p->type.kind == BIND_GIVEN);
    const char *one = !tensor                ? python_stub_hint(ir, type)
                      : bind_first_tensor(f) ? "_Array"
                                             : python_plain(ir, "Tensor");
    list = bind_string("%s%s%s", list, count ? ", " : "", one);
  }
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

static void python_put_class_stub(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const bind_function *constructor = python_constructor(ir, h);
  bind_line(t, "%s", "");
  bind_line(t, "@%s", python_plain(ir, "final"));
  bind_open(t, "class %s:", python_class_name(h));
  bind_line(t, "\"\"\"%s\"\"\"", bind_doc_escape(BIND_DOC_PYTHON, *h->summary ? h->summary : h->name));
  bind_line(t, "%s", "");
  if (constructor) python_put_stub(t, ir, constructor, "__new__", "cls");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->creates == h && f != constructor) {
      bind_line(t, "@%s", python_plain(ir, "staticmethod"));
      python_put_stub(t, ir, f, python_function_name(f), "");
    }
    if (f->method_of == h) python_put_stub(t, ir, f, python_function_name(f), "self");
  }
  bind_line(t, "def close(self) -> None: ...");
  bind_line(t, "def __enter__(self) -> %s: ...", python_plain(ir, "Self"));
  bind_line(t, "def __exit__(self, *exception: %s) -> None: ...", python_plain(ir, "object"));
  t->depth--;
}

typedef struct python_needs {
  bool tensor, array, iterable;
} python_needs;

static python_needs python_find_needs(const bind_ir *ir) {
  python_needs needs = {false, false, false};
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    const bool gives = python_gives_tensors(f);
    needs.tensor = needs.tensor || (gives && !bind_first_tensor(f));
    needs.array = needs.array || (gives && bind_first_tensor(f));
    for (int i = 0; i < f->param_count; i++)
      needs.iterable = needs.iterable || f->params[i].type.kind == BIND_LIST || f->params[i].type.kind == BIND_ARRAY;
  }
  return needs;
}

/* What stubs name. */
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
  if (needs.array || ir->handle_count)
    bind_line(&t, "from typing import %s%s%s", needs.array ? python_import(ir, "TypeVar") : "",
              needs.array && ir->handle_count ? ", " : "", ir->handle_count ? python_import(ir, "final") : "");
  if (needs.tensor || ir->handle_count) bind_line(&t, "%s", "");
  if (needs.tensor) bind_line(&t, "from dlferry import %s", python_import(ir, "Tensor"));
  if (ir->handle_count) bind_line(&t, "from typing_extensions import %s", python_import(ir, "Self"));
  if (needs.array) {
    bind_line(&t, "%s", "");
    bind_line(&t, "# An array of any framework: results are of the first argument's.");
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
