/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions and constraints over what a match has bound so far. */
#include "contract.h"
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const DLTensor *dlf__contract_tensor(const dlf__match *m, const dlf__clause *clause) {
  if (m->infer && clause->written && !clause->inout) return NULL;
  return m->arguments[clause->parameter].tensor.tensor;
}

int64_t dlf__contract_stride(const DLTensor *tensor, int32_t axis) {
  int64_t stride = 1;
  if (tensor->strides) return tensor->strides[axis];
  for (int32_t i = axis + 1; i < tensor->ndim; i++)
    if (dlf__mul(stride, tensor->shape[i], &stride)) return 0; /* an empty tensor: no stride matters */
  return stride;
}

static bool divide(int64_t a, int64_t b, bool up, int64_t *out) {
  if (b <= 0) return true;
  *out = a / b;
  if (a % b != 0 && (up ? a > 0 : a < 0)) *out += up ? 1 : -1;
  return false;
}

bool dlf__contract_evaluate(const dlf__match *m, int32_t node, int64_t *out) {
  const dlf__node *n = &m->contract->nodes[node];
  int64_t left, right;
  if (n->op == DLF__INTEGER)
    *out = n->integer;
  else if (n->op == DLF__SYMBOL)
    *out = m->values[n->symbol];
  if (n->op == DLF__INTEGER || n->op == DLF__SYMBOL) return false;
  if (n->op == DLF__FRACTION || dlf__contract_evaluate(m, n->left, &left) ||
      dlf__contract_evaluate(m, n->right, &right))
    return true;
  switch (n->op) {
  case DLF__ADD: return dlf__add(left, right, out);
  case DLF__SUBTRACT: return __builtin_sub_overflow(left, right, out);
  case DLF__MULTIPLY: return dlf__mul(left, right, out);
  default: return divide(left, right, n->op == DLF__DIVIDE_UP, out);
  }
}

static double evaluate_real(const dlf__match *m, int32_t node) {
  const dlf__node *n = &m->contract->nodes[node];
  if (n->op == DLF__INTEGER) return (double)n->integer;
  if (n->op == DLF__FRACTION) return n->real;
  if (n->op == DLF__SYMBOL) {
    const dlf__symbol *s = &m->contract->symbols[n->symbol];
    return s->real ? m->arguments[s->parameter].real : (double)m->values[n->symbol];
  }
  const double left = evaluate_real(m, n->left), right = evaluate_real(m, n->right);
  return n->op == DLF__ADD ? left + right : n->op == DLF__SUBTRACT ? left - right : left * right;
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
    if (strtod(word, NULL) == value) break;
  }
  for (char *p = word; *p; p++)
    if (!strchr("0123456789+-einf", *p)) *p = '.';
  dlf__put(text, "%s", word);
}

static bool compare_integers(dlf__comparison comparison, int64_t a, int64_t b) {
  switch (comparison) {
  case DLF__GT: return a > b;
  case DLF__GE: return a >= b;
  case DLF__LT: return a < b;
  case DLF__LE: return a <= b;
  case DLF__EQ: return a == b;
  default: return a != b;
  }
}

/* A NaN fails every comparison, `!=` too. */
static bool compare_reals(dlf__comparison comparison, double a, double b) {
  switch (comparison) {
  case DLF__GT: return a > b;
  case DLF__GE: return a >= b;
  case DLF__LT: return a < b;
  case DLF__LE: return a <= b;
  case DLF__EQ: return a == b;
  default: return a < b || a > b;
  }
}

/* "image[c] is 5, wanted c in 1..4", "h is 3 and r is 2, wanted h > 2*r" */
static dlf_status constraint_broken(const dlf__match *m, const dlf__constraint *c, bool overflow) {
  const dlf_contract *contract = m->contract;
  dlf__text text = {NULL, 0, 0};
  if (m->error) text = dlf__text_in(m->error->message, sizeof m->error->message);
  dlf__put(&text, "%s: ", contract->function);
  int left = 0;
  for (int32_t i = 0; i < contract->symbol_count; i++) left += (int)(c->needs >> i & 1);
  bool of_tensor = false;
  for (int32_t i = 0; i < contract->symbol_count; i++) {
    const dlf__symbol *s = &contract->symbols[i];
    if (!(c->needs >> i & 1)) continue;
    if (s->parameter < 0) {
      of_tensor = true;
      dlf__put(&text, "%s[%s] is ", contract->names[m->binders[i]], s->name);
    } else {
      dlf__put(&text, "%s is ", s->name);
    }
    if (s->real)
      put_argument_real(&text, m->arguments[s->parameter].real);
    else
      dlf__put(&text, "%" PRId64, m->values[i]);
    left--;
    if (left) dlf__put(&text, left == 1 ? " and " : ", ");
  }
  dlf__put(&text, overflow ? ", too large for %s" : ", wanted %s", c->text);
  dlf__text_finish(&text);
  const dlf_status status = overflow ? DLF_OVERFLOW : of_tensor ? DLF_SHAPE : DLF_INVALID;
  if (m->error) m->error->status = (int32_t)status;
  return status;
}

static dlf_status check_constraint(const dlf__match *m, const dlf__constraint *c) {
  int64_t left, right, high;
  bool holds;
  if (c->real) {
    const double value = evaluate_real(m, c->left), other = evaluate_real(m, c->right);
    holds = c->kind == DLF__RANGE ? value >= other && value <= evaluate_real(m, c->high)
                                  : compare_reals(c->comparison, value, other);
    return holds ? DLF_OK : constraint_broken(m, c, false);
  }
  if (dlf__contract_evaluate(m, c->left, &left) || dlf__contract_evaluate(m, c->right, &right))
    return constraint_broken(m, c, true);
  if (c->kind == DLF__MULTIPLE)
    holds = left % right == 0; /* right is proved positive */
  else if (c->kind == DLF__COMPARE)
    holds = compare_integers(c->comparison, left, right);
  else
    holds = !dlf__contract_evaluate(m, c->high, &high) && left >= right && left <= high;
  return holds ? DLF_OK : constraint_broken(m, c, false);
}

/* Check what became checkable now that these symbols are bound. */
dlf_status dlf__contract_constraints(const dlf__match *m, uint64_t fresh) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < m->contract->constraint_count && !status; i++) {
    const dlf__constraint *c = &m->contract->constraints[i];
    if ((c->needs & fresh) && !(c->needs & ~m->bound)) status = check_constraint(m, c);
  }
  return status;
}

dlf_status dlf__contract_bind(dlf__match *m) {
  const dlf_contract *contract = m->contract;
  for (int32_t i = 0; i < contract->symbol_count; i++) {
    const int32_t parameter = contract->symbols[i].parameter;
    if (parameter < 0) continue;
    m->bound |= UINT64_C(1) << i;
    m->binders[i] = -1;
    m->values[i] = m->arguments[parameter].integer;
    if (contract->kinds[parameter] == DLF_PARAMETER_UNSIGNED && m->values[i] < 0)
      return dlf__fail(m->error, DLF_OVERFLOW, "%s: %s is %" PRIu64 ", expected below 2^63", contract->function,
                       contract->symbols[i].name, (uint64_t)m->values[i]);
  }
  return dlf__contract_constraints(m, m->bound);
}
