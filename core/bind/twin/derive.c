/* SPDX-License-Identifier: Apache-2.0 */
/* C for the arguments that a twin computes, since callers do not pass them, and for pointers to
 * elements. */
#include "parts.h"
#include <string.h>

bool derive_needed(const bind_function *f) {
  BIND_EACH_C_PARAM (c, f) {
    if (c->derived || (c->param && c->param->interface)) {
      return true;
    }
  }
  return false;
}

/* ---- tensors ---- */

static const char *derive_name(const dlf_contract *c, const dlf__derived *d) {
  return c->names[d->tensor];
}

/* The order of a matrix's elements that C can be told: without order(x) it is the one that the
 * layout gives. */
static bool derive_takes(const dlf_contract *c, int32_t tensor, bool columns) {
  const dlf__clause *clause = dlf__contract_clause(c, tensor);
  DLF__EACH_DERIVED (d, c) {
    if (d->source == DLF__SOURCE_ORDER && d->tensor == tensor) {
      return true;
    }
  }
  return columns == (clause->layout == DLF__LAYOUT_FORTRAN);
}

static const char *derive_choice(const dlf_contract *c, const dlf__derived *d) {
  bind_text text = {0};
  const char *name = derive_name(c, d);
  const char *test = bind_string("dlf_columns_%s", name);
  if (d->relative) {
    test = bind_string(
        "dlf_columns_%s != dlf_columns_%s", c->names[d->tensors[0]], c->names[d->tensors[1]]);
  }
  for (int32_t i = 0; i + 1 < d->choice_count && d->source == DLF__SOURCE_DTYPE; i++) {
    const DLDataType t = d->choices[i].dtype;
    bind_put(&text,
             "dlferry_is(%s.tensor, %d, %d, %d) ? %s : ",
             name,
             t.code,
             t.bits,
             t.lanes,
             d->choices[i].value);
  }
  if (d->source == DLF__SOURCE_DTYPE) {
    bind_add(&text, d->choices[d->choice_count - 1].value);
  } else {
    const bool first = d->choices[0].columns;
    bind_put(&text, "%s ? %s : %s", test, d->choices[!first].value, d->choices[first].value);
  }
  return bind_keep(&text);
}

static bool derive_is_of_matrix(const dlf__derived *d) {
  return d->source == DLF__SOURCE_LD || d->source == DLF__SOURCE_ORDER;
}

/* Tell whether the call needs a matrix's order, or only its leading dimension. */
static bool derive_needs_order(const dlf_contract *c, int32_t tensor) {
  DLF__EACH_DERIVED (d, c) {
    for (int32_t k = 0; k < d->tensor_count; k++) {
      if (d->tensors[k] == tensor) {
        return true;
      }
    }
  }
  return false;
}

static void derive_put_matrix(bind_text *t, const bind_function *f, const dlf_contract *c,
                              int32_t tensor) {
  const dlf__clause *clause = dlf__contract_clause(c, tensor);
  if (!derive_needs_order(c, tensor) && clause->layout <= DLF__LAYOUT_FORTRAN) {
    /* Without gaps the extent is the distance. */
    bind_fill(t,
              "const int64_t dlf_ld_$name = $name.tensor->shape[$axis] > 1 ? "
              "$name.tensor->shape[$axis] : 1;\n",
              {"name", c->names[tensor]},
              {"axis", clause->layout == DLF__LAYOUT_FORTRAN ? "0" : "1"});
    return;
  }
  bind_fill(
      t,
      "int64_t dlf_ld_$name;\n"
      "bool dlf_columns_$name;\n"
      "if (!dlferry_matrix($name.tensor, $rows, $columns, &dlf_ld_$name, &dlf_columns_$name))\n"
      "  return dlferry_no_matrix(\"$function: $name\", $name.tensor, error);\n"
      "(void)dlf_ld_$name;\n"
      "(void)dlf_columns_$name;\n",
      {"name", c->names[tensor]},
      {"function", f->short_name},
      {"rows", bind_truth(derive_takes(c, tensor, false))},
      {"columns", bind_truth(derive_takes(c, tensor, true))});
}

/* Matrices of one order(). */
static void derive_put_order(bind_text *t, const bind_function *f, const dlf_contract *c,
                             const dlf__derived *d) {
  bind_text all = {0};
  bind_text names = {0};
  bind_text written = {0};
  bind_text variables = {0};
  for (int32_t i = 0; i < d->tensor_count; i++) {
    const char *name = c->names[d->tensors[i]];
    const char *between = bind_when(i, ", ");
    bind_put(&all, "%s%s.tensor", between, name);
    bind_put(&names, "%s\"%s\"", between, name);
    bind_put(
        &written, "%s%s", between, bind_truth(dlf__contract_clause(c, d->tensors[i])->written));
    bind_fill(&variables,
              "const int64_t dlf_ld_$name = dlf_distances_$first[$which];\n"
              "const bool dlf_columns_$name = dlf_order_$first;\n"
              "(void)dlf_ld_$name;\n"
              "(void)dlf_columns_$name;\n",
              {"name", name},
              {"first", derive_name(c, d)},
              {"which", bind_number(i)});
  }
  bind_fill(t,
            "const DLTensor *const dlf_matrices_$first[] = {$all};\n"
            "int64_t dlf_distances_$first[$count];\n"
            "bool dlf_order_$first;\n"
            "if (!dlferry_matrices(dlf_matrices_$first, $count, dlf_distances_$first, "
            "&dlf_order_$first)) {\n"
            "  static const char *const dlf_names[] = {$names};\n"
            "  static const bool dlf_written[] = {$written};\n"
            "  return dlferry_no_order(\"$function\", dlf_names, dlf_written, dlf_matrices_$first, "
            "$count, error);\n"
            "}\n"
            "$variables\n",
            {"first", derive_name(c, d)},
            {"all", bind_keep(&all)},
            {"names", bind_keep(&names)},
            {"written", bind_keep(&written)},
            {"count", bind_number(d->tensor_count)},
            {"function", f->short_name},
            {"variables", bind_keep(&variables)});
}

/* One look at each matrix whose ld or order is passed, or at all those that have one order. */
static void derive_put_matrices(bind_text *t, const bind_function *f, const dlf_contract *c) {
  uint64_t seen = 0; /* a contract has at most 32 tensors */
  DLF__EACH_DERIVED (d, c) {
    for (int32_t k = 0; derive_is_of_matrix(d) && k < (d->relative ? 2 : 1); k++) {
      int32_t tensor = d->tensor;
      if (d->relative) {
        tensor = d->tensors[k];
      }
      const dlf__derived *order = dlf__contract_order(c, tensor);
      const bool several = order && order->tensor_count > 1;
      const dlf__clause *first = dlf__contract_clause(c, several ? order->tensor : tensor);
      const uint64_t bit = UINT64_C(1) << (first - c->clauses);
      if (seen & bit) {
        continue;
      }
      seen |= bit;
      if (several) {
        derive_put_order(t, f, c, order);
      } else {
        derive_put_matrix(t, f, c, tensor);
      }
    }
  }
}

/* The axis whose stride C takes: without one in the contract the first. */
static int derive_walked(const dlf__derived *d) {
  if (d->axis < 0) {
    return 0;
  }
  return (int)d->axis;
}

/* BLAS walks along the axis by its stride: it refuses 0, which repeats one element. */
static void derive_refuse_repetition(bind_text *t, const bind_function *f, const dlf_contract *c,
                                     const dlf__derived *d) {
  const int axis = derive_walked(d);
  if (d->blas) {
    bind_line(
        t,
        "if (dlferry_stride(%s.tensor, %d) == 0) return dlferry_no_walk(\"%s: %s\", %d, error);",
        derive_name(c, d),
        axis,
        f->short_name,
        derive_name(c, d),
        axis);
  }
}

static const char *derive_value(const dlf_contract *c, const dlf__derived *d) {
  const char *name = "";
  if (d->tensor >= 0) {
    name = derive_name(c, d);
  }
  switch (d->source) {
  case DLF__SOURCE_EXPRESSION:
    return expression_integer(c, d->node, EXPRESSION_BEFORE);
  case DLF__SOURCE_CONSTANT:
    return bind_string("%s", d->word);
  case DLF__SOURCE_STRIDE:
    return bind_string("dlferry_stride(%s.tensor, %d)", name, derive_walked(d));
  case DLF__SOURCE_LD:
    return bind_string("dlf_ld_%s", name);
  case DLF__SOURCE_BYTES:
    return bind_string("dlferry_bytes(%s, &dlf_sure)", name);
  default:
    return derive_choice(c, d);
  }
}

/* ---- the whole ---- */

static bool derive_computes(const dlf_contract *c, const dlf__derived *d) {
  return d->source == DLF__SOURCE_BYTES ||
         (d->source == DLF__SOURCE_EXPRESSION && expression_computes(c, d->node));
}

/* Tell whether a value is one that the contract spells out. */
static bool derive_is_spelled(const dlf__derived *d) {
  return d->source == DLF__SOURCE_CONSTANT || d->choice_count;
}

/* C's test whether a value does not fit in its integer; "" if any does. */
static const char *derive_outside(const dlf__derived *d, const bind_type *type,
                                  const char *variable) {
  if (derive_is_spelled(d)) {
    return "";
  }
  return bind_join(platform_below(type, variable), " || ", platform_above(type, variable));
}

void derive_put_value(bind_text *t, const dlf_contract *c, const dlf__derived *d,
                      const bind_type *type, const char *variable, const char *where) {
  const char *of = "int64_t ";
  if (derive_is_spelled(d)) {
    of = type->c;
  }
  bind_line(t,
            strchr(of, '*') ? "%sconst %s = %s;" : "const %s%s = %s;",
            of,
            variable,
            derive_value(c, d));
  if (derive_computes(c, d)) {
    bind_line(t,
              "if (!dlf_sure) return dlf_error_set(error, DLF_OVERFLOW, \"%s: expected a size "
              "below 2^63\");",
              where);
  }
  const char *outside = derive_outside(d, type, variable);
  if (!*outside) {
    return;
  }
  bind_line(t, "if (%s)", outside);
  bind_line(t,
            "  return dlferry_too_large(\"%s\", %s, %s, %s, error);",
            where,
            variable,
            platform_lowest(type),
            platform_highest(type));
}

static bool derive_is_real(const bind_c_param *p) {
  return p->type.kind == BIND_REAL || p->type.kind == BIND_COMPLEX;
}

/* No function and no number: C gets no pointer. Compilers warn where variable arguments end in a
 * variable. */
static bool derive_is_null(const bind_c_param *p) {
  return bind_is_function(&p->type) || strcmp(p->derived, "NULL") == 0;
}

const char *derive_argument(const bind_c_param *p) {
  const char *value = bind_string("dlf_derived_%s", p->name);
  const char *scalar = bind_scalar_c(p->type.scalar);
  const bool complex = p->type.kind == BIND_COMPLEX;
  if (derive_is_null(p)) {
    return "NULL";
  }
  if (!complex && !p->by_pointer) {
    return bind_string("%s%s", bind_cast_to(p->type.c), value);
  }
  const char *number = bind_string("(%s){(%s)%s}", scalar, scalar, value);
  if (complex) {
    const char *part = p->type.scalar == BIND_C64 ? "float" : "double";
    number = bind_string("(%s){(%s)%s, 0}", scalar, part, value);
  }
  if (p->by_pointer) {
    return bind_string("(%s)(uintptr_t)&%s", p->type.c, number);
  }
  return bind_string("dlferry_%s_value(%s)", bind_scalar_name(p->type.scalar), number);
}

static void derive_put(bind_text *t, const bind_function *f, const dlf_contract *c, int which) {
  const bind_c_param *p = &f->c_params[which];
  const dlf__derived *d = dlf__contract_derived(c, which);
  if (derive_is_null(p)) {
    return;
  }
  if (derive_is_real(p)) {
    bind_line(t,
              "const double %s = %s;",
              bind_string("dlf_derived_%s", p->name),
              d->source == DLF__SOURCE_CONSTANT ? d->word
                                                : expression_real(c, d->node, EXPRESSION_BEFORE));
    return;
  }
  bind_type type = p->type;
  if (p->by_pointer) {
    type.c =
        "int64_t "; /* p->type.c has the "*": derive_argument makes the number that C points to */
  }
  if (d->source == DLF__SOURCE_STRIDE) {
    derive_refuse_repetition(t, f, c, d);
  }
  derive_put_value(t,
                   c,
                   d,
                   &type,
                   bind_string("dlf_derived_%s", p->name),
                   bind_string("%s: %s", f->short_name, p->name));
}

/* The text's room: what surrounds the numbers, and for each axis an extent and a stride with
 * blanks. */
static void derive_put_interface(bind_text *t, const bind_function *f, const dlf_contract *c,
                                 int which) {
  const bind_param *p = f->c_params[which].param;
  const dlf__clause *clause = dlf__contract_clause(c, which);
  int axes = DLF_MAX_NDIM;
  if (clause && clause->run < 0) {
    axes = (int)clause->axis_count;
  }
  bind_fill(t,
            "char dlf_text_$name[$size];\n"
            "if (!dlferry_array_interface($name.tensor, dlf_text_$name))\n"
            "  return dlferry_no_interface(\"$function: $name\", $name.tensor, error);\n",
            {"name", p->name},
            {"function", f->short_name},
            {"size", bind_number(128 + 48 * axes)});
}

const char *derive_statements(const bind_function *f) {
  bind_text t = {0};
  const dlf_contract *c = f->compiled;
  bool computes = false;
  DLF__EACH_DERIVED (d, c) {
    computes |= derive_computes(c, d) && !derive_is_real(&f->c_params[d->parameter]);
  }
  if (computes) {
    bind_line(&t, "bool dlf_sure = true;");
  }
  derive_put_matrices(&t, f, c);
  for (int i = 0; i < f->c_param_count; i++) {
    if (f->c_params[i].report || f->c_params[i].collects) {
      continue;
    }
    if (f->c_params[i].axes) {
      bind_add(&t, axes_statements(f, &f->c_params[i]));
    } else if (f->c_params[i].derived) {
      derive_put(&t, f, c, i);
    } else if (f->c_params[i].param && f->c_params[i].param->interface) {
      derive_put_interface(&t, f, c, i);
    }
  }
  return bind_keep(&t);
}

bool derive_may_refuse(const bind_function *f) {
  const dlf_contract *c = f->compiled;
  bool may = false;
  BIND_EACH_PARAM (p, f) {
    may |= p->interface;
  }
  BIND_EACH_C_PARAM (axes, f) {
    may |= axes->axes || axes->scratch;
  }
  DLF__EACH_DERIVED (d, c) {
    const bind_c_param *p = &f->c_params[d->parameter];
    if (derive_is_real(p)) {
      continue; /* computed in double, which holds any value */
    }
    may |= derive_is_of_matrix(d) || d->blas || derive_computes(c, d) ||
           *derive_outside(d, &p->type, "");
  }
  return may;
}

/* ---- offsets that a pointer cannot carry ---- */

/* dlferry_is_address in twin_helpers.h has the same list, and asks backends too. */
static bool derive_is_address(int32_t device) {
  return device == kDLCPU || device == kDLCUDAHost || device == kDLROCMHost ||
         device == kDLCUDAManaged || device == kDLCUDA || device == kDLROCM || device == kDLOneAPI;
}

/* Tell whether a clause allows a device whose data may be a handle. */
static bool derive_may_be_handle(const dlf__clause *clause) {
  bool may = clause->place == DLF__PLACE_ANY || clause->place == DLF__PLACE_SAME;
  for (int32_t i = 0; i < clause->device_count && clause->place == DLF__PLACE_LIST; i++) {
    may |= !derive_is_address(clause->devices[i]);
  }
  return may;
}

const char *derive_offset(const bind_function *f, const bind_param *p) {
  const dlf__clause *clause = NULL;
  if (p->pointer && p->type.kind == BIND_TENSOR) {
    clause = bind_clause_of(f, p);
  }
  if (!clause || clause->after_call || !derive_may_be_handle(clause)) {
    return "";
  }
  return bind_filled("if (dlferry_loses_offset($name.tensor)) return dlferry_no_offset(\"$where\", "
                     "$name.tensor, error);\n",
                     {"name", p->name},
                     {"where", argument_where(f, p)});
}

const char *derive_offsets(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    bind_add(&t, derive_offset(f, p));
  }
  return bind_keep(&t);
}

const char *derive_pointer(const bind_param *p) {
  if (p->interface) {
    return bind_string("dlf_text_%s", p->name);
  }
  return bind_string("%s%s(%s.tensor)",
                     bind_cast_to(p->pointer),
                     p->lowest ? "dlferry_lowest" : "dlferry_first",
                     p->name);
}
