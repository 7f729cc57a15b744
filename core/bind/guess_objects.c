/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of objects that may be absent: the comment beside the parameter says so. */
#include "guess_objects.h"
#include "guess_words.h"

bool guess_put_absent(guess_plan *g, const bind_param *p) {
  const char *said = guess_comment(p);
  const bool own = g->f->method_of && p == g->f->params;
  if (!p->type.handle || p->returned || p->optional || own) {
    return false;
  }
  if (!guess_says(said, "may be null|can be null|or null|null if|null for|optional") ||
      guess_says(said, "not be null|must not|non-null|cannot be")) {
    return false;
  }
  guess_say(g, "high: the comment says that it may be NULL", "%s: opt", p->name);
  return true;
}
