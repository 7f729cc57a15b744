/* SPDX-License-Identifier: Apache-2.0 */
/* The clause of an object that C uses only with the one that it was made from: "data made from
 * model". */
#ifndef DLFERRY_BIND_CLAUSES_ORIGIN_H
#define DLFERRY_BIND_CLAUSES_ORIGIN_H

#include "gift.h"

typedef struct origin_clause {
  const char *param, *from;
} origin_clause;

/* Tell whether a clause begins like one: "NAME made ...". */
bool origin_is(const bind_clause *c);

clause_found origin_read(const bind_clause *c, origin_clause *out, const char **why);

#endif
