/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of structs of which callers pass a list for each field: "chat: fields *n". */
#include "parts.h"
#include <string.h>

/* How many structs there are, as C is told. */
static const char *struct_list_count(const bind_function *f, const bind_spread *spread) {
  BIND_EACH_C_PARAM (c, f) {
    if (strcmp(c->name, spread->list) == 0) {
      return bind_string("(size_t)%s", kernel_argument(f, c));
    }
  }
  return "0";
}

/* One list of structs, from a list for each field. */
static void struct_list_put(bind_text *t, const bind_function *f, const bind_spread *spread) {
  const char *list = struct_spread_argument(spread);
  bind_fill(t,
            "for (size_t dlf_i = 0; dlf_i < $count; dlf_i++) {\n",
            {"count", struct_list_count(f, spread)});
  BIND_EACH_C_PARAM (c, f) {
    const bind_spread_field *field;
    if (bind_spread_of(f, c, &field) == spread) {
      bind_fill(t,
                "  $list[dlf_i].$member = ($argument)[dlf_i];\n",
                {"list", list},
                {"member", field->member},
                {"argument", kernel_argument(f, c)});
    }
  }
  bind_put(t, "}\n");
}

const char *struct_lists_taken(const bind_function *f, const char *undone) {
  bind_text t = {0};
  const char *lacks = "";
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    if (!spread->list) {
      continue;
    }
    const char *list = struct_spread_argument(spread);
    bind_fill(&t,
              "$c*$list = calloc($count + 1, sizeof *$list);\n",
              {"c", spread->structure->c},
              {"list", list},
              {"count", struct_list_count(f, spread)});
    lacks = bind_join(lacks, " || ", bind_string("!%s", list));
  }
  if (!*lacks) {
    return "";
  }
  const char *given_back = bind_string("%s%s", struct_lists_given_back(f), scratch_given_back(f));
  bind_add(&t, scratch_refused(f, lacks, bind_string("%s%s", given_back, undone)));
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    if (spread->list) {
      struct_list_put(&t, f, spread);
    }
  }
  return bind_keep(&t);
}

const char *struct_lists_given_back(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    if (spread->list) {
      bind_line(&t, "free(%s);", struct_spread_argument(spread));
    }
  }
  return bind_keep(&t);
}
