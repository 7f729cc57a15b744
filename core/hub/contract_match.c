/* SPDX-License-Identifier: Apache-2.0 */
/* The contract interpreter: verdict and text. It runs in the order in which names bind, so that blame falls on the
 * tensor that comes later. The generated predicate says yes faster; whatever it will not vouch for comes here. */
#include "contract.h"
#include "internal.h"

#include <stdio.h>
#include <string.h>

/* ---- texts ---- */

static const char *name_of(const dlf__match *m, const dlf__clause *c) { return m->contract->names[c->parameter]; }

/* "blur: out", as the checks of the hub want it. */
static void write_name(const dlf__match *m, const dlf__clause *c, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  dlf__put(&text, "%s: %s", m->contract->function, name_of(m, c));
}

static void put_got(dlf__text *text, const DLTensor *tensor) {
  char word[DLF_NAME_CAPACITY];
  dlf_dtype_format_short(tensor->dtype, word, sizeof word);
  dlf__put(text, "; got %s", word);
  dlf__put_list(text, tensor->shape, tensor->ndim);
}

typedef struct match_failure {
  dlf__text text;
  dlf_error *error;
} match_failure;

/* Begin "blur: out"; NULL error: the texts go nowhere. */
static match_failure begin_failure(const dlf__match *m, const dlf__clause *c) {
  match_failure f = {{NULL, 0, 0}, m->error};
  if (m->error) f.text = dlf__text_in(m->error->message, sizeof m->error->message);
  dlf__put(&f.text, "%s: ", m->contract->function);
  if (c) dlf__put(&f.text, "%s", name_of(m, c));
  return f;
}

static dlf_status end_failure(match_failure *f, dlf_status status) {
  dlf__text_finish(&f->text);
  if (f->error) f->error->status = (int32_t)status;
  return status;
}

/* End with "; got f32[2, 3], wanted T[n] noalias" or, without a tensor to show, "; wanted ...". */
static dlf_status end_with_wanted(match_failure *f, const dlf__clause *c, const DLTensor *got, dlf_status status) {
  if (got) put_got(&f->text, got);
  dlf__put(&f->text, got ? ", wanted %s" : "; wanted %s", c->text);
  return end_failure(f, status);
}

/* ---- dtype ---- */

static bool same_dtype(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

static bool dtype_among(DLDataType dtype, const DLDataType *list, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (same_dtype(dtype, list[i])) return true;
  return false;
}

static dlf_status dtype_differs(const dlf__match *m, const dlf__clause *c, const DLTensor *t, const char *expected) {
  char word[DLF_NAME_CAPACITY];
  match_failure f = begin_failure(m, c);
  dlf_dtype_format_short(t->dtype, word, sizeof word);
  dlf__put(&f.text, ": dtype is %s, expected %s", word, expected);
  return end_with_wanted(&f, c, t, DLF_DTYPE);
}

static dlf_status dtype_differs_from(const dlf__match *m, const dlf__clause *c, const DLTensor *t, DLDataType expected,
                                     int32_t binder) {
  char word[DLF_NAME_CAPACITY], text[160];
  const dlf_contract *contract = m->contract;
  dlf_dtype_format_short(expected, word, sizeof word);
  snprintf(text, sizeof text, "%.40s%s%s from %.60s", c->type >= 0 ? contract->types[c->type] : "",
           c->type >= 0 ? " = " : "", word, contract->names[binder]);
  return dtype_differs(m, c, t, text);
}

static dlf_status bind_type(dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  const uint32_t bit = UINT32_C(1) << c->type;
  if (m->types_bound & bit) {
    if (same_dtype(m->types[c->type], t->dtype)) return DLF_OK;
    return dtype_differs_from(m, c, t, m->types[c->type], m->type_binders[c->type]);
  }
  for (int32_t i = 0; i < m->contract->constraint_count; i++) {
    const dlf__constraint *k = &m->contract->constraints[i];
    if (k->kind == DLF__TYPE_IN && k->type == c->type && !dtype_among(t->dtype, k->dtypes, k->dtype_count))
      return dtype_differs(m, c, t, k->text);
  }
  m->types_bound |= bit;
  m->types[c->type] = t->dtype;
  m->type_binders[c->type] = c->parameter;
  return DLF_OK;
}

static dlf_status check_dtype(dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  const DLTensor *model = c->like >= 0 ? dlf__contract_tensor(m, &m->contract->clauses[c->like]) : NULL;
  if (c->type >= 0) return bind_type(m, c, t);
  if (model && !same_dtype(model->dtype, t->dtype))
    return dtype_differs_from(m, c, t, model->dtype, m->contract->clauses[c->like].parameter);
  if (c->dtype_count == 0 || dtype_among(t->dtype, c->dtypes, c->dtype_count)) return DLF_OK;
  dlf__text text;
  char expected[200];
  text = dlf__text_in(expected, sizeof expected);
  for (int32_t i = 0; i < c->dtype_count; i++) {
    char word[DLF_NAME_CAPACITY];
    dlf_dtype_format_short(c->dtypes[i], word, sizeof word);
    dlf__put(&text, i ? "|%s" : "%s", word);
  }
  dlf__text_finish(&text);
  return dtype_differs(m, c, t, expected);
}

/* ---- shape ---- */

static dlf_status extent_differs(const dlf__match *m, const dlf__clause *c, const DLTensor *t, const char *axis,
                                 int64_t extent, int64_t expected, int32_t binder, const char *as) {
  match_failure f = begin_failure(m, c);
  dlf__put(&f.text, "[%s] is %" PRId64 ", expected %" PRId64, axis, extent, expected);
  if (binder >= 0)
    dlf__put(&f.text, " as %s[%s]", m->contract->names[binder], as);
  else if (as)
    dlf__put(&f.text, " as %s", as);
  return end_with_wanted(&f, c, t, DLF_SHAPE);
}

static dlf_status ndim_differs(const dlf__match *m, const dlf__clause *c, const DLTensor *t, int32_t expected,
                               bool at_least, int32_t binder) {
  match_failure f = begin_failure(m, c);
  dlf__put(&f.text, ": ndim is %d, expected %s%d", t->ndim, at_least ? "at least " : "", expected);
  if (binder >= 0) dlf__put(&f.text, " as %s", m->contract->names[binder]);
  return end_with_wanted(&f, c, t, DLF_SHAPE);
}

static dlf_status check_axis(dlf__match *m, const dlf__clause *c, const DLTensor *t, const dlf__axis *axis,
                             int64_t extent) {
  int64_t expected;
  if (axis->kind == DLF__AXIS_ANY) return DLF_OK;
  if (axis->kind == DLF__AXIS_SYMBOL) {
    const dlf__symbol *s = &m->contract->symbols[axis->symbol];
    const uint64_t bit = UINT64_C(1) << axis->symbol;
    if (m->bound & bit) {
      if (m->values[axis->symbol] == extent) return DLF_OK;
      return extent_differs(m, c, t, axis->text, extent, m->values[axis->symbol], m->binders[axis->symbol], s->name);
    }
    m->bound |= bit;
    m->values[axis->symbol] = extent;
    m->binders[axis->symbol] = c->parameter;
    return dlf__contract_constraints(m, bit);
  }
  if (dlf__contract_names(m->contract, axis->node) & ~m->bound) return DLF_OK; /* bound by an absent tensor only */
  if (dlf__contract_evaluate(m, axis->node, &expected)) {
    match_failure f = begin_failure(m, c);
    dlf__put(&f.text, "[%s] is %" PRId64 ", expected a size below 2^63", axis->text, extent);
    return end_with_wanted(&f, c, t, DLF_OVERFLOW);
  }
  if (expected == extent) return DLF_OK;
  return extent_differs(m, c, t, axis->text, extent, expected, -1, NULL);
}

static dlf_status check_run(dlf__match *m, const dlf__clause *c, const DLTensor *t, int32_t count) {
  const int64_t *run = t->shape + c->run;
  if (m->run_binder < 0) {
    m->run = run;
    m->run_count = count;
    m->run_binder = c->parameter;
    return DLF_OK;
  }
  for (int32_t i = 0; i < count; i++)
    if (run[i] != m->run[i]) return extent_differs(m, c, t, "...", run[i], m->run[i], m->run_binder, "...");
  return DLF_OK;
}

static dlf_status check_like(dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  const dlf__clause *model = &m->contract->clauses[c->like];
  const DLTensor *other = dlf__contract_tensor(m, model);
  if (!other) return DLF_OK;
  if (t->ndim != other->ndim) return ndim_differs(m, c, t, other->ndim, false, model->parameter);
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == other->shape[i]) continue;
    int32_t at = i;
    if (c->run >= 0 && i >= c->run)
      at = i < c->run + t->ndim - c->axis_count + 1 ? c->run : i - t->ndim + c->axis_count;
    const char *axis = c->implicit ? "_" : c->axes[at].text;
    return extent_differs(m, c, t, axis, t->shape[i], other->shape[i], model->parameter, axis);
  }
  return DLF_OK;
}

static dlf_status check_shape(dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  dlf_status status = DLF_OK;
  int32_t run_count = 0;
  if (c->like >= 0) return check_like(m, c, t);
  if (c->implicit) return DLF_OK;
  if (c->run >= 0) {
    const bool bound = m->run_binder >= 0;
    run_count = bound ? m->run_count : t->ndim - (c->axis_count - 1);
    if (run_count < 0) return ndim_differs(m, c, t, c->axis_count - 1, true, -1);
    if (t->ndim != c->axis_count - 1 + run_count)
      return ndim_differs(m, c, t, c->axis_count - 1 + run_count, false, bound ? m->run_binder : -1);
  } else if (t->ndim != c->axis_count) {
    return ndim_differs(m, c, t, c->axis_count, false, -1);
  }
  for (int32_t i = 0, at = 0; i < c->axis_count && !status; i++) {
    status = i == c->run ? check_run(m, c, t, run_count) : check_axis(m, c, t, &c->axes[i], t->shape[at]);
    at += i == c->run ? run_count : 1;
  }
  return status;
}

/* ---- layout, device, alignment, writing ---- */

static bool has_elements(const DLTensor *t) {
  for (int32_t i = 0; i < t->ndim; i++)
    if (t->shape[i] == 0) return false;
  return true;
}

const dlf__clause *dlf__contract_layout_model(const dlf__match *m, const dlf__clause *clause, int32_t ndim) {
  for (const dlf__clause *c = m->contract->clauses; c < clause; c++) {
    const DLTensor *t = dlf__contract_tensor(m, c);
    if (t && t->ndim == ndim) return c;
  }
  return NULL;
}

static dlf_status layout_differs(const dlf__match *m, const dlf__clause *c, const DLTensor *t, const char *wanted,
                                 const char *of) {
  match_failure f = begin_failure(m, c);
  const char *is = dlf_is_contiguous(t, DLF_ROW_MAJOR)      ? "row-major"
                   : dlf_is_contiguous(t, DLF_COLUMN_MAJOR) ? "column-major"
                   : dlf_is_contiguous(t, DLF_DENSE)        ? "dense"
                                                            : "strided";
  dlf__put(&f.text, ": layout is %s, wanted %s%s", is, wanted, of);
  return end_failure(&f, DLF_LAYOUT);
}

static dlf_status check_layout(const dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  const bool elements = has_elements(t);
  switch (c->layout) {
  case DLF__LAYOUT_STRIDED: break;
  case DLF__LAYOUT_ROW_MAJOR:
    if (!dlf_is_contiguous(t, DLF_ROW_MAJOR)) return layout_differs(m, c, t, "row-major", "");
    break;
  case DLF__LAYOUT_FORTRAN:
    if (!dlf_is_contiguous(t, DLF_COLUMN_MAJOR)) return layout_differs(m, c, t, "column-major", "");
    break;
  case DLF__LAYOUT_DENSE:
    if (!dlf_is_contiguous(t, DLF_DENSE)) return layout_differs(m, c, t, "dense", "");
    break;
  case DLF__LAYOUT_ROWS:
    if (elements && t->ndim > 0 && t->shape[t->ndim - 1] > 1 && dlf__contract_stride(t, t->ndim - 1) != 1)
      return layout_differs(m, c, t, "dense rows", "");
    break;
  }
  const dlf__clause *model = c->same_layout && elements ? dlf__contract_layout_model(m, c, t->ndim) : NULL;
  if (!model) return DLF_OK;
  const DLTensor *other = dlf__contract_tensor(m, model);
  for (int32_t i = 0; i < t->ndim; i++)
    if (t->shape[i] > 1 && other->shape[i] > 1 && dlf__contract_stride(t, i) != dlf__contract_stride(other, i))
      return layout_differs(m, c, t, "that of ", name_of(m, model));
  return DLF_OK;
}

static dlf_status check_device(const dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  char word[DLF_NAME_CAPACITY];
  const dlf__clause *first = NULL;
  switch (c->place) {
  case DLF__PLACE_ANY: return DLF_OK;
  case DLF__PLACE_CPU:
    if (dlf_is_cpu_accessible(t->device)) return DLF_OK;
    break;
  case DLF__PLACE_LIST:
    for (int32_t i = 0; i < c->device_count; i++)
      if (c->devices[i] == (int32_t)t->device.device_type) return DLF_OK;
    break;
  case DLF__PLACE_SAME:
    first = m->contract->clauses;
    while (!dlf__contract_tensor(m, first)) first++; /* at the latest this clause, whose tensor is here */
    const DLDevice other = dlf__contract_tensor(m, first)->device;
    if (other.device_type == t->device.device_type && other.device_id == t->device.device_id) return DLF_OK;
    break;
  }
  match_failure f = begin_failure(m, c);
  dlf_device_format(t->device, word, sizeof word);
  dlf__put(&f.text, ": device is %s, wanted ", word);
  if (first) {
    dlf_device_format(dlf__contract_tensor(m, first)->device, word, sizeof word);
    dlf__put(&f.text, "%s as %s", word, name_of(m, first));
  } else if (c->place == DLF__PLACE_CPU) {
    dlf__put(&f.text, "cpu");
  } else {
    for (int32_t i = 0; i < c->device_count; i++) {
      dlf_device_format((DLDevice){(DLDeviceType)c->devices[i], 0}, word, sizeof word);
      word[strcspn(word, ":")] = 0;
      dlf__put(&f.text, i ? "|%s" : "%s", word);
    }
  }
  return end_failure(&f, DLF_DEVICE);
}

/* The alignment that C gives a scalar of this dtype; a complex number's is that of its parts. */
static int64_t natural_alignment(DLDataType dtype) {
  int64_t bits = dtype.bits;
  if (dtype.code == kDLComplex || dtype.code == DLF__BCOMPLEX) bits /= 2;
  if (bits % 8 != 0) return 1;
  const int64_t bytes = bits / 8;
  return (bytes & -bytes) < 16 ? bytes & -bytes : 16;
}

static dlf_status check_alignment(const dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  if (!dlf_is_cpu_accessible(t->device) || !has_elements(t)) return DLF_OK; /* a handle is no address */
  const int64_t natural = natural_alignment(t->dtype);
  const int64_t wanted = c->align > natural ? c->align : natural;
  if (wanted <= 1 || (uintptr_t)dlf_data(t) % (uintptr_t)wanted == 0) return DLF_OK;
  match_failure f = begin_failure(m, c);
  dlf__put(&f.text, ": is not aligned to %" PRId64 " bytes", wanted);
  return end_with_wanted(&f, c, NULL, DLF_LAYOUT);
}

static const char *axis_text(const dlf__clause *c, const DLTensor *t, int32_t axis) {
  if (c->implicit) return "_";
  if (c->run < 0 || axis < c->run) return c->axes[axis].text;
  const int32_t run_count = t->ndim - (c->axis_count - 1);
  return axis < c->run + run_count ? "..." : c->axes[axis - run_count + 1].text;
}

static dlf_status check_writable(const dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  const uint64_t flags = m->arguments[c->parameter].tensor.flags;
  if (!c->written) return DLF_OK;
  if (flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLF_FLAGS_UNKNOWN)) {
    match_failure f = begin_failure(m, c);
    dlf__put(&f.text, flags & DLPACK_FLAG_BITMASK_READ_ONLY ? ": is read-only" : ": is not known to be writable");
    return end_with_wanted(&f, c, NULL, DLF_READ_ONLY);
  }
  if (!has_elements(t)) return DLF_OK;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] <= 1 || dlf__contract_stride(t, i) != 0) continue;
    match_failure f = begin_failure(m, c);
    dlf__put(&f.text, ": repeats elements along %s", axis_text(c, t, i));
    return end_with_wanted(&f, c, NULL, DLF_INVALID);
  }
  return DLF_OK;
}

static dlf_status check_aliases(const dlf__match *m) {
  const dlf_contract *contract = m->contract;
  for (int32_t i = 0; i < contract->clause_count; i++) {
    const dlf__clause *c = &contract->clauses[i];
    if (!c->noalias || !dlf__contract_tensor(m, c)) continue;
    for (int32_t k = 0; k < contract->clause_count; k++) {
      const dlf__clause *other = &contract->clauses[k];
      if (k == i || !dlf__contract_tensor(m, other)) continue;
      if (!dlf_overlap(m->arguments[c->parameter].tensor, m->arguments[other->parameter].tensor)) continue;
      match_failure f = begin_failure(m, c);
      dlf__put(&f.text, ": shares memory with %s", name_of(m, other));
      return end_with_wanted(&f, c, NULL, DLF_INVALID);
    }
  }
  return DLF_OK;
}

/* ---- the whole ---- */

static dlf_status check_structures(const dlf__match *m) {
  char name[160];
  for (int32_t i = 0; i < m->contract->clause_count; i++) {
    const dlf__clause *c = &m->contract->clauses[i];
    const DLTensor *t = dlf__contract_tensor(m, c);
    if (!t && (c->opt || (m->infer && c->written && !c->inout))) continue;
    const uint64_t flags = m->arguments[c->parameter].tensor.flags;
    if (!dlf__check("", t, flags, NULL)) continue;
    write_name(m, c, name, sizeof name); /* costs more than the check */
    return dlf__check(name, t, flags, m->error);
  }
  return DLF_OK;
}

dlf_status dlf__contract_run(dlf__match *m) {
  dlf_status status = check_structures(m);
  if (!status) status = dlf__contract_bind(m);
  for (int32_t i = 0; i < m->contract->clause_count && !status; i++) {
    const dlf__clause *c = &m->contract->clauses[i];
    const DLTensor *t = dlf__contract_tensor(m, c);
    if (!t) continue;
    status = check_dtype(m, c, t);
    if (!status) status = check_shape(m, c, t);
    if (!status) status = check_device(m, c, t);
    if (!status) status = check_writable(m, c, t);
    if (!status) status = check_layout(m, c, t);
    if (!status) status = check_alignment(m, c, t);
  }
  return status ? status : check_aliases(m);
}

dlf_status dlf_contract_match(const dlf_contract *self, const dlf_value *arguments, dlf_error *error) {
  dlf__match m;
  m.contract = self;
  m.arguments = arguments;
  m.error = error;
  m.infer = false;
  m.bound = 0;
  m.types_bound = 0;
  m.run_binder = -1;
  return dlf__contract_run(&m);
}
