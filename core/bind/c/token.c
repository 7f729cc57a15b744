/* SPDX-License-Identifier: Apache-2.0 */
/* Read the tokens of a header and the comments between them, and expand macros. All recursion has a
 * limit, since the input may be anything. */
#include "bind/base/names.h"
#include "lexer.h"
#include <string.h>

#define LEX_MAX_EXPANDED ((size_t)1 << 24)

char *lex_copy(const lex_token *token) {
  return memcpy(bind_alloc(token->size + 1, 1), token->text, token->size);
}

/* Looks only where the first byte stands, which decides nearly always. A token has no NUL. */
bool lex_is_any(const lex_token *token, const char *words) {
  const size_t size = token->size;
  if (size == 0 || token->kind == LEX_STRING) {
    return false;
  }
  for (const char *at = words; (at = strchr(at, *token->text)); at++) {
    const bool begins = at == words || at[-1] == ' ';
    if (begins && strncmp(at, token->text, size) == 0 && (at[size] == ' ' || !at[size])) {
      return true;
    }
  }
  return false;
}

int lex_count_lines(const char *from, const char *to) {
  int lines = 0;
  for (; (from = memchr(from, '\n', (size_t)(to - from))); from++) {
    lines++;
  }
  return lines;
}

bool lex_error(const lexer *l, const char *problem) {
  const char *end = l->at + strcspn(l->at, "\n");
  int size = (int)(end - l->at);
  if (size > 100) {
    size = 100;
  }
  bind_error("%s:%d: %s%s%.*s",
             l->elsewhere ? l->where : l->file,
             l->line,
             problem,
             bind_when(size, ": "),
             size,
             l->at);
  return false;
}

/* A semicolon ends all: brackets of another branch of an #if may be unpaired. */
static void lex_count_brackets(lexer *l, char mark) {
  if (mark == '(') {
    l->brackets++;
  } else if (mark == ')' && l->brackets > 0) {
    l->brackets--;
  } else if (mark == ';') {
    l->brackets = 0;
  }
}

bool lex_push(lexer *l, lex_kind kind, const char *text, size_t size) {
  if (l->out->count == LEX_MAX_TOKENS) {
    return lex_error(l, "too many tokens");
  }
  BIND_ADD(l->out->tokens,
           l->out->count,
           l->capacity,
           (lex_token){.text = text,
                       .size = (uint32_t)size,
                       .line = l->line,
                       .kind = kind,
                       .header = (uint16_t)l->header,
                       .elsewhere = l->elsewhere,
                       .file = l->elsewhere ? l->where : l->file,
                       .before = l->before,
                       .note = l->note});
  l->before = NULL;
  l->note = NULL;
  if (kind == LEX_MARK && size == 1) {
    lex_count_brackets(l, *text);
  }
  return true;
}

/* ---- comments ---- */

static bool lex_has_command(const char *comment, size_t size, char mark) {
  static const char word[] = "contract";
  const char *const end = comment + size;
  for (const char *p = comment + 1; (p = memchr(p, mark, (size_t)(end - p))); p++) {
    if ((size_t)(end - p) > sizeof word && !memcmp(p + 1, word, sizeof word - 1) &&
        strchr(" \t\n*/!", p[-1]) && !lex_in_name(p[sizeof word])) {
      return true;
    }
  }
  return false;
}

/* Tell whether one letter was inserted, left out, replaced or swapped with the next, or capitals
 * were written. */
static bool lex_misspells(const char *text, size_t size, const char *word) {
  size_t rest = strlen(word);
  if (size + 1 < rest || size > rest + 1) {
    return false;
  }
  char lower[16];
  for (size_t i = 0; i < size; i++) {
    lower[i] = bind_to_lower(text[i]);
  }
  const char *said = lower;
  for (; size && rest && *said == *word; said++, word++) {
    size--;
    rest--;
  }
  if (size + 1 == rest) {
    return memcmp(said, word + 1, size) == 0;
  }
  if (size == rest + 1) {
    return memcmp(said + 1, word, rest) == 0;
  }
  const bool swapped = size > 1 && said[0] == word[1] && said[1] == word[0];
  return !size || memcmp(said + 1, word + 1, size - 1) == 0 ||
         (swapped && memcmp(said + 2, word + 2, size - 2) == 0);
}

static bool lex_is_misspelt(const char *name, size_t size) {
  static const char word[] = "contract";
  if (size == sizeof word - 1 && memcmp(name, word, size) == 0) {
    return false;
  }
  return lex_misspells(name, size, word) &&
         !bind_word_in(bind_sized(name, size), "contact contrast");
}

bool lex_has_contract(const char *comment, size_t size) {
  return size > 1 && (lex_has_command(comment, size, '@') || lex_has_command(comment, size, '\\'));
}

void lex_say_lost(const char *file, int line) {
  bind_error("%s:%d: no function has this contract: write it in a doc comment, /** or ///, just "
             "before the function",
             file,
             line);
}

bool lex_reading(const lexer *l) {
  for (int i = 0; i < l->depth; i++) {
    if (!l->conditions[i].active) {
      return false;
    }
  }
  return true;
}

static void lex_lose(lexer *l, const char *comment, size_t size, int line) {
  if (l->elsewhere || !lex_reading(l) || !lex_has_contract(comment, size)) {
    return;
  }
  lex_say_lost(l->file, line);
  l->out->lost++;
}

void lex_lose_comment(lexer *l) {
  if (l->before) {
    lex_lose(l, l->before, strlen(l->before), l->before_line);
  }
  l->before = NULL;
}

/* Tell whether a comment is about a group, a page or the file, not about the next declaration. */
static bool lex_is_apart(const char *text) {
  static const char verbs[] = "defgroup addtogroup weakgroup name mainpage page file";
  const char *first = text + strspn(text, "/*! \t\n");
  if ((*first == '@' || *first == '\\') &&
      (bind_begins(first + 1, "cond") || bind_begins(first + 1, "endcond"))) {
    return true;
  }
  for (const char *p = text; (p = strpbrk(p, "@\\")); p++) {
    size_t size = 0;
    while (lex_in_name(p[1 + size])) {
      size++;
    }
    const bool group = p[1] == '{' || p[1] == '}';
    if (strchr(" \t\n*/!", p[-1]) && (group || bind_word_in(bind_sized(p + 1, size), verbs))) {
      return true;
    }
  }
  return false;
}

/* Count from the line's start, which may be in the text of a macro. */
static int lex_column(const lexer *l, const char *at) {
  int column = 1;
  if (l->expanding) {
    return 1;
  }
  while (at > l->text && at[-1] != '\n') {
    at--;
    column++;
  }
  return column;
}

/* Report commands that are one letter away from @contract: what follows them checks nothing. */
static void lex_find_misspelt(lexer *l, const char *comment, size_t size, int line) {
  const char *const end = comment + size;
  int column = lex_column(l, comment);
  for (const char *p = comment + 1; p < end; p++) {
    column++;
    if (*p == '\n') {
      line++;
      column = 0;
    }
    if ((*p != '@' && *p != '\\') || !strchr(" \t\n*/!", p[-1])) {
      continue;
    }
    size_t length = 0;
    while (p + 1 + length < end && lex_in_name(p[1 + length])) {
      length++;
    }
    if (lex_is_misspelt(p + 1, length)) {
      bind_error("%s:%d:%d: no command is called `%.*s`: did you mean `@contract`?",
                 l->file,
                 line,
                 column,
                 (int)length + 1,
                 p);
      l->out->lost++;
    }
  }
}

/* Doxygen's comments: three slashes, slash star star, or an exclamation mark in their place. */
static bool lex_is_doc(const char *start, size_t size) {
  const bool line = start[1] == '/';
  const char mark = start[1];
  if (line && size == 3) {
    return start[2] == '/'; /* a blank line of a run */
  }
  if (size < 4 || (!line && size < 5)) { /* slash star star slash is empty */
    return false;
  }
  return (start[2] == mark || start[2] == '!') && start[3] != mark;
}

/* A comment with `<` documents what stands before it. */
static void lex_keep_behind(lexer *l, const char *text) {
  if (!l->out->count || !l->out->tokens) {
    return;
  }
  lex_token *last = &l->out->tokens[l->out->count - 1];
  if (last->after) {
    text = bind_string("%s\n%s", last->after, text);
  }
  last->after = text;
}

/* A plain comment among parameters may say how long an array is. */
static void lex_keep_note(lexer *l, const char *start, size_t size, int line) {
  if (l->elsewhere || l->expanding || !l->brackets || !l->out->count || !lex_reading(l)) {
    return;
  }
  lex_token *last = &l->out->tokens[l->out->count - 1];
  const char **place = &l->note;
  if (last->line == line) {
    place = &last->note;
  }
  *place = bind_join(bind_or(*place, ""), "\n", bind_sized(start, size));
}

static bool lex_keep_comment(lexer *l, const char *start, size_t size, int first_line) {
  const bool doc = lex_is_doc(start, size);
  if (!l->elsewhere && lex_reading(l)) {
    lex_find_misspelt(l, start, size, first_line);
  }
  if (!doc) {
    lex_lose(l, start, size, first_line);
    lex_keep_note(l, start, size, first_line);
  }
  if (!doc || l->elsewhere) {
    return true;
  }
  char *text = bind_sized(start, size);
  if (size > 3 && start[3] == '<') {
    lex_keep_behind(l, text);
    return true;
  }
  if (lex_is_apart(text)) {
    if (!l->out->file_doc && (strstr(text, "@file") || strstr(text, "\\file"))) {
      l->out->file_doc = text;
    }
    lex_lose_comment(l);
    return true;
  }
  const bool line = start[1] == '/';
  const bool run = line && l->before && l->before[1] == '/' && l->before_line + 1 == first_line;
  lex_comment where = {text, first_line, lex_column(l, start)};
  if (run) {
    text = bind_string("%s\n%s", l->before, text);
    where = l->out->comments[l->out->comment_count - 1];
    where.text = text;
  } else {
    lex_lose_comment(l);
  }
  BIND_ADD(l->out->comments, l->out->comment_count, l->out->comment_capacity, where);
  l->before = text;
  l->before_line = l->line;
  return true;
}

bool lex_skip(lexer *l, bool in_line) {
  for (;; l->at++) {
    char c = *l->at;
    if (c == '\n') {
      if (in_line) {
        return true;
      }
      l->line++;
      l->fresh = true;
    } else if (c == '/' && l->at[1] == '*') {
      const char *start = l->at;
      const char *end = strstr(l->at + 2, "*/");
      int first_line = l->line;
      if (!end) {
        return lex_error(l, "comment without an end");
      }
      l->line += lex_count_lines(start, end);
      l->at = end + 1;
      if (!lex_keep_comment(l, start, (size_t)(end + 2 - start), first_line)) {
        return false;
      }
    } else if (c == '/' && l->at[1] == '/') {
      size_t size = strcspn(l->at, "\n");
      if (!lex_keep_comment(l, l->at, size, l->line)) {
        return false;
      }
      l->at += size - 1;
    } else if (c != ' ' && c != '\t' && c != '\f' && c != '\v') {
      return true;
    }
  }
}

static bool lex_ignored(const lexer *l, const char *name, size_t size) {
  if (size == 7 && memcmp(name, "DLF_API", 7) == 0) {
    return true;
  }
  for (const char *const *i = l->ignore; i && *i; i++) {
    if (strlen(*i) == size && memcmp(*i, name, size) == 0) {
      return true;
    }
  }
  return false;
}

/* ---- macros ---- */

/* Read the text of a macro in its place, and go on at back; a macro is not expanded inside itself.
 */
static bool lex_expand(lexer *l, size_t index, const char *text, const char *back) {
  if (l->expanding == LEX_MAX_NESTING) {
    return lex_error(l, "macros nested too deeply");
  }
  l->expanded += strlen(text) + 16;
  if (l->expanded > LEX_MAX_EXPANDED) {
    return lex_error(l, "macros expand without end");
  }
  const char *before = l->before;
  const int first = l->out->count;
  l->at = text;
  l->macros[index].busy = true;
  l->expanding++;
  bool good = true;
  while (good && (good = lex_skip(l, true)) && *l->at && *l->at != '\n') {
    good = lex_token_here(l);
  }
  l->expanding--;
  l->macros[index].busy = false;
  if (good) {
    l->at = back;
  }
  if (l->out->count == first) {
    l->before = before;
  }
  return good;
}

/* Expand the macro whose name is just before l->at; *replaced is false if this is not a call. */
static bool lex_replace(lexer *l, const lex_macro *macro, bool *replaced) {
  const size_t index = (size_t)(macro - l->macros);
  const char *open = lex_step_blanks(l->at);
  const char *back = NULL;
  if (!macro->function_like) {
    *replaced = true;
    return lex_expand(l, index, macro->body, l->at);
  }
  const bool breaks = lex_count_lines(l->at, open) > 0;
  *replaced = *open == '(' && !(l->in_arithmetic && breaks);
  if (!*replaced) {
    return true;
  }
  const char *text = lex_call(macro, open, &back);
  if (!text) {
    l->at = open;
    return lex_error(l, bind_string("cannot read the call of the macro %s", macro->name));
  }
  const int lines = lex_count_lines(l->at, back);
  if (!lex_expand(l, index, text, back)) {
    return false;
  }
  l->line += lines; /* its tokens are on the line of the name */
  return true;
}

/* ---- tokens ---- */

/* Return the size of the mark here; nearly all have one byte. */
static size_t lex_mark_size(const char *at) {
  static const char marks[] =
      "... <<= >>= -> ++ -- << >> <= >= == != && || *= /= %= += -= &= ^= |= ::";
  if (!strchr("=.<>&|+-:", at[1])) {
    return 1;
  }
  for (const char *mark = marks; *mark; mark += strspn(mark, " ")) {
    const size_t size = strcspn(mark, " ");
    if (strncmp(at, mark, size) == 0) {
      return size;
    }
    mark += size;
  }
  return 1;
}

/* Read a string or a character, whose quote is here; start is its prefix. */
static bool lex_quoted(lexer *l, const char *start) {
  const char quote = *l->at;
  for (l->at++; *l->at && *l->at != '\n' && *l->at != quote; l->at++) {
    if (*l->at == '\\' && l->at[1] && l->at[1] != '\n') {
      l->at++;
    }
  }
  if (*l->at != quote) {
    l->at = start;
    return lex_error(l, "string or character without an end");
  }
  l->at++;
  return lex_push(l, quote == '"' ? LEX_STRING : LEX_CHARACTER, start, (size_t)(l->at - start));
}

static bool lex_name_here(lexer *l) {
  const char *start = l->at;
  while (lex_in_name(*l->at)) {
    l->at++;
  }
  const size_t size = (size_t)(l->at - start);
  if (*l->at == '\'' && bind_word_in(bind_sized(start, size), "L u U u8")) {
    return lex_quoted(l, start);
  }
  if (lex_ignored(l, start, size)) {
    return l->in_arithmetic || lex_push(l, LEX_IGNORED, start, size);
  }
  lex_macro *macro = NULL;
  if (!l->which || l->in_arithmetic) {
    macro = lex_find_macro(l, start, size);
  }
  bool replaced = false;
  if (macro && !macro->busy && !lex_replace(l, macro, &replaced)) {
    return false;
  }
  return replaced || lex_push(l, LEX_NAME, start, size);
}

/* C11 6.4.8: names' characters, dots, single quotes between (C23), and signs behind an exponent. */
static bool lex_number_goes_on(const char *at, bool hexadecimal) {
  if (lex_in_name(*at) || *at == '.') {
    return true;
  }
  if (*at == '\'') {
    return lex_in_name(at[1]);
  }
  const bool sign = *at == '+' || *at == '-';
  return sign && !hexadecimal && strchr("eEpP", at[-1]);
}

static bool lex_number_here(lexer *l) {
  const char *start = l->at;
  const bool hexadecimal = start[1] == 'x' || start[1] == 'X';
  while (lex_number_goes_on(l->at, hexadecimal)) {
    l->at++;
  }
  return lex_push(l, LEX_NUMBER, start, (size_t)(l->at - start));
}

bool lex_token_here(lexer *l) {
  const char *start = l->at;
  if (lex_begins_name(*start)) {
    return lex_name_here(l);
  }
  if (lex_is_digit(*start) || (*start == '.' && lex_is_digit(start[1]))) {
    return lex_number_here(l);
  }
  if (*start == '"' || *start == '\'') {
    return lex_quoted(l, start);
  }
  if (!strchr("{}[]()<>;:?.,=+-*/%&|^~!#@\\", *start)) {
    return lex_error(l, "unexpected character");
  }
  const size_t size = lex_mark_size(start);
  l->at += size;
  return lex_push(l, LEX_MARK, start, size);
}
