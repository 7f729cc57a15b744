/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that C frees with another one, or never: `return: borrows p`, and what makes one of a
 * type that is `unowned`. */
#include "borrow.h"
#include "memory.h"
#include "parameters.h"
#include <string.h>

bool ir_is_borrowed(const clause_words *words, const char *name) {
  return words->borrow.param && strcmp(words->borrow.param, name) == 0;
}

/* Return the handle that a function returns, or writes behind a pointer of this name. */
static const bind_handle *borrow_given(const bind_function *f, const char *name) {
  if (strcmp(name, "return") == 0) {
    return f->returns == BIND_RETURN_VALUE ? f->result.handle : NULL;
  }
  const bind_param *p = bind_find_param(f, name);
  return p && p->returned ? p->type.handle : NULL;
}

void ir_build_borrow(ir_builder *b, bind_function *f, const clause_words *words) {
  const borrow_clause *clause = &words->borrow;
  if (!clause->param) {
    f->borrows = f->creates && !f->creates->free_name && ir_is_maker(f->creates, f->name);
    return;
  }
  const bind_param *from = bind_find_param(f, clause->from);
  if (!borrow_given(f, clause->param)) {
    ir_fail_in(b,
               f,
               "`%s: borrows %s`: expected an object that C returns, or writes behind a pointer",
               clause->param,
               clause->from);
    return;
  }
  if (!from || !bind_is_object(from) || from->optional) {
    ir_fail_in(b,
               f,
               "`%s: borrows %s`: expected the name of an object that callers pass",
               clause->param,
               clause->from);
    return;
  }
  f->borrows = true;
  f->owner = clause->from;
}

const char *ir_why_not_made(const bind_function *f, const char *start) {
  const bind_param *object = NULL;
  BIND_EACH_PARAM (p, f) {
    if (!object && bind_is_object(p)) {
      object = p;
    }
  }
  const char *given = "return";
  BIND_EACH_PARAM (p, f) {
    if (p->returned && p->type.handle) {
      given = p->name;
    }
  }
  const char *borrow = "";
  if (object) {
    borrow =
        bind_string("write `%s: borrows %s` if C frees it with that object", given, object->name);
  }
  if (!f->creates->free_name) {
    return bind_string(
        "its result: no function frees a `%s`: %s%sname the function after `handle %s "
        "unowned made` if C never frees it",
        f->creates->name,
        borrow,
        bind_when(*borrow, ", or "),
        f->creates->name);
  }
  return bind_string(
      "its result: only a function %screate, new, open, init, alloc, make or from..., "
      "or one that a `handle ... made` names, may return a handle%s%s",
      start,
      bind_when(*borrow, ": "),
      borrow);
}

/* ---- what all functions together tell ---- */

static bool borrow_takes(const bind_param *p, const bind_handle *h) {
  return p->type.handle == h && !p->returned;
}

/* Find a function that may change an object, or return NULL. */
static const bind_function *borrow_changer(const bind_ir *ir, const bind_handle *h) {
  BIND_EACH_DECLARED (f, ir) {
    BIND_EACH_PARAM (p, f) {
      if (!f->unbound && borrow_takes(p, h) && !bind_begins(p->type.c, "const ")) {
        return f;
      }
    }
  }
  return NULL;
}

/* Tell whether something lives until the handle is freed, or the handle until another one is:
 * nothing tells of the end of a borrowed one. */
static bool borrow_is_awaited(const bind_ir *ir, const bind_handle *h) {
  BIND_EACH_DECLARED (f, ir) {
    BIND_EACH (const bind_fact, fact, f->facts, f->fact_count) {
      if (fact->handle == h) {
        return true;
      }
    }
    BIND_EACH_PARAM (p, f) {
      const char *in = NULL;
      if (p->gift) {
        in = p->gift->handle;
      } else if (p->kept || p->kept_object) {
        in = p->kept_in;
      }
      const bool in_result = (p->kept || p->kept_object) && !in && f->creates == h;
      const bool is_kept = p->kept_object && p->type.handle == h;
      const bind_param *holder = in ? bind_find_param(f, in) : NULL;
      if ((holder && holder->type.handle == h) || in_result || is_kept) {
        return true;
      }
    }
  }
  return false;
}

static const bind_type *borrow_type(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->returned && p->type.handle) {
      return &p->type;
    }
  }
  return &f->result;
}

/* Say why what a function lends cannot be an object, or return NULL. */
static const char *borrow_why_unbound(const bind_ir *ir, const bind_function *f) {
  const bind_function *changer = NULL;
  if (bind_begins(borrow_type(f)->c, "const ")) {
    changer = borrow_changer(ir, f->creates);
  }
  if (changer) {
    return bind_string("its result: C gives it to be read, but %s may change a %s",
                       changer->name,
                       f->creates->name);
  }
  if (borrow_is_awaited(ir, f->creates)) {
    return bind_string("its result: a clause waits for the end of a %s, and nothing tells of the "
                       "end of one that C frees with another object",
                       f->creates->name);
  }
  return NULL;
}

/* Find the types of which an object may be reached through several owners, or none, each with a
 * lock of its own: those that C never frees, and what these lend. */
static bool *borrow_find_global(const bind_ir *ir) {
  bool *global = bind_items(ir->handle_count, sizeof *global);
  for (bool more = true; more;) {
    more = false;
    BIND_EACH_DECLARED (f, ir) {
      if (f->unbound || !f->borrows) {
        continue;
      }
      const int place = (int)(f->creates - ir->handles);
      const bind_param *owner = f->owner ? bind_find_param(f, f->owner) : NULL;
      const bool reaches = !owner || global[owner->type.handle - ir->handles];
      if (reaches && !global[place]) {
        global[place] = more = true;
      }
    }
  }
  return global;
}

/* Their locks do not keep threads apart, so C must, or a lock of the process, unless all only read.
 */
static void borrow_check_global(bind_ir *ir, const bind_handle *h) {
  if (!borrow_changer(ir, h)) {
    return;
  }
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    BIND_EACH_PARAM (p, f) {
      if (!f->unbound && borrow_takes(p, h) && !f->threadsafe && !f->lock) {
        ir_leave_out(f,
                     bind_string("%s: C never frees it, so it may be the same one for all threads: "
                                 "write `threadsafe` if C allows that, or `lock NAME` for each "
                                 "function that takes one",
                                 p->name));
      }
    }
  }
}

/* A change of a part may change the memory that its owner has lent. */
static void borrow_find_parts(bind_ir *ir) {
  for (bool more = true; more;) {
    more = false;
    BIND_EACH_DECLARED (f, ir) {
      const bind_param *owner = NULL;
      if (!f->unbound && f->borrows && f->owner) {
        owner = bind_find_param(f, f->owner);
      }
      if (!owner || !(owner->type.handle->lends || owner->type.handle->in_lender)) {
        continue;
      }
      bind_handle *part = &ir->handles[f->creates - ir->handles];
      more |= !part->in_lender;
      part->in_lender = true;
    }
  }
}

void ir_check_borrows(ir_builder *b) {
  bind_ir *ir = b->ir;
  ir_check_origins(b);
  ir_check_facts(b);
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    if (!f->unbound && f->borrows) {
      const char *why = borrow_why_unbound(ir, f);
      if (why) {
        ir_leave_out(f, why);
      }
    }
  }
  const bool *global = borrow_find_global(ir);
  for (int i = 0; i < ir->handle_count; i++) {
    if (global[i]) {
      borrow_check_global(ir, &ir->handles[i]);
    }
  }
  BIND_EACH_DECLARED (f, ir) {
    if (!f->unbound && f->borrows) {
      ir->handles[f->creates - ir->handles].lent = true;
    }
  }
  borrow_find_parts(ir);
}

bool bind_may_be_one(const bind_function *f, const bind_param *earlier, const bind_param *p) {
  const bind_handle *h = p->type.handle;
  const bool single = p->type.kind == BIND_HANDLE && earlier->type.kind == BIND_HANDLE;
  const bool matters = h && (h->lent || p->ended || earlier->ended);
  if (!single || !matters || f->threadsafe || !borrow_takes(p, h) || !borrow_takes(earlier, h)) {
    return false;
  }
  return !bind_begins(p->type.c, "const ") || !bind_begins(earlier->type.c, "const ");
}
