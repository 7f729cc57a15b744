/* SPDX-License-Identifier: Apache-2.0 */
/* Prove a parsed contract: find the order of binding, prove that every name is bound before its use
 * and that no divisor is 0, and find the outputs that can be inferred. */
#include "hub/internal.h"
#include "matching.h"

#include <string.h>

/* More elements than any memory has; numbers have 15 digits at most. */
static const int64_t MOST_EXTENT = INT64_C(999999999999999);

/* ---- order ---- */

typedef enum binding_stage {
  STAGE_INPUT,
  STAGE_INOUT,
  STAGE_OPTIONAL,
  STAGE_OUTPUT,
  STAGE_GIVEN
} binding_stage;

static binding_stage stage_of(const dlf__clause *c) {
  if (c->after_call) {
    return STAGE_GIVEN;
  }
  if (dlf__is_output(c)) {
    return STAGE_OUTPUT;
  }
  if (c->opt) {
    return STAGE_OPTIONAL;
  }
  if (c->inout) {
    return STAGE_INOUT;
  }
  return STAGE_INPUT;
}

static void order_clauses(dlf_contract *self) {
  for (int32_t i = 1; i < self->clause_count; i++) {
    const dlf__clause moved = self->clauses[i];
    int32_t to = i;
    for (; to > 0 && stage_of(&self->clauses[to - 1]) > stage_of(&moved); to--) {
      self->clauses[to] = self->clauses[to - 1];
    }
    self->clauses[to] = moved;
  }
}

static dlf_status order_models(dlf_contract *self, dlf_error *error) {
  for (int32_t i = 0; i < self->clause_count; i++) {
    dlf__clause *c = &self->clauses[i];
    const int32_t parameter = c->like;
    if (parameter < 0) {
      continue;
    }
    c->like = -1;
    for (int32_t k = 0; k < i; k++) {
      if (self->clauses[k].parameter == parameter) {
        c->like = k;
      }
    }
    if (c->like < 0) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: contract: `like %s`: expected a tensor that binds before %s",
                       self->function,
                       self->names[parameter],
                       self->names[c->parameter]);
    }
  }
  return DLF_OK;
}

/* A hook runs early with the one that gets its number. */
static void note_inner_hooks(dlf_contract *self) {
  for (int32_t i = self->hook_count - 1; i >= 0; i--) {
    const dlf__hook *hook = &self->hooks[i];
    DLF__EACH (const dlf__derived, d, hook->sources, hook->source_count) {
      uint64_t names = 0;
      if (d->node >= 0) {
        names = dlf__contract_names(self, d->node);
      }
      for (int32_t k = 0; k < self->symbol_count; k++) {
        if (names >> k & 1 && self->symbols[k].hook >= 0) {
          self->hooks[self->symbols[k].hook].early |= hook->early;
        }
      }
    }
  }
}

/* Note which hooks extents need, and which of them run before inputs are checked. */
static void note_hooks(dlf_contract *self) {
  DLF__EACH_CLAUSE (c, self) {
    for (int32_t k = 0; k < c->axis_count && c->like < 0; k++) {
      const dlf__axis *axis = &c->axes[k];
      const dlf__limit *limit = dlf__contract_limit(self, axis->symbol);
      int32_t hook = axis->hook;
      if (limit) {
        hook = limit->hook;
      }
      if (hook < 0) {
        continue;
      }
      self->hooks[hook].extent = true;
      self->hooks[hook].early |= stage_of(c) < STAGE_OUTPUT;
    }
  }
  note_inner_hooks(self);
}

/* ---- proofs ---- */

static bool is_real(const dlf_contract *self, int32_t node) {
  if (node < 0) {
    return false;
  }
  const dlf__node *n = &self->nodes[node];
  if (n->op == DLF__FRACTION) {
    return true;
  }
  if (n->op == DLF__SYMBOL) {
    return self->symbols[n->symbol].real;
  }
  return n->op >= DLF__ADD && (is_real(self, n->left) || is_real(self, n->right));
}

static bool divides(const dlf_contract *self, int32_t node) {
  if (node < 0) {
    return false;
  }
  const dlf__node *n = &self->nodes[node];
  return n->op >= DLF__DIVIDE ||
         (n->op >= DLF__ADD && (divides(self, n->left) || divides(self, n->right)));
}

/* "s > 1", "s in 1..4": checked as soon as s is bound, before any division by it. */
static bool bounds_one_symbol(const dlf_contract *self, const dlf__constraint *c) {
  return (c->kind == DLF__COMPARE || c->kind == DLF__RANGE) &&
         self->nodes[c->left].op == DLF__SYMBOL && self->nodes[c->right].op == DLF__INTEGER;
}

static int64_t symbol_lower_bound(const dlf_contract *self, int32_t symbol) {
  const bool extent = self->symbols[symbol].parameter < 0 && self->symbols[symbol].hook < 0;
  /* extents are never negative */
  int64_t lowest = INT64_MIN;
  if (extent) {
    lowest = 0;
  }
  DLF__EACH_CONSTRAINT (c, self) {
    if (!bounds_one_symbol(self, c) || self->nodes[c->left].symbol != symbol) {
      continue;
    }
    int64_t bound = self->nodes[c->right].integer;
    if (c->kind == DLF__COMPARE && c->comparison == DLF__GT && bound < INT64_MAX) {
      bound++;
    } else if (c->kind == DLF__COMPARE && c->comparison != DLF__GE && c->comparison != DLF__EQ) {
      continue;
    }
    if (bound > lowest) {
      lowest = bound;
    }
  }
  return lowest;
}

/* A lower bound of the value; INT64_MIN if unknown. */
static int64_t lower_bound(const dlf_contract *self, int32_t node) {
  const dlf__node *n = &self->nodes[node];
  int64_t out;
  if (n->op == DLF__INTEGER) {
    return n->integer;
  }
  if (n->op == DLF__SYMBOL) {
    return symbol_lower_bound(self, n->symbol);
  }
  if (n->op < DLF__ADD || n->op == DLF__SUBTRACT) {
    return INT64_MIN;
  }
  const int64_t left = lower_bound(self, n->left);
  const int64_t right = lower_bound(self, n->right);
  if (n->op == DLF__MINIMUM || n->op == DLF__MAXIMUM) {
    if ((n->op == DLF__MAXIMUM) == (left > right)) {
      return left;
    }
    return right;
  }
  if (left == INT64_MIN || right == INT64_MIN) {
    return INT64_MIN;
  }
  if (n->op == DLF__ADD) {
    if (dlf__add(left, right, &out)) {
      return INT64_MIN;
    }
    return out;
  }
  if (left < 0 || right < 0) {
    return INT64_MIN;
  }
  if (n->op == DLF__MULTIPLY) {
    if (dlf__mul(left, right, &out)) {
      return INT64_MAX;
    }
    return out;
  }
  return n->op == DLF__DIVIDE_UP && left > 0;
}

/* Keep the text of an expression if it is the first one that ends at or behind a node. */
static void keep_nearest(int32_t root, const char *text, int32_t node, int32_t *nearest,
                         const char **out) {
  if (root >= node && root < *nearest) {
    *nearest = root;
    *out = text;
  }
}

/* The source of the expression that has a node: its nodes stand together, the root last. */
static const char *expression_of(const dlf_contract *self, int32_t node) {
  int32_t nearest = INT32_MAX;
  const char *text = "";
  DLF__EACH_CLAUSE (c, self) {
    DLF__EACH_AXIS (axis, c) {
      const dlf__limit *limit = dlf__contract_limit(self, axis->symbol);
      keep_nearest(limit ? limit->node : axis->node, axis->text, node, &nearest, &text);
    }
  }
  DLF__EACH_DERIVED (d, self) {
    keep_nearest(d->node, d->text, node, &nearest, &text);
  }
  DLF__EACH (const dlf__hook, hook, self->hooks, self->hook_count) {
    DLF__EACH (const dlf__derived, d, hook->sources, hook->source_count) {
      keep_nearest(d->node, hook->text, node, &nearest, &text);
    }
  }
  DLF__EACH_CONSTRAINT (c, self) {
    keep_nearest(c->left, c->text, node, &nearest, &text);
    keep_nearest(c->right, c->text, node, &nearest, &text);
  }
  return text;
}

static dlf_status prove_divisor(const dlf_contract *self, int32_t node, dlf_error *error) {
  if (lower_bound(self, node) > 0) {
    return DLF_OK;
  }
  const dlf__node *n = &self->nodes[node];
  if (n->op == DLF__SYMBOL) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: contract: division may be by 0: needs %s > 0",
                     self->function,
                     self->symbols[n->symbol].name);
  }
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: contract: division may be by 0: needs the divisor of `%s` > 0",
                   self->function,
                   expression_of(self, node));
}

static dlf_status prove_divisors(dlf_contract *self, dlf_error *error) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < self->node_count && !status; i++) {
    if (self->nodes[i].op >= DLF__DIVIDE) {
      status = prove_divisor(self, self->nodes[i].right, error);
    }
  }
  for (int32_t i = 0; i < self->constraint_count && !status; i++) {
    if (self->constraints[i].kind == DLF__MULTIPLE) {
      status = prove_divisor(self, self->constraints[i].right, error);
    }
  }
  return status;
}

/* A number, or arithmetic on numbers alone, that no tensor's extent can be. */
static bool is_no_extent(const dlf_contract *self, int32_t node) {
  static const dlf__numbers none;
  int64_t extent = 0;
  if (node < 0 || dlf__contract_names(self, node)) {
    return false;
  }
  return dlf__contract_evaluate(self, &none, node, &extent) || extent < 0 || extent > MOST_EXTENT;
}

static dlf_status prove_extents(dlf_contract *self, dlf_error *error) {
  DLF__EACH_CLAUSE (c, self) {
    for (int32_t i = 0; i < c->axis_count && c->like < 0; i++) {
      const dlf__axis *axis = &c->axes[i];
      const dlf__limit *limit = dlf__contract_limit(self, axis->symbol);
      if (!is_no_extent(self, limit ? limit->node : axis->node)) {
        continue;
      }
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: contract: %s: extent `%s`: expected 0 to %" PRId64,
                       self->function,
                       self->names[c->parameter],
                       axis->text,
                       MOST_EXTENT);
    }
  }
  return DLF_OK;
}

/* The symbols bound so far, and those of them that every call binds without its outputs. */
typedef struct binding_proof {
  uint64_t bound, sure;
  uint32_t types, sure_types;
  bool sure_run;
} binding_proof;

/* Tell whether every call has the tensor before its outputs; inference detects an empty list. */
static bool is_sure(const dlf__clause *c) {
  return stage_of(c) <= STAGE_INOUT;
}

static dlf_status uses_unbound(const dlf_contract *self, const dlf__clause *c,
                               const dlf__axis *axis, uint64_t loose, dlf_error *error) {
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: contract: %s: `%s` uses %s before anything binds it",
                   self->function,
                   self->names[c->parameter],
                   axis->text,
                   dlf__contract_first_name(self, loose));
}

/* Bind or check the names of an axis that is a name or an expression. */
static dlf_status bind_axis(const dlf_contract *self, const dlf__clause *c, dlf__axis *axis,
                            binding_proof *p, dlf_error *error) {
  const dlf__limit *limit = dlf__contract_limit(self, axis->symbol);
  const int32_t most = limit ? limit->node : -1;
  const uint64_t loose = dlf__contract_names(self, most) & ~p->bound;
  axis->needs = dlf__contract_names(self, axis->node);
  if (loose) {
    return uses_unbound(self, c, axis, loose, error);
  }
  if (is_real(self, axis->node) || is_real(self, most)) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: contract: %s: extent `%s` is no integer",
                     self->function,
                     self->names[c->parameter],
                     axis->text);
  }
  if (axis->kind == DLF__AXIS_EXPRESSION && axis->needs & ~p->bound) {
    return uses_unbound(self, c, axis, axis->needs & ~p->bound, error);
  }
  if (axis->kind == DLF__AXIS_SYMBOL) {
    p->bound |= axis->needs;
  }
  if (axis->kind == DLF__AXIS_SYMBOL && is_sure(c)) {
    p->sure |= axis->needs;
  }
  return DLF_OK;
}

static dlf_status bind_axes(const dlf_contract *self, const dlf__clause *c, binding_proof *p,
                            dlf_error *error) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < c->axis_count && c->like < 0 && !status; i++) {
    dlf__axis *axis = &c->axes[i];
    p->sure_run |= axis->kind == DLF__AXIS_RUN && is_sure(c);
    if (axis->kind == DLF__AXIS_SYMBOL || axis->kind == DLF__AXIS_EXPRESSION) {
      status = bind_axis(self, c, axis, p, error);
    }
  }
  return status;
}

static bool can_infer(const dlf_contract *self, const dlf__clause *c, const binding_proof *p) {
  if (!c->written || c->inout || c->opt || c->implicit) {
    return false; /* a given tensor is not written either */
  }
  if (c->like >= 0) {
    const dlf__clause *model = &self->clauses[c->like];
    return is_sure(model) || model->inferable;
  }
  if (c->type >= 0 ? !(p->sure_types >> c->type & 1) : c->dtype_count != 1) {
    return false;
  }
  DLF__EACH_AXIS (axis, c) {
    const dlf__limit *limit = dlf__contract_limit(self, axis->symbol);
    if (axis->kind == DLF__AXIS_ANY || (axis->kind == DLF__AXIS_RUN && !p->sure_run)) {
      return false;
    }
    if (limit && limit->open) {
      return false;
    }
    if (dlf__contract_names(self, limit ? limit->node : axis->node) & ~p->sure) {
      return false;
    }
  }
  return true;
}

static dlf_status bind_clauses(dlf_contract *self, binding_proof *p, dlf_error *error) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < self->symbol_count; i++) {
    if (self->symbols[i].parameter >= 0 || self->symbols[i].hook >= 0) {
      p->bound |= UINT64_C(1) << i;
    }
  }
  DLF__EACH (const dlf__array, array, self->arrays, self->array_count) {
    p->bound |= UINT64_C(1) << array->symbol;
  }
  p->sure = p->bound;
  for (int32_t i = 0; i < self->clause_count && !status; i++) {
    dlf__clause *c = &self->clauses[i];
    c->inferable = can_infer(self, c, p);
    c->on_cpu = c->place != DLF__PLACE_LIST;
    for (int32_t k = 0; k < c->device_count; k++) {
      c->on_cpu |= c->devices[k] == kDLCPU;
    }
    if (c->count >= 0) {
      p->bound |= UINT64_C(1) << c->count;
      p->sure |= UINT64_C(1) << c->count;
    }
    if (c->type >= 0) {
      p->types |= UINT32_C(1) << c->type;
      if (is_sure(c)) {
        p->sure_types |= UINT32_C(1) << c->type;
      }
    }
    status = bind_axes(self, c, p, error);
  }
  return status;
}

static dlf_status prove_constraint(dlf_contract *self, dlf__constraint *c, const binding_proof *p,
                                   dlf_error *error) {
  const char *wrong = NULL;
  const char *name = "";
  const char *integral = c->integral;
  if (c->kind == DLF__TYPE_IN) {
    if (p->types >> c->type & 1) {
      return DLF_OK;
    }
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: contract: `%s`: no tensor has the dtype %s",
                     self->function,
                     c->text,
                     self->types[c->type]);
  }
  c->needs = dlf__contract_names(self, c->left) | dlf__contract_names(self, c->right);
  self->constrained |= c->needs;
  c->real = is_real(self, c->left) || is_real(self, c->right) || is_real(self, c->high);
  if (divides(self, c->left) || divides(self, c->right)) {
    integral = "division";
  }
  if (!c->needs) {
    wrong = "names nothing that varies";
  }
  if (c->needs & ~p->bound) {
    wrong = "nothing binds ";
    name = dlf__contract_first_name(self, c->needs & ~p->bound);
  } else if (c->real && integral) {
    wrong = integral;
    name = " needs integers";
  }
  if (!wrong) {
    return DLF_OK;
  }
  return dlf__fail(
      error, DLF_INVALID, "%s: contract: `%s`: %s%s", self->function, c->text, wrong, name);
}

static dlf_status prove_bindings(dlf_contract *self, dlf_error *error) {
  binding_proof proof = {0};
  dlf_status status = bind_clauses(self, &proof, error);
  for (int32_t i = 0; i < self->constraint_count && !status; i++) {
    status = prove_constraint(self, &self->constraints[i], &proof, error);
  }
  return status;
}

/* Without a clause a misspelt dtype would silently allow every dtype. */
static dlf_status prove_types(dlf_contract *self, dlf_error *error) {
  uint32_t limited = 0;
  DLF__EACH_CONSTRAINT (constraint, self) {
    if (constraint->kind == DLF__TYPE_IN) {
      limited |= UINT32_C(1) << constraint->type;
    }
  }
  for (int32_t i = 0; i < self->type_count; i++) {
    if (!(limited >> i & 1)) {
      return dlf__fail(
          error,
          DLF_INVALID,
          "%s: contract: expected a clause for the type variable %s, such as `%s in f32|f64` or "
          "`%s in any`, got none",
          self->function,
          self->types[i],
          self->types[i],
          self->types[i]);
    }
  }
  return DLF_OK;
}

static const char *default_text(const dlf_contract *self, uint64_t symbols) {
  for (int32_t i = 0; i < self->symbol_count; i++) {
    for (int32_t k = 0; symbols >> i & 1 && k < self->default_count; k++) {
      if (self->defaults[k].parameter == self->symbols[i].parameter) {
        return self->defaults[k].text;
      }
    }
  }
  return "";
}

static void order_constraints(dlf_contract *self) {
  for (int32_t i = 1, sorted = 0; i <= self->constraint_count; i++) {
    const dlf__constraint moved = self->constraints[i - 1];
    if (!bounds_one_symbol(self, &moved)) {
      continue;
    }
    for (int32_t to = i - 1; to > sorted; to--) {
      self->constraints[to] = self->constraints[to - 1];
    }
    self->constraints[sorted++] = moved;
  }
}

/* A default that its own contract refuses would refuse each call that leaves the parameter out. */
static dlf_status prove_defaults(dlf_contract *self, dlf_error *error) {
  dlf__match m = {.contract = self};
  order_constraints(self); /* so that divisors are checked before they divide */
  DLF__EACH_DEFAULT (d, self) {
    if (d->kind != DLF__DEFAULT_NUMBER) {
      continue;
    }
    for (int32_t k = 0; k < self->symbol_count; k++) {
      if (self->symbols[k].parameter != d->parameter) {
        continue;
      }
      m.bound |= UINT64_C(1) << k;
      m.numbers.integers[k] = d->integer;
      m.numbers.reals[k] = d->real;
    }
  }
  const dlf__constraint *broken = dlf__contract_broken(&m);
  if (!broken) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: contract: default of %s: expected %s, got %s",
                   self->function,
                   dlf__contract_first_name(self, broken->needs),
                   broken->text,
                   default_text(self, broken->needs));
}

/* ---- the whole ---- */

dlf_status dlf__contract_prove(dlf_contract *self, dlf_error *error) {
  static dlf_status (*const steps[])(dlf_contract *, dlf_error *) = {order_models,
                                                                     dlf__prove_limits,
                                                                     prove_bindings,
                                                                     dlf__part_constraints,
                                                                     prove_types,
                                                                     prove_divisors,
                                                                     prove_extents,
                                                                     dlf__prove_derived,
                                                                     dlf__contract_make_texts,
                                                                     prove_defaults};
  order_clauses(self);
  note_hooks(self);
  dlf_status status = DLF_OK;
  for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++) {
    status = steps[i](self, error);
  }
  return status;
}
