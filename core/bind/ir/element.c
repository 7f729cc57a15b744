/* SPDX-License-Identifier: Apache-2.0 */
/* `hook(last(Ap)) == nz`: what the elements of an integer array are, which C trusts, and whether
 * those of an array of reals rise or are finite. The twins have these functions. */
#include "element.h"
#include "parameters.h"
#include <string.h>

bool ir_is_of_elements(const char *function) {
  static const char *const names[] = {"first", "last", "least", "most", "rise", "finite"};
  BIND_EACH_STRING (name, names) {
    if (strcmp(function, *name) == 0) {
      return true;
    }
  }
  return false;
}

static bool element_is_integer(DLDataType t) {
  return (t.code == kDLInt || t.code == kDLUInt) && t.lanes == 1 && t.bits >= 8;
}

static bool element_is_real(DLDataType t) {
  return t.code == kDLFloat && t.lanes == 1 && (t.bits == 32 || t.bits == 64);
}

/* Tell whether a clause is about one axis of such numbers that the processor reads. */
static bool element_suits(const dlf_contract *c, int32_t parameter, bool (*is_such)(DLDataType)) {
  DLF__EACH (const dlf__clause, clause, c->clauses, c->clause_count) {
    if (clause->parameter != parameter || clause->list || clause->opt) {
      continue;
    }
    bool suits = clause->axis_count == 1 && clause->run < 0 && clause->like < 0 &&
                 clause->dtype_count > 0 && clause->place == DLF__PLACE_CPU;
    DLF__EACH (const DLDataType, dtype, clause->dtypes, clause->dtype_count) {
      suits &= is_such(*dtype);
    }
    return suits;
  }
  return false;
}

const char *ir_build_of_elements(const bind_function *f, const dlf_contract *c,
                                 const dlf__hook *from, bind_hook *hook) {
  const bool alone = from->source_count == 1 && from->sources[0].source == DLF__SOURCE_PARAMETER;
  if (!alone || from->place) {
    return "expected one array of integers";
  }
  const bind_param *p = bind_find_param(f, c->names[from->sources[0].tensor]);
  const bool passed = p && p->type.kind == BIND_TENSOR && p->direction != BIND_OUT && !p->optional;
  const int32_t array = from->sources[0].tensor;
  const bool integers = element_suits(c, array, element_is_integer);
  const bool finite = strcmp(from->function, "finite") == 0;
  const bool of_reals = finite || strcmp(from->function, "rise") == 0;
  hook->of_reals = of_reals && element_suits(c, array, element_is_real);
  if (finite && !(passed && hook->of_reals)) {
    return "expected an array of f32 or f64 with one axis that callers always pass";
  }
  if (!passed || (!integers && !hook->of_reals)) {
    return "expected an array of integers with one axis that callers always pass";
  }
  if (hook->early) {
    return bind_string("an input's hook runs before %s is checked: write its extent as a name, and "
                       "compare that with the hook",
                       p->name);
  }
  hook->of_elements = true;
  hook->result = (bind_type){.kind = BIND_INTEGER, .scalar = BIND_I64, .c = "int64_t "};
  hook->returned = hook->result.c;
  hook->args = bind_items(1, sizeof *hook->args);
  hook->args[hook->arg_count++] = (bind_hook_arg){p->name, p->type, p, p->name, -1};
  return NULL;
}
