/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that C frees within a call, `takes desc`: callers' object is closed by it. */
#include "builder.h"
#include <string.h>

/* Return what a parameter that C frees should be, or NULL. */
static const char *ended_why_not(const bind_param *p) {
  if (!p || !bind_is_object(p) || p->optional) {
    return "the name of an object that callers always pass";
  }
  const bind_handle *h = p->type.handle;
  if (bind_begins(p->type.c, "const ") || h->in_place || h->is_integer) {
    return "a pointer that is not const, to an object in memory of C";
  }
  return NULL;
}

void ir_end_object(ir_builder *b, const bind_function *f, bind_param *p, const char *name) {
  const char *why = ended_why_not(p);
  if (why) {
    ir_fail_in(b, f, "`takes %s`: expected %s", name, why);
    return;
  }
  p->ended = true;
}

/* Find a function that makes an object from one of the type, which may need it later. */
static const bind_function *ended_maker(const bind_ir *ir, const bind_handle *h) {
  BIND_EACH_DECLARED (f, ir) {
    BIND_EACH_PARAM (p, f) {
      if (!f->unbound && f->creates && p->type.handle == h && !p->returned && !p->ended) {
        return f;
      }
    }
  }
  return NULL;
}

static const char *ended_why_unbound(const bind_ir *ir, const bind_function *f,
                                     const bind_param *p) {
  const bind_function *maker = ended_maker(ir, p->type.handle);
  if (f->threadsafe) {
    return bind_string("`takes %s` needs the lock of its objects, which `threadsafe` does without",
                       p->name);
  }
  if (p->type.handle->holds) {
    return bind_string("`takes %s`: C frees it, but a call lends its memory, or keeps it", p->name);
  }
  if (maker) {
    return bind_string("`takes %s`: C frees it, but what %s makes from such an object may need it",
                       p->name,
                       maker->name);
  }
  return NULL;
}

void ir_check_ended(const bind_ir *ir) {
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    BIND_EACH_PARAM (p, f) {
      const char *why = p->ended && !f->unbound ? ended_why_unbound(ir, f, p) : NULL;
      if (why) {
        ir_leave_out(f, why);
      }
    }
  }
}
