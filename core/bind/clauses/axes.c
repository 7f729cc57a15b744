/* SPDX-License-Identifier: Apache-2.0 */
#include "axes.h"
#include "bind/base/text.h"

static bool axes_find_kind(const bind_clause *c, bind_axes_kind *kind) {
  static const char *const words[] = {
      [BIND_AXES_SHAPE] = "shape", [BIND_AXES_STRIDES] = "strides", [BIND_AXES_RANK] = "rank"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (clause_is(c, 2, words[i])) {
      *kind = (bind_axes_kind)i;
      return true;
    }
  }
  return false;
}

clause_found axes_read(const bind_clause *c, axes_clause *out, const char **why) {
  bind_axes_kind kind;
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":=") || !axes_find_kind(c, &kind) ||
      !clause_is(c, 3, "(")) {
    return CLAUSE_OTHER;
  }
  const char *word = clause_name(c, 2);
  const bool two = clause_is(c, 5, ",");
  const int close = two ? 7 : 5;
  *why = bind_string("`%s`: expected `%s(TENSOR)`, or `%s(TENSOR, ARRAY)` with an array that has a "
                     "number for each axis",
                     word,
                     word,
                     word);
  if (!clause_has_name(c, 4) || (two && !clause_has_name(c, 6)) || !clause_is(c, close, ")") ||
      c->count != close + 1) {
    return CLAUSE_REFUSED;
  }
  *out = (axes_clause){.param = clause_name(c, 0),
                       .kind = kind,
                       .tensor = clause_name(c, 4),
                       .like = two ? clause_name(c, 6) : NULL};
  out->text = bind_string("%s(%s)", word, bind_join(out->tensor, ", ", bind_or(out->like, "")));
  return CLAUSE_READ;
}
