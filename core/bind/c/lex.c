/* SPDX-License-Identifier: Apache-2.0 */
/* Split a C header into tokens: splice lines, and remove macros of --ignore-macro. */
#include "lex.h"
#include "bind/base/text.h"
#include "lexer.h"
#include <string.h>

/* Return how many bytes a character takes that begins with this one, which is not ASCII; 0 if none
 * begins so. */
static size_t lex_character_size(unsigned char first) {
  if (first >= 0xC2 && first < 0xE0) {
    return 2;
  }
  if (first >= 0xE0 && first < 0xF0) {
    return 3;
  }
  if (first >= 0xF0 && first < 0xF5) {
    return 4;
  }
  return 0;
}

/* Return how many bytes one character takes, or 0 for bytes that are none. */
static size_t lex_character(const unsigned char *c, size_t left) {
  if (*c < 0x80) {
    return *c != 0;
  }
  const size_t size = lex_character_size(*c);
  if (!size || size > left) {
    return 0;
  }
  for (size_t i = 1; i < size; i++) {
    if ((c[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  if (*c == 0xE0 && c[1] < 0xA0) {
    return 0;
  }
  if (*c == 0xED && c[1] >= 0xA0) {
    return 0;
  }
  if (*c == 0xF0 && c[1] < 0x90) {
    return 0;
  }
  if (*c == 0xF4 && c[1] >= 0x90) {
    return 0;
  }
  return size;
}

/* Return how many bytes are plain ASCII: eight at once, since nearly all are. */
static size_t lex_ascii(const char *text, size_t size) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  const uint64_t tops = ones << 7;
  size_t i = 0;
  for (uint64_t word; i + sizeof word <= size; i += sizeof word) {
    memcpy(&word, text + i, sizeof word);
    if ((word | (word - ones)) & tops) {
      break; /* a byte of 0x80 or more, or of 0 */
    }
  }
  return i;
}

static bool lex_not_utf8(const char *file, const char *text, const char *at) {
  bind_error("%s:%d: not UTF-8 text", file, 1 + lex_count_lines(text, at));
  return false;
}

bool lex_is_utf8(const char *file, const char *text, size_t size) {
  for (size_t i = lex_ascii(text, size), bytes; i < size; i += bytes) {
    bytes = lex_character((const unsigned char *)text + i, size - i);
    if (!bytes) {
      return lex_not_utf8(file, text, text + i);
    }
    if (bytes == 1 && i % 16 == 0) {
      bytes += lex_ascii(text + i + 1, size - i - 1);
    }
  }
  return true;
}

/* Join lines that end with a backslash; the removed newlines follow the joined line, so that line
 * numbers stay right. */
static char *lex_splice(const char *text, size_t size) {
  char *out = bind_alloc(size + 2, 1);
  size_t length = 0;
  size_t owed = 0;
  if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    size -= 3;
  }
  for (size_t i = 0; i < size; i++) {
    /* the text ends with NUL and has none before */
    size_t plain = 0;
    if (!owed) {
      plain = strcspn(text + i, "\\\r");
    }
    memcpy(out + length, text + i, plain);
    length += plain;
    i += plain;
    if (i == size) {
      break;
    }
    const bool pair = i + 2 < size && text[i + 1] == '\r' && text[i + 2] == '\n';
    if (text[i] == '\\' && i + 1 < size && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
      owed++;
      i += 1 + pair;
    } else if (text[i] == '\r') {
      if (i + 1 == size || text[i + 1] != '\n') {
        out[length++] = '\n';
      }
    } else {
      out[length++] = text[i];
    }
    for (; owed && length && out[length - 1] == '\n'; owed--) {
      out[length++] = '\n';
    }
  }
  return out;
}

/* ---- ignored macros ---- */

/* Return the index of the `)` that closes the one at `open`, or 0 if none does or the budget, which
 * limits the work over the whole text, is spent. */
static int lex_closing(const lex_list *list, int open, size_t *budget) {
  int64_t depth = 0;
  for (int i = open; list->tokens[i].kind != LEX_END && *budget; i++, --*budget) {
    if (list->tokens[i].kind != LEX_MARK) {
      continue;
    }
    depth += lex_is(&list->tokens[i], "(") - lex_is(&list->tokens[i], ")");
    if (!depth) {
      return i;
    }
  }
  return 0;
}

/* Tell whether a declaration begins after this token, or after words such as `extern`. */
static bool lex_begins_declaration(const lex_token *last) {
  return !last || last->kind == LEX_STRING || lex_is_any(last, "; } { extern static typedef const");
}

/* Tell whether a name without a type follows "MACRO(...)", so that the macro is the type. */
static bool lex_lacks_type(const lex_list *list, int at) {
  while (list->tokens[at].kind == LEX_IGNORED) {
    at++;
  }
  const lex_token *t = &list->tokens[at];
  if (t->kind == LEX_MARK) {
    return lex_is(t, "*");
  }
  return t->kind == LEX_NAME && t[1].kind == LEX_MARK && !lex_is(&t[1], "*");
}

/* Remove macros of --ignore-macro; their docs go to the neighbouring tokens. */
static void lex_take_out(lex_list *list) {
  size_t budget = (size_t)1 << 23;
  int kept = 0;
  const char *before = NULL;
  for (int i = 0; i < list->count; i++) {
    lex_token *t = &list->tokens[i];
    lex_token *last = NULL;
    if (kept) {
      last = &list->tokens[kept - 1];
    }
    if (t->kind != LEX_IGNORED) {
      if (!t->before) {
        t->before = before;
      }
      before = NULL;
      list->tokens[kept++] = *t;
      continue;
    }
    if (t->before) {
      before = t->before;
    }
    if (t->after && last && !last->after) {
      last->after = t->after;
    }
    if (!t->size || !lex_is(t + 1, "(")) {
      continue;
    }
    const int close = lex_closing(list, i + 1, &budget);
    if (!close || lex_is(&list->tokens[close + 1], "(")) {
      continue; /* "int CALL (f)(int x)" */
    }
    bool wraps = lex_is(t + 2, "(") && last && last->kind == LEX_NAME;
    bool types =
        t[2].kind == LEX_NAME && lex_begins_declaration(last) && lex_lacks_type(list, close + 1);
    if (wraps || types) {
      lex_token *const brackets[] = {t + 1, &list->tokens[close]};
      for (int k = 0; k < 2; k++) {
        brackets[k]->kind = LEX_IGNORED;
        brackets[k]->size = 0;
      }
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
  if (!lex_is_utf8(l->file, text, size)) {
    return false;
  }
  l->at = l->text = lex_splice(text, size);
  if (!l->capacity && size) { /* most tokens have three bytes or more */
    l->capacity = (int)(size / 3 < LEX_MAX_TOKENS ? size / 3 : LEX_MAX_TOKENS);
    l->out->tokens = bind_alloc((size_t)l->capacity + 1, sizeof *l->out->tokens);
  }
  l->line = 1;
  l->fresh = true;
  for (;;) {
    if (!lex_skip(l, false)) {
      return false;
    }
    if (!*l->at) {
      break;
    }
    if (*l->at == '#' && l->fresh) {
      if (!lex_directive(l)) {
        return false;
      }
    } else if (lex_reading(l)) {
      l->fresh = false;
      if (!lex_token_here(l)) {
        return false;
      }
    } else {
      l->fresh = false;
      l->at += strcspn(l->at, "\n/");
      if (*l->at == '/' && !lex_is_comment(l->at)) {
        l->at++;
      }
      l->before = NULL;
    }
  }
  if (l->depth) {
    return lex_error(l, "#if without #endif");
  }
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
  if (input->preprocessed) {
    l->which = input->which;
    l->elsewhere = true;
    l->where = "the preprocessor's text";
    if (!lex_text(l, input->preprocessed, input->preprocessed_size)) {
      return false;
    }
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
      if (!lex_text(l, input->texts[i], input->sizes[i])) {
        return false;
      }
    }
  }
  if (!lex_push(l, LEX_END, "", 0)) {
    return false;
  }
  lex_take_out(out);
  lex_keep_constants(l, out);
  return true;
}
