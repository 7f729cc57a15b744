/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include <string.h>

static const char place_blanks[] = " \t\r\n\f\v";

/* ---- texts ---- */

static place_text place_begin(const char *file, const char *start, size_t size, int line,
                              int column) {
  return (place_text){.clauses = bind_alloc(2 * size + 2, 1),
                      .at = bind_alloc(2 * size + 2, sizeof(const char *)),
                      .start = start,
                      .file = file,
                      .line = line,
                      .column = column};
}

static void place_put(place_text *t, size_t *length, char c, const char *at) {
  t->at[*length] = at;
  t->clauses[(*length)++] = c;
}

place_text place_of_block(const sidecar *s, const sidecar_block *block) {
  place_text t = place_begin(s->file, s->text, block->size, 1, 1);
  size_t length = 0;
  bool quoted = false;
  for (const char *p = block->at, *end = p + block->size; p < end; p++) {
    if (*p == '"') {
      quoted = !quoted;
    }
    if (*p == '#' && !quoted) {
      p += strcspn(p, "\n");
    }
    if (p < end) {
      place_put(&t, &length, *p, p);
    }
  }
  return t;
}

/* Return what follows the marks at the start of a comment's line. */
static const char *place_unmark(const char *line) {
  line += strspn(line, " \t");
  if (*line == '/') {
    line += strspn(line, "/*!");
  }
  while (*line == '*' && line[1] != '/') {
    line++;
  }
  return line + strspn(line, " \t");
}

static bool place_is_command(const char *p, const char *start, const char *word) {
  const size_t size = strlen(word);
  if ((*p != '@' && *p != '\\') || (p > start && !strchr(" \t\n*/!", p[-1]))) {
    return false;
  }
  return strncmp(p + 1, word, size) == 0 && (!size || !bind_in_name(p[1 + size]));
}

/* The sections of @contract, which end at a blank line or another command. */
place_text place_of_comment(const char *file, const lex_comment *comment) {
  place_text t =
      place_begin(file, comment->text, strlen(comment->text), comment->line, comment->column);
  size_t length = 0;
  bool inside = false;
  t.line_comment = comment->text[1] == '/';
  for (const char *line = comment->text, *next; *line; line = next) {
    const char *p = place_unmark(line);
    const char *end = line + strcspn(line, "\n");
    next = end + (*end == '\n');
    if (p == end) {
      inside = false;
    }
    for (; p < end && !(!t.line_comment && p[0] == '*' && p[1] == '/'); p++) {
      if (place_is_command(p, comment->text, "")) {
        inside = place_is_command(p, comment->text, "contract");
        if (inside) {
          place_put(&t, &length, ';', p);
          p += sizeof "contract" - 1;
        }
      } else if (inside) {
        place_put(&t, &length, *p, p);
      }
    }
    if (inside) {
      place_put(&t, &length, ' ', end);
    }
  }
  return t;
}

/* ---- places ---- */

/* The lexer joins a run of // lines without their indentation: assume that each begins in the first
 * one's column. */
static place_found place_at(const place_text *t, const char *clause) {
  const char *at = t->at[clause - t->clauses];
  const char *line = t->start;
  place_found found = {t->file, t->line, t->column};
  for (const char *p = t->start; p < at; p++) {
    if (*p != '\n') {
      continue;
    }
    found.line++;
    if (t->line_comment) {
      found.column = t->column;
    } else {
      found.column = 1;
    }
    line = p + 1;
  }
  found.column += (int)(at - line);
  return found;
}

place_found place_in_file(const char *file, const char *text, const char *at) {
  place_found found = {file, 1, 1};
  for (; text < at; text++) {
    found.column++;
    if (*text == '\n') {
      found.line++;
      found.column = 1;
    }
  }
  return found;
}

/* ---- clauses ---- */

/* Step over a family's variable in the text and its dtype in the clause; false if they are not
 * here. */
static bool place_takes_variable(const char **text, const char **clause,
                                 const place_family *family) {
  const size_t size = bind_name_size(*text);
  const size_t dtype_size = bind_name_size(*clause);
  if (!family->variable || !size || !dtype_size) {
    return false;
  }
  if (strcmp(bind_sized(*text, size), family->variable) != 0 ||
      strcmp(bind_sized(*clause, dtype_size), family->dtype) != 0) {
    return false;
  }
  *text += size;
  *clause += dtype_size;
  return true;
}

/* Return where a character of the clause is in the text, if the whole clause is there; else NULL.
 */
static const char *place_match(const char *text, const char *end, const char *clause,
                               size_t character, const place_family *family) {
  const char *const wanted = clause + character;
  const char *found = NULL;
  for (char before = 0;;) {
    text += strspn(text, place_blanks);
    clause += strspn(clause, place_blanks);
    if (!found && clause >= wanted) {
      found = text;
    }
    if (!*clause || text >= end) {
      break;
    }
    if (!bind_in_name(before) && place_takes_variable(&text, &clause, family)) {
      continue;
    }
    if (*text != *clause) {
      return NULL;
    }
    before = *text++;
    clause++;
  }
  if (!*clause && text >= end) {
    return found;
  }
  return NULL;
}

bool place_find_clause(const place_text *text, const char *clause, size_t character,
                       const place_family *family, place_found *out) {
  const char *last = NULL; /* of two that are the same, the second is wrong */
  const clause_list list = clauses_parse(text->clauses);
  BIND_EACH_CLAUSE (c, &list) {
    const char *found = place_match(c->at, c->at + c->size, clause, character, family);
    if (!found) {
      continue;
    }
    while (found > c->at && (!*found || strchr(place_blanks, *found))) {
      found--; /* at the end of the last clause */
    }
    last = found;
  }
  if (last) {
    *out = place_at(text, last);
  }
  return last != NULL;
}

/* ---- names in messages ---- */

/* Return the place of a whole word of a clause, behind its first word; NULL for none. */
static const char *place_of_word(const char *clause, const char *end, const char *word,
                                 size_t size) {
  for (const char *p = clause + bind_name_size(clause); size && p + size <= end; p++) {
    if (strncmp(p, word, size) == 0 && !(bind_in_name(*word) && bind_in_name(p[-1])) &&
        !(bind_in_name(word[size - 1]) && bind_in_name(p[size]))) {
      return p;
    }
  }
  return NULL;
}

/* Return the place of `a text` between grave accents without regard to blanks; NULL for none. */
static const char *place_of_quoted(const char *clause, const char *end, const char *quoted,
                                   size_t size) {
  const place_family none = {NULL, NULL};
  const char *text = bind_sized(quoted, size);
  for (const char *p = clause; size && p < end; p++) {
    for (const char *stop = p + 1; stop <= end && *p == *text; stop++) {
      if (place_match(p, stop, text, 0, &none)) {
        return p;
      }
    }
  }
  return NULL;
}

/* Return the first text between grave accents of a message that one of the clauses has. */
static const char *place_quoted_in(const clause_list *list, const char *message) {
  for (const char *open = message; (open = strchr(open, '`')); open++) {
    const size_t size = strcspn(open + 1, "`");
    BIND_EACH_CLAUSE (c, list) {
      const char *found = place_of_quoted(c->at, c->at + c->size, open + 1, size);
      if (found) {
        return found;
      }
    }
    open += size + (open[1 + size] == '`');
  }
  return NULL;
}

/* Return the first word of a message that one of the clauses has, in the same way. */
static const char *place_word_in(const clause_list *list, const char *message) {
  static const char plain[] = " 0 a an and as at be but by expected for got in is it its may must "
                              "no none not of on one or out "
                              "that the this to was with ";
  for (const char *p = message; *p; p += *p != 0) {
    const size_t size = bind_name_size(p);
    if (size && strstr(plain, bind_string(" %.*s ", (int)size, p))) {
      p += size;
      continue;
    }
    BIND_EACH_CLAUSE (c, list) {
      const char *found = place_of_word(c->at, c->at + c->size, p, size);
      if (found) {
        return found;
      }
    }
    p += size;
  }
  return NULL;
}

/* Return what a message names: texts between grave accents before words, and those before words
 * that other clauses have too. */
static const char *place_of_named(const clause_list *list, const char *message) {
  const char *quoted = place_quoted_in(list, message);
  if (quoted) {
    return quoted;
  }
  return place_word_in(list, message);
}

bool place_find_part(const place_text *text, const char *part, place_found *out) {
  const clause_list list = clauses_parse(text->clauses);
  BIND_EACH_CLAUSE (c, &list) {
    const char *found = place_of_quoted(c->at, c->at + c->size, part, strlen(part));
    if (found) {
      *out = place_at(text, found);
      return true;
    }
  }
  return false;
}

/* "x: ..." and "default of x ..." are about x. */
static const char *place_subject(const char *message, size_t *size) {
  static const char before[] = "default of ";
  if (strncmp(message, before, sizeof before - 1) == 0) {
    message += sizeof before - 1;
  }
  *size = bind_name_size(message);
  return message;
}

bool place_find_named(const place_text *text, const char *message, place_found *out) {
  size_t size = 0;
  const char *subject = place_subject(message, &size);
  const char *name = bind_sized(subject, size);
  const clause_list list = clauses_parse(text->clauses);
  clause_list about = {0}; /* the subject */
  BIND_EACH_CLAUSE (c, &list) {
    if (size && clause_is(c, 0, name)) {
      clauses_put(&about, c);
    }
  }
  const char *found;
  if (about.count) {
    found = bind_or(place_of_named(&about, subject + size), about.clauses->at);
  } else {
    found = place_of_named(&list, message);
  }
  if (found) {
    *out = place_at(text, found);
  }
  return found != NULL;
}
