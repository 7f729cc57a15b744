/* SPDX-License-Identifier: Apache-2.0 */
/* A call under its contract, between the files that match: failure.c says what is wrong, evaluate.c
 * computes, place.c looks at where elements lie, quick.c says yes to most calls, match.c judges
 * the others, infer.c uses what the inputs bound. */
#ifndef DLFERRY_CONTRACT_MATCH_H
#define DLFERRY_CONTRACT_MATCH_H

#include "contract.h"
#include "hub/internal.h"

/* A tensor under its clause. */
typedef struct dlf__subject {
  const dlf__clause *clause;
  const DLTensor *tensor; /* NULL when absent */
  uint64_t flags;
  int64_t item; /* its place in a list, or -1 */
} dlf__subject;

/* What is known while a call is matched. */
typedef struct dlf__match {
  const dlf_contract *contract;
  const void *arguments; /* dlf_value of this version or a later one, so many bytes apart */
  int64_t value_size;
  dlf_error *error;
  bool inputs_only;        /* outputs count as absent */
  uint64_t bound, counted; /* symbols; those of them that are the number of a list or an array */
  uint32_t types_bound;
  int32_t run_count, run_binder; /* run_binder is -1 until `...` is bound */
  const int64_t *run;
  int64_t values[DLF__MAX_SYMBOLS];
  int32_t binders[DLF__MAX_SYMBOLS]; /* parameter that bound the symbol */
  DLDataType types[DLF__MAX_TYPES];
  int32_t type_binders[DLF__MAX_TYPES];
} dlf__match;

static inline const dlf_value *dlf__argument(const dlf__match *m, int32_t which) {
  return (const dlf_value *)(const void *)((const char *)m->arguments + which * m->value_size);
}

static inline bool dlf__same_dtype(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

static inline bool dlf__dtype_among(DLDataType dtype, const DLDataType *list, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (dlf__same_dtype(dtype, list[i])) return true;
  return false;
}

/* Of `T in f32|f64` or `T in any`. */
static inline bool dlf__type_allows(const dlf__constraint *c, DLDataType dtype) {
  return c->dtype_count == 0 || dlf__dtype_among(dtype, c->dtypes, c->dtype_count);
}

/* ---- failure.c: "blur: out: WHAT; got f32[2, 3], wanted T[n] noalias" ---- */

typedef struct dlf__failure {
  dlf__text text;
  dlf_error *error;
} dlf__failure;

/* Write "out" or "frames[1] (from 0)". */
void dlf__put_subject(dlf__text *text, const dlf__match *m, const dlf__subject *s);
/* Write what a symbol's value is: "image[w]", "n", "the number of frames". */
void dlf__put_source(dlf__text *text, const dlf__match *m, int32_t symbol);
/* Begin "blur: out", or "blur: " for NULL. */
dlf__failure dlf__failure_begin(const dlf__match *m, const dlf__subject *s);
dlf_status dlf__failure_end(dlf__failure *f, dlf_status status);
/* End with what was wanted, after what came if `got`. */
dlf_status dlf__failure_end_wanted(dlf__failure *f, const dlf__subject *s, bool got, dlf_status status);

/* ---- evaluate.c ---- */

/* Compute an expression from bound symbols; true when it does not fit in 64 bits. */
bool dlf__contract_evaluate(const dlf__match *m, int32_t node, int64_t *out);
/* The first constraint that does not hold, of those whose names are bound; NULL for none. */
const dlf__constraint *dlf__contract_broken(const dlf__match *m);
/* Check the constraints that became checkable now that the fresh symbols are bound. */
dlf_status dlf__contract_constraints(const dlf__match *m, uint64_t fresh);
/* Bind the integer parameters and the numbers of arrays, and check what they alone decide. */
dlf_status dlf__contract_bind(dlf__match *m);
/* Bind the number of a list ("tensor") or an array ("value"), or compare it. */
dlf_status dlf__contract_bind_number(dlf__match *m, int32_t parameter, int32_t symbol, const char *what,
                                     const char *wanted);
/* Read what a hook returned. */
dlf_status dlf__contract_hook(const dlf__match *m, int32_t hook, int64_t *out);

/* ---- place.c: layout, device, alignment, writing, shared memory ---- */

/* The tensor of a clause as this match sees it, or NULL; of a list its first. */
const DLTensor *dlf__contract_tensor(const dlf__match *m, const dlf__clause *clause);
/* That tensor, or element number `item` of a list, with its flags. */
dlf__subject dlf__contract_subject(const dlf__match *m, const dlf__clause *clause, int64_t item);
/* How many tensors a clause is about: 1, or the number of a list. */
int64_t dlf__contract_number(const dlf__match *m, const dlf__clause *clause);
/* Tell whether a tensor has the strides that `samelayout` means; *model: whose they are. */
bool dlf__contract_same_layout(const dlf__match *m, const dlf__subject *s, const dlf__clause **model);
/* The clause, of those that come before this one, whose tensor's strides `samelayout` means; NULL for none. */
const dlf__clause *dlf__contract_layout_model(const dlf__match *m, const dlf__clause *clause, int32_t ndim);
/* The stride of an axis, NULL strides meaning row-major. */
int64_t dlf__contract_stride(const DLTensor *tensor, int32_t axis);
dlf_status dlf__contract_check_place(const dlf__match *m, const dlf__subject *s);
dlf_status dlf__contract_check_aliases(const dlf__match *m);

/* ---- quick.c ---- */

/* Tell whether a call is plainly fine, and bind everything; after a no only dlf__contract_judge can tell. */
bool dlf__contract_quick(dlf__match *m);

/* ---- match.c ---- */

/* Begin a match; the big arrays stay as they are until something is bound. */
void dlf__contract_begin(dlf__match *m, const dlf_contract *contract, const void *arguments, int64_t value_size,
                         bool inputs_only, dlf_error *error);
/* Fail with INVALID for NULL and for values smaller than those of the first version. */
DLF__COLD dlf_status dlf__contract_no_call(const char *name, const dlf_contract *self, const dlf_value *arguments,
                                           int64_t value_size, dlf_error *error);
static inline bool dlf__contract_is_call(const dlf_contract *self, const dlf_value *arguments, int64_t value_size) {
  return self && arguments && value_size >= (int64_t)sizeof(dlf_value);
}
/* Verdict and text, every check in the order in which names bind. */
dlf_status dlf__contract_judge(dlf__match *m);
/* The same verdict, quickly when it is yes. */
dlf_status dlf__contract_run(dlf__match *m);

#endif
