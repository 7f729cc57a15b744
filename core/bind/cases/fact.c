/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that the objects of a call keep: the tests make these objects, so they are known. */
#include "call.h"
#include <string.h>

static const bind_fact *cases_fact(const bind_function *maker, const char *name) {
  BIND_EACH (const bind_fact, fact, maker->facts, maker->fact_count) {
    if (!fact->in && !fact->field && strcmp(fact->name, name) == 0) {
      return fact;
    }
  }
  return NULL;
}

bool cases_recall(const cases_finder *s, int32_t hook, int64_t *out) {
  if (hook < 0 || !s->f->hooks[hook].unshown) {
    return false;
  }
  const bind_function *maker = s->f->hooks[hook].args->param->type.handle->maker;
  const bind_fact *fact = cases_fact(maker, s->f->hooks[hook].field);
  if (!fact) {
    return false;
  }
  BIND_EACH_PARAM (p, maker) {
    if (strcmp(p->name, fact->param) == 0 && !p->returned) {
      *out = bind_maker_case(maker)->values[p - maker->params].integer;
      return true;
    }
  }
  return false;
}
