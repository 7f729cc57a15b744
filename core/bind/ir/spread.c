/* SPDX-License-Identifier: Apache-2.0 */
/* `data: fields`: the fields of a struct are parameters of the function, so that all clauses may
 * name them; only the call of C puts them together. */
#include "bind/clauses/clauses.h"
#include "builder.h"
#include <string.h>

/* A function while its structs are taken apart. */
typedef struct spread_work {
  ir_builder *b;
  bind_function *f;
  const c_function *from;
  const clause_list *contract;
  c_function *to;
  int capacity;
} spread_work;

static void spread_fail(const spread_work *w, const char *name, const char *why) {
  ir_fail(w->b, w->from->line, "%s: %s: %s", ir_short_name(w->b, w->from->name), name, why);
}

static bool spread_is_said(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  return c && c->count == 3 && clause_is(c, 2, "fields");
}

/* Tell whether C writes a field: "x: out", or "m := *x". */
static bool spread_is_written(const clause_list *contract, const char *field) {
  BIND_EACH_CLAUSE (c, contract) {
    if (clause_mark_at(c, 1) == CLAUSE_DERIVES && c->count == 4 && clause_is(c, 2, "*") &&
        clause_is(c, 3, field)) {
      return true;
    }
  }
  return clauses_pointee(contract, field).out;
}

static c_type *spread_pointer_to(c_type *to) {
  c_type *type = bind_alloc(1, sizeof *type);
  *type = (c_type){.kind = C_POINTER, .spelling = "", .to = to};
  return type;
}

static const char *spread_spelling(const c_type *t) {
  if (t->kind == C_POINTER && !*t->spelling) {
    return ir_spell_pointer(t);
  }
  return bind_string("%s ", t->spelling);
}

/* Say why a member is no parameter, or return NULL. */
static const char *spread_why_not(const c_member *m) {
  if (m->is_bits) {
    return "a bit-field";
  }
  if (!*m->name || m->is_flexible || m->type->is_array) {
    return "no number and no pointer";
  }
  return NULL;
}

static void spread_add_field(spread_work *w, bind_spread *spread, const c_member *m,
                             bool is_const) {
  const char *why = spread_why_not(m);
  if (why) {
    w->f->unbound =
        bind_string("%s: %s", spread->name, ir_struct_advice(spread->structure->name, m, why));
    return;
  }
  const bool written = spread_is_written(w->contract, m->name) && m->type->kind != C_POINTER;
  if (written && is_const) {
    spread_fail(w, m->name, "C's pointer is const, so its fields are not written");
  }
  const c_param field = {.name = m->name,
                         .type = written ? spread_pointer_to(m->type) : m->type,
                         .doc = m->doc,
                         .note = ""};
  BIND_ADD(w->to->params, w->to->count, w->capacity, field);
  spread->fields[spread->count++] = (bind_spread_field){m->name, spread_spelling(m->type), written};
}

static bool spread_hides(const ir_builder *b, const char *type, const char *field) {
  const sidecar_block *block = sidecar_find_struct(b->contracts, type);
  for (int i = 0; block && i < block->clauses.count; i++) {
    const bind_clause *c = &block->clauses.clauses[i];
    if (c->count == 2 && clause_is(c, 0, "hide") && clause_is(c, 1, field)) {
      return true;
    }
  }
  return false;
}

static void spread_take_apart(spread_work *w, const c_param *p) {
  const bool behind = p->type->kind == C_POINTER;
  const c_type *t = behind ? p->type->to : p->type;
  const bind_struct *s = t->kind == C_STRUCT && t->record ? t->record->built : NULL;
  if (!s || t->record->unread) {
    spread_fail(w, p->name, "`fields` is for a struct whose members are known");
    return;
  }
  bind_spread *spread = &w->f->spreads[w->f->spread_count++];
  sidecar_block *block = sidecar_find_struct(w->b->contracts, s->name);
  if (block) {
    block->used = true;
  }
  spread->name = p->name;
  spread->structure = s;
  spread->behind = behind;
  spread->c = behind ? ir_spell_pointer(p->type) : s->c;
  spread->fields = bind_items(t->record->member_count, sizeof *spread->fields);
  BIND_EACH (const c_member, m, t->record->members, t->record->member_count) {
    if (!spread_hides(w->b, s->name, m->name)) {
      spread_add_field(w, spread, m, behind && t->is_const);
    }
  }
  if (!spread->count && !w->f->unbound) {
    spread_fail(w, p->name, "all its fields are hidden");
  }
}

/* Take the clauses out that the hub does not know. */
static void spread_take_clauses(const bind_function *f, clause_list *contract) {
  int kept = 0;
  for (int i = 0; i < contract->count; i++) {
    const bind_clause *c = &contract->clauses[i];
    bool is_ours = false;
    for (int k = 0; k < f->spread_count; k++) {
      is_ours |= clause_is(c, 0, f->spreads[k].name) && clause_is(c, 2, "fields");
    }
    if (!is_ours) {
      contract->clauses[kept++] = *c;
    }
  }
  contract->count = kept;
}

const c_function *ir_spread_structs(ir_builder *b, bind_function *f, const c_function *from,
                                    clause_list *contract) {
  bool any = false;
  for (int i = 0; i < from->count; i++) {
    any |= spread_is_said(contract, ir_param_name(from, i));
  }
  if (!any) {
    return from;
  }
  c_function *to = bind_alloc(1, sizeof *to);
  *to = *from;
  to->params = NULL;
  to->count = 0;
  spread_work w = {b, f, from, contract, to, 0};
  f->spreads = bind_items(from->count, sizeof *f->spreads);
  for (int i = 0; i < from->count; i++) {
    c_param p = from->params[i];
    p.name = ir_param_name(from, i);
    if (spread_is_said(contract, p.name)) {
      spread_take_apart(&w, &p);
    } else {
      BIND_ADD(to->params, to->count, w.capacity, p);
    }
  }
  spread_take_clauses(f, contract);
  return to;
}

const char *ir_spread_name(const bind_function *f, const char *field) {
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    BIND_EACH (const bind_spread_field, of, spread->fields, spread->count) {
      if (strcmp(of->name, field) == 0) {
        return spread->name;
      }
    }
  }
  return NULL;
}
