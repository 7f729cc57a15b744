/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of one struct behind a pointer: C only reads a const one, and writes one that its name or
 * its comment calls an output. */
#include "guess_structs.h"
#include "bind/base/names.h"
#include "bind/ir/parameters.h"
#include "guess_words.h"
#include <string.h>

/* The type in C if the parameter points to a struct that callers may have, or NULL. */
static const c_type *structs_pointer(const bind_function *f, const bind_param *p) {
  const int place = (int)(p - f->params);
  if (!f->declared || place >= f->declared->count) {
    return NULL;
  }
  const c_param *declared = &f->declared->params[place];
  const c_type *t = declared->type;
  if (strcmp(declared->name, p->name) != 0 || t->kind != C_POINTER || t->is_array ||
      t->to->kind != C_STRUCT || !t->to->record || !t->to->record->built) {
    return NULL;
  }
  const bind_struct *s = t->to->record->built;
  return s->unbound ? NULL : t->to;
}

static bool structs_may_be_several(const bind_function *f, const bind_param *p) {
  const bool plural = bind_ends_with(p->name, "s") && !bind_ends_with(p->name, "ss");
  return plural || bind_integer_beside(f, p, 1) || bind_integer_beside(f, p, -1);
}

bool guess_put_struct(guess_plan *g, const bind_param *p) {
  const c_type *of = structs_pointer(g->f, p);
  if (!of || p->type.structure || structs_may_be_several(g->f, p)) {
    return false;
  }
  const char *said = guess_comment(p);
  if (of->is_const) {
    guess_say(g, "fair: its name is that of one, which C only reads", "%s: in", p->name);
    return true;
  }
  if (guess_says(said, "[out]") || bind_word_in(guess_last(p->name), "out output result")) {
    guess_say(g, "fair: it is called an output", "%s: out", p->name);
    return true;
  }
  return false;
}
