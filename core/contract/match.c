/* SPDX-License-Identifier: Apache-2.0 */
/* The contract interpreter: verdict and text. It runs in the order in which names bind, so that an
 * error names the later tensor. The quick walk and the generated predicate accept most calls
 * faster; all others come here. */
#include "matching.h"

/* ---- dtype ---- */

static void put_short(dlf__text *text, const char *before, DLDataType dtype) {
  char word[DLF_NAME_CAPACITY];
  dlf_dtype_format_short(dtype, word, sizeof word);
  dlf__put(text, "%s%s", before, word);
}

static dlf__failure dtype_differs(const dlf__match *m, const dlf__subject *s) {
  dlf__failure f = dlf__failure_begin(m, s);
  put_short(&f.text, ": dtype is ", s->tensor->dtype);
  dlf__put(&f.text, ", expected ");
  return f;
}

static dlf_status dtype_differs_from(const dlf__match *m, const dlf__subject *s,
                                     DLDataType expected, int32_t binder) {
  dlf__failure f = dtype_differs(m, s);
  if (s->clause->type >= 0) {
    dlf__put(&f.text, "%s = ", m->contract->types[s->clause->type]);
  }
  put_short(&f.text, "", expected);
  dlf__put(&f.text, " from %s", m->contract->names[binder]);
  return dlf__failure_end_wanted(&f, s, true, DLF_DTYPE);
}

static dlf_status bind_type(dlf__match *m, const dlf__subject *s) {
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
    if (k->kind != DLF__TYPE_IN || k->type != type || dlf__type_allows(k, dtype)) {
      continue;
    }
    dlf__failure f = dtype_differs(m, s);
    dlf__put(&f.text, "%s", k->text);
    return dlf__failure_end_wanted(&f, s, true, DLF_DTYPE);
  }
  m->types_bound |= bit;
  m->types[type] = dtype;
  m->type_binders[type] = s->clause->parameter;
  return DLF_OK;
}

static dlf_status check_dtype(dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const DLDataType dtype = s->tensor->dtype;
  if (c->type >= 0) {
    return bind_type(m, s);
  }
  const DLTensor *model =
      c->like >= 0 ? dlf__contract_tensor(m, &m->contract->clauses[c->like]) : NULL;
  if (model && !dlf__same_dtype(model->dtype, dtype)) {
    return dtype_differs_from(m, s, model->dtype, m->contract->clauses[c->like].parameter);
  }
  if (c->dtype_count == 0 || dlf__dtype_among(dtype, c->dtypes, c->dtype_count)) {
    return DLF_OK;
  }
  dlf__failure f = dtype_differs(m, s);
  for (int32_t i = 0; i < c->dtype_count; i++) {
    put_short(&f.text, i ? "|" : "", c->dtypes[i]);
  }
  return dlf__failure_end_wanted(&f, s, true, DLF_DTYPE);
}

/* ---- shape ---- */

/* "out[w] is 641, expected 640", "frames[1] (from 0): [w] is 641, expected 640" */
static dlf__failure extent_differs(const dlf__match *m, const dlf__subject *s, const char *axis,
                                   int64_t extent, int64_t expected) {
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text, "%s[%s] is %" PRId64 ", expected %" PRId64, s->item >= 0 ? ": " : "", axis,
           extent, expected);
  return f;
}

static dlf_status extent_differs_from(const dlf__match *m, const dlf__subject *s, const char *axis,
                                      int64_t extent, int64_t expected, int32_t binder) {
  dlf__failure f = extent_differs(m, s, axis, extent, expected);
  dlf__put(&f.text, " as %s[%s]", m->contract->names[binder], axis);
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

static dlf_status ndim_differs(const dlf__match *m, const dlf__subject *s, int32_t expected,
                               bool at_least, int32_t binder) {
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text, ": ndim is %d, expected %s%d", s->tensor->ndim, at_least ? "at least " : "",
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

static dlf_status check_symbol(dlf__match *m, const dlf__subject *s, const dlf__axis *axis,
                               int64_t extent) {
  const int32_t symbol = axis->symbol;
  const uint64_t bit = UINT64_C(1) << symbol;
  if (!(m->bound & bit)) {
    m->bound |= bit;
    m->numbers.integers[symbol] = extent;
    m->binders[symbol] = s->clause->parameter;
    if (bit & m->contract->limited) {
      return check_room(m, s, axis, extent);
    }
    return bit & m->contract->constrained ? dlf__contract_constraints(m, bit) : DLF_OK;
  }
  if (m->numbers.integers[symbol] == extent) {
    return DLF_OK;
  }
  dlf__failure f = extent_differs(m, s, axis->text, extent, m->numbers.integers[symbol]);
  dlf__put(&f.text, " as ");
  const bool by_axis = m->contract->symbols[symbol].parameter < 0 && !(m->counted & bit);
  if (by_axis && s->item < 0 && m->binders[symbol] == s->clause->parameter) {
    dlf__put(&f.text, "its first [%s]", axis->text);
  } else {
    dlf__put_source(&f.text, m, symbol);
  }
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

static dlf_status check_axis(dlf__match *m, const dlf__subject *s, const dlf__axis *axis,
                             int64_t extent) {
  int64_t expected;
  if (axis->kind == DLF__AXIS_SYMBOL) {
    return check_symbol(m, s, axis, extent);
  }
  if (axis->kind == DLF__AXIS_ANY) {
    return DLF_OK;
  }
  const bool hook = axis->kind == DLF__AXIS_HOOK;
  if (hook) {
    const dlf_status status = dlf__contract_hook(m, axis->hook, &expected);
    if (status) {
      return status;
    }
  } else {
    if (axis->needs & ~m->bound) {
      return DLF_OK; /* only bound by an absent tensor or an empty list */
    }
    if (dlf__contract_evaluate(m->contract, &m->numbers, axis->node, &expected)) {
      dlf__failure f = dlf__failure_begin(m, s);
      dlf__put(&f.text, "%s[%s] is %" PRId64 ", expected a size below 2^63",
               s->item >= 0 ? ": " : "", axis->text, extent);
      return dlf__failure_end_wanted(&f, s, true, DLF_OVERFLOW);
    }
  }
  if (expected == extent) {
    return DLF_OK;
  }
  dlf__failure f = extent_differs(m, s, axis->text, extent, expected);
  if (hook) {
    dlf__put(&f.text, " as %s returned", m->contract->hooks[axis->hook].function);
  }
  return dlf__failure_end_wanted(&f, s, true, DLF_SHAPE);
}

static dlf_status check_run(dlf__match *m, const dlf__subject *s, int32_t count) {
  static const int64_t none;
  const int64_t *run = s->tensor->ndim ? s->tensor->shape + s->clause->run : &none;
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

static dlf_status check_like(const dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause, *model = &m->contract->clauses[c->like];
  const DLTensor *t = s->tensor,
                 *other = dlf__contract_tensor(m, model); /* it bound before, so it is present */
  if (t->ndim != other->ndim) {
    return ndim_differs(m, s, other->ndim, false, model->parameter);
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == other->shape[i]) {
      continue;
    }
    int32_t at = i;
    if (c->run >= 0 && i >= c->run) {
      at = i < c->run + t->ndim - c->axis_count + 1 ? c->run : i - t->ndim + c->axis_count;
    }
    return extent_differs_from(m, s, c->axes[at].text, t->shape[i], other->shape[i],
                               model->parameter);
  }
  return DLF_OK;
}

static dlf_status check_shape(dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const DLTensor *t = s->tensor;
  dlf_status status = DLF_OK;
  int32_t run_count = 0;
  if (c->like >= 0) {
    return check_like(m, s);
  }
  if (c->implicit) {
    return DLF_OK;
  }
  if (c->run >= 0) {
    const bool bound = m->run_binder >= 0;
    run_count = bound ? m->run_count : t->ndim - (c->axis_count - 1);
    if (run_count < 0) {
      return ndim_differs(m, s, c->axis_count - 1, true, -1);
    }
    if (t->ndim != c->axis_count - 1 + run_count) {
      return ndim_differs(m, s, c->axis_count - 1 + run_count, false, bound ? m->run_binder : -1);
    }
  } else if (t->ndim != c->axis_count) {
    return ndim_differs(m, s, c->axis_count, false, -1);
  }
  for (int32_t i = 0, at = 0; i < c->axis_count && !status; i++) {
    status = i == c->run ? check_run(m, s, run_count) : check_axis(m, s, &c->axes[i], t->shape[at]);
    at += i == c->run ? run_count : 1;
  }
  return status;
}

/* ---- the whole ---- */

static dlf_status check_structure(const dlf__match *m, const dlf__subject *s) {
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
  if (!s->clause->given) {
    return status;
  }
  if (m->error) {
    m->error->status = DLF_FOREIGN; /* the kernel's fault, not the caller's */
  }
  return DLF_FOREIGN;
}

static dlf_status check_number(const dlf__match *m, int32_t parameter, const char *what) {
  const dlf_contract *contract = m->contract;
  const dlf_value *value = dlf__argument(m, parameter);
  if (value->integer < 0) {
    return dlf__fail(m->error, DLF_INVALID, "%s: %s: expected a number of 0 or more, got %" PRId64,
                     contract->function, contract->names[parameter], value->integer);
  }
  if (value->integer > 0 && !value->items) {
    return dlf__fail(m->error, DLF_INVALID, "%s: %s: expected %" PRId64 " %s%s, got NULL",
                     contract->function, contract->names[parameter], value->integer, what,
                     value->integer == 1 ? "" : "s");
  }
  return DLF_OK;
}

static bool may_be_absent(const dlf__match *m, const dlf__clause *c) {
  return c->opt || c->given || (m->inputs_only && dlf__is_output(c));
}

static dlf_status check_structures(const dlf__match *m) {
  const dlf_contract *contract = m->contract;
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < contract->clause_count && !status; i++) {
    const dlf__clause *c = &contract->clauses[i];
    if (c->list) {
      status = check_number(m, c->parameter, "tensor");
    }
    for (int64_t k = 0; !status && k < dlf__contract_number(m, c); k++) {
      const dlf__subject s = dlf__contract_subject(m, c, k);
      if (s.tensor || !may_be_absent(m, c)) {
        status = check_structure(m, &s);
      }
    }
  }
  for (int32_t i = 0; i < contract->array_count && !status; i++) {
    status = check_number(m, contract->arrays[i].parameter, "value");
  }
  return status;
}

static dlf_status check_clause(dlf__match *m, const dlf__clause *c) {
  dlf_status status = DLF_OK;
  if (c->given && c->implicit) {
    return DLF_OK; /* every tensor is accepted */
  }
  if (c->count >= 0) {
    status = dlf__contract_bind_number(m, c->parameter, c->count, "tensor", c->text);
  }
  for (int64_t k = 0; !status && k < dlf__contract_number(m, c); k++) {
    const dlf__subject s = dlf__contract_subject(m, c, k);
    if (!s.tensor) {
      continue;
    }
    status = check_dtype(m, &s);
    if (!status) {
      status = check_shape(m, &s);
    }
    if (!status) {
      status = dlf__contract_check_place(m, &s);
    }
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
  m->bound = m->counted = 0;
  m->types_bound = 0;
  m->run_binder = -1;
  m->run_count = 0;
  m->run = NULL;
}

dlf_status dlf__contract_judge(dlf__match *m) {
  dlf_status status = check_structures(m);
  if (!status) {
    status = dlf__contract_bind(m);
  }
  for (int32_t i = 0; i < m->contract->clause_count && !status; i++) {
    status = check_clause(m, &m->contract->clauses[i]);
  }
  return status ? status : dlf__contract_check_aliases(m);
}

dlf_status dlf__contract_run(dlf__match *m) {
  if (dlf__contract_quick(m)) {
    return DLF_OK;
  }
  dlf__contract_begin(m, m->contract, m->arguments, m->value_size, m->inputs_only, m->error);
  return dlf__contract_judge(m);
}

dlf_status dlf_contract_match(const dlf_contract *self, const dlf_value *arguments,
                              int64_t value_size, dlf_error *error) {
  dlf__match m;
  if (!dlf__contract_is_call(self, arguments, value_size)) {
    return dlf__contract_no_call("contract_match", self, arguments, value_size, error);
  }
  dlf__contract_begin(&m, self, arguments, value_size, false, error);
  return dlf__contract_run(&m);
}

dlf_status dlf_contract_match_inputs(const dlf_contract *self, const dlf_value *arguments,
                                     int64_t value_size, dlf_error *error) {
  dlf__match m;
  if (!dlf__contract_is_call(self, arguments, value_size)) {
    return dlf__contract_no_call("contract_match_inputs", self, arguments, value_size, error);
  }
  dlf__contract_begin(&m, self, arguments, value_size, true, error);
  return dlf__contract_run(&m);
}
