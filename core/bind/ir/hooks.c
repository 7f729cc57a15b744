/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks: match their arguments with the parameters of the functions of the header that they call.
 */
#include "builder.h"
#include "element.h"
#include "parameters.h"
#include <string.h>

/* A hook while it is built. */
typedef struct hook_builder {
  ir_builder *b;
  const bind_function *f;
  const dlf_contract *contract;
  const char *text; /* "hook(f(x))" */
} hook_builder;

static void hook_fail(const hook_builder *h, const char *why) {
  h->b->part = h->text;
  ir_fail_in(h->b, h->f, "%s: %s", h->text, why);
  h->b->part = NULL;
}

/* The same pointer, one that is not const for one that is, or any for `const void *`. */
static bool hook_same_pointer(const char *have, const char *wanted) {
  if (strcmp(wanted, "const void *") == 0) {
    return true;
  }
  const char *own = wanted;
  if (bind_begins(wanted, "const ")) {
    own = wanted + 6;
  }
  return strcmp(have, wanted) == 0 || (own != wanted && strcmp(have, own) == 0);
}

/* Tell whether a caller's argument can be passed on: its value is known before the call and always
 * there, and the types are the same. */
static bool hook_takes(const bind_param *p, const c_type *t, const bind_type *type) {
  const bind_kind kind = p->type.kind;
  if (bind_is_object_list(p)) { /* it is called for each item */
    const char *item = bind_sized(p->type.c, strlen(p->type.c) - strlen("const *"));
    return p->type.handle == type->handle && hook_same_pointer(item, type->c);
  }
  if (!bind_is_read(p) || kind == BIND_LIST || kind == BIND_ARRAY || kind == BIND_STRUCT ||
      p->direction == BIND_OUT || p->optional) {
    return false;
  }
  if (p->pointer) {
    return kind == BIND_TENSOR && hook_same_pointer(p->pointer, ir_spell_pointer(t));
  }
  if (p->type.kind != type->kind) {
    return false;
  }
  if (type->kind == BIND_HANDLE) {
    return p->type.handle == type->handle && hook_same_pointer(p->type.c, type->c);
  }
  if (type->kind == BIND_TENSOR) {
    return strcmp(type->c, "const DLTensor *") == 0;
  }
  if (type->kind == BIND_INTEGER || type->kind == BIND_REAL) {
    return p->type.scalar == type->scalar;
  }
  return strcmp(p->type.c, type->c) == 0;
}

/* A hook of a list gives one number for all items, so it has one list, and returns the number. */
static void hook_check_list(const hook_builder *h, bind_hook *hook) {
  BIND_EACH (const bind_hook_arg, arg, hook->args, hook->arg_count) {
    if (!arg->param || !bind_is_object_list(arg->param)) {
      continue;
    }
    if (hook->list || hook->place >= 0) {
      hook_fail(h, "expected one list of objects, and a function that returns the number");
    }
    hook->list = arg->param;
  }
}

/* The argument of a hook without brackets: the parameter of the same name. */
static bind_hook_arg hook_arg_named(const hook_builder *h, const c_param *from) {
  const bind_type type = ir_build_argument_type(h->b, from->type);
  const bind_param *p = bind_find_param(h->f, from->name);
  if (!p || !hook_takes(p, from->type, &type)) {
    hook_fail(h,
              bind_string("its parameter %s is no input of %s of the same type",
                          from->name,
                          h->f->short_name));
  }
  return (bind_hook_arg){from->name, type, p, from->name, -1};
}

/* The hook whose result is all of an argument, or -1. */
static int hook_inner(const hook_builder *h, const dlf__derived *d) {
  const dlf_contract *c = h->contract;
  if (d->source != DLF__SOURCE_EXPRESSION || c->nodes[d->node].op != DLF__SYMBOL) {
    return -1;
  }
  return c->symbols[c->nodes[d->node].symbol].hook;
}

/* Pass on the object that another hook finds. */
static bool hook_takes_found(const hook_builder *h, int inner, bind_hook_arg *arg) {
  if (inner < 0) {
    return false;
  }
  bind_hook *from = &h->f->hooks[inner];
  const bool same = from->object && from->object == arg->type.handle &&
                    hook_same_pointer(from->returned, arg->type.c);
  if (!same || from->list) {
    return false;
  }
  from->passed = true;
  arg->found = inner;
  return true;
}

/* The parameter, if the argument is nothing but one; else NULL. */
static const bind_param *hook_param_alone(const hook_builder *h, const dlf__derived *d) {
  const dlf_contract *c = h->contract;
  if (d->source == DLF__SOURCE_PARAMETER) {
    return bind_find_param(h->f, c->names[d->tensor]);
  }
  if (d->source != DLF__SOURCE_EXPRESSION || c->nodes[d->node].op != DLF__SYMBOL) {
    return NULL;
  }
  const dlf__symbol *symbol = &c->symbols[c->nodes[d->node].symbol];
  if (symbol->parameter < 0) {
    return NULL;
  }
  return bind_find_param(h->f, symbol->name);
}

/* Tell whether a function may write a number behind a pointer. */
static bool hook_is_place(const c_type *t) {
  return t->kind == C_POINTER && !t->to->is_const && t->to->kind == C_INTEGER;
}

static bind_hook_arg hook_arg_of(const hook_builder *h, const c_param *from,
                                 const dlf__derived *d) {
  const bind_type type = ir_build_argument_type(h->b, from->type);
  const bind_param *p = hook_param_alone(h, d);
  bind_hook_arg arg = {from->name, type, NULL, d->text, -1};
  if (hook_takes_found(h, hook_inner(h, d), &arg)) {
    return arg;
  }
  if (p && hook_takes(p, from->type, &type)) {
    arg.param = p;
    return arg;
  }
  const bool constant = d->source == DLF__SOURCE_CONSTANT;
  if (constant && from->type->kind == C_POINTER && strcmp(d->word, "NULL") == 0) {
    return arg;
  }
  if (constant && strcmp(d->word, "_") == 0 && hook_is_place(from->type)) {
    arg.type = ir_build_type(h->b, from->type->to);
    return arg;
  }
  const bool computed = !p || (p->type.kind == BIND_INTEGER && bind_is_read(p));
  if (!computed || !(type.kind == BIND_INTEGER || (constant && type.kind == BIND_ENUM))) {
    hook_fail(h, bind_string("`%s` does not suit the parameter %s", d->text, from->name));
  }
  bind_param place = {.name = from->name, .type = type};
  if (constant) {
    ir_check_constant(h->b, h->f, &place, d->word);
  }
  BIND_EACH (const dlf__choice, choice, d->choices, d->choice_count) {
    ir_check_constant(h->b, h->f, &place, choice->value);
  }
  return arg;
}

/* Find the number behind the parameter at hook->place, or in the struct that it points to; false if
 * there is none. */
static bool hook_read_place(const hook_builder *h, const c_type *t, bind_hook *hook) {
  if (t->kind != C_POINTER || t->to->is_const) {
    return false;
  }
  if (!hook->part) {
    hook->result = ir_build_type(h->b, t->to);
    return hook_is_place(t);
  }
  const c_struct *record = t->to->record;
  const char *why = NULL;
  if (!record || !record->complete) {
    return false;
  }
  hook->told = record->spelling;
  return ir_field_of_record(h->b, record, hook->part, &hook->result, &why) &&
         hook->result.kind == BIND_INTEGER;
}

/* Find the parameter that points to the result, or -1; false if there is none. */
static bool hook_find_place(const hook_builder *h, const c_function *from, const dlf__hook *said,
                            bind_hook *hook) {
  const char *name = said->place;
  hook->place = -1;
  hook->result = ir_build_type(h->b, from->result);
  hook->returned = hook->result.c;
  if (!name) {
    hook->object = hook->result.handle;
  }
  if (hook->object) {
    hook->result = (bind_type){.kind = BIND_BOOL, .c = "bool "};
  }
  const bool compared = hook->result.kind == BIND_BOOL || hook->result.kind == BIND_ENUM;
  if (!name) {
    return hook->result.kind == BIND_INTEGER || (compared && !said->extent);
  }
  const char *param = bind_sized(name, strcspn(name, "."));
  if (strlen(param) < strlen(name)) {
    hook->part = name + strlen(param) + 1;
  }
  for (int i = 0; i < from->count; i++) {
    if (strcmp(from->params[i].name, param) == 0) {
      hook->place = i;
    }
  }
  if (hook->place < 0) {
    return false;
  }
  hook->status =
      hook->result.kind == BIND_INTEGER ||
      (hook->result.kind == BIND_ENUM && h->f->result.enumeration == hook->result.enumeration);
  const bool nothing = hook->result.kind == BIND_VOID;
  return hook_read_place(h, from->params[hook->place].type, hook) && (hook->status || nothing);
}

/* hook(model->nv): the object is locked and open when it is read. */
static void hook_build_field(const hook_builder *h, const dlf__hook *from, bind_hook *hook) {
  const char *object = from->sources[0].word;
  const bind_param *p = bind_find_param(h->f, object);
  const bool passed = p && bind_is_read(p) && !p->optional && p->direction != BIND_OUT;
  if (!passed || !(bind_is_object(p) || p->type.structure)) {
    hook_fail(h,
              bind_string("%s: expected an object or a struct that callers always pass", object));
    return;
  }
  const char *why = NULL;
  const bool shown = ir_find_field(h->b, h->f->declared, p, from->field, &hook->result, &why);
  if (!shown && p->type.handle && !strpbrk(from->field, ".[")) {
    hook->unshown = why;
    hook->result = (bind_type){.kind = BIND_INTEGER, .scalar = BIND_I64, .c = "int64_t "};
  } else if (!shown) {
    hook_fail(h, why);
    return;
  }
  const bool compared = hook->result.kind == BIND_BOOL || hook->result.kind == BIND_ENUM;
  if (hook->result.kind != BIND_INTEGER && !(compared && !from->extent)) {
    hook_fail(h,
              bind_string("expected a field that is an integer%s",
                          bind_when(!from->extent, ", a bool or an enum")));
  }
  hook->field = from->field;
  hook->returned = hook->result.c;
  hook->args = bind_items(1, sizeof *hook->args);
  hook->args[hook->arg_count++] =
      (bind_hook_arg){object, {.kind = BIND_HANDLE, .c = "const "}, p, object, -1};
}

static void hook_build(hook_builder *h, const dlf__hook *from, bind_hook *hook) {
  const c_function *function = ir_find_function(h->b, from->function);
  hook->name = from->function;
  hook->short_name = hook->name;
  hook->text = h->text = from->text;
  hook->early = from->early;
  hook->place = -1;
  if (from->field) {
    hook_build_field(h, from, hook);
    return;
  }
  if (!function && ir_is_of_elements(from->function)) {
    const char *why = ir_build_of_elements(h->f, h->contract, from, hook);
    if (why) {
      hook_fail(h, why);
    }
    return;
  }
  if (!function) {
    hook_fail(h, "expected a function of this header");
    return;
  }
  if (function->variadic) {
    hook_fail(h, "expected a function without variable arguments");
    return;
  }
  hook->short_name = ir_short_name(h->b, function->name);
  if (!hook_find_place(h, function, from, hook)) {
    const char *why = bind_string("expected a function of this header that returns an integer%s",
                                  bind_when(!from->extent, ", a bool, an enum or an object"));
    if (from->place) {
      why = bind_string("expected a function with a parameter %s that points to an integer",
                        from->place);
    }
    hook_fail(h, why);
    return;
  }
  hook->args = bind_items(function->count, sizeof *hook->args);
  const int wanted = function->count - (hook->place >= 0);
  if (from->named && from->source_count != wanted) {
    hook_fail(h, bind_string("expected %d arguments, got %d", wanted, (int)from->source_count));
    return;
  }
  for (int i = 0; i < function->count; i++) {
    const c_param *p = &function->params[i];
    if (i == hook->place) {
      continue;
    }
    bind_hook_arg *arg = &hook->args[hook->arg_count];
    if (from->named) {
      *arg = hook_arg_of(h, p, &from->sources[hook->arg_count]);
    } else {
      *arg = hook_arg_named(h, p);
    }
    bind_kind kind = BIND_HANDLE;
    if (arg->param) {
      kind = arg->param->type.kind;
    }
    const bool number = kind == BIND_INTEGER || kind == BIND_REAL;
    if (hook->early && (kind == BIND_TENSOR || (number && *arg->param->limits))) {
      hook_fail(h, bind_string("an input's hook runs before %s is checked", arg->param->name));
    }
    hook->arg_count++;
  }
  hook_check_list(h, hook);
}

void ir_build_hooks(ir_builder *b, bind_function *f, const dlf_contract *c) {
  hook_builder h = {b, f, c, ""};
  f->hooks = bind_items(c->hook_count, sizeof *f->hooks);
  BIND_EACH (const dlf__hook, hook, c->hooks, c->hook_count) {
    hook_build(&h, hook, &f->hooks[f->hook_count++]);
  }
}
