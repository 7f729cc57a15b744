/* SPDX-License-Identifier: Apache-2.0 */
/* Split a C header into tokens: splice lines, and remove macros of --ignore-macro. */
#include "bind/base/text.h"
#include "lexer.h"
#include <string.h>

bool lex_is_utf8(const char *file, const char *text, size_t size) {
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

/* Join lines that end with a backslash; the removed newlines follow the joined line, so that line numbers stay right. */
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

/* ---- ignored macros ---- */

/* Return the bracket that closes the one at `open`, or 0; budget limits the work over the whole text. */
static int lex_closing(const lex_list *list, int open, size_t *budget) {
  int64_t depth = 0;
  for (int i = open; list->tokens[i].kind != LEX_END && *budget; i++, --*budget) {
    if (list->tokens[i].kind != LEX_MARK) continue;
    depth += lex_is(&list->tokens[i], "(") - lex_is(&list->tokens[i], ")");
    if (!depth) return i;
  }
  return 0;
}

/* Tell whether a declaration begins after this token, or after words such as `extern`. */
static bool lex_begins_declaration(const lex_token *last) {
  return !last || last->kind == LEX_STRING || lex_is(last, ";") || lex_is(last, "}") || lex_is(last, "{") ||
         lex_is(last, "extern") || lex_is(last, "static") || lex_is(last, "typedef") || lex_is(last, "const");
}

/* Tell whether a name without a type follows "MACRO(...)", so that the macro is the type. */
static bool lex_lacks_type(const lex_list *list, int at) {
  while (list->tokens[at].kind == LEX_IGNORED) at++;
  const lex_token *t = &list->tokens[at];
  if (t->kind == LEX_MARK) return lex_is(t, "*");
  return t->kind == LEX_NAME && t[1].kind == LEX_MARK && !lex_is(&t[1], "*");
}

/* Remove macros of --ignore-macro; their docs go to the neighbouring tokens. */
static void lex_take_out(lex_list *list) {
  size_t budget = (size_t)1 << 23;
  int kept = 0;
  const char *before = NULL;
  for (int i = 0; i < list->count; i++) {
    lex_token *t = &list->tokens[i], *last = kept ? &list->tokens[kept - 1] : NULL;
    if (t->kind != LEX_IGNORED) {
      if (!t->before) t->before = before;
      before = NULL;
      list->tokens[kept++] = *t;
      continue;
    }
    if (t->before) before = t->before;
    if (t->after && last && !last->after) last->after = t->after;
    if (!t->size || !lex_is(t + 1, "(")) continue;
    const int close = lex_closing(list, i + 1, &budget);
    if (!close || lex_is(&list->tokens[close + 1], "(")) continue; /* "int CALL (f)(int x)" */
    bool wraps = lex_is(t + 2, "(") && last && last->kind == LEX_NAME;
    bool types = t[2].kind == LEX_NAME && lex_begins_declaration(last) && lex_lacks_type(list, close + 1);
    if (wraps || types) {
      lex_token *const brackets[] = {t + 1, &list->tokens[close]};
      for (int k = 0; k < 2; k++) brackets[k]->kind = LEX_IGNORED, brackets[k]->size = 0;
    } else {
      i = close;
    }
  }
  list->count = kept;
}

/* Read one text; macros of those before it stay. */
static bool lex_text(lexer *l, const char *text, size_t size) {
  if (size > INT32_MAX / 4) {
    bind_error("%s: too large for a header", l->file);
    return false;
  }
  if (!lex_is_utf8(l->file, text, size)) return false;
  l->at = lex_splice(text, size);
  if (!l->capacity && size) { /* most tokens have three bytes or more */
    l->capacity = (int)(size / 3 < LEX_MAX_TOKENS ? size / 3 : LEX_MAX_TOKENS);
    l->out->tokens = bind_alloc((size_t)l->capacity + 1, sizeof *l->out->tokens);
  }
  l->line = 1;
  l->fresh = true;
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
  lex_lose_comment(l);
  return true;
}

bool lex_headers(const lex_input *input, lex_list *out) {
  lexer *l = bind_alloc(1, sizeof *l);
  *out = (lex_list){0};
  l->ignore = input->ignore;
  l->out = out;
  l->files = input->files;
  l->file = input->files[0];
  for (int i = 0; i < LEX_BUCKETS; i++) l->buckets[i] = -1;
  if (input->preprocessed) {
    l->which = input->which;
    l->elsewhere = true;
    l->where = "the preprocessor's text";
    if (!lex_text(l, input->preprocessed, input->preprocessed_size)) return false;
  } else {
    /* Headers test these, and some refuse an unknown compiler. */
    l->elsewhere = true;
    lex_define(l, "__STDC__", 8, " 1", false);
    lex_define(l, "__STDC_VERSION__", 16, " 201112L", false);
    lex_define(l, "__GNUC__", 8, " 4", false);
    lex_define(l, "__linux__", 9, " 1", false);
    lex_define(l, "__unix__", 8, " 1", false);
    lex_define(l, "__LP64__", 8, " 1", false);
    for (int i = 0; i < input->count; i++) {
      l->header = i;
      l->file = input->files[i];
      l->main_file = NULL;
      l->elsewhere = false;
      if (!lex_text(l, input->texts[i], input->sizes[i])) return false;
    }
  }
  if (!lex_push(l, LEX_END, "", 0)) return false;
  lex_take_out(out);
  lex_keep_constants(l, out);
  return true;
}
