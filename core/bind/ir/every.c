/* SPDX-License-Identifier: Apache-2.0 */
/* `every PATTERN { ... }`: clauses for many functions, each for those that it suits. A function's
 * own clauses go before. */
#include "bind/base/names.h"
#include "bind/clauses/clauses.h"
#include "builder.h"
#include <string.h>

/* How a clause goes on after its first word: ":=", ":", "=" of a default, or "" for others. */
static const char *every_mark(const char *rest) {
  if (strncmp(rest, ":=", 2) == 0) {
    return ":=";
  }
  if (*rest == ':') {
    return ":";
  }
  if (*rest == '=' && rest[1] != '=') {
    return "=";
  }
  return "";
}

/* Tell whether a contract has a clause that begins and goes on in the same way. */
static bool every_is_given(const char *contract, const char *word, const char *mark) {
  const char *rest;
  for (const char *clause; (clause = clauses_next(&contract));) {
    if (strcmp(clauses_first_word(clause, &rest), word) == 0 &&
        strcmp(every_mark(rest), mark) == 0) {
      return true;
    }
  }
  return false;
}

/* A clause with `:` is about memory, so the parameter is a pointer; a constraint or a default is
 * about a value. */
static bool every_has_parameter(const c_function *f, const char *name, const char *mark,
                                bool *named) {
  *named = false;
  for (int i = 0; i < f->count; i++) {
    const c_type *t = f->params[i].type;
    const bool pointer = t->kind == C_POINTER;
    const bool text = pointer && t->to->kind == C_CHAR;
    if (!f->params[i].name || strcmp(f->params[i].name, name) != 0) {
      continue;
    }
    *named = true;
    return strcmp(mark, ":=") == 0 ||
           (strcmp(mark, ":") == 0 ? pointer : !pointer || (text && *mark));
  }
  return false;
}

/* Tell whether a function has what a clause is about: a parameter, or a result that may be a code.
 */
static bool every_suits(const c_function *f, const char *word, const char *rest, const char *own) {
  static const char attributes[] = "hide slow fast threadsafe lock method property";
  const char *mark = every_mark(rest);
  if (strcmp(word, "return") == 0 && *mark == ':') {
    const char *said = clauses_first_word(rest + 1 + strspn(rest + 1, " "), &rest);
    return strcmp(said, "status") != 0 || f->result->kind == C_ENUM ||
           (f->result->kind == C_INTEGER && f->result->scalar == BIND_I32);
  }
  if (strcmp(word, "keeps") == 0) {
    word = clauses_first_word(rest, &rest);
  }
  if (!*mark && bind_word_in(word, attributes)) {
    return true;
  }
  bool named;
  return every_has_parameter(f, word, mark, &named) ||
         (!named && !*mark && bind_mentions(own, word));
}

/* The name that a clause is about: its first word, or the first name of "(n + 1) > 0" and "2 * n >
 * 0". */
static const char *every_subject(const char *clause, const char **rest) {
  for (*rest = clause;;) {
    const char *word = clauses_first_word(*rest, rest);
    if (!*word && **rest) {
      ++*rest;
    }
    const bool number = strchr("0123456789", *word);
    const bool call = **rest == '(' && bind_word_in(word, "min max hook");
    if (!**rest || (*word && !number && !call)) {
      return word;
    }
    *rest += strspn(*rest, " \t\r\n\f\v");
  }
}

static int every_count(const char *contract) {
  int count = 0;
  while (clauses_next(&contract)) {
    count++;
  }
  return count;
}

const char *ir_every(ir_builder *b, const c_function *f, const char *own,
                     const sidecar_block **block) {
  bind_text all = {0};
  for (int i = 0; i < b->contracts->every.count; i++) {
    sidecar_block *every = &b->contracts->blocks[b->contracts->every.places[i]];
    if (!sidecar_matches(every->name, f->name)) {
      continue;
    }
    if (!every->suits) {
      every->suits = bind_alloc((size_t)every_count(every->contract) + 1, sizeof *every->suits);
    }
    every->used = true;
    const char *at = every->contract;
    const char *rest;
    bool *suits = every->suits;
    for (const char *clause; (clause = clauses_next(&at)); suits++) {
      if (*clause == '?') {
        continue; /* a guess */
      }
      const char *word = every_subject(clause, &rest);
      if (!every_suits(f, word, rest, own)) {
        continue;
      }
      *suits = true;
      if (every_is_given(own, word, every_mark(rest))) {
        continue;
      }
      bind_append(&all, "; ", clause);
      *block = every;
    }
  }
  return bind_keep(&all);
}

void ir_report_every(ir_builder *b) {
  for (int i = 0; i < b->contracts->every.count; i++) {
    const sidecar_block *every = &b->contracts->blocks[b->contracts->every.places[i]];
    const char *at = every->contract;
    const bool *suits = every->suits;
    for (const char *clause; every->used && (clause = clauses_next(&at)); suits++) {
      if (*suits || *clause == '?') {
        continue;
      }
      b->block = every;
      b->clause = clause;
      ir_fail(b,
              every->line,
              "every %s: `%s` suits none of its functions: expected a clause for a parameter of "
              "one, `return: ...`, or one "
              "of the words slow, fast, threadsafe, lock NAME, hide, method, property",
              every->name,
              clause);
    }
  }
  b->block = NULL;
  b->clause = NULL;
}
