/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that C may keep after the call, by the function's name or its comment: without `keeps`
 * they might be freed too early. */
#include "builder.h"
#include <string.h>

/* Tell whether a comment says so in its own words, and not that C keeps nothing. */
static bool kept_is_told(const bind_function *f) {
  static const char *const says[] = {"keeps a reference",
                                     "keeps the reference",
                                     "keeps a pointer",
                                     "holds a reference",
                                     "takes a reference",
                                     "must outlive",
                                     "must stay alive"};
  static const char *const denies[] = {"not keep", "no reference", "need not", "own copy"};
  const char *text = bind_string("%s %s", f->summary, f->description);
  BIND_EACH_STRING (words, denies) {
    if (strstr(text, *words)) {
      return false;
    }
  }
  BIND_EACH_STRING (words, says) {
    if (strstr(text, *words)) {
      return true;
    }
  }
  return false;
}

static bool kept_is_named(const bind_function *f) {
  return bind_has_word(bind_snake(f->short_name), "keep keeps hold attach adopt own");
}

/* Of two objects the first one may keep the other; of more nothing tells which. */
static const char *kept_clause(const bind_function *f, const char **kept) {
  const bind_param *in = NULL;
  int objects = 0;
  *kept = NULL;
  BIND_EACH_PARAM (p, f) {
    const bool owned = bind_is_object(p) && p->type.handle->free_name;
    objects += owned;
    if (owned && in) {
      *kept = p->name;
    } else if (owned && !p->optional) {
      in = p;
    }
  }
  if (!*kept || objects != 2) {
    return NULL;
  }
  return bind_string("keeps %s in %s", *kept, in->name);
}

void ir_ask_what_is_kept(bind_function *f, const clause_words *words) {
  const char *kept;
  const char *clause = kept_clause(f, &kept);
  if (!clause || f->reviewed || words->keep_count || !(kept_is_named(f) || kept_is_told(f))) {
    return;
  }
  f->may_keep = clause;
  ir_leave_out(f,
               bind_string("C may keep %s after the call, as its name or comment says: write `%s` "
                           "in its contract, or an empty one, `%s { }`, if it does not",
                           kept,
                           clause,
                           f->name));
}
