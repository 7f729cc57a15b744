/* SPDX-License-Identifier: Apache-2.0 */
/* `every PATTERN { ... }`: clauses for many functions, each for those that it suits. A function's own clauses go before. */
#include "bind/base/names.h"
#include "builder.h"
#include "clauses.h"
#include <string.h>

/* How a clause goes on after its first word: ":=", ":", "=" of a default, or "" for others. */
static const char *every_mark(const char *rest) {
  if (strncmp(rest, ":=", 2) == 0) return ":=";
  if (*rest == ':') return ":";
  return *rest == '=' && rest[1] != '=' ? "=" : "";
}

/* Tell whether a contract has a clause that begins and goes on in the same way. */
static bool every_is_given(const char *contract, const char *word, const char *mark) {
  const char *rest;
  for (const char *clause; (clause = clauses_next(&contract));)
    if (strcmp(clauses_first_word(clause, &rest), word) == 0 && strcmp(every_mark(rest), mark) == 0) return true;
  return false;
}

/* A clause with `:` is about memory, so the parameter is a pointer; a constraint or a default is about a value. */
static bool every_has_parameter(const c_function *f, const char *name, const char *mark, bool *named) {
  *named = false;
  for (int i = 0; i < f->count; i++) {
    const c_type *t = f->params[i].type;
    const bool pointer = t->kind == C_POINTER, text = pointer && t->to->kind == C_CHAR;
    if (!f->params[i].name || strcmp(f->params[i].name, name) != 0) continue;
    *named = true;
    return strcmp(mark, ":=") == 0 || (strcmp(mark, ":") == 0 ? pointer : !pointer || (text && *mark));
  }
  return false;
}

/* Tell whether a function has what a clause is about: a parameter, or a result that may be a code. */
static bool every_suits(const c_function *f, const char *word, const char *rest, const char *own) {
  static const char attributes[] = "hide slow fast threadsafe lock method property";
  const char *mark = every_mark(rest);
  if (strcmp(word, "return") == 0 && *mark == ':') {
    const char *said = clauses_first_word(rest + 1 + strspn(rest + 1, " "), &rest);
    return strcmp(said, "status") != 0 || f->result->kind == C_ENUM ||
           (f->result->kind == C_INTEGER && f->result->scalar == BIND_I32);
  }
  if (strcmp(word, "keeps") == 0) word = clauses_first_word(rest, &rest);
  if (!*mark && bind_word_in(word, attributes)) return true;
  bool named;
  return every_has_parameter(f, word, mark, &named) || (!named && !*mark && gift_mentions(own, word));
}

const char *ir_every(ir_builder *b, const c_function *f, const char *own, const sidecar_block **block) {
  const char *all = "";
  for (int i = 0; i < b->contracts->every.count; i++) {
    sidecar_block *every = &b->contracts->blocks[b->contracts->every.places[i]];
    if (!sidecar_matches(every->name, f->name)) continue;
    every->used = true;
    const char *at = every->contract, *rest;
    for (const char *clause; (clause = clauses_next(&at));) {
      const char *word = clauses_first_word(clause, &rest);
      if (every_is_given(own, word, every_mark(rest)) || !every_suits(f, word, rest, own)) continue;
      all = bind_join(all, "; ", clause);
      *block = every;
    }
  }
  return all;
}
