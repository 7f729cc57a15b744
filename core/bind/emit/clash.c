/* SPDX-License-Identifier: Apache-2.0 */
/* Leave out functions whose names clash in a language. */
#include "query.h"

static void clash_take_names(bind_ir *ir, bind_function *f, bind_names *all, bind_add_own add) {
  bind_names own = {.language = all->language};
  bind_names locals = {.language = all->language};
  add(ir, f, &own, &locals);
  if (!locals.clash) {
    bind_add_names(all, &own);
  }
  if (locals.clash) {
    f->unbound = bind_string("%s: give one of them another name in the header", locals.clash);
  } else if (own.clash) {
    f->unbound =
        bind_string("%s: write `%s { rename NAME }` in a file of contracts", own.clash, f->name);
  }
  if (!f->unbound) {
    return;
  }
  bind_error("%s:%d: skipped %s: %s", ir->headers[f->header].name, f->line, f->name, f->unbound);
  ir->left_out++;
}

bool bind_leave_out_clashes(bind_ir *ir, bind_names *all, bind_add_own add) {
  if (all->clash) {
    bind_error("%s", all->clash);
  }
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    if (!f->unbound && !f->family) {
      clash_take_names(ir, f, all, add);
    }
  }
  return !all->clash;
}
