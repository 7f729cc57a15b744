/* SPDX-License-Identifier: Apache-2.0 */
/* A contract's arithmetic as C: evaluate.c of the contract language computes the same. Where 64
 * bits do not suffice, the C clears dlf_sure. */
#ifndef DLFERRY_BIND_TWIN_EXPRESSION_H
#define DLFERRY_BIND_TWIN_EXPRESSION_H

#include "contract/contract.h"

/* The C around an expression, which decides how a name is spelled. */
typedef enum expression_place {
  EXPRESSION_IN_CHECK, /* dlferry_fits_NAME: extents are constants dlf_axis_NAME */
  EXPRESSION_BEFORE,   /* the twin before the call: extents are read from tensors */
  EXPRESSION_AFTER     /* the twin after it: an extent that C reports is what it reported */
} expression_place;

const char *expression_symbol(const dlf_contract *c, int32_t symbol, expression_place place);
const char *expression_integer(const dlf_contract *c, int32_t node, expression_place place);
/* In double. */
const char *expression_real(const dlf_contract *c, int32_t node, expression_place place);

/* The condition that a constraint on numbers holds; true even where dlf_sure is cleared. */
const char *expression_test(const dlf_contract *c, const dlf__constraint *constraint,
                            expression_place place);

/* Tell whether an expression is more than a name or a number, so that it needs dlf_sure. */
bool expression_computes(const dlf_contract *c, int32_t node);

#endif
