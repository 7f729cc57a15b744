/* SPDX-License-Identifier: Apache-2.0 */
/* Follow lines that begin with #: conditions, definitions, and the line marks of a preprocessor. */
#include "bind/base/text.h"
#include "lexer.h"
#include <stdlib.h>
#include <string.h>

/* Evaluate the rest of an #if line; "defined X" becomes 0 or 1 before macros are replaced. */
static bool lex_condition(lexer *l, bool *value) {
  lex_list line = {0};
  lex_list *out = l->out;
  const int capacity = l->capacity;
  const char *before = l->before;
  const char *start = l->at;
  l->out = &line;
  l->capacity = 0;
  l->in_condition = true;
  bool good = true;
  while (good && (good = lex_skip(l, true)) && *l->at && *l->at != '\n') {
    if (strncmp(l->at, "defined", 7) == 0 && !lex_in_name(l->at[7])) {
      l->at += 7;
      good = lex_skip(l, true);
      bool paren = good && *l->at == '(';
      if (paren) {
        l->at++;
        good = lex_skip(l, true);
      }
      const char *name = l->at;
      while (lex_in_name(*l->at)) {
        l->at++;
      }
      size_t size = (size_t)(l->at - name);
      good = good && size && lex_skip(l, true) && (!paren || *l->at == ')');
      if (!good) {
        lex_error(l, "cannot read what follows `defined`");
        break;
      }
      l->at += paren;
      good = lex_push(l, LEX_NUMBER, lex_find_macro(l, name, size) ? "1" : "0", 1);
    } else {
      good = lex_token_here(l);
    }
  }
  good = good && lex_push(l, LEX_END, "", 0);
  l->out = out;
  l->capacity = capacity;
  l->before = before;
  l->in_condition = false;
  if (!good) {
    return false;
  }
  size_t at = 0;
  int64_t result = 0;
  const char *wrong = lex_evaluate(line.tokens, &at, NULL, &result);
  if (!wrong && line.tokens[at].kind != LEX_END) {
    wrong = "unexpected token";
  }
  if (wrong) {
    bind_error("%s:%d: #if: %s: %.*s; try --preprocess", l->file, l->line, wrong,
               (int)strcspn(start, "\n"), start);
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

bool lex_directive(lexer *l) {
  l->at++;
  if (!lex_skip(l, true)) {
    return false;
  }
  const char *word = l->at;
  while (lex_in_name(*l->at)) {
    l->at++;
  }
  char *verb = bind_string("%.*s", (int)(l->at - word), word);
  const char *before = l->before;
  if (lex_is_digit(*word)) {
    l->before = NULL; /* of preprocessed input: see below */
  } else {
    lex_lose_comment(l); /* a comment before a directive documents no declaration */
  }
  if (!lex_skip(l, true)) {
    return false;
  }
  const char *name = l->at;
  while (lex_in_name(*l->at)) {
    l->at++;
  }
  size_t size = (size_t)(l->at - name);
  bool reading = lex_reading(l);
  bool value = false;
  if (!strcmp(verb, "ifdef") || !strcmp(verb, "ifndef")) {
    value = (lex_find_macro(l, name, size) != NULL) == !strcmp(verb, "ifdef");
    if (!lex_open(l, value)) {
      return false;
    }
  } else if (!strcmp(verb, "if")) {
    l->at = name;
    if (reading && !lex_condition(l, &value)) {
      return false;
    }
    if (!lex_open(l, value)) {
      return false;
    }
  } else if (!strcmp(verb, "else") || !strcmp(verb, "elif") || !strcmp(verb, "elifdef") ||
             !strcmp(verb, "elifndef")) {
    if (!l->depth) {
      return lex_error(l, "#else or #elif without #if");
    }
    bool taken = l->conditions[l->depth - 1].taken;
    value =
        !verb[4] || (lex_find_macro(l, name, size) != NULL) == !strcmp(verb, "elifdef"); /* C23 */
    l->at = name;
    if (!strcmp(verb, "elif") && !taken && lex_outer_reading(l) && !lex_condition(l, &value)) {
      return false;
    }
    l->conditions[l->depth - 1].active = value && !taken;
    l->conditions[l->depth - 1].taken = taken || value;
  } else if (!strcmp(verb, "endif")) {
    if (!l->depth) {
      return lex_error(l, "#endif without #if");
    }
    l->depth--;
  } else if (reading && !strcmp(verb, "define") && size) {
    bool function_like = *l->at == '(';
    size_t rest = strcspn(l->at, "\n");
    lex_define(l, name, size, bind_string("%.*s", (int)rest, l->at), function_like);
  } else if (reading && !strcmp(verb, "undef")) {
    lex_macro *macro = lex_find_macro(l, name, size);
    if (macro) {
      macro->undefined = true;
    }
  } else if (reading && !strcmp(verb, "error")) {
    l->at = word;
    return lex_error(l, "the header refuses");
  } else if (lex_is_digit(*word)) {
    l->at = word;
    lex_line_marker(l);
  }
  /* Skip the rest of the line; a comment in it may span several lines. */
  while (*l->at && *l->at != '\n') {
    if (l->at[0] == '/' && (l->at[1] == '*' || l->at[1] == '/')) {
      if (!lex_skip(l, true)) {
        return false;
      }
    } else {
      l->at++;
    }
  }
  /* A line mark keeps the comment: preprocessors put one before the text of a macro such as `bool`.
   */
  if (lex_is_digit(*word) && !l->elsewhere) {
    l->before = before;
  } else {
    l->before = NULL;
  }
  return true;
}
