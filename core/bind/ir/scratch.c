/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that C needs for the call alone. The contract computes how many elements, as a number
 * behind a pointer; the call passes memory of so many instead. */
#include "scratch.h"
#include "bind/c/scalar.h"
#include <string.h>

/* Elements may also be of a type that tensors do not have: `long double`. */
static bool scratch_suits(const c_type *t) {
  if (t->kind != C_POINTER || t->to->is_const) {
    return false;
  }
  const c_type *to = t->to;
  return ir_may_be_element(to) || (to->kind == C_OTHER && !to->is_array && *to->spelling);
}

static void scratch_build(bind_param *p, const c_type *t) {
  p->scratch = "char";
  if (t->to->kind != C_VOID) {
    p->scratch = t->to->spelling;
  }
  p->pointer = ir_spell_pointer(t);
  p->type = (bind_type){.kind = BIND_INTEGER, .scalar = BIND_I64, .c = "int64_t "};
  p->returned = false;
  p->direction = BIND_IN;
}

void ir_build_scratch(ir_builder *b, const bind_function *f, const c_function *from,
                      const clause_words *words) {
  for (int i = 0; i < from->count; i++) {
    const c_type *t = from->params[i].type;
    bind_param *p = &f->params[i];
    if (!bind_word_in(p->name, words->scratch)) {
      continue;
    }
    if (scratch_suits(t)) {
      scratch_build(p, t);
    } else {
      ir_fail_in(b, f, "%s: `scratch` is for a pointer to numbers that is not const", p->name);
    }
  }
}
