/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that are constants: integers, reals, characters. */
#include "bind/base/text.h"
#include "evaluate.h"
#include "lexer.h"
#include <stdlib.h>
#include <string.h>

/* Return the text with a blank for each comment: "#define K_FAST 1 // not exact". */
static const char *macro_without_comments(const char *body) {
  char *text = bind_string("%s", body);
  char *to = text;
  for (const char *c = body; *c;) {
    const char *next = lex_step_blanks(c);
    if (next > c) {
      *to++ = ' ';
    }
    if (*next) {
      *to++ = *next++;
    }
    c = next;
  }
  *to = 0;
  return text;
}

/* Only marks and words of arithmetic, so that reading the text prints no errors. */
static bool macro_is_arithmetic(const char *body) {
  if (strchr(body, '\'')) {
    return false;
  }
  for (const char *c = body; *c && *c != '\n'; c++) {
    if (!lex_in_name(*c) && !strchr(" \t().+-*/|&~^<>%?:", *c)) {
      return false;
    }
  }
  return true;
}

/* Return the text without blanks, brackets and a suffix if it is one real, else NULL. */
static const char *macro_real(const char *body) {
  char *text = bind_string("%s", body);
  char *end;
  char *to = text;
  for (const char *c = body; *c && *c != '\n'; c++) {
    if (!strchr(" \t()", *c)) {
      *to++ = *c;
    }
  }
  if (to > text && strchr("fFlL", to[-1])) {
    to--;
  }
  *to = 0;
  if (to == text || strpbrk(text, "xXnN") || !strpbrk(text, ".eE")) {
    return NULL;
  }
  (void)strtod(text, &end);
  if (*end || end == text || end[-1] == '.') {
    return NULL; /* "1." is no literal of Rust */
  }
  if (text[strspn(text, "-")] == '.' || *text == '+') {
    return NULL;
  }
  return text;
}

static bool macro_is_unsigned(const char *body) {
  for (const char *c = body + 1; *body && *c && *c != '\n'; c++) {
    if ((*c == 'u' || *c == 'U') && strchr("0123456789lL", c[-1])) {
      return true;
    }
  }
  return false;
}

/* Read the text of a macro, whose macros are expanded; false if it is no line of tokens. */
static bool macro_tokens(lexer *l, const char *body, lex_list *line) {
  const char *at = l->at;
  const bool hushed = bind_hush(true); /* it may be anything */
  l->at = bind_sized(body, strcspn(body, "\n"));
  const bool good = lex_rest_of_line(l, lex_token_here, line);
  l->at = at;
  bind_hush(hushed);
  return good;
}

static lex_constant_kind macro_integer(lexer *l, const char *body, int64_t *value) {
  lex_list line;
  const lex_names names = {NULL, NULL, NULL};
  size_t read = 0;
  if (!macro_tokens(l, body, &line)) {
    return LEX_OTHER_CONSTANT;
  }
  const char *wrong = lex_evaluate(line.tokens, &read, &names, value);
  if (line.tokens[read].kind != LEX_END) {
    return LEX_OTHER_CONSTANT;
  }
  if (wrong == lex_too_large) {
    return LEX_WIDE_CONSTANT;
  }
  if (wrong) {
    return LEX_OTHER_CONSTANT;
  }
  return LEX_INTEGER_CONSTANT;
}

/* Tell whether the text is one character, as 'a' or '\n', in brackets or not. */
static bool macro_is_character(const char *body) {
  const char *c = body + strspn(body, " \t(");
  if (*c != '\'' || !c[1] || c[1] == '\'' || c[1] == '\n') {
    return false;
  }
  c += c[1] == '\\' && c[2] ? 3 : 2;
  if (*c != '\'') {
    return false;
  }
  return !c[1 + strspn(c + 1, " \t)\n")];
}

static void macro_keep_expression(lexer *l, const lex_macro *macro, const char *text,
                                  lex_list *out) {
  lex_list line;
  if (macro_is_arithmetic(text) && macro_tokens(l, text, &line)) {
    out->expressions[out->expression_count++] =
        (lex_expression){macro->name, line.tokens, macro->header, macro->line};
  }
}

static void macro_keep_value(lexer *l, const lex_macro *macro, const char *text, lex_list *out) {
  lex_constant *c = &out->constants[out->constant_count++];
  *c = (lex_constant){.name = macro->name, .header = macro->header, .line = macro->line};
  const bool character = macro_is_character(text);
  if (!character && !macro_is_arithmetic(text)) {
    return;
  }
  if (!character) {
    c->real = macro_real(text);
    c->is_unsigned = macro_is_unsigned(text);
  }
  if (c->real) {
    c->kind = LEX_REAL_CONSTANT;
  } else {
    c->kind = macro_integer(l, text, &c->integer);
  }
  if (c->kind == LEX_OTHER_CONSTANT) {
    macro_keep_expression(l, macro, text, out);
  }
}

void lex_keep_constants(lexer *l, lex_list *out) {
  const size_t room = (size_t)l->macro_count + 1;
  out->constants = bind_alloc(room, sizeof *out->constants);
  out->expressions = bind_alloc(room, sizeof *out->expressions);
  BIND_EACH (const lex_macro, macro, l->macros, l->macro_count) {
    if (macro->function_like || macro->undefined || macro->elsewhere) {
      continue;
    }
    const char *text = macro_without_comments(macro->body);
    const char *body = text + strspn(text, " \t(-+~");
    if (lex_is_digit(*body) || *body == '\'') {
      macro_keep_value(l, macro, text, out);
    } else if (lex_begins_name(*body)) {
      macro_keep_expression(l, macro, text, out);
    }
  }
}
