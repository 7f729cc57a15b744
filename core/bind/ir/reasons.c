/* SPDX-License-Identifier: Apache-2.0 */
/* Why functions are left out. */
#include "builder.h"
#include <string.h>

void ir_leave_out(bind_function *f, const char *why) {
  if (!f->unbound) {
    f->unbound = why;
  }
  BIND_ADD(f->reasons, f->reason_count, f->reason_capacity, why);
}

void ir_complete_reasons(bind_ir *ir) {
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    if (f->unbound && !f->reason_count) {
      ir_leave_out(f, f->unbound);
    }
  }
}

const char *bind_advice(const char *reason) {
  static const char *const said[] = {"write `", "write it", "contract such as", "give it one"};
  BIND_EACH_STRING (words, said) {
    if (strstr(reason, *words)) {
      return "";
    }
  }
  return "no clause binds that: call it in C of your own, which packages carry by --source, or "
         "leave "
         "it out by `hide`";
}
