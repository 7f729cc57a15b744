/* SPDX-License-Identifier: Apache-2.0 */
#include "origin.h"

bool origin_is(const bind_clause *c) {
  return clause_has_name(c, 0) && clause_is(c, 1, "made");
}

clause_found origin_read(const bind_clause *c, origin_clause *out, const char **why) {
  if (!origin_is(c)) {
    return CLAUSE_OTHER;
  }
  *why = "`made`: expected `NAME made from NAME`, with the names of two objects";
  if (c->count != 4 || !clause_is(c, 2, "from") || !clause_has_name(c, 3)) {
    return CLAUSE_REFUSED;
  }
  *out = (origin_clause){clause_name(c, 0), clause_name(c, 3)};
  return CLAUSE_READ;
}
