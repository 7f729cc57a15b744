/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields. Callers get a value with the same fields, the twins a layout of their
 * own, so only C knows where the fields of C's struct lie. */
#include "builder.h"
#include "carrier.h"
#include "default.h"
#include "memory.h"
#include "parameters.h"
#include "row.h"
#include "text_field.h"
#include <string.h>

/* A struct while it is built. */
typedef struct struct_place {
  ir_builder *b;
  bind_struct *s;
  const c_struct *record;
  sidecar_block *block; /* `struct NAME { ... }`, or NULL */
  bind_index members;   /* the places of C's members */
  bind_index hidden;    /* those with `hide`, and those with a clause: the places of the clauses */
  bind_index said;
  const char **why; /* it has no fields for callers; NULL */
} struct_place;

/* ---- fields ---- */

static bool struct_hides(const struct_place *at, const char *field) {
  return bind_find_place(&at->hidden, field) >= 0;
}

/* Find what the block says, so that a struct with many members takes no longer for each. */
static void struct_find_clauses(struct_place *at) {
  for (int i = 0; i < at->record->member_count; i++) {
    bind_add_place(&at->members, at->record->members[i].name, i);
  }
  for (int i = 0; at->block && i < at->block->clauses.count; i++) {
    const bind_clause *c = &at->block->clauses.clauses[i];
    if (c->count == 2 && clause_is(c, 0, "hide")) {
      bind_add_place(&at->hidden, clause_name(c, 1), i);
    } else if (clause_mark_at(c, 1) == CLAUSE_COLON && !clause_is_guess(c)) {
      bind_add_place(&at->said, clause_name(c, 0), i);
    }
  }
}

/* How many numbers an array has, `float m[9]`, or bytes a text, `char name[64]`; 0 if no field has
 * so many, or C may not write them. */
static int struct_count_items(const ir_builder *b, const c_type *t) {
  const bool suits =
      t->to && (t->to->kind == C_INTEGER || t->to->kind == C_REAL || t->to->kind == C_CHAR);
  if (!t->is_array || !suits || t->to->is_const || !t->length) {
    return 0;
  }
  return ir_count_items(b, t->length);
}

static const char *struct_why_no_type(const c_type *t) {
  const char *c = t->spelling;
  if (t->kind == C_POINTER) {
    c = ir_spell_pointer(t);
  }
  if (!*c) {
    return "a pointer to a function";
  }
  return bind_string("of the type `%s`", c);
}

/* Say what a member is that no field can be, or return NULL. */
static const char *struct_why_no_field(const bind_struct *s, const c_member *m,
                                       const bind_type *type) {
  if (m->is_bits) {
    return "a bit-field";
  }
  if (m->is_flexible) {
    return "an array without a length";
  }
  if (m->type->kind == C_STRUCT && m->type->record && m->type->record->is_union) {
    return "a union";
  }
  if (m->type->is_array && !type->items) {
    return "an array";
  }
  const bool text = type->kind == BIND_STRING && type->items;
  const bool plain = type->kind >= BIND_INTEGER && type->kind <= BIND_CHAR;
  if (!plain && !text && !type->structure) {
    return struct_why_no_type(m->type);
  }
  if (m->type->is_const) {
    return "const";
  }
  if (bind_count_fields(s) + bind_count_fields(type->structure) > BIND_MOST_FIELDS) {
    return "one too many";
  }
  return NULL;
}

/* How the twins' layout spells a field, in a type of a fixed width. */
static const char *struct_layout_type(const bind_type *type) {
  if (type->structure) {
    return type->structure->layout;
  }
  if (type->scalar) {
    return bind_string("%s ", bind_scalar_c(type->scalar));
  }
  return type->kind == BIND_BOOL ? "bool " : "char ";
}

/* The type of a field, which may be an array or the text of a clause. */
static void struct_read_type(const struct_place *at, const c_member *m, bind_param *field) {
  const int said = bind_find_place(&at->said, m->name);
  if (said >= 0 && !ir_read_text_field(at->b, &at->block->clauses.clauses[said], m, field)) {
    return;
  }
  const int items = struct_count_items(at->b, m->type);
  field->type = ir_build_type(at->b, items ? m->type->to : m->type);
  field->type.items = items;
  if (items && field->type.kind == BIND_CHAR) {
    field->type.kind = BIND_STRING;
  }
}

/* The twins' layout has the fields of C under their names, in types of a fixed width. */
static void struct_add_field(const struct_place *at, const c_member *m) {
  bind_param field = {.name = m->name,
                      .doc = doc_paragraph(m->doc),
                      .note = "",
                      .spelled = "",
                      .contract = "",
                      .letters = "",
                      .limits = "",
                      .words = "",
                      .limits_words = ""};
  struct_read_type(at, m, &field);
  const char *why = struct_why_no_field(at->s, m, &field.type);
  if (why && !*at->why) {
    *at->why = ir_struct_advice(at->s->name, m, why);
  }
  if (why) {
    return;
  }
  field.type.own = bind_or(field.type.own, field.type.c);
  field.type.c = struct_layout_type(&field.type);
  at->s->hides |= field.type.structure && field.type.structure->hides;
  at->s->fields[at->s->field_count++] = field;
}

static void struct_add_fields(const struct_place *at) {
  bind_struct *s = at->s;
  s->fields = bind_items(at->record->member_count, sizeof *s->fields);
  BIND_EACH (const c_member, m, at->record->members, at->record->member_count) {
    if (struct_hides(at, m->name)) {
      s->hides = true;
    } else {
      struct_add_field(at, m);
    }
  }
  if (at->record->unread) {
    *at->why = "one of its members cannot be read (a macro? try --preprocess)";
  } else if (!s->field_count && !*at->why) {
    *at->why = "it has no field";
  }
  s->unbound = *at->why;
}

/* ---- the clauses of `struct NAME { ... }` ---- */

static void struct_fail(const struct_place *at, const bind_clause *c, const char *why) {
  at->b->clause = clause_text(c);
  ir_fail(at->b, at->record->line, "struct %s: %s", at->s->name, why);
  at->b->clause = NULL;
}

static const c_member *struct_member(const struct_place *at, const char *name) {
  return bind_find_item(&at->members, name, at->record->members, sizeof *at->record->members);
}

static const bind_param *struct_field(const struct_place *at, const char *name) {
  BIND_EACH (const bind_param, field, at->s->fields, at->s->field_count) {
    if (strcmp(field->name, name) == 0) {
      return field;
    }
  }
  return NULL;
}

/* Say why a field has no default, or return NULL. */
static const char *struct_why_no_value(const struct_place *at, const char *name) {
  if (!struct_member(at, name)) {
    return bind_string("it has no field `%s`", name);
  }
  if (struct_hides(at, name)) {
    return bind_string("`%s` is hidden, so that C finds its own default there: expected `%s = "
                       "DEFAULT` or `hide %s`",
                       name,
                       name,
                       name);
  }
  const bind_param *field = struct_field(at, name);
  if (field && (field->type.items || field->type.structure)) {
    const char *what = "an array of numbers: its default is 0";
    if (field->type.structure) {
      what = "a struct: its default is its own";
    } else if (field->pointer) {
      what = "a text: its default is empty";
    } else if (field->type.kind == BIND_STRING) {
      what = "an array of char: its default is empty";
    }
    return bind_string("`%s` is %s, or what `defaults f()` gives", name, what);
  }
  return NULL;
}

static bool struct_is_it(const struct_place *at, const c_type *t) {
  return t->kind == C_STRUCT && t->record == at->record;
}

/* Read the constants behind `_` as ", 1, X_VERSION"; NULL if they are none, or not so many. */
static const char *struct_arguments(const struct_place *at, const bind_clause *c, int count) {
  const char *all = "";
  int64_t value;
  int part = 4;
  for (; count > 0 && clause_is(c, part, ","); count--, part += 2) {
    const bool minus = clause_is(c, part + 1, "-");
    part += minus;
    const char *word = clause_name(c, part + 1);
    if (!bind_is_digit(*word) && !ir_constant(at->b, word, &value)) {
      return NULL;
    }
    all = bind_string("%s, %s%s", all, bind_when(minus, "-"), word);
  }
  return count == 0 && clause_is(c, part, ")") && c->count == part + 1 ? all : NULL;
}

/* Tell whether a field is a `char **`. */
static bool struct_is_list(const c_member *m) {
  const c_type *t = m->type;
  return t->kind == C_POINTER && t->to->kind == C_POINTER && t->to->to->kind == C_CHAR;
}

/* `text FIELD`: what C makes is a text, or a list of them, in this field. */
static void struct_read_text(const struct_place *at, const bind_clause *c) {
  const c_member *m = struct_member(at, clause_name(c, 1));
  if (m && (ir_may_be_text_field(m) || struct_is_list(m))) {
    at->s->text = m->name;
    at->s->lists = struct_is_list(m);
    return;
  }
  const char *name = clause_name(c, 1);
  struct_fail(at, c, bind_string("it has no field `char *%s` or `char **%s`", name, name));
}

/* `gives FIELD`: what C makes is a tensor, whose elements are behind this field. */
static void struct_read_gives(const struct_place *at, const bind_clause *c) {
  const c_member *m = struct_member(at, clause_name(c, 1));
  if (m && ir_row_element(m->type)) {
    at->s->gives = m->name;
    return;
  }
  struct_fail(
      at, c, bind_string("it has no field `%s` that points to elements", clause_name(c, 1)));
}

/* `tensor FIELD[n]`: it carries a tensor into C, and `FIELD := ...` is what C learns of it. */
static void struct_read_carrier(const struct_place *at, const bind_clause *c) {
  const char *why = ir_why_no_carrier(at->record, at->block, c);
  at->s->carries = true;
  if (why) {
    struct_fail(at, c, why);
  }
}

/* Say why the clause of a field, `FIELD: text[100]`, is wrong, or return NULL. */
static const char *struct_why_no_text(const struct_place *at, const bind_clause *c) {
  bind_param field = {0};
  const char *name = clause_name(c, 0);
  const c_member *m = struct_member(at, name);
  if (!m) {
    return bind_string("it has no field `%s`", name);
  }
  if (struct_hides(at, name)) {
    return bind_string("`%s` is hidden: expected `%s: text[N]` or `hide %s`", name, name, name);
  }
  if (&at->block->clauses.clauses[bind_find_place(&at->said, name)] != c) {
    return bind_string("expected `%s: text[N]` once", name);
  }
  return ir_read_text_field(at->b, c, m, &field);
}

/* Tell whether a function takes a pointer to the struct alone. */
static bool struct_takes_it(const struct_place *at, const c_function *f) {
  return f && f->count == 1 && !f->variadic && f->params[0].type->kind == C_POINTER &&
         struct_is_it(at, f->params[0].type->to);
}

/* `freed f`: f frees one that C returns behind a pointer. */
static void struct_read_freed(const struct_place *at, const bind_clause *c) {
  const char *name = clause_name(c, 1);
  if (struct_takes_it(at, ir_find_function(at->b, name)) && !ir_lock_of(at->b, name)) {
    at->s->freed = name;
    return;
  }
  struct_fail(at,
              c,
              bind_string("`freed %s`: expected a function that takes a pointer to it alone, "
                          "without a lock",
                          name));
}

/* `cleared f`: f frees what the struct has, and takes a pointer to it alone. */
static void struct_read_cleared(const struct_place *at, const bind_clause *c) {
  const c_function *f = ir_find_function(at->b, clause_name(c, 1));
  if (struct_takes_it(at, f)) {
    at->s->cleared = f->name;
    return;
  }
  struct_fail(at,
              c,
              bind_string("`cleared %s`: expected a function that takes a pointer to it alone",
                          clause_name(c, 1)));
}

static bool struct_takes_numbers(const c_function *f) {
  for (int i = 1; i < f->count; i++) {
    const c_kind kind = f->params[i].type->kind;
    if (kind != C_INTEGER && kind != C_ENUM && kind != C_BOOL) {
      return false;
    }
  }
  return true;
}

/* `defaults f()` for a function that returns the struct, `defaults f(_, 1)` for one that writes it.
 */
static void struct_read_defaults(const struct_place *at, const bind_clause *c) {
  const char *name = clause_name(c, 1);
  const c_function *f = ir_find_function(at->b, name);
  const bool behind = clause_is(c, 3, "_");
  const bool opens = clause_is(c, 2, "(");
  if (!f) {
    struct_fail(at, c, bind_string("the header has no function `%s`", name));
    return;
  }
  const bool returns = f->count == 0 && struct_is_it(at, f->result);
  const bool writes = f->count > 0 && f->params[0].type->kind == C_POINTER &&
                      struct_is_it(at, f->params[0].type->to) && struct_takes_numbers(f);
  const bool alone = c->count == 4 && clause_is(c, 3, ")");
  const char *arguments = behind && writes ? struct_arguments(at, c, f->count - 1) : NULL;
  if (!opens || !(behind ? arguments != NULL : returns && alone)) {
    struct_fail(at,
                c,
                "expected `defaults f()`, where f returns the struct, or `defaults f(_)`, where it "
                "writes it behind its first parameter, with constants for others, as in `f(_, 1)`");
    return;
  }
  at->s->defaults = name;
  at->s->defaults_behind = behind;
  at->s->defaults_arguments = arguments;
}

/* Read `FIELD = DEFAULT` as the contract of a function with the fields as its parameters. */
static void struct_read_values(const struct_place *at, const clause_list *values) {
  bind_struct *s = at->s;
  bind_function f = {.name = s->name,
                     .short_name = bind_string("struct %s", s->name),
                     .params = s->fields,
                     .param_count = s->field_count,
                     .c_param_count = s->field_count,
                     .line = s->line};
  dlf_error error = {0};
  f.c_params = bind_items(s->field_count, sizeof *f.c_params);
  for (int i = 0; i < s->field_count; i++) {
    f.c_params[i] = (bind_c_param){.param = &s->fields[i], .name = s->fields[i].name};
  }
  at->b->contract = clauses_text(values);
  if (!bind_try_contract(&f, at->b->contract, &error)) {
    ir_fail(at->b, s->line, "%s", error.message);
  } else {
    DLF__EACH_DEFAULT (usual, f.compiled) {
      ir_build_default(at->b, &f, &s->fields[usual->parameter], usual);
    }
  }
  at->b->contract = NULL;
}

/* Say that a clause stands twice, or return NULL. */
static const char *struct_why_again(const struct_place *at, const bind_clause *c) {
  const char *word = clause_name(c, 0);
  if (clause_is(c, 0, "hide")) {
    const char *field = clause_name(c, 1);
    const int first = bind_find_place(&at->hidden, field);
    const bool again = first >= 0 && &at->block->clauses.clauses[first] != c;
    return again ? bind_string("expected `hide %s` once", field) : NULL;
  }
  if (!bind_word_in(word, "defaults text gives tensor cleared freed one")) {
    return NULL;
  }
  BIND_EACH_CLAUSE (before, &at->block->clauses) {
    if (before == c) {
      return NULL;
    }
    if (clause_is(before, 0, word)) {
      return bind_string("expected `%s` once", word);
    }
  }
  return NULL;
}

/* Say why the clause of a field is wrong, or that one stands twice; NULL for others. */
static const char *struct_why_wrong(const struct_place *at, const bind_clause *c) {
  switch (clause_mark_at(c, 1)) {
  case CLAUSE_DEFAULT:
    return struct_why_no_value(at, clause_name(c, 0));
  case CLAUSE_COLON:
    return struct_why_no_text(at, c);
  default:
    return struct_why_again(at, c);
  }
}

/* Read a clause that is not about the value of a field. */
static void struct_read_clause(const struct_place *at, const bind_clause *c) {
  if (c->count == 1 && clause_is(c, 0, "one")) {
    at->s->single = true;
  } else if (c->count == 2 && clause_is(c, 0, "text")) {
    struct_read_text(at, c);
  } else if (ir_is_carrier_clause(c) || clause_mark_at(c, 1) == CLAUSE_DERIVES) {
    struct_read_carrier(at, c);
  } else if (c->count == 2 && clause_is(c, 0, "gives")) {
    struct_read_gives(at, c);
  } else if (c->count == 2 && clause_is(c, 0, "freed")) {
    struct_read_freed(at, c);
  } else if (c->count == 2 && clause_is(c, 0, "cleared")) {
    struct_read_cleared(at, c);
  } else if (clause_is(c, 0, "defaults") && clause_has_name(c, 1)) {
    struct_read_defaults(at, c);
  } else if (!clause_is(c, 0, "hide") || c->count != 2) {
    struct_fail(at, c, "expected `FIELD = DEFAULT`, `hide FIELD`, `one` or `defaults FUNCTION()`");
  } else if (!struct_member(at, clause_name(c, 1))) {
    struct_fail(at, c, bind_string("it has no field `%s`", clause_name(c, 1)));
  }
}

static void struct_read_clauses(const struct_place *at) {
  clause_list values = {0};
  BIND_EACH_CLAUSE (c, &at->block->clauses) {
    if (clause_is_guess(c)) {
      continue;
    }
    const clause_mark mark = clause_mark_at(c, 1);
    const char *why = struct_why_wrong(at, c);
    if (why) {
      struct_fail(at, c, why);
      return;
    }
    if (mark == CLAUSE_DEFAULT) {
      clauses_put(&values, c);
    } else if (mark != CLAUSE_COLON) {
      struct_read_clause(at, c);
    }
  }
  const bool carries = at->s->text || at->s->gives;
  if (carries != (at->s->cleared != NULL)) {
    ir_fail(at->b,
            at->record->line,
            "struct %s: expected `text FIELD` and `cleared FUNCTION` beside each other",
            at->s->name);
  }
  if (values.count && !at->s->unbound) {
    struct_read_values(at, &values);
  }
}

/* ---- the whole ---- */

static void struct_build(ir_builder *b, const c_struct *record, bind_struct *s) {
  sidecar_block *block = sidecar_find_struct(b->contracts, record->name);
  const char *why = NULL;
  struct_place at = {.b = b, .s = s, .record = record, .block = block, .why = &why};
  doc_comment doc;
  doc_read(record->doc, &doc);
  s->name = record->name;
  s->c = bind_string("%s ", record->spelling);
  s->short_name = ir_short_name(b, record->name);
  s->layout = bind_string("%s_fields ", record->name);
  s->summary = doc.summary;
  s->description = doc_description(&doc);
  s->header = record->header;
  s->line = record->line;
  struct_find_clauses(&at);
  struct_add_fields(&at);
  if (block) {
    const sidecar_block *before = b->block;
    b->block = block;
    block->used = !ir_is_object(b, record->name);
    struct_read_clauses(&at);
    b->block = before;
  }
}

static bool struct_is_number(const bind_function *f, int place) {
  const c_function *from = f->declared;
  return place >= 0 && place < from->count && from->params[place].type->kind == C_INTEGER;
}

/* Tell whether a pointer is to one struct since its block says `one`: it is const, no clause is
 * about it, and no number beside it may count several. */
static bool struct_is_single(const ir_builder *b, const bind_function *f, const c_type *t,
                             const clause_words *words, const bind_param *p) {
  const int place = (int)(p - f->params);
  const bind_struct *s = t->kind == C_POINTER ? ir_find_struct(b, t->to) : NULL;
  if (!s || !s->single || !t->to->is_const || t->is_array) {
    return false;
  }
  return !clauses_find(&words->rest, p->name, CLAUSE_COLON) &&
         !clauses_find(&words->rest, p->name, CLAUSE_DERIVES) && !struct_is_number(f, place - 1) &&
         !struct_is_number(f, place + 1);
}

bool ir_build_struct_pointee(ir_builder *b, const bind_function *f, const c_type *t,
                             const clause_words *words, bind_param *p) {
  clause_pointee pointee = clauses_pointee(&words->rest, p->name);
  pointee.said |= bind_word_in(p->name, words->texts) || struct_is_single(b, f, t, words, p);
  if (t->kind != C_POINTER || !pointee.said || pointee.dtype) {
    return false;
  }
  const char *behind = NULL; /* `const T **x`: C keeps it, and the call copies it */
  if (t->to->kind == C_POINTER && !t->is_array && !t->to->is_const && pointee.out && !pointee.in) {
    behind = ir_spell_pointer(t->to);
  }
  const bind_type type = ir_struct_type(b, behind ? t->to->to : t->to);
  if (type.kind != BIND_STRUCT) {
    return false;
  }
  const bool is_const = t->to->is_const;
  if (pointee.opt) {
    ir_fail_in(b, f, "%s: `opt` is not for a struct", p->name);
  } else if (pointee.out && is_const) {
    ir_fail_in(b, f, "%s: C's pointer is const, so it is not written", p->name);
  } else if (pointee.out && pointee.in && type.structure->hides) {
    ir_fail_in(
        b,
        f,
        "%s: `inout` needs all fields of %s, and some are hidden: C may keep its state there",
        p->name,
        type.structure->name);
  }
  p->type = type;
  p->behind = behind;
  p->pointer = ir_spell_pointer(t);
  p->returned = pointee.out;
  p->direction = BIND_IN;
  if (pointee.out) {
    p->direction = pointee.in ? BIND_INOUT : BIND_OUT;
  }
  return true;
}

static bool struct_takes_alone(const c_function *f, const c_type *struct_type) {
  if (!f || f->count != 1 || f->variadic || f->params[0].type->kind != C_POINTER) {
    return false;
  }
  const c_type *to = f->params[0].type->to;
  return to->kind == C_VOID || to->record == struct_type->record;
}

/* `x: out freed f`: f takes what C wrote to a `T **`, alone. */
static void struct_build_freed(ir_builder *b, bind_function *f, const bind_clause *c,
                               const char *own_lock) {
  const char *name = clause_name(c, 4);
  bind_param *p = bind_find_param(f, clause_name(c, 0));
  const c_type *t = p ? f->declared->params[p - f->params].type : NULL;
  if (!p || !p->behind || t->to->to->is_const) {
    ir_fail_in(b,
               f,
               "%s: `freed %s` is for a struct to which C writes a pointer that is not const",
               clause_name(c, 0),
               name);
    return;
  }
  const c_function *freeing = ir_find_included(b, name);
  const bool of_c = !freeing && strcmp(name, "free") == 0;
  const char *lock = ir_lock_of(b, name);
  const bool waits = lock && (!own_lock || strcmp(lock, own_lock) != 0);
  if ((!of_c && !struct_takes_alone(freeing, t->to->to)) || waits) {
    ir_fail_in(b,
               f,
               "%s: `freed %s`: expected a function that takes a pointer to it alone, without a "
               "lock but the call's",
               p->name,
               name);
  }
  p->freed = name;
  bind_add_place(&b->freed, name, 0);
}

void ir_check_freed(ir_builder *b, const bind_function *f) {
  const bool keeps_text = f->returns == BIND_RETURN_VALUE && f->result.kind == BIND_STRING;
  BIND_EACH_PARAM (p, f) {
    if (p->freed && keeps_text) {
      ir_fail_in(b,
                 f,
                 "%s: the text that C returns may be freed with it: write `return: text`, which "
                 "copies it",
                 p->name);
    }
  }
}

void ir_build_freed(ir_builder *b, bind_function *f, const clause_words *words) {
  BIND_EACH_CLAUSE (c, &words->freed) {
    struct_build_freed(b, f, c, words->lock);
  }
}

static void struct_use(const ir_builder *b, const bind_type *type) {
  for (bind_struct *s = b->ir->structs; s; s = s->next) {
    if (s != type->structure || s->used) {
      continue;
    }
    s->used = true;
    BIND_EACH (const bind_param, field, s->fields, s->field_count) {
      struct_use(b, &field->type);
    }
  }
}

void ir_use_structs(ir_builder *b) {
  BIND_EACH_DECLARED (f, b->ir) {
    if (f->unbound || f->family) {
      continue;
    }
    struct_use(b, &f->result);
    BIND_EACH_PARAM (p, f) {
      struct_use(b, &p->type);
    }
  }
}

/* A struct whose objects have a class is a value only where its block lets `fields` take it apart.
 */
static bool struct_is_value(const ir_builder *b, const c_struct *record) {
  return !ir_is_object(b, record->name) || sidecar_find_struct(b->contracts, record->name);
}

/* Build a struct whose members are known, behind those within it. */
static void struct_add(ir_builder *b, const c_type *t, int depth) {
  c_struct *record = t->record;
  if (t->kind != C_STRUCT || !record || !record->complete || record->is_union || !*record->name ||
      record->built || !struct_is_value(b, record)) {
    return;
  }
  bind_struct *s = bind_alloc(1, sizeof *s);
  record->built = s;
  s->unbound = "it lies within itself";
  if (depth < BIND_MOST_FIELDS) {
    BIND_EACH (const c_member, m, record->members, record->member_count) {
      struct_add(b, m->type, depth + 1);
    }
  }
  struct_build(b, record, s);
  bind_struct **end = &b->ir->structs;
  while (*end) {
    end = &(*end)->next;
  }
  *end = s;
}

static void struct_add_behind(ir_builder *b, const c_type *t) {
  while (t->kind == C_POINTER) {
    t = t->to;
  }
  struct_add(b, t, 0);
}

void ir_build_structs(ir_builder *b) {
  BIND_EACH (const c_function, f, b->header->functions, b->header->function_count) {
    struct_add_behind(b, f->result);
    BIND_EACH (const c_param, p, f->params, f->count) {
      struct_add_behind(b, p->type);
    }
  }
  BIND_EACH (const sidecar_block, block, b->contracts->structs, b->contracts->struct_count) {
    const int place = bind_find_place(&b->structs, block->name);
    if (place >= 0) {
      const c_type declared = {
          .kind = C_STRUCT, .spelling = block->name, .record = b->header->structs[place]};
      struct_add(b, &declared, 0);
    }
  }
}
