/* SPDX-License-Identifier: Apache-2.0 */
/* The declarations of twins in C. */
#include "declare.h"
#include <string.h>

bool bind_is_behind(const bind_param *p) {
  return p->optional && p->type.kind != BIND_TENSOR && p->type.kind != BIND_STRING;
}

void bind_put_c_param(bind_text *text, const bind_param *p, bool make) {
  if (make && p->made)
    bind_put(text, "DLManagedTensorVersioned **%s, ", p->name);
  else if (p->kept)
    bind_put(text, "dlf_tensor *dlf_kept_%s, ", p->name);
  else if (p->type.kind == BIND_TENSOR)
    bind_put(text, "dlf_arg %s, ", p->name);
  else if (p->type.kind == BIND_LIST)
    bind_put(text, "const dlf_arg *%s, int64_t %s_count, ", p->name, p->name);
  else if (p->type.kind == BIND_ARRAY)
    bind_put(text, "%s%s, int64_t %s_count, ", p->type.c, p->name, p->name);
  else if (bind_is_behind(p))
    bind_put(text, "const %s*%s, ", p->type.c, p->name);
  else
    bind_put(text, "%s%s%s, ", p->type.c, p->returned && p->type.kind != BIND_GIVEN ? "*" : "", p->name);
}

static void declare_twin(bind_text *text, const bind_function *f, const char *name, bool make) {
  bind_put(text, "dlf_status %s(", name);
  for (int i = 0; i < f->param_count; i++)
    if (!(make && f->params[i].counts)) bind_put_c_param(text, &f->params[i], make);
  if (f->returns == BIND_RETURN_VALUE) bind_put(text, "%s*%s, ", f->result.c, bind_result_name(f));
  bind_put(text, "dlf_error *error)");
}

const char *bind_result_name(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (strcmp(f->params[i].name, "result") == 0) return "dlf_result";
  return "result";
}

void bind_put_twin(bind_text *text, const bind_function *f, const char *name) { declare_twin(text, f, name, false); }

void bind_put_checked(bind_text *text, const bind_function *f) { bind_put_twin(text, f, f->checked_name); }

void bind_put_new(bind_text *text, const bind_function *f) { declare_twin(text, f, f->new_name, true); }
