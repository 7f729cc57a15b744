/* SPDX-License-Identifier: Apache-2.0 */
/* A declarator is written from the inside to the outside: the name, then what it points to, has or
 * returns. */
#include "spell.h"
#include "bind/base/text.h"
#include <string.h>

/* "unsigned int", "*name". A clause makes a type "void *NAME" of a plain pointer. */
static const char *spell_named(const c_type *t, const char *declarator) {
  const char *own = bind_said_or(t->spelling, t->kind == C_VOID ? "void" : "?");
  if (strchr(own, '*')) {
    return bind_string("%svoid *%s", bind_when(t->to->is_const, "const "), declarator);
  }
  return bind_string(
      "%s%s%s%s", bind_when(t->is_const, "const "), own, bind_when(*declarator, " "), declarator);
}

static const char *spell_parameters(const c_function *f) {
  const char *all = "";
  BIND_EACH (const c_param, p, f->params, f->count) {
    all = bind_join(all, ", ", c_spell(p->type, p->name));
  }
  if (f->variadic) {
    all = bind_join(all, ", ", "...");
  }
  return bind_said_or(all, "void");
}

/* "*name", or "(*name)" where what it points to writes something behind it. */
static const char *spell_behind_star(const c_type *t, const char *declarator) {
  const bool is_const = t->is_const;
  const char *starred = bind_string(
      "*%s%s%s", bind_when(is_const, "const"), bind_when(is_const && *declarator, " "), declarator);
  const bool suffixed = t->to->kind == C_FUNCTION || (t->to->is_array && t->to->kind == C_OTHER);
  if (suffixed && !*t->to->spelling) {
    return bind_string("(%s)", starred);
  }
  return starred;
}

const char *c_spell(const c_type *t, const char *name) {
  if (*t->spelling) {
    return spell_named(t, name);
  }
  if (t->is_array) {
    return c_spell(t->to, bind_string("%s[%s]", name, bind_or(t->length, "")));
  }
  if (t->kind == C_POINTER) {
    return c_spell(t->to, spell_behind_star(t, name));
  }
  if (t->kind == C_FUNCTION) {
    return c_spell(t->function->result, bind_string("%s(%s)", name, spell_parameters(t->function)));
  }
  return spell_named(t, name);
}

const char *c_spell_function(const c_function *f) {
  return c_spell(f->result, bind_string("%s(%s)", f->name, spell_parameters(f)));
}
