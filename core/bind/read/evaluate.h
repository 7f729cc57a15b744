/* SPDX-License-Identifier: Apache-2.0 */
/* Integer constant expressions of #if and enum. */
#ifndef DLFERRY_BIND_READ_EVALUATE_H
#define DLFERRY_BIND_READ_EVALUATE_H

#include "lex.h"
#include <stdint.h>

/* What names mean in a constant expression: the value of an enumerator; the size of a typedef's type, or 0. */
typedef struct lex_names {
  bool (*value)(void *context, const lex_token *name, int64_t *value);
  int (*size)(void *context, const lex_token *name, bool *is_unsigned);
  void *context;
} lex_names;

/* Evaluate a constant expression from tokens[*at] on; stops at what cannot belong to it. NULL, or what is wrong:
 * lex_too_large when only int64_t is too small for it. Without names it is an #if, in which every integer has 64 bits
 * and every name is 0. */
const char *lex_evaluate(const lex_token *tokens, size_t *at, const lex_names *names, int64_t *value);
extern const char lex_too_large[];

#endif
