/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that the call computes, so that callers do not pass them: "lda := ld(a)". The generator
 * writes them as C; a check at run time has no use for them. */
#include "hub/internal.h"
#include "reader.h"

#include <stdio.h>
#include <string.h>

/* The size of the character or the word here, else 0. */
static size_t constant_here(contract_reader *r) {
  const size_t size = dlf__character_here(r);
  if (size) {
    return size;
  }
  return dlf__word_here(r);
}

/* An integer, a character or a constant of C. */
static char *read_constant(contract_reader *r) {
  dlf__node node;
  const char *start = dlf__skip_blanks(r);
  const size_t size = constant_here(r);
  if (size) {
    r->at += size;
  } else {
    if (!dlf__read_number(r, &node)) {
      return NULL;
    }
    if (node.op != DLF__INTEGER) {
      return dlf__wants(r, "expected an integer before this"), NULL;
    }
  }
  return dlf__keep_text(r, start, (size_t)(r->at - start));
}

static bool read_choice(contract_reader *r, dlf__derived *d, dlf__choice *out) {
  dlf__skip_blanks(r);
  const size_t size = dlf__word_here(r);
  if (d->source == DLF__SOURCE_DTYPE) {
    if (!size || !dlf__reads_dtype(r->at, size, &out->dtype)) {
      return dlf__wants_dtype(r, "expected a dtype");
    }
    r->at += size;
  } else {
    const bool relative = dlf__word_is(r->at, size, "same") || dlf__word_is(r->at, size, "other");
    if (!d->choice_count && d->tensor_count == 2) {
      d->relative = relative;
    }
    out->columns = dlf__takes_word(r, d->relative ? "other" : "columns");
    if (!out->columns && !dlf__takes_word(r, d->relative ? "same" : "rows")) {
      return dlf__wants(
          r, d->relative ? "expected `same` or `other`" : "expected `rows` or `columns`");
    }
  }
  DLF__EACH (const dlf__choice, choice, d->choices, d->choice_count) {
    if (d->source == DLF__SOURCE_DTYPE ? dlf__same_dtype(choice->dtype, out->dtype)
                                       : choice->columns == out->columns) {
      return dlf__wants(r, "expected each case once");
    }
  }
  if (!dlf__takes_mark(r, ":")) {
    return dlf__wants(r, "expected `:` and the value");
  }
  out->value = read_constant(r);
  return out->value != NULL;
}

/* {f32: 0, f64: 1} */
static bool read_choices(contract_reader *r, dlf__derived *d) {
  enum { MOST = 32 };
  if (!dlf__takes_mark(r, "{")) {
    return dlf__wants(r, "expected `{` and a value for each case");
  }
  d->choices = dlf__keep(r, MOST, sizeof *d->choices);
  if (!d->choices) {
    return false;
  }
  do {
    if (d->choice_count == MOST) {
      return dlf__wants(r, "expected at most 32 cases");
    }
    if (!read_choice(r, d, &d->choices[d->choice_count])) {
      return false;
    }
    d->choice_count++;
  } while (dlf__takes_mark(r, ","));
  if (d->source == DLF__SOURCE_ORDER && d->choice_count != 2) {
    return dlf__wants(r,
                      d->relative ? "expected a value for `same` and one for `other`"
                                  : "expected a value for `rows` and one for `columns`");
  }
  return dlf__takes_mark(r, "}") || dlf__wants(r, "expected `,` or `}`");
}

static bool read_tensor_name(contract_reader *r, int32_t *out) {
  dlf__skip_blanks(r);
  const size_t size = dlf__word_here(r);
  *out = dlf__parameter_named(r->self, r->at, size);
  const dlf__clause *of = dlf__contract_clause(r->self, *out);
  if (!of || of->list || of->after_call) {
    return dlf__wants(r, "expected the name of a tensor that the caller passes");
  }
  r->at += size;
  return true;
}

/* The rest of order(a, b): a matrix in two different lists would have two orders. */
static bool read_matrices(contract_reader *r, dlf__derived *d) {
  d->tensors = dlf__keep(r, DLF__MAX_CLAUSES, sizeof *d->tensors);
  if (!d->tensors) {
    return false;
  }
  d->tensors[d->tensor_count++] = d->tensor;
  while (dlf__takes_mark(r, ",")) {
    int32_t next;
    if (d->tensor_count == DLF__MAX_CLAUSES) {
      return dlf__wants(r, "expected at most 32 matrices");
    }
    dlf__skip_blanks(r);
    for (int32_t i = 0; i < d->tensor_count; i++) {
      if (dlf__word_is(r->at, dlf__word_here(r), r->self->names[d->tensors[i]])) {
        return dlf__wants(r, "expected each matrix once");
      }
    }
    if (!read_tensor_name(r, &next)) {
      return false;
    }
    d->tensors[d->tensor_count++] = next;
  }
  return true;
}

/* ld(a), stride(x, 0) blas, order(a, b) {rows: 101, columns: 102} */
static bool read_property(contract_reader *r, dlf__derived *d) {
  dlf__node axis;
  if (!dlf__takes_mark(r, "(")) {
    return dlf__wants(r, "expected `(`");
  }
  if (!read_tensor_name(r, &d->tensor)) {
    return false;
  }
  if (d->source == DLF__SOURCE_ORDER && !read_matrices(r, d)) {
    return false;
  }
  if (d->source == DLF__SOURCE_STRIDE && dlf__takes_mark(r, ",")) {
    const char *start = dlf__skip_blanks(r);
    if (!dlf__read_number(r, &axis)) {
      return false;
    }
    if (axis.op != DLF__INTEGER || axis.integer < 0 || axis.integer >= DLF_MAX_NDIM) {
      char axes[48];
      r->at = start;
      snprintf(axes, sizeof axes, "expected an axis, from 0 to %d", DLF_MAX_NDIM - 1);
      return dlf__wants(r, axes);
    }
    d->axis = (int32_t)axis.integer;
  }
  if (!dlf__takes_mark(r, ")")) {
    return dlf__wants(r, "expected `)`");
  }
  if (d->source == DLF__SOURCE_STRIDE) {
    d->blas = dlf__takes_word(r, "blas");
  }
  return (d->source != DLF__SOURCE_ORDER && d->source != DLF__SOURCE_DTYPE) || read_choices(r, d);
}

static bool read_expression(contract_reader *r, dlf__derived *d) {
  const char *start = dlf__skip_blanks(r);
  const size_t size = constant_here(r);
  const size_t rest = size + strspn(r->at + size, " \t\r\n");
  if (size &&
      (!r->at[rest] ||
       strchr(";,)", r->at[rest]))) { /* a name: of an extent, an argument or a constant of C */
    d->source = DLF__SOURCE_CONSTANT;
    d->word = dlf__keep_text(r, start, size);
    r->at += size;
  } else {
    const int32_t first = r->self->node_count;
    d->source = DLF__SOURCE_EXPRESSION;
    d->node = dlf__read_sum(r);
    /* A complex number is of a kind C has not. */
    const bool real = d->parameter >= 0 && (r->self->kinds[d->parameter] == DLF_PARAMETER_REAL ||
                                            r->self->kinds[d->parameter] == DLF_PARAMETER_OTHER);
    for (int32_t i = first; i < r->self->node_count && !real; i++) {
      if (r->self->nodes[i].op == DLF__FRACTION) {
        return dlf__wants(r, "expected integers before this");
      }
    }
  }
  d->text = dlf__source_text(r, start);
  return !r->status;
}

bool dlf__read_source(contract_reader *r, int32_t parameter, dlf__derived *out) {
  static const struct {
    const char *word;
    dlf__source source;
  } properties[] = {{"stride", DLF__SOURCE_STRIDE},
                    {"ld", DLF__SOURCE_LD},
                    {"order", DLF__SOURCE_ORDER},
                    {"dtype", DLF__SOURCE_DTYPE},
                    {"bytes", DLF__SOURCE_BYTES}};
  dlf__derived d = {.parameter = parameter, .node = -1, .tensor = -1, .axis = -1};
  const bool real = parameter >= 0 && r->self->kinds[parameter] == DLF_PARAMETER_REAL;
  bool done = false;
  for (size_t i = 0; i < sizeof properties / sizeof *properties && !done; i++) {
    const char *start = r->at;
    if (!dlf__takes_word(r, properties[i].word)) {
      continue;
    }
    dlf__skip_blanks(r);
    done = *r->at == '(';
    if (!done || real) {
      r->at = start;
    }
    if (done && real) {
      return dlf__wants(r, "expected an expression for a real");
    }
    d.source = properties[i].source;
  }
  if (!(done ? read_property(r, &d) : read_expression(r, &d))) {
    return false;
  }
  *out = d;
  return true;
}

bool dlf__read_derived(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  const dlf_parameter_kind kind = self->kinds[parameter];
  if (kind != DLF_PARAMETER_REAL && kind != DLF_PARAMETER_INTEGER &&
      kind != DLF_PARAMETER_UNSIGNED && kind != DLF_PARAMETER_OTHER) {
    return dlf__wants(r, "`:=` computes a number or a value of an enum");
  }
  if (dlf__contract_derived(self, parameter) || self->outs[parameter] || self->inouts[parameter]) {
    return dlf__wants(r, "expected one clause for each number");
  }
  dlf__derived d;
  if (dlf__takes_mark(r, "*")) {
    return dlf__wants(r, "`*` is for the extent of an output, and this is a parameter");
  }
  if (!dlf__read_source(r, parameter, &d)) {
    return false;
  }
  self->derived[self->derived_count++] = d;
  return true;
}

/* Take a word for a name that something binds; false if it is none, such as a constant of C. */
static bool resolve_symbol(contract_reader *r, dlf__derived *d) {
  dlf_contract *self = r->self;
  const size_t size = strlen(d->word);
  const int32_t parameter = dlf__parameter_named(self, d->word, size);
  bool known =
      parameter >= 0 && dlf__is_number(self, parameter) && !dlf__contract_derived(self, parameter);
  DLF__EACH (const dlf__symbol, symbol, self->symbols, self->symbol_count) {
    known |= strcmp(symbol->name, d->word) == 0;
  }
  if (known) {
    const int32_t symbol = dlf__symbol_named(r, d->word, size);
    d->node = dlf__add_symbol_node(r, symbol);
    d->source = DLF__SOURCE_EXPRESSION;
  }
  return known;
}

/* Take a hook's word for a symbol, else for a parameter or what computes that. */
static void resolve_hook_word(contract_reader *r, dlf__derived *d) {
  const dlf_contract *self = r->self;
  const int32_t parameter = dlf__parameter_named(self, d->word, strlen(d->word));
  if (resolve_symbol(r, d) || parameter < 0) {
    return;
  }
  const dlf__derived *computed = dlf__contract_derived(self, parameter);
  const bool real = self->kinds[parameter] == DLF_PARAMETER_REAL; /* it divides otherwise */
  if (computed && computed->source == DLF__SOURCE_EXPRESSION && !real) {
    d->source = DLF__SOURCE_EXPRESSION;
    d->node = computed->node;
  } else {
    d->source = DLF__SOURCE_PARAMETER;
    d->tensor = parameter;
  }
}

static void unbind_derived_symbols(dlf_contract *self) {
  DLF__EACH (dlf__symbol, symbol, self->symbols, self->symbol_count) {
    if (symbol->parameter >= 0 && dlf__contract_derived(self, symbol->parameter)) {
      symbol->parameter = -1; /* the tensors bind it */
    }
  }
}

static bool refuse_default_of(contract_reader *r, int32_t parameter) {
  DLF__EACH_DEFAULT (usual, r->self) {
    if (usual->parameter == parameter) {
      return dlf__wants(r, "an argument that the call computes has no default");
    }
  }
  return true;
}

bool dlf__resolve_derived(contract_reader *r) {
  const dlf_contract *self = r->self;
  unbind_derived_symbols(r->self);
  /* While reading, a bare word is DLF__SOURCE_CONSTANT. Now all names are known: find those that
   * name a symbol or a parameter. */
  DLF__EACH (dlf__derived, d, self->derived, self->derived_count) {
    if (!refuse_default_of(r, d->parameter)) {
      return false;
    }
    if (d->source == DLF__SOURCE_CONSTANT) {
      (void)resolve_symbol(r, d);
    }
  }
  DLF__EACH (const dlf__hook, hook, self->hooks, self->hook_count) {
    DLF__EACH (dlf__derived, argument, hook->sources, hook->source_count) {
      if (argument->source == DLF__SOURCE_CONSTANT) {
        resolve_hook_word(r, argument);
      }
    }
  }
  return !r->status;
}

/* ---- proofs ---- */

/* The symbols that each call binds: by a number, by how many there are, or by a tensor that is
 * always there. */
static uint64_t always_bound(const dlf_contract *self) {
  uint64_t bound = 0;
  for (int32_t i = 0; i < self->symbol_count; i++) {
    if (self->symbols[i].parameter >= 0 || self->symbols[i].counts >= 0) {
      bound |= UINT64_C(1) << i;
    }
  }
  DLF__EACH_CLAUSE (c, self) {
    for (int32_t k = 0; k < c->axis_count && !c->opt && !c->after_call && !c->list; k++) {
      if (c->axes[k].kind == DLF__AXIS_SYMBOL) {
        bound |= UINT64_C(1) << c->axes[k].symbol;
      }
    }
  }
  return bound;
}

/* Tell whether a map by dtype has each dtype that a tensor may have. */
static bool covers(const dlf_contract *self, const dlf__derived *d, const dlf__clause *of) {
  const DLDataType *dtypes = of->dtypes;
  int32_t count = of->dtype_count;
  for (int32_t i = 0; i < self->constraint_count && of->type >= 0; i++) {
    if (self->constraints[i].kind == DLF__TYPE_IN && self->constraints[i].type == of->type) {
      dtypes = self->constraints[i].dtypes;
      count = self->constraints[i].dtype_count;
    }
  }
  for (int32_t i = 0; i < count; i++) {
    bool found = false;
    DLF__EACH (const dlf__choice, choice, d->choices, d->choice_count) {
      found |= dlf__same_dtype(choice->dtype, dtypes[i]);
    }
    if (!found) {
      return false;
    }
  }
  return count > 0;
}

/* The other matrices of order(a, b). */
static const char *why_no_order(const dlf_contract *self, const dlf__derived *d) {
  for (int32_t i = 0; i < d->tensor_count; i++) {
    const dlf__clause *of = dlf__contract_clause(self, d->tensors[i]);
    const dlf__derived *order = dlf__contract_order(self, d->tensors[i]);
    if (of->opt || of->implicit) {
      return "expected matrices that are always there and have a clause";
    }
    if (of->axis_count != 2 || of->run >= 0) {
      return "expected tensors with two axes";
    }
    if (d->relative || !order) {
      continue;
    }
    bool same = order->tensor_count == d->tensor_count;
    for (int32_t k = 0; same && k < d->tensor_count; k++) {
      same = order->tensors[k] == d->tensors[k];
    }
    if (!same) {
      return "expected each matrix in one order(), or in the same list";
    }
  }
  return NULL;
}

static const char *why_unproved(const dlf_contract *self, const dlf__derived *d) {
  const dlf__clause *of = dlf__contract_clause(self, d->tensor);
  if (!of || d->source == DLF__SOURCE_PARAMETER) {
    return NULL;
  }
  if (of->opt || of->implicit) {
    return "expected a tensor that is always there and has a clause";
  }
  const bool matrix = of->axis_count == 2 && of->run < 0;
  if (d->source == DLF__SOURCE_BYTES && !(dlf__layouts[of->layout].gapless && !of->same_layout)) {
    return "bytes() needs a tensor without gaps";
  }
  if (d->source == DLF__SOURCE_DTYPE && !covers(self, d, of)) {
    return "expected a value for each dtype of the tensor";
  }
  if ((d->source == DLF__SOURCE_LD || d->source == DLF__SOURCE_ORDER) && !matrix) {
    return "expected a tensor with two axes";
  }
  if (d->source == DLF__SOURCE_ORDER) {
    return why_no_order(self, d);
  }
  if (d->source == DLF__SOURCE_STRIDE && d->axis < 0 && (of->axis_count != 1 || of->run >= 0)) {
    return "expected a tensor with one axis, or an axis";
  }
  if (d->source == DLF__SOURCE_STRIDE && d->axis >= 0 &&
      (of->run >= 0 || d->axis >= of->axis_count)) {
    return "expected an axis that the tensor has";
  }
  return NULL;
}

static dlf_status prove_source(const dlf_contract *self, const dlf__derived *d, const char *name,
                               uint64_t bound, dlf_error *error) {
  const char *why = why_unproved(self, d);
  uint64_t needs = 0;
  if (d->source == DLF__SOURCE_EXPRESSION) {
    needs = dlf__contract_names(self, d->node);
  }
  const uint64_t loose = needs & ~bound;
  dlf_parameter_kind kind;
  if (d->parameter < 0) {
    kind = DLF_PARAMETER_INTEGER;
  } else {
    kind = self->kinds[d->parameter];
  }
  const bool passed =
      d->node >= 0 && self->nodes[d->node].op == DLF__SYMBOL && d->parameter < 0; /* to a hook */
  const bool whole = (kind == DLF_PARAMETER_INTEGER || kind == DLF_PARAMETER_UNSIGNED) && !passed;
  if (why) {
    return dlf__contract_refuse(self, name, why, error);
  }
  if (loose) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: contract: %s: nothing that is always there binds %s",
                     self->function,
                     name,
                     dlf__contract_first_name(self, loose));
  }
  for (int32_t k = 0; k < self->symbol_count && whole; k++) {
    if (self->symbols[k].real && needs >> k & 1) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: contract: %s: expected integers, got %s",
                       self->function,
                       name,
                       self->symbols[k].name);
    }
  }
  return DLF_OK;
}

/* The symbols that a hook may use: before the check only numbers that no rule limits. Of hooks
 * those that run before it: all that only conditions and hooks need, and those of extents before
 * its own. */
static uint64_t bound_for_hook(const dlf_contract *self, const dlf__hook *hook, uint64_t bound) {
  uint64_t numbers = 0;
  uint64_t found = 0;
  for (int32_t i = 0; i < self->symbol_count; i++) {
    const dlf__symbol *symbol = &self->symbols[i];
    if (symbol->parameter >= 0) {
      numbers |= UINT64_C(1) << i;
    }
    if (symbol->hook >= 0 && &self->hooks[symbol->hook] < hook &&
        (hook->extent || !self->hooks[symbol->hook].extent)) {
      found |= UINT64_C(1) << i;
    }
  }
  if (hook->early) {
    return (numbers & ~self->constrained) | found;
  }
  return (bound & ~self->limited) | found;
}

static const char *why_no_argument(const dlf_contract *self, const dlf__hook *hook,
                                   const dlf__derived *d) {
  const bool expression = d->source == DLF__SOURCE_EXPRESSION || d->source == DLF__SOURCE_CONSTANT;
  const dlf__clause *tensor = dlf__contract_clause(self, d->tensor);
  if (d->source == DLF__SOURCE_LD || d->source == DLF__SOURCE_ORDER) {
    return "expected an expression, a parameter, bytes() or stride()";
  }
  if (hook->early && !expression && (tensor || d->source != DLF__SOURCE_PARAMETER)) {
    return "an input's hook runs before tensors are checked";
  }
  if (tensor && dlf__is_output(tensor)) {
    return "an output is not there yet";
  }
  return NULL;
}

static dlf_status prove_hook(const dlf_contract *self, const dlf__hook *hook, uint64_t bound,
                             dlf_error *error) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < hook->source_count && !status; i++) {
    const dlf__derived *d = &hook->sources[i];
    if (d->source == DLF__SOURCE_PARAMETER && dlf__contract_derived(self, d->tensor)) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: contract: %s: callers do not pass %s: write an expression in its place",
                       self->function,
                       hook->text,
                       d->word);
    }
    const char *why = why_no_argument(self, hook, d);
    if (why) {
      return dlf__contract_refuse(self, hook->text, why, error);
    }
    status = prove_source(self, d, hook->text, bound_for_hook(self, hook, bound), error);
  }
  return status;
}

dlf_status dlf__prove_derived(dlf_contract *self, dlf_error *error) {
  const uint64_t bound = always_bound(self);
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < self->derived_count && !status; i++) {
    status = prove_source(
        self, &self->derived[i], self->names[self->derived[i].parameter], bound, error);
  }
  for (int32_t i = 0; i < self->hook_count && !status; i++) {
    status = prove_hook(self, &self->hooks[i], bound, error);
  }
  return status;
}
