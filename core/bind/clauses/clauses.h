/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses that the generator reads itself, before a contract is compiled: they decide what the
 * parameters are. */
#ifndef DLFERRY_BIND_CLAUSES_CLAUSES_H
#define DLFERRY_BIND_CLAUSES_CLAUSES_H

#include "axes.h"
#include "borrow.h"
#include "collect.h"
#include "file.h"
#include "gift.h"
#include "origin.h"
#include "report.h"
#include "texts.h"
#include <stdbool.h>

typedef struct clause_words {
  keep_clause *keeps;
  int keep_count, keep_capacity;
  origin_clause *origins;
  int origin_count, origin_capacity;
  const char *lock; /* the name of a lock of the process, or NULL */
  gift_clause *gifts;
  int gift_count, gift_capacity;
  text_clause *given_texts; /* texts that a `const char *` alone does not tell */
  int given_text_count, given_text_capacity;
  axes_clause *axes; /* arguments with the axes of a tensor */
  int axes_count, axes_capacity;
  collect_clause collect; /* the callback that only collects; its param is NULL without one */
  report_clause report;   /* where C reports a failure; its param is NULL without one */
  const char *rename;     /* the function's name for callers, or NULL */
  bool hide;              /* callers do not get the function */
  bool ignored;           /* nor what it returns, such as its own argument */
  const char *number;     /* the dtype of what it returns, a char or a long double of C; or NULL */
  const char
      *property;  /* the name of the property that it reads or sets, "" for its own, or NULL */
  bool method;    /* it is no property */
  bool unchanged; /* it leaves alone what its objects have lent */
  borrow_clause borrow;   /* its param is NULL without one */
  const char *interfaces; /* parameters with `x := array_interface(x)`, as words; "" for none */
  const char *scratch;    /* parameters with `x := scratch(n)`, as words; "" for none */
  const char *texts;      /* each `const char *` and each pointer to a const struct with `x: in`, as
                             words; NULL until C's types are known */
  clause_list freed;      /* each `x: out freed f`, in the rest as `x: out` */
  clause_list rest;       /* the contract without these clauses */
  const char *wrong;      /* the clause that is wrong, or NULL */
  const char *part;       /* of it, or NULL for its start */
} clause_words;

/* Take the clauses `hide`, `rename NAME`, `property NAME`, `method`, `unchanged`, `gives`, `keeps`,
 * `lock`, `borrows`, `x: status`, `x: out freed f` and `x := array_interface(x)` out of a contract,
 * and guesses, which begin with
 * `?`. False, with *why, if they are wrong. */
bool clauses_take(const clause_list *contract, clause_words *out, const char **why);

/* Tell whether a clause is "handle X freed f ..." or "handle X unowned ...". */
bool clauses_is_handle(const bind_clause *c);

/* Tell whether a clause is "lock NAME". */
bool clauses_is_lock(const bind_clause *c);

typedef enum clause_use {
  CLAUSE_NONE,
  CLAUSE_UNSAID,
  CLAUSE_IN,
  CLAUSE_OUT,
  CLAUSE_INOUT
} clause_use;

/* How the clause of a parameter says that C uses a tensor: "x: inout f32[n]"; CLAUSE_NONE without
 * such a clause. */
clause_use clauses_tensor(const clause_list *contract, const char *name);

typedef struct clause_pointee {
  bool said, in, out, opt;
  const char *dtype; /* or NULL */
} clause_pointee;

/* Read the clause of one number behind a pointer or of a text: "alpha: c64", "n: out i32", "name:
 * opt". */
clause_pointee clauses_pointee(const clause_list *contract, const char *name);
/* Tell whether a contract says "NAME: inout" of a number. */
bool clauses_changes(const clause_list *contract, const char *name);

/* Tell whether all clauses are guesses whose mark is still there; false for a contract without
 * clauses. */
bool clauses_only_guess(const clause_list *contract);

#endif
