/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that C uses only with the ones that they were made from: "data made from model". What
 * makes them has `keeps model in result`. */
#include "memory.h"
#include "parameters.h"
#include <string.h>

static bool origin_is_passed(const bind_param *p) {
  return p && bind_is_object(p) && !p->optional;
}

void ir_build_origins(ir_builder *b, bind_function *f, const clause_words *words) {
  BIND_EACH (const origin_clause, origin, words->origins, words->origin_count) {
    bind_param *p = bind_find_param(f, origin->param);
    const bind_param *from = bind_find_param(f, origin->from);
    if (p == from || !origin_is_passed(p) || !origin_is_passed(from)) {
      ir_fail_in(b,
                 f,
                 "`%s made from %s`: expected two objects that callers always pass",
                 origin->param,
                 origin->from);
      return;
    }
    p->made_from = from->name;
  }
}

/* Tell whether a function makes such an object, which keeps the other one. */
static bool origin_is_made(const bind_ir *ir, const bind_handle *made, const bind_handle *from) {
  BIND_EACH_DECLARED (f, ir) {
    BIND_EACH_PARAM (p, f) {
      if (f->creates == made && p->kept_object && !p->kept_in && p->type.handle == from) {
        return true;
      }
    }
  }
  return false;
}

void ir_check_origins(ir_builder *b) {
  BIND_EACH_DECLARED (f, b->ir) {
    BIND_EACH_PARAM (p, f) {
      const bind_param *from = p->made_from ? bind_find_param(f, p->made_from) : NULL;
      if (from && !origin_is_made(b->ir, p->type.handle, from->type.handle)) {
        ir_find_block(b, f->name);
        ir_fail_in(b,
                   f,
                   "`%s made from %s`: expected a function that makes a %s and has `keeps NAME in "
                   "result` for a %s",
                   p->name,
                   from->name,
                   p->type.handle->name,
                   from->type.handle->name);
      }
    }
  }
}
