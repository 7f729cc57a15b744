/* SPDX-License-Identifier: Apache-2.0 */
/* The clause of a callback that only tells callers something: "callback: collects name, opt value,
 * entry->level as levels, line->content[content_len]". */
#ifndef DLFERRY_BIND_CLAUSES_COLLECT_H
#define DLFERRY_BIND_CLAUSES_COLLECT_H

#include "gift.h"

/* What C passes to it and callers get, as a list. */
typedef struct collect_item {
  const char *param; /* of the callback */
  const char *field; /* of the struct behind it, or NULL */
  const char *name;  /* of the list: the field's, the parameter's, or that behind `as` */
  const char *size;  /* of a text without a NUL: its length, a parameter or a field beside it */
  bool optional;     /* a text may be NULL */
} collect_item;

typedef struct collect_clause {
  const char *param; /* of C, a pointer to a function; NULL without a clause */
  collect_item *items;
  int count, capacity;
} collect_clause;

/* Read such a clause. */
clause_found collect_read(const bind_clause *c, collect_clause *out, const char **why);

#endif
