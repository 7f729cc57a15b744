/* SPDX-License-Identifier: Apache-2.0 */
/* C for memory that a kernel needs for the call alone. */
#include "parts.h"

const char *scratch_argument(const bind_c_param *c) {
  return bind_string("dlf_scratch_%s", c->name);
}

/* Refuse a number of elements below 0. */
static void scratch_put_check(bind_text *t, const bind_function *f, const bind_c_param *c,
                              const char *undone) {
  bind_fill(
      t,
      "if (dlf_derived_$name < 0) {\n"
      "  $undone\n"
      "  return dlferry_fail(error, DLF_INVALID, \"$function: $name: expected $source of 0 or "
      "more, got %lld\", (long long)dlf_derived_$name);\n"
      "}\n",
      {"name", c->name},
      {"undone", undone},
      {"function", f->short_name},
      {"source", c->derived});
}

const char *scratch_refused(const bind_function *f, const char *lacks, const char *undone) {
  return bind_filled(
      "if ($lacks) {\n"
      "  $undone\n"
      "  return dlf_error_set(error, DLF_NO_MEMORY, \"$function: no memory to work in\");\n"
      "}\n",
      {"lacks", lacks},
      {"undone", undone},
      {"function", f->short_name});
}

const char *scratch_taken(const bind_function *f, const char *undone) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (c, f) {
    if (c->scratch) {
      scratch_put_check(&t, f, c, undone);
    }
  }
  const char *lacks = "";
  BIND_EACH_C_PARAM (c, f) {
    if (!c->scratch) {
      continue;
    }
    bind_fill(&t,
              "$item *dlf_scratch_$name = calloc((size_t)dlf_derived_$name + 1, sizeof($item));\n",
              {"item", c->scratch},
              {"name", c->name});
    lacks = bind_join(lacks, " || ", bind_string("!%s", scratch_argument(c)));
  }
  if (!*lacks) {
    return "";
  }
  bind_add(&t, scratch_refused(f, lacks, bind_string("%s%s", scratch_given_back(f), undone)));
  return bind_keep(&t);
}

const char *scratch_given_back(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (c, f) {
    if (c->scratch) {
      bind_line(&t, "free(%s);", scratch_argument(c));
    }
  }
  return bind_keep(&t);
}
