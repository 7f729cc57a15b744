/* SPDX-License-Identifier: Apache-2.0 */
/* The form of a C function in Python: names, the order of parameters, defaults, types. */
#include "bind/base/names.h"
#include "bind/emit/query.h"
#include "python.h"
#include <stdlib.h>
#include <string.h>

static const char python_keywords[] =
    "False None True and as assert async await break class continue def del elif else "
    "except finally for from global if "
    "import in is lambda nonlocal not or pass raise return try while with yield";

const char *python_name(const char *name) {
  return bind_escape(name, python_keywords);
}

const char *python_class_name(const bind_handle *h) {
  return python_name(bind_pascal(h->short_name));
}

const char *python_struct_name(const bind_struct *s) {
  return python_name(bind_pascal(s->short_name));
}

const char *python_enum_name(const bind_enum *e) {
  return python_name(bind_pascal(e->short_name));
}

/* An enum must not have members "mro", "_x_" and "__x". */
const char *python_member_name(const bind_enumerator *v) {
  const size_t size = strlen(v->label);
  const bool own = *v->label == '_' && v->label[size - 1] == '_';
  const bool hidden = bind_begins(v->label, "__");
  if (own) {
    return bind_string("%s_", v->label);
  }
  if (hidden) {
    return bind_string("%s___", v->label);
  }
  return bind_escape(python_name(v->label), "mro");
}

const char *python_plain(const bind_ir *ir, const char *word) {
  const bool hidden =
      bind_find_place(&ir->function_names, word) >= 0 || bind_find_place(&ir->types, word) >= 0;
  if (hidden) {
    return bind_string("_%s", word);
  }
  return word;
}

const char *python_import(const bind_ir *ir, const char *word) {
  const char *name = python_plain(ir, word);
  if (strcmp(name, word) == 0) {
    return word;
  }
  return bind_string("%s as %s", word, name);
}

bool python_is_free(const bind_function *f) {
  return !bind_home(f);
}

/* Every class has its own "close". */
const char *python_function_name(const bind_function *f) {
  if (f->property) {
    return python_name(f->property);
  }
  if (python_is_free(f)) {
    return python_name(f->short_name);
  }
  return bind_escape(python_name(f->method_name), "close");
}

/* A class's call gives its object and nothing else. */
static bool python_may_construct(const bind_function *f) {
  return !f->borrows && !f->result_optional && bind_count_results(f, true) == 1;
}

static const bind_function *python_next_maker(const bind_handle *h, const bind_function *f) {
  while ((f = bind_next_at(h, f)) && (f->creates != h || !python_may_construct(f))) {
  }
  return f;
}

const bind_function *python_constructor(const bind_handle *h) {
  const bind_function *first = python_next_maker(h, NULL);
  for (const bind_function *f = first; f; f = python_next_maker(h, f)) {
    if (!f->deprecated) {
      return f;
    }
  }
  return first;
}

bool python_constructs(const bind_function *f) {
  return f->creates && python_constructor(f->creates) == f;
}

static bool python_is_optional(const bind_param *p) {
  return p->made || p->optional || p->def.kind != BIND_NO_DEFAULT;
}

static int python_take_slot(python_params *params, const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR:
    return params->tensors++;
  case BIND_LIST:
    return params->lists++;
  case BIND_ARRAY:
    params->object_lists += bind_is_object_list(p);
    return params->arrays++;
  case BIND_HANDLE:
    return params->objects++;
  default:
    return -1;
  }
}

python_params python_order(const bind_function *f) {
  python_params params = {.list = bind_items(f->param_count, sizeof *params.list),
                          .slot = bind_items(f->param_count, sizeof *params.slot),
                          .self = f->method_of ? 1 : 0};
  for (int optional = 0; optional < 2; optional++) {
    BIND_EACH_PARAM (p, f) {
      if (!bind_is_passed(p, false) || python_is_optional(p) != optional) {
        continue;
      }
      params.list[params.count++] = p;
      params.required += !optional;
      params.made += p->made;
    }
  }
  for (int made = 0; made < 2; made++) {
    for (int i = 0; i < params.count; i++) {
      if (params.list[i]->made == made) {
        params.slot[i] = python_take_slot(&params, params.list[i]);
      }
    }
  }
  return params;
}

int python_place_of(const python_params *params, const bind_param *p) {
  int i = 0;
  while (params->list[i] != p) {
    i++;
  }
  return i;
}

/* 1.0, or (1.0+2.0j) */
static const char *python_complex(const bind_default *d) {
  const bool minus = *d->imaginary == '-';
  if (strtod(d->imaginary, NULL) == 0) {
    return d->text;
  }
  return bind_string("%s%s%sj", d->text, bind_when(!minus, "+"), d->imaginary);
}

/* Mode.ONE, or Mode.ONE|Mode.FOUR */
static const char *python_enumerators(const bind_param *p, const char *module) {
  const char *all = "";
  for (const bind_default *d = &p->def; d; d = d->next) {
    all = bind_join(all,
                    "|",
                    bind_string("%s%s.%s",
                                module,
                                python_enum_name(p->type.enumeration),
                                python_member_name(d->enumerator)));
  }
  return all;
}

/* inspect looks up names of a method's signature among the modules, those of a function in its
 * module. */
const char *python_signature(const bind_ir *ir, const bind_function *f,
                             const python_params *params) {
  const char *text = bind_when(params->self, "$self");
  for (int i = params->self; i < params->count; i++) {
    const bind_param *p = params->list[i];
    const char *value = python_default(p);
    const bool outside = p->def.kind == BIND_DEFAULT_ENUMERATOR && !python_is_free(f);
    if (outside) {
      value = python_enumerators(p, bind_string("%s.", ir->name));
    }
    text = bind_string("%s%s%s%s%s",
                       text,
                       bind_when(*text, ", "),
                       python_name(p->name),
                       bind_when(value, "="),
                       bind_or(value, ""));
  }
  return bind_string("(%s)", text);
}

const char *python_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER:
    return p->def.text;
  case BIND_DEFAULT_BOOL:
    if (p->def.truth) {
      return "True";
    }
    return "False";
  case BIND_DEFAULT_STRING:
    return bind_string(strchr(p->def.text, '\'') ? "\"%s\"" : "'%s'", p->def.text);
  case BIND_DEFAULT_CHARACTER:
    return bind_string(*p->def.text == '\'' ? "\"%s\"" : "'%s'", p->def.text);
  case BIND_DEFAULT_COMPLEX:
    return python_complex(&p->def);
  case BIND_DEFAULT_ENUMERATOR:
    return python_enumerators(p, "");
  default:
    if (p->made || p->optional) {
      return "None";
    }
    return NULL;
  }
}

const char *python_hint(const bind_type *type) {
  switch (type->kind) {
  case BIND_REAL:
    return "float";
  case BIND_BOOL:
    return "bool";
  case BIND_COMPLEX:
    return "complex";
  case BIND_CHAR:
  case BIND_STRING:
    return "str";
  case BIND_ENUM:
    return python_enum_name(type->enumeration);
  case BIND_STRUCT:
    return python_struct_name(type->structure);
  case BIND_HANDLE:
    return python_class_name(type->handle);
  case BIND_ARRAY:
    if (type->handle) {
      return python_class_name(type->handle);
    }
    if (type->scalar == BIND_F32 || type->scalar == BIND_F64) {
      return "float";
    }
    return "int";
  default:
    return "int";
  }
}

const char *python_result_hint(const bind_ir *ir, const bind_param *p) {
  const char *hint = python_plain_hint(ir, &p->type);
  if (bind_is_given_list(p)) {
    return bind_string("%s[%s]", python_plain(ir, "list"), hint);
  }
  if (bind_is_given_text(p) && p->optional) {
    return bind_string("%s | None", hint);
  }
  return hint;
}

const char *python_plain_hint(const bind_ir *ir, const bind_type *type) {
  const bool own = type->kind == BIND_ENUM || type->handle || type->kind == BIND_STRUCT;
  if (own) {
    return python_hint(type);
  }
  return python_plain(ir, python_hint(type));
}
