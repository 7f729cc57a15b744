/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: those that the file of contracts names, and structs that a function frees by its name.
 * uses.c guesses more. */
#include "bind/base/names.h"
#include "bind/clauses/clauses.h"
#include "bind/clauses/place.h"
#include "builder.h"
#include <string.h>

bool ir_is_struct(const c_type *t, const char *name) {
  return t->kind == C_STRUCT && strcmp(uses_tag(t), name) == 0;
}

/* Tell whether a parameter is the handle; `behind`: a pointer to it. */
static bool ir_is_the_handle(const c_type *t, const char *type, bool is_value, bool *behind) {
  *behind = false;
  if (!is_value) {
    if (t->kind != C_POINTER || t->to->is_const) {
      return false;
    }
    t = t->to;
  }
  if (strcmp(uses_tag(t), type) == 0) {
    return true;
  }
  *behind = t->kind == C_POINTER && !t->to->is_const && strcmp(uses_tag(t->to), type) == 0;
  return *behind;
}

/* Tell whether a place for an error may be thrown away: C may allocate what it writes behind other
 * pointers, which would never be freed. */
static bool ir_is_error_place(const c_type *t) {
  if (t->kind != C_POINTER || t->to->is_const) {
    return false;
  }
  const c_type *to = t->to;
  const bool is_text = to->kind == C_POINTER && to->to->is_const && to->to->kind == C_CHAR;
  return is_text || to->kind == C_INTEGER || to->kind == C_REAL || to->kind == C_ENUM;
}

const c_function *ir_plain_maker(const ir_builder *b, const bind_handle *h) {
  BIND_EACH (const c_function, f, b->header->functions, b->header->function_count) {
    bool behind;
    const bool makes = f->count == 0 && !f->variadic && ir_is_maker(h, f->name);
    if (makes && ir_is_the_handle(f->result, h->type, h->is_value, &behind) && !behind) {
      return f;
    }
  }
  return NULL;
}

/* An object that reports a failure, and that the call can make by itself; NULL for others. */
static const bind_handle *ir_error_object(const ir_builder *b, const c_type *t) {
  if (t->kind != C_POINTER || t->to->is_const) {
    return NULL;
  }
  const bind_handle *h = ir_find_struct_handle(b, t->to);
  return h && h->free_name && ir_plain_maker(b, h) ? h : NULL;
}

static bool ir_is_a_number(const c_type *t) {
  return t->kind == C_INTEGER || t->kind == C_REAL || t->kind == C_ENUM || t->kind == C_BOOL;
}

/* ---- why a type is none ---- */

/* What a parameter of a function that frees a handle may get. */
typedef enum free_kind { FREE_OBJECT, FREE_ERROR, FREE_POINTER, FREE_NUMBER, FREE_OTHER } free_kind;

static const struct free_row {
  const char *suggested; /* NULL for none */
  const char *wanted;
} free_rows[] = {
    [FREE_OBJECT] = {"_", "`_`, the object"},
    [FREE_ERROR] = {"error", "`error` or `NULL`"},
    [FREE_POINTER] = {"NULL", "`NULL`"},
    [FREE_NUMBER] = {"0", "a number or a constant of the header"},
    [FREE_OTHER] = {NULL, "another function, since no clause has a value of this type"},
};

static free_kind ir_free_kind(const ir_builder *b, const c_type *t, const char *type,
                              bool is_value) {
  bool behind;
  if (ir_is_the_handle(t, type, is_value, &behind)) {
    return FREE_OBJECT;
  }
  if (ir_is_error_place(t) || ir_error_object(b, t)) {
    return FREE_ERROR;
  }
  if (t->kind == C_POINTER) {
    return FREE_POINTER;
  }
  if (ir_is_a_number(t)) {
    return FREE_NUMBER;
  }
  return FREE_OTHER;
}

/* Suggest the words behind a function that may free a struct; NULL if none suits some parameter. A
 * place that is not called an error may be a list. */
static const char *ir_suggest_free_words(const ir_builder *b, const c_function *f,
                                         const char *type) {
  enum { MOST = 8 };
  const char *words = "";
  if (f->count > MOST) {
    return NULL;
  }
  for (int i = 0; i < f->count; i++) {
    free_kind kind = ir_free_kind(b, f->params[i].type, type, false);
    if (kind == FREE_ERROR && !strstr(f->params[i].name, "err")) {
      kind = FREE_POINTER;
    }
    if (!free_rows[kind].suggested) {
      return NULL;
    }
    words = bind_join(words, ", ", free_rows[kind].suggested);
  }
  return words;
}

/* Say why a function that seems to free a struct does not make it a handle. */
static const char *ir_why_not_freed(const ir_builder *b, const c_function *f, const c_type *t) {
  if (t->record && t->record->complete) {
    return bind_string(
        "%s may free it, but its members are in this header: a handle is an opaque struct",
        f->name);
  }
  if (f->count != 1) {
    const char *words = f->variadic ? NULL : ir_suggest_free_words(b, f, uses_tag(t));
    const char *why = bind_string(
        "%s may free it, but takes %d parameters, not the struct alone", f->name, f->count);
    if (!words) {
      return why;
    }
    return bind_string(
        "%s: if these suit, write `handle %s freed %s(%s);` in the file of contracts",
        why,
        uses_tag(t),
        f->name,
        words);
  }
  if (f->params[0].type->to->is_const) {
    return bind_string("%s may free it, but takes a pointer to const", f->name);
  }
  return bind_string("%s may free it, but is not called %s_free", f->name, uses_tag(t));
}

static void ir_note_guess(const ir_builder *b, const uses_row *row, const char *freed) {
  bind_ir *ir = b->ir;
  bind_add_place(&ir->guessed_types, row->type, ir->guess_count);
  if (freed) {
    bind_add_place(&ir->guessed_freeing, freed, ir->guess_count);
  }
  BIND_ADD(ir->guesses, ir->guess_count, ir->guess_capacity, row->guess);
}

/* Return what to write if functions of suitable names make and free the type, and keep it as a
 * guess; else NULL. */
static const char *ir_guess_handle(const ir_builder *b, uses_row *row, const c_type *t) {
  if (!row) {
    return NULL;
  }
  if (row->guess) {
    return row->shown;
  }
  row->guess = ir_guess_in_place(b, t);
  if (row->guess) {
    row->shown = bind_string("write `%s;` in the file of contracts", row->guess);
    ir_note_guess(b, row, strrchr(row->guess, ' ') + 1);
    return row->shown;
  }
  if (row->several || !(row->freed || row->lender)) {
    return NULL;
  }
  uses_guess(row);
  if (row->freed && (!row->maker_count || uses_needs_start(row))) {
    return row->shown; /* a guess would make no object, or one that is not ready */
  }
  ir_note_guess(b, row, row->freed ? row->freed->name : NULL);
  return row->shown;
}

const char *ir_why_no_handle(const ir_builder *b, const c_type *from) {
  const c_type *t = from->to;
  const bool is_value = *from->spelling != 0;
  const bool is_error = ir_is_struct(t, "dlf_error");
  const char *type = is_value ? from->spelling : uses_tag(t);
  uses_row *row = uses_find(&b->uses, type, is_value);
  const char *guess = NULL;
  if (!is_error) {
    guess = ir_guess_handle(b, row, t);
  }
  if (!guess && is_value) {
    guess = bind_string("write `handle %s freed NAME made NAME;` in the file of contracts, or "
                        "`handle %s unowned;` if none frees it",
                        type,
                        type);
  }
  const bool is_lent = row && row->guess && bind_ends_with(row->guess, "unowned");
  if (guess && !is_lent) {
    return bind_string("`%s`: if functions make and free it, %s", type, guess);
  }
  if (is_error) {
    return "a dlf_error * is the last parameter, or it is not bound";
  }
  if (row && row->suspect) {
    return bind_string("`%s`: %s", t->spelling, ir_why_not_freed(b, row->suspect, t));
  }
  return NULL;
}

/* ---- building them ---- */

/* The twins' function that frees a handle. Classes of one type may have one of C. */
static const char *ir_free_checked(const ir_builder *b, const bind_handle *h) {
  for (const bind_handle *other = b->ir->handles; other < h; other++) {
    if (other->free_name && strcmp(other->free_name, h->free_name) == 0) {
      return bind_string("%s_%s_checked", h->free_name, h->short_name);
    }
  }
  return bind_string("%s_checked", h->free_name);
}

static bind_handle *ir_add_handle(ir_builder *b, const char *name, const char *freed, int line) {
  bind_handle *h = &b->ir->handles[b->ir->handle_count++];
  doc_comment doc;
  *h = (bind_handle){.name = name, .type = name, .pointee = "", .free_name = freed, .line = line};
  h->short_name = ir_short_name(b, name);
  if (freed) {
    h->free_checked_name = ir_free_checked(b, h);
    h->free_call = bind_string("%s(owned)", freed);
  }
  doc_read(NULL, &doc);
  h->summary = doc.summary;
  h->description = doc_description(&doc);
  return h;
}

/* Take the comment of the struct, or of the typedef of a pointer to it. */
static void ir_document_handle(const ir_builder *b, bind_handle *h, const char *tag) {
  doc_comment doc;
  const int place = bind_find_place(&b->structs, tag);
  if (place < 0) {
    return;
  }
  const c_struct *from = b->header->structs[place];
  doc_read(from->doc, &doc);
  h->summary = doc.summary;
  h->description = doc_description(&doc);
  h->header = from->header;
  h->line = from->line;
}

/* Return the struct that a function named like `<struct>_free` frees, and the place of its verb;
 * NULL for other functions. */
static const c_type *ir_what_is_freed(const ir_builder *b, const c_function *f, int *verb) {
  if (f->count != 1 || f->params[0].type->kind != C_POINTER) {
    return NULL;
  }
  const c_type *t = f->params[0].type->to;
  if (t->kind != C_STRUCT || t->is_const || (t->record && t->record->complete)) {
    return NULL;
  }
  const char *name = ir_strip(f->name, b->ir->prefix);
  const char *own = ir_strip(uses_tag(t), b->ir->prefix);
  if (!name || !own) {
    return NULL;
  }
  *verb = uses_freeing_verb(name, own);
  if (*verb < 0) {
    return NULL;
  }
  return t;
}

/* Find the function that frees each struct, that of the surest verb: beside ref_free, ref_delete
 * may delete what the object stands for. Returns how many there are. */
static int ir_find_ends(const ir_builder *b, const c_function **ends) {
  int *verbs = bind_items(b->header->function_count, sizeof *verbs);
  bind_index by_tag = {0};
  int count = 0;
  BIND_EACH (const c_function, f, b->header->functions, b->header->function_count) {
    int verb;
    const c_type *t = ir_what_is_freed(b, f, &verb);
    if (!t) {
      continue;
    }
    int place = bind_find_place(&by_tag, uses_tag(t));
    if (place < 0) {
      place = count++;
      bind_add_place(&by_tag, uses_tag(t), place);
    } else if (verb >= verbs[place]) {
      continue;
    }
    ends[place] = f;
    verbs[place] = verb;
  }
  return count;
}

/* ---- those of the file of contracts ---- */

/* "BoosterHandle" and "resources_t" say "handle" and "type", which callers need not read. */
static const char *ir_shorten_handle(const char *name) {
  static const char *const ends[] = {"_t", "_handle", "Handle"};
  BIND_EACH_STRING (ending, ends) {
    const size_t size = strlen(name);
    const size_t end = strlen(*ending);
    if (size > end && strcmp(name + size - end, *ending) == 0) {
      return bind_sized(name, size - end);
    }
  }
  return name;
}

/* ---- the call that frees ---- */

static bool ir_is_whole_number(const char *word) {
  word += *word == '-';
  return *word && !word[strspn(word, "0123456789")];
}

/* Return the place for an error; NULL for a second one. */
static const char *ir_free_error(const ir_builder *b, const c_type *t, bind_handle *h) {
  if (h->free_error) {
    return NULL;
  }
  const bind_handle *object = ir_error_object(b, t);
  if (object) {
    h->free_error = object->c;
    h->error_made = ir_plain_maker(b, object)->name;
    h->error_freed = object->free_checked_name;
    return "error";
  }
  h->free_error = "const char *";
  if (t->to->kind != C_POINTER) {
    h->free_error = bind_string("%s ", t->to->spelling);
  }
  return "&error";
}

/* One function may free objects of several types, as `g_object_unref(void *)` does: then each has
 * a checked one of its own. */
static const char *ir_free_untyped(bind_handle *h) {
  h->free_checked_name = bind_string("%s_%s_checked", h->name, h->free_name);
  return "owned";
}

/* Return an argument as C spells it; NULL if the word does not suit the parameter. */
static const char *ir_free_argument(const ir_builder *b, const c_function *freeing, int place,
                                    const char *word, bind_handle *h) {
  const c_type *t = freeing->params[place].type;
  const free_kind kind = ir_free_kind(b, t, h->type, h->is_value);
  bool behind;
  if (strcmp(word, "_") == 0) {
    if (t->kind == C_POINTER && t->to->kind == C_VOID && kind != FREE_OBJECT && !h->is_integer) {
      return ir_free_untyped(h);
    }
    if (kind != FREE_OBJECT) {
      return NULL;
    }
    (void)ir_is_the_handle(t, h->type, h->is_value, &behind);
    return behind ? "&owned" : "owned";
  }
  if (kind == FREE_ERROR && strcmp(word, "error") == 0) {
    return ir_free_error(b, t, h);
  }
  if (kind != FREE_OBJECT && !h->owner_name && strcmp(word, ir_param_name(freeing, place)) == 0) {
    h->owner_name = word;
    return "owner";
  }
  if (t->kind == C_POINTER) {
    return strcmp(word, "NULL") == 0 ? word : NULL;
  }
  if (kind == FREE_NUMBER && (ir_is_whole_number(word) || ir_is_constant(b, word))) {
    return word;
  }
  return NULL;
}

/* Append the arguments; returns the place of the first word that does not suit its parameter, or
 * the number of words. */
static int ir_put_free_arguments(const ir_builder *b, const c_function *freeing, const char **words,
                                 int count, bind_handle *h, bind_text *call) {
  for (int i = 0; i < count; i++) {
    const char *argument = ir_free_argument(b, freeing, i, words[i], h);
    if (!argument) {
      return i;
    }
    bind_put(call, "%s%s", bind_when(i > 0, ", "), argument);
  }
  return count;
}

static void ir_fail_free_argument(ir_builder *b, const sidecar_handle *from,
                                  const c_function *freeing, const bind_handle *h, int place) {
  const free_kind kind = ir_free_kind(b, freeing->params[place].type, h->type, h->is_value);
  const char *at = strchr(from->start, '(');
  for (int i = 0; i < place; i++) {
    at = strchr(at + 1, ',');
  }
  const char *wanted = free_rows[kind].wanted;
  if (kind == FREE_POINTER) {
    wanted = bind_string(
        "%s, or `%s` for the object it was made from", wanted, ir_param_name(freeing, place));
  }
  ir_fail_handle_at(b,
                    from,
                    strstr(at, from->arguments[place]),
                    bind_string("parameter %d of %s: expected %s, got `%s`",
                                place + 1,
                                from->freed,
                                wanted,
                                from->arguments[place]));
}

/* `freed x_free(_, error)`. Without arguments the function takes the object alone. */
static void ir_build_free_call(ir_builder *b, const sidecar_handle *from, const c_function *freeing,
                               const c_type *type, bind_handle *h) {
  static const char *alone[] = {"_"};
  const bool is_alone = from->argument_count == 0;
  const char **words = is_alone ? alone : from->arguments;
  const int count = is_alone ? 1 : from->argument_count;
  const bool as_many = freeing->count == count && !freeing->variadic;
  int objects = 0;
  for (int i = 0; i < count; i++) {
    objects += strcmp(words[i], "_") == 0;
  }
  if (objects != 1) {
    ir_fail_handle(b, from, "(", "expected `_`, which is the object, once among the arguments");
    return;
  }
  if (!as_many && !is_alone) {
    ir_fail_handle(b,
                   from,
                   from->freed,
                   bind_string("expected as many arguments as %s has parameters, %d, got %d",
                               from->freed,
                               freeing->count,
                               count));
    return;
  }
  bind_text call = {0};
  bind_put(&call, "%s(", from->freed);
  int wrong = 0;
  if (as_many) {
    wrong = ir_put_free_arguments(b, freeing, words, count, h, &call);
  }
  bind_put(&call, ")");
  h->free_call = bind_keep(&call);
  if (wrong < count && !is_alone) {
    ir_fail_free_argument(b, from, freeing, h, wrong);
  } else if (wrong < count) {
    ir_fail_handle(b,
                   from,
                   from->freed,
                   bind_string("expected `%s(%s%s)`, got another function",
                               from->freed,
                               type->spelling,
                               bind_when(!h->is_value, " *")));
  }
}

/* Report names and patterns that no function has. */
static void ir_check_names(ir_builder *b, const sidecar_handle *from, const char **names,
                           int count) {
  BIND_EACH (const char *, name, names, count) {
    bool found = ir_find_function(b, *name) != NULL;
    for (int k = 0; k < b->header->function_count && !found && strpbrk(*name, "*?"); k++) {
      found = sidecar_matches(*name, b->header->functions[k].name);
    }
    if (!found) {
      ir_fail_handle(b, from, *name, bind_string("the header has no function %s", *name));
    }
  }
}

static void ir_check_makers(ir_builder *b, const sidecar_handle *from, const bind_handle *h) {
  BIND_EACH (const char *, name, h->makers, h->maker_count) {
    const c_function *maker = ir_find_function(b, *name);
    if (maker && h->in_place && !ir_makes_ready(maker, h->type)) {
      ir_fail_handle(b,
                     from,
                     *name,
                     bind_string("expected a function that takes `%s *` and makes it ready, got "
                                 "another one",
                                 h->type));
    }
  }
  ir_check_names(b, from, h->makers, h->maker_count);
}

static void ir_name_handle(ir_builder *b, const sidecar_handle *from) {
  const c_type *t = uses_find_type(&b->uses, from->type);
  const c_function *freeing = NULL;
  if (from->freed) {
    freeing = ir_find_included(b, from->freed);
  }
  if (!t && from->param) {
    return; /* that is said already */
  }
  if (!t) {
    ir_fail_handle(b, from, from->type, "no function of the header has this type");
    return;
  }
  const bool is_value = t->kind == C_POINTER || t->kind == C_INTEGER;
  const char *why = from->in_place ? ir_why_not_in_place(t) : NULL;
  if (why) {
    ir_fail_handle(b, from, from->type, why);
    return;
  }
  if (!is_value && t->kind != C_STRUCT) {
    ir_fail_handle(
        b, from, from->type, "expected a struct, or a typedef of a pointer or an integer");
    return;
  }
  if (from->freed && !freeing) {
    ir_fail_handle(b, from, from->freed, bind_string("the header has no function %s", from->freed));
    return;
  }
  bind_handle *h = ir_add_handle(b, from->name, from->freed, from->line);
  h->type = from->type;
  if (!from->param) { /* whose type is in no other function */
    h->functions = from->users;
    h->function_count = from->user_count;
  }
  h->is_value = is_value;
  h->is_integer = t->kind == C_INTEGER;
  h->c = bind_string(is_value ? "%s " : "%s *", t->spelling);
  if (from->param) {
    h->c = "void *";
  }
  if (t->kind == C_POINTER && t->to->kind == C_STRUCT) {
    h->pointee = uses_tag(t->to);
  }
  h->short_name = ir_shorten_handle(h->short_name);
  h->makers = from->made;
  h->maker_count = from->made_count;
  h->in_place = from->in_place;
  ir_document_handle(b, h, is_value ? h->pointee : h->type);
  ir_index_handle(b, h);
  if (freeing && ir_find_function(b, from->freed)) {
    h->header = freeing->header;
    h->line = freeing->line;
  }
  if (freeing) {
    ir_build_free_call(b, from, freeing, t, h);
  }
  ir_check_makers(b, from, h);
  ir_check_names(b, from, from->users, from->user_count);
}

/* A struct whose freeing function is hidden is no handle. */
static bool ir_is_hidden(ir_builder *b, const c_function *f) {
  clause_words words;
  const char *why = NULL;
  const bool told = sidecar_find(b->contracts, f->name, &b->block) && b->block &&
                    clauses_take(&b->block->clauses, &words, &why) && words.hide;
  b->block = NULL;
  return told;
}

static bool ir_read_handle(const ir_builder *b, const c_function *f, const char *clause) {
  const char *file = b->options->headers[f->header];
  const place_family none = {NULL, NULL};
  place_found place = {file, f->line, 1};
  BIND_EACH (const lex_comment, comment, b->list->comments, b->list->comment_count) {
    if (comment->text != f->doc) {
      continue;
    }
    const place_text text = place_of_comment(file, comment);
    if (place_find_clause(&text, clause, 0, &none, &place)) {
      break;
    }
  }
  return sidecar_read_handle(b->contracts, file, clause, place.line, place.column);
}

void ir_read_handles(ir_builder *b) {
  BIND_EACH (const c_function, f, b->header->functions, b->header->function_count) {
    doc_comment doc;
    doc_read(f->doc, &doc);
    const clause_list contract = clauses_parse(doc.contract);
    BIND_EACH_CLAUSE (c, &contract) {
      if (clauses_is_handle(c) && !ir_read_handle(b, f, clause_text(c))) {
        b->failed = true;
      }
    }
  }
}

void ir_build_handles(ir_builder *b) {
  b->ir->handles =
      bind_items(b->header->function_count + b->contracts->handle_count, sizeof *b->ir->handles);
  BIND_EACH (const sidecar_handle, from, b->contracts->handles, b->contracts->handle_count) {
    for (int k = 0; k < b->ir->header_count; k++) {
      if (from->file == b->options->headers[k]) {
        b->at = k;
      }
    }
    ir_name_handle(b, from);
    b->block = NULL;
  }
  const c_function **ends = bind_items(b->header->function_count, sizeof *ends);
  const int end_count = ir_find_ends(b, ends);
  for (int i = 0; i < end_count; i++) {
    const c_function *f = ends[i];
    const c_type *t = f->params[0].type->to;
    if (ir_find_struct_handle(b, t) || ir_is_hidden(b, f)) {
      continue;
    }
    b->at = f->header;
    bind_handle *h = ir_add_handle(b, uses_tag(t), f->name, f->line);
    h->header = f->header;
    h->c = bind_string("%s *", t->spelling);
    ir_document_handle(b, h, uses_tag(t));
    ir_index_handle(b, h);
  }
}
