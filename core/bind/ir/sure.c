/* SPDX-License-Identifier: Apache-2.0 */
/* Functions in which nothing can fail: the contract has nothing to check, and C reports no
 * failures. Objects are taken as open, which a language's own types must ensure. */
#include "builder.h"

/* Numbers of any value; an enum has some, a text may be missing, and the rest has a shape or an
 * owner. */
static bool sure_is_plain(const bind_type *type) {
  return type->kind >= BIND_INTEGER && type->kind <= BIND_BOOL;
}

static bool sure_can_fail(const bind_function *f) {
  bool fails = f->takes_error || f->returns == BIND_RETURN_STATUS || f->from || f->hook_count > 0 ||
               f->fact_count > 0;
  if (f->returns == BIND_RETURN_VALUE) {
    fails |= !sure_is_plain(&f->result);
  }
  BIND_EACH_PARAM (p, f) {
    const bool object = p->type.handle && p->type.kind == BIND_HANDLE && !p->returned;
    const bool stream = p->type.kind == BIND_STREAM;
    fails |= *p->limits || bind_changes_lender(f, p) ||
             (object && (p->type.handle->taken || p->ended)) || p->made_from ||
             !(sure_is_plain(&p->type) || object || stream);
    for (const bind_param *earlier = f->params; earlier < p; earlier++) {
      fails |= bind_may_be_one(f, earlier, p);
    }
  }
  BIND_EACH_C_PARAM (c, f) {
    fails |= c->derived != NULL;
  }
  return fails;
}

void ir_find_sure(ir_builder *b) {
  BIND_EACH (bind_function, f, b->ir->functions, b->ir->function_count) {
    f->sure = !f->unbound && !sure_can_fail(f);
  }
}
