/* SPDX-License-Identifier: Apache-2.0 */
/* Integer constant expressions of #if and enum. */
#ifndef DLFERRY_BIND_C_EVALUATE_H
#define DLFERRY_BIND_C_EVALUATE_H

#include "token.h"
#include <stdint.h>

/* Look up names in a constant expression: the value of an enumerator; the size of a typedef's type,
 * or 0. NULL: no name has one. */
typedef struct lex_names {
  bool (*value)(void *context, const lex_token *name, int64_t *value);
  int (*size)(void *context, const lex_token *name, bool *is_unsigned);
  void *context;
} lex_names;

/* Evaluate a constant expression from tokens[*at] on, and stop at the first other token. Returns
 * NULL or an error text: lex_too_large if the value does not fit in int64_t. Without names it is an
 * #if, in which every integer has 64 bits and every name is 0. */
const char *lex_evaluate(const lex_token *tokens, size_t *at, const lex_names *names,
                         int64_t *value);
extern const char lex_too_large[];

#endif
