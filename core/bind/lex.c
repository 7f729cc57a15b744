/* SPDX-License-Identifier: Apache-2.0 */
/* A C header as tokens: line splicing, comments, conditionals and object-like macros. Nothing here recurses without a
 * limit, since the input may be anything. */
#include "emit.h"
#include "parse.h"
#include <stdlib.h>
#include <string.h>

#define LEX_MAX_TOKENS ((size_t)1 << 20)
#define LEX_MAX_EXPANSIONS (1 << 20)
#define LEX_MAX_NESTING 64

typedef struct lex_macro {
  char *name, *body;
  bool function_like, busy;
} lex_macro;

typedef struct lexer {
  const char *file;
  const char *const *ignore;
  const char *at;
  int line;
  lex_list *out;
  size_t capacity;
  lex_macro *macros;
  size_t macro_count, macro_capacity;
  const char *before; /* waits for the next token */
  int before_line;    /* line on which it ends, for runs of "///" */
  const char *main_file;
  bool elsewhere, fresh; /* fresh: at the start of a line */
  int depth, expanding, expansions;
  struct {
    bool taken, active; /* active: this branch is read; taken: one branch was */
  } conditions[LEX_MAX_NESTING];
} lexer;

static bool lex_begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
static bool lex_is_digit(char c) { return c >= '0' && c <= '9'; }
static bool lex_in_name(char c) { return lex_begins_name(c) || lex_is_digit(c); }

char *lex_copy(const lex_token *token) { return bind_string("%.*s", (int)token->size, token->text); }

static bool lex_error(const lexer *l, const char *what) {
  const char *end = l->at + strcspn(l->at, "\n");
  int size = end - l->at > 100 ? 100 : (int)(end - l->at);
  bind_error("%s:%d: %s%s%.*s", l->file, l->line, what, size ? ": " : "", size, l->at);
  return false;
}

static bool lex_push(lexer *l, lex_kind kind, const char *text, size_t size) {
  if (l->out->count == LEX_MAX_TOKENS) return lex_error(l, "too many tokens");
  if (l->out->count == l->capacity) {
    size_t capacity = l->capacity ? 2 * l->capacity : 1024;
    lex_token *tokens = bind_alloc(capacity, sizeof *tokens);
    if (l->capacity) memcpy(tokens, l->out->tokens, l->capacity * sizeof *tokens);
    l->out->tokens = tokens;
    l->capacity = capacity;
  }
  l->out->tokens[l->out->count++] = (lex_token){kind, text, size, l->line, l->elsewhere, l->before, NULL};
  l->before = NULL;
  return true;
}

/* ---- comments ---- */

static bool lex_keep_comment(lexer *l, const char *start, size_t size, int first_line) {
  bool line_comment = start[1] == '/';
  bool doc = size > 3 && ((start[2] == (line_comment ? '/' : '*')) || start[2] == '!') && start[3] != start[1];
  if (line_comment && size == 3) doc = start[2] == '/'; /* a bare "///" is a blank line of a run */
  if (!doc || l->elsewhere) return true;
  char *text = bind_string("%.*s", (int)size, start);
  if (size > 3 && start[3] == '<') {
    if (l->out->count && l->out->tokens) {
      lex_token *last = &l->out->tokens[l->out->count - 1];
      last->after = last->after ? bind_string("%s\n%s", last->after, text) : text;
    }
    return true;
  }
  bool run = line_comment && l->before && l->before[1] == '/' && l->before_line + 1 == first_line;
  l->before = run ? bind_string("%s\n%s", l->before, text) : text;
  l->before_line = l->line;
  if (!l->out->file_doc && (strstr(text, "@file") || strstr(text, "\\file"))) {
    l->out->file_doc = text;
    l->before = NULL;
  }
  return true;
}

/* Skip blanks and comments; false after an error. Stops at a newline when in_line. */
static bool lex_skip(lexer *l, bool in_line) {
  for (;; l->at++) {
    char c = *l->at;
    if (c == '\n') {
      if (in_line) return true;
      l->line++;
      l->fresh = true;
    } else if (c == '/' && l->at[1] == '*') {
      const char *start = l->at, *end = strstr(l->at + 2, "*/");
      int first_line = l->line;
      if (!end) return lex_error(l, "comment without an end");
      for (const char *p = start; p < end; p++) l->line += *p == '\n';
      l->at = end + 1;
      if (!lex_keep_comment(l, start, (size_t)(end + 2 - start), first_line)) return false;
    } else if (c == '/' && l->at[1] == '/') {
      size_t size = strcspn(l->at, "\n");
      if (!lex_keep_comment(l, l->at, size, l->line)) return false;
      l->at += size - 1;
    } else if (c != ' ' && c != '\t' && c != '\f' && c != '\v') {
      return true;
    }
  }
}

/* ---- macros ---- */

static lex_macro *lex_find_macro(const lexer *l, const char *name, size_t size) {
  for (size_t i = 0; i < l->macro_count; i++)
    if (strlen(l->macros[i].name) == size && memcmp(l->macros[i].name, name, size) == 0) return &l->macros[i];
  return NULL;
}

static void lex_define(lexer *l, const char *name, size_t size, const char *body, bool function_like) {
  lex_macro *macro = lex_find_macro(l, name, size);
  if (!macro) {
    if (l->macro_count == l->macro_capacity) {
      size_t capacity = l->macro_capacity ? 2 * l->macro_capacity : 64;
      lex_macro *macros = bind_alloc(capacity, sizeof *macros);
      if (l->macro_count) memcpy(macros, l->macros, l->macro_count * sizeof *macros);
      l->macros = macros;
      l->macro_capacity = capacity;
    }
    macro = &l->macros[l->macro_count++];
    macro->name = bind_string("%.*s", (int)size, name);
  }
  macro->body = bind_string("%s", body);
  macro->function_like = function_like;
  macro->busy = false;
}

static bool lex_ignored(const lexer *l, const char *name, size_t size) {
  if (size == 7 && memcmp(name, "DLF_API", 7) == 0) return true;
  for (const char *const *i = l->ignore; i && *i; i++)
    if (strlen(*i) == size && memcmp(*i, name, size) == 0) return true;
  return false;
}

static bool lex_token_here(lexer *l);

/* Read a macro's body in place of its name; a macro is not replaced inside itself. */
static bool lex_expand(lexer *l, size_t index) {
  if (l->expanding == LEX_MAX_NESTING) return lex_error(l, "macros nested too deeply");
  if (++l->expansions > LEX_MAX_EXPANSIONS) return lex_error(l, "macros expand without end");
  const char *back = l->at, *before = l->before;
  size_t first = l->out->count;
  l->at = l->macros[index].body;
  l->macros[index].busy = true;
  l->expanding++;
  bool good = true;
  while (good && (good = lex_skip(l, true)) && *l->at && *l->at != '\n') good = lex_token_here(l);
  l->expanding--;
  l->macros[index].busy = false;
  if (good) l->at = back;
  if (l->out->count == first) l->before = before;
  return good;
}

static const char *const lex_marks[] = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                        "&&",  "||",  "*=",  "/=", "%=", "+=", "-=", "&=", "^=", "|=", "::", NULL};

/* Push the token at l->at, which is no blank. */
static bool lex_token_here(lexer *l) {
  const char *start = l->at;
  if (lex_begins_name(*start)) {
    while (lex_in_name(*l->at)) l->at++;
    size_t size = (size_t)(l->at - start);
    if (lex_ignored(l, start, size)) return true;
    lex_macro *macro = lex_find_macro(l, start, size);
    if (macro && !macro->function_like && !macro->busy) return lex_expand(l, (size_t)(macro - l->macros));
    return lex_push(l, LEX_NAME, start, size);
  }
  if (lex_is_digit(*start) || (*start == '.' && lex_is_digit(start[1]))) {
    while (lex_in_name(*l->at) || *l->at == '.' ||
           ((*l->at == '+' || *l->at == '-') && strchr("eEpP", l->at[-1]) && start[1] != 'x' && start[1] != 'X'))
      l->at++;
    return lex_push(l, LEX_NUMBER, start, (size_t)(l->at - start));
  }
  if (*start == '"' || *start == '\'') {
    for (l->at++; *l->at && *l->at != '\n' && *l->at != *start; l->at++)
      if (*l->at == '\\' && l->at[1] && l->at[1] != '\n') l->at++;
    if (*l->at != *start) {
      l->at = start;
      return lex_error(l, "string or character without an end");
    }
    l->at++;
    return lex_push(l, *start == '"' ? LEX_STRING : LEX_CHARACTER, start, (size_t)(l->at - start));
  }
  if (!strchr("{}[]()<>;:?.,=+-*/%&|^~!#@\\", *start)) return lex_error(l, "unexpected character");
  size_t size = 1;
  for (int i = 0; lex_marks[i]; i++)
    if (strncmp(start, lex_marks[i], strlen(lex_marks[i])) == 0) {
      size = strlen(lex_marks[i]);
      break;
    }
  l->at += size;
  return lex_push(l, LEX_MARK, start, size);
}

/* ---- directives ---- */

static bool lex_no_value(void *context, const lex_token *name, int64_t *value) {
  (void)context, (void)name;
  *value = 0; /* C11 6.10.1: a name that is no macro is 0 */
  return true;
}

/* Evaluate the rest of an #if line; "defined X" becomes 0 or 1 before macros are replaced. */
static bool lex_condition(lexer *l, bool *value) {
  lex_list line = {0}, *out = l->out;
  size_t capacity = l->capacity;
  const char *before = l->before;
  l->out = &line;
  l->capacity = 0;
  bool good = true;
  while (good && (good = lex_skip(l, true)) && *l->at && *l->at != '\n') {
    if (strncmp(l->at, "defined", 7) == 0 && !lex_in_name(l->at[7])) {
      l->at += 7;
      good = lex_skip(l, true);
      bool paren = good && *l->at == '(';
      if (paren) l->at++, good = lex_skip(l, true);
      const char *name = l->at;
      while (lex_in_name(*l->at)) l->at++;
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
  if (!good) return false;
  size_t at = 0;
  int64_t result = 0;
  const char *wrong = lex_evaluate(line.tokens, &at, lex_no_value, NULL, &result);
  if (!wrong && line.tokens[at].kind != LEX_END) wrong = "unexpected token";
  if (wrong) {
    bind_error("%s:%d: #if: %s; give the header preprocessed (cc -E -C)", l->file, l->line, wrong);
    return false;
  }
  *value = result != 0;
  return true;
}

static bool lex_open(lexer *l, bool active) {
  if (l->depth == LEX_MAX_NESTING) return lex_error(l, "#if nested too deeply");
  l->conditions[l->depth].active = l->conditions[l->depth].taken = active;
  l->depth++;
  return true;
}

static bool lex_reading(const lexer *l) {
  for (int i = 0; i < l->depth; i++)
    if (!l->conditions[i].active) return false;
  return true;
}

static bool lex_outer_reading(const lexer *l) {
  for (int i = 0; i + 1 < l->depth; i++)
    if (!l->conditions[i].active) return false;
  return true;
}

/* "# 12 "file" flags" of preprocessed input: which file the next line is from. */
static void lex_line_marker(lexer *l) {
  long line = strtol(l->at, NULL, 10);
  const char *quote = l->at + strcspn(l->at, "\"\n");
  if (*quote == '"') {
    size_t size = strcspn(quote + 1, "\"\n");
    char *name = bind_string("%.*s", (int)size, quote + 1);
    if (!l->main_file) l->main_file = name;
    l->elsewhere = strcmp(name, l->main_file) != 0;
  }
  if (line > 0 && line < INT32_MAX) l->line = (int)line - 1;
}

static bool lex_directive(lexer *l) {
  l->at++;
  if (!lex_skip(l, true)) return false;
  const char *word = l->at;
  while (lex_in_name(*l->at)) l->at++;
  char *verb = bind_string("%.*s", (int)(l->at - word), word);
  l->before = NULL; /* a comment before a directive documents no declaration */
  if (!lex_skip(l, true)) return false;
  const char *name = l->at;
  while (lex_in_name(*l->at)) l->at++;
  size_t size = (size_t)(l->at - name);
  bool reading = lex_reading(l), value = false;
  if (!strcmp(verb, "ifdef") || !strcmp(verb, "ifndef")) {
    value = (lex_find_macro(l, name, size) != NULL) == !strcmp(verb, "ifdef");
    if (!lex_open(l, value)) return false;
  } else if (!strcmp(verb, "if")) {
    l->at = name;
    if (reading && !lex_condition(l, &value)) return false;
    if (!lex_open(l, value)) return false;
  } else if (!strcmp(verb, "elif") || !strcmp(verb, "else")) {
    if (!l->depth) return lex_error(l, "#else or #elif without #if");
    bool taken = l->conditions[l->depth - 1].taken;
    l->at = name;
    value = true;
    if (!strcmp(verb, "elif") && !taken && lex_outer_reading(l) && !lex_condition(l, &value)) return false;
    l->conditions[l->depth - 1].active = value && !taken;
    l->conditions[l->depth - 1].taken = taken || value;
  } else if (!strcmp(verb, "endif")) {
    if (!l->depth) return lex_error(l, "#endif without #if");
    l->depth--;
  } else if (reading && !strcmp(verb, "define") && size) {
    bool function_like = *l->at == '(';
    size_t rest = strcspn(l->at, "\n");
    lex_define(l, name, size, bind_string("%.*s", (int)rest, l->at), function_like);
  } else if (reading && !strcmp(verb, "undef")) {
    lex_macro *macro = lex_find_macro(l, name, size);
    if (macro) *macro = l->macros[--l->macro_count];
  } else if (reading && !strcmp(verb, "error")) {
    l->at = word;
    return lex_error(l, "the header refuses");
  } else if (lex_is_digit(*word)) {
    l->at = word;
    lex_line_marker(l);
  }
  /* The rest of the line, in which a comment may span several lines. */
  while (*l->at && *l->at != '\n') {
    if (l->at[0] == '/' && (l->at[1] == '*' || l->at[1] == '/')) {
      if (!lex_skip(l, true)) return false;
    } else {
      l->at++;
    }
  }
  l->before = NULL;
  return true;
}

/* ---- the text ---- */

static bool lex_is_utf8(const char *file, const char *text, size_t size) {
  int line = 1;
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    size_t more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 4;
    bool good = more < 4 && i + more < size && c != 0;
    for (size_t k = 1; good && k <= more; k++) good = ((unsigned char)text[i + k] & 0xC0) == 0x80;
    if (good && more == 2 && c == 0xE0) good = (unsigned char)text[i + 1] >= 0xA0;
    if (good && more == 2 && c == 0xED) good = (unsigned char)text[i + 1] < 0xA0;
    if (good && more == 3 && c == 0xF0) good = (unsigned char)text[i + 1] >= 0x90;
    if (good && more == 3 && c == 0xF4) good = (unsigned char)text[i + 1] < 0x90;
    if (!good) {
      bind_error("%s:%d: not UTF-8 text", file, line);
      return false;
    }
    line += c == '\n';
    i += more + 1;
  }
  return true;
}

/* Join lines that end with a backslash; the newlines taken out come back after the joined line, so that line numbers
 * stay right. */
static char *lex_splice(const char *text, size_t size) {
  char *out = bind_alloc(size + 2, 1);
  size_t length = 0, owed = 0;
  if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3, size -= 3;
  for (size_t i = 0; i < size; i++) {
    const bool pair = i + 2 < size && text[i + 1] == '\r' && text[i + 2] == '\n';
    if (text[i] == '\\' && i + 1 < size && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
      owed++;
      i += 1 + pair;
    } else if (text[i] == '\r') {
      if (i + 1 == size || text[i + 1] != '\n') out[length++] = '\n';
    } else {
      out[length++] = text[i];
    }
    for (; owed && length && out[length - 1] == '\n'; owed--) out[length++] = '\n';
  }
  return out;
}

bool lex_header(const char *file, const char *text, size_t size, const char *const *ignore, lex_list *out) {
  lexer *l = bind_alloc(1, sizeof *l);
  *out = (lex_list){0};
  if (size > INT32_MAX / 4) {
    bind_error("%s: too large for a header", file);
    return false;
  }
  if (!lex_is_utf8(file, text, size)) return false;
  l->file = file;
  l->ignore = ignore;
  l->at = lex_splice(text, size);
  l->line = 1;
  l->fresh = true;
  l->out = out;
  lex_define(l, "__STDC__", 8, " 1", false);
  lex_define(l, "__STDC_VERSION__", 16, " 201112L", false);
  for (;;) {
    if (!lex_skip(l, false)) return false;
    if (!*l->at) break;
    if (*l->at == '#' && l->fresh) {
      if (!lex_directive(l)) return false;
    } else if (lex_reading(l)) {
      l->fresh = false;
      if (!lex_token_here(l)) return false;
    } else {
      l->fresh = false;
      l->at += strcspn(l->at, "\n/");
      if (*l->at == '/' && l->at[1] != '*' && l->at[1] != '/') l->at++;
      l->before = NULL;
    }
  }
  if (l->depth) return lex_error(l, "#if without #endif");
  return lex_push(l, LEX_END, "", 0);
}
