/* SPDX-License-Identifier: Apache-2.0 */
/* The fast check. It may refuse a valid call (a pinned tensor, sub-byte elements, four billion
 * elements): the interpreter then decides. So each test here is the simplest that implies the
 * interpreter's. */
#include "parts.h"

/* ---- constraints ---- */

/* Compare reals only without arithmetic, which might be contracted and round differently. */
static bool predicate_can_test(const dlf_contract *c, const dlf__constraint *k) {
  return !k->real || (!expression_computes(c, k->left) && !expression_computes(c, k->right));
}

static void predicate_constraint(bind_text *t, const dlf_contract *c, const dlf__constraint *k) {
  if (k->kind != DLF__TYPE_IN) {
    bind_line(t, "if (!(%s)) return false;", expression_test(c, k, EXPRESSION_IN_CHECK));
  }
}

/* ---- tensors ---- */

const char *bind_predicate_name(const dlf_contract *c, const dlf__clause *clause) {
  return c->names[clause->parameter];
}

/* Any dtype that the contract language knows, or one of a list. */
static void predicate_dtypes(bind_text *t, const char *name, const DLDataType *dtypes,
                             int32_t count) {
  if (!count) {
    bind_line(t, "if (%s.tensor->dtype.code > kDLBool) return false;", name);
    return;
  }
  bind_put(t, "if (");
  for (int32_t i = 0; i < count; i++) {
    bind_put(t,
             "%s!dlferry_is(%s.tensor, %d, %d, %d)",
             bind_when(i, " && "),
             name,
             dtypes[i].code,
             dtypes[i].bits,
             dtypes[i].lanes);
  }
  bind_line(t, ") return false;");
}

static void predicate_dtype(bind_text *t, const dlf_contract *c, const dlf__clause *clause,
                            uint32_t *types) {
  const char *name = bind_predicate_name(c, clause);
  if (clause->like >= 0) {
    bind_line(t,
              "if (!dlferry_same_dtype(%s.tensor->dtype, %s.tensor->dtype)) return false;",
              name,
              bind_predicate_name(c, &c->clauses[clause->like]));
  } else if (clause->type >= 0 && (*types >> clause->type & 1)) {
    bind_line(t,
              "if (!dlferry_same_dtype(%s.tensor->dtype, dlf_type_%s)) return false;",
              name,
              c->types[clause->type]);
  } else if (clause->type >= 0) {
    bool limited = false;
    DLF__EACH_CONSTRAINT (constraint, c) {
      if (constraint->kind == DLF__TYPE_IN && constraint->type == clause->type &&
          constraint->dtype_count) {
        predicate_dtypes(t, name, constraint->dtypes, constraint->dtype_count);
        limited = true;
      }
    }
    if (!limited) {
      predicate_dtypes(t, name, NULL, 0);
    }
    const char *type = c->types[clause->type];
    bind_line(t,
              "const DLDataType dlf_type_%s = %s.tensor->dtype;\n(void)dlf_type_%s;",
              type,
              name,
              type);
    *types |= UINT32_C(1) << clause->type;
  } else {
    predicate_dtypes(t, name, clause->dtypes, clause->dtype_count);
  }
}

static void predicate_shape(bind_text *t, const dlf_contract *c, const dlf__clause *clause,
                            uint64_t *bound) {
  const char *name = bind_predicate_name(c, clause);
  for (int32_t i = 0; i < clause->axis_count; i++) {
    const dlf__axis *axis = &clause->axes[i];
    if (clause->like >= 0) {
      bind_line(t,
                "if (%s.tensor->shape[%d] != %s.tensor->shape[%d]) return false;",
                name,
                i,
                bind_predicate_name(c, &c->clauses[clause->like]),
                i);
    } else if (axis->kind == DLF__AXIS_SYMBOL && !(*bound >> axis->symbol & 1)) {
      const char *symbol = expression_symbol(c, axis->symbol, EXPRESSION_IN_CHECK);
      bind_line(t, "const int64_t %s = %s.tensor->shape[%d];\n(void)%s;", symbol, name, i, symbol);
      *bound |= UINT64_C(1) << axis->symbol;
      const dlf__limit *limit = dlf__contract_limit(c, axis->symbol);
      if (limit && !limit->told) {
        const char *most = expression_integer(c, limit->node, EXPRESSION_IN_CHECK);
        bind_line(t, "if (%s < %s) return false;", symbol, most);
      }
    } else if (axis->kind != DLF__AXIS_ANY) {
      bind_line(t,
                "if (%s.tensor->shape[%d] != %s) return false;",
                name,
                i,
                expression_integer(c, axis->node, EXPRESSION_IN_CHECK));
    }
  }
}

const dlf__clause *bind_predicate_model(const dlf_contract *c, const dlf__clause *clause,
                                        bool inputs) {
  for (const dlf__clause *m = c->clauses; clause->same_layout && m < clause; m++) {
    if (m->axis_count == clause->axis_count && !(inputs && m->written && !m->inout)) {
      return m;
    }
  }
  return NULL;
}

/* The test of a layout; it sets dlf_range_$name if there may be gaps. */
static const char *const predicate_layouts[DLF__LAYOUT_COUNT] = {
    [DLF__LAYOUT_ROW_MAJOR] = "if (!dlferry_row_major($name.tensor, $rank)) return false;\n",
    [DLF__LAYOUT_FORTRAN] = "if (!dlferry_column_major($name.tensor, $rank)) return false;\n",
    [DLF__LAYOUT_DENSE] = ("if (!dlferry_row_major($name.tensor, $rank) && "
                           "!dlferry_column_major($name.tensor, $rank) &&\n"
                           "    !dlf_is_contiguous($name.tensor, DLF_DENSE))\n"
                           "  return false;\n"),
    [DLF__LAYOUT_ROWS] = ("if (!dlferry_dense_rows($name.tensor, $rank) || "
                          "!dlferry_strided($name.tensor, $rank, $written, &dlf_range_$name)) "
                          "return false;\n"),
    [DLF__LAYOUT_STRIDED] = ("if (!dlferry_strided($name.tensor, $rank, $written, "
                             "&dlf_range_$name)) return false;\n")};

static void predicate_layout(bind_text *t, const dlf_contract *c, const dlf__clause *clause,
                             const char *rank) {
  const char *name = bind_predicate_name(c, clause);
  const dlf__clause *model = bind_predicate_model(c, clause, false);
  /* The same shape and strides as a tensor without gaps: no gaps either. */
  const bool gapless =
      model && clause->like == (int32_t)(model - c->clauses) && dlf__layouts[model->layout].gapless;
  if (!(clause->layout == DLF__LAYOUT_STRIDED && gapless)) {
    bind_fill(t,
              predicate_layouts[clause->layout],
              {"name", name},
              {"rank", rank},
              {"written", bind_truth(clause->written)});
  }
  if (model) {
    bind_line(t,
              "if (!dlferry_same_strides(%s.tensor, %s.tensor, %s)) return false;",
              name,
              bind_predicate_name(c, model),
              rank);
  }
}

static void predicate_clause(bind_text *t, const dlf_contract *c, const dlf__clause *clause,
                             uint64_t *bound, uint32_t *types) {
  const char *name = bind_predicate_name(c, clause);
  const char *rank = bind_number(clause->axis_count);
  bind_line(
      t, "if (!dlferry_simple(%s.tensor, %s, &dlf_range_%s)) return false;", name, rank, name);
  predicate_dtype(t, c, clause, types);
  predicate_shape(t, c, clause, bound);
  predicate_layout(t, c, clause, rank);
  bind_line(t,
            "if (%s.flags & ~(uint64_t)DLFERRY_%s_FLAGS) return false;",
            name,
            clause->written ? "WRITABLE" : "READABLE");
  if (clause->align > 1) {
    bind_line(t,
              "if ((uint64_t)(uintptr_t)dlf_data(%s.tensor) %% %lld != 0) return false;",
              name,
              (long long)clause->align);
  }
}

static void predicate_aliases(bind_text *t, const dlf_contract *c) {
  for (int32_t i = 0; i < c->clause_count; i++) {
    for (int32_t k = 0; k < c->clause_count; k++) {
      const dlf__clause *a = &c->clauses[i];
      const dlf__clause *b = &c->clauses[k];
      if (k == i || !a->noalias || (b->noalias && k < i)) {
        continue; /* each pair once */
      }
      bind_line(t,
                "if (!dlferry_apart(&dlf_range_%s, &dlf_range_%s)) return false;",
                bind_predicate_name(c, a),
                bind_predicate_name(c, b));
    }
  }
}

/* ---- the whole ---- */

static bool predicate_can(const dlf_contract *c) {
  DLF__EACH_CLAUSE (clause, c) {
    if (clause->opt || clause->implicit || clause->run >= 0 || !clause->on_cpu) {
      return false;
    }
  }
  DLF__EACH_CONSTRAINT (constraint, c) {
    if (!predicate_can_test(c, constraint)) {
      return false;
    }
  }
  return c->clause_count > 0;
}

bool bind_predicate_looks_at(const bind_param *p) {
  const bind_kind kind = p->type.kind;
  return bind_is_read(p) && !(p->optional && kind != BIND_TENSOR) &&
         (kind == BIND_TENSOR || kind == BIND_INTEGER || kind == BIND_REAL);
}

/* The interpreter handles lists, arrays, hooks and given tensors. */
static bool predicate_knows(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    const bind_kind kind = p->type.kind;
    if (kind == BIND_LIST || kind == BIND_ARRAY || kind == BIND_GIVEN) {
      return false;
    }
  }
  return f->hook_count == 0;
}

const char *bind_predicate_arguments(const bind_function *f, bool make) {
  const char *all = "";
  BIND_EACH_PARAM (p, f) {
    const char *value = p->name;
    if (make && p->made) {
      value = bind_string("(dlf_arg){&(*%s)->dl_tensor, 0}", p->name);
    } else if (p->returned && !make) {
      value = bind_string("*%s", p->name);
    }
    all = bind_join(all, ", ", bind_when(bind_predicate_looks_at(p), value));
  }
  return all;
}

void bind_open_predicate(bind_text *t, const bind_function *f, bool make) {
  const char *parameters = "";
  BIND_EACH_PARAM (p, f) {
    const char *type = p->type.c;
    if (make && p->made) {
      type = "DLManagedTensorVersioned **";
    } else if (p->type.kind == BIND_TENSOR) {
      type = "dlf_arg ";
    }
    const char *parameter = bind_string("%s%s", type, p->name);
    parameters = bind_join(parameters, ", ", bind_when(bind_predicate_looks_at(p), parameter));
  }
  const char *verb = make ? "make" : "fits";
  bind_open(t, "static inline bool dlferry_%s_%s(%s) {", verb, f->own, parameters);
}

bool bind_put_predicate(bind_text *text, const bind_function *f) {
  const dlf_contract *c = f->compiled;
  uint64_t bound = 0;
  uint32_t types = 0;
  if (!predicate_knows(f) || !predicate_can(c)) {
    return false;
  }
  bind_open_predicate(text, f, false);
  bind_line(text, "bool dlf_sure = true;");
  DLF__EACH_CLAUSE (clause, c) {
    bind_line(text, "dlferry_range dlf_range_%s;", bind_predicate_name(c, clause));
  }
  for (int32_t i = 0; i < c->symbol_count; i++) {
    if (c->symbols[i].parameter < 0) {
      continue;
    }
    bound |= UINT64_C(1) << i;
    if (c->kinds[c->symbols[i].parameter] == DLF_PARAMETER_UNSIGNED) {
      bind_line(text, "if ((uint64_t)%s >> 63) return false;", c->symbols[i].name);
    }
  }
  BIND_EACH_PARAM (p, f) {
    if (bind_predicate_looks_at(p) && p->type.kind != BIND_TENSOR) {
      bind_line(text, "(void)%s;", p->name);
    }
  }
  DLF__EACH_CLAUSE (clause, c) {
    predicate_clause(text, c, clause, &bound, &types);
  }
  DLF__EACH_CONSTRAINT (constraint, c) {
    predicate_constraint(text, c, constraint);
  }
  predicate_aliases(text, c);
  bind_line(text, "return dlf_sure;");
  bind_close(text, "}\n");
  return true;
}
