/* SPDX-License-Identifier: Apache-2.0 */
/* What changed of enumerators and of macros that are numbers. Programs have the old values compiled
 * in. */
#include "parts.h"
#include <string.h>

/* An enumerator, wherever it is declared. */
typedef struct number_value {
  const char *name, *of; /* of: "enum edge: ", or "" */
  int64_t value;
  const char *file;
  int line;
} number_value;

typedef struct number_table {
  number_value *all;
  int count, capacity;
  bind_index names;
} number_table;

static void numbers_add(number_table *to, number_value value) {
  bind_add_place(&to->names, value.name, to->count);
  BIND_ADD(to->all, to->count, to->capacity, value);
}

static number_table numbers_of(const bind_ir *ir) {
  number_table table = {0};
  BIND_EACH (c_enum *const, at, ir->declared->enums, ir->declared->enum_count) {
    const c_enum *e = *at;
    BIND_EACH (const c_value, v, e->values, e->count) {
      const char *of = bind_string("enum %s: ", e->name);
      numbers_add(&table, (number_value){v->name, of, v->value, e->file, e->line});
    }
  }
  BIND_EACH (c_enum *const, at, ir->declared->nameless, ir->declared->nameless_count) {
    const c_enum *e = *at;
    for (int i = 0; i < e->count && !e->elsewhere && !*e->name; i++) {
      numbers_add(&table,
                  (number_value){e->values[i].name, "", e->values[i].value, e->file, e->line});
    }
  }
  return table;
}

void diff_enums(diff_report *r) {
  const number_table old = numbers_of(r->old->ir);
  const number_table now = numbers_of(r->now->ir);
  BIND_EACH (const number_value, v, old.all, old.count) {
    const number_value *is = bind_find_item(&now.names, v->name, now.all, sizeof *is);
    if (!is) {
      diff_say(r, v->file, v->line, DIFF_SOURCE, "%s%s is gone", v->of, v->name);
    } else if (is->value != v->value) {
      diff_say(r,
               is->file,
               is->line,
               DIFF_ABI,
               "%s%s is %lld, was %lld",
               is->of,
               is->name,
               (long long)is->value,
               (long long)v->value);
    }
  }
  BIND_EACH (const number_value, v, now.all, now.count) {
    if (bind_find_place(&old.names, v->name) < 0) {
      diff_say(r, v->file, v->line, DIFF_NONE, "%s%s is new", v->of, v->name);
    }
  }
}

/* ---- macros ---- */

/* The value as text; NULL for a macro that is no number, or an enumerator. */
static const char *numbers_text(const lex_constant *c) {
  if (c->line == 0) {
    return NULL;
  }
  if (c->kind == LEX_INTEGER_CONSTANT) {
    return bind_number(c->integer);
  }
  if (c->kind == LEX_REAL_CONSTANT) {
    return c->real;
  }
  return NULL;
}

static bind_index numbers_of_macros(const lex_list *list) {
  bind_index index = {0};
  for (int i = 0; i < list->constant_count; i++) {
    if (numbers_text(&list->constants[i])) {
      bind_add_place(&index, list->constants[i].name, i);
    }
  }
  return index;
}

void diff_macros(diff_report *r) {
  const lex_list *old = r->old->ir->read;
  const lex_list *now = r->now->ir->read;
  const bind_index old_names = numbers_of_macros(old);
  const bind_index now_names = numbers_of_macros(now);
  BIND_EACH (const lex_constant, c, old->constants, old->constant_count) {
    const char *was = numbers_text(c);
    if (!was) {
      continue;
    }
    const lex_constant *found = bind_find_item(&now_names, c->name, now->constants, sizeof *found);
    if (!found) {
      diff_say(r,
               diff_file(r->old, c->header),
               c->line,
               DIFF_SOURCE,
               "the macro %s is gone or no number any more",
               c->name);
    } else if (strcmp(was, numbers_text(found)) != 0) {
      diff_say(r,
               diff_file(r->now, found->header),
               found->line,
               DIFF_ABI,
               "the macro %s is %s, was %s",
               c->name,
               numbers_text(found),
               was);
    }
  }
  BIND_EACH (const lex_constant, c, now->constants, now->constant_count) {
    if (numbers_text(c) && bind_find_place(&old_names, c->name) < 0) {
      diff_say(r, diff_file(r->now, c->header), c->line, DIFF_NONE, "the macro %s is new", c->name);
    }
  }
}
