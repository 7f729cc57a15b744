/* SPDX-License-Identifier: Apache-2.0 */
/* C's own types, as the keywords that stand in a declaration. */
#ifndef DLFERRY_BIND_C_ARITHMETIC_TYPE_H
#define DLFERRY_BIND_C_ARITHMETIC_TYPE_H

#include "parser.h"

/* A run of keywords for one type: "unsigned long int". */
typedef struct parse_keywords {
  int longs, shorts, signs, unsigneds, ints, chars, floats, doubles, complexes, others, count;
} parse_keywords;

/* Return the place where a keyword of C's own types is counted; NULL for another word. */
int *parse_count_of(parse_keywords *k, const lex_token *t);

/* Return the type that the keywords name together. */
c_type *parse_arithmetic(const parse_keywords *k, const char *spelling);

#endif
