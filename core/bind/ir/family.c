/* SPDX-License-Identifier: Apache-2.0 */
/* Families: functions that differ in the dtype of their tensors become one for callers, whose twin
 * chooses. Their contracts may share a text, in which the family's variable stands for the dtype of
 * each. */
#include "bind/base/names.h"
#include "bind/c/scalar.h"
#include "bind/clauses/place.h"
#include "builder.h"
#include "contract/contract.h"
#include "parameters.h"
#include "words.h"
#include <string.h>

/* ---- texts ---- */

static const char *family_real(const char *dtype) {
  if (strcmp(dtype, "c64") == 0) {
    return "f32";
  }
  if (strcmp(dtype, "c128") == 0) {
    return "f64";
  }
  return dtype;
}

clause_list ir_member_clauses(const ir_builder *b, const char *function,
                              const clause_list *contract) {
  const char *dtype = NULL;
  const sidecar_family *family = sidecar_family_of(b->contracts, function, &dtype);
  if (family) {
    return clauses_replace(contract, family->variable, dtype, family_real(dtype));
  }
  return *contract;
}

/* "f32|f64", each once */
static const char *family_dtypes(const sidecar_family *from, bool real) {
  const char *all = "";
  for (int i = 0; i < from->count; i++) {
    const char *dtype = from->members[i].dtype;
    if (real) {
      dtype = family_real(dtype);
    }
    if (!bind_mentions(all, dtype)) {
      all = bind_join(all, "|", dtype);
    }
  }
  return all;
}

/* The contract of the family: the variable stays in tensors, and other values have the widest type.
 */
static const char *family_contract(const sidecar_family *from, const bind_function *first,
                                   const char *widest) {
  const char *variable = from->variable;
  clause_list list = clauses_parse(first->said);
  clause_list all = {0};
  if (!clauses_mention(&list, variable)) { /* each member has a text of its own */
    list = clauses_replace(&list, from->members[0].dtype, variable, "");
  }
  for (int i = 0; i < list.count; i++) {
    const clause_list clause = {.clauses = &list.clauses[i], .count = 1};
    clause_list replaced;
    if (clause_find_part(clause.clauses, 0, "[") >= 0) { /* a tensor */
      replaced = clauses_replace(&clause, variable, variable, family_dtypes(from, true));
    } else {
      replaced = clauses_replace(&clause, variable, widest, family_real(widest));
    }
    clauses_add(&all, &replaced);
  }
  const char *types = bind_string("%s in %s", variable, family_dtypes(from, false));
  return bind_join(clauses_text(&all), "; ", types);
}

/* ---- members ---- */

static void family_fail_at(ir_builder *b, const sidecar_family *from, const char *at,
                           const char *why) {
  const place_found place = place_in_file(b->contracts->file, b->contracts->text, at);
  bind_error("%s:%d:%d: family %s: %s", place.file, place.line, place.column, from->name, why);
  b->failed = true;
}

static void family_fail(ir_builder *b, const sidecar_family *from, const char *why) {
  family_fail_at(b, from, from->start, why);
}

/* A hook stands in the member's own contract. */
static void family_fail_hook(ir_builder *b, const sidecar_family *from, const char *member) {
  b->from = ir_find_function(b, member);
  ir_find_block(b, member);
  ir_fail(b,
          b->from->line,
          "%s: `hook` cannot stand in the contract of a member of a family, which is %s",
          member,
          from->name);
  b->from = NULL;
  b->block = NULL;
}

static bool family_is_number(bind_kind kind) {
  return kind == BIND_REAL || kind == BIND_COMPLEX;
}

static bool family_is_signed(const bind_type *type) {
  return bind_scalar_lowest(type->scalar) < 0;
}

/* Numbers may differ in width, and as arguments a real may stand beside a complex one. Integers of
 * two signs make no result in common, since the widest may hold neither. */
static bool family_types_agree(const bind_type *a, const bind_type *z, bool argument) {
  if (argument && family_is_number(a->kind) && family_is_number(z->kind)) {
    return true;
  }
  if (!argument && a->kind == BIND_INTEGER && family_is_signed(a) != family_is_signed(z)) {
    return false;
  }
  return a->kind == z->kind && a->enumeration == z->enumeration && a->handle == z->handle;
}

static const char *family_why_apart(const bind_function *a, const bind_function *z) {
  if (a->param_count != z->param_count || a->c_param_count != z->c_param_count) {
    return bind_string("%s and %s differ in their number of parameters", a->name, z->name);
  }
  for (int i = 0; i < a->c_param_count; i++) {
    if (strcmp(a->c_params[i].name, z->c_params[i].name) != 0) {
      return bind_string("%s has a parameter %s where %s has %s",
                         a->name,
                         a->c_params[i].name,
                         z->name,
                         z->c_params[i].name);
    }
  }
  for (int i = 0; i < a->c_param_count; i++) {
    if (!a->c_params[i].derived != !z->c_params[i].derived) {
      return bind_string(
          "%s: callers pass it to only one of %s and %s", a->c_params[i].name, a->name, z->name);
    }
  }
  for (int i = 0; i < a->param_count; i++) {
    const bind_param *p = &a->params[i];
    const bind_param *q = &z->params[i];
    if (strcmp(p->name, q->name) != 0 || !family_types_agree(&p->type, &q->type, !p->returned) ||
        (p->optional && p->type.kind != BIND_TENSOR && p->type.scalar != q->type.scalar) ||
        p->direction != q->direction || p->optional != q->optional || p->made != q->made ||
        p->returned != q->returned) {
      return bind_string("%s differs between %s and %s", p->name, a->name, z->name);
    }
  }
  if (a->returns != z->returns ||
      (a->returns == BIND_RETURN_VALUE && !family_types_agree(&a->result, &z->result, false))) {
    return bind_string("%s and %s differ in what they return", a->name, z->name);
  }
  return NULL;
}

static bool family_is_wider(const bind_type *a, const bind_type *than) {
  if (a->kind != than->kind) {
    return a->kind == BIND_COMPLEX;
  }
  return (a->kind == BIND_INTEGER || family_is_number(a->kind)) &&
         bind_scalar_size(a->scalar) > bind_scalar_size(than->scalar);
}

/* A float beside a complex number of floats fits, a double does not. */
static void family_widen(bind_type *type, const bind_type *by) {
  const bool wide = bind_scalar_size(type->scalar) > 4 && type->kind == BIND_REAL;
  if (!family_is_wider(by, type)) {
    if (type->kind != BIND_COMPLEX || by->kind != BIND_REAL || by->scalar != BIND_F64) {
      return;
    }
    type->scalar = BIND_C128;
  } else {
    *type = *by;
    type->own = NULL;
    if (wide && type->kind == BIND_COMPLEX) {
      type->scalar = BIND_C128;
    }
  }
  type->c = bind_string("%s ", bind_scalar_c(type->scalar));
}

/* ---- the family ---- */

/* The tensor whose dtype chooses: the first that is always there before the call. */
static const bind_param *family_dispatch(const bind_function *f, const dlf_contract *c) {
  for (int written = 0; written < 2; written++) {
    for (int i = 0; i < f->c_param_count; i++) {
      const dlf__clause *clause = dlf__contract_clause(c, i);
      if (!clause || clause->type < 0 || clause->opt || clause->list || clause->after_call) {
        continue;
      }
      if (written ? !f->new_name : !dlf__is_output(clause)) {
        return f->c_params[i].param;
      }
    }
  }
  return NULL;
}

static void family_read_contract(ir_builder *b, bind_function *f, const sidecar_family *from,
                                 const char *text) {
  dlf_error error = {0};
  f->compiled = NULL; /* so far that of the first member */
  if (!bind_try_contract(f, text, &error)) {
    family_fail(b, from, error.message);
    return;
  }
  const dlf_contract *c = f->compiled;
  for (int i = 0; i < f->c_param_count; i++) {
    const dlf__clause *clause = dlf__contract_clause(c, i);
    if (clause && f->c_params[i].param) {
      f->params[f->c_params[i].param - f->params].contract = clause->text;
    }
  }
  f->infers = true;
  DLF__EACH_CLAUSE (clause, c) {
    f->infers &= !dlf__is_output(clause) || clause->inferable;
  }
  f->dispatch = family_dispatch(f, c);
  if (!f->dispatch) {
    family_fail(
        b, from, bind_string("no tensor that is always there has the dtype %s", from->variable));
  }
  words_describe(f);
}

static void family_copy(bind_function *f, const bind_function *first) {
  *f = *first;
  f->params = bind_items(first->param_count, sizeof *f->params);
  f->c_params = bind_items(first->c_param_count, sizeof *f->c_params);
  memcpy(f->params, first->params, (size_t)first->param_count * sizeof *f->params);
  memcpy(f->c_params, first->c_params, (size_t)first->c_param_count * sizeof *f->c_params);
}

static void family_take_widest(bind_function *f) {
  for (int m = 0; m < f->member_count; m++) {
    const bind_function *member = f->members[m].function;
    for (int i = 0; i < f->param_count; i++) {
      if (!family_is_wider(&member->params[i].type, &f->params[i].type) &&
          member->params[i].type.kind != BIND_REAL) {
        continue;
      }
      if (family_is_wider(&member->params[i].type, &f->params[i].type)) {
        f->params[i].def = member->params[i].def;
      }
      family_widen(&f->params[i].type, &member->params[i].type);
    }
    if (f->returns == BIND_RETURN_VALUE && family_is_wider(&member->result, &f->result)) {
      family_widen(&f->result, &member->result);
    }
  }
  BIND_EACH (bind_c_param, p, f->c_params, f->c_param_count) {
    const bind_function *first = f->members[0].function;
    if (p->count_of) {
      p->count_of = &f->params[p->count_of - first->params];
    }
    if (!p->param) {
      continue;
    }
    p->param = &f->params[p->param - first->params];
    p->type = p->param->type;
  }
}

/* A member is bound, and the extents of its outputs follow from its inputs alone. */
static const char *family_why_unfit(const bind_function *member) {
  if (member->unbound) {
    return bind_string("%s is not bound: %s", member->name, member->unbound);
  }
  BIND_EACH_PARAM (p, member) {
    if (p->counts) {
      return bind_string("%s reports how much it wrote", member->name);
    }
  }
  return NULL;
}

static bool family_take_members(ir_builder *b, const bind_index *names, const sidecar_family *from,
                                bind_function *f) {
  f->members = bind_items(from->count, sizeof *f->members);
  for (int i = 0; i < from->count; i++) {
    const char *name = from->members[i].function;
    bind_function *member = bind_find_item(names, name, b->ir->functions, sizeof *member);
    const char *at = from->members[i].start;
    if (!member) {
      return family_fail_at(b, from, at, bind_string("callers have no function %s", name)), false;
    }
    if (!member->unbound && member->hook_count) {
      return family_fail_hook(b, from, name), false;
    }
    const char *why = family_why_unfit(member);
    if (!why && i) {
      why = family_why_apart(f->members[0].function, member);
    }
    if (why) {
      return family_fail_at(b, from, at, why), false;
    }
    f->members[f->member_count++] = (bind_member){from->members[i].dtype, member};
  }
  return true;
}

/* Its name in C, with the first of the prefixes. */
static const char *family_name(const ir_builder *b, const sidecar_family *from) {
  return bind_string("%.*s%s", (int)strcspn(b->ir->prefix, ","), b->ir->prefix, from->name);
}

static void family_build(ir_builder *b, const bind_index *names, const sidecar_family *from,
                         bind_function *f) {
  bind_function family = {0};
  if (!family_take_members(b, names, from, &family)) {
    return;
  }
  const bind_function *first = family.members[0].function;
  const char *widest = family.members[0].dtype;
  for (int i = 1; i < family.member_count; i++) {
    if (bind_scalar_named(family.members[i].dtype) > bind_scalar_named(widest)) {
      widest = family.members[i].dtype;
    }
  }
  family_copy(f, first);
  f->members = family.members;
  f->member_count = family.member_count;
  f->name = family_name(b, from);
  f->short_name = f->own = f->method_name = from->name;
  f->checked_name = bind_string("%s_checked", f->name);
  if (f->new_name) {
    f->new_name = bind_string("%s_new", f->name);
  }
  f->named = f->reviewed = true;
  for (int i = 0; i < f->member_count; i++) {
    f->reviewed &= f->members[i].function->reviewed;
  }
  family_take_widest(f);
  family_read_contract(b, f, from, family_contract(from, first, widest));
  for (int i = 0; i < f->member_count; i++) {
    bind_function *member = f->members[i].function;
    member->family = f;
    member->short_name = f->short_name;
    member->own = bind_string("%s_%s", f->short_name, f->members[i].dtype);
    member->checked_name = bind_string("dlferry_%s_checked", member->own);
    if (member->new_name) {
      member->new_name = bind_string("dlferry_%s_new", member->own);
    }
    bind_compile_contract(member);
  }
  b->ir->function_count++;
}

void ir_build_families(ir_builder *b) {
  const bind_ir *ir = b->ir;
  bind_index names = {0};
  for (int i = 0; i < ir->function_count; i++) {
    bind_add_place(&names, ir->functions[i].name, i);
  }
  BIND_EACH (const sidecar_family, from, b->contracts->families, b->contracts->family_count) {
    if (bind_find_place(&names, family_name(b, from)) >= 0) {
      family_fail(b, from, bind_string("the header has a function %s", family_name(b, from)));
    } else {
      family_build(b, &names, from, &ir->functions[ir->function_count]);
    }
  }
}
