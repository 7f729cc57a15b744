/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs made from unchecked inputs. Before that only pointers and ranks are checked; the fast
 * check then judges inputs and outputs together. If it refuses, all is thrown away, and the
 * interpreter decides from the beginning. */
#include "parts.h"

/* The axes' names, from the tensors that bind them. */
static void make_symbols(bind_text *t, const dlf_contract *c) {
  uint64_t bound = 0;
  DLF__EACH_CLAUSE (clause, c) {
    const char *name = bind_predicate_name(c, clause);
    if (dlf__is_output(clause)) {
      continue;
    }
    bind_line(t, "if (!dlferry_has_axes(%s.tensor, %d)) return false;", name, clause->axis_count);
    for (int32_t i = 0; i < clause->axis_count && clause->like < 0; i++) {
      const dlf__axis *axis = &clause->axes[i];
      if (axis->kind != DLF__AXIS_SYMBOL || bound >> axis->symbol & 1 ||
          c->symbols[axis->symbol].parameter >= 0) {
        continue;
      }
      bound |= UINT64_C(1) << axis->symbol;
      const char *symbol = c->symbols[axis->symbol].name;
      bind_line(t,
                "const int64_t dlf_axis_%s = %s.tensor->shape[%d];\n(void)dlf_axis_%s;",
                symbol,
                name,
                i,
                symbol);
    }
  }
}

static const char *make_dtype(const dlf_contract *c, const dlf__clause *clause) {
  const DLDataType *d = clause->dtypes;
  if (clause->type < 0) {
    return bind_string("(DLDataType){%d, %d, %d}", d->code, d->bits, d->lanes);
  }
  const dlf__clause *binder = c->clauses;
  while (dlf__is_output(binder) || binder->like >= 0 || binder->type != clause->type) {
    binder++; /* one always exists */
  }
  return bind_string("%s.tensor->dtype", bind_predicate_name(c, binder));
}

/* C for whether an output is column-major: as its layout says, or like the inputs in the same
 * order(). */
static const char *make_columns(const dlf_contract *c, const dlf__clause *clause) {
  const dlf__derived *order = dlf__contract_order(c, clause->parameter);
  bind_text list = {0};
  int count = 0;
  if (dlf__layouts[clause->layout].order == DLF_COLUMN_MAJOR) {
    return "true";
  }
  for (int32_t i = 0; order && i < order->tensor_count; i++) {
    const dlf__clause *input = dlf__contract_clause(c, order->tensors[i]);
    if (!dlf__is_output(input)) {
      bind_put(&list, "%s%s.tensor", bind_when(count++, ", "), bind_predicate_name(c, input));
    }
  }
  if (count) {
    return bind_string(
        "dlferry_wants_columns((const DLTensor *const[]){%s}, %d)", bind_keep(&list), count);
  }
  return "false";
}

static void make_output(bind_text *t, const dlf_contract *c, const dlf__clause *clause) {
  const dlf__clause *model = clause;
  const dlf__clause *layout = bind_predicate_model(c, clause, true);
  while (model->like >= 0 && dlf__is_output(model)) {
    model = &c->clauses[model->like];
  }
  const bool given = !dlf__is_output(model);
  bind_line(t,
            "dlf_made.dtype = %s;",
            given ? bind_string("%s.tensor->dtype", bind_predicate_name(c, model))
                  : make_dtype(c, model));
  bind_line(t, "dlf_made.ndim = %d;", model->axis_count);
  for (int32_t i = 0; i < model->axis_count; i++) {
    const dlf__axis *axis = &model->axes[i];
    const dlf__limit *limit = NULL;
    if (axis->kind == DLF__AXIS_SYMBOL) {
      limit = dlf__contract_limit(c, axis->symbol);
    }
    int32_t node = axis->node;
    if (limit) {
      node = limit->node;
    }
    const char *extent;
    if (given) {
      extent = bind_string("%s.tensor->shape[%d]", bind_predicate_name(c, model), i);
    } else {
      extent = expression_integer(c, node, EXPRESSION_IN_CHECK);
    }
    bind_line(t, "dlf_made.shape[%d] = %s;", i, extent);
  }
  bind_line(t, "dlf_made.align = %lld;", (long long)clause->align);
  bind_line(t,
            "if (!dlf_sure || !dlferry_make(&dlf_made, %s, %s, %s)) return false;",
            layout ? bind_string("%s.tensor", bind_predicate_name(c, layout)) : "NULL",
            make_columns(c, clause),
            bind_predicate_name(c, clause));
}

void bind_put_make(bind_text *text, const bind_function *f) {
  const dlf_contract *c = f->compiled;
  bind_open_predicate(text, f, true);
  bind_line(text, "bool dlf_sure = true;");
  bind_line(text, "dlf_prototype dlf_made;");
  BIND_EACH_PARAM (p, f) {
    if (bind_predicate_looks_at(p) && p->type.kind != BIND_TENSOR) {
      bind_line(text, "(void)%s;", p->name);
    }
  }
  make_symbols(text, c);
  BIND_EACH_PARAM (p, f) {
    if (p->made) {
      make_output(text, c, bind_clause_of(f, p));
    }
  }
  bind_line(text, "return dlferry_fits_%s(%s);", f->own, bind_predicate_arguments(f, true));
  bind_close(text, "}\n");
}
