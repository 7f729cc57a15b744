/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions and constraints over numbers, and over the symbols that a match has bound so far. */
#include "matching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool divide(int64_t a, int64_t b, bool up, int64_t *out) {
  if (b <= 0) {
    return true;
  }
  *out = a / b;
  if (a % b != 0 && (up ? a > 0 : a < 0)) {
    if (up) {
      *out += 1;
    } else {
      *out += -1;
    }
  }
  return false;
}

/* True if the result does not fit in 64 bits. */
static bool combine(dlf__operator op, int64_t left, int64_t right, int64_t *out) {
  switch (op) {
  case DLF__ADD:
    return dlf__add(left, right, out);
  case DLF__SUBTRACT:
    return __builtin_sub_overflow(left, right, out);
  case DLF__MULTIPLY:
    return dlf__mul(left, right, out);
  case DLF__MINIMUM:
    if (left < right) {
      *out = left;
    } else {
      *out = right;
    }
    return false;
  case DLF__MAXIMUM:
    if (left > right) {
      *out = left;
    } else {
      *out = right;
    }
    return false;
  default:
    return divide(left, right, op == DLF__DIVIDE_UP, out);
  }
}

static double combine_reals(dlf__operator op, double left, double right) {
  const double either = left + right; /* NaN if one is */
  switch (op) {
  case DLF__ADD:
    return either;
  case DLF__SUBTRACT:
    return left - right;
  case DLF__MULTIPLY:
    return left * right;
  case DLF__MINIMUM:
    if (left < right) {
      return left;
    }
    if (right <= left) {
      return right;
    }
    return either;
  case DLF__MAXIMUM:
    if (left > right) {
      return left;
    }
    if (right >= left) {
      return right;
    }
    return either;
  default:
    return left / right;
  }
}

static bool evaluate_tree(const dlf_contract *self, const dlf__numbers *numbers, const dlf__node *n,
                          int64_t *out);
static double evaluate_real_tree(const dlf_contract *self, const dlf__numbers *numbers,
                                 const dlf__node *n);

/* Most expressions are a name or a number. */
static inline bool evaluate(const dlf_contract *self, const dlf__numbers *numbers, int32_t node,
                            int64_t *out) {
  const dlf__node *n = &self->nodes[node];
  if (n->op > DLF__SYMBOL) {
    return evaluate_tree(self, numbers, n, out);
  }
  if (n->op == DLF__SYMBOL) {
    *out = numbers->integers[n->symbol];
  } else {
    *out = n->integer;
  }
  return n->op == DLF__FRACTION;
}

static inline double evaluate_real(const dlf_contract *self, const dlf__numbers *numbers,
                                   int32_t node) {
  const dlf__node *n = &self->nodes[node];
  if (n->op > DLF__SYMBOL) {
    return evaluate_real_tree(self, numbers, n);
  }
  if (n->op != DLF__SYMBOL) {
    return n->real;
  }
  const bool real = self->symbols[n->symbol].real;
  if (real) {
    return numbers->reals[n->symbol];
  }
  return (double)numbers->integers[n->symbol];
}

static bool evaluate_tree(const dlf_contract *self, const dlf__numbers *numbers, const dlf__node *n,
                          int64_t *out) {
  int64_t left, right;
  if (evaluate(self, numbers, n->left, &left) || evaluate(self, numbers, n->right, &right)) {
    return true;
  }
  return combine(n->op, left, right, out);
}

static double evaluate_real_tree(const dlf_contract *self, const dlf__numbers *numbers,
                                 const dlf__node *n) {
  const double left = evaluate_real(self, numbers, n->left);
  return combine_reals(n->op, left, evaluate_real(self, numbers, n->right));
}

bool dlf__contract_evaluate(const dlf_contract *self, const dlf__numbers *numbers, int32_t node,
                            int64_t *out) {
  return evaluate(self, numbers, node, out);
}

double dlf__contract_evaluate_real(const dlf_contract *self, const dlf__numbers *numbers,
                                   int32_t node) {
  return evaluate_real(self, numbers, node);
}

static bool comparison_holds(dlf__comparison comparison, int64_t a, int64_t b) {
  switch (comparison) {
  case DLF__GT:
    return a > b;
  case DLF__GE:
    return a >= b;
  case DLF__LT:
    return a < b;
  case DLF__LE:
    return a <= b;
  case DLF__EQ:
    return a == b;
  default:
    return a != b;
  }
}

static bool holds_in_double(const dlf_contract *self, const dlf__numbers *numbers,
                            const dlf__constraint *c) {
  const double left = evaluate_real(self, numbers, c->left);
  const double right = evaluate_real(self, numbers, c->right);
  if (c->kind == DLF__RANGE) {
    return left >= right && left <= evaluate_real(self, numbers, c->high);
  }
  if (!(left <= right) && !(left > right)) {
    return false; /* one is NaN */
  }
  return comparison_holds(c->comparison, left > right, left < right);
}

bool dlf__contract_holds(const dlf_contract *self, const dlf__numbers *numbers,
                         const dlf__constraint *c, bool *overflow) {
  int64_t left, right, high;
  *overflow = false;
  if (c->kind == DLF__TYPE_IN) {
    return true;
  }
  if (c->real) {
    return holds_in_double(self, numbers, c);
  }
  *overflow = evaluate(self, numbers, c->left, &left) || evaluate(self, numbers, c->right, &right);
  if (*overflow) {
    return false;
  }
  if (c->kind == DLF__MULTIPLE) {
    return right > 0 && left % right == 0;
  }
  if (c->kind == DLF__COMPARE) {
    return comparison_holds(c->comparison, left, right);
  }
  return !evaluate(self, numbers, c->high, &high) && left >= right && left <= high;
}

/* ---- constraints ---- */

/* The shortest decimal that reads back as the same double, with a point in every locale. */
static void put_argument_real(dlf__text *text, double value) {
  char word[40];
  if (value != value) {
    dlf__put(text, "nan");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(word, sizeof word, "%.*g", digits, value);
    if (strtod(word, NULL) == value) {
      break;
    }
  }
  for (char *p = word; *p; p++) {
    if (!strchr("0123456789+-einf", *p)) {
      *p = '.';
    }
  }
  dlf__put(text, "%s", word);
}

/* Finite values from 2^128 - 2^103, half a step above the highest float, would round to infinity.
 */
dlf_status dlf_to_float(double value, const char *name, float *out, dlf_error *error) {
  static const double highest = 0x1.ffffffp127;
  char word[160];
  if (!name) {
    name = "";
  }
  if (!out) {
    return dlf__fail(error, DLF_INVALID, "%s: expected a place for a float, got NULL", name);
  }
  if (!(value - value == 0 && (value >= highest || value <= -highest))) {
    *out = (float)value;
    return DLF_OK;
  }
  *out = 0;
  dlf__text text = dlf__text_in(word, sizeof word);
  put_argument_real(&text, value);
  return dlf__fail(
      error, DLF_OVERFLOW, "%s: expected a number that fits in float32, got %s", name, word);
}

/* "image[c] is 5, wanted c in 1..4", "the number of frames is 0, wanted n > 0", "h is 3 and r is 2,
 * wanted h > 2*r" */
DLF__COLD static dlf_status constraint_broken(const dlf__match *m, const dlf__constraint *c,
                                              bool overflow) {
  const dlf_contract *contract = m->contract;
  dlf__failure f = dlf__failure_begin(m, NULL);
  int left = 0;
  for (int32_t i = 0; i < contract->symbol_count; i++) {
    left += (int)(c->needs >> i & 1);
  }
  bool of_tensor = false;
  for (int32_t i = 0; i < contract->symbol_count; i++) {
    const dlf__symbol *s = &contract->symbols[i];
    if (!(c->needs >> i & 1)) {
      continue;
    }
    of_tensor |= (s->parameter < 0 && s->hook < 0) || s->counts >= 0;
    dlf__put_source(&f.text, m, i);
    dlf__put(&f.text, " is ");
    if (s->real) {
      put_argument_real(&f.text, m->numbers.reals[i]);
    } else {
      dlf__put(&f.text, "%" PRId64, m->numbers.integers[i]);
    }
    left--;
    if (left) {
      dlf__put(&f.text, left == 1 ? " and " : ", ");
    }
  }
  dlf__put(&f.text, overflow ? ", too large for %s" : ", wanted %s", c->text);
  dlf_status status = DLF_INVALID;
  if (overflow) {
    status = DLF_OVERFLOW;
  } else if (of_tensor) {
    status = DLF_SHAPE;
  }
  return dlf__failure_end(&f, status);
}

dlf_status dlf__contract_constraints(const dlf__match *m, uint64_t fresh) {
  bool overflow;
  if (!m->closely) {
    return DLF_OK; /* all of them follow at the end */
  }
  for (int32_t i = 0; i < m->contract->constraint_count; i++) {
    const dlf__constraint *c = &m->contract->constraints[i];
    if ((c->needs & fresh) && !(c->needs & ~m->bound) &&
        !dlf__contract_holds(m->contract, &m->numbers, c, &overflow)) {
      return constraint_broken(m, c, overflow);
    }
  }
  return DLF_OK;
}

const dlf__constraint *dlf__contract_broken(const dlf__match *m) {
  bool overflow;
  for (int32_t i = 0; i < m->contract->constraint_count; i++) {
    const dlf__constraint *c = &m->contract->constraints[i];
    if (c->needs && !(c->needs & ~m->bound) &&
        !dlf__contract_holds(m->contract, &m->numbers, c, &overflow)) {
      return c;
    }
  }
  return NULL;
}

dlf_status dlf__contract_bind_number(dlf__match *m, int32_t parameter, int32_t symbol,
                                     const char *item, const char *wanted) {
  const dlf_contract *contract = m->contract;
  const dlf__symbol *s = &contract->symbols[symbol];
  const uint64_t bit = UINT64_C(1) << symbol;
  const int64_t number = dlf__argument(m, parameter)->integer;
  if (!(m->bound & bit)) {
    m->bound |= bit;
    m->counted |= bit;
    m->numbers.integers[symbol] = number;
    m->binders[symbol] = parameter;
    return dlf__contract_constraints(m, bit);
  }
  if (m->numbers.integers[symbol] == number) {
    return DLF_OK;
  }
  int32_t from;
  if (s->parameter < 0) {
    from = m->binders[symbol];
  } else {
    from = s->counts;
  }
  dlf__failure f = dlf__failure_begin(m, NULL);
  dlf__put(&f.text,
           "%s has %" PRId64 " %s%s, expected %s = %" PRId64,
           contract->names[parameter],
           number,
           item,
           number == 1 ? "" : "s",
           s->name,
           m->numbers.integers[symbol]);
  if (from != parameter) {
    dlf__put(&f.text, " from %s", contract->names[from]);
  }
  dlf__put(&f.text, "; wanted %s", wanted);
  return dlf__failure_end(&f, DLF_SHAPE);
}

dlf_status dlf__contract_bind(dlf__match *m) {
  const dlf_contract *contract = m->contract;
  const int32_t high = dlf__bind_parameters(m);
  if (high >= 0) {
    return dlf__fail(m->error,
                     DLF_OVERFLOW,
                     "%s: %s is %" PRIu64 ", expected below 2^63",
                     contract->function,
                     contract->symbols[high].name,
                     (uint64_t)m->numbers.integers[high]);
  }
  dlf_status status = dlf__contract_constraints(m, m->bound);
  for (int32_t i = 0; i < contract->array_count && !status; i++) {
    const dlf__array *a = &contract->arrays[i];
    status = dlf__contract_bind_number(m, a->parameter, a->symbol, "value", a->text);
  }
  return status;
}

dlf_status dlf__contract_hook(const dlf__match *m, int32_t hook, int64_t *out) {
  const dlf_contract *contract = m->contract;
  *out = dlf__argument(m, contract->parameter_count + hook)->integer;
  if (*out >= 0) {
    return DLF_OK;
  }
  return dlf__fail(m->error,
                   DLF_SHAPE,
                   "%s: %s %s %" PRId64 ", wanted a length of 0 or more",
                   contract->function,
                   contract->hooks[hook].function,
                   contract->hooks[hook].field ? "is" : "returned",
                   *out);
}
