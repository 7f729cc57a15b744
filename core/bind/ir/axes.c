/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of C with the extents, the strides or the number of the axes of a tensor. */
#include "axes.h"
#include "parameters.h"
#include <string.h>

static const bind_param *axes_tensor(const bind_function *f, const char *name) {
  const bind_param *p = bind_find_param(f, name);
  const bool suits = p && p->type.kind == BIND_TENSOR && !p->optional && !p->kept;
  return suits ? p : NULL;
}

static bool axes_suit(const c_type *t, bind_axes_kind kind) {
  if (kind != BIND_AXES_RANK) {
    return t->kind == C_POINTER && t->to->kind == C_INTEGER;
  }
  return t->kind == C_INTEGER;
}

enum { AXES_OPEN = -1 };

/* How many axes a clause tells from its `[` on. */
static int axes_in_brackets(const bind_clause *c, int part) {
  int count = 1;
  int depth = 0;
  if (clause_is(c, part + 1, "]")) {
    return 0;
  }
  for (part++; part < c->count && !clause_is(c, part, "]"); part++) {
    depth += clause_is(c, part, "(") - clause_is(c, part, ")");
    count += depth == 0 && clause_is(c, part, ",");
  }
  return count;
}

/* How many axes a tensor has, "x: f32[n, 2]"; AXES_OPEN for any number, "x: f32[...]". */
static int axes_count(const clause_words *words, const char *tensor) {
  const bind_clause *c = clauses_find(&words->rest, tensor, CLAUSE_COLON);
  if (!c || strstr(clause_text(c), "...")) {
    return AXES_OPEN;
  }
  for (int part = 2; part < c->count; part++) {
    if (clause_is(c, part, "[")) {
      return axes_in_brackets(c, part);
    }
  }
  return AXES_OPEN; /* `like` another one: write the axes */
}

/* C must know how many axes there are, or it reads behind the array. */
static bool axes_are_told(const clause_words *words, const axes_clause *of, const char *length) {
  const int count = axes_count(words, of->tensor);
  const bool declared = bind_is_digit(*length);
  if (of->kind == BIND_AXES_RANK || of->like) {
    return true;
  }
  if (count != AXES_OPEN && (!declared || strcmp(bind_number(count), length) == 0)) {
    return true;
  }
  BIND_EACH (const axes_clause, other, words->axes, words->axes_count) {
    const bool told = other->kind == BIND_AXES_RANK || other->like;
    if (told && strcmp(other->tensor, of->tensor) == 0) {
      return true;
    }
  }
  return false;
}

/* Say what is wrong with a clause, or return NULL. */
static const char *axes_why_not(const bind_function *f, const c_function *from,
                                const clause_words *words, const axes_clause *of) {
  const bind_param *p = bind_find_param(f, of->param);
  if (!p || !axes_suit(from->params[p - f->params].type, of->kind)) {
    return of->kind == BIND_AXES_RANK ? "it is for an integer of C"
                                      : "it is for a pointer to integers";
  }
  if (p->axes) {
    return "expected it once";
  }
  if (!axes_tensor(f, of->tensor)) {
    return bind_string("expected a tensor that is always passed, got %s", of->tensor);
  }
  if (of->like && !axes_tensor(f, of->like)) {
    return bind_string("expected an array that is always passed, got %s", of->like);
  }
  if (!axes_are_told(words, of, bind_or(p->length, ""))) {
    return bind_string("C must know how many axes %s has: write the array that has a number for "
                       "each, `%s, ARRAY)`, or `NAME := rank(%s)`",
                       of->tensor,
                       bind_sized(of->text, strlen(of->text) - 1),
                       of->tensor);
  }
  return NULL;
}

void ir_build_axes(ir_builder *b, const bind_function *f, const c_function *from,
                   const clause_words *words) {
  BIND_EACH (const axes_clause, of, words->axes, words->axes_count) {
    const char *why = axes_why_not(f, from, words, of);
    if (why) {
      ir_fail_in(b, f, "%s: `%s`: %s", of->param, of->text, why);
      continue;
    }
    bind_param *p = bind_find_param(f, of->param);
    const c_type *t = from->params[p - f->params].type;
    const c_type *item = of->kind == BIND_AXES_RANK ? t : t->to;
    bind_axes *axes = bind_alloc(1, sizeof *axes);
    *axes = (bind_axes){.kind = of->kind, .tensor = of->tensor, .like = of->like, .text = of->text};
    axes->item = (bind_type){
        .kind = BIND_INTEGER, .scalar = item->scalar, .c = bind_string("%s ", item->spelling)};
    p->axes = axes;
    p->type = (bind_type){.kind = BIND_OTHER,
                          .c = of->kind == BIND_AXES_RANK ? axes->item.c : ir_spell_pointer(t)};
    p->returned = false;
    p->direction = BIND_IN;
  }
}
