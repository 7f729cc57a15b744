/* SPDX-License-Identifier: Apache-2.0 */
/* Variable arguments that a contract fixes: `... := NULL` ends them at once, `...: i32 value` is
 * one of them, and `...: text message` is what a function like printf prints, so that the rest of
 * the generator sees plain parameters. */
#include "bind/c/scalar.h"
#include "bind/clauses/clauses.h"
#include "builder.h"
#include <string.h>

/* C widens smaller numbers where it does not know the parameter's type. */
static const bind_scalar variable_scalars[] = {BIND_I32, BIND_I64, BIND_U32, BIND_U64, BIND_F64};

static bool variable_is_about(const bind_clause *c) {
  return clause_is(c, 0, "...");
}

static void variable_fail(ir_builder *b, const c_function *from, const bind_clause *c,
                          const char *why) {
  b->clause = clause_text(c);
  ir_fail(b, from->line, "%s: `...`: %s", ir_short_name(b, from->name), why);
  b->clause = NULL;
}

static c_type *variable_pointer(c_type *to) {
  c_type *t = bind_alloc(1, sizeof *t);
  *t = (c_type){.kind = C_POINTER, .spelling = "", .to = to};
  return t;
}

/* The type of `i32`; NULL for other words. */
static c_type *variable_number(const bind_clause *c, int part) {
  for (size_t i = 0; i < sizeof variable_scalars / sizeof *variable_scalars; i++) {
    const bind_scalar scalar = variable_scalars[i];
    if (clause_is(c, part, bind_scalar_name(scalar))) {
      c_type *t = bind_alloc(1, sizeof *t);
      *t = (c_type){.kind = scalar == BIND_F64 ? C_REAL : C_INTEGER,
                    .scalar = scalar,
                    .spelling = bind_scalar_c(scalar)};
      return t;
    }
  }
  return NULL;
}

static void variable_add(c_function *to, const char *name, c_type *t) {
  to->params[to->count++] = (c_param){.name = name, .type = t, .note = ""};
}

/* `...: i32 value`, `...: out i32 value` */
static bool variable_add_number(c_function *to, const bind_clause *c, clause_list *rest) {
  const bool out = clause_is(c, 2, "out");
  c_type *t = variable_number(c, 2 + out);
  const char *name = clause_name(c, 3 + out);
  if (!clause_is(c, 1, ":") || !t || !*name || c->count != 4 + out) {
    return false;
  }
  variable_add(to, name, out ? variable_pointer(t) : t);
  if (out) {
    const clause_list said = clauses_parse(bind_string("%s: out", name));
    clauses_add(rest, &said);
  }
  return true;
}

/* Tell whether another parameter's name says that it is the format. */
static bool variable_has_format(const c_function *f) {
  for (int i = 0; i + 1 < f->count; i++) {
    if (strstr(f->params[i].name, "format") || strstr(f->params[i].name, "fmt")) {
      return true;
    }
  }
  return false;
}

static bool variable_is_printed(const bind_clause *c) {
  return c->count == 4 && clause_is(c, 1, ":") && clause_is(c, 2, "text") &&
         clause_has_name(c, 3) && !clause_has_number(c, 3);
}

static bool variable_is_text(const c_type *t) {
  return t->kind == C_POINTER && t->to->kind == C_CHAR && t->to->is_const;
}

/* `...: text message`: in the place of the format, which is "%s". A format of a caller's would read
 * arguments that are not there. */
static bool variable_add_printed(c_function *to, const c_function *from, const bind_clause *c) {
  const bool alone = to->count > 0 && to->count == from->count;
  if (!variable_is_printed(c) || !alone || variable_has_format(from) ||
      !variable_is_text(to->params[to->count - 1].type)) {
    return false;
  }
  to->params[to->count - 1].name = clause_name(c, 3);
  to->params[to->count - 1].printed = true;
  return true;
}

/* `... := NULL`: a parameter that no caller sees. */
static bool variable_add_end(c_function *to, const bind_clause *c, clause_list *rest) {
  static c_type nothing = {.kind = C_VOID, .is_const = true, .spelling = "void"};
  if (c->count != 3 || !clause_is(c, 2, "NULL")) {
    return false;
  }
  const char *name = ir_param_type(to, "ending") ? "ending_of_list" : "ending";
  variable_add(to, name, variable_pointer(&nothing));
  const clause_list said = clauses_parse(bind_string("%s := NULL", name));
  clauses_add(rest, &said);
  return true;
}

static bool variable_add_clause(c_function *to, const c_function *from, const bind_clause *c,
                                clause_list *rest) {
  if (to->count > 0 && to->params[to->count - 1].printed) { /* "%s" takes one */
    return false;
  }
  if (clause_mark_at(c, 1) == CLAUSE_DERIVES) {
    return variable_add_end(to, c, rest);
  }
  return variable_add_printed(to, from, c) || variable_add_number(to, c, rest);
}

const c_function *ir_fix_variable(ir_builder *b, const c_function *from, clause_list *contract) {
  c_function *to = bind_alloc(1, sizeof *to);
  *to = *from;
  to->params = bind_items(from->count + contract->count, sizeof *to->params);
  for (int i = 0; i < from->count; i++) {
    to->params[i] = from->params[i];
  }
  clause_list rest = {0};
  BIND_EACH_CLAUSE (c, contract) {
    if (!variable_is_about(c)) {
      clauses_put(&rest, c);
    } else if (!from->variadic) {
      variable_fail(b, from, c, "expected a function with a variable number of arguments");
    } else if (variable_add_clause(to, from, c, &rest)) {
      to->variadic = false;
    } else {
      variable_fail(b,
                    from,
                    c,
                    "expected `... := NULL`, or `...: i32 NAME` with one of i32, i64, u32, u64 and "
                    "f64, or `out` before it, or alone `...: text NAME` after a format");
    }
  }
  if (to->variadic || !from->variadic) {
    return from;
  }
  *contract = rest;
  return to;
}
