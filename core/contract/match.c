/* SPDX-License-Identifier: Apache-2.0 */
/* The contract interpreter walks through a call in the order in which names bind. The first walk
 * only finds out whether there is a fault: it looks quickly at usual tensors, and at constraints
 * last. If there is one, the same walk looks closely, so that the error is the first one in that
 * order and names the later tensor. The predicate of a generated package accepts most calls faster.
 */
#include "usual.h"

/* ---- dtype ---- */

static void put_short(dlf__text *text, const char *before, DLDataType dtype) {
  char word[DLF_NAME_CAPACITY];
  dlf_dtype_format_short(dtype, word, sizeof word);
  dlf__put(text, "%s%s", before, word);
}

DLF__COLD static dlf__failure dtype_differs(const dlf__match *m, const dlf__subject *s) {
  dlf__failure f = dlf__failure_begin(m, s);
  put_short(&f.text, ": dtype is ", s->tensor->dtype);
  dlf__put(&f.text, ", expected ");
  return f;
}

DLF__COLD static dlf_status dtype_differs_from(const dlf__match *m, const dlf__subject *s,
                                               DLDataType expected, int32_t binder) {
  dlf__failure f = dtype_differs(m, s);
  if (s->clause->type >= 0) {
    dlf__put(&f.text, "%s = ", m->contract->types[s->clause->type]);
  }
  put_short(&f.text, "", expected);
  dlf__put(&f.text, " from %s", m->contract->names[binder]);
  return dlf__failure_end_dtype(&f, s, &expected, 1);
}

DLF__COLD static dlf_status dtype_unlike(const dlf__match *m, const dlf__subject *s,
                                         const dlf__constraint *k) {
  dlf__failure f = dtype_differs(m, s);
  dlf__put(&f.text, "%s", k->text);
  return dlf__failure_end_dtype(&f, s, k->dtypes, k->dtype_count);
}

DLF__COLD static dlf_status dtype_not_among(const dlf__match *m, const dlf__subject *s) {
  dlf__failure f = dtype_differs(m, s);
  for (int32_t i = 0; i < s->clause->dtype_count; i++) {
    put_short(&f.text, i ? "|" : "", s->clause->dtypes[i]);
  }
  return dlf__failure_end_dtype(&f, s, s->clause->dtypes, s->clause->dtype_count);
}

static DLF__INLINE dlf_status bind_type(dlf__match *m, const dlf__subject *s) {
  const int32_t type = s->clause->type;
  const DLDataType dtype = s->tensor->dtype;
  const uint32_t bit = UINT32_C(1) << type;
  if (m->types_bound & bit) {
    if (dlf__same_dtype(m->types[type], dtype)) {
      return DLF_OK;
    }
    return dtype_differs_from(m, s, m->types[type], m->type_binders[type]);
  }
  for (int32_t i = 0; i < m->contract->constraint_count; i++) {
    const dlf__constraint *k = &m->contract->constraints[i];
    if (k->kind == DLF__TYPE_IN && k->type == type && !dlf__type_allows(k, dtype)) {
      return dtype_unlike(m, s, k);
    }
  }
  m->types_bound |= bit;
  m->types[type] = dtype;
  m->type_binders[type] = s->clause->parameter;
  return DLF_OK;
}

static dlf_status check_own_dtype(const dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const DLDataType dtype = s->tensor->dtype;
  const DLTensor *model = NULL;
  if (c->like >= 0) {
    model = dlf__contract_tensor(m, &m->contract->clauses[c->like]);
  }
  if (model && !dlf__same_dtype(model->dtype, dtype)) {
    return dtype_differs_from(m, s, model->dtype, m->contract->clauses[c->like].parameter);
  }
  if (c->dtype_count == 0 || dlf__dtype_among(dtype, c->dtypes, c->dtype_count)) {
    return DLF_OK;
  }
  return dtype_not_among(m, s);
}

static DLF__INLINE dlf_status check_dtype(dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  if (c->type >= 0) {
    return bind_type(m, s);
  }
  if (c->like < 0 && (c->dtype_count == 0 || dlf__same_dtype(s->tensor->dtype, *c->dtypes))) {
    return DLF_OK;
  }
  return check_own_dtype(m, s);
}

/* ---- shape ---- */

/* "out[w] is 641, expected 640", "frames[1] (from 0): [w] is 641, expected 640" */
DLF__COLD static dlf__failure extent_differs(const dlf__match *m, const dlf__subject *s,
                                             const char *axis, int64_t extent, int64_t expected) {
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text,
           "%s[%s] is %" PRId64 ", expected %" PRId64,
           s->item >= 0 ? ": " : "",
           axis,
           extent,
           expected);
  return f;
}

DLF__COLD static dlf_status extent_differs_from(const dlf__match *m, const dlf__subject *s,
                                                const char *axis, int64_t extent, int64_t expected,
                                                int32_t binder) {
  dlf__failure f = extent_differs(m, s, axis, extent, expected);
  dlf__put(&f.text, " as %s[%s]", m->contract->names[binder], axis);
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

DLF__COLD static dlf_status ndim_differs(const dlf__match *m, const dlf__subject *s,
                                         int32_t expected, bool at_least, int32_t binder) {
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text,
           ": ndim is %d, expected %s%d",
           s->tensor->ndim,
           at_least ? "at least " : "",
           expected);
  if (binder >= 0) {
    dlf__put(&f.text, " as %s", m->contract->names[binder]);
  }
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

/* C writes as much as its limit allows, unless an argument tells it the extent. */
static dlf_status check_room(const dlf__match *m, const dlf__subject *s, const dlf__axis *axis,
                             int64_t extent) {
  const dlf__limit *limit = dlf__contract_limit(m->contract, axis->symbol);
  int64_t least;
  if (limit->told) {
    return DLF_OK;
  }
  const dlf_status status = dlf__contract_most(m, s->clause, axis, &least);
  if (status || extent >= least) {
    return status;
  }
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text, "[%s] is %" PRId64 ", expected at least %" PRId64, axis->text, extent, least);
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

/* A name is bound: check what the contract says about it. */
static dlf_status check_rules(const dlf__match *m, const dlf__subject *s, const dlf__axis *axis,
                              int64_t extent) {
  const uint64_t bit = UINT64_C(1) << axis->symbol;
  if (bit & m->contract->limited) {
    return check_room(m, s, axis, extent);
  }
  return dlf__contract_constraints(m, bit);
}

DLF__COLD static dlf_status symbol_differs(const dlf__match *m, const dlf__subject *s,
                                           const dlf__axis *axis, int64_t extent) {
  const int32_t symbol = axis->symbol;
  dlf__failure f = extent_differs(m, s, axis->text, extent, m->numbers.integers[symbol]);
  dlf__put(&f.text, " as ");
  const bool by_axis = m->contract->symbols[symbol].parameter < 0 && !(m->counted >> symbol & 1);
  if (by_axis && s->item < 0 && m->binders[symbol] == s->clause->parameter) {
    dlf__put(&f.text, "its first [%s]", axis->text);
  } else {
    dlf__put_source(&f.text, m, symbol);
  }
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

DLF__COLD static dlf_status extent_overflows(const dlf__match *m, const dlf__subject *s,
                                             const dlf__axis *axis, int64_t extent) {
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text,
           "%s[%s] is %" PRId64 ", expected a size below 2^63",
           s->item >= 0 ? ": " : "",
           axis->text,
           extent);
  return dlf__failure_end_wanted(&f, s, true, DLF_OVERFLOW);
}

DLF__COLD static dlf_status value_differs(const dlf__match *m, const dlf__subject *s,
                                          const dlf__axis *axis, int64_t extent, int64_t expected) {
  dlf__failure f = extent_differs(m, s, axis->text, extent, expected);
  if (axis->kind == DLF__AXIS_HOOK) {
    const dlf__hook *hook = &m->contract->hooks[axis->hook];
    dlf__put(&f.text, hook->field ? " as %s" : " as %s returned", hook->function);
  }
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

/* An expression or a hook. */
static dlf_status check_other_axis(const dlf__match *m, const dlf__subject *s,
                                   const dlf__axis *axis, int64_t extent) {
  int64_t expected;
  if (axis->kind == DLF__AXIS_HOOK) {
    const dlf_status status = dlf__contract_hook(m, axis->hook, &expected);
    if (status) {
      return status;
    }
  } else {
    if (axis->needs & ~m->bound) {
      return DLF_OK; /* only bound by an absent tensor or an empty list */
    }
    if (dlf__contract_evaluate(m->contract, &m->numbers, axis->node, &expected)) {
      return extent_overflows(m, s, axis, extent);
    }
  }
  if (expected == extent) {
    return DLF_OK;
  }
  return value_differs(m, s, axis, extent, expected);
}

static DLF__INLINE dlf_status check_run(dlf__match *m, const dlf__subject *s, int32_t count) {
  static const int64_t none;
  const int64_t *run;
  if (s->tensor->ndim) {
    run = s->tensor->shape + s->clause->run;
  } else {
    run = &none;
  }
  if (!m->run) {
    m->run = run;
    m->run_count = count;
    m->run_binder = s->clause->parameter;
    return DLF_OK;
  }
  for (int32_t i = 0; i < count; i++) {
    if (run[i] != m->run[i]) {
      return extent_differs_from(m, s, "...", run[i], m->run[i], m->run_binder);
    }
  }
  return DLF_OK;
}

DLF__APART static dlf_status check_like(const dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const dlf__clause *model = &m->contract->clauses[c->like];
  /* it bound before, so it is present */
  const DLTensor *t = s->tensor;
  const DLTensor *wanted = dlf__contract_tensor(m, model);
  if (t->ndim != wanted->ndim) {
    return ndim_differs(m, s, wanted->ndim, false, model->parameter);
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == wanted->shape[i]) {
      continue;
    }
    int32_t at = i;
    if (c->run >= 0 && i >= c->run) {
      if (i < c->run + t->ndim - c->axis_count + 1) {
        at = c->run;
      } else {
        at = i - t->ndim + c->axis_count;
      }
    }
    return extent_differs_from(
        m, s, c->axes[at].text, t->shape[i], wanted->shape[i], model->parameter);
  }
  return DLF_OK;
}

/* Most axes bind a name, or have what it stands for: the others are checked apart. */
static DLF__INLINE dlf_status check_axes(dlf__match *m, const dlf__subject *s,
                                         const dlf__axis *axes, const int64_t *shape,
                                         int32_t count) {
  const uint64_t ruled = m->contract->limited | (m->closely ? m->contract->constrained : 0);
  uint64_t bound = m->bound; /* in a register while it grows */
  for (int32_t i = 0; i < count; i++) {
    const dlf__axis *axis = &axes[i];
    const int64_t extent = shape[i];
    dlf_status status = DLF_OK;
    if (axis->kind != DLF__AXIS_SYMBOL) {
      if (axis->kind == DLF__AXIS_ANY) {
        continue;
      }
      m->bound = bound;
      status = check_other_axis(m, s, axis, extent);
    } else if (bound >> axis->symbol & 1) {
      if (m->numbers.integers[axis->symbol] != extent) {
        status = symbol_differs(m, s, axis, extent);
      }
    } else {
      bound |= UINT64_C(1) << axis->symbol;
      m->numbers.integers[axis->symbol] = extent;
      m->binders[axis->symbol] = s->clause->parameter;
      if (ruled >> axis->symbol & 1) {
        m->bound = bound;
        status = check_rules(m, s, axis, extent);
      }
    }
    if (status) {
      return status;
    }
  }
  m->bound = bound;
  return DLF_OK;
}

DLF__APART static dlf_status check_with_run(dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const DLTensor *t = s->tensor;
  const bool bound = m->run_binder >= 0;
  const int32_t after = c->run + 1;
  int32_t run_count;
  if (bound) {
    run_count = m->run_count;
  } else {
    run_count = t->ndim - (c->axis_count - 1);
  }
  if (run_count < 0) {
    return ndim_differs(m, s, c->axis_count - 1, true, -1);
  }
  if (t->ndim != c->axis_count - 1 + run_count) {
    return ndim_differs(m, s, c->axis_count - 1 + run_count, false, bound ? m->run_binder : -1);
  }
  dlf_status status = check_axes(m, s, c->axes, t->shape, c->run);
  if (!status) {
    status = check_run(m, s, run_count);
  }
  if (status || after == c->axis_count) {
    return status;
  }
  return check_axes(m, s, c->axes + after, t->shape + c->run + run_count, c->axis_count - after);
}

static DLF__INLINE dlf_status check_shape(dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const DLTensor *t = s->tensor;
  if (c->like >= 0) {
    return check_like(m, s);
  }
  if (c->implicit) {
    return DLF_OK;
  }
  if (c->run >= 0) {
    return check_with_run(m, s);
  }
  if (t->ndim != c->axis_count) {
    return ndim_differs(m, s, c->axis_count, false, -1);
  }
  return check_axes(m, s, c->axes, t->shape, t->ndim);
}

/* ---- the whole ---- */

DLF__APART static dlf_status check_structure(const dlf__match *m, const dlf__subject *s) {
  char name[160];
  dlf__text text;
  if (!dlf__check("", s->tensor, s->flags, NULL) && !dlf__unknown_flags(s->flags)) {
    return DLF_OK;
  }
  text = dlf__text_in(name, sizeof name); /* slower than the check */
  dlf__put(&text, "%s: ", m->contract->function);
  dlf__put_subject(&text, m, s);
  dlf_status status = dlf__check(name, s->tensor, s->flags, m->error);
  if (!status) {
    status = dlf__check_flags(name, s->flags, m->error);
  }
  if (!s->clause->after_call) {
    return status;
  }
  if (m->error) {
    m->error->status = DLF_FOREIGN; /* the kernel's fault, not the caller's */
  }
  return DLF_FOREIGN;
}

static dlf_status check_number(const dlf__match *m, int32_t parameter, const char *item) {
  const dlf_contract *contract = m->contract;
  const dlf_value *value = dlf__argument(m, parameter);
  if (value->integer < 0) {
    return dlf__fail(m->error,
                     DLF_INVALID,
                     "%s: %s: expected a number of 0 or more, got %" PRId64,
                     contract->function,
                     contract->names[parameter],
                     value->integer);
  }
  if (value->integer > 0 && !value->items) {
    return dlf__fail(m->error,
                     DLF_INVALID,
                     "%s: %s: expected %" PRId64 " %s%s, got NULL",
                     contract->function,
                     contract->names[parameter],
                     value->integer,
                     item,
                     value->integer == 1 ? "" : "s");
  }
  return DLF_OK;
}

/* Malformed tensors and numbers are the first faults, wherever they stand. */
DLF__APART static dlf_status check_structures(const dlf__match *m) {
  const dlf_contract *contract = m->contract;
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < contract->clause_count && !status; i++) {
    const dlf__clause *c = &contract->clauses[i];
    if (c->list) {
      status = check_number(m, c->parameter, "tensor");
    }
    for (int64_t k = 0; !status && k < dlf__contract_number(m, c); k++) {
      const dlf__subject s = dlf__contract_subject(m, c, k);
      if (s.tensor || !(c->opt || dlf__is_to_come(m, c) || c->after_call)) {
        status = check_structure(m, &s);
      }
    }
  }
  for (int32_t i = 0; i < contract->array_count && !status; i++) {
    status = check_number(m, contract->arrays[i].parameter, "value");
  }
  return status;
}

/* Of usual tensors only the layout is left to check. */
static DLF__INLINE dlf_status check_place(const dlf__match *m, const dlf__subject *s,
                                          bool row_major) {
  const dlf__clause *c = s->clause;
  const dlf__layout_rule *rule = &dlf__layouts[c->layout];
  if (!m->usual) {
    return dlf__contract_check_place(m, s);
  }
  if (!c->same_layout && ((row_major && rule->row_major_fits) || !rule->fits)) {
    return DLF_OK;
  }
  return dlf__contract_check_layout(m, s);
}

static DLF__INLINE dlf_status check_tensor(dlf__match *m, const dlf__subject *s,
                                           dlf__range *range) {
  m->usual = m->usual && s->tensor && dlf__is_usual(s->clause, s->tensor, s->flags, range);
  if (!m->usual) {
    const dlf_status unsound = check_structure(m, s);
    if (unsound) {
      return unsound;
    }
  }
  if (s->clause->after_call && s->clause->implicit) {
    return DLF_OK; /* every tensor is accepted */
  }
  dlf_status status = check_dtype(m, s);
  if (!status) {
    status = check_shape(m, s);
  }
  if (status) {
    return status;
  }
  return check_place(m, s, range->row_major);
}

DLF__APART static dlf_status check_list(dlf__match *m, const dlf__clause *c, dlf__range *range) {
  const dlf_value *value = dlf__argument(m, c->parameter);
  dlf_status status = check_number(m, c->parameter, "tensor");
  if (!status && c->count >= 0) {
    status = dlf__contract_bind_number(m, c->parameter, c->count, "tensor", c->text);
  }
  for (int64_t k = 0; !status && k < value->integer; k++) {
    const dlf_arg *arg = (const dlf_arg *)value->items + k;
    const dlf__subject s = {c, arg->tensor, arg->flags, k};
    status = check_tensor(m, &s, range);
  }
  return status;
}

static DLF__INLINE dlf_status check_clause(dlf__match *m, const dlf__clause *c, dlf__range *range) {
  range->first = UINTPTR_MAX;
  range->end = 0;
  range->row_major = true;
  if (c->list) {
    return check_list(m, c, range);
  }
  const dlf_arg *arg = &dlf__argument(m, c->parameter)->tensor;
  if (dlf__is_to_come(m, c) || (!arg->tensor && (c->opt || c->after_call))) {
    return DLF_OK;
  }
  const dlf__subject s = {c, arg->tensor, arg->flags, -1};
  return check_tensor(m, &s, range);
}

static dlf_status check_clauses(dlf__match *m, dlf__range *ranges) {
  const dlf_contract *contract = m->contract;
  dlf_status status = DLF_OK;
  if (m->closely) {
    status = check_structures(m);
  }
  for (int32_t i = 0; i < contract->array_count && !status; i++) {
    status = check_number(m, contract->arrays[i].parameter, "value");
  }
  if (!status) {
    status = dlf__contract_bind(m);
  }
  for (int32_t i = 0; i < contract->clause_count && !status; i++) {
    status = check_clause(m, &contract->clauses[i], &ranges[i]);
  }
  return status;
}

dlf_status dlf__contract_no_call(const char *name, const dlf_contract *self,
                                 const dlf_value *arguments, int64_t value_size, dlf_error *error) {
  if (!self || !arguments) {
    return dlf__fail(error, DLF_INVALID, "%s: expected a contract and arguments, got NULL", name);
  }
  return DLF__CHECK_STRUCT(name, dlf_value, value_size, sizeof(dlf_value), error);
}

void dlf__contract_begin(dlf__match *m, const dlf_contract *contract, const void *arguments,
                         int64_t value_size, bool inputs_only, dlf_error *error) {
  m->contract = contract;
  m->arguments = arguments;
  m->value_size = value_size;
  m->error = error;
  m->inputs_only = inputs_only;
  m->closely = false;
  m->bound = m->counted = 0;
  m->types_bound = 0;
  m->run_binder = -1;
  m->run_count = 0;
  m->run = NULL;
}

/* Tell whether the ranges of usual tensors are apart where the contract wants it. */
static bool are_apart(const dlf_contract *contract, const dlf__range *ranges) {
  for (int32_t i = 0; i < contract->clause_count; i++) {
    for (int32_t k = 0; contract->clauses[i].noalias && k < contract->clause_count; k++) {
      if (k != i && ranges[i].first < ranges[k].end && ranges[k].first < ranges[i].end) {
        return false;
      }
    }
  }
  return true;
}

static dlf_status walk(dlf__match *m) {
  dlf__range ranges[DLF__MAX_CLAUSES];
  m->usual = !m->closely;
  const dlf_status status = check_clauses(m, ranges);
  if (status) {
    return status;
  }
  if (!m->closely && m->contract->constrained && dlf__contract_broken(m)) {
    return DLF_INVALID;
  }
  if (m->usual && are_apart(m->contract, ranges)) {
    return DLF_OK;
  }
  return dlf__contract_check_aliases(m);
}

dlf_status dlf__contract_walk_closely(dlf__match *m) {
  m->closely = true;
  return walk(m);
}

dlf_status dlf__contract_walk(dlf__match *m) {
  dlf_error *error = m->error;
  m->error = NULL;
  if (!walk(m)) {
    m->error = error;
    return DLF_OK;
  }
  dlf__contract_begin(m, m->contract, m->arguments, m->value_size, m->inputs_only, error);
  return dlf__contract_walk_closely(m);
}

dlf_status dlf_contract_match(const dlf_contract *self, const dlf_value *arguments,
                              int64_t value_size, dlf_error *error) {
  dlf__match m;
  if (!dlf__contract_is_call(self, arguments, value_size)) {
    return dlf__contract_no_call("contract_match", self, arguments, value_size, error);
  }
  dlf__contract_begin(&m, self, arguments, value_size, false, error);
  return dlf__contract_walk(&m);
}

dlf_status dlf_contract_match_inputs(const dlf_contract *self, const dlf_value *arguments,
                                     int64_t value_size, dlf_error *error) {
  dlf__match m;
  if (!dlf__contract_is_call(self, arguments, value_size)) {
    return dlf__contract_no_call("contract_match_inputs", self, arguments, value_size, error);
  }
  dlf__contract_begin(&m, self, arguments, value_size, true, error);
  return dlf__contract_walk(&m);
}
