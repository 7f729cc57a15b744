/* SPDX-License-Identifier: Apache-2.0 */
/* Follow lines that begin with #: conditions, definitions, and the line marks of a preprocessor. */
#include "bind/base/text.h"
#include "evaluate.h"
#include "lexer.h"
#include <stdlib.h>
#include <string.h>

/* Diverts l->out, so the header's tokens and its waiting comment stay. */
bool lex_rest_of_line(lexer *l, bool (*read)(lexer *l), lex_list *line) {
  lex_list *out = l->out;
  const int capacity = l->capacity;
  const char *before = l->before;
  *line = (lex_list){0};
  l->out = line;
  l->capacity = 0;
  l->in_arithmetic = true;
  bool good = lex_skip(l, true);
  while (good && *l->at && *l->at != '\n') {
    good = read(l) && lex_skip(l, true);
  }
  good = good && lex_push(l, LEX_END, "", 0);
  l->out = out;
  l->capacity = capacity;
  l->before = before;
  l->in_arithmetic = false;
  return good;
}

static const char *directive_word(lexer *l) {
  const char *word = l->at;
  while (lex_in_name(*l->at)) {
    l->at++;
  }
  return word;
}

/* "defined X" or "defined(X)" becomes 1 or 0 before macros are replaced. */
static bool lex_token_of_condition(lexer *l) {
  if (!bind_begins(l->at, "defined") || lex_in_name(l->at[7])) {
    return lex_token_here(l);
  }
  l->at += 7;
  bool good = lex_skip(l, true);
  const bool paren = good && *l->at == '(';
  if (paren) {
    l->at++;
    good = lex_skip(l, true);
  }
  const char *name = directive_word(l);
  const size_t size = (size_t)(l->at - name);
  good = good && size && lex_skip(l, true) && (!paren || *l->at == ')');
  if (!good) {
    return lex_error(l, "cannot read what follows `defined`");
  }
  l->at += paren;
  return lex_push(l, LEX_NUMBER, lex_find_macro(l, name, size) ? "1" : "0", 1);
}

/* Evaluate the rest of an #if line. */
static bool lex_condition(lexer *l, bool *value) {
  lex_list line;
  const char *start = l->at;
  if (!lex_rest_of_line(l, lex_token_of_condition, &line)) {
    return false;
  }
  size_t at = 0;
  int64_t result = 0;
  const char *wrong = lex_evaluate(line.tokens, &at, NULL, &result);
  if (!wrong && line.tokens[at].kind != LEX_END) {
    wrong = "unexpected token";
  }
  if (wrong) {
    bind_error("%s:%d: #if: %s: %.*s; try --preprocess",
               l->file,
               l->line,
               wrong,
               (int)strcspn(start, "\n"),
               start);
    return false;
  }
  *value = result != 0;
  return true;
}

static bool lex_open(lexer *l, bool active) {
  if (l->depth == LEX_MAX_NESTING) {
    return lex_error(l, "#if nested too deeply");
  }
  l->conditions[l->depth].active = l->conditions[l->depth].taken = active;
  l->depth++;
  return true;
}

static bool lex_outer_reading(const lexer *l) {
  for (int i = 0; i + 1 < l->depth; i++) {
    if (!l->conditions[i].active) {
      return false;
    }
  }
  return true;
}

/* Read a line mark's text up to the closing quote: a backslash stands before a quote, a backslash,
 * or three digits. */
static const char *lex_marked_name(const char *p) {
  char *name = bind_alloc(strcspn(p, "\n") + 1, 1);
  for (size_t length = 0; *p && *p != '"' && *p != '\n'; p++) {
    const bool escaped = *p == '\\' && p[1] && p[1] != '\n';
    if (escaped) {
      p++;
    }
    const bool octal =
        escaped && *p >= '0' && *p <= '3' && lex_is_digit(p[1]) && lex_is_digit(p[2]);
    name[length++] = octal ? (char)((*p - '0') * 64 + (p[1] - '0') * 8 + p[2] - '0') : *p;
    if (octal) {
      p += 2;
    }
  }
  return name;
}

/* "# 12 "file" flags" of preprocessed input names the file of the next line. */
static void lex_line_marker(lexer *l) {
  long line = strtol(l->at, NULL, 10);
  const char *quote = l->at + strcspn(l->at, "\"\n");
  if (*quote == '"') {
    const char *name = lex_marked_name(quote + 1);
    if (!l->main_file) {
      l->main_file = name;
    }
    int header = -1;
    if (l->which) {
      header = l->which(name);
    } else if (strcmp(name, l->main_file) == 0) {
      header = l->header;
    }
    l->elsewhere = header < 0;
    l->where = name;
    if (header >= 0) {
      l->header = header;
      l->file = l->files[header];
    }
  }
  if (line > 0 && line < INT32_MAX) {
    l->line = (int)line - 1;
  }
}

/* A line that begins with #. */
typedef struct directive {
  const char *verb;
  const char *verb_at;
  const char *name; /* the word behind the verb */
  size_t size;
} directive;

typedef enum directive_kind {
  DIRECTIVE_IF,
  DIRECTIVE_ELSE,
  DIRECTIVE_ELIF,
  DIRECTIVE_ELIFDEF, /* C23, as the next one */
  DIRECTIVE_ELIFNDEF,
  DIRECTIVE_IFDEF,
  DIRECTIVE_IFNDEF,
  DIRECTIVE_ENDIF,
  DIRECTIVE_DEFINE,
  DIRECTIVE_UNDEF,
  DIRECTIVE_ERROR,
  DIRECTIVE_OTHER /* such as #pragma: without an effect here */
} directive_kind;

static directive_kind directive_find(const char *verb) {
  static const char *const verbs[] = {"if",
                                      "else",
                                      "elif",
                                      "elifdef",
                                      "elifndef",
                                      "ifdef",
                                      "ifndef",
                                      "endif",
                                      "define",
                                      "undef",
                                      "error"};
  directive_kind kind = DIRECTIVE_IF;
  while (kind < DIRECTIVE_OTHER && strcmp(verb, verbs[kind]) != 0) {
    kind++;
  }
  return kind;
}

/* The next branch is read if its condition holds and no branch before it was read. */
static bool directive_branch(lexer *l, bool value) {
  if (!l->depth) {
    return lex_error(l, "#else or #elif without #if");
  }
  const int inner = l->depth - 1;
  l->conditions[inner].active = value && !l->conditions[inner].taken;
  l->conditions[inner].taken |= value;
  return true;
}

static bool directive_elif(lexer *l) {
  bool value = false;
  const bool wanted = l->depth && !l->conditions[l->depth - 1].taken && lex_outer_reading(l);
  if (wanted && !lex_condition(l, &value)) {
    return false;
  }
  return directive_branch(l, value);
}

static bool directive_obey(lexer *l, const directive *d) {
  const directive_kind kind = directive_find(d->verb);
  const bool reading = lex_reading(l);
  bool value = false;
  lex_macro *macro = lex_find_macro(l, d->name, d->size);
  if (kind <= DIRECTIVE_ELIFNDEF) {
    l->at = d->name; /* the condition, and what errors show */
  }
  switch (kind) {
  case DIRECTIVE_IF:
    return (!reading || lex_condition(l, &value)) && lex_open(l, value);
  case DIRECTIVE_ELSE:
    return directive_branch(l, true);
  case DIRECTIVE_ELIF:
    return directive_elif(l);
  case DIRECTIVE_ELIFDEF:
    return directive_branch(l, macro);
  case DIRECTIVE_ELIFNDEF:
    return directive_branch(l, !macro);
  case DIRECTIVE_IFDEF:
    return lex_open(l, macro);
  case DIRECTIVE_IFNDEF:
    return lex_open(l, !macro);
  case DIRECTIVE_ENDIF:
    if (!l->depth) {
      return lex_error(l, "#endif without #if");
    }
    l->depth--;
    return true;
  case DIRECTIVE_DEFINE:
    if (reading && d->size) {
      const char *text = bind_sized(l->at, strcspn(l->at, "\n"));
      lex_define(l, d->name, d->size, text, *l->at == '(');
    }
    return true;
  case DIRECTIVE_UNDEF:
    if (reading && macro) {
      macro->undefined = true;
    }
    return true;
  case DIRECTIVE_ERROR:
    if (!reading) {
      return true;
    }
    l->at = d->verb_at;
    return lex_error(l, "the header refuses");
  case DIRECTIVE_OTHER:
    break;
  }
  return true;
}

/* A comment in the rest of the line may span several lines. */
static bool directive_skip_rest(lexer *l) {
  while (*l->at && *l->at != '\n') {
    if (!lex_is_comment(l->at)) {
      l->at++;
    } else if (!lex_skip(l, true)) {
      return false;
    }
  }
  return true;
}

bool lex_directive(lexer *l) {
  directive d;
  l->at++;
  if (!lex_skip(l, true)) {
    return false;
  }
  d.verb_at = directive_word(l);
  d.verb = bind_sized(d.verb_at, (size_t)(l->at - d.verb_at));
  const bool line_mark = lex_is_digit(*d.verb_at);
  const char *before = l->before;
  if (line_mark) {
    l->before = NULL; /* of preprocessed input: see below */
  } else {
    lex_lose_comment(l); /* a comment before a directive documents no declaration */
  }
  if (!lex_skip(l, true)) {
    return false;
  }
  d.name = directive_word(l);
  d.size = (size_t)(l->at - d.name);
  if (line_mark) {
    l->at = d.verb_at;
    lex_line_marker(l);
  } else if (!directive_obey(l, &d)) {
    return false;
  }
  if (!directive_skip_rest(l)) {
    return false;
  }
  l->before = NULL;
  if (line_mark && !l->elsewhere) {
    l->before = before; /* preprocessors put a line mark before the text of a macro like `bool` */
  }
  return true;
}
