/* SPDX-License-Identifier: Apache-2.0 */
/* Objects in memory that the twin allocates: only the C compiler knows their size. */
#include "parts.h"

/* The object that a call makes ready; NULL for other calls. */
static const bind_param *inplace_param(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->in_place) {
      return p;
    }
  }
  return NULL;
}

const char *inplace_taken(const bind_function *f, const char *undone) {
  const bind_param *p = inplace_param(f);
  if (!p) {
    return "";
  }
  return bind_filled(
      "${c}dlf_memory_$name = ${cast}calloc(1, sizeof *dlf_memory_$name);\n"
      "if (!dlf_memory_$name) {\n"
      "  $undone\n"
      "  return dlf_error_set(error, DLF_NO_MEMORY, \"$function: expected memory for "
      "the $handle, got none\");\n"
      "}\n",
      {"c", p->type.handle->c},
      {"cast", bind_cast_to(p->type.handle->c)},
      {"name", p->name},
      {"function", f->short_name},
      {"handle", p->type.handle->short_name},
      {"undone", undone});
}

const char *inplace_undone(const bind_function *f) {
  const bind_param *p = inplace_param(f);
  if (!p) {
    return "";
  }
  return bind_filled("free(dlf_memory_$name);\n", {"name", p->name});
}

const char *inplace_handed_over(const bind_function *f) {
  const bind_param *p = inplace_param(f);
  if (!p) {
    return "";
  }
  return bind_filled("*$name = dlf_memory_$name;\n", {"name", p->name});
}

void inplace_put_free(bind_text *c, const bind_handle *h) {
  if (h->in_place) {
    bind_line(c, "free(owned);");
  }
}
