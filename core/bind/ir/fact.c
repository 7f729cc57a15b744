/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that an object keeps for later calls, since nothing of C tells them: "keeps channels in
 * result", which hook(object->channels) reads. */
#include "memory.h"
#include "parameters.h"
#include <string.h>

bool ir_find_fact(const ir_builder *b, const bind_function *f, const keep_clause *k,
                  bind_fact *out) {
  const bind_param *p = bind_find_param(f, k->param);
  const char *why = NULL;
  if (!p || p->optional || k->taken) {
    return false;
  }
  *out = (bind_fact){bind_or(k->field, k->param), k->param, k->field, k->in, NULL, p->type};
  const bool found = !k->field || (p->type.structure &&
                                   ir_find_field(b, f->declared, p, k->field, &out->type, &why));
  return found && out->type.kind == BIND_INTEGER;
}

void ir_keep_fact(ir_builder *b, bind_function *f, bind_fact fact) {
  BIND_EACH (const bind_fact, before, f->facts, f->fact_count) {
    if (strcmp(before->name, fact.name) == 0 && before->handle == fact.handle) {
      ir_fail_in(b, f, "`keeps`: expected one number called %s", fact.name);
    }
  }
  f->facts[f->fact_count++] = fact;
}

/* Tell whether the call has the number: what callers pass, what it computes, or what C writes. */
static bool fact_is_known(const bind_function *f, const bind_fact *fact) {
  BIND_EACH_C_PARAM (c, f) {
    if (fact->field || strcmp(c->name, fact->param) != 0) {
      continue;
    }
    if (c->param) {
      return !c->param->counts;
    }
    return c->derived && strcmp(c->derived, "NULL") != 0 && !c->scratch && !c->axes && !c->report;
  }
  return fact->field;
}

/* Tell whether a function lets an object keep the number, or replaces it later. */
static bool fact_is_kept(const bind_ir *ir, const bind_handle *handle, const char *name,
                         bool later) {
  BIND_EACH_DECLARED (f, ir) {
    BIND_EACH (const bind_fact, fact, f->facts, f->fact_count) {
      if (fact->handle == handle && strcmp(fact->name, name) == 0 && (fact->in || !later)) {
        return true;
      }
    }
  }
  return false;
}

/* Tell whether the call that replaces a number runs alone with the object, as no other call may
 * believe the old one meanwhile. */
static bool fact_is_alone(const bind_function *f, const bind_fact *fact) {
  return !f->threadsafe && !bind_begins(bind_find_param(f, fact->in)->type.c, "const ");
}

static void fact_check(ir_builder *b, const bind_function *f) {
  BIND_EACH (const bind_fact, fact, f->facts, f->fact_count) {
    if (!fact_is_known(f, fact)) {
      ir_fail_in(b, f, "`keeps %s`: expected an integer that callers or C give", fact->param);
    }
    if (fact->in && !fact_is_alone(f, fact)) {
      ir_fail_in(b,
                 f,
                 "`keeps %s in %s`: expected a pointer that is not const, and no `threadsafe`, "
                 "since no other call may use the object meanwhile",
                 fact->param,
                 fact->in);
    }
  }
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    if (!hook->unshown) {
      continue;
    }
    const bind_handle *handle = hook->args->param->type.handle;
    b->part = hook->text;
    if (!fact_is_kept(b->ir, handle, hook->field, false)) {
      ir_fail_in(b,
                 f,
                 "%s: %s, and no function has `keeps %s in` such an object",
                 hook->text,
                 hook->unshown,
                 hook->field);
    } else if (f->threadsafe && fact_is_kept(b->ir, handle, hook->field, true)) {
      ir_fail_in(b,
                 f,
                 "%s: another call may replace it meanwhile, since `threadsafe` takes no lock",
                 hook->text);
    }
    b->part = NULL;
  }
}

void ir_check_facts(ir_builder *b) {
  BIND_EACH_DECLARED (f, b->ir) {
    if (!f->unbound) {
      ir_find_block(b, f->name);
      fact_check(b, f);
    }
  }
}
