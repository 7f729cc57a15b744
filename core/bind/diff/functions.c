/* SPDX-License-Identifier: Apache-2.0 */
/* What changed of the functions that both headers declare. Parameters are told apart by their
 * names, and by their places where they have none. */
#include "parts.h"
#include <string.h>

enum { FUNCTIONS_BROKEN = DIFF_SOURCE | DIFF_ABI };

/* A function of both versions. */
typedef struct function_pair {
  diff_report *r;
  const c_function *old, *now;
} function_pair;

static void functions_say(const function_pair *pair, int effects, const char *sentence) {
  diff_say(pair->r,
           diff_file(pair->r->now, pair->now->header),
           pair->now->line,
           effects,
           "%s: %s",
           pair->now->name,
           sentence);
}

static int functions_find_param(const c_function *f, const char *name) {
  for (int i = 0; i < f->count && *name; i++) {
    if (strcmp(f->params[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* Tell whether the two have the same parameters by name, in any order. */
static bool functions_share_names(const c_function *old, const c_function *now) {
  for (int i = 0; i < old->count; i++) {
    if (functions_find_param(now, old->params[i].name) < 0) {
      return false;
    }
  }
  return old->count == now->count;
}

static bool functions_share_order(const c_function *old, const c_function *now) {
  for (int i = 0; i < old->count; i++) {
    if (functions_find_param(now, old->params[i].name) != i) {
      return false;
    }
  }
  return true;
}

static const char *functions_names(const c_function *f) {
  const char *all = "";
  BIND_EACH (const c_param, p, f->params, f->count) {
    all = bind_join(all, ", ", p->name);
  }
  return all;
}

static void functions_compare_types(const function_pair *pair, const c_param *old,
                                    const c_param *now) {
  const int effects = diff_types(old->type, now->type, false);
  const char *was = c_spell(old->type, old->name);
  const char *is = c_spell(now->type, now->name);
  if (effects || (old->type->kind == C_POINTER && !old->type->to->is_const &&
                  now->type->kind == C_POINTER && now->type->to->is_const)) {
    functions_say(
        pair, effects, bind_string("a parameter is %s", diff_was(is, now->type, was, old->type)));
  }
}

/* Parameters at the same places. */
static void functions_compare_places(const function_pair *pair) {
  for (int i = 0; i < pair->old->count; i++) {
    const c_param *old = &pair->old->params[i];
    const c_param *now = &pair->now->params[i];
    functions_compare_types(pair, old, now);
    if (*old->name && *now->name && strcmp(old->name, now->name) != 0 &&
        !diff_types(old->type, now->type, false)) {
      functions_say(
          pair,
          DIFF_CONTRACT,
          bind_string("a parameter is called %s, was %s: clauses and Python's callers name it",
                      now->name,
                      old->name));
    }
  }
}

/* Parameters that came, went or changed their place. */
static void functions_compare_names(const function_pair *pair) {
  BIND_EACH (const c_param, p, pair->old->params, pair->old->count) {
    const int place = functions_find_param(pair->now, p->name);
    if (place < 0) {
      functions_say(pair,
                    FUNCTIONS_BROKEN,
                    bind_string("the parameter `%s` is gone", c_spell(p->type, p->name)));
    } else {
      functions_compare_types(pair, p, &pair->now->params[place]);
    }
  }
  BIND_EACH (const c_param, p, pair->now->params, pair->now->count) {
    if (functions_find_param(pair->old, p->name) < 0) {
      functions_say(pair,
                    FUNCTIONS_BROKEN,
                    bind_string("it has a new parameter, `%s`", c_spell(p->type, p->name)));
    }
  }
}

static void functions_compare_params(const function_pair *pair) {
  const c_function *old = pair->old;
  const c_function *now = pair->now;
  if (functions_share_names(old, now)) {
    if (!functions_share_order(old, now)) {
      functions_say(pair,
                    FUNCTIONS_BROKEN,
                    bind_string("its parameters have another order: %s; it was %s",
                                functions_names(now),
                                functions_names(old)));
    }
    functions_compare_names(pair);
  } else if (old->count == now->count) {
    functions_compare_places(pair);
  } else {
    functions_compare_names(pair);
  }
}

static void functions_compare_results(const function_pair *pair) {
  const c_type *old = pair->old->result;
  const c_type *now = pair->now->result;
  const bool was_void = old->kind == C_VOID;
  int effects = diff_types(old, now, true);
  if (was_void && now->kind != C_VOID) {
    effects = DIFF_NONE; /* C that ignores a result goes on */
  } else if (!effects) {
    return;
  }
  functions_say(
      pair,
      effects,
      bind_string("it returns %s", diff_was(c_spell(now, ""), now, c_spell(old, ""), old)));
}

static void functions_compare(const function_pair *pair) {
  functions_compare_results(pair);
  functions_compare_params(pair);
  if (pair->old->variadic != pair->now->variadic) {
    functions_say(pair,
                  FUNCTIONS_BROKEN,
                  pair->now->variadic ? "it takes a variable number of arguments now"
                                      : "it takes no variable number of arguments any more");
  }
}

static bind_index functions_index(const c_header *h) {
  bind_index index = {0};
  for (int i = 0; i < h->function_count; i++) {
    bind_add_place(&index, h->functions[i].name, i);
  }
  return index;
}

void diff_functions(diff_report *r) {
  const c_header *old = r->old->ir->declared;
  const c_header *now = r->now->ir->declared;
  const bind_index old_names = functions_index(old);
  const bind_index now_names = functions_index(now);
  BIND_EACH (const c_function, f, old->functions, old->function_count) {
    const c_function *is = bind_find_item(&now_names, f->name, now->functions, sizeof *is);
    if (is) {
      functions_compare(&(function_pair){r, f, is});
    } else {
      diff_say(r,
               diff_file(r->old, f->header),
               f->line,
               FUNCTIONS_BROKEN,
               "%s: the function is gone",
               f->name);
    }
  }
  BIND_EACH (const c_function, f, now->functions, now->function_count) {
    if (bind_find_place(&old_names, f->name) < 0) {
      diff_say(r, diff_file(r->now, f->header), f->line, DIFF_NONE, "%s: a new function", f->name);
    }
  }
}
