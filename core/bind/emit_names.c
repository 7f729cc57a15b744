/* SPDX-License-Identifier: Apache-2.0 */
/* Names in other cases, and doc texts that no language can mistake for code. */
#include "emit.h"
#include <string.h>

/* ASCII only: <ctype.h> follows the locale. */
static bool name_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool name_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool name_is_digit(char c) { return c >= '0' && c <= '9'; }
static char name_to_lower(char c) { return name_is_upper(c) ? (char)(c - 'A' + 'a') : c; }
static char name_to_upper(char c) { return name_is_lower(c) ? (char)(c - 'a' + 'A') : c; }

/* A word begins after '_', and where a capital follows a small letter or digit or precedes a small letter. */
static bool name_begins_word(const char *name, size_t i) {
  if (i == 0 || name[i - 1] == '_') return name[i] != '_';
  if (!name_is_upper(name[i])) return false;
  return name_is_lower(name[i - 1]) || name_is_digit(name[i - 1]) ||
         (name_is_upper(name[i - 1]) && name_is_lower(name[i + 1]));
}

static const char *name_recase(const char *name, bool separate, char (*first)(char), char (*rest)(char)) {
  size_t size = strlen(name), length = 0;
  char *out = bind_alloc(2 * size + 1, 1);
  for (size_t i = 0; i < size; i++) {
    if (name[i] == '_' && !(i == 0 && separate)) continue;
    bool begins = name_begins_word(name, i);
    if (begins && separate && length) out[length++] = '_';
    out[length++] = begins ? first(name[i]) : rest(name[i]);
  }
  return out;
}

const char *bind_snake(const char *name) { return name_recase(name, true, name_to_lower, name_to_lower); }
const char *bind_pascal(const char *name) { return name_recase(name, false, name_to_upper, name_to_lower); }
const char *bind_upper(const char *name) { return name_recase(name, true, name_to_upper, name_to_upper); }

bool bind_word_in(const char *word, const char *words) {
  size_t size = strlen(word);
  for (const char *at = words; size && (at = strstr(at, word)); at += size)
    if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0)) return true;
  return false;
}

const char *bind_escape(const char *name, const char *words) {
  return bind_word_in(name, words) ? bind_string("%s_", name) : name;
}

/* ---- docs ---- */

static void name_put_harmless(bind_text *out, bind_doc_style style, const char *doc, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char c = doc[i];
    const char *mark = "\\";
    if (style == BIND_DOC_LINE && c == '\\' && i + 1 == size) {
      bind_raw(out, "\\.", 2); /* a backslash at the end would continue the comment */
      continue;
    }
    if (style == BIND_DOC_C && i && ((doc[i - 1] == '*' && c == '/') || (doc[i - 1] == '/' && c == '*')))
      bind_raw(out, " ", 1);
    const bool string = style == BIND_DOC_STRING || style == BIND_DOC_C_STRING;
    if (string && c == '\n') c = ' ';
    bool escaped = (style == BIND_DOC_PYTHON || style == BIND_DOC_JULIA || string) && (c == '\\' || c == '"');
    escaped |= style == BIND_DOC_JULIA && c == '$';
    escaped |= style == BIND_DOC_C_STRING && c == '?' && i && doc[i - 1] == '?';
    if (escaped) bind_raw(out, mark, 1);
    bind_raw(out, &c, 1);
  }
}

const char *bind_doc_escape(bind_doc_style style, const char *doc) {
  bind_text out = {0};
  name_put_harmless(&out, style, doc, strlen(doc));
  const char *lasting = bind_string("%s", out.data ? out.data : "");
  bind_text_free(&out);
  return lasting;
}

void bind_put_doc(bind_text *text, bind_doc_style style, const char *lead, const char *doc) {
  bool fenced = false;
  for (const char *line = doc; *line;) {
    size_t size = strcspn(line, "\n"), skip = strspn(line, " ");
    if (skip > size) skip = size;
    bool fence = strncmp(line + skip, "```", 3) == 0;
    if (fence || fenced || skip < 4) skip = 0;
    fenced ^= fence;
    bind_text harmless = {0};
    name_put_harmless(&harmless, style, line + skip, size - skip);
    if (harmless.length) {
      bind_line(text, "%s%s", lead, harmless.data);
    } else {
      size_t trimmed = strlen(lead);
      while (trimmed && lead[trimmed - 1] == ' ') trimmed--;
      bind_line(text, "%.*s", (int)trimmed, lead);
    }
    bind_text_free(&harmless);
    line += size + (line[size] == '\n');
  }
}

void bind_put_doc_line(bind_text *text, bind_doc_style style, const char *lead, const char *format, ...) {
  va_list list;
  va_start(list, format);
  bind_put_doc(text, style, lead, bind_string_list(format, list));
  va_end(list);
}
