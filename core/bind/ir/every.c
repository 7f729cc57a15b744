/* SPDX-License-Identifier: Apache-2.0 */
/* `every PATTERN { ... }`: clauses for many functions, each for those that it suits. A function's
 * own clauses go before. */
#include "bind/base/names.h"
#include "bind/clauses/clauses.h"
#include "builder.h"
#include <string.h>

/* The type of the parameter that has a name, or NULL. */
static const c_type *every_find_type(const c_function *f, const char *name) {
  BIND_EACH (const c_param, p, f->params, f->count) {
    if (p->name && strcmp(p->name, name) == 0) {
      return p->type;
    }
  }
  return NULL;
}

/* A clause with `:` is about memory, so the parameter is a pointer; a constraint or a default is
 * about a value. */
static bool every_has_parameter(const c_function *f, const char *name, clause_mark mark,
                                bool *named) {
  const c_type *t = every_find_type(f, name);
  *named = t != NULL;
  if (!t) {
    return false;
  }
  const bool pointer = t->kind == C_POINTER;
  const bool text = pointer && t->to->kind == C_CHAR;
  switch (mark) {
  case CLAUSE_DERIVES:
    return true;
  case CLAUSE_COLON:
    return pointer;
  case CLAUSE_DEFAULT:
    return !pointer || text;
  case CLAUSE_NO_MARK:
    return !pointer;
  }
  return false;
}

/* A pointer, or an integer that is a handle. */
static bool every_has_object(const ir_builder *b, const c_function *f, const char *name) {
  const c_type *t = every_find_type(f, name);
  return t && (t->kind == C_POINTER || ir_find_handle(b, t));
}

/* What C keeps: something behind a pointer, an object, or a number. */
static bool every_may_keep(const ir_builder *b, const c_function *f, const keep_clause *k) {
  const c_type *t = every_find_type(f, k->param);
  const bool keeper = !k->in || strcmp(k->in, "result") == 0 || every_has_object(b, f, k->in);
  return keeper && t && (t->kind == C_INTEGER || every_has_object(b, f, k->param));
}

/* Tell whether a function makes an object ready in memory that it gets. */
static bool every_makes(const ir_builder *b, const c_function *f, const char *name) {
  const c_type *t = every_find_type(f, name);
  const bind_handle *h = t && t->kind == C_POINTER ? ir_find_struct_handle(b, t->to) : NULL;
  return h && h->in_place && ir_is_maker(h, f->name);
}

/* The part that a clause is about: its first name, also that of "(n + 1) > 0" and "2 * n > 0". */
static int every_subject(const bind_clause *c) {
  for (int i = 0; i < c->count; i++) {
    const bool call = clause_is(c, i + 1, "(") && bind_word_in(clause_name(c, i), "min max hook");
    if (clause_has_name(c, i) && !clause_has_number(c, i) && !call) {
      return i;
    }
  }
  return c->count - 1;
}

/* Tell whether a condition begins with a field of its subject: "hook(object->type) == 3". */
static bool every_reads_field(const bind_clause *c, int subject) {
  return subject > 0 && clause_is(c, subject + 1, "-") && clause_is(c, subject + 2, ">");
}

/* A code is an int or an enum, only a text may be absent, only a pointer gives memory, and only an
 * object is borrowed. */
static bool every_suits_result(const c_function *f, const bind_clause *c, int part) {
  const c_type *result = f->result;
  bool named;
  if (clause_is(c, part, "status")) {
    return result->kind == C_ENUM || (result->kind == C_INTEGER && result->scalar == BIND_I32);
  }
  if (clause_is(c, part + 1, "from")) {
    return result->kind == C_ENUM || (result->kind == C_INTEGER && result->scalar <= BIND_I64);
  }
  if (clause_is(c, part, "opt")) {
    return result->kind == C_POINTER && result->to->kind == C_CHAR && result->to->is_const;
  }
  if (clause_is(c, part, "borrows")) {
    const bool object =
        result->kind == C_POINTER && (*result->spelling || result->to->kind == C_STRUCT);
    return object && every_has_parameter(f, clause_name(c, part + 1), CLAUSE_COLON, &named);
  }
  return !clause_is(c, part, "gives") || result->kind == C_POINTER;
}

/* Tell whether a clause is about a text that C gives behind a pointer: "out: out text". */
static bool every_is_text(const bind_clause *c, int part) {
  while (bind_word_in(clause_name(c, part), "out opt")) {
    part++;
  }
  return clause_is(c, part, "text") &&
         (part + 1 == c->count || clause_is(c, part + 1, "freed") || clause_is(c, part + 1, "*"));
}

/* C writes a `char *` there, or for a list a `char **`, or a struct that has it. */
static bool every_gives_text(const ir_builder *b, const c_function *f, const bind_clause *c) {
  const bool list = clause_find_part(c, 0, "*") >= 0;
  const c_type *t = every_find_type(f, clause_name(c, every_subject(c)));
  if (!t || t->kind != C_POINTER) {
    return false;
  }
  const bind_struct *holder = ir_find_struct(b, t->to);
  const c_type *text = t->to;
  if (list && text->kind == C_POINTER) {
    text = text->to;
  }
  return (text->kind == C_POINTER && text->to->kind == C_CHAR) ||
         (holder && holder->text && holder->lists == list);
}

/* Tell whether a function has what a clause is about: a parameter, or a result that may be a code.
 */
static bool every_suits(const ir_builder *b, const c_function *f, const bind_clause *c,
                        const clause_list *own) {
  static const char attributes[] = "hide slow fast threadsafe unchanged lock method property";
  const int subject = every_subject(c);
  const clause_mark mark = clause_mark_at(c, subject + 1);
  const char *word = clause_name(c, subject);
  if (strcmp(word, "return") == 0 && mark == CLAUSE_COLON) {
    return every_suits_result(f, c, subject + 2);
  }
  if (mark == CLAUSE_NO_MARK && bind_word_in(word, attributes)) {
    return true;
  }
  bool named;
  keep_clause keep;
  const char *why = NULL;
  if (gift_read_keep(c, &keep, &why) == CLAUSE_READ) {
    return every_may_keep(b, f, &keep);
  }
  if (origin_is(c)) {
    return every_has_object(b, f, word) && !every_makes(b, f, word) &&
           every_has_object(b, f, clause_name(c, subject + 3));
  }
  if (every_reads_field(c, subject)) {
    return every_has_parameter(f, word, CLAUSE_COLON, &named);
  }
  if (mark == CLAUSE_COLON && clause_is(c, subject + 2, "out") && every_is_text(c, subject + 2)) {
    return every_gives_text(b, f, c);
  }
  return every_has_parameter(f, word, mark, &named) ||
         (!named && mark == CLAUSE_NO_MARK && clauses_mention(own, word));
}

/* Tell whether a contract has a clause that begins and goes on in the same way. */
static bool every_is_given(const clause_list *own, const bind_clause *c) {
  const int subject = every_subject(c);
  return clauses_find(own, clause_name(c, subject), clause_mark_at(c, subject + 1)) != NULL;
}

/* Tell whether a contract says what becomes of a result: "return: value", "m := result". */
static bool every_takes_result(const clause_list *contract) {
  BIND_EACH_CLAUSE (c, contract) {
    if (clause_mark_at(c, 1) == CLAUSE_DERIVES && clause_is(c, 2, "result")) {
      return true;
    }
  }
  return clauses_find(contract, "return", CLAUSE_COLON) != NULL;
}

void ir_add_every(ir_builder *b, const c_function *f, clause_list *contract,
                  const sidecar_block **block) {
  const clause_list own = *contract;
  for (int i = 0; i < b->contracts->every.count; i++) {
    sidecar_block *every = &b->contracts->blocks[b->contracts->every.places[i]];
    if (!sidecar_matches(every->name, f->name)) {
      continue;
    }
    if (!every->suits) {
      every->suits = bind_items(every->clauses.count, sizeof *every->suits);
    }
    every->used = true;
    for (int k = 0; k < every->clauses.count; k++) {
      const bind_clause *c = &every->clauses.clauses[k];
      if (clause_is_guess(c) || !every_suits(b, f, c, &own)) {
        continue;
      }
      every->suits[k] = true;
      const bool again = clause_is(c, 0, "return") && every_takes_result(contract);
      if (!again && !every_is_given(&own, c)) {
        clauses_put(contract, c);
        *block = every;
      }
    }
  }
}

void ir_report_every(ir_builder *b) {
  for (int i = 0; i < b->contracts->every.count; i++) {
    const sidecar_block *every = &b->contracts->blocks[b->contracts->every.places[i]];
    for (int k = 0; every->used && k < every->clauses.count; k++) {
      const bind_clause *c = &every->clauses.clauses[k];
      if (every->suits[k] || clause_is_guess(c)) {
        continue;
      }
      b->block = every;
      b->clause = clause_text(c);
      ir_fail(b,
              every->line,
              "every %s: `%s` suits none of its functions: expected a clause for a parameter of "
              "one, `return: ...`, or one "
              "of the words slow, fast, threadsafe, unchanged, lock NAME, hide, method, property",
              every->name,
              b->clause);
    }
  }
  b->block = NULL;
  b->clause = NULL;
}
