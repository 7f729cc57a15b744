/* SPDX-License-Identifier: Apache-2.0 */
#include "keep.h"
#include "bind/base/template.h"
#include "bind/emit/declare.h"
#include <string.h>

bool keep_needed(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].kept) return true;
  return false;
}

const char *keep_arguments(const bind_function *f) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++)
    if (p->kept)
      bind_line(&t, "const dlf_arg %s = {dlf_dltensor(dlf_kept_%s), dlf_kept_%s ? dlf_flags(dlf_kept_%s) : 0};",
                p->name, p->name, p->name, p->name);
  return bind_keep(&t);
}

/* The value of the handle that keeps a tensor. */
static const char *keep_handle(const bind_function *f, const bind_param *kept) {
  const bind_handle *h = f->creates;
  const char *name = kept->kept_in;
  if (!name && f->returns == BIND_RETURN_VALUE && f->result.handle == f->creates) name = "dlf_value_of_call";
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++) {
    if (kept->kept_in && strcmp(p->name, kept->kept_in) == 0) h = p->type.handle;
    if (!name && p->returned && p->type.handle == f->creates) name = bind_string("*%s", p->name);
  }
  return bind_string("(void *)%s%s", h->is_integer ? "" : "(uintptr_t)", name);
}

const char *keep_before(const bind_function *f) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++)
    if (p->kept && p->kept_in)
      bind_fill(&t, "if (dlferry_keep(\"$function: $name\", $handle, dlf_kept_$name, error)) return DLF_NO_MEMORY;\n",
                {"function", f->short_name}, {"name", p->name}, {"handle", keep_handle(f, p)});
  return bind_keep(&t);
}

const char *keep_undone(const bind_function *f) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++)
    if (p->kept && p->kept_in) bind_line(&t, "dlferry_forget(%s, dlf_kept_%s);", keep_handle(f, p), p->name);
  return bind_keep(&t);
}

const char *keep_after(const bind_function *f) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++)
    if (p->kept && !p->kept_in)
      bind_fill(&t,
                "if (!dlf_verdict) dlf_verdict = dlferry_keep(\"$function: $name\", $handle, dlf_kept_$name, error);\n",
                {"function", f->short_name}, {"name", p->name}, {"handle", keep_handle(f, p)});
  return bind_keep(&t);
}
