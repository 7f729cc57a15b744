/* SPDX-License-Identifier: Apache-2.0 */
#include "collect.h"
#include "bind/base/text.h"

/* Read "name", "opt name", "entry->name", each also with "[size]" and "as NAME"; return the part
 * behind it, -1 for something else. */
static int collect_read_item(const bind_clause *c, int part, collect_item *out) {
  *out = (collect_item){.optional = clause_is(c, part, "opt")};
  part += out->optional;
  out->param = out->name = clause_name(c, part++);
  if (clause_is(c, part, "-") && clause_is(c, part + 1, ">")) {
    out->field = out->name = clause_name(c, part + 2);
    part += 3;
  }
  if (clause_is(c, part, "[") && clause_is(c, part + 2, "]")) {
    out->size = clause_name(c, part + 1);
    part += 3;
  }
  if (clause_is(c, part, "as")) {
    out->name = clause_name(c, part + 1);
    part += 2;
  }
  return *out->param && *out->name ? part : -1;
}

clause_found collect_read(const bind_clause *c, collect_clause *out, const char **why) {
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":") || !clause_is(c, 2, "collects")) {
    return CLAUSE_OTHER;
  }
  if (out->param) {
    *why = "expected one callback that `collects`";
    return CLAUSE_REFUSED;
  }
  out->param = clause_name(c, 0);
  *why = "`collects`: expected names of what C passes to the callback, `NAME`, `opt NAME`, "
         "`NAME->FIELD`, `NAME[SIZE]` or `NAME as NAME`, `,` between them";
  int part = 2;
  do {
    collect_item item;
    part = collect_read_item(c, part + 1, &item);
    if (part < 0) {
      return CLAUSE_REFUSED;
    }
    BIND_ADD(out->items, out->count, out->capacity, item);
  } while (clause_is(c, part, ","));
  return part == c->count ? CLAUSE_READ : CLAUSE_REFUSED;
}
