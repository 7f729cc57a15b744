/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens of a C header, and what was found beside them: comments, constants. */
#ifndef DLFERRY_BIND_C_TOKEN_H
#define DLFERRY_BIND_C_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
  const char *text; /* not ended by NUL */
  uint32_t size;
  int line;
  lex_kind kind;
  uint16_t header;    /* index of the header that it is in */
  bool elsewhere;     /* in an included file, in preprocessed input */
  const char *file;   /* where it is, in messages */
  const char *before; /* doc comment just before, with its marks, or NULL */
  const char *after;  /* trailing doc comment ("/ **<") just after, or NULL */
  const char *note;   /* plain comments between brackets: before it, or behind it on its line */
} lex_token;

typedef enum lex_constant_kind {
  LEX_OTHER_CONSTANT,
  LEX_INTEGER_CONSTANT,
  LEX_REAL_CONSTANT,
  LEX_WIDE_CONSTANT /* an integer that does not fit in int64_t */
} lex_constant_kind;

/* A macro that begins like a number or a character: `#define ROW_MAJOR 101`. */
typedef struct lex_constant {
  const char *name;
  lex_constant_kind kind;
  int64_t integer;
  bool is_unsigned; /* a number in it has the suffix U */
  const char *real; /* its literal */
  int header, line;
} lex_constant;

/* A macro of arithmetic with names, which may be enumerators: `#define K_TWO (K_ONE + 1)`. */
typedef struct lex_expression {
  const char *name;
  lex_token *tokens; /* the last one is LEX_END */
  int header, line;
} lex_expression;

/* Where a doc comment is, for messages. */
typedef struct lex_comment {
  const char *text; /* as tokens have it */
  int line, column; /* of its first byte */
} lex_comment;

typedef struct lex_list {
  lex_comment *comments;
  int comment_count, comment_capacity;
  lex_token *tokens; /* the last one is LEX_END */
  int count;
  const char *file_doc;    /* first doc comment that has @file, or NULL */
  lex_constant *constants; /* in the header's order */
  int constant_count;
  lex_expression *expressions; /* of them, those with names */
  int expression_count;
  int lost; /* contracts in comments that document nothing; each was printed */
} lex_list;

/* Find and report contracts that no function has: their checks would never run. */
bool lex_has_contract(const char *comment, size_t size);
void lex_say_lost(const char *file, int line);

/* The parser asks this dozens of times for each token: the first byte decides nearly always.
 * Compilers know the size of a text that is written in the call. */
static inline bool lex_is(const lex_token *token, const char *text) {
  return *text == *token->text && token->kind != LEX_STRING && token->size == strlen(text) &&
         memcmp(token->text, text, token->size) == 0;
}

/* The same for each word of a space-separated list. */
bool lex_is_any(const lex_token *token, const char *words);

char *lex_copy(const lex_token *token);

#endif
