/* SPDX-License-Identifier: Apache-2.0 */
/* "return: borrows p", "out: borrows p": an object that C frees with that of p. */
#ifndef DLFERRY_BIND_CLAUSES_BORROW_H
#define DLFERRY_BIND_CLAUSES_BORROW_H

#include "gift.h"

typedef struct borrow_clause {
  const char *param; /* or "return" */
  const char *from;  /* the parameter with the owner */
} borrow_clause;

/* Read "NAME: borrows NAME". */
clause_found borrow_read(const bind_clause *c, borrow_clause *out, const char **why);

#endif
