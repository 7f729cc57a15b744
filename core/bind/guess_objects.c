/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of objects that may be absent, as the comment beside the parameter says, and of those
 * that C keeps. */
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

void guess_put_kept(guess_plan *g) {
  if (g->f->may_keep) {
    guess_say(g, "fair: the name or the comment says that C keeps it", "%s", g->f->may_keep);
  }
}
