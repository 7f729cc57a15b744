/* SPDX-License-Identifier: Apache-2.0 */
/* Where a clause stands. Contracts of comments and files are joined before they are compiled, so a
 * mistake's place is found when it is reported: by its clause, or by the names in its message. */
#ifndef DLFERRY_BIND_CLAUSES_PLACE_H
#define DLFERRY_BIND_CLAUSES_PLACE_H

#include "bind/c/token.h"
#include "sidecar.h"

/* A text with contracts: the clauses alone, and of each byte the line and the column. */
typedef struct place_text {
  char *clauses;
  const char **at; /* of each byte: where it is in the text */
  const char *start;
  const char *file;
  int line, column; /* of the text's first byte */
  bool line_comment;
} place_text;

typedef struct place_found {
  const char *file;
  int line, column;
} place_found;

place_text place_of_block(const sidecar *s, const sidecar_block *block);
place_text place_of_comment(const char *file, const lex_comment *comment);

/* How a family's members write the dtype: T for f32. */
typedef struct place_family {
  const char *variable, *dtype;
} place_family;

/* Find the character of a clause, from 0; blanks do not matter. False if the text has no such
 * clause. */
bool place_find_clause(const place_text *text, const char *clause, size_t character,
                       const place_family *family, place_found *out);

/* Find a part of a clause; blanks do not matter. */
bool place_find_part(const place_text *text, const char *part, place_found *out);

/* Find what a message names: "x: the contract says f32, ..." is about f32 in the clause of x, or
 * about its first word. */
bool place_find_named(const place_text *text, const char *message, place_found *out);

/* Line and column of a place in a file's text. */
place_found place_in_file(const char *file, const char *text, const char *at);

#endif
