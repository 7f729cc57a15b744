/* SPDX-License-Identifier: Apache-2.0 */
#include "gift.h"
#include "bind/base/names.h"
#include <string.h>

/* Return what stands between two places of a clause. */
static const char *gift_between(const char *start, const char *end) {
  return bind_sized(start, (size_t)(end - start));
}

/* Return the part that closes the bracket that a part opens; -1 for none. */
static int gift_close(const bind_clause *c, int open) {
  int depth = 0;
  for (int i = open; i < c->count; i++) {
    depth += clause_is(c, i, "[") - clause_is(c, i, "]");
    if (!depth) {
      return i;
    }
  }
  return -1;
}

/* The dtype and the extents: "f32[len]", or "f32[extents[rank]]". Parts 0 to 2 are `NAME : gives`.
 * Returns the part behind the extents, or -1. */
static int gift_read_shape(const bind_clause *c, gift_clause *out, const char **dtype) {
  const int open = clause_find_part(c, 3, "[");
  if (open < 0) {
    return -1;
  }
  const int close = gift_close(c, open);
  if (close < 0) {
    return -1;
  }
  const int inner = clause_find_part(c, open + 1, "[");
  *dtype = gift_between(c->parts[3].at, c->parts[open].at);
  out->shape = gift_between(c->parts[open + 1].at, c->parts[close].at);
  if (inner < 0 || inner > close) {
    return close + 1;
  }
  out->extents = clause_name(c, open + 1);
  out->rank = clause_name(c, open + 3);
  const bool plain = inner == open + 2 && close == open + 5 && clause_is(c, open + 4, "]");
  if (!plain || !*out->extents || !*out->rank) {
    return -1;
  }
  return close + 1;
}

/* "freed f" or "freed f(handle)". Returns the part behind it, or -1. */
static int gift_read_freed(const bind_clause *c, int freed, gift_clause *out) {
  out->kind = BIND_GIFT_FREED;
  out->freed = clause_name(c, freed + 1);
  if (!*out->freed) {
    return -1;
  }
  if (!clause_is(c, freed + 2, "(")) {
    return freed + 2;
  }
  out->handle = clause_name(c, freed + 3);
  if (!*out->handle || !clause_is(c, freed + 4, ")")) {
    return -1;
  }
  return freed + 5;
}

static const char gift_kinds[] =
    "expected one of `copied`, `lent until free`, `lent until change` and `freed NAME` at the end";

/* "copied", "lent until free", "lent until change", "freed f", "freed f(handle)"; other words
 * belong to the tensor. */
static bool gift_read_kind(const bind_clause *c, int part, gift_clause *out, const char **layout,
                           const char **why) {
  int behind = -1; /* the part behind the kind */
  const int first = part;
  *why = gift_kinds;
  out->kind = BIND_GIFT_COPIED;
  for (; part < c->count && behind < 0; part++) {
    if (!clause_has_name(c, part)) {
      return false;
    }
    if (clause_is(c, part, "copied")) {
      behind = part + 1;
    } else if (clause_is(c, part, "lent")) {
      out->kind = BIND_GIFT_LENT;
      out->until_change = clause_is(c, part + 2, "change");
      behind = part + 3;
      if (!clause_is(c, part + 1, "until") ||
          !(out->until_change || clause_is(c, part + 2, "free"))) {
        return false;
      }
    } else if (clause_is(c, part, "freed")) {
      behind = gift_read_freed(c, part, out);
      if (behind < 0) {
        *why = "expected `freed NAME` or `freed NAME(HANDLE)`";
        return false;
      }
    }
  }
  const int last = behind < 0 ? c->count : part - 1;
  for (int i = first; i < last; i++) {
    *layout = bind_string("%s %s", *layout, clause_name(c, i));
  }
  return behind < 0 || behind == c->count;
}

clause_found gift_read(const bind_clause *c, gift_clause *out, const char **why) {
  const char *dtype = "";
  const char *layout = "";
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":") || !clause_is(c, 2, "gives")) {
    return CLAUSE_OTHER;
  }
  *out = (gift_clause){.param = clause_name(c, 0), .shape = ""};
  *why = "`gives`: expected a dtype and extents";
  const int behind = gift_read_shape(c, out, &dtype);
  if (behind < 0 || !gift_read_kind(c, behind, out, &layout, why)) {
    return CLAUSE_REFUSED;
  }
  const char *name = out->param;
  if (strcmp(name, "return") == 0) {
    name = "result";
  }
  const char *shape = out->shape;
  if (out->extents) {
    shape = "...";
  }
  out->clause = bind_string("%s: %s[%s]%s", name, dtype, shape, layout);
  return CLAUSE_READ;
}

clause_found gift_read_keep(const bind_clause *c, keep_clause *out, const char **why) {
  const bool taken = clause_is(c, 0, "takes");
  if (!(taken || clause_is(c, 0, "keeps")) || !clause_has_name(c, 1)) {
    return CLAUSE_OTHER;
  }
  *why = "`keeps`: expected `keeps NAME in result`, or the name of a handle";
  if (taken) {
    *why = "`takes`: expected `takes NAME in NAME`, with the names of two handles, or `takes NAME`";
  }
  *out = (keep_clause){.param = clause_name(c, 1), .taken = taken};
  if (taken && c->count == 2) {
    return CLAUSE_READ;
  }
  int in = 2;
  if (!taken && clause_is(c, 2, "-") && clause_is(c, 3, ">") && clause_has_name(c, 4)) {
    out->field = clause_name(c, 4);
    in = 5;
  }
  if (!clause_is(c, in, "in") || !clause_has_name(c, in + 1) || c->count != in + 2) {
    return CLAUSE_REFUSED;
  }
  out->in = clause_name(c, in + 1);
  return CLAUSE_READ;
}
