/* SPDX-License-Identifier: Apache-2.0 */
#include "axes.h"
#include "bind/base/text.h"

static bool axes_find_kind(const bind_clause *c, bind_axes_kind *kind) {
  if (clause_is(c, 2, "shape")) {
    *kind = BIND_AXES_SHAPE;
  } else if (clause_is(c, 2, "strides")) {
    *kind = BIND_AXES_STRIDES;
  } else if (clause_is(c, 2, "rank")) {
    *kind = BIND_AXES_RANK;
  } else {
    return false;
  }
  return true;
}

clause_found axes_read(const bind_clause *c, axes_clause *out, const char **why) {
  bind_axes_kind kind;
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":=") || !axes_find_kind(c, &kind) ||
      !clause_is(c, 3, "(")) {
    return CLAUSE_OTHER;
  }
  const bool two = clause_is(c, 5, ",");
  const int close = two ? 7 : 5;
  *why = bind_string("`%s`: expected `%s(TENSOR)`, or `%s(TENSOR, ARRAY)` with an array that has a "
                     "number for each axis",
                     clause_name(c, 2),
                     clause_name(c, 2),
                     clause_name(c, 2));
  if (!clause_has_name(c, 4) || (two && !clause_has_name(c, 6)) || !clause_is(c, close, ")") ||
      c->count != close + 1) {
    return CLAUSE_REFUSED;
  }
  *out = (axes_clause){.param = clause_name(c, 0),
                       .kind = kind,
                       .tensor = clause_name(c, 4),
                       .like = two ? clause_name(c, 6) : NULL};
  out->text = bind_string(
      "%s(%s%s%s)", clause_name(c, 2), out->tensor, two ? ", " : "", two ? out->like : "");
  return CLAUSE_READ;
}
