/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of the header: their values by name, and those that packages have. */
#include "bind/base/names.h"
#include "builder.h"
#include <string.h>

void ir_take_nameless_enums(ir_builder *b, lex_list *list) {
  const c_header *h = b->header;
  int capacity = list->constant_count;
  int count = list->constant_count;
  lex_constant *all = bind_items(capacity, sizeof *all);
  if (count) {
    memcpy(all, list->constants, (size_t)count * sizeof *all);
  }
  for (int i = 0; i < h->nameless_count; i++) {
    for (int k = 0; k < h->nameless[i]->count && !*h->nameless[i]->name; k++) {
      const c_value *v = &h->nameless[i]->values[k];
      BIND_ADD(all,
               count,
               capacity,
               (lex_constant){
                   .name = v->name, .kind = LEX_INTEGER_CONSTANT, .integer = v->value, .real = ""});
    }
  }
  list->constants = all;
  list->constant_count = count;
}

/* Tell whether the header has a variable of a parameter's own type. */
static bool constant_is_variable(ir_builder *b, const bind_param *p, const char *name) {
  const char *own = bind_or(p->pointer, p->type.c);
  const c_variable *variable = ir_find_variable(b, name);
  return variable && *own && strcmp(ir_build_type(b, variable->type).c, own) == 0;
}

/* An integer, a character, a truth, a value of the parameter's enum, for an integer any constant
 * of the header, or a variable of the header. */
void ir_check_constant(ir_builder *b, const bind_function *f, const bind_param *p,
                       const char *value) {
  const bind_enum *e = p->type.enumeration;
  const bool number = *value == '-' || bind_is_digit(*value);
  bool found = !e && (number || !bind_in_name(*value));
  found |= p->type.kind == BIND_BOOL && bind_word_in(value, "true false");
  found |= ir_find_enumerator(e, value) != NULL;
  found |= strcmp(value, "NULL") == 0 &&
           (p->returned || p->pointer || bind_is_function(&p->type) || strchr(p->type.c, '*') ||
            (p->type.handle && !p->type.handle->is_integer));
  found |= !e && ir_is_constant(b, value);
  if (found || constant_is_variable(b, p, value)) {
    return;
  }
  if (e) {
    ir_fail_in(b, f, "%s: %s has no enumerator %s", p->name, e->name, value);
  } else {
    ir_fail_in(b, f, "%s: nothing binds %s, and the header has no such constant", p->name, value);
  }
}

/* Names of the module, in the form in which two of them clash. */
static void constant_take(bind_names *taken, const char *name) {
  if (!bind_find_name(taken, bind_pascal(name))) {
    bind_take_name(taken, bind_pascal(name), name);
  }
}

static void constant_take_all(bind_names *taken, const bind_ir *ir) {
  BIND_EACH_ENUM (e, ir) {
    constant_take(taken, e->short_name);
    BIND_EACH (const bind_enumerator, v, e->values, e->count) {
      constant_take(taken, v->short_name);
    }
  }
  BIND_EACH_HANDLE (h, ir) {
    constant_take(taken, h->short_name);
  }
  BIND_EACH_STRUCT(s, ir) {
    constant_take(taken, s->short_name);
    constant_take(taken, bind_string("%s_defaults", s->short_name));
  }
  BIND_EACH_DECLARED (f, ir) {
    const char *name = f->short_name;
    if (f->unbound) {
      continue;
    }
    constant_take(taken, name);
    constant_take(taken, bind_string("%s_into", name));
    constant_take(taken, bind_string("%s_options", name));
    constant_take(taken, bind_string("default_%s_options", name));
  }
}

static bool constant_is_guard(const char *name) {
  const size_t size = strlen(name);
  return (size > 2 && strcmp(name + size - 2, "_H") == 0) ||
         (size > 3 && strcmp(name + size - 3, "_H_") == 0);
}

/* The smallest type that a language would give the constant. */
static bind_scalar constant_scalar(const lex_constant *c) {
  if (c->kind == LEX_REAL_CONSTANT) {
    return BIND_F64;
  }
  if (c->is_unsigned && c->integer <= UINT32_MAX) {
    return BIND_U32;
  }
  if (c->integer >= INT32_MIN && c->integer <= INT32_MAX) {
    return BIND_I32;
  }
  return BIND_I64;
}

static void constant_say_wide(const ir_builder *b, const lex_constant *c) {
  if (!b->options->silent) {
    bind_error("%s:%d: %s is no constant of the packages: it does not fit in 63 bits",
               b->options->headers[c->header],
               c->line,
               c->name);
  }
}

void ir_build_constants(ir_builder *b) {
  bind_ir *ir = b->ir;
  bind_names taken = {0};
  ir->constants = bind_items(b->list->constant_count, sizeof *ir->constants);
  constant_take_all(&taken, ir);
  BIND_EACH (const lex_constant, c, b->list->constants, b->list->constant_count) {
    const char *name = NULL;
    if (*ir->prefix) {
      name = ir_strip(c->name, ir->prefix);
    }
    if (!name || constant_is_guard(c->name) || c->kind == LEX_OTHER_CONSTANT) {
      continue;
    }
    if (c->kind == LEX_WIDE_CONSTANT) {
      constant_say_wide(b, c);
      continue;
    }
    if (bind_find_name(&taken, bind_pascal(name))) {
      continue;
    }
    constant_take(&taken, name);
    bind_constant *constant = &ir->constants[ir->constant_count++];
    constant->name = c->name;
    constant->short_name = name;
    constant->scalar = constant_scalar(c);
    constant->text = c->real;
    if (c->kind != LEX_REAL_CONSTANT) {
      constant->text = bind_string("%lld", (long long)c->integer);
    }
  }
}
