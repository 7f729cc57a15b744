/* SPDX-License-Identifier: Apache-2.0 */
#include "guess_plan.h"
#include "bind/base/names.h"
#include "bind/clauses/tree.h"
#include "bind/ir/parameters.h"
#include "guess_words.h"
#include <string.h>

void guess_lacks(guess_plan *g, const bind_param *p, const char *what) {
  if (!g->lack) {
    g->lack = bind_string("%s: %s", p->name, what);
  }
}

void guess_say(guess_plan *g, const char *clauses, const char *confidence) {
  const char *line = "";
  const clause_list list = clauses_parse(clauses);
  BIND_EACH (const bind_clause, c, list.clauses, list.count) {
    line = bind_join(line, "  ", bind_string("%s%s;", g->mark, clause_text(c)));
  }
  bind_line(&g->lines, "%s # %s", line, confidence);
}

int guess_index(const guess_plan *g, const bind_param *p) {
  return (int)(p - g->f->params);
}

int guess_integer(const bind_function *f, const char *name) {
  for (int i = 0; i < f->param_count; i++) {
    if (bind_is_integer(f, i) && strcmp(bind_snake(f->params[i].name), name) == 0) {
      return i;
    }
  }
  return -1;
}

/* ---- types ---- */

const char *guess_dtype(const char *c) {
  static const char *const known[][2] = {
      {"float", "f32"},        {"double", "f64"},     {"int", "i32"},
      {"unsigned int", "u32"}, {"unsigned", "u32"},   {"long", "i64"},
      {"int8_t", "i8"},        {"signed char", "i8"}, {"uint8_t", "u8"},
      {"unsigned char", "u8"}, {"char", "u8"},        {"int16_t", "i16"},
      {"short", "i16"},        {"uint16_t", "u16"},   {"int32_t", "i32"},
      {"uint32_t", "u32"},     {"int64_t", "i64"},    {"long long", "i64"},
      {"uint64_t", "u64"},     {"size_t", "u64"},     {"unsigned long", "u64"},
      {"bool", "bool"},        {"_Bool", "bool"},     {"void", "any"}};
  if (strncmp(c, "const ", 6) == 0) {
    c += 6;
  }
  const char *word = bind_string("%.*s", (int)strcspn(c, "*"), c);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t size = strlen(known[i][0]);
    if (strncmp(word, known[i][0], size) == 0 && (!word[size] || strcmp(word + size, " ") == 0)) {
      return known[i][1];
    }
  }
  if (strstr(bind_snake(word), "byte")) {
    return "u8"; /* Bytef, png_byte */
  }
  if (strstr(bind_snake(word), "complex")) {
    if (strstr(word, "float") || strstr(word, "f_")) {
      return "c64";
    }
    return "c128";
  }
  return NULL;
}

int guess_stars(const char *c) {
  int stars = 0;
  for (; *c; c++) {
    stars += *c == '*';
  }
  return stars;
}

bool guess_is_handle(const bind_ir *ir, const char *type) {
  return bind_find_place(&ir->guessed_types, type) >= 0;
}

const char *guess_elements(const bind_ir *ir, const bind_param *p) {
  const bind_kind kind = p->type.kind;
  const bool number = kind == BIND_INTEGER || kind == BIND_REAL || kind == BIND_COMPLEX;
  if (kind == BIND_ARRAY || (p->returned && number)) {
    return bind_scalar_name(p->type.scalar);
  }
  if (p->returned && kind == BIND_BOOL) {
    return "bool";
  }
  if (kind == BIND_OTHER && !(p->type.alias && guess_is_handle(ir, p->type.alias))) {
    return p->type.elements;
  }
  return NULL;
}

bool guess_is_const(const bind_param *p) {
  return p->type.kind == BIND_ARRAY || strncmp(p->type.c, "const ", 6) == 0;
}

bool guess_is_bytes(const char *elements) {
  if (!elements) {
    return false;
  }
  return strcmp(elements, "u8") == 0 || strcmp(elements, "i8") == 0 || strcmp(elements, "any") == 0;
}

/* ---- pointers ---- */

const char *guess_use(const guess_plan *g, const bind_param *p) {
  bool reads = false;
  BIND_EACH_PARAM (q, g->f) {
    reads |= q->type.kind == BIND_ARRAY || (guess_elements(g->ir, q) && guess_is_const(q));
  }
  if (guess_is_const(p)) {
    return "";
  }
  if (reads && bind_word_in(guess_last(p->name), "dst dest out output") &&
      !guess_is_bytes(guess_elements(g->ir, p))) {
    return "out ";
  }
  return "inout ";
}

void guess_take(guess_plan *g, int length) {
  g->used[length] = g->extent[length] = true;
}
