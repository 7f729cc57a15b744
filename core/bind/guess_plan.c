/* SPDX-License-Identifier: Apache-2.0 */
#include "guess_plan.h"
#include "bind/base/names.h"
#include "bind/ir/parameters.h"
#include "guess_words.h"
#include <string.h>

void guess_lacks(guess_plan *g, const bind_param *p, const char *why) {
  if (!g->block.lack) {
    g->block.lack = bind_string("%s: %s", p->name, why);
  }
}

void guess_say(guess_plan *g, const char *confidence, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const guess_line line = {clauses_parse(bind_string_list(format, list)), confidence};
  BIND_ADD(g->block.lines, g->block.count, g->block.capacity, line);
  va_end(list);
}

static int guess_index(const guess_plan *g, const bind_param *p) {
  return (int)(p - g->f->params);
}

bool guess_is_explained(const guess_plan *g, const bind_param *integer) {
  return g->used[guess_index(g, integer)];
}

const bind_param *guess_integer(const bind_function *f, const char *name) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_integer(p) && strcmp(bind_snake(p->name), name) == 0) {
      return p;
    }
  }
  return NULL;
}

/* ---- types ---- */

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
  if (p->returned && kind == BIND_BOOL) {
    return "bool";
  }
  if (kind == BIND_ARRAY || (p->returned && kind >= BIND_INTEGER && kind < BIND_BOOL)) {
    return bind_scalar_name(p->type.scalar);
  }
  const bool lists = guess_stars(p->type.c) > 1;
  if (kind == BIND_OTHER && !lists && !(p->type.alias && guess_is_handle(ir, p->type.alias))) {
    return p->type.elements;
  }
  return NULL;
}

bool guess_is_const(const bind_param *p) {
  return p->type.kind == BIND_ARRAY || bind_begins(p->type.c, "const ");
}

bool guess_is_bytes(const char *elements) {
  if (!elements) {
    return false;
  }
  return strcmp(elements, "u8") == 0 || strcmp(elements, "i8") == 0 || strcmp(elements, "any") == 0;
}

/* ---- pointers ---- */

/* Only what is called an output, beside an input, is one: others may be read as well. */
static const char *guess_use(const guess_plan *g, const bind_param *p) {
  bool reads = false;
  BIND_EACH_PARAM (q, g->f) {
    reads |= q->type.kind == BIND_ARRAY || (guess_elements(g->ir, q) && guess_is_const(q));
  }
  if (guess_is_const(p)) {
    return "";
  }
  if (guess_says(guess_comment(p), "[in]")) {
    return "in ";
  }
  if (reads && bind_word_in(guess_last(p->name), "dst dest out output") &&
      !guess_is_bytes(guess_elements(g->ir, p))) {
    return "out ";
  }
  return "inout ";
}

const char *guess_tensor(const guess_plan *g, const bind_param *p, const char *extents) {
  return bind_string("%s: %s%s[%s]", p->name, guess_use(g, p), guess_elements(g->ir, p), extents);
}

void guess_explain(guess_plan *g, const bind_param *integer) {
  g->used[guess_index(g, integer)] = true;
}

void guess_take(guess_plan *g, const bind_param *length) {
  guess_explain(g, length);
  g->extent[guess_index(g, length)] = true;
}
