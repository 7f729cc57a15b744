/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that lend tensors until a call changes them: which calls these are, and which calls need
 * a lock. */
#include "borrow.h"
#include "builder.h"
#include <string.h>

/* A hook gets the handle too, perhaps to change it. */
static bool lender_hooks_change(const bind_function *f, const bind_param *p) {
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    BIND_EACH (const bind_hook_arg, arg, hook->args, hook->arg_count) {
      if (arg->param == p && !bind_begins(arg->type.c, "const ")) {
        return true;
      }
    }
  }
  return false;
}

bool bind_changes_lender(const bind_function *f, const bind_param *p) {
  const bind_handle *handle = p->type.handle;
  if (!handle || p->returned || f->unchanged || !(handle->lends || handle->in_lender)) {
    return false;
  }
  return !bind_begins(p->type.c, "const ") || lender_hooks_change(f, p);
}

static bool lender_is_asked(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->gift && p->gift->until_change) {
      return true;
    }
  }
  return false;
}

/* Without a lock another thread may lend, or change, between the check and C. */
static const char *lender_why_unbound(const bind_function *f) {
  if (lender_is_asked(f)) {
    return "`lent until change` needs the lock of its handle, which `threadsafe` does without";
  }
  BIND_EACH_PARAM (p, f) {
    if (p->taken) {
      return bind_string(
          "`takes %s` needs the lock of its objects, which `threadsafe` does without", p->name);
    }
    if (bind_changes_lender(f, p)) {
      return bind_string("%s: it may lend tensors until it changes, so a change needs its lock: "
                         "write `unchanged` if the call leaves them alone, else no `threadsafe`",
                         p->name);
    }
  }
  return NULL;
}

void ir_check_lenders(bind_ir *ir) {
  ir_check_ended(ir);
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    const char *why = NULL;
    if (!f->unbound && f->threadsafe) {
      why = lender_why_unbound(f);
    }
    if (why) {
      ir_leave_out(f, why);
    }
  }
}
