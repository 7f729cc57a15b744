/* SPDX-License-Identifier: Apache-2.0 */
/* Search for a call that a contract accepts: a value for each of its names. Small values come
 * first, and different ones if possible, since only different extents show swapped axes. The
 * constraints cut branches off; the matcher decides. */
#include "bind/c/scalar.h"
#include "call.h"
#include <stdlib.h>
#include <string.h>

/* ---- candidates ---- */

static void cases_add_integer(cases_finder *s, int64_t value) {
  for (int i = 0; i < s->integer_count; i++) {
    if (s->integer_candidates[i] == value) {
      return;
    }
  }
  s->integer_candidates[s->integer_count++] = value;
}

static void cases_add_real(cases_finder *s, double value) {
  for (int i = 0; i < s->real_count; i++) {
    if (s->real_candidates[i] == value) {
      return;
    }
  }
  s->real_candidates[s->real_count++] = value;
}

/* Collect the numbers of constraints, and numbers near them. */
static void cases_list_candidates(cases_finder *s) {
  static const int64_t integers[] = {2, 3, 4, 5, 6, 7, 8, 9, 1};
  static const int64_t more[] = {0, -1, 10, 12, 16, 32, 64, 100, 128, 1000};
  static const double reals[] = {1, 0.5, 2, 0.25, 0, -1, 10, 100};
  const size_t nodes = (size_t)s->contract->node_count;
  double before = 0;
  s->integer_candidates = bind_alloc(32 + 4 * nodes, sizeof *s->integer_candidates);
  s->real_candidates = bind_alloc(32 + 6 * nodes, sizeof *s->real_candidates);
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    cases_add_integer(s, integers[i]);
  }
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    cases_add_real(s, reals[i]);
  }
  BIND_EACH (const dlf__node, n, s->contract->nodes, nodes) {
    if (n->op > DLF__FRACTION) {
      continue;
    }
    if (n->op == DLF__INTEGER && n->integer > INT64_MIN / 4 && n->integer < INT64_MAX / 4) {
      cases_add_integer(s, n->integer);
      cases_add_integer(s, n->integer + 1);
      cases_add_integer(s, n->integer - 1);
      cases_add_integer(s, 2 * n->integer);
    }
    double value = n->real;
    if (n->op == DLF__INTEGER) {
      value = (double)n->integer;
    }
    const double near[] = {
        value, value + 1, value - 1, value + 0.5, value - 0.5, (value + before) / 2};
    for (size_t k = 0; k < 6; k++) {
      cases_add_real(s, near[k]);
    }
    before = value;
  }
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    cases_add_integer(s, more[i]);
  }
}

bool cases_fits(const bind_param *p, int64_t integer, double real) {
  const bind_scalar scalar = p->type.scalar;
  if (scalar == BIND_F32) {
    return (double)(float)real == real;
  }
  if (p->type.kind != BIND_INTEGER) {
    return true;
  }
  const int64_t highest = bind_scalar_highest(scalar);
  return integer <= highest && integer >= (scalar >= BIND_U8 ? 0 : -highest - 1);
}

/* ---- the search ---- */

bool cases_holds(const cases_finder *s, const cases_plan *plan, const dlf__constraint *k) {
  bool overflow;
  return dlf__contract_holds(s->contract, &plan->numbers, k, &overflow);
}

/* Tell whether the constraints on the first `count` names hold. */
static bool cases_may_hold(const cases_finder *s, int32_t count) {
  const dlf_contract *c = s->contract;
  const uint64_t fresh = UINT64_C(1) << (count - 1);
  const uint64_t known = fresh | (fresh - 1);
  DLF__EACH_CONSTRAINT (k, c) {
    if ((k->needs & fresh) && !(k->needs & ~known) && !cases_holds(s, &s->plan, k)) {
      return false;
    }
  }
  DLF__EACH_CLAUSE (clause, c) {
    DLF__EACH_AXIS (axis, clause) {
      int64_t extent;
      if (axis->kind == DLF__AXIS_EXPRESSION && (axis->needs & fresh) && !(axis->needs & ~known) &&
          !cases_extent(s, &s->plan, axis, &extent)) {
        return false;
      }
    }
  }
  return true;
}

const bind_param *cases_number(const cases_finder *s, int32_t symbol) {
  const int32_t parameter = s->contract->symbols[symbol].parameter;
  if (parameter < 0) {
    return NULL;
  }
  return s->f->c_params[parameter].param;
}

/* Tell whether another name, or an extent that the contract fixes, has the value. */
static bool cases_is_used(const cases_finder *s, int32_t symbol, int64_t value) {
  const dlf_contract *c = s->contract;
  for (int32_t i = 0; i < symbol; i++) {
    if (!c->symbols[i].real && s->plan.numbers.integers[i] == value) {
      return true;
    }
  }
  DLF__EACH_CLAUSE (clause, c) {
    DLF__EACH_AXIS (axis, clause) {
      if (axis->kind != DLF__AXIS_EXPRESSION) {
        continue;
      }
      if (c->nodes[axis->node].op == DLF__INTEGER && c->nodes[axis->node].integer == value) {
        return true;
      }
    }
  }
  return false;
}

static bool cases_search(cases_finder *s, int32_t symbol);

static bool cases_try_value(cases_finder *s, int32_t symbol, int64_t integer, double real) {
  const bind_param *p = cases_number(s, symbol);
  if (s->steps-- <= 0) {
    return false;
  }
  if (p ? !cases_fits(p, integer, real) : integer < s->plan.positive) {
    return false;
  }
  s->plan.numbers.integers[symbol] = integer;
  s->plan.numbers.reals[symbol] = real;
  return cases_may_hold(s, symbol + 1) && cases_search(s, symbol + 1);
}

static bool cases_search(cases_finder *s, int32_t symbol) {
  const dlf_contract *c = s->contract;
  if (symbol == c->symbol_count) {
    dlf_error error;
    return cases_fill(s, &s->plan, s->scratch) && cases_judge(s, s->scratch, &error) == DLF_OK;
  }
  const bind_param *p = cases_number(s, symbol);
  if (c->symbols[symbol].real) {
    if (p->def.kind == BIND_DEFAULT_NUMBER &&
        cases_try_value(s, symbol, 0, strtod(p->def.text, NULL))) {
      return true;
    }
    for (int i = 0; i < s->real_count; i++) {
      if (cases_try_value(s, symbol, 0, s->real_candidates[i])) {
        return true;
      }
    }
    return false;
  }
  int64_t known;
  if (cases_recall(s, c->symbols[symbol].hook, &known)) {
    return cases_try_value(s, symbol, known, 0);
  }
  if (p && p->def.kind == BIND_DEFAULT_NUMBER &&
      cases_try_value(s, symbol, strtoll(p->def.text, NULL, 10), 0)) {
    return true;
  }
  for (int grade = 0; grade < (s->plan.distinct ? 1 : 3);
       grade++) { /* of their own; shared; 1, 0 and below, which hide much */
    for (int i = 0, tried = 0; i < s->integer_count && !(tried && grade != 1 && s->plan.few); i++) {
      const int64_t value = s->integer_candidates[i];
      int of = cases_is_used(s, symbol, value);
      if (value < 2 && !p) {
        of = 2;
      }
      tried += of == grade;
      if (of == grade && cases_try_value(s, symbol, value, 0)) {
        return true;
      }
    }
  }
  return false;
}

/* Try different values, then equal ones in every way, then any, then extents of 0. Each gets its
 * share of the steps. */
bool cases_find(cases_finder *s) {
  const int all = s->steps / 2;
  cases_list_candidates(s);
  s->scratch->make = cases_makes(s->f);
  for (int attempt = 0; attempt < 4; attempt++) {
    for (int run = 2; run >= 0; run--) {
      s->plan.distinct = attempt == 0;
      s->plan.few = attempt == 1;
      s->plan.positive = attempt < 3;
      s->plan.run = run;
      s->steps = all / 12;
      if (cases_search(s, 0)) {
        s->steps = all;
        return true;
      }
    }
  }
  return false;
}
