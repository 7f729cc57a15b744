/* SPDX-License-Identifier: Apache-2.0 */
/* Find the calls of all functions. */
#include "cases.h"
#include "call.h"

/* A call has each object made for it alone, so none is made from another one of the call, and none
 * stands in a list. */
static bool cases_needs_origin(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->made_from || bind_is_object_list(p)) {
      return true;
    }
  }
  return false;
}

/* A function without rules has nothing to test. */
static bool cases_wanted(const bind_function *f) {
  /* Some hooks run before the check, so even a refused call runs them: only an author's own
   * contract says that they take such arguments. */
  if (f->hook_count && !f->reviewed) {
    return false;
  }
  if (*f->contract || f->creates) { /* others need its handle */
    return true;
  }
  BIND_EACH_PARAM (p, f) {
    const bind_kind kind = p->type.kind;
    if (kind == BIND_TENSOR || kind == BIND_LIST || kind == BIND_ARRAY || kind == BIND_HANDLE ||
        (kind == BIND_ENUM && p->type.enumeration->count)) {
      return true;
    }
  }
  return false;
}

/* Only what an author wrote or accepted for this function tells that C takes these values;
 * otherwise it is not called. */
static void cases_add_accepted(cases_finder *s) {
  bool optional = false;
  if (!s->f->reviewed || (!*s->f->contract && !s->f->creates)) {
    return;
  }
  cases_keep(s, "accepted", BIND_BROKEN_NOTHING, NULL, DLF_OK, "");
  for (int i = 0; i < s->f->param_count; i++) {
    optional |= s->f->params[i].optional;
    s->scratch->values[i].absent = s->f->params[i].optional;
  }
  if (optional && cases_judge(s, s->scratch, NULL) == DLF_OK) {
    cases_keep(s, "accepted_without", BIND_BROKEN_NOTHING, NULL, DLF_OK, "");
  }
  if (!cases_makes(s->f) || s->f->hook_count) {
    return;
  }
  s->scratch->make = false;
  if (cases_fill(s, &s->plan, s->scratch) && cases_judge(s, s->scratch, NULL) == DLF_OK) {
    cases_keep(s, "accepted_given", BIND_BROKEN_NOTHING, NULL, DLF_OK, "");
  }
}

static void cases_make(bind_ir *ir, bind_function *f) {
  const size_t items = (size_t)f->param_count * CASES_ITEMS;
  cases_finder s = {
      .ir = ir, .f = f, .contract = f->compiled, .steps = CASES_STEPS, .unbroken = ""};
  s.arguments = bind_items(f->c_param_count + f->hook_count, sizeof *s.arguments);
  s.tensors = bind_alloc(items + 1, sizeof *s.tensors);
  s.items = bind_alloc(items + 1, sizeof *s.items);
  s.scratch = cases_new_call(&s);
  if (!cases_find(&s)) {
    if (f->reviewed) {
      bind_error("tests: %s: no accepted call found", f->short_name);
    }
    f->untested = "all, since no accepted call was found";
  } else {
    cases_add_accepted(&s);
    cases_break(&s);
    f->cases = s.first;
    if (s.first) {
      f->untested = s.unbroken;
    }
  }
}

/* Another function, maybe a later one, must first make the handles that a function takes. */
static bool cases_can_begin(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    const bind_type *type = &p->type;
    if (type->kind == BIND_HANDLE && !p->returned && !type->handle->maker) {
      return false;
    }
  }
  return true;
}

/* Of the functions with cases that make a handle, the header's first makes it for others. */
static void cases_offer(bind_ir *ir, const bind_function *f) {
  if (!f->creates || !bind_maker_case(f) || f->family || f->result_optional) {
    return;
  }
  bind_handle *h = &ir->handles[f->creates - ir->handles];
  if (!h->maker || f < h->maker) {
    h->maker = f;
  }
}

/* A function that takes a handle waits for one that makes it. Repeat until no more can begin. */
static void cases_make_ready(bind_ir *ir, bool *waits) {
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < ir->function_count; i++) {
      bind_function *f = &ir->functions[i];
      if (waits[i] && cases_can_begin(f)) {
        cases_make(ir, f);
        cases_offer(ir, f);
        waits[i] = false;
        more = true;
      }
    }
  }
}

static void cases_tell_untested(bind_ir *ir, const bool *waits) {
  for (int i = 0; i < ir->function_count; i++) {
    bind_function *f = &ir->functions[i];
    if (!waits[i] || f->family) {
      continue;
    }
    if (f->reviewed) {
      bind_error("tests: %s: no function with a contract makes a handle that it takes",
                 f->short_name);
    }
    f->untested = "all, since no function with a contract makes a handle that it takes";
  }
}

void bind_make_cases(bind_ir *ir) {
  bool *waits = bind_items(ir->function_count, sizeof *waits);
  for (int i = 0; i < ir->function_count; i++) {
    bind_function *f = &ir->functions[i];
    waits[i] = !f->unbound && cases_wanted(f);
    if (waits[i] && cases_needs_origin(f)) {
      f->untested = "all, since each object of a call is made for it alone";
      waits[i] = false;
    }
  }
  cases_make_ready(ir, waits);
  cases_tell_untested(ir, waits);
}
