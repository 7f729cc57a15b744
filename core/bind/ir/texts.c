/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that a `const char *` alone does not tell. */
#include "texts.h"
#include "bind/base/names.h"
#include "memory.h"
#include "parameters.h"
#include <stdlib.h>
#include <string.h>

static bool ir_text_is_byte(const c_type *t) {
  return t->kind == C_CHAR ||
         (t->kind == C_INTEGER && (t->scalar == BIND_U8 || t->scalar == BIND_I8));
}

/* Tell whether a type is a pointer to characters. */
static bool ir_text_is_pointer(const c_type *t) {
  return t->kind == C_POINTER && ir_text_is_byte(t->to);
}

/* Tell whether a type is a pointer to wchar_t, which is no number. */
static bool ir_text_is_wide(const c_type *t) {
  return t->kind == C_POINTER && strcmp(t->to->spelling, "wchar_t") == 0;
}

/* Tell whether a type is a pointer to C's open file. */
static bool ir_text_is_file(const c_type *t) {
  return t->kind == C_POINTER && strcmp(t->to->spelling, "FILE") == 0;
}

/* Tell whether C may write a pointer to characters behind a type. */
static bool ir_text_is_place(const c_type *t) {
  return t->kind == C_POINTER && !t->is_array && !t->to->is_const && ir_text_is_pointer(t->to);
}

/* Tell whether a type is a pointer to the pointers of a list. */
static bool ir_text_is_list(const c_type *t) {
  return t->kind == C_POINTER && !t->is_array && ir_text_is_pointer(t->to);
}

/* A function that frees a text, or many, takes it alone. */
static void ir_text_check_freed(ir_builder *b, const bind_function *f, const char *name,
                                bool many) {
  const c_function *freeing = ir_find_included(b, name);
  if (!freeing && strcmp(name, "free") == 0) {
    return; /* of C itself */
  }
  if (!freeing) {
    ir_fail_undeclared(b, f, bind_string("`freed %s`", name), name);
    return;
  }
  const bool one = freeing->count == 1 && !freeing->variadic;
  const c_type *t = NULL;
  if (one) {
    t = freeing->params[0].type;
  }
  const bool pointer = one && t->kind == C_POINTER;
  const bool suits = pointer && (many ? ir_text_is_list(t) : ir_text_is_byte(t->to));
  if (!suits && !(pointer && t->to->kind == C_VOID)) {
    const char *what = many ? "list" : "text";
    ir_fail_in(b, f, "`freed %s`: expected a function that takes the %s alone", name, what);
  }
}

/* A lock that the freeing function takes, unless the call has it. */
static void ir_text_take_lock(ir_builder *b, const bind_function *f, bind_text_use *use,
                              const char *own_lock) {
  use->lock = ir_inner_lock(b, f, use->freed, own_lock, bind_string("`freed %s`: it", use->freed));
}

static void ir_text_read_freed(ir_builder *b, const bind_function *f, const text_clause *from,
                               bind_text_use *use, const char *own_lock) {
  use->freed = from->freed;
  if (!from->freed) {
    return;
  }
  ir_text_check_freed(b, f, from->freed, from->many);
  ir_text_take_lock(b, f, use, own_lock);
}

/* A text, or a list of them, is a result of callers. */
static void ir_text_return(bind_param *p, const bind_text_use *use, bool optional) {
  const char *type = use->many ? "const char *const *" : "const char *";
  p->type = (bind_type){.kind = BIND_STRING, .c = type};
  p->direction = BIND_OUT;
  p->returned = true;
  p->optional = optional && !use->many;
  p->text = use;
}

/* A text and each number beside it have one meaning: two texts of one length would differ in it. */
static bool ir_text_is_taken(ir_builder *b, const bind_function *f, const bind_param *p) {
  if (p->text) {
    ir_fail_in(b, f, "%s: expected one text that it belongs to, got two", p->name);
  }
  return p->text;
}

/* Let the call choose a parameter, or read what C writes there, instead of the caller. */
static void ir_text_take(ir_builder *b, const bind_function *f, bind_param *p,
                         const bind_text_use *use, bind_text_part part) {
  if (ir_text_is_taken(b, f, p)) {
    return;
  }
  p->text = use;
  p->text_part = part;
}

/* ---- a buffer and its size ---- */

static void ir_text_fail_size(ir_builder *b, const bind_function *f, const text_clause *from,
                              const char *wanted) {
  if (strcmp(from->param, from->size) == 0) {
    wanted = "that is the text itself: expected the name of another parameter, its size";
  }
  ir_fail_in(b, f, "%s: `text[%s]`: %s", from->param, from->size, wanted);
}

/* The memory's size is a parameter, a number or a constant of the header. */
static void ir_text_read_room(ir_builder *b, const bind_function *f, const text_clause *from,
                              const clause_list *rest, bind_text_use *use) {
  int64_t value = 1;
  bind_param *room = NULL;
  if (!from->size) {
    return;
  }
  room = bind_find_param(f, from->size);
  const bool number = bind_is_digit(*from->size);
  if (room && !bind_is_integer(room)) {
    ir_text_fail_size(b, f, from, "expected an integer");
    return;
  }
  if (room && from->grown) {
    ir_text_take(b, f, room, use, BIND_TEXT_ROOM);
    return;
  }
  if (!room && number) {
    value = atoll(from->size);
  }
  const bool constant = !room && !number && ir_constant(b, from->size, &value);
  if (!room && ((!number && !constant) || value < 1 || value > INT32_MAX)) {
    ir_fail_in(b,
               f,
               "%s: `text[%s]`: expected a parameter, a number above 0 or a constant of the header",
               from->param,
               from->size);
  }
  use->room = from->size;
  if (room) {
    ir_check_given_room(b, f, rest, room);
  }
}

/* C returns how much it wrote, or writes it behind a pointer. */
static void ir_text_read_written(ir_builder *b, const bind_function *f, const c_function *c,
                                 const text_clause *from, bind_text_use *use) {
  if (!from->written) {
    return;
  }
  if (!from->place) {
    use->reports_result = true;
    if (c->result->kind != C_INTEGER) {
      ir_fail_in(b, f, "%s := result: expected a function that returns an integer", from->written);
    }
    return;
  }
  bind_param *place = bind_find_param(f, from->place);
  if (!place || !place->returned || place->type.kind != BIND_INTEGER) {
    ir_fail_in(b,
               f,
               "%s := *%s: expected a pointer to an integer that is not const",
               from->written,
               from->place);
    return;
  }
  ir_text_take(b, f, place, use, BIND_TEXT_WRITTEN);
}

static bool ir_text_is_buffer(const c_type *t) {
  return ir_text_is_pointer(t) && !t->to->is_const;
}

/* A call that is made again must not give anything else, which would leak. */
static void ir_text_check_grown(ir_builder *b, const bind_function *f, const c_function *c,
                                const char *name) {
  bool gives = (f->fault && f->fault->freed) || f->report;
  BIND_EACH_PARAM (p, f) {
    if (p->text && p->text->mode) {
      ir_fail_in(
          b, f, "%s: `grown` calls C again, which would go on in the file %s", name, p->name);
      return;
    }
    const bool buffer = p->text && p->text->kind == BIND_TEXT_FILLED;
    const bool pointer = p->type.kind == BIND_GIVEN || p->type.kind == BIND_HANDLE || p->text;
    gives |= (p->returned && pointer && !buffer) || p->ended || p->freed;
  }
  const bool plain =
      c->result->kind == C_INTEGER || c->result->kind == C_VOID || c->result->kind == C_ENUM;
  if (gives || !plain) {
    ir_fail_in(b,
               f,
               "%s: `grown` calls C again, so C must give nothing else that is freed, and return "
               "nothing, the length or a status: write `text[m <= n]` with a size",
               name);
  }
}

/* The size of memory that no parameter gives; 0 for others. */
static int64_t ir_text_fixed_room(const ir_builder *b, const bind_function *f,
                                  const bind_text_use *use) {
  int64_t room = 0;
  if (use->room && bind_is_digit(*use->room)) {
    room = atoll(use->room);
  } else if (use->room && !bind_find_param(f, use->room)) {
    (void)ir_constant(b, use->room, &room);
  }
  return room;
}

/* C may write all of an array that it declares, `char name[32]`, and as much as a number beside it
 * says. */
static void ir_text_check_room(ir_builder *b, const bind_function *f, const bind_param *p,
                               const clause_list *rest, const bind_text_use *use) {
  const int64_t room = ir_text_fixed_room(b, f, use);
  if (p->length && bind_is_digit(*p->length) && room < atoll(p->length)) {
    ir_fail_in(
        b,
        f,
        "%s: C declares %s bytes, which it may write: expected `text[%s]` or a larger number",
        p->name,
        p->length,
        p->length);
  } else if (room > 0) {
    ir_check_room(b, f, rest, p, room);
  }
}

static void ir_text_build_filled(ir_builder *b, bind_function *f, const c_function *c,
                                 const text_clause *from, const clause_list *rest,
                                 bind_text_use *use) {
  use->grown = from->grown;
  use->written = from->written;
  ir_text_read_room(b, f, from, rest, use);
  ir_text_read_written(b, f, c, from, use);
}

/* ---- texts for C ---- */

static void ir_text_build_sized(ir_builder *b, const bind_function *f, const text_clause *from,
                                const bind_text_use *use) {
  bind_param *length = bind_find_param(f, from->size);
  if (!length || !bind_is_integer(length)) {
    ir_text_fail_size(b, f, from, "expected the name of an integer");
    return;
  }
  ir_text_take(b, f, length, use, BIND_TEXT_LENGTH);
}

/* ---- lists that C gives ---- */

/* C writes their number behind a pointer. */
static void ir_text_read_number(ir_builder *b, const bind_function *f, const text_clause *from,
                                bind_text_use *use) {
  if (!from->size) {
    return;
  }
  bind_param *number = bind_find_param(f, from->size);
  if (!number || !number->returned || number->type.kind != BIND_INTEGER) {
    ir_fail_in(b,
               f,
               "%s: `text *%s`: expected a pointer to an integer that is not const, or NULL",
               from->param,
               from->size);
    return;
  }
  use->counted = from->size;
  ir_text_take(b, f, number, use, BIND_TEXT_WRITTEN);
}

/* ---- each clause ---- */

static const char *const ir_text_wanted[] = {
    [BIND_TEXT_BEHIND] = "`out text` is for a pointer to a `char *` that is not const",
    [BIND_TEXT_RESULT] = "`return: text` is for a function that returns a `char *`",
    [BIND_TEXT_FAULT] = "`text *` is for a pointer to a `char *` that is not const",
    [BIND_TEXT_FILLED] = "`out text[...]` is for a `char *` that is not const",
    [BIND_TEXT_READ] = "`in text` is for a `char *`, another pointer to bytes, or a `wchar_t *`",
    [BIND_TEXT_SIZED] = "`text[...]` is for a `const char *`",
    [BIND_TEXT_LIST] = "`text *` is for a `const char *const *`, or a `char **` that C only reads",
    [BIND_TEXT_FILE] = "`file` is for a `FILE *`",
};

/* What such a clause is for, of a list. */
static const char *ir_text_wanted_of(const text_clause *clause) {
  if (!clause->many) {
    return ir_text_wanted[clause->kind];
  }
  if (clause->kind == BIND_TEXT_RESULT) {
    return "`return: text *` is for a function that returns a `char **`";
  }
  return "`out text *` is for a pointer to a `char **` that is not const";
}

/* The pointer to the characters in C's type; NULL if the clause is for another type. */
static const c_type *ir_text_pointer(const text_clause *clause, const c_type *t) {
  if (clause->many && clause->kind == BIND_TEXT_RESULT) {
    return ir_text_is_list(t) ? t : NULL;
  }
  if (clause->many) {
    const bool place = t->kind == C_POINTER && !t->is_array && !t->to->is_const;
    return place && ir_text_is_list(t->to) ? t->to : NULL;
  }
  switch (clause->kind) {
  case BIND_TEXT_BEHIND:
  case BIND_TEXT_FAULT:
    return ir_text_is_place(t) ? t->to : NULL;
  case BIND_TEXT_RESULT:
  case BIND_TEXT_READ:
    return ir_text_is_pointer(t) || ir_text_is_wide(t) ? t : NULL;
  case BIND_TEXT_FILLED:
    return ir_text_is_buffer(t) ? t : NULL;
  case BIND_TEXT_SIZED:
    return ir_text_is_pointer(t) && t->to->is_const ? t : NULL;
  case BIND_TEXT_LIST:
    return t->kind == C_POINTER && ir_text_is_pointer(t->to) ? t->to : NULL;
  case BIND_TEXT_FILE:
    return ir_text_is_file(t) ? t : NULL;
  case BIND_TEXT_COLLECTED: /* no clause of its own */
    break;
  }
  return NULL;
}

/* The struct that C fills with a text, behind a pointer that is not const; NULL for others. */
static const bind_struct *ir_text_holder(const ir_builder *b, const c_type *t) {
  if (t->kind != C_POINTER || t->is_array || t->to->is_const) {
    return NULL;
  }
  const bind_struct *s = ir_find_struct(b, t->to);
  return s && s->text && s->cleared ? s : NULL;
}

/* A list in such a struct ends with NULL, or has its number in another field. */
static void ir_text_check_held(ir_builder *b, const bind_function *f, const c_type *t,
                               const bind_struct *holder, const text_clause *clause) {
  if (clause->many != holder->lists) {
    const char *what = holder->lists ? "out text *n" : "out text";
    ir_fail_in(b, f, "%s: `%s` is for the struct %s", clause->param, what, holder->name);
    return;
  }
  if (!clause->size) {
    return;
  }
  const c_member *number = ir_find_member(t->to->record, clause->size);
  if (!number || number->type->kind != C_INTEGER) {
    ir_fail_in(b,
               f,
               "%s: `text *%s`: expected an integer in the struct %s, or NULL",
               clause->param,
               clause->size,
               holder->name);
  }
}

static void ir_text_build_held(ir_builder *b, const bind_function *f, bind_param *p,
                               const bind_struct *holder, const text_clause *clause,
                               const char *own_lock) {
  bind_text_use *use = bind_alloc(1, sizeof *use);
  use->many = clause->many;
  use->counted = clause->size;
  use->or_none = clause->many && clause->optional;
  use->kind = BIND_TEXT_BEHIND;
  use->name = p->name;
  use->release = bind_string("%s_dlferry_free_text", b->ir->name);
  use->pointer = bind_string("%s*", holder->c);
  use->holder = holder;
  use->freed = holder->cleared;
  ir_text_take_lock(b, f, use, own_lock);
  bind_add_place(&b->freed, holder->cleared, 0);
  ir_text_return(p, use, clause->optional);
}

static bool ir_text_has_result(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text && p->text->kind == BIND_TEXT_RESULT) {
      return true;
    }
  }
  return false;
}

static void ir_text_build(ir_builder *b, bind_function *f, const c_function *from,
                          const text_clause *clause, const clause_words *words) {
  const bool is_result = clause->kind == BIND_TEXT_RESULT;
  const c_type *t = from->result;
  if (is_result && ir_text_has_result(f)) {
    ir_fail_in(b, f, "`return: text`: expected it once");
    return;
  }
  bind_param *p = bind_find_param(f, clause->param);
  if (is_result && ir_text_pointer(clause, t)) {
    const char *name = bind_find_param(f, "result") ? "returned_text" : "result";
    p = &f->params[f->param_count++];
    *p = (bind_param){.name = name, .doc = "", .contract = "", .limits = "", .letters = ""};
  } else if (p && !is_result) {
    t = from->params[p - f->params].type;
  }
  const bind_struct *holder = ir_text_holder(b, t);
  if (p && holder && clause->kind == BIND_TEXT_BEHIND && !clause->freed) {
    if (ir_text_is_taken(b, f, p)) {
      return;
    }
    ir_text_check_held(b, f, t, holder, clause);
    ir_text_build_held(b, f, p, holder, clause, words->lock);
    return;
  }
  if (!p || !ir_text_pointer(clause, t)) {
    ir_fail_in(b, f, "%s: %s", clause->param, ir_text_wanted_of(clause));
    return;
  }
  if (ir_text_is_taken(b, f, p)) {
    return;
  }
  bind_text_use *use = bind_alloc(1, sizeof *use);
  use->kind = clause->kind;
  use->name = p->name;
  use->release = bind_string("%s_dlferry_free_text", b->ir->name);
  use->pointer = ir_spell_pointer(ir_text_pointer(clause, t));
  use->wide = ir_text_is_wide(t);
  use->mode = clause->mode;
  use->many = clause->many;
  use->or_none = clause->many && clause->optional;
  ir_text_read_freed(b, f, clause, use, words->lock);
  switch (clause->kind) {
  case BIND_TEXT_FAULT:
    ir_text_take(b, f, p, use, BIND_TEXT_WHY);
    f->fault = use;
    return;
  case BIND_TEXT_READ:
  case BIND_TEXT_FILE:
  case BIND_TEXT_SIZED:
    p->text = use;
    p->type = (bind_type){.kind = BIND_STRING, .c = "const char *"};
    p->returned = false;
    p->direction = BIND_IN;
    p->optional = clause->optional;
    if (clause->kind == BIND_TEXT_SIZED) {
      ir_text_build_sized(b, f, clause, use);
    }
    return;
  case BIND_TEXT_LIST:
    p->text = use;
    p->type = (bind_type){.kind = BIND_ARRAY, .c = "const char *const *"};
    use->pointer = ir_spell_pointer(t);
    return;
  case BIND_TEXT_FILLED:
    ir_text_build_filled(b, f, from, clause, &words->rest, use);
    ir_text_check_room(b, f, p, &words->rest, use);
    break;
  default:
    break;
  }
  if (use->many) {
    ir_text_read_number(b, f, clause, use);
  }
  ir_text_return(p, use, clause->optional);
}

/* What the call chooses for a text is no number that a clause could be about. */
static void ir_text_check_clauses(ir_builder *b, const bind_function *f, const bind_param *p,
                                  const clause_list *rest) {
  BIND_EACH_CLAUSE (c, rest) {
    if (clause_find_part(c, 0, p->name) < 0) {
      continue;
    }
    b->clause = clause_text(c);
    ir_fail_in(b,
               f,
               "%s: the call computes it from the text %s: expected no other clause about it",
               p->name,
               p->text->name);
    b->clause = NULL;
    return;
  }
}

static bool ir_is_text(const ir_builder *b, const c_function *from, const bind_clause *c) {
  BIND_EACH (const c_param, p, from->params, from->count) {
    const c_type *t = p->type;
    if (clause_is(c, 0, p->name)) {
      const bool text = t->kind == C_POINTER && t->to->is_const && t->to->kind == C_CHAR;
      return text || (t->kind == C_POINTER && ir_struct_type(b, t->to).kind == BIND_STRUCT);
    }
  }
  return false;
}

/* Take `x: in` out for each `const char *x` and each pointer to a struct: it says that this is
 * text, or one struct that C only reads, which the hub never sees. */
void ir_take_texts(const ir_builder *b, const c_function *from, clause_words *words) {
  clause_list *rest = &words->rest;
  int kept = 0;
  words->texts = "";
  for (int i = 0; i < rest->count; i++) {
    const bind_clause *c = &rest->clauses[i];
    const bool in = c->count == 3 && clause_mark_at(c, 1) == CLAUSE_COLON && clause_is(c, 2, "in");
    if (in && ir_is_text(b, from, c)) {
      words->texts = bind_join(words->texts, " ", clause_name(c, 0));
    } else {
      rest->clauses[kept++] = *c;
    }
  }
  rest->count = kept;
}

void ir_build_texts(ir_builder *b, bind_function *f, const c_function *from,
                    const clause_words *words) {
  BIND_EACH (const text_clause, text, words->given_texts, words->given_text_count) {
    ir_text_build(b, f, from, text, words);
  }
  BIND_EACH (const text_clause, text, words->given_texts, words->given_text_count) {
    if (text->grown) {
      ir_text_check_grown(b, f, from, text->param);
    }
  }
  BIND_EACH_PARAM (p, f) {
    if (p->text_part == BIND_TEXT_LENGTH || p->text_part == BIND_TEXT_ROOM) {
      ir_text_check_clauses(b, f, p, &words->rest);
    }
  }
}

const char *ir_why_text(const char *name, const c_type *t) {
  if (ir_text_is_file(t)) {
    return bind_string(
        "no clause tells how to open the `FILE`: write `%s: file \"rb\"`, or another "
        "mode, if C neither closes nor keeps it",
        name);
  }
  if (ir_text_is_wide(t)) {
    return bind_string("no clause tells what it points to: write `%s: in text` for a text that C "
                       "reads",
                       name);
  }
  const text_clause list_of_texts = {.kind = BIND_TEXT_LIST};
  const c_type *listed = ir_text_pointer(&list_of_texts, t);
  if (listed && listed->is_const && listed->to->is_const && listed->to->kind == C_CHAR) {
    return bind_string("no clause tells what it points to: write `%s: text *n` for a list of n "
                       "texts that C reads",
                       name);
  }
  if (!ir_text_is_place(t) || t->to->to->kind != C_CHAR) {
    return NULL;
  }
  const char *list = "";
  if (t->to->to->is_const) {
    list = bind_string("`%s: text *n` for a list of n that C reads, ", name);
  }
  return bind_string("no clause tells what it points to: write `%s: out text` for a text that C "
                     "keeps, `%s: out text freed f` for one that f frees, %sor `return: status "
                     "text *%s` if it explains a failure",
                     name,
                     name,
                     list,
                     name);
}

const char *ir_text_of_result(const c_type *t) {
  if (!ir_text_is_wide(t) && (t->kind != C_POINTER || t->to->kind != C_CHAR)) {
    return "";
  }
  return ": write `return: text` for a text that C keeps, or `return: text freed f` for one that f "
         "frees";
}
