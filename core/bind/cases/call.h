/* SPDX-License-Identifier: Apache-2.0 */
/* Between call.c (a call made from numbers), judge.c (the verdict on it), find.c (one that is accepted),
 * keep.c, break.c, limit.c (those that are refused) and cases.c. */
#ifndef DLFERRY_BIND_CASES_CALL_H
#define DLFERRY_BIND_CASES_CALL_H

#include "bind/read/ir.h"
#include "cases.h"
#include "contract/contract.h"

enum {
  CASES_ITEMS = 16,              /* of a list or an array at most */
  CASES_BYTES = (1 << 20) - 512, /* of a tensor at most */
  CASES_STEPS = 200000           /* of the search for a function's calls at most */
};

/* What a call is made from: a value for each name of the contract. */
typedef struct cases_plan {
  int64_t integers[DLF__MAX_SYMBOLS];
  double reals[DLF__MAX_SYMBOLS];
  int run;       /* axes that `...` stands for */
  bool positive; /* no extent may be 0 */
  bool distinct; /* no two names may have the same value, nor an extent 1 */
  bool few;      /* of values that no other name has one at most is tried */
  bool only;     /* to break one constraint no other may be broken */
} cases_plan;

typedef struct cases_finder {
  const bind_ir *ir;
  const bind_function *f;
  dlf_contract *contract;
  cases_plan plan; /* of the accepted call */
  int steps;       /* left */
  int64_t *integer_candidates;
  double *real_candidates;
  int integer_count, real_count;
  dlf_value *arguments; /* cases_judge's */
  DLTensor *tensors;
  dlf_arg *items;
  bind_case *scratch; /* filled again and again */
  bind_case *first, *last;
  const char **keys; /* what kept cases were refused with, numbers left out */
  int key_count, key_capacity;
  const char *unbroken; /* rules, one a line */
} cases_finder;

/* ---- call.c ---- */

/* The parameter of callers that a clause or an array is about, and where it is among f->params. */
const bind_param *cases_param(const cases_finder *s, int32_t parameter);
int cases_index(const cases_finder *s, const bind_param *p);

/* Compute an expression; true when it does not fit in 64 bits. */
bool cases_integer(const cases_finder *s, const cases_plan *plan, int32_t node, int64_t *out);
/* The extent of an axis, if it is one that a test may have: one of 1 hides what strides are. */
bool cases_extent(const cases_finder *s, const cases_plan *plan, const dlf__axis *axis, int64_t *out);
double cases_real(const cases_finder *s, const cases_plan *plan, int32_t node);

bind_case *cases_new_call(const cases_finder *s);
bind_case *cases_copy(const cases_finder *s, const bind_case *from);

/* The function that makes a handle for tests, or NULL until one is found. */
const bind_function *cases_find_maker(const bind_ir *ir, const bind_handle *handle);

/* Fill in what follows from shape and strides; compact strides. */
void cases_measure(bind_case_tensor *t);
void cases_compact(bind_case_tensor *t, bool column_major);

/* Make the call of a plan; false when there is none, such as for an extent below 0. */
bool cases_fill(cases_finder *s, const cases_plan *plan, bind_case *call);

/* ---- judge.c ---- */

/* Say what the twin says. */
dlf_status cases_judge(cases_finder *s, const bind_case *call, dlf_error *error);

/* ---- find.c ---- */

/* Find an accepted call: fills plan and scratch. */
bool cases_find(cases_finder *s);

/* Tell whether a parameter can have a value. */
bool cases_fits(const bind_param *p, int64_t integer, double real);

/* As the matcher; a NaN does not occur. */
bool cases_holds(const cases_finder *s, const cases_plan *plan, const dlf__constraint *k);

/* The parameter that a name is, or NULL for one of extents. */
const bind_param *cases_number(const cases_finder *s, int32_t symbol);

/* ---- keep.c ---- */

/* Keep the call in scratch. */
void cases_keep(cases_finder *s, const char *name, bind_broken broken, const bind_param *p, dlf_status status,
                const char *text);

/* Judge the call in scratch; true when it is refused and p is to blame, if there is a p: of two tensors that do not go
 * together the one that binds later is. It is kept then, unless a case says the same already. */
bool cases_try(cases_finder *s, bind_broken broken, const bind_param *p, const char *name);

/* Note a rule that no case breaks. */
void cases_miss(cases_finder *s, const char *rule);

/* The accepted call once more in scratch: of f_new if p, the parameter to be changed, is not one that it makes. */
bool cases_reset(cases_finder *s, const bind_param *p);

/* ---- break.c, limit.c ---- */

/* Add the calls that are refused, and note the rules that none of them breaks. */
void cases_break_clauses(cases_finder *s);
void cases_break(cases_finder *s);

#endif
