/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that objects keep for later calls: the holder of a handle has them. */
#include "parts.h"
#include <string.h>

/* The number, once C has succeeded. */
static const char *facts_value(const bind_function *f, const bind_fact *fact) {
  const char *value = bind_string("dlf_derived_%s", fact->param);
  BIND_EACH_PARAM (p, f) {
    if (strcmp(p->name, fact->param) != 0) {
      continue;
    }
    if (fact->field) {
      value = bind_string("dlf_struct_%s.%s", p->name, fact->field);
    } else {
      value = bind_string("%s%s", bind_when(p->returned, "*"), p->name);
    }
  }
  const bool wide = fact->type.scalar == BIND_U64;
  return bind_string(wide ? "dlferry_fact_of(%s)" : "(int64_t)%s", value);
}

const char *facts_doubted(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH (const bind_fact, fact, f->facts, f->fact_count) {
    if (fact->in) {
      bind_line(&t, "dlferry_doubt(%s, \"%s\");", keep_handle(f, fact->in), fact->name);
    }
  }
  return bind_keep(&t);
}

const char *facts_noted(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH (const bind_fact, fact, f->facts, f->fact_count) {
    const bool maybe = !fact->in && f->result_optional;
    bind_fill(&t,
              "if (!dlf_verdict$maybe)\n"
              "  dlf_verdict = dlferry_note(\"$function: $name\", $handle, \"$name\", "
              "$value, error);\n",
              {"maybe", bind_when(maybe, " && dlf_value_of_call")},
              {"function", f->short_name},
              {"name", fact->name},
              {"handle", keep_handle(f, fact->in)},
              {"value", facts_value(f, fact)});
  }
  return bind_keep(&t);
}

const char *facts_recalled(const bind_function *f, const bind_hook *hook) {
  const bind_param *p = hook->args->param;
  return bind_filled("const dlf_status dlf_recalled = dlferry_recall(\"$function: $object\", "
                     "$handle, \"$name\", &dlf_extent, error)",
                     {"function", f->short_name},
                     {"object", p->name},
                     {"handle", keep_address(p->type.handle, p->name)},
                     {"name", hook->field});
}
