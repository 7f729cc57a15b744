/* SPDX-License-Identifier: Apache-2.0 */
/* Properties: a method that takes its object alone and returns one plain value reads one, a method that takes one such
 * value and returns nothing sets it. Names decide, or the clauses `property` and `method`. */
#include "bind/base/names.h"
#include "builder.h"
#include <string.h>

/* Every class has these. */
static const char property_taken[] = "close held";

static bool property_is_plain(const bind_type *t) {
  return t->kind == BIND_INTEGER || t->kind == BIND_REAL || t->kind == BIND_COMPLEX || t->kind == BIND_BOOL ||
         t->kind == BIND_CHAR || t->kind == BIND_ENUM || t->kind == BIND_STRING;
}

/* Return the type of the only result of a method that takes its object alone; NULL for other functions. */
static const bind_type *property_got(const bind_function *f) {
  const bind_type *type = f->returns == BIND_RETURN_VALUE ? &f->result : NULL;
  int results = type != NULL;
  if (f->unbound || f->family || !f->method_of) return NULL;
  for (const bind_param *p = f->params + 1; p < f->params + f->param_count; p++) {
    if (bind_is_read(p)) return NULL;
    type = &p->type;
    results++;
  }
  return results == 1 && property_is_plain(type) ? type : NULL;
}

/* Return the type of the value that a method takes beside its object if it returns nothing; NULL for other functions. */
static const bind_type *property_given(const bind_function *f) {
  const bind_param *value = f->param_count == 2 ? &f->params[1] : NULL;
  const bool silent = f->returns == BIND_RETURN_VOID || f->returns == BIND_RETURN_STATUS;
  if (f->unbound || f->family || !f->method_of || !value || !silent || value->returned || value->optional ||
      value->def.kind != BIND_NO_DEFAULT)
    return NULL;
  return property_is_plain(&value->type) ? &value->type : NULL;
}

/* Return what follows "get_" or "set_" in a method's name, or NULL. */
static const char *property_after(const bind_function *f, const char *verb) {
  const char *name = f->method_name;
  if (strncmp(name, verb, 4) != 0) return NULL;
  return name[4] >= 'a' && name[4] <= 'z' ? name + 4 : NULL;
}

/* Find what sets a property of this name and type. */
static bind_function *property_setter(const bind_ir *ir, const bind_function *getter, const char *name) {
  const bind_type *type = property_got(getter);
  for (bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++) {
    const bind_type *given = f->method_of == getter->method_of ? property_given(f) : NULL;
    const char *own = property_after(f, "set_");
    if (!given || f->said_method || f == getter) continue;
    if (f->said_property && *f->said_property) own = f->said_property;
    if (own && strcmp(own, name) == 0 && given->kind == type->kind && given->enumeration == type->enumeration) return f;
  }
  return NULL;
}

/* Tell whether another function of the class has the name. */
static bool property_clashes(const bind_ir *ir, const bind_function *getter, const char *name) {
  for (const bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++) {
    const bind_handle *home = f->method_of ? f->method_of : f->creates;
    if (f != getter && !f->unbound && home == getter->method_of && strcmp(f->method_name, name) == 0) return true;
  }
  return bind_word_in(name, property_taken);
}

/* Return the name of the property that a function reads, or NULL. Without a clause its name says "get", and C promises
 * not to change the object, or another function sets the same: reading may happen at any time, such as in a debugger. */
static const char *property_name(const bind_ir *ir, const bind_function *f) {
  const char *after = property_after(f, "get_"), *own = after ? after : f->method_name;
  if (!property_got(f) || f->said_method) return NULL;
  if (f->said_property) return *f->said_property ? f->said_property : own;
  if (f->speed == BIND_SLOW || f->lock || property_clashes(ir, f, own)) return NULL;
  if (property_setter(ir, f, own)) return own;
  return after && strncmp(f->params[0].type.c, "const ", 6) == 0 ? own : NULL;
}

static void property_check(ir_builder *b, const bind_function *f) {
  b->at = f->header;
  if (!f->said_property || f->property || f->unbound) return;
  if (property_given(f))
    ir_fail(b, f->line, "%s: `property`: expected a function that reads the property beside it", f->short_name);
  else
    ir_fail(b, f->line,
            "%s: `property`: expected a method that takes its object alone and returns a number or a text, or takes "
            "one beside it and returns nothing",
            f->short_name);
}

void ir_build_properties(ir_builder *b) {
  const bind_ir *ir = b->ir;
  for (bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++) {
    const char *name = f->sets ? NULL : property_name(ir, f);
    bind_function *setter = name ? property_setter(ir, f, name) : NULL;
    if (!name) continue;
    b->at = f->header;
    if (property_clashes(ir, f, name))
      ir_fail(b, f->line, "%s: `property`: %s of the class is called %s already: write `property NAME`", f->short_name,
              bind_word_in(name, property_taken) ? "a method" : "another function", name);
    f->property = f->method_name = name;
    if (!setter) continue;
    setter->property = name;
    setter->sets = true;
    setter->method_name = bind_string("set_%s", name);
  }
  for (const bind_function *f = ir->functions; f < ir->functions + ir->function_count; f++) property_check(b, f);
}
