/* SPDX-License-Identifier: Apache-2.0 */
/* A contract's arithmetic as C: evaluate.c of the contract language computes the same. Where 64
 * bits do not suffice, the C clears dlf_sure. */
#include "parts.h"

/* ---- names ---- */

static const char *expression_axis(const dlf_contract *c, const dlf__clause *clause, int32_t axis) {
  const char *name = c->names[clause->parameter];
  if (clause->run < 0 || axis < clause->run) {
    return bind_string("%s.tensor->shape[%d]", name, (int)axis);
  }
  return bind_string(
      "%s.tensor->shape[%s.tensor->ndim - %d]", name, name, (int)(clause->axis_count - axis));
}

/* The extent that binds a symbol: of a tensor that is always there. NULL for what C gives. */
static const char *expression_extent(const dlf_contract *c, int32_t symbol) {
  DLF__EACH_CLAUSE (clause, c) {
    if (clause->opt || clause->after_call || clause->list) {
      continue;
    }
    for (int32_t k = 0; k < clause->axis_count; k++) {
      if (clause->axes[k].kind == DLF__AXIS_SYMBOL && clause->axes[k].symbol == symbol) {
        return expression_axis(c, clause, k);
      }
    }
  }
  return NULL;
}

/* Compilers warn where an unsigned parameter is compared with 0. */
static const char *expression_in_check(const dlf__symbol *s) {
  if (s->parameter < 0) {
    return bind_string("dlf_axis_%s", s->name);
  }
  if (s->real) {
    return s->name;
  }
  return bind_string("dlferry_whole((int64_t)%s)", s->name);
}

const char *expression_symbol(const dlf_contract *c, int32_t symbol, expression_place place) {
  const dlf__symbol *s = &c->symbols[symbol];
  if (place == EXPRESSION_IN_CHECK) {
    return expression_in_check(s);
  }
  if (place == EXPRESSION_AFTER && c->limited >> symbol & 1) {
    return bind_string("*%s", s->name);
  }
  if (s->hook >= 0) {
    return bind_string("dlf_values[%d].integer", (int)(c->parameter_count + s->hook));
  }
  if (s->counts >= 0) {
    return bind_string("%s_count", c->names[s->counts]);
  }
  const char *extent = NULL;
  if (s->parameter < 0) {
    extent = expression_extent(c, symbol);
  }
  if (extent) {
    return extent;
  }
  const bool behind = s->parameter >= 0 && c->inouts[s->parameter];
  return bind_string("%s%s%s", bind_when(!s->real, "(int64_t)"), bind_when(behind, "*"), s->name);
}

/* ---- expressions ---- */

bool expression_computes(const dlf_contract *c, int32_t node) {
  return c->nodes[node].op >= DLF__ADD;
}

/* In integers, and in double. */
static const char *const expression_calls[][2] = {
    [DLF__ADD] = {"dlferry_sum($left, $right, &dlf_sure)", "($left + $right)"},
    [DLF__SUBTRACT] = {"dlferry_difference($left, $right, &dlf_sure)", "($left - $right)"},
    [DLF__MULTIPLY] = {"dlferry_product($left, $right, &dlf_sure)", "($left * $right)"},
    [DLF__MINIMUM] = {"dlferry_least($left, $right)", "dlferry_real_least($left, $right)"},
    [DLF__MAXIMUM] = {"dlferry_most($left, $right)", "dlferry_real_most($left, $right)"},
    [DLF__DIVIDE] = {"dlferry_div($left, $right, false, &dlf_sure)", "($left / $right)"},
    [DLF__DIVIDE_UP] = {"dlferry_div($left, $right, true, &dlf_sure)", "($left / $right)"}};

static const char *expression_number(const dlf_contract *c, int32_t node, bool real,
                                     expression_place place) {
  const dlf__node *n = &c->nodes[node];
  const char *cast = bind_when(real, "(double)"); /* without it an integer to C */
  if (n->op == DLF__INTEGER) {
    return bind_string("%sINT64_C(%lld)", cast, (long long)n->integer);
  }
  if (n->op == DLF__FRACTION) {
    return bind_string("%.17e", n->real);
  }
  if (n->op == DLF__SYMBOL) {
    return bind_string("%s%s", cast, expression_symbol(c, n->symbol, place));
  }
  return bind_filled(expression_calls[n->op][real],
                     {"left", expression_number(c, n->left, real, place)},
                     {"right", expression_number(c, n->right, real, place)});
}

const char *expression_integer(const dlf_contract *c, int32_t node, expression_place place) {
  return expression_number(c, node, false, place);
}

const char *expression_real(const dlf_contract *c, int32_t node, expression_place place) {
  return expression_number(c, node, true, place);
}

/* ---- constraints ---- */

const char *expression_test(const dlf_contract *c, const dlf__constraint *k,
                            expression_place place) {
  const char *left = expression_number(c, k->left, k->real, place);
  const char *right = expression_number(c, k->right, k->real, place);
  if (k->kind == DLF__RANGE) {
    const char *high = expression_number(c, k->high, k->real, place);
    return bind_string("%s >= %s && %s <= %s", left, right, left, high);
  }
  if (k->kind == DLF__MULTIPLE) {
    return bind_string("%s > 0 && %s %% %s == 0", right, left, right);
  }
  if (k->real && k->comparison == DLF__NE) { /* false with NaN */
    return bind_string("%s < %s || %s > %s", left, right, left, right);
  }
  return bind_string("%s %s %s", left, dlf__comparison_marks[k->comparison], right);
}
