/* SPDX-License-Identifier: Apache-2.0 */
/* Matching a call with its contract, and the files that share it: failure.c writes the errors,
 * subject.c finds a clause's tensors, evaluate.c computes, place.c checks elements' memory, usual.h
 * spares that to usual tensors, match.c walks, infer.c uses the symbols that the inputs bound. */
#ifndef DLFERRY_CONTRACT_MATCHING_H
#define DLFERRY_CONTRACT_MATCHING_H

#include "contract.h"
#include "hub/internal.h"

DLF__BEGIN_HIDDEN

/* A tensor under its clause. */
typedef struct dlf__subject {
  const dlf__clause *clause;
  const DLTensor *tensor; /* NULL if absent */
  uint64_t flags;
  int64_t item; /* its place in a list, or -1 */
} dlf__subject;

/* The state of a match. */
typedef struct dlf__match {
  const dlf_contract *contract;
  const void *arguments; /* dlf_value of this or a later version, value_size bytes apart */
  int64_t value_size;
  dlf_error *error;
  bool inputs_only;        /* outputs count as absent */
  bool closely;            /* to find the first fault */
  bool usual;              /* so far all tensors are, see usual.h; never closely */
  uint64_t bound, counted; /* symbols; those of them that count a list or an array */
  uint32_t types_bound;
  int32_t run_count, run_binder; /* run_binder is -1 until `...` is bound */
  const int64_t *run;
  dlf__numbers numbers;
  int32_t binders[DLF__MAX_SYMBOLS]; /* parameter that bound the symbol */
  DLDataType types[DLF__MAX_TYPES];
  int32_t type_binders[DLF__MAX_TYPES];
} dlf__match;

static inline const dlf_value *dlf__argument(const dlf__match *m, int32_t which) {
  return (const dlf_value *)(const void *)((const char *)m->arguments + which * m->value_size);
}

/* Tell whether a tensor counts as absent, since only the inputs are checked. */
static inline bool dlf__is_to_come(const dlf__match *m, const dlf__clause *c) {
  return m->inputs_only && (c->after_call || dlf__is_output(c));
}

static inline bool dlf__dtype_among(DLDataType dtype, const DLDataType *list, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    if (dlf__same_dtype(dtype, list[i])) {
      return true;
    }
  }
  return false;
}

/* Tell whether a hook has run: before outputs are matched those of inputs have, and those of
 * conditions whose value has items, by which packages mark it. */
static inline bool dlf__has_run(const dlf__match *m, int32_t hook) {
  if (m->contract->hooks[hook].early || !m->inputs_only) {
    return true;
  }
  return dlf__argument(m, m->contract->parameter_count + hook)->items != NULL;
}

/* Bind the numbers among the parameters and the hooks that have run. Returns the symbol whose value
 * does not fit in 63 bits, or -1. */
static inline int32_t dlf__bind_parameters(dlf__match *m) {
  const dlf_contract *contract = m->contract;
  for (int32_t i = 0; i < contract->symbol_count; i++) {
    const int32_t parameter = contract->symbols[i].parameter;
    const int32_t hook = contract->symbols[i].hook;
    if (hook >= 0 && dlf__has_run(m, hook)) {
      m->bound |= UINT64_C(1) << i;
      m->numbers.integers[i] = dlf__argument(m, contract->parameter_count + hook)->integer;
    }
    if (parameter < 0) {
      continue;
    }
    m->bound |= UINT64_C(1) << i;
    if (contract->symbols[i].real) {
      m->numbers.reals[i] = dlf__argument(m, parameter)->real;
      continue;
    }
    m->numbers.integers[i] = dlf__argument(m, parameter)->integer;
    if (m->numbers.integers[i] < 0 && contract->kinds[parameter] == DLF_PARAMETER_UNSIGNED) {
      return i;
    }
  }
  return -1;
}

/* Tell whether `T in f32|f64` or `T in any` allows a dtype. */
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
/* Write a symbol's meaning: "image[w]", "n", "the number of frames". */
void dlf__put_source(dlf__text *text, const dlf__match *m, int32_t symbol);
/* Begin "blur: out", or "blur: " for NULL. */
dlf__failure dlf__failure_begin(const dlf__match *m, const dlf__subject *s);
dlf_status dlf__failure_end(dlf__failure *f, dlf_status status);
/* End with the expected value, after the actual one if `got`. */
dlf_status dlf__failure_end_wanted(dlf__failure *f, const dlf__subject *s, bool got,
                                   dlf_status status);
/* End a fault of an input's dtype likewise, and name `cast` if it gives one of those wanted. */
dlf_status dlf__failure_end_dtype(dlf__failure *f, const dlf__subject *s, const DLDataType *wanted,
                                  int32_t count);

/* ---- evaluate.c ---- */

/* Find the first broken constraint among those with bound names; NULL for none. */
const dlf__constraint *dlf__contract_broken(const dlf__match *m);
/* Check the constraints that the newly bound symbols complete, if the walk is close. */
dlf_status dlf__contract_constraints(const dlf__match *m, uint64_t fresh);
/* Bind the integer parameters and the numbers of arrays, and check the constraints on them alone.
 */
dlf_status dlf__contract_bind(dlf__match *m);
/* Bind the number of a list ("tensor") or an array ("value"), or compare it. */
dlf_status dlf__contract_bind_number(dlf__match *m, int32_t parameter, int32_t symbol,
                                     const char *item, const char *wanted);
/* Read a hook's result. */
dlf_status dlf__contract_hook(const dlf__match *m, int32_t hook, int64_t *out);

/* ---- extent.c ---- */

/* Fail because this call leaves open what the contract determines: only an empty list would bind
 * it. */
dlf_status dlf__contract_left_open(const dlf__match *m, const dlf__clause *clause,
                                   const char *name);
/* Compute an output's extent from an expression of bound symbols. */
dlf_status dlf__contract_extent(const dlf__match *m, const dlf__clause *clause,
                                const dlf__axis *axis, int32_t node, int64_t *out);
/* Compute the limit of an output's extent: what is made, and what C needs if nothing tells it more.
 */
dlf_status dlf__contract_most(const dlf__match *m, const dlf__clause *clause, const dlf__axis *axis,
                              int64_t *out);

/* ---- subject.c ---- */

/* The tensor of a clause in this match; for a list its first. NULL: the argument is absent, the
 * list is empty, or only inputs are matched and this is an output or given by C. */
const DLTensor *dlf__contract_tensor(const dlf__match *m, const dlf__clause *clause);
/* That tensor, or element number `item` of a list, with its flags. */
dlf__subject dlf__contract_subject(const dlf__match *m, const dlf__clause *clause, int64_t item);
/* The number of tensors of a clause: 1, or a list's length. */
int64_t dlf__contract_number(const dlf__match *m, const dlf__clause *clause);

/* ---- place.c: layout, device, alignment, writing, shared memory ---- */

/* Find the earlier clause whose tensor gives the strides of `samelayout`; NULL for none. */
const dlf__clause *dlf__contract_layout_model(const dlf__match *m, const dlf__clause *clause,
                                              int64_t ndim);
/* The stride of an axis, NULL strides meaning row-major. */
int64_t dlf__contract_stride(const DLTensor *tensor, int32_t axis);
dlf_status dlf__contract_check_layout(const dlf__match *m, const dlf__subject *s);
dlf_status dlf__contract_check_place(const dlf__match *m, const dlf__subject *s);
dlf_status dlf__contract_check_aliases(const dlf__match *m);

/* ---- match.c ---- */

/* Begin a match; the big arrays stay uninitialised until something is bound. */
void dlf__contract_begin(dlf__match *m, const dlf_contract *contract, const void *arguments,
                         int64_t value_size, bool inputs_only, dlf_error *error);
/* Fail with INVALID for NULL and for values smaller than those of the first version. */
DLF__COLD dlf_status dlf__contract_no_call(const char *name, const dlf_contract *self,
                                           const dlf_value *arguments, int64_t value_size,
                                           dlf_error *error);
static inline bool dlf__contract_is_call(const dlf_contract *self, const dlf_value *arguments,
                                         int64_t value_size) {
  return self && arguments &&
         dlf__is_struct_size(value_size, sizeof(dlf_value), _Alignof(dlf_value));
}
/* Tell whether the call keeps the contract, and bind its names. After a fault, walk through it
 * again closely. */
dlf_status dlf__contract_walk(dlf__match *m);
/* Only the second walk: the first fault in the order in which names bind, with its text. */
dlf_status dlf__contract_walk_closely(dlf__match *m);

DLF__END_HIDDEN

#endif
