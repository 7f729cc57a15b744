/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are refused for a number, a list's length, an enum value or a closed handle. */
#include "bind/twin/argument.h"
#include "call.h"
#include <string.h>

/* ---- constraints ---- */

/* Tell whether a plan breaks only this constraint. */
static bool cases_breaks_only(const cases_finder *s, const cases_plan *plan,
                              const dlf__constraint *k) {
  DLF__EACH_CONSTRAINT (constraint, s->contract) {
    if (cases_holds(s, plan, constraint) == (constraint == k)) {
      return false;
    }
  }
  return true;
}

static int cases_first_symbol(uint64_t mask) {
  int first = 0;
  while (!(mask >> first & 1)) {
    first++;
  }
  return first;
}

static bool cases_is_about(const char *text, const dlf__constraint *k) {
  const char *wanted = strstr(text, BIND_CASE_WANTED);
  return wanted && strcmp(wanted + strlen(BIND_CASE_WANTED), k->text) == 0;
}

static bool cases_try_limit(cases_finder *s, const cases_plan *plan, const dlf__constraint *k) {
  dlf_error error;
  if (s->steps-- <= 0 || (plan->only ? !cases_breaks_only(s, plan, k) : cases_holds(s, plan, k))) {
    return false;
  }
  s->scratch->make = cases_makes(s->f);
  if (!cases_fill(s, plan, s->scratch) || !cases_judge_surely(s, s->scratch, &error) ||
      !cases_is_about(error.message, k)) {
    return false;
  }
  const char *name = s->contract->symbols[cases_first_symbol(k->needs)].name;
  const bind_param *p = NULL;
  const bool several = k->needs & (k->needs - 1);
  BIND_EACH_PARAM (named, s->f) {
    if (!several && strcmp(named->name, name) == 0) {
      p = named;
    }
  }
  return cases_try(s, BIND_BROKEN_LIMIT, p, name, "limit");
}

/* Give one name another value and, if that is not enough, two. */
static bool cases_change(cases_finder *s, cases_plan *plan, const dlf__constraint *k, int32_t from,
                         int names) {
  for (int32_t symbol = from; symbol < s->contract->symbol_count; symbol++) {
    const bool real = s->contract->symbols[symbol].real;
    const bind_param *p = cases_number(s, symbol);
    const int64_t integer = plan->numbers.integers[symbol];
    const double value = plan->numbers.reals[symbol];
    if (!(k->needs >> symbol & 1)) {
      continue;
    }
    for (int i = 0; i < (real ? s->real_count : s->integer_count); i++) {
      plan->numbers.integers[symbol] = 0;
      plan->numbers.reals[symbol] = 0;
      if (real) {
        plan->numbers.reals[symbol] = s->real_candidates[i];
      } else {
        plan->numbers.integers[symbol] = s->integer_candidates[i];
      }
      if (p ? !cases_fits(p, plan->numbers.integers[symbol], plan->numbers.reals[symbol])
            : plan->numbers.integers[symbol] < 0) {
        continue;
      }
      if (names == 1 ? cases_try_limit(s, plan, k)
                     : cases_change(s, plan, k, symbol + 1, names - 1)) {
        return true;
      }
    }
    plan->numbers.integers[symbol] = integer;
    plan->numbers.reals[symbol] = value;
  }
  return false;
}

/* Prefer a plan that breaks no other constraint. */
static void cases_break_limit(cases_finder *s, const dlf__constraint *k) {
  bool broken = k->kind == DLF__TYPE_IN;
  for (const bind_case *c = s->first; c && !broken; c = c->next) {
    broken = cases_is_about(c->text, k);
  }
  for (int attempt = 0; attempt < 4 && !broken; attempt++) {
    cases_plan plan = s->plan;
    plan.positive = plan.distinct = false;
    plan.only = attempt < 2;
    broken = cases_change(s, &plan, k, 0, 1 + attempt % 2);
  }
  if (!broken) {
    cases_miss(s, NULL, k->text);
  }
}

/* ---- lengths ---- */

static void cases_break_number(cases_finder *s, const bind_param *p) {
  bind_case_value *value = &s->scratch->values[cases_index(s, p)];
  for (int change = 1; change >= -1; change -= 2) {
    if (!cases_reset(s, p) || value->count + change < 0 || value->count + change > CASES_ITEMS) {
      continue;
    }
    if (change > 0 && p->type.kind == BIND_LIST) {
      if (!value->count) {
        continue;
      }
      value->tensor[value->count] = value->tensor[0];
    }
    value->count += change;
    if (cases_try(s, BIND_BROKEN_NUMBER, p, p->name, "number")) {
      return;
    }
  }
}

/* ---- arguments ---- */

static void cases_break_enum(cases_finder *s, const bind_param *p) {
  const bind_enum *e = p->type.enumeration;
  bind_case_value *value = &s->scratch->values[cases_index(s, p)];
  int64_t highest = INT32_MAX;
  if (e->scalar == BIND_U32) {
    highest = UINT32_MAX;
  }
  int64_t unknown = 1;
  if (!e->count || !cases_reset(s, p)) {
    return;
  }
  while (unknown < highest && argument_is_in(e, unknown)) {
    if (e->flags) {
      unknown *= 2;
    } else {
      unknown++;
    }
  }
  value->integer = unknown;
  value->enumerator = NULL;
  if (unknown > highest || !cases_try(s, BIND_BROKEN_ENUM, p, p->name, "unknown")) {
    cases_miss(s, p, bind_string("a value that is none of %s", e->short_name));
  }
}

static void cases_break_letter(cases_finder *s, const bind_param *p) {
  if (!*p->letters || !cases_reset(s, p)) {
    return;
  }
  for (const char *c = "?XYZ!"; *c; c++) {
    if (strchr(p->letters, *c)) {
      continue;
    }
    s->scratch->values[cases_index(s, p)].text = bind_string("%c", *c);
    if (cases_try(s, BIND_BROKEN_LETTER, p, p->name, "letter")) {
      return;
    }
  }
  cases_miss(s, p, "a character that is none of its own");
}

static void cases_break_handle(cases_finder *s, const bind_param *p) {
  if (!cases_reset(s, p)) {
    return;
  }
  s->scratch->values[cases_index(s, p)].closed = true;
  if (!cases_try(s, BIND_BROKEN_CLOSED, p, p->name, "closed")) {
    cases_miss(s, p, "closed");
  }
}

void cases_break(cases_finder *s) {
  cases_break_clauses(s);
  BIND_EACH_PARAM (p, s->f) {
    if (!bind_is_read(p)) {
      continue;
    }
    if (p->type.kind == BIND_LIST || p->type.kind == BIND_ARRAY) {
      cases_break_number(s, p);
    }
    if (p->type.kind == BIND_ENUM) {
      cases_break_enum(s, p);
    }
    if (p->type.kind == BIND_CHAR) {
      cases_break_letter(s, p);
    }
    if (p->type.kind == BIND_HANDLE) {
      cases_break_handle(s, p);
    }
  }
  DLF__EACH_CONSTRAINT (constraint, s->contract) {
    cases_break_limit(s, constraint);
  }
}
