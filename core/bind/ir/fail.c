/* SPDX-License-Identifier: Apache-2.0 */
/* Report mistakes at the clauses in which they are: in a comment, or in the file of contracts. */
#include "bind/clauses/clauses.h"
#include "bind/clauses/place.h"
#include "builder.h"
#include <stdlib.h>
#include <string.h>

/* The texts in which a function's clauses may stand, its own before those for many. */
typedef struct fail_texts {
  place_text all[8];
  int count;
  place_family family; /* of the function, if it is a member of one */
} fail_texts;

static void fail_add_block(fail_texts *texts, const sidecar *s, const sidecar_block *block) {
  if (block && block->at && texts->count < 7) {
    texts->all[texts->count++] = place_of_block(s, block);
  }
}

static fail_texts fail_read(const ir_builder *b) {
  const sidecar *s = b->contracts;
  fail_texts texts = {.count = 0};
  const sidecar_family *family = NULL;
  if (b->from) {
    family = sidecar_family_of(s, b->from->name, &texts.family.dtype);
  }
  if (family) {
    texts.family.variable = family->variable;
  }
  fail_add_block(&texts, s, b->block);
  for (int i = 0; b->from && i < s->every.count; i++) {
    if (sidecar_matches(s->blocks[s->every.places[i]].name, b->from->name)) {
      fail_add_block(&texts, s, &s->blocks[s->every.places[i]]);
    }
  }
  const char *file = "";
  if (b->from) {
    file = b->options->headers[b->from->header];
  }
  BIND_EACH (const lex_comment, comment, b->list->comments, b->list->comment_count) {
    if (b->from && b->from->doc && comment->text == b->from->doc) {
      texts.all[texts.count++] = place_of_comment(file, comment);
    }
  }
  return texts;
}

/* Find a clause in one of the texts, with one of its characters. */
static bool fail_find_clause(const fail_texts *texts, const char *clause, size_t character,
                             place_found *out) {
  for (int i = 0; i < texts->count; i++) {
    if (place_find_clause(&texts->all[i], clause, character, &texts->family, out)) {
      return true;
    }
  }
  return false;
}

/* Find a character of the joined contract, from 0, in one of the texts. */
static bool fail_find_character(const fail_texts *texts, const char *contract, size_t at,
                                place_found *out) {
  const clause_list list = clauses_parse(contract);
  for (int i = 0; i < list.count; i++) {
    const bind_clause *c = &list.clauses[i];
    const size_t start = (size_t)(c->at - contract);
    size_t behind = 0;
    if (at > start) {
      behind = at - start;
    }
    if (behind <= c->size || i + 1 == list.count) {
      return fail_find_clause(texts, clause_text(c), behind < c->size ? behind : c->size, out);
    }
  }
  return false;
}

static char *fail_last(char *message, const char *mark) {
  char *last = NULL;
  for (char *next = strstr(message, mark); next; next = strstr(next + 1, mark)) {
    last = next;
  }
  return last;
}

/* Find the place of a message, and cut off what the place says. */
static bool fail_find(const ir_builder *b, char *message, place_found *out) {
  static const char mark[] = " at character ";
  static const char ended[] = ", got the end";
  const fail_texts texts = fail_read(b);
  char *character = fail_last(message, mark);
  if (character && b->contract) {
    const size_t at = (size_t)atoi(character + sizeof mark - 1) - 1; /* it counts from 1 */
    if (fail_find_character(&texts, b->contract, at, out)) {
      *character = 0;
      return true;
    }
  }
  const char *end = strstr(message, ended);
  if (end && !end[sizeof ended - 1] && b->contract &&
      fail_find_character(&texts, b->contract, strlen(b->contract), out)) {
    return true;
  }
  for (int i = 0; b->part && i < texts.count; i++) {
    if (place_find_part(&texts.all[i], b->part, out)) {
      return true;
    }
  }
  if (b->clause && fail_find_clause(&texts, b->clause, 0, out)) {
    return true;
  }
  const char *body = strstr(message, ": ");
  if (body) {
    body = body + 2;
  } else {
    body = message;
  }
  if (bind_begins(body, "contract: ")) {
    body += 10;
  }
  for (int i = 0; i < texts.count; i++) {
    if (place_find_named(&texts.all[i], body, out)) {
      return true;
    }
  }
  return false;
}

static void fail_print(const ir_builder *b, int line, char *message) {
  place_found found;
  if (fail_find(b, message, &found)) {
    bind_error("%s:%d:%d: %s", found.file, found.line, found.column, message);
  } else {
    bind_error("%s:%d: %s",
               b->block ? b->contracts->file : b->options->headers[b->at],
               b->block ? b->block->line : line,
               message);
  }
}

void ir_find_block(ir_builder *b, const char *function) {
  if (!sidecar_find(b->contracts, function, &b->block)) {
    b->failed = true;
  }
}

void ir_refuse(ir_builder *b, int line) {
  bind_ir *ir = b->ir;
  b->failed = true;
  BIND_ADD(ir->refused, ir->refused_count, ir->refused_capacity, line);
}

static void fail(ir_builder *b, int line, char *message) {
  fail_print(b, line, message);
  b->failed = true;
  if (b->block) {
    ir_refuse(b, b->block->line);
  }
}

void ir_fail(ir_builder *b, int line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fail(b, line, bind_string_list(format, list));
  va_end(list);
}

void ir_fail_in(ir_builder *b, const bind_function *f, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fail(b, f->line, bind_string("%s: %s", f->short_name, bind_string_list(format, list)));
  va_end(list);
}

void ir_fail_undeclared(ir_builder *b, const bind_function *f, const char *clause,
                        const char *function) {
  ir_fail_in(b,
             f,
             "%s: no header declares %s: if it is of another library, declare it in a header that "
             "you give",
             clause,
             function);
}

void ir_note(const ir_builder *b, int line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fail_print(b, line, bind_string_list(format, list));
  va_end(list);
}

/* ---- clauses of handles ---- */

/* Print an error at a place in the text of a clause, or at its start if that is NULL. */
void ir_fail_handle_at(ir_builder *b, const sidecar_handle *from, const char *at, const char *why) {
  place_found place = {from->file, from->line, from->column};
  if (at && from->file == b->contracts->file) {
    place = place_in_file(from->file, b->contracts->text, at);
  } else if (at) {
    place.column += (int)(at - from->start);
  }
  bind_error("%s:%d:%d: handle %s: %s", place.file, place.line, place.column, from->type, why);
  b->failed = true;
  if (from->file == b->contracts->file) {
    ir_refuse(b, from->line);
  }
}

/* The same at a word of the clause. */
void ir_fail_handle(ir_builder *b, const sidecar_handle *from, const char *word, const char *why) {
  const char *end = from->start + strcspn(from->start, ";");
  const char *found = NULL;
  if (*word) {
    found = strstr(from->start + strlen("handle"), word);
  }
  if (found && found >= end) {
    found = NULL;
  }
  ir_fail_handle_at(b, from, found, why);
}
