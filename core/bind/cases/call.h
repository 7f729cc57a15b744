/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by call.c (makes calls), judge.c (gives the verdict), find.c (finds an accepted call),
 * keep.c, break.c, limit.c (find refused ones) and cases.c. */
#ifndef DLFERRY_BIND_CASES_CALL_H
#define DLFERRY_BIND_CASES_CALL_H

#include "bind/ir/ir.h"
#include "cases.h"
#include "contract/contract.h"

enum {
  CASES_ITEMS = 16,              /* of a list or an array at most */
  CASES_BYTES = (1 << 20) - 512, /* of a tensor at most */
  CASES_STEPS = 200000           /* of the search for a function's calls at most */
};

/* The plan of a call: a value for each name of the contract. */
typedef struct cases_plan {
  dlf__numbers numbers;
  int run;       /* axes that `...` stands for */
  bool positive; /* no extent may be 0 */
  bool distinct; /* no two names have the same value, and no extent is 1 */
  bool few;      /* at most one value that no other name has is tried */
  bool only;     /* only one constraint may be broken */
} cases_plan;

typedef struct cases_finder {
  const bind_ir *ir;
  const bind_function *f;
  const dlf_contract *contract;
  cases_plan plan; /* of the accepted call */
  int steps;       /* left */
  int64_t *integer_candidates;
  double *real_candidates;
  int integer_count, real_count;
  dlf_value *arguments; /* cases_judge's */
  DLTensor *tensors;
  dlf_arg *items;
  bind_case *scratch; /* reused for each call */
  bind_case *first, *last;
  const char **keys; /* the messages of kept cases, without numbers */
  int key_count, key_capacity;
  const char *unbroken; /* rules, one a line */
} cases_finder;

/* ---- call.c ---- */

/* Tell whether tests can call f_new: of a family the outputs must follow from its own contract. */
bool cases_makes(const bind_function *f);

/* The callers' parameter of a clause or an array, and its index in f->params. */
const bind_param *cases_param(const cases_finder *s, int32_t parameter);
int cases_index(const cases_finder *s, const bind_param *p);

/* Compute the extent of an axis for a test; an extent of 1 would hide the strides. */
bool cases_extent(const cases_finder *s, const cases_plan *plan, const dlf__axis *axis,
                  int64_t *out);

bind_case *cases_new_call(const cases_finder *s);
bind_case *cases_copy(const cases_finder *s, const bind_case *from);

/* Set the fields that follow from shape and strides; compute compact strides. */
void cases_measure(bind_case_tensor *t);
void cases_compact(bind_case_tensor *t, bool column_major);

/* Make the call of a plan; false if that is impossible, for example for an extent below 0. */
bool cases_fill(cases_finder *s, const cases_plan *plan, bind_case *call);

/* The number that the plan takes for a hook. */
int64_t cases_hooked(const cases_finder *s, int32_t hook);

/* ---- fact.c ---- */

/* The number that an object keeps since the tests made it; false if no test knows it. */
bool cases_recall(const cases_finder *s, int32_t hook, int64_t *out);

/* ---- judge.c ---- */

/* Compute the status and text that the twin gives, if hooks return what the plan says. */
dlf_status cases_judge(cases_finder *s, const bind_case *call, dlf_error *error);

/* The same if they do not depend on what hooks return, else DLF_OK. */
dlf_status cases_judge_surely(cases_finder *s, const bind_case *call, dlf_error *error);

/* ---- find.c ---- */

/* Find an accepted call: fills plan and scratch. */
bool cases_find(cases_finder *s);

/* Tell whether a parameter can have a value. */
bool cases_fits(const bind_param *p, int64_t integer, double real);

/* Tell whether a plan keeps a constraint, as the matcher does. */
bool cases_holds(const cases_finder *s, const cases_plan *plan, const dlf__constraint *k);

/* Return the parameter of a name, or NULL for a name of extents. */
const bind_param *cases_number(const cases_finder *s, int32_t symbol);

/* ---- keep.c ---- */

/* Keep the call in scratch. */
void cases_keep(cases_finder *s, const char *name, bind_broken broken, const bind_param *p,
                dlf_status status, const char *text);

/* Judge the call in scratch. Returns true if it is refused because of p, or for any reason if p is
 * NULL; of two tensors that do not go together, the later one is at fault. The call is then kept,
 * unless a case has the same message, as NAME_WORD. */
bool cases_try(cases_finder *s, bind_broken broken, const bind_param *p, const char *name,
               const char *word);

/* Note a rule that no case breaks: about a parameter, unless NULL. */
void cases_miss(cases_finder *s, const bind_param *p, const char *rule);

/* Copy the accepted call to scratch: of f_new unless that makes p, the parameter to be changed. */
bool cases_reset(cases_finder *s, const bind_param *p);

/* ---- break.c, limit.c ---- */

/* Add the refused calls, and note the rules that none of them breaks. */
void cases_break_clauses(cases_finder *s);
void cases_break(cases_finder *s);

#endif
