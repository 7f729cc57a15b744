/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: those that the file of contracts names, and structs that a function frees by its name. */
#include "bind/base/names.h"
#include "builder.h"
#include "clauses.h"
#include <string.h>

bool ir_is_struct(const c_type *t, const char *name) {
  if (t->kind != C_STRUCT) return false;
  const char *spelling = strncmp(t->spelling, "struct ", 7) == 0 ? t->spelling + 7 : t->spelling;
  return strcmp(spelling, name) == 0;
}

static const char *const ir_free_verbs[] = {"free", "destroy", "delete", "close", "release"};

static const char *ir_tag(const c_type *t) {
  return strncmp(t->spelling, "struct ", 7) == 0 ? t->spelling + 7 : t->spelling;
}

/* Say why a function that seems to free a struct does not make it a handle; NULL for other functions. */
static const char *ir_why_not_freed(const c_function *f, const c_type *t) {
  const c_type *first = f->count ? f->params[0].type : NULL;
  bool frees = false;
  if (!first || first->kind != C_POINTER || !ir_is_struct(first->to, ir_tag(t))) return NULL;
  for (size_t i = 0; i < sizeof ir_free_verbs / sizeof *ir_free_verbs; i++)
    frees |= strstr(bind_snake(f->name), ir_free_verbs[i]) != NULL;
  if (!frees) return NULL;
  if (t->record && t->record->complete)
    return bind_string("%s may free it, but its members are in this header: a handle is an opaque struct", f->name);
  if (f->count != 1)
    return bind_string("%s may free it, but takes %d parameters, not the struct alone", f->name, f->count);
  if (first->to->is_const) return bind_string("%s may free it, but takes a pointer to const", f->name);
  return bind_string("%s may free it, but is not called %s_free", f->name, ir_tag(t));
}

/* Tell whether a function takes the handle alone; `behind`: by a pointer to it. */
static bool ir_takes_handle(const c_function *f, const char *type, bool is_value, bool *behind) {
  const c_type *t = f->count == 1 && !f->variadic ? f->params[0].type : NULL;
  *behind = false;
  if (t && !is_value) t = t->kind == C_POINTER && !t->to->is_const ? t->to : NULL;
  if (!t) return false;
  if (strcmp(ir_tag(t), type) == 0) return true;
  *behind = t->kind == C_POINTER && !t->to->is_const && strcmp(ir_tag(t->to), type) == 0;
  return *behind;
}

static bool ir_frees_by_name(const c_function *f) {
  for (size_t i = 0; i < sizeof ir_free_verbs / sizeof *ir_free_verbs; i++)
    if (strstr(bind_snake(f->name), ir_free_verbs[i])) return true;
  return false;
}

/* Tell whether a function returns a new handle, or writes one behind a pointer. */
static bool ir_makes_handle(const c_function *f, const char *type, bool is_value) {
  const c_type *t = f->result;
  if (!is_value && t->kind == C_POINTER && !t->to->is_const && strcmp(ir_tag(t->to), type) == 0) return true;
  if (is_value && strcmp(ir_tag(t), type) == 0) return true;
  for (int i = 0; i < f->count; i++) {
    t = f->params[i].type;
    if (t->kind != C_POINTER || t->to->is_const || t->is_array || *t->spelling) continue;
    t = t->to;
    if (!is_value && t->kind == C_POINTER && !t->to->is_const && strcmp(ir_tag(t->to), type) == 0) return true;
    if (is_value && strcmp(ir_tag(t), type) == 0) return true;
  }
  return false;
}

/* Shorten a long list of functions to a pattern if they begin with the same words: "fftw_plan_*". */
static const char *ir_shorten_makers(const char *made) {
  const char *last = strrchr(made, ' ');
  size_t same = last ? strcspn(made, ",") : 0, count = 1;
  for (const char *p = made; (p = strstr(p, ", ")); p += 2, count++)
    for (size_t i = 0; i < same; i++)
      if (p[2 + i] != made[i]) same = i;
  while (same && made[same - 1] != '_' && !(made[same] >= 'A' && made[same] <= 'Z')) same--;
  return count > 3 && same > 3 ? bind_string("%.*s*", (int)same, made) : made;
}

/* Return "handle X freed x_drop made x_start" if functions of such names are there, and keep it; else NULL. */
static const char *ir_guess_handle(const ir_builder *b, const char *type, bool is_value) {
  const char *freed = NULL, *made = "";
  bind_ir *ir = b->ir;
  bool behind = false;
  for (const c_function *f = b->header->functions; f < b->header->functions + b->header->function_count; f++) {
    const bool frees = ir_frees_by_name(f) && ir_takes_handle(f, type, is_value, &behind);
    if (frees && !freed) freed = f->name;
    if (!frees && ir_makes_handle(f, type, is_value)) made = bind_join(made, ", ", f->name);
  }
  if (!freed) return NULL;
  const char *guess =
      bind_string("handle %s freed %s%s%s", type, freed, *made ? " made " : "", ir_shorten_makers(made));
  for (int i = 0; i < ir->guess_count; i++)
    if (strcmp(ir->guesses[i], guess) == 0) return guess;
  ir->guesses = bind_grow(ir->guesses, ir->guess_count, &ir->guess_capacity, sizeof *ir->guesses);
  ir->guesses[ir->guess_count++] = guess;
  return guess;
}

const char *ir_why_no_handle(const ir_builder *b, const c_type *from) {
  const c_type *t = from->to;
  const bool is_value = *from->spelling != 0;
  const char *type = is_value ? from->spelling : ir_tag(t);
  const char *guess = t->kind == C_STRUCT && ir_is_struct(t, "dlf_error") ? NULL : ir_guess_handle(b, type, is_value);
  if (guess || is_value)
    return bind_string("`%s`: if functions make and free it, write `%s;` in the file of contracts", type,
                       guess ? guess : bind_string("handle %s freed NAME made NAME", type));
  if (ir_is_struct(t, "dlf_error")) return "a dlf_error * is the last parameter, or it is not bound";
  for (int i = 0; i < b->header->function_count; i++) {
    const char *why = ir_why_not_freed(&b->header->functions[i], t);
    if (why) return bind_string("`%s`: %s", t->spelling, why);
  }
  return bind_string("`%s`: a struct that no function of this header frees", t->spelling);
}

/* ---- finding them ---- */

const bind_handle *ir_find_handle(const ir_builder *b, const c_type *t) {
  for (const bind_handle *h = b->ir->handles; h < b->ir->handles + b->ir->handle_count; h++)
    if (h->is_value && strcmp(t->spelling, h->name) == 0) return h;
  return NULL;
}

const bind_handle *ir_find_struct_handle(const ir_builder *b, const c_type *t) {
  for (const bind_handle *h = b->ir->handles; h < b->ir->handles + b->ir->handle_count; h++)
    if (ir_is_struct(t, h->is_value ? h->pointee : h->name)) return h;
  return NULL;
}

bool ir_is_maker(const bind_handle *h, const char *function) {
  for (int i = 0; i < h->maker_count; i++)
    if (sidecar_matches(h->makers[i], function)) return true;
  return false;
}

/* ---- building them ---- */

static bind_handle *ir_add_handle(ir_builder *b, const char *name, const char *freed, int line) {
  bind_handle *h = &b->ir->handles[b->ir->handle_count++];
  doc_comment doc;
  *h = (bind_handle){.name = name, .pointee = "", .free_name = freed, .line = line};
  h->short_name = ir_short_name(b, name, line);
  h->free_checked_name = bind_string("%s_checked", freed);
  doc_read(NULL, &doc);
  h->summary = doc.summary;
  h->description = doc_description(&doc);
  return h;
}

/* Take the comment of the struct, or of the typedef of a pointer to it. */
static void ir_document_handle(const ir_builder *b, bind_handle *h, const char *tag) {
  doc_comment doc;
  for (int i = 0; i < b->header->struct_count; i++) {
    if (strcmp(b->header->structs[i]->name, tag) != 0) continue;
    doc_read(b->header->structs[i]->doc, &doc);
    h->summary = doc.summary;
    h->description = doc_description(&doc);
    h->header = b->header->structs[i]->header;
    h->line = b->header->structs[i]->line;
  }
}

/* Return the struct that a function named like `<struct>_free` frees; NULL for other functions. */
static const c_type *ir_what_is_freed(const ir_builder *b, const c_function *f) {
  if (f->count != 1 || f->params[0].type->kind != C_POINTER) return NULL;
  const c_type *t = f->params[0].type->to;
  if (t->kind != C_STRUCT || t->is_const || (t->record && t->record->complete)) return NULL;
  const char *tag = ir_tag(t);
  const char *name = ir_strip(f->name, b->ir->prefix), *own = ir_strip(tag, b->ir->prefix);
  for (size_t i = 0; name && own && i < sizeof ir_free_verbs / sizeof *ir_free_verbs; i++)
    if (strcmp(bind_snake(name), bind_string("%s_%s", bind_snake(own), ir_free_verbs[i])) == 0) return t;
  return NULL;
}

/* ---- those of the file of contracts ---- */

/* Find a type by its name in another; pointers lead to it. */
static const c_type *ir_find_named(const c_type *t, const char *name) {
  for (; t; t = t->kind == C_POINTER ? t->to : NULL)
    if (strcmp(ir_tag(t), name) == 0) return t;
  return NULL;
}

static const c_type *ir_find_type(const ir_builder *b, const char *name) {
  const c_type *found = NULL;
  for (const c_function *f = b->header->functions; f < b->header->functions + b->header->function_count; f++) {
    found = ir_find_named(f->result, name);
    for (int i = 0; i < f->count && !found; i++) found = ir_find_named(f->params[i].type, name);
    if (found) return found;
  }
  return NULL;
}

static const c_function *ir_find_freeing(const ir_builder *b, const char *name) {
  for (const c_function *f = b->header->functions; f < b->header->functions + b->header->function_count; f++)
    if (strcmp(f->name, name) == 0) return f;
  return NULL;
}

/* "BoosterHandle" and "resources_t" say "handle" and "type", which callers need not read. */
static const char *ir_shorten_handle(const char *name) {
  static const char *const ends[] = {"_t", "_handle", "Handle"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const size_t size = strlen(name), end = strlen(ends[i]);
    if (size > end && strcmp(name + size - end, ends[i]) == 0) return bind_string("%.*s", (int)(size - end), name);
  }
  return name;
}

static void ir_name_handle(ir_builder *b, const sidecar_handle *from) {
  const c_type *t = ir_find_type(b, from->type);
  const c_function *freeing = ir_find_freeing(b, from->freed);
  if (!t) {
    ir_fail(b, from->line, "handle %s: no function of the header has this type", from->type);
    return;
  }
  const bool is_value = t->kind == C_POINTER || t->kind == C_INTEGER;
  if (!is_value && t->kind != C_STRUCT) {
    ir_fail(b, from->line, "handle %s: expected a struct, or a typedef of a pointer or an integer", from->type);
    return;
  }
  if (!freeing) {
    ir_fail(b, from->line, "handle %s: the header has no function %s", from->type, from->freed);
    return;
  }
  bind_handle *h = ir_add_handle(b, from->type, from->freed, from->line);
  h->is_value = is_value;
  h->is_integer = t->kind == C_INTEGER;
  h->c = bind_string(is_value ? "%s " : "%s *", t->spelling);
  if (t->kind == C_POINTER && t->to->kind == C_STRUCT) h->pointee = ir_tag(t->to);
  h->short_name = ir_shorten_handle(h->short_name);
  h->makers = from->made;
  h->maker_count = from->made_count;
  ir_document_handle(b, h, is_value ? h->pointee : h->name);
  h->header = freeing->header;
  h->line = freeing->line;
  if (!ir_takes_handle(freeing, from->type, is_value, &h->freed_behind))
    ir_fail(b, from->line, "handle %s: expected `%s(%s%s)`, got another function", from->type, from->freed, t->spelling,
            is_value ? "" : " *");
  for (int i = 0; i < h->maker_count; i++) {
    bool found = false;
    for (int k = 0; k < b->header->function_count; k++)
      found |= sidecar_matches(h->makers[i], b->header->functions[k].name);
    if (!found) ir_fail(b, from->line, "handle %s: the header has no function %s", from->type, h->makers[i]);
  }
}

/* A struct whose freeing function is hidden is no handle. */
static bool ir_is_hidden(ir_builder *b, const c_function *f) {
  clause_words words = {.rest = ""};
  const char *why = NULL;
  const bool told = sidecar_find(b->contracts, f->name, &b->block) && b->block &&
                    clauses_take(b->block->contract, &words, &why) && words.hide;
  b->block = NULL;
  return told;
}

/* Take `handle TYPE freed NAME` out of the comments of functions. */
static void ir_read_handles(ir_builder *b) {
  for (const c_function *f = b->header->functions; f < b->header->functions + b->header->function_count; f++) {
    doc_comment doc;
    doc_read(f->doc, &doc);
    const char *rest, *at = doc.contract;
    for (const char *clause; (clause = clauses_next(&at));)
      if (!strcmp(clauses_first_word(clause, &rest), "handle") && *clauses_first_word(rest, &rest) &&
          !strcmp(clauses_first_word(rest, &rest), "freed") &&
          !sidecar_read_handle(b->contracts, b->options->headers[f->header], clause, f->line))
        b->failed = true;
  }
}

void ir_build_handles(ir_builder *b) {
  ir_read_handles(b);
  b->ir->handles =
      bind_alloc((size_t)(b->header->function_count + b->contracts->handle_count) + 1, sizeof *b->ir->handles);
  for (int i = 0; i < b->contracts->handle_count; i++) {
    const sidecar_handle *from = &b->contracts->handles[i];
    const sidecar_block place = {.name = "handle", .line = from->line};
    b->block = from->file == b->contracts->file ? &place : NULL; /* else a comment has it */
    for (int k = 0; k < b->ir->header_count; k++)
      if (from->file == b->options->headers[k]) b->at = k;
    ir_name_handle(b, from);
    b->block = NULL;
  }
  for (int i = 0; i < b->header->function_count; i++) {
    const c_function *f = &b->header->functions[i];
    const c_type *t = ir_what_is_freed(b, f);
    if (!t || ir_find_struct_handle(b, t) || ir_is_hidden(b, f)) continue;
    b->at = f->header;
    bind_handle *h = ir_add_handle(b, ir_tag(t), f->name, f->line);
    h->header = f->header;
    h->c = bind_string("%s *", t->spelling);
    ir_document_handle(b, h, ir_tag(t));
  }
}
