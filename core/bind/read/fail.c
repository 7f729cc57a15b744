/* SPDX-License-Identifier: Apache-2.0 */
/* Report mistakes at the clauses in which they are: in a comment, or in the file of contracts. */
#include "builder.h"
#include "place.h"
#include <stdlib.h>
#include <string.h>

/* The texts in which a function's clauses may stand, its own before those for many. */
typedef struct fail_texts {
  place_text all[8];
  int count;
} fail_texts;

static void fail_add_block(fail_texts *texts, const sidecar *s, const sidecar_block *block) {
  if (block && block->at && texts->count < 7) texts->all[texts->count++] = place_of_block(s, block);
}

static fail_texts fail_read(const ir_builder *b) {
  const sidecar *s = b->contracts;
  fail_texts texts = {.count = 0};
  fail_add_block(&texts, s, b->block);
  for (int i = 0; b->from && i < s->every.count; i++)
    if (sidecar_matches(s->blocks[s->every.places[i]].name, b->from->name))
      fail_add_block(&texts, s, &s->blocks[s->every.places[i]]);
  const char *file = b->from ? b->options->headers[b->from->header] : "";
  for (int i = 0; b->from && b->from->doc && i < b->list->comment_count; i++)
    if (b->list->comments[i].text == b->from->doc)
      texts.all[texts.count++] = place_of_comment(file, &b->list->comments[i]);
  return texts;
}

/* Return the clause of a contract that has a character, and the character's place in the clause. */
static const char *fail_clause_at(const char *contract, size_t at, size_t *character) {
  const char *start = contract;
  for (bool quoted = false; *contract && at; contract++, at--) {
    if (*contract == '"') quoted = !quoted;
    if (*contract == ';' && !quoted) start = contract + 1;
  }
  *character = (size_t)(contract - start);
  return bind_string("%.*s", (int)(*character + strcspn(contract, ";")), start);
}

/* Find the place of a message, and cut off what the place says. */
static bool fail_find(const ir_builder *b, char *message, place_found *out) {
  static const char mark[] = " at character ";
  const fail_texts texts = fail_read(b);
  place_family family = {NULL, NULL};
  const sidecar_family *of = b->from ? sidecar_family_of(b->contracts, b->from->name, &family.dtype) : NULL;
  if (of) family.variable = of->variable;
  char *last = strstr(message, mark);
  const char *end = strstr(message, ", got the end");
  for (char *next = last; (next = next ? strstr(next + 1, mark) : NULL);) last = next;
  if (last && b->contract) {
    size_t character = 0;
    const char *clause = fail_clause_at(b->contract, (size_t)atoi(last + sizeof mark - 1) - 1, &character);
    for (int i = 0; i < texts.count; i++)
      if (place_find_clause(&texts.all[i], clause, character, &family, out)) return *last = 0, true;
  }
  if (end && !end[sizeof ", got the end" - 1] && b->contract) {
    size_t character = 0;
    const char *clause = fail_clause_at(b->contract, strlen(b->contract), &character);
    for (int i = 0; i < texts.count; i++)
      if (place_find_clause(&texts.all[i], clause, character, &family, out)) return true;
  }
  for (int i = 0; b->clause && i < texts.count; i++)
    if (place_find_clause(&texts.all[i], b->clause, 0, &family, out)) return true;
  const char *body = strstr(message, ": ");
  body = body ? body + 2 : message;
  if (strncmp(body, "contract: ", 10) == 0) body += 10;
  for (int i = 0; i < texts.count; i++)
    if (place_find_named(&texts.all[i], body, out)) return true;
  return false;
}

static void fail_print(const ir_builder *b, int line, char *message) {
  place_found found;
  if (fail_find(b, message, &found))
    bind_error("%s:%d:%d: %s", found.file, found.line, found.column, message);
  else
    bind_error("%s:%d: %s", b->block ? b->contracts->file : b->options->headers[b->at],
               b->block ? b->block->line : line, message);
}

void ir_refuse(ir_builder *b, int line) {
  bind_ir *ir = b->ir;
  b->failed = true;
  ir->refused = bind_grow(ir->refused, ir->refused_count, &ir->refused_capacity, sizeof *ir->refused);
  ir->refused[ir->refused_count++] = line;
}

void ir_fail(ir_builder *b, int line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fail_print(b, line, bind_string_list(format, list));
  va_end(list);
  b->failed = true;
  if (b->block) ir_refuse(b, b->block->line);
}

void ir_note(const ir_builder *b, int line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fail_print(b, line, bind_string_list(format, list));
  va_end(list);
}
