/* SPDX-License-Identifier: Apache-2.0 */
/* `data: fields`: the fields of a struct are parameters of the function, so that all clauses may
 * name them; only the call of C puts them together. So are those of a struct that carries a tensor.
 */
#include "bind/clauses/clauses.h"
#include "builder.h"
#include "carrier.h"
#include <string.h>

/* A function while its structs are taken apart. */
typedef struct spread_work {
  ir_builder *b;
  bind_function *f;
  const c_function *from;
  const clause_words *words;
  c_function *to;
  int capacity;
  /* Of the struct that is taken apart: */
  const sidecar_block *carrier; /* its block, if it carries a tensor; else NULL */
  const char *before;           /* what is put before the names of its fields */
} spread_work;

static void spread_fail(const spread_work *w, const char *name, const char *why) {
  ir_fail(w->b, w->from->line, "%s: %s: %s", ir_short_name(w->b, w->from->name), name, why);
}

/* Return what is put before the names of a struct's fields: "a_" of `x: fields a_*`, "" without it;
 * NULL if a parameter is not to be taken apart. */
static const char *spread_before(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  if (!c || !clause_is(c, 2, "fields")) {
    return NULL;
  }
  return clause_name(c, 3);
}

/* Return n of `x: fields *n`, a list of structs; NULL for one. */
static const char *spread_count(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  const int part = 3 + 2 * clause_has_name(c, 3);
  return clause_is(c, part, "*") ? clause_name(c, part + 1) : NULL;
}

/* Tell whether a field is a pointer that C writes, to what it gives, lends or keeps. */
static bool spread_is_given(const clause_words *words, const char *field) {
  BIND_EACH (const gift_clause, gift, words->gifts, words->gift_count) {
    if (strcmp(gift->param, field) == 0) {
      return true;
    }
  }
  BIND_EACH (const text_clause, text, words->given_texts, words->given_text_count) {
    if (text->kind == BIND_TEXT_BEHIND && strcmp(text->param, field) == 0) {
      return true;
    }
  }
  return words->borrow.param && strcmp(words->borrow.param, field) == 0;
}

/* Tell whether a field is an extent of what C gives, and nothing that the call computes. */
static bool spread_is_extent(const clause_words *words, const char *field) {
  if (clauses_find(&words->rest, field, CLAUSE_DERIVES)) {
    return false;
  }
  BIND_EACH (const gift_clause, gift, words->gifts, words->gift_count) {
    const clause_list shape = clauses_parse(gift->shape);
    if (clauses_mention(&shape, field)) {
      return true;
    }
  }
  return false;
}

/* Tell whether C writes a field: "x: out", "x: gives ...", or "m := *x". */
static bool spread_is_written(const clause_words *words, const c_member *m, const char *field) {
  if (m->type->kind == C_POINTER) {
    return spread_is_given(words, field);
  }
  if (spread_is_extent(words, field)) {
    return true;
  }
  BIND_EACH_CLAUSE (c, &words->rest) {
    if (clause_mark_at(c, 1) == CLAUSE_DERIVES && c->count == 4 && clause_is(c, 2, "*") &&
        clause_is(c, 3, field)) {
      return true;
    }
  }
  return clauses_pointee(&words->rest, field).out;
}

static c_type *spread_pointer_to(c_type *to) {
  c_type *type = bind_alloc(1, sizeof *type);
  *type = (c_type){.kind = C_POINTER, .spelling = "", .to = to};
  return type;
}

/* The type of a list of what a field is: C reads numbers, objects or texts from it. */
static c_type *spread_list_of(const c_type *t) {
  c_type *item = bind_alloc(1, sizeof *item);
  *item = *t;
  item->is_const = true;
  if (t->kind == C_ENUM) {
    *item = (c_type){.kind = C_INTEGER, .scalar = BIND_I32, .spelling = "int", .is_const = true};
  }
  if (t->kind == C_POINTER && t->to->kind == C_CHAR) {
    item->to = bind_alloc(1, sizeof *item->to);
    *item->to = *t->to;
    item->to->is_const = true;
  }
  return spread_pointer_to(item);
}

static const char *spread_spelling(const c_type *t) {
  if (t->kind == C_POINTER && !*t->spelling) {
    return ir_spell_pointer(t);
  }
  return bind_string("%s ", t->spelling);
}

/* Say why a member is no parameter, or return NULL. */
static const char *spread_why_not(const spread_work *w, const c_member *m) {
  if (m->is_bits) {
    return "a bit-field";
  }
  if (!*m->name || m->is_flexible || m->type->is_array) {
    return "no number and no pointer";
  }
  return ir_why_no_part(w->carrier, m);
}

static const char *spread_name(const spread_work *w, const bind_spread *spread, const c_member *m) {
  if (w->carrier) {
    return ir_carrier_name(w->carrier, spread->name, m->name);
  }
  return bind_string("%s%s", w->before, m->name);
}

/* Tell whether the clause of a field makes it a list of n: "x: f64 *n", "x: in *n", "x: text *n".
 */
static bool spread_is_list(const clause_words *words, const char *field, const char *n) {
  BIND_EACH (const text_clause, text, words->given_texts, words->given_text_count) {
    if (text->kind == BIND_TEXT_LIST && strcmp(text->param, field) == 0) {
      return strcmp(text->size, n) == 0;
    }
  }
  const bind_clause *c = clauses_find(&words->rest, field, CLAUSE_COLON);
  return c && c->count > 3 && clause_is(c, c->count - 2, "*") && clause_is(c, c->count - 1, n);
}

/* Tell whether C counts a list of structs by this parameter, which nothing else computes. */
static bool spread_counts(const spread_work *w, const char *n) {
  const c_type *t = ir_param_type(w->from, n);
  return t && t->kind == C_INTEGER && !clauses_find(&w->words->rest, n, CLAUSE_DERIVES);
}

static void spread_add_field(spread_work *w, bind_spread *spread, const c_member *m,
                             bool is_const) {
  const char *why = spread_why_not(w, m);
  if (why) {
    w->f->unbound =
        bind_string("%s: %s", spread->name, ir_struct_advice(spread->structure->name, m, why));
    return;
  }
  const char *name = spread_name(w, spread, m);
  const bool written = spread->is_result || (!spread->list && spread_is_written(w->words, m, name));
  if (spread->list && !spread_is_list(w->words, name, spread->list)) {
    spread_fail(w,
                name,
                bind_string("expected a list for each field: `%s: i32 *%s` of numbers, `in *%s` of "
                            "objects, `text *%s` of texts",
                            name,
                            spread->list,
                            spread->list,
                            spread->list));
  }
  if (written && is_const) {
    spread_fail(w, name, "C's pointer is const, so its fields are not written");
  }
  c_type *type = written ? spread_pointer_to(m->type) : m->type;
  if (spread->list) {
    type = spread_list_of(m->type);
  }
  const c_param field = {.name = name, .type = type, .doc = m->doc, .note = ""};
  BIND_ADD(w->to->params, w->to->count, w->capacity, field);
  spread->fields[spread->count++] =
      (bind_spread_field){name, m->name, spread_spelling(m->type), written};
}

static bool spread_hides(const sidecar_block *block, const char *field) {
  for (int i = 0; block && i < block->clauses.count; i++) {
    const bind_clause *c = &block->clauses.clauses[i];
    if (c->count == 2 && clause_is(c, 0, "hide") && clause_is(c, 1, field)) {
      return true;
    }
  }
  return false;
}

/* Take a struct apart, or one behind a pointer. */
static void spread_take_apart(spread_work *w, const char *name, const c_type *type,
                              bool is_result) {
  const bool behind = type->kind == C_POINTER;
  const c_type *t = behind ? type->to : type;
  const bind_struct *s = t->kind == C_STRUCT && t->record ? t->record->built : NULL;
  const char *list = is_result ? NULL : spread_count(&w->words->rest, name);
  if (!s || t->record->unread || (is_result && behind) || (list && !behind)) {
    spread_fail(w, name, "`fields` is for a struct whose members are known");
    return;
  }
  if (list && !spread_counts(w, list)) {
    spread_fail(w, name, bind_string("`*%s`: expected the parameter that counts the list", list));
    return;
  }
  bind_spread *spread = &w->f->spreads[w->f->spread_count++];
  sidecar_block *block = sidecar_find_struct(w->b->contracts, s->name);
  if (block) {
    block->used = true;
  }
  spread->name = name;
  spread->structure = s;
  spread->behind = behind;
  spread->is_result = is_result;
  spread->list = list;
  spread->c = behind ? ir_spell_pointer(type) : s->c;
  spread->fields = bind_items(t->record->member_count, sizeof *spread->fields);
  BIND_EACH (const c_member, m, t->record->members, t->record->member_count) {
    if (!spread_hides(block, m->name)) {
      spread_add_field(w, spread, m, behind && t->is_const);
    }
  }
  if (!spread->count && !w->f->unbound) {
    spread_fail(w, name, "all its fields are hidden");
  }
}

/* `return: fields`: what C returns is a struct, whose fields callers get. */
static void spread_take_result(spread_work *w) {
  w->carrier = NULL;
  w->before = spread_before(&w->words->rest, "return");
  if (w->before) {
    spread_take_apart(w, "return", w->from->result, true);
    w->to->result = bind_alloc(1, sizeof(c_type));
    *w->to->result = (c_type){.kind = C_VOID, .spelling = "void"};
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

/* Tell whether a parameter is a struct that is taken apart. A struct that carries a tensor is, for
 * the clause of that tensor. */
static bool spread_takes(spread_work *w, const c_param *p, clause_list *contract) {
  w->carrier = ir_carrier_of(w->b, contract, p);
  w->before = spread_before(contract, p->name);
  if (!w->carrier) {
    return w->before != NULL;
  }
  const char *why = ir_carry(w->carrier, p, contract);
  if (why) {
    spread_fail(w, p->name, why);
  }
  return true;
}

static bool spread_any(const ir_builder *b, const c_function *from, const clause_list *contract) {
  if (spread_before(contract, "return")) {
    return true;
  }
  for (int i = 0; i < from->count; i++) {
    c_param p = from->params[i];
    p.name = ir_param_name(from, i);
    if (ir_carrier_of(b, contract, &p) || spread_before(contract, p.name)) {
      return true;
    }
  }
  return false;
}

const c_function *ir_spread_structs(ir_builder *b, bind_function *f, const c_function *from,
                                    clause_words *words) {
  if (!spread_any(b, from, &words->rest)) {
    return from;
  }
  c_function *to = bind_alloc(1, sizeof *to);
  *to = *from;
  to->params = NULL;
  to->count = 0;
  spread_work w = {b, f, from, words, to, 0, NULL, ""};
  f->spreads = bind_items(from->count + 1, sizeof *f->spreads);
  for (int i = 0; i < from->count; i++) {
    c_param p = from->params[i];
    p.name = ir_param_name(from, i);
    if (spread_takes(&w, &p, &words->rest)) {
      spread_take_apart(&w, p.name, p.type, false);
    } else {
      BIND_ADD(to->params, to->count, w.capacity, p);
    }
  }
  spread_take_result(&w);
  spread_take_clauses(f, &words->rest);
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
