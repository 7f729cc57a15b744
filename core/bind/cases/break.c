/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are refused for a tensor: for each rule of its clause, the accepted call with one
 * change. */
#include "call.h"
#include <string.h>

static bind_case_tensor *cases_tensor(cases_finder *s, const bind_param *p, int item) {
  return &s->scratch->values[cases_index(s, p)].tensor[item];
}

/* Copy the accepted call to scratch; return the tensor that is to be changed there, or NULL. */
static bind_case_tensor *cases_reset_tensor(cases_finder *s, const bind_param *p, int item) {
  if (!cases_reset(s, p)) {
    return NULL;
  }
  return cases_tensor(s, p, item);
}

/* Make a tensor compact in its own order. */
static void cases_lay_out(bind_case_tensor *t) {
  cases_compact(t, !t->row_major);
  cases_measure(t);
}

static bool cases_break_dtype(cases_finder *s, const bind_param *p, int item) {
  static const DLDataType dtypes[] = {{kDLFloat, 64, 1},
                                      {kDLFloat, 32, 1},
                                      {kDLInt, 32, 1},
                                      {kDLUInt, 8, 1},
                                      {kDLInt, 64, 1},
                                      {kDLUInt, 16, 1},
                                      {kDLInt, 8, 1},
                                      {kDLUInt, 64, 1},
                                      {kDLUInt, 32, 1},
                                      {kDLInt, 16, 1},
                                      {kDLBool, 8, 1}};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    bind_case_tensor *t = cases_reset_tensor(s, p, item);
    if (!t) {
      return false;
    }
    t->dtype = dtypes[i];
    if (cases_try(s, BIND_BROKEN_DTYPE, p, p->name, "dtype")) {
      return true;
    }
  }
  return false;
}

/* Try one axis more, one less, and with `...` too few for the other axes. */
static bool cases_break_ndim(cases_finder *s, const bind_param *p, int item, int too_few) {
  for (int attempt = 0; attempt < 3; attempt++) {
    bind_case_tensor *t = cases_reset_tensor(s, p, item);
    if (!t) {
      return false;
    }
    const int ndims[] = {t->ndim + 1, t->ndim - 1, too_few};
    const int ndim = ndims[attempt];
    if (ndim < 0 || ndim > BIND_CASE_NDIM) {
      continue;
    }
    if (ndim > t->ndim) {
      t->shape[t->ndim] = 2;
    }
    t->ndim = ndim;
    cases_lay_out(t);
    if (cases_try(s, BIND_BROKEN_NDIM, p, p->name, "ndim")) {
      return true;
    }
  }
  return false;
}

static bool cases_break_extent(cases_finder *s, const bind_param *p, int item, int axis,
                               const char *word) {
  bind_case_tensor *t = cases_reset_tensor(s, p, item);
  if (!t) {
    return false;
  }
  t->shape[axis]++;
  cases_lay_out(t);
  return cases_try(s, BIND_BROKEN_EXTENT, p, p->name, word);
}

/* Try another order, then two kinds of gaps. */
static int cases_break_layout(cases_finder *s, const bind_param *p, int item) {
  int broken = 0;
  for (int attempt = 0; attempt < 3; attempt++) {
    bind_case_tensor *t = cases_reset_tensor(s, p, item);
    if (!t) {
      return broken;
    }
    if (attempt == 0) {
      cases_compact(t, t->row_major);
    }
    for (int i = 0; i < t->ndim && attempt; i++) {
      if (attempt == 1 || t->strides[i] > 1) {
        t->strides[i] *= 2;
      }
    }
    cases_measure(t);
    broken += cases_try(s, BIND_BROKEN_LAYOUT, p, p->name, "layout");
  }
  return broken;
}

static bool cases_break_repeats(cases_finder *s, const bind_param *p) {
  bind_case_tensor *t = cases_reset_tensor(s, p, 0);
  if (!t) {
    return false;
  }
  if (t->ndim) {
    t->strides[0] = 0;
  }
  cases_measure(t);
  return cases_try(s, BIND_BROKEN_REPEATS, p, p->name, "repeats");
}

static bool cases_break_read_only(cases_finder *s, const bind_param *p) {
  bind_case_tensor *t = cases_reset_tensor(s, p, 0);
  if (!t) {
    return false;
  }
  t->read_only = true;
  return cases_try(s, BIND_BROKEN_READ_ONLY, p, p->name, "read_only");
}

static bool cases_break_align(cases_finder *s, const bind_param *p, int item) {
  bind_case_tensor *t = cases_reset_tensor(s, p, item);
  if (!t) {
    return false;
  }
  t->skew = t->align / 2; /* the best alignment that is still wrong */
  return cases_try(s, BIND_BROKEN_ALIGN, p, p->name, "align");
}

static int64_t cases_bytes(const bind_case_tensor *t) {
  return (t->reach * t->dtype.bits * t->dtype.lanes + 7) / 8;
}

/* The larger tensor lends its memory; prefer two of the same dtype. */
static bool cases_break_noalias(cases_finder *s, const bind_param *p) {
  for (int alike = 1; alike >= 0; alike--) {
    BIND_EACH_PARAM (partner, s->f) {
      const bool tensor = partner->type.kind == BIND_TENSOR || partner->type.kind == BIND_LIST;
      if (partner == p || !tensor || !cases_reset(s, p)) {
        continue;
      }
      if (partner->made) {
        s->scratch->make = false;
      }
      const bind_case_tensor *a = cases_tensor(s, p, 0);
      const bind_case_tensor *b = cases_tensor(s, partner, 0);
      if ((memcmp(&a->dtype, &b->dtype, sizeof a->dtype) == 0) != alike) {
        continue;
      }
      const bool lends = cases_bytes(a) > cases_bytes(b);
      if (lends) {
        s->scratch->owner = p;
        s->scratch->guest = partner;
      } else {
        s->scratch->owner = partner;
        s->scratch->guest = p;
      }
      if (cases_try(s, BIND_BROKEN_SHARED, p, p->name, "shared")) {
        return true;
      }
    }
  }
  return false;
}

/* ---- the rules of a clause ---- */

/* Names that are bound before a rule is checked: only such a rule can be broken. */
typedef struct cases_bound {
  uint64_t symbols;
  uint32_t types;
  bool run;
} cases_bound;

static bool cases_has_dtype_rule(const dlf_contract *c, const dlf__clause *clause,
                                 const cases_bound *bound) {
  if (clause->type < 0) {
    return clause->like >= 0 || clause->dtype_count > 0;
  }
  if (bound->types >> clause->type & 1) {
    return true;
  }
  DLF__EACH_CONSTRAINT (constraint, c) {
    if (constraint->kind == DLF__TYPE_IN && constraint->type == clause->type &&
        constraint->dtype_count) {
      return true;
    }
  }
  return false;
}

static void cases_rule_dtype(cases_finder *s, const dlf__clause *clause, const bind_param *p,
                             int last, const cases_bound *bound) {
  bool broken = cases_break_dtype(s, p, 0);
  if (last > 0) {
    broken |= cases_break_dtype(s, p, last);
  }
  if (!broken &&
      (cases_has_dtype_rule(s->contract, clause, bound) || (last > 0 && clause->type >= 0))) {
    cases_miss(s, p, "dtype");
  }
}

static void cases_rule_ndim(cases_finder *s, const dlf__clause *clause, const bind_param *p,
                            int last, const cases_bound *bound) {
  const bool any =
      clause->like < 0 && clause->run >= 0 && clause->axis_count == 1 && !bound->run && last == 0;
  int too_few = -1;
  if (clause->run >= 0) {
    too_few = clause->axis_count - 2;
  }
  if (!cases_break_ndim(s, p, last, too_few) && !any) {
    cases_miss(s, p, "ndim");
  }
}

static void cases_rule_extents(cases_finder *s, const dlf__clause *clause, const bind_param *p,
                               int last, cases_bound *bound) {
  for (int32_t i = 0, at = 0; i < clause->axis_count; i++) {
    const dlf__axis *axis = &clause->axes[i];
    const bool run = axis->kind == DLF__AXIS_RUN;
    const bool symbol = axis->kind == DLF__AXIS_SYMBOL;
    const bool again = last > 0 || clause->like >= 0;
    bool rule;
    if (run) {
      rule = (bound->run || again) && s->plan.run > 0;
    } else if (symbol) {
      rule = (axis->needs & ~bound->symbols) == 0 || again;
    } else {
      rule = axis->kind == DLF__AXIS_EXPRESSION;
    }
    if (!run || s->plan.run > 0) {
      const char *name = "extent";
      if (symbol) {
        name = axis->text;
      } else if (run) {
        name = "run";
      }
      const bool broken = cases_break_extent(s, p, last, at, name);
      if (!broken && rule) {
        cases_miss(s, NULL, bind_string("%s[%s]", p->name, axis->text));
      }
    }
    if (symbol && clause->like < 0) {
      bound->symbols |= axis->needs;
    }
    if (run) {
      bound->run = true;
      at += s->plan.run;
    } else {
      at += 1;
    }
  }
}

static void cases_rule_place(cases_finder *s, const dlf__clause *clause, const bind_param *p,
                             int last, int ndim) {
  const int layouts = (clause->layout != DLF__LAYOUT_STRIDED) + clause->same_layout;
  if (clause->written && !cases_break_read_only(s, p)) {
    cases_miss(s, p, "read-only");
  }
  if (ndim && layouts == 0 && clause->written && !cases_break_repeats(s, p)) {
    cases_miss(s, p, "repeated elements");
  }
  if (ndim && cases_break_layout(s, p, last) < layouts) {
    cases_miss(s, p, "layout");
  }
  if (clause->align > 1 && !cases_break_align(s, p, last)) {
    cases_miss(s, p, "align");
  }
  if (clause->noalias && !cases_break_noalias(s, p)) {
    cases_miss(s, p, "noalias");
  }
  if (clause->place == DLF__PLACE_LIST || clause->place == DLF__PLACE_SAME) {
    cases_miss(s, p, "device");
  }
}

static void cases_rule_clause(cases_finder *s, const dlf__clause *clause, cases_bound *bound) {
  const bind_param *p = cases_param(s, clause->parameter);
  if (!cases_reset(s, p)) {
    return;
  }
  int last = 0;
  if (clause->list) {
    last = s->scratch->values[cases_index(s, p)].count - 1;
  }
  if (clause->count >= 0) {
    bound->symbols |= UINT64_C(1) << clause->count;
  }
  if ((clause->after_call && !clause->implicit) || (s->f->hook_count && p->made)) {
    cases_miss(s, p, clause->text);
    return;
  }
  if (clause->after_call || last < 0) {
    return;
  }
  const int ndim = cases_tensor(s, p, last)->ndim;
  cases_rule_dtype(s, clause, p, last, bound);
  if (!clause->implicit) {
    cases_rule_ndim(s, clause, p, last, bound);
  }
  cases_rule_extents(s, clause, p, last, bound);
  cases_rule_place(s, clause, p, last, ndim);
  if (clause->type >= 0) {
    bound->types |= UINT32_C(1) << clause->type;
  }
}

void cases_break_clauses(cases_finder *s) {
  cases_bound bound = {0, 0, false};
  for (int32_t i = 0; i < s->contract->symbol_count; i++) {
    if (s->contract->symbols[i].parameter >= 0) {
      bound.symbols |= UINT64_C(1) << i;
    }
  }
  BIND_EACH (const dlf__array, array, s->contract->arrays, s->contract->array_count) {
    bound.symbols |= UINT64_C(1) << array->symbol;
  }
  DLF__EACH_CLAUSE (clause, s->contract) {
    cases_rule_clause(s, clause, &bound);
  }
}
