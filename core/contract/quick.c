/* SPDX-License-Identifier: Apache-2.0 */
/* The accepting walk: one pass over each tensor, without texts, in the quickest order. It stops at
 * the first fault or unusual property (another device, sub-byte elements), and leaves the rest to
 * match.c. */
#include "matching.h"

/* Addresses from first to end - 1; for a list all from its first to its last. */
typedef struct quick_range {
  uintptr_t first, end;
} quick_range;

static bool quick_type(dlf__match *m, int32_t type, DLDataType dtype) {
  const dlf_contract *contract = m->contract;
  const uint32_t bit = UINT32_C(1) << type;
  if (m->types_bound & bit) {
    return dlf__same_dtype(m->types[type], dtype);
  }
  for (int32_t i = 0; i < contract->constraint_count; i++) {
    const dlf__constraint *k = &contract->constraints[i];
    if (k->kind == DLF__TYPE_IN && k->type == type && !dlf__type_allows(k, dtype)) {
      return false;
    }
  }
  m->types_bound |= bit;
  m->types[type] = dtype;
  return true;
}

static inline bool quick_symbol(dlf__match *m, int32_t symbol, int64_t value) {
  const uint64_t bit = UINT64_C(1) << symbol, bound = m->bound;
  if (bound & bit) {
    return m->numbers.integers[symbol] == value;
  }
  m->bound = bound | bit;
  m->numbers.integers[symbol] = value;
  return true;
}

static bool quick_other_axis(const dlf__match *m, const dlf__axis *axis, uint64_t bound,
                             int64_t extent) {
  int64_t expected;
  if (axis->kind == DLF__AXIS_ANY) {
    return true;
  }
  if (axis->kind == DLF__AXIS_HOOK) {
    return dlf__argument(m, m->contract->parameter_count + axis->hook)->integer == extent;
  }
  if (axis->needs & ~bound) {
    return true; /* only bound by an absent tensor or an empty list */
  }
  return !dlf__contract_evaluate(m->contract, &m->numbers, axis->node, &expected) &&
         expected == extent;
}

static inline bool quick_axes(dlf__match *m, const dlf__axis *axes, const int64_t *shape,
                              int32_t count) {
  uint64_t bound = m->bound; /* in a register while it grows */
  for (int32_t i = 0; i < count; i++) {
    const int64_t extent = shape[i];
    if (axes[i].kind != DLF__AXIS_SYMBOL) {
      if (!quick_other_axis(m, &axes[i], bound, extent)) {
        return false;
      }
    } else if (bound >> axes[i].symbol & 1) {
      if (m->numbers.integers[axes[i].symbol] != extent) {
        return false;
      }
    } else {
      m->numbers.integers[axes[i].symbol] = extent;
      bound |= UINT64_C(1) << axes[i].symbol;
    }
  }
  m->bound = bound;
  return true;
}

static bool quick_run(dlf__match *m, const dlf__clause *c, const int64_t *run, int32_t count) {
  if (!m->run) {
    m->run = run;
    m->run_count = count;
    m->run_binder = c->parameter;
  }
  if (m->run_count != count) {
    return false;
  }
  for (int32_t i = 0; i < count; i++) {
    if (run[i] != m->run[i]) {
      return false;
    }
  }
  return true;
}

static bool quick_like(const dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  const DLTensor *model =
      dlf__contract_tensor(m, &m->contract->clauses[c->like]); /* it bound before */
  if (!dlf__same_dtype(model->dtype, t->dtype) || model->ndim != t->ndim) {
    return false;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (model->shape[i] != t->shape[i]) {
      return false;
    }
  }
  return true;
}

static bool quick_shape(dlf__match *m, const dlf__clause *c, const DLTensor *t) {
  static const int64_t none;
  const int32_t run_count = t->ndim - c->axis_count + 1, after = c->run + 1;
  const int64_t *shape = t->ndim ? t->shape : &none;
  if (c->like >= 0) {
    return quick_like(m, c, t);
  }
  if (c->run < 0) {
    return c->implicit || (t->ndim == c->axis_count && quick_axes(m, c->axes, shape, t->ndim));
  }
  if (run_count < 0 || !quick_axes(m, c->axes, shape, c->run)) {
    return false;
  }
  return quick_run(m, c, shape + c->run, run_count) &&
         quick_axes(m, c->axes + after, shape + c->run + run_count, c->axis_count - after);
}

/* The touched elements, *low to *high - 1, for strides that are not row-major. */
static bool quick_reach(const DLTensor *t, bool written, int64_t *low, int64_t *high) {
  *low = 0;
  *high = 1;
  for (int32_t i = 0; i < t->ndim; i++) {
    int64_t reach;
    if (written && t->strides[i] == 0 && t->shape[i] > 1) {
      return false;
    }
    if (dlf__mul(t->shape[i] - 1, t->strides[i], &reach)) {
      return false;
    }
    if (reach < 0 ? dlf__add(*low, reach, low) : dlf__add(*high, reach, high)) {
      return false;
    }
  }
  return true;
}

static bool quick_layout(const dlf__match *m, const dlf__clause *c, const DLTensor *t, int64_t item,
                         bool row_major) {
  const dlf__subject s = {c, t, 0, item};
  const dlf__clause *model;
  if (c->same_layout && !dlf__contract_same_layout(m, &s, &model)) {
    return false;
  }
  const dlf__layout_rule *rule = &dlf__layouts[c->layout];
  return (row_major && rule->row_major_fits) || !rule->fits || rule->fits(t, rule->order);
}

/* True when all extents are 0 or more and their product fits; *row_major unless strides say
 * otherwise. */
static inline bool quick_count(const DLTensor *t, int64_t *count, bool *row_major) {
  const int64_t *shape = t->shape, *strides = t->strides;
  int64_t product = 1, any = 0;
  bool overflow = false, differs = false;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    differs |= strides && strides[i] != product && shape[i] != 1;
    any |= shape[i];
    overflow |= dlf__mul(product, shape[i], &product);
  }
  *count = product;
  *row_major = !differs;
  return any >= 0 && !overflow;
}

/* Find the elements' addresses and extend the range to them. */
static bool quick_place(const dlf__match *m, const dlf__clause *c, const DLTensor *t, int64_t item,
                        quick_range *range) {
  int64_t count, low = 0, high;
  bool row_major;
  uintptr_t data;
  if (!quick_count(t, &count, &row_major)) {
    return false;
  }
  if (count == 0) {
    return true; /* an empty tensor needs no more checks */
  }
  high = count;
  if (!row_major && !quick_reach(t, c->written, &low, &high)) {
    return false;
  }
  if (!(row_major && c->layout == DLF__LAYOUT_ROW_MAJOR) &&
      !quick_layout(m, c, t, item, row_major)) {
    return false;
  }
  const int64_t bytes = t->dtype.bits / 8, step = bytes * t->dtype.lanes;
  int64_t align = t->dtype.code == kDLComplex ? bytes / 2 : bytes, size;
  align = (align & -align) < 16 ? align & -align : 16;
  if (c->align > align) {
    align = c->align;
  }
  if (!t->data || __builtin_add_overflow((uintptr_t)t->data, t->byte_offset, &data)) {
    return false;
  }
  if (data & (uint64_t)(align - 1)) {
    return false;
  }
  if (dlf__mul(low, step, &low) || dlf__mul(high, step, &high) ||
      __builtin_sub_overflow(high, low, &size)) {
    return false;
  }
  if ((uint64_t)0 - (uint64_t)low >= data || (uint64_t)high > UINTPTR_MAX - data) {
    return false; /* in 64 bits */
  }
  if (data + (uintptr_t)low < range->first) {
    range->first = data + (uintptr_t)low;
  }
  if (data + (uintptr_t)high > range->end) {
    range->end = data + (uintptr_t)high;
  }
  return true;
}

static bool quick_tensor(dlf__match *m, const dlf__clause *c, const dlf_arg *arg, int64_t item,
                         quick_range *range) {
  const DLTensor *t = arg->tensor;
  if (!t || (uint32_t)t->ndim > DLF_MAX_NDIM || (!t->shape && t->ndim)) {
    return false;
  }
  if (t->device.device_type != kDLCPU || t->device.device_id != 0 || !c->on_cpu) {
    return false;
  }
  if (t->dtype.code > kDLBool || t->dtype.bits == 0 || t->dtype.bits % 8 != 0 ||
      t->dtype.lanes == 0) {
    return false;
  }
  /* Known flags only, and none that forbids writing. */
  if (arg->flags & ~(c->written ? DLF__KNOWN_FLAGS & ~DLPACK_FLAG_BITMASK_READ_ONLY
                                : DLF__KNOWN_FLAGS | DLF_FLAGS_UNKNOWN)) {
    return false;
  }
  if (c->type >= 0 && !quick_type(m, c->type, t->dtype)) {
    return false;
  }
  if (c->type < 0 && c->dtype_count && c->like < 0 &&
      !dlf__dtype_among(t->dtype, c->dtypes, c->dtype_count)) {
    return false;
  }
  return quick_shape(m, c, t) && quick_place(m, c, t, item, range);
}

static bool quick_number(dlf__match *m, int32_t parameter, int32_t symbol) {
  const dlf_value *value = dlf__argument(m, parameter);
  if (value->integer < 0 || (value->integer && !value->items)) {
    return false;
  }
  return symbol < 0 || quick_symbol(m, symbol, value->integer);
}

static bool quick_clause(dlf__match *m, const dlf__clause *c, quick_range *range) {
  range->first = UINTPTR_MAX;
  range->end = 0;
  const dlf_value *value = dlf__argument(m, c->parameter);
  if (!c->list) {
    if (m->inputs_only && (c->given || dlf__is_output(c))) {
      return true; /* as if absent */
    }
    return value->tensor.tensor ? quick_tensor(m, c, &value->tensor, -1, range)
                                : c->opt || c->given;
  }
  if (!quick_number(m, c->parameter, c->count)) {
    return false;
  }
  for (int64_t k = 0; k < value->integer; k++) {
    if (!quick_tensor(m, c, (const dlf_arg *)value->items + k, k, range)) {
      return false;
    }
  }
  return true;
}

static bool quick_bind(dlf__match *m) {
  const dlf_contract *contract = m->contract;
  if (dlf__bind_parameters(m) >= 0) {
    return false;
  }
  for (int32_t i = 0; i < contract->array_count; i++) {
    if (!quick_number(m, contract->arrays[i].parameter, contract->arrays[i].symbol)) {
      return false;
    }
  }
  return true;
}

/* Tell whether the outputs that C cuts have room for as much as it may write. */
static bool quick_room(const dlf__match *m) {
  for (int32_t i = 0; i < m->contract->limit_count; i++) {
    const dlf__limit *limit = &m->contract->limits[i];
    int64_t least;
    if (limit->told || !(m->bound >> limit->symbol & 1)) {
      continue;
    }
    if (limit->hook >= 0) {
      least = dlf__argument(m, m->contract->parameter_count + limit->hook)->integer;
    } else if (dlf__contract_names(m->contract, limit->node) & ~m->bound ||
               dlf__contract_evaluate(m->contract, &m->numbers, limit->node, &least)) {
      return false;
    }
    if (least < 0 || m->numbers.integers[limit->symbol] < least) {
      return false;
    }
  }
  return true;
}

bool dlf__contract_quick(dlf__match *m) {
  const dlf_contract *contract = m->contract;
  quick_range ranges[DLF__MAX_CLAUSES];
  if (!quick_bind(m)) {
    return false;
  }
  for (int32_t i = 0; i < contract->clause_count; i++) {
    if (!quick_clause(m, &contract->clauses[i], &ranges[i])) {
      return false;
    }
  }
  for (int32_t i = 0; i < contract->clause_count; i++) {
    for (int32_t k = 0; contract->clauses[i].noalias && k < contract->clause_count; k++) {
      if (k != i && ranges[i].first < ranges[k].end && ranges[k].first < ranges[i].end) {
        return false;
      }
    }
  }
  return (!m->contract->limit_count || quick_room(m)) && !dlf__contract_broken(m);
}
