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

/* A sum adds one object to another of its type, and a copy sets one: only of two types do these
 * verbs tell that one keeps the other. */
static bool kept_is_named(const bind_function *f, const bind_param *in, const bind_param *kept) {
  const char *name = bind_snake(f->short_name);
  return bind_has_word(name, "keep keeps hold attach register bind adopt own") ||
         (in->type.handle != kept->type.handle &&
          bind_has_word(name, "set add append insert push put use assign connect associate link"));
}

/* Of two objects the first one may keep the other; of more nothing tells which. */
static bool kept_find(const bind_function *f, const bind_param **in, const bind_param **kept) {
  int objects = 0;
  *in = *kept = NULL;
  BIND_EACH_PARAM (p, f) {
    const bool owned = p->type.handle && !p->returned && p->type.handle->free_name;
    objects += owned;
    if (owned && *in) {
      *kept = p;
    } else if (owned && !p->optional) {
      *in = p;
    }
  }
  return *kept && objects == 2;
}

void ir_ask_what_is_kept(bind_function *f, const clause_words *words) {
  const bind_param *in;
  const bind_param *kept;
  if (!kept_find(f, &in, &kept) || f->reviewed || words->keep_count ||
      !(kept_is_named(f, in, kept) || kept_is_told(f))) {
    return;
  }
  f->may_keep = bind_string("keeps %s in %s", kept->name, in->name);
  ir_leave_out(f,
               bind_string("C may keep %s after the call, as its name or comment says: write `%s` "
                           "in its contract, or an empty one, `%s { }`, if it does not",
                           kept->name,
                           f->may_keep,
                           f->name));
}
