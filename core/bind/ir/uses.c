/* SPDX-License-Identifier: Apache-2.0 */
#include "uses.h"
#include <string.h>

/* ---- names ---- */

static const char *const uses_verbs[] = {"free", "destroy", "delete", "close", "release"};

const char *uses_tag(const c_type *t) {
  if (bind_begins(t->spelling, "struct ")) {
    return t->spelling + 7;
  }
  return t->spelling;
}

int uses_freeing_verb(const char *name, const char *of) {
  const char *snake = bind_snake(name);
  for (int i = 0; i < (int)(sizeof uses_verbs / sizeof *uses_verbs); i++) {
    if (strcmp(snake, bind_concat(bind_snake(of), "_", uses_verbs[i])) == 0) {
      return i;
    }
  }
  return -1;
}

static bool uses_names_freeing(const c_function *f) {
  const char *name = bind_snake(f->name);
  BIND_EACH_STRING (verb, uses_verbs) {
    if (strstr(name, *verb)) {
      return true;
    }
  }
  return false;
}

/* How sure a name says that a function frees a type: 3 for x_free, 2 for another free, destroy or
 * delete, also free_x, 1 for close or release, which may not be all; 0 for other names, such as
 * x_free_list. */
static int uses_rank(const c_function *f, const char *type) {
  const char *name = bind_snake(f->name);
  if (uses_freeing_verb(f->name, type) >= 0) {
    return 3;
  }
  for (size_t i = 0; i < sizeof uses_verbs / sizeof *uses_verbs; i++) {
    const char *at = strstr(name, uses_verbs[i]);
    if (!at) {
      continue;
    }
    at += strlen(uses_verbs[i]);
    if (!*at || (*at == '_' && at[1] && strstr(bind_snake(type), at + 1))) {
      if (i < 3) {
        return 2;
      }
      return 1;
    }
  }
  return 0;
}

/* mj_copyModel(dest, src) returns dest. */
static bool uses_takes_two(const c_function *f, const char *type) {
  int count = 0;
  BIND_EACH (const c_param, p, f->params, f->count) {
    const c_type *t = p->type;
    if (t->kind == C_POINTER && !*t->spelling) {
      t = t->to;
    }
    if (strcmp(uses_tag(t), type) == 0) {
      count++;
    }
  }
  return count > 1;
}

/* ---- what makers do with their arguments ---- */

/* Tell whether a comment passes the ownership of an argument to C: "ownership passes to the
 * geometry", but not "the caller retains ownership", "it does not take ownership". */
static bool uses_passes_ownership(const char *comment) {
  static const char word[] = "wnership";
  static const char *const denials[] = {
      "etain", "aller takes", "aller has", "aller gets", "not take", "not** take", "takes no "};
  enum { BEFORE = 40 };
  for (const char *at = comment; at && (at = strstr(at, word)); at += sizeof word - 1) {
    size_t size = (size_t)(at - comment);
    if (size > BEFORE) {
      size = BEFORE;
    }
    const char *before = bind_sized(at - size, size);
    bool denied = false;
    BIND_EACH_STRING (denial, denials) {
      denied |= strstr(before, *denial) != NULL;
    }
    if (!denied) {
      return true;
    }
  }
  return false;
}

/* Tell whether C takes an argument over: the comment says so, or that of x_make for x_make_r. */
static bool uses_takes_over(const uses_table *uses, const c_function *f) {
  const c_function *plain = NULL;
  if (bind_ends_with(f->name, "_r")) {
    const char *name = bind_sized(f->name, strlen(f->name) - 2);
    plain = bind_find_item(&uses->functions, name, uses->header->functions, sizeof *plain);
  }
  return uses_passes_ownership(f->doc) || (plain && uses_passes_ownership(plain->doc));
}

static bool uses_is_byte(const c_type *t) {
  const bool byte = t->kind == C_INTEGER && (t->scalar == BIND_U8 || t->scalar == BIND_I8);
  return t->kind == C_VOID || t->kind == C_CHAR || byte;
}

/* x_init(memory, size) returns the caller's own memory, which nothing may free. */
static bool uses_fills_memory(const c_function *f) {
  const char *name = bind_snake(f->name);
  if (!strstr(name, "init") && !strstr(name, "static")) {
    return false;
  }
  BIND_EACH (const c_param, p, f->params, f->count) {
    const c_type *t = p->type;
    if (t->kind == C_POINTER && !t->to->is_const && uses_is_byte(t->to) &&
        !bind_word_in(p->name, "user userdata user_data ctx context opaque arg data")) {
      return true;
    }
  }
  return false;
}

/* vector_alloc_from_block(block) makes a vector in the block's memory. */
static bool uses_is_inside(const c_function *f) {
  const char *from = strstr(bind_snake(f->name), "from_");
  if (!from) {
    return false;
  }
  from += sizeof "from";
  const char *word = bind_sized(from, strcspn(from, "_"));
  BIND_EACH (const c_param, p, f->params, f->count) {
    const c_type *t = p->type;
    if (t->kind == C_POINTER && t->to->kind == C_STRUCT && !t->to->is_const &&
        strstr(bind_snake(uses_tag(t->to)), word)) {
      return true;
    }
  }
  return false;
}

/* ---- names of makers ---- */

/* Tell whether a name says that what a function returns is new: a borrowed object would be freed
 * twice. */
static bool uses_names_making(const c_function *f, const char *type, bool is_value) {
  static const char makers[] =
      "create new begin open init alloc make from dup copy clone parse load build compile";
  static const char others[] =
      "get find next first last parent root current default lookup peek ref borrow owner set "
      "sub enqueue multiple info";
  const char *name = bind_snake(f->name);
  const char *of = bind_snake(type);
  const char *last = strrchr(of, '_');
  const bool begins = bind_begins(name, of) || (last && bind_begins(name, last + 1));
  const bool makes = (is_value && begins) || bind_has_ending(name, makers); /* fftw_plan_dft */
  return makes && !bind_has_word(name, others) && !uses_takes_two(f, type);
}

/* ---- the table ---- */

static uses_row *uses_row_of(uses_table *uses, const char *type, bool is_value) {
  bind_index *index;
  if (is_value) {
    index = &uses->values;
  } else {
    index = &uses->structs;
  }
  int place = bind_find_place(index, type);
  if (place < 0) {
    place = uses->row_count;
    BIND_ADD(uses->rows,
             uses->row_count,
             uses->row_capacity,
             (uses_row){.type = type, .is_value = is_value});
    bind_add_place(index, type, place);
  }
  return &uses->rows[place];
}

uses_row *uses_find(const uses_table *uses, const char *type, bool is_value) {
  const bind_index *index = is_value ? &uses->values : &uses->structs;
  return bind_find_item(index, type, uses->rows, sizeof *uses->rows);
}

const c_type *uses_find_type(const uses_table *uses, const char *name) {
  const int place = bind_find_place(&uses->type_names, name);
  if (place < 0) {
    return NULL;
  }
  return uses->types[place];
}

static void uses_name_types(uses_table *uses, const c_type *t) {
  for (; t; t = t->kind == C_POINTER ? t->to : NULL) {
    const char *name = uses_tag(t);
    if (!*name || bind_find_place(&uses->type_names, name) >= 0) {
      continue;
    }
    bind_add_place(&uses->type_names, name, uses->type_count);
    BIND_ADD(uses->types, uses->type_count, uses->type_capacity, t);
  }
}

/* Return what a pointer that is not const leads to; NULL for other types. */
static const c_type *uses_target(const c_type *t) {
  if (t && t->kind == C_POINTER && !t->to->is_const) {
    return t->to;
  }
  return NULL;
}

/* Return the row of a type that may be a handle by itself; NULL for another. */
static uses_row *uses_value(uses_table *uses, const c_type *t) {
  if (t && t->kind == C_POINTER && *t->spelling) {
    return uses_row_of(uses, t->spelling, true);
  }
  return NULL;
}

/* Return the row of a struct that a pointer leads to; NULL for another type. */
static uses_row *uses_struct(uses_table *uses, const c_type *t) {
  const c_type *to = uses_target(t);
  if (to && to->kind == C_STRUCT) {
    return uses_row_of(uses, uses_tag(to), false);
  }
  return NULL;
}

/* ---- one pass over the functions ---- */

static void uses_add_freeing(uses_row *row, const c_function *f) {
  if (!row) {
    return;
  }
  const int rank = uses_rank(f, row->type);
  row->frees = f;
  if (rank == row->rank || (rank >= 2 && row->rank >= 2)) {
    row->several |= rank > 0;
  } else if (rank > row->rank) {
    row->several = false;
  }
  if (rank <= row->rank) {
    return;
  }
  row->rank = rank;
  row->freed = f;
}

static void uses_add_maker(const uses_table *uses, uses_row *row, const c_function *f) {
  if (!row || row->frees == f || (row->maker_count && row->makers[row->maker_count - 1] == f)) {
    return;
  }
  if (!uses_names_making(f, row->type, row->is_value) || uses_takes_over(uses, f) ||
      uses_fills_memory(f) || uses_is_inside(f)) {
    BIND_ADD(row->others, row->other_count, row->other_capacity, f);
    return;
  }
  BIND_ADD(row->makers, row->maker_count, row->maker_capacity, f);
}

/* A function that takes a handle alone, or a pointer to it. */
static void uses_take_freeing(uses_table *uses, const c_function *f) {
  const c_type *first = NULL;
  if (f->count) {
    first = f->params[0].type;
  }
  if (!first || !uses_names_freeing(f)) {
    return;
  }
  if (first->kind == C_POINTER && first->to->kind == C_STRUCT) {
    uses_row *row = uses_row_of(uses, uses_tag(first->to), false);
    if (!row->suspect) {
      row->suspect = f;
    }
  }
  if (f->count != 1 || f->variadic) {
    return;
  }
  uses_add_freeing(uses_value(uses, first), f);
  uses_add_freeing(uses_value(uses, uses_target(first)), f);
  uses_add_freeing(uses_struct(uses, first), f);
  uses_add_freeing(uses_struct(uses, uses_target(first)), f);
}

/* A function that returns a handle, or writes one behind a pointer. */
static void uses_take_making(uses_table *uses, const c_function *f) {
  uses_add_maker(uses, uses_value(uses, f->result), f);
  uses_add_maker(uses, uses_struct(uses, f->result), f);
  BIND_EACH (const c_param, p, f->params, f->count) {
    const c_type *t = p->type;
    const char *name = p->name;
    const size_t size = strlen(name);
    const bool plural = size > 2 && name[size - 1] == 's' && name[size - 2] != 's';
    const bool last = p + 1 == f->params + f->count;
    const bool counted = !last && p[1].type->kind == C_INTEGER;
    if (t->is_array || *t->spelling || plural || counted) {
      continue; /* a list */
    }
    uses_add_maker(uses, uses_value(uses, uses_target(t)), f);
    uses_add_maker(uses, uses_struct(uses, uses_target(t)), f);
  }
}

/* ---- getters that lend ---- */

static bool uses_speaks_of_freeing(const char *comment) {
  static const char *const words[] = {
      "free", "releas", "destroy", "delete", "wnership", "copy", "allocat", " new "};
  BIND_EACH_STRING (word, words) {
    if (comment && strstr(comment, *word)) {
      return true;
    }
  }
  return false;
}

/* The struct behind a plain pointer, const or not; NULL for another type. */
static const c_type *uses_pointed_struct(const c_type *t) {
  const bool plain = t->kind == C_POINTER && !t->is_array && !*t->spelling;
  return plain && t->to->kind == C_STRUCT ? t->to : NULL;
}

const c_param *uses_find_lender(const c_function *f) {
  static const char get[] = "_get_";
  const c_type *lent = uses_pointed_struct(f->result);
  const c_type *owner = NULL;
  if (f->count) {
    owner = uses_pointed_struct(f->params[0].type);
  }
  if (!lent || !owner || (lent->record && lent->record->complete) ||
      uses_speaks_of_freeing(f->doc)) {
    return NULL;
  }
  const char *name = bind_snake(f->name);
  const char *of = bind_snake(uses_tag(owner));
  if (!bind_begins(name, of) || !bind_begins(name + strlen(of), get)) {
    return NULL;
  }
  const char *what = name + strlen(of) + strlen(get);
  const char *type = bind_snake(uses_tag(lent));
  if (!*what || !bind_ends_with(bind_string("_%s", type), bind_string("_%s", what))) {
    return NULL;
  }
  return f->params;
}

static void uses_take_lending(uses_table *uses, const c_function *f) {
  if (!uses_find_lender(f)) {
    return;
  }
  uses_row *row = uses_row_of(uses, uses_tag(f->result->to), false);
  if (!row->lender) {
    row->lender = f;
  }
}

/* A function that takes a struct first, and may start it or go on with it. */
static void uses_take_steps(uses_table *uses, const c_function *f) {
  const char *name = bind_snake(f->name);
  const bool starts = strstr(name, "reset") || strstr(name, "init");
  const bool updates = strstr(name, "update");
  uses_row *row = NULL;
  if (f->count && (starts || updates)) {
    row = uses_struct(uses, f->params[0].type);
  }
  if (row) {
    row->starts |= starts;
    row->updates |= updates;
  }
  if (row && !row->init && bind_ends_with(name, "_init")) {
    row->init = f;
  }
}

bool uses_needs_start(const uses_row *row) {
  for (int i = 0; i < row->maker_count; i++) {
    if (row->makers[i]->count == 0) {
      return row->starts && row->updates;
    }
  }
  return false;
}

void uses_build(const c_header *header, uses_table *out) {
  *out = (uses_table){.header = header};
  for (int i = 0; i < header->function_count; i++) {
    bind_add_place(&out->functions, header->functions[i].name, i);
  }
  BIND_EACH (const c_function, f, header->functions, header->function_count) {
    uses_name_types(out, f->result);
    BIND_EACH (const c_param, p, f->params, f->count) {
      uses_name_types(out, p->type);
    }
    uses_take_freeing(out, f);
    uses_take_making(out, f);
    uses_take_lending(out, f);
    uses_take_steps(out, f);
  }
}

/* ---- guesses ---- */

/* Return a pattern for a long list of functions if they begin with the same words, "fftw_plan_*",
 * and no other function that returns such an object begins with them; else NULL. */
static const char *uses_pattern(const uses_row *row) {
  const char *first = "";
  if (row->maker_count > 3) {
    first = row->makers[0]->name;
  }
  size_t same = strlen(first);
  for (int i = 1; i < row->maker_count; i++) {
    for (size_t k = 0; k < same; k++) {
      if (row->makers[i]->name[k] != first[k]) {
        same = k;
      }
    }
  }
  while (same && first[same - 1] != '_' && !bind_is_upper(first[same])) {
    same--;
  }
  for (int i = 0; i < row->other_count; i++) {
    if (strncmp(row->others[i]->name, first, same) == 0) {
      return NULL;
    }
  }
  if (same > 3) {
    return bind_string("%.*s*", (int)same, first);
  }
  return NULL;
}

/* A clause with the first so many of the makers. */
static const char *uses_clause(const uses_row *row, int count) {
  const char *pattern = uses_pattern(row);
  bind_text t = {0};
  bind_put(&t, "handle %s freed %s", row->type, row->freed->name);
  if (pattern) {
    count = 0;
  }
  for (int i = 0; i < count; i++) {
    bind_put(&t, "%s%s", i ? ", " : " made ", row->makers[i]->name);
  }
  if (pattern) {
    bind_put(&t, " made %s", pattern);
  }
  return bind_keep(&t);
}

void uses_guess(uses_row *row) {
  enum { FEW = 8 };
  if (!row->guess && !row->freed && row->lender) {
    row->guess = bind_string("handle %s unowned", row->type);
    row->shown = bind_string("write `%s;` in the file of contracts", row->guess);
  }
  if (row->guess || !row->freed) {
    return;
  }
  row->guess = uses_clause(row, row->maker_count);
  row->shown = bind_string("write `%s;` in the file of contracts", row->guess);
  if (row->maker_count <= FEW || uses_pattern(row)) {
    return;
  }
  row->shown =
      bind_string("write `%s;` in the file of contracts, with %d more functions that make one",
                  uses_clause(row, FEW),
                  row->maker_count - FEW);
}
