/* SPDX-License-Identifier: Apache-2.0 */
/* Keep the macros of the header and expand their calls: arguments are inserted as written, and
 * expanded with the rest. That differs from C only for a macro inside itself. */
#include "bind/base/text.h"
#include "lexer.h"
#include <string.h>

#define LEX_MAX_PARAMETERS 64

/* Parameters of a macro or arguments of a call. */
typedef struct lex_words {
  const char *text[LEX_MAX_PARAMETERS];
  size_t size[LEX_MAX_PARAMETERS];
  int count;
  bool variadic; /* the last one takes all other arguments */
} lex_words;

/* Find a macro, also one that #undef removed; NULL for none. */
static lex_macro *lex_slot(const lexer *l, const char *name, size_t size) {
  const int place = bind_find_sized(&l->places, name, size);
  if (place < 0) {
    return NULL;
  }
  return &l->macros[place];
}

lex_macro *lex_find_macro(const lexer *l, const char *name, size_t size) {
  lex_macro *macro = lex_slot(l, name, size);
  if (macro && !macro->undefined) {
    return macro;
  }
  return NULL;
}

void lex_define(lexer *l, const char *name, size_t size, const char *body, bool function_like) {
  lex_macro *macro = lex_slot(l, name, size);
  if (!macro) {
    const lex_macro added = {.name = bind_sized(name, size)};
    bind_add_place(&l->places, added.name, l->macro_count);
    BIND_ADD(l->macros, l->macro_count, l->macro_capacity, added);
    macro = &l->macros[l->macro_count - 1];
  }
  macro->body = bind_string("%s", body);
  macro->function_like = function_like;
  macro->busy = macro->undefined = false;
  macro->elsewhere = l->elsewhere;
  macro->header = l->header;
  macro->line = l->line;
}

/* ---- text ---- */

/* Step over the string, character, comment, name or mark at p. */
static const char *lex_step(const char *p) {
  if (*p == '"' || *p == '\'') {
    const char quote = *p++;
    while (*p && *p != '\n' && *p != quote) {
      if (p[0] == '\\' && p[1]) {
        p += 2;
      } else {
        p += 1;
      }
    }
    return p + (*p == quote);
  }
  if (*p == '/' && p[1] == '*') {
    const char *end = strstr(p + 2, "*/");
    if (end) {
      return end + 2;
    }
    return p + strlen(p);
  }
  if (*p == '/' && p[1] == '/') {
    return p + strcspn(p, "\n");
  }
  if (!lex_in_name(*p)) {
    return p + 1;
  }
  const bool number = lex_is_digit(*p);
  while (lex_in_name(*p) || (number && *p == '\'' && lex_in_name(p[1]))) {
    p++;
  }
  return p;
}

const char *lex_step_blanks(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || lex_is_comment(p)) {
    p = lex_step(p);
  }
  return p;
}

static void lex_put_word(lex_words *words, const char *from, const char *to) {
  from = lex_step_blanks(from);
  while (to > from && strchr(" \t\n", to[-1])) {
    to--;
  }
  words->text[words->count] = from;
  words->size[words->count++] = to > from ? (size_t)(to - from) : 0;
}

/* Split the text between the parentheses at p; return the end of the closing one, or NULL. */
static const char *lex_read_words(const char *p, int at_most, lex_words *words) {
  const char *start = ++p;
  for (int depth = 0; *p; p = lex_step(p)) {
    const bool all = words->variadic && words->count + 1 == at_most;
    if (depth == 0 && (*p == ')' || (*p == ',' && !all))) {
      if (words->count < at_most) {
        lex_put_word(words, start, p);
      } else if (at_most || lex_step_blanks(start) != p) {
        return NULL;
      }
      start = p + 1;
      if (*p == ')') {
        return p + 1;
      }
    }
    depth += (*p == '(') - (*p == ')');
  }
  return NULL;
}

/* Read the parameters in a macro's text "(a, b...) replacement"; return the replacement, or NULL.
 */
static const char *lex_read_parameters(const char *body, lex_words *parameters) {
  const char *rest = lex_read_words(body, LEX_MAX_PARAMETERS, parameters);
  if (!rest) {
    return NULL;
  }
  if (parameters->count == 1 && !parameters->size[0]) {
    parameters->count = 0;
  }
  const int last = parameters->count - 1;
  size_t size = 0;
  if (last >= 0) {
    size = parameters->size[last];
  }
  if (size >= 3 && memcmp(parameters->text[last] + size - 3, "...", 3) == 0) {
    parameters->variadic = true;
    parameters->size[last] -= 3;
    if (size == 3) {
      parameters->text[last] = "__VA_ARGS__";
      parameters->size[last] = 11;
    }
  }
  return rest;
}

static int lex_which(const lex_words *words, const char *name, size_t size) {
  for (int i = 0; i < words->count; i++) {
    if (words->size[i] == size && memcmp(words->text[i], name, size) == 0) {
      return i;
    }
  }
  return -1;
}

/* Append an argument on one line, without comments; as a string if quoted. */
static void lex_put_argument(bind_text *out, const lex_words *arguments, int i, bool quoted) {
  const char *end = arguments->text[i] + arguments->size[i];
  if (quoted) {
    bind_add(out, "\"");
  }
  for (const char *p = arguments->text[i], *next; p < end; p = next) {
    next = lex_step(p);
    if (strchr(" \t\n", *p) || lex_is_comment(p)) {
      next = lex_step_blanks(p);
      bind_add(out, " ");
      continue;
    }
    for (; p < next; p++) {
      if (quoted && (*p == '"' || *p == '\\')) {
        bind_add(out, "\\");
      }
      bind_raw(out, p, 1);
    }
  }
  if (quoted) {
    bind_add(out, "\"");
  }
}

/* Return the text of a call of the macro. */
static char *lex_substitute(const char *body, const lex_words *parameters,
                            const lex_words *arguments) {
  bind_text out = {0};
  bind_add(&out, " ");
  for (const char *p = body, *next; *p && *p != '\n'; p = next) {
    next = lex_step(p);
    const bool quoted = *p == '#' && p[1] != '#';
    const char *name = p;
    if (quoted) {
      name = lex_step_blanks(p + 1);
    }
    const char *end = lex_step(name);
    const int i = lex_which(parameters, name, (size_t)(end - name));
    if (*p == '#' && p[1] == '#') {
      while (out.length && strchr(" \t", out.data[out.length - 1])) {
        out.length--;
      }
      next = lex_step_blanks(p + 2);
      /* GNU: ", ## rest" disappears if there is no rest. */
      const int rest = lex_which(parameters, next, (size_t)(lex_step(next) - next));
      const bool none = rest >= 0 && parameters->variadic && rest + 1 == parameters->count &&
                        !arguments->size[rest];
      if (none && out.length && out.data[out.length - 1] == ',') {
        out.length--;
      }
    } else if (i >= 0) {
      lex_put_argument(&out, arguments, i, quoted);
      next = end;
    } else if (lex_is_comment(p)) {
      bind_add(&out, " ");
    } else {
      bind_raw(&out, p, (size_t)(next - p));
    }
  }
  char *text = bind_sized(out.data, out.length);
  bind_text_free(&out);
  return text;
}

const char *lex_call(const lex_macro *macro, const char *open, const char **back) {
  lex_words parameters = {0};
  lex_words arguments = {0};
  const char *body = lex_read_parameters(macro->body, &parameters);
  arguments.variadic = parameters.variadic;
  *back = NULL;
  if (body) {
    *back = lex_read_words(open, parameters.count, &arguments);
  }
  if (!*back || arguments.count + parameters.variadic < parameters.count) {
    return NULL;
  }
  for (; arguments.count < parameters.count; arguments.count++) {
    arguments.text[arguments.count] = "";
  }
  return lex_substitute(body, &parameters, &arguments);
}
