/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses about memory that the library owns, keeps or guards: "out: gives f32[len] copied", "keeps
 * x in result", "lock planner". */
#ifndef DLFERRY_BIND_CLAUSES_GIFT_H
#define DLFERRY_BIND_CLAUSES_GIFT_H

#include "tree.h"

/* What becomes of memory that the library owns. */
typedef enum bind_gift_kind {
  BIND_GIFT_COPIED, /**< copied during the call */
  BIND_GIFT_LENT,   /**< valid until the handle is freed, so it keeps the handle */
  BIND_GIFT_FREED   /**< the tensor owns it; a function frees it */
} bind_gift_kind;

typedef struct gift_clause {
  const char *param; /* or "return" */
  bind_gift_kind kind;
  bool until_change;   /* of BIND_GIFT_LENT: only until a call changes the handle */
  const char *freed;   /* f of `freed f(handle)`, or NULL */
  const char *handle;  /* NULL without one */
  const char *shape;   /* what stands in the brackets */
  const char *extents; /* of `f32[extents[rank]]`: parameters through which C gives all extents;
                          else NULL */
  const char *rank;
  const char *clause; /* for the contract: "out: f32[len]"; "result: ..." for a returned one */
} gift_clause;

/* "keeps x in result", "keeps info->rate in result", "takes x in chain", "takes x" */
typedef struct keep_clause {
  const char *param;
  const char *field; /* of the struct that the parameter is: a number of it is kept; or NULL */
  const char *in;    /* NULL if C frees the object within the call */
  bool taken;        /* C frees the object with the one that keeps it */
} keep_clause;

/* What a reader of one kind of clause found. */
typedef enum clause_found {
  CLAUSE_OTHER, /* another kind of clause */
  CLAUSE_READ,
  CLAUSE_REFUSED /* its kind, but wrong: *why tells */
} clause_found;

/* Read "keeps NAME in NAME", "keeps NAME->FIELD in NAME", "takes NAME in NAME" and "takes NAME". */
clause_found gift_read_keep(const bind_clause *c, keep_clause *out, const char **why);

/* Read "x: gives f32[n] ...". */
clause_found gift_read(const bind_clause *c, gift_clause *out, const char **why);

#endif
