/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that C keeps after the call: the handle holds them. */
#include "parts.h"
#include <string.h>

bool keep_needed(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->kept) {
      return true;
    }
  }
  return false;
}

/* The value of the handle that keeps a tensor. */
static const char *keep_handle(const bind_function *f, const bind_param *kept) {
  const bind_handle *h = f->creates;
  const char *name = kept->kept_in;
  if (!name && f->returns == BIND_RETURN_VALUE && f->result.handle == f->creates) {
    name = "dlf_value_of_call";
  }
  BIND_EACH_PARAM (p, f) {
    if (kept->kept_in && strcmp(p->name, kept->kept_in) == 0) {
      h = p->type.handle;
    }
    if (!name && p->returned && p->type.handle == f->creates) {
      name = bind_string("*%s", p->name);
    }
  }
  return bind_string("(void *)%s%s", bind_when(!h->is_integer, "(uintptr_t)"), name);
}

bool keep_is_struct(const bind_param *p) {
  return p->kept && !p->pointer;
}

/* The handle on what C keeps: C may keep a DLTensor itself, which then has to suit kernels as long
 * as it lives. */
static const char *keep_name(const bind_param *p) {
  return bind_string(keep_is_struct(p) ? "dlf_held_%s" : "dlf_kept_%s", p->name);
}

const char *keep_tensor(const bind_param *p) {
  return bind_string("%sdlf_dltensor(dlf_held_%s)",
                     bind_when(p->direction != BIND_IN, "(DLTensor *)(uintptr_t)"),
                     p->name);
}

/* Undo what C's handle keeps of those before `end`. */
static const char *keep_forgotten(const bind_function *f, const bind_param *end) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < end; p++) {
    if (p->kept && p->kept_in) {
      bind_line(&t, "dlferry_forget(%s, %s);", keep_handle(f, p), keep_name(p));
    }
  }
  return bind_keep(&t);
}

/* Release those before `end`, which C has kept by other references or not at all. */
static const char *keep_released(const bind_function *f, const bind_param *end) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < end; p++) {
    if (keep_is_struct(p)) {
      bind_line(&t, "dlf_release(dlf_held_%s);", p->name);
    }
  }
  return bind_keep(&t);
}

const char *keep_before(const bind_function *f) {
  bind_text t = {0};
  const bind_param *end = f->params + f->param_count;
  for (const bind_param *p = f->params; p < end; p++) {
    if (keep_is_struct(p)) {
      bind_fill(&t,
                "dlf_tensor *dlf_held_$name = dlferry_hold_for_kernel(dlf_kept_$name);\n"
                "if (!dlf_held_$name) {\n"
                "  $released\n"
                "  return dlf_error_set(error, DLF_NO_MEMORY, \"$function: $name: expected memory "
                "to keep a tensor, got none\");\n"
                "}\n",
                {"function", f->short_name},
                {"name", p->name},
                {"released", keep_released(f, p)});
    }
  }
  for (const bind_param *p = f->params; p < end; p++) {
    if (p->kept && p->kept_in) {
      bind_fill(&t,
                "if (dlferry_keep(\"$function: $name\", $handle, $tensor, error)) {\n"
                "  $undone\n"
                "  $released\n"
                "  return DLF_NO_MEMORY;\n"
                "}\n",
                {"function", f->short_name},
                {"name", p->name},
                {"handle", keep_handle(f, p)},
                {"tensor", keep_name(p)},
                {"undone", keep_forgotten(f, p)},
                {"released", keep_released(f, end)});
    }
  }
  return bind_keep(&t);
}

const char *keep_undone(const bind_function *f) {
  const bind_param *end = f->params + f->param_count;
  return bind_string("%s%s", keep_forgotten(f, end), keep_released(f, end));
}

/* Those with kept_in were kept before the call, in a handle that was there; for the others the call
 * made the handle. All are kept by now: C's own references, up to the end, go. */
const char *keep_after(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (p->kept && !p->kept_in) {
      bind_fill(&t,
                "if (!dlf_verdict) dlf_verdict = dlferry_keep(\"$function: $name\", $handle, "
                "$tensor, error);\n",
                {"function", f->short_name},
                {"name", p->name},
                {"handle", keep_handle(f, p)},
                {"tensor", keep_name(p)});
    }
  }
  bind_add(&t, keep_released(f, f->params + f->param_count));
  return bind_keep(&t);
}
