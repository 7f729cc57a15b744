/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by macro.c, token.c (comments, tokens), directive.c (lines with #) and lex.c (the whole
 * text). */
#ifndef DLFERRY_BIND_C_LEXER_H
#define DLFERRY_BIND_C_LEXER_H

#include "bind/base/names.h"
#include "token.h"

enum { LEX_MAX_TOKENS = 1 << 20, LEX_MAX_NESTING = 64 };

typedef struct lex_macro {
  char *name, *body; /* a function-like one's body begins with its parameters: "(a, b) a + b" */
  bool function_like, busy;
  bool undefined;   /* by #undef */
  bool elsewhere;   /* in an included file, in preprocessed input */
  int header, line; /* where it is, in messages */
} lex_macro;

typedef struct lexer {
  const char *file;
  const char *const *ignore;
  const char *at;
  const char *text; /* that of the header */
  int line;
  lex_list *out;
  int capacity;
  lex_macro *macros;
  int macro_count, macro_capacity;
  bind_index
      places; /* of macros: a header may have thousands, and each of its names is looked up */
  const char *before; /* waits for the next token */
  int before_line;    /* line on which it ends, for runs of "///" */
  const char *note;   /* the same of a plain comment between brackets */
  int brackets;       /* how many are open: '(' */
  const char *main_file;
  int header;                     /* index of the header at hand */
  int (*which)(const char *file); /* see lex_input */
  const char *const *files;
  const char *where;     /* the included file, while elsewhere */
  bool elsewhere, fresh; /* fresh: at the start of a line */
  bool in_arithmetic;    /* the tokens are only evaluated: an #if, or a macro's value */
  int depth, expanding;
  size_t expanded; /* about the bytes that macros gave */
  struct {
    bool taken, active; /* active: this branch is read; taken: one branch was */
  } conditions[LEX_MAX_NESTING];
} lexer;

static inline bool lex_begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
static inline bool lex_is_digit(char c) {
  return c >= '0' && c <= '9';
}
static inline bool lex_in_name(char c) {
  return lex_begins_name(c) || lex_is_digit(c);
}

/* Tell whether a comment begins here. */
static inline bool lex_is_comment(const char *at) {
  return at[0] == '/' && (at[1] == '*' || at[1] == '/');
}

/* Count the newlines of a text. */
int lex_count_lines(const char *from, const char *to);
/* Print file, line, the problem and the text here; returns false. */
bool lex_error(const lexer *l, const char *problem);
bool lex_push(lexer *l, lex_kind kind, const char *text, size_t size);
/* Skip blanks and comments; false after an error. Stops at a newline when in_line. */
bool lex_skip(lexer *l, bool in_line);
/* Push the token at l->at, which is not a blank. */
bool lex_token_here(lexer *l);

/* Read the rest of the line into a list of its own, of which only arithmetic is wanted, by a reader
 * of one token. */
bool lex_rest_of_line(lexer *l, bool (*read)(lexer *l), lex_list *line);

/* Drop the waiting comment; print an error if it has a contract. */
void lex_lose_comment(lexer *l);

lex_macro *lex_find_macro(const lexer *l, const char *name, size_t size);
void lex_define(lexer *l, const char *name, size_t size, const char *body, bool function_like);
/* Return the text of a call of a function-like macro, whose "(" is at open, or NULL if the
 * arguments do not fit. *back is the end of the call. */
const char *lex_call(const lex_macro *macro, const char *open, const char **back);
const char *lex_step_blanks(const char *text);

/* ---- macro_value.c ---- */

/* Keep the macros whose text begins like a number or a character, with their values. */
void lex_keep_constants(lexer *l, lex_list *out);

/* Follow the directive at l->at. */
bool lex_directive(lexer *l);
/* Tell whether all conditions around are true. */
bool lex_reading(const lexer *l);

#endif
