/* SPDX-License-Identifier: Apache-2.0 */
#include "borrow.h"

clause_found borrow_read(const bind_clause *c, borrow_clause *out, const char **why) {
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":") || !clause_is(c, 2, "borrows")) {
    return CLAUSE_OTHER;
  }
  *why = "`borrows`: expected the name of a parameter";
  if (c->count != 4 || !clause_has_name(c, 3) || clause_has_number(c, 3)) {
    return CLAUSE_REFUSED;
  }
  *out = (borrow_clause){clause_name(c, 0), clause_name(c, 3)};
  return CLAUSE_READ;
}
