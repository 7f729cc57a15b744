/* SPDX-License-Identifier: Apache-2.0 */
/* One number behind a pointer, values that may be absent, and numbers that C calls otherwise: the
 * clause says which dtype, C's const which direction. */
#include "bind/c/scalar.h"
#include "bind/clauses/clauses.h"
#include "builder.h"
#include <string.h>

static const char *pointee_c_name(const c_type *to) {
  if (to->kind == C_BOOL) {
    return "bool";
  }
  if (to->scalar) {
    return bind_scalar_name(to->scalar);
  }
  return "";
}

/* The dtype that the clause and C agree on, or NULL after an error. */
static const char *pointee_dtype(ir_builder *b, const bind_function *f, const bind_param *p,
                                 const c_type *t, const char *said) {
  const c_type *to = t->to;
  const bool number = to->kind == C_INTEGER || to->kind == C_REAL || to->kind == C_COMPLEX ||
                      to->kind == C_BOOL || (to->kind == C_CHAR && said);
  if (!number && to->kind != C_VOID) {
    ir_fail_in(b, f, "%s: expected a pointer to a number", p->name);
  } else if (!number && !said) {
    ir_fail_in(b, f, "%s: expected the dtype of the number behind `void *`", p->name);
  } else if (number && said && strcmp(said, pointee_c_name(to)) != 0) {
    ir_fail_in(b,
               f,
               "%s: the contract says %s, C says %s",
               p->name,
               said,
               *to->spelling ? to->spelling : bind_scalar_c(to->scalar));
  } else if (said && strcmp(said, "bool") != 0 && !bind_scalar_named(said)) {
    ir_fail_in(b, f, "%s: expected the dtype of a C number, got %s", p->name, said);
  } else {
    if (said) {
      return said;
    }
    return pointee_c_name(to);
  }
  return NULL;
}

static bind_type pointee_type(const char *dtype) {
  bind_type type = {.kind = BIND_BOOL, .c = "bool "};
  if (strcmp(dtype, "bool") == 0) {
    return type;
  }
  type.scalar = bind_scalar_named(dtype);
  if (type.scalar >= BIND_C64) {
    type.kind = BIND_COMPLEX;
  } else if (type.scalar >= BIND_F32) {
    type.kind = BIND_REAL;
  } else {
    type.kind = BIND_INTEGER;
  }
  type.c = bind_string("%s ", bind_scalar_c(type.scalar));
  return type;
}

void ir_build_pointee(ir_builder *b, const bind_function *f, const c_type *t,
                      const clause_list *contract, bind_param *p) {
  const bool object = p->type.handle && !p->returned;
  clause_pointee pointee;
  if (t->kind == C_POINTER || object) {
    pointee = clauses_pointee(contract, p->name);
  } else {
    pointee = (clause_pointee){0};
  }
  if (!pointee.said && p->type.kind == BIND_ARRAY &&
      clauses_find(contract, p->name, CLAUSE_DERIVES)) {
    pointee.said = true; /* `const int *n` */
  }
  if (object) {
    p->optional = pointee.opt && !pointee.in && !pointee.out && !pointee.dtype;
  }
  if (!pointee.said || p->pointer || p->type.kind == BIND_TENSOR || p->type.kind == BIND_HANDLE) {
    return;
  }
  if (p->direction == BIND_INOUT) {
    return;
  }
  if (p->type.kind == BIND_STRING) {
    p->optional = pointee.opt && !pointee.out && !pointee.dtype;
    return;
  }
  if (p->returned && !pointee.dtype && !pointee.opt && !pointee.in) {
    return; /* "total: out", and C says the rest */
  }
  const char *dtype = pointee_dtype(b, f, p, t, pointee.dtype);
  if (!dtype) {
    return;
  }
  if (pointee.out && (pointee.opt || pointee.in || t->to->is_const)) {
    ir_fail_in(b, f, "%s: `out` is for a pointer to a number that is not const", p->name);
  }
  if (!pointee.out && !pointee.in && !t->to->is_const) {
    ir_fail_in(b,
               f,
               "%s: expected `in` or `out` before the dtype, since C's pointer is not const",
               p->name);
  }
  p->pointer = ir_spell_pointer(t);
  p->type = pointee_type(dtype);
  p->optional = pointee.opt;
  p->returned = pointee.out;
  if (pointee.out) {
    p->direction = BIND_OUT;
  } else {
    p->direction = BIND_IN;
  }
}

void ir_build_number(ir_builder *b, bind_function *f, const c_type *t, const char *dtype) {
  if (!dtype) {
    return;
  }
  const bool real = strcmp(dtype, "f64") == 0;
  const bool wide = t->kind == C_OTHER && strcmp(t->spelling, "long double") == 0;
  if (real ? !wide : t->kind != C_CHAR) {
    ir_fail_in(b,
               f,
               "`return: %s`: expected C's `%s` as the result",
               dtype,
               real ? "long double" : "char");
    return;
  }
  f->result = pointee_type(dtype);
  f->result.own = t->spelling;
}
