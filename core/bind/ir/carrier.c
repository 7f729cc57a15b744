/* SPDX-License-Identifier: Apache-2.0 */
#include "carrier.h"

/* Where the extents begin in "tensor data[size1, size2]". */
enum { CARRIER_EXTENT = 3 };

bool ir_is_carrier_clause(const bind_clause *c) {
  return c->count >= 5 && clause_is(c, 0, "tensor") && clause_has_name(c, 1) &&
         clause_is(c, 2, "[") && clause_is(c, c->count - 1, "]");
}

const bind_clause *ir_carrier_clause(const sidecar_block *block) {
  for (int i = 0; block && i < block->clauses.count; i++) {
    if (ir_is_carrier_clause(&block->clauses.clauses[i])) {
      return &block->clauses.clauses[i];
    }
  }
  return NULL;
}

/* ---- the struct's block ---- */

static const char *carrier_why_no_tensor(const c_struct *record, const bind_clause *c) {
  const char *field = clause_name(c, 1);
  const c_member *m = ir_find_member(record, field);
  const bool pointer = m && m->type->kind == C_POINTER && !m->type->is_array;
  if (!pointer || !ir_may_be_element(m->type->to)) {
    return bind_string("it has no field `%s` that points to elements", field);
  }
  for (int part = CARRIER_EXTENT; part < c->count; part += 2) {
    if (!ir_has_integer(record, clause_name(c, part))) {
      return bind_string("`%s`: expected fields that are integers between the brackets",
                         clause_text(c));
    }
  }
  return NULL;
}

const char *ir_why_no_carrier(const c_struct *record, const sidecar_block *block,
                              const bind_clause *c) {
  if (ir_is_carrier_clause(c)) {
    return carrier_why_no_tensor(record, c);
  }
  if (!ir_carrier_clause(block)) {
    return bind_string("`%s` is for a struct with `tensor FIELD[...]`", clause_text(c));
  }
  if (!ir_has_integer(record, clause_name(c, 0))) {
    return bind_string("it has no field `%s` that is an integer", clause_name(c, 0));
  }
  return NULL;
}

const char *ir_why_no_part(const sidecar_block *block, const c_member *m) {
  const bind_clause *tensor = ir_carrier_clause(block);
  if (!tensor || clause_find_part(tensor, 1, m->name) >= 0 ||
      clauses_find(&block->clauses, m->name, CLAUSE_DERIVES)) {
    return NULL;
  }
  return "no part of its tensor";
}

/* ---- a parameter ---- */

const char *ir_carrier_name(const sidecar_block *block, const char *param, const char *field) {
  const bind_clause *tensor = ir_carrier_clause(block);
  return clause_is(tensor, 1, field) ? param : bind_string("%s_%s", param, field);
}

sidecar_block *ir_carrier_of(const ir_builder *b, const clause_list *contract, const c_param *p) {
  const c_type *t = p->type;
  if (t->kind != C_POINTER || t->to->kind != C_STRUCT || !t->to->record) {
    return NULL;
  }
  sidecar_block *block = sidecar_find_struct(b->contracts, t->to->record->name);
  if (!ir_carrier_clause(block) || clauses_tensor(contract, p->name) == CLAUSE_NONE) {
    return NULL;
  }
  return block;
}

/* Return the text of an extent and step behind it; NULL for one that is no number before the call,
 * or behind the last. */
static const char *carrier_extent(const bind_clause *c, int *part) {
  const char *text = "";
  int depth = 0;
  int at = *part;
  for (; at < c->count && (depth || !(clause_is(c, at, ",") || clause_is(c, at, "]"))); at++) {
    if (bind_word_in(bind_sized(c->parts[at].at, c->parts[at].size), "_ ... <= hook")) {
      return NULL;
    }
    depth += clause_is(c, at, "(") - clause_is(c, at, ")");
    text = bind_string("%s%s ", text, bind_sized(c->parts[at].at, c->parts[at].size));
  }
  *part = at + 1;
  return *text ? text : NULL;
}

/* "x_size1 := m", for each extent of "x: in f64[m, n]" */
static const char *carrier_extents(const bind_clause *tensor, const bind_clause *c,
                                   const char *param) {
  const char *all = "";
  int part = clause_find_part(c, 1, "[") + 1;
  int place = CARRIER_EXTENT;
  for (; place < tensor->count && !clause_is(c, part - 1, "]"); place += 2) {
    const char *extent = carrier_extent(c, &part);
    if (!extent) {
      return NULL;
    }
    all = bind_string("%s%s_%s := %s; ", all, param, clause_name(tensor, place), extent);
  }
  const bool same = place >= tensor->count && clause_is(c, part - 1, "]");
  return same ? all : NULL;
}

const char *ir_carry(const sidecar_block *block, const c_param *p, clause_list *contract) {
  const bind_clause *tensor = ir_carrier_clause(block);
  const bind_clause *c = clauses_find(contract, p->name, CLAUSE_COLON);
  const char *all = carrier_extents(tensor, c, p->name);
  if (clause_find_part(c, 2, "opt") >= 0) {
    return "`opt` is not for a struct";
  }
  if (!all) {
    return bind_string("expected %d extents by name, for `%s`",
                       (tensor->count - CARRIER_EXTENT) / 2,
                       clause_text(tensor));
  }
  if (p->type->to->is_const && clauses_tensor(contract, p->name) != CLAUSE_IN) {
    return "C's pointer is const, so its tensor is not written: expected `in`";
  }
  const clause_list said =
      clauses_replace(&block->clauses, clause_name(tensor, 1), p->name, p->name);
  BIND_EACH_CLAUSE (source, &said) {
    if (clause_mark_at(source, 1) == CLAUSE_DERIVES) {
      all = bind_string("%s%s_%s; ", all, p->name, clause_text(source));
    }
  }
  const clause_list parts = clauses_parse(all);
  clauses_add(contract, &parts);
  return NULL;
}
