/* SPDX-License-Identifier: Apache-2.0 */
/* What changed of structs whose fields both headers show. Programs that were compiled before have
 * the places of the fields and the size compiled in. */
#include "parts.h"
#include <string.h>

enum { STRUCTS_BROKEN = DIFF_SOURCE | DIFF_ABI };

/* A struct of both versions. */
typedef struct struct_pair {
  diff_report *r;
  const c_struct *old, *now;
} struct_pair;

static void structs_say(const struct_pair *pair, int effects, const char *sentence) {
  diff_say(pair->r,
           diff_file(pair->r->now, pair->now->header),
           pair->now->line,
           effects,
           "struct %s: %s",
           pair->now->name,
           sentence);
}

static int structs_find(const c_struct *s, const char *name) {
  for (int i = 0; i < s->member_count; i++) {
    if (*name && strcmp(s->members[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* Tell whether the fields that both have stand in another order. */
static bool structs_reorder(const struct_pair *pair) {
  int last = -1;
  BIND_EACH (const c_member, m, pair->old->members, pair->old->member_count) {
    const int place = structs_find(pair->now, m->name);
    if (place >= 0 && place < last) {
      return true;
    }
    if (place >= 0) {
      last = place;
    }
  }
  return false;
}

static void structs_compare_field(const struct_pair *pair, const c_member *old,
                                  const c_member *now) {
  const char *was = c_spell(old->type, old->name);
  const char *is = c_spell(now->type, now->name);
  const int effects =
      diff_types(old->type, now->type, true) | diff_types(old->type, now->type, false);
  if (old->is_bits != now->is_bits) {
    structs_say(pair,
                DIFF_ABI,
                bind_string("the field %s is %s",
                            now->name,
                            now->is_bits ? "a bit-field now" : "no bit-field any more"));
  }
  if (effects) {
    structs_say(
        pair, effects, bind_string("a field is %s", diff_was(is, now->type, was, old->type)));
  }
}

static void structs_compare(const struct_pair *pair) {
  BIND_EACH (const c_member, m, pair->old->members, pair->old->member_count) {
    const int place = structs_find(pair->now, m->name);
    if (place >= 0) {
      structs_compare_field(pair, m, &pair->now->members[place]);
    } else if (*m->name && !pair->now->unread) {
      structs_say(
          pair, STRUCTS_BROKEN, bind_string("the field `%s` is gone", c_spell(m->type, m->name)));
    }
  }
  BIND_EACH (const c_member, m, pair->now->members, pair->now->member_count) {
    if (*m->name && structs_find(pair->old, m->name) < 0 && !pair->old->unread) {
      structs_say(
          pair, DIFF_ABI, bind_string("it has a new field, `%s`", c_spell(m->type, m->name)));
    }
  }
  if (structs_reorder(pair)) {
    structs_say(pair, DIFF_ABI, "its fields have another order");
  }
}

static bind_index structs_index(const c_header *h) {
  bind_index index = {0};
  for (int i = 0; i < h->struct_count; i++) {
    bind_add_place(&index, h->structs[i]->name, i);
  }
  return index;
}

void diff_structs(diff_report *r) {
  const c_header *old = r->old->ir->declared;
  const c_header *now = r->now->ir->declared;
  const bind_index names = structs_index(now);
  for (int i = 0; i < old->struct_count; i++) {
    const c_struct *s = old->structs[i];
    const int place = bind_find_place(&names, s->name);
    if (place < 0) {
      diff_say(r, diff_file(r->old, s->header), s->line, DIFF_SOURCE, "struct %s is gone", s->name);
      continue;
    }
    const struct_pair pair = {r, s, now->structs[place]};
    if (s->complete && !pair.now->complete) {
      structs_say(&pair, STRUCTS_BROKEN, "its fields are hidden now");
    } else if (s->complete) {
      structs_compare(&pair);
    } else if (pair.now->complete) {
      structs_say(&pair, DIFF_NONE, "its fields are public now");
    }
  }
}
