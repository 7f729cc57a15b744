/* SPDX-License-Identifier: Apache-2.0 */
#include "expression.h"
#include "bind/base/template.h"

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
  BIND_EACH (const dlf__clause, clause, c->clauses, c->clause_count) {
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

const char *expression_integer(const dlf_contract *c, int32_t node, expression_place place) {
  static const char *const calls[] = {
      [DLF__ADD] = "dlferry_sum($left, $right, &dlf_sure)",
      [DLF__SUBTRACT] = "dlferry_difference($left, $right, &dlf_sure)",
      [DLF__MULTIPLY] = "dlferry_product($left, $right, &dlf_sure)",
      [DLF__MINIMUM] = "dlferry_least($left, $right)",
      [DLF__MAXIMUM] = "dlferry_most($left, $right)",
      [DLF__DIVIDE] = "dlferry_div($left, $right, false, &dlf_sure)",
      [DLF__DIVIDE_UP] = "dlferry_div($left, $right, true, &dlf_sure)"};
  const dlf__node *n = &c->nodes[node];
  if (n->op == DLF__INTEGER) {
    return bind_string("INT64_C(%lld)", (long long)n->integer);
  }
  if (n->op == DLF__SYMBOL) {
    return expression_symbol(c, n->symbol, place);
  }
  return bind_filled_template(calls[n->op],
                              bind_fields({"left", expression_integer(c, n->left, place)},
                                          {"right", expression_integer(c, n->right, place)}));
}

const char *expression_real(const dlf_contract *c, int32_t node, expression_place place) {
  static const char *const marks[] = {[DLF__ADD] = "($left + $right)",
                                      [DLF__SUBTRACT] = "($left - $right)",
                                      [DLF__MULTIPLY] = "($left * $right)",
                                      [DLF__MINIMUM] = "dlferry_real_least($left, $right)",
                                      [DLF__MAXIMUM] = "dlferry_real_most($left, $right)",
                                      [DLF__DIVIDE] = "($left / $right)",
                                      [DLF__DIVIDE_UP] = "($left / $right)"};
  const dlf__node *n = &c->nodes[node];
  if (n->op == DLF__INTEGER) { /* without a cast an integer to C */
    return bind_string("(double)INT64_C(%lld)", (long long)n->integer);
  }
  if (n->op == DLF__FRACTION) {
    return bind_string("%.17e", n->real);
  }
  if (n->op == DLF__SYMBOL) {
    return bind_string("(double)%s", expression_symbol(c, n->symbol, place));
  }
  return bind_filled_template(marks[n->op],
                              bind_fields({"left", expression_real(c, n->left, place)},
                                          {"right", expression_real(c, n->right, place)}));
}

/* ---- constraints ---- */

static const char *expression_side(const dlf_contract *c, const dlf__constraint *k, int32_t node,
                                   expression_place place) {
  if (k->real) {
    return expression_real(c, node, place);
  }
  return expression_integer(c, node, place);
}

const char *expression_test(const dlf_contract *c, const dlf__constraint *k,
                            expression_place place) {
  const char *left = expression_side(c, k, k->left, place);
  const char *right = expression_side(c, k, k->right, place);
  if (k->kind == DLF__RANGE) {
    const char *high = expression_side(c, k, k->high, place);
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
