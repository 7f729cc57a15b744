/* SPDX-License-Identifier: Apache-2.0 */
/* A C header as tokens. */
#ifndef DLFERRY_BIND_READ_LEX_H
#define DLFERRY_BIND_READ_LEX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum lex_kind {
  LEX_END,
  LEX_NAME,
  LEX_NUMBER,
  LEX_STRING,
  LEX_CHARACTER,
  LEX_MARK,
  LEX_IGNORED /* a macro of --ignore-macro; lex_header takes it out */
} lex_kind;

typedef struct lex_token {
  lex_kind kind;
  const char *text; /* not ended by NUL */
  size_t size;
  int line;
  bool elsewhere;     /* in an included file, in preprocessed input */
  const char *file;   /* that file, or NULL */
  const char *before; /* doc comment just before, with its marks, or NULL */
  const char *after;  /* trailing doc comment ("/ **<") just after, or NULL */
} lex_token;

typedef struct lex_list {
  lex_token *tokens; /* the last one is LEX_END */
  int count;
  const char *file_doc;   /* first doc comment that has @file, or NULL */
  const char **constants; /* macros that are numbers or characters: `#define ROW_MAJOR 101` */
  int constant_count;
  int lost; /* contracts in comments that document nothing; each was printed */
} lex_list;

/* Split a header into tokens without comments, conditionals and macros. `file` is its name in errors. `ignore` is a
 * NULL-ended list of macros that count as empty, with their arguments in parentheses. In two cases the arguments stay:
 * the type in "API(int) f(void);", and the parameters in "int f ARGS((int x));". False after bind_error. */
bool lex_header(const char *file, const char *text, size_t size, const char *const *ignore, lex_list *out);

/* Find and report contracts that no function has: their checks would never run. */
bool lex_has_contract(const char *comment, size_t size);
void lex_say_lost(const char *file, int line);

bool lex_is(const lex_token *token, const char *text);
char *lex_copy(const lex_token *token);

#endif
