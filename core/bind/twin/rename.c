/* SPDX-License-Identifier: Apache-2.0 */
#include "rename.h"
#include "bind/base/names.h"
#include "bind/emit/declare.h"
#include "bind/ir/parameters.h"
#include <string.h>

/* Rename each whole word of a contract that is such a name. */
static const char *rename_contract(const bind_function *f, const char *contract) {
  bind_text t = {0};
  for (const char *p = contract; *p;) {
    size_t size = 0;
    while (bind_in_name(p[size])) {
      size++;
    }
    if (size) {
      bind_put(&t, "%s", bind_twin_param_name(f, bind_string("%.*s", (int)size, p)));
    } else {
      bind_raw(&t, p, size = *p == '"' ? strcspn(p + 1, "\"") + 1 : 1);
    }
    p += size;
  }
  return bind_keep(&t);
}

static const bind_gift *rename_gift(const bind_function *f, const bind_gift *from) {
  if (!from) {
    return NULL;
  }
  bind_gift *gift = bind_alloc(1, sizeof *gift);
  *gift = *from;
  if (from->handle) {
    gift->handle = bind_twin_param_name(f, from->handle);
  }
  if (from->extents) {
    gift->extents = bind_twin_param_name(f, from->extents);
  }
  if (from->rank) {
    gift->rank = bind_twin_param_name(f, from->rank);
  }
  return gift;
}

static const bind_param *rename_param(const bind_function *f, const bind_function *to,
                                      const bind_param *p) {
  if (p) {
    return &to->params[p - f->params];
  }
  return NULL;
}

static bind_function *rename_copy(const bind_function *f) {
  bind_function *to = bind_alloc(1, sizeof *to);
  *to = *f;
  to->params = bind_alloc((size_t)f->param_count + 1, sizeof *to->params);
  to->c_params = bind_alloc((size_t)f->c_param_count + 1, sizeof *to->c_params);
  to->hooks = bind_alloc((size_t)f->hook_count + 1, sizeof *to->hooks);
  to->contract = rename_contract(f, f->contract);
  to->dispatch = rename_param(f, to, f->dispatch);
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &to->params[i];
    *p = f->params[i];
    p->name = bind_twin_param_name(f, p->name);
    p->gift = rename_gift(f, p->gift);
    if (p->kept_in) {
      p->kept_in = bind_twin_param_name(f, p->kept_in);
    }
  }
  for (int i = 0; i < f->c_param_count; i++) {
    bind_c_param *p = &to->c_params[i];
    *p = f->c_params[i];
    p->name = bind_twin_param_name(f, p->name);
    p->param = rename_param(f, to, p->param);
    p->count_of = rename_param(f, to, p->count_of);
  }
  for (int i = 0; i < f->hook_count; i++) {
    bind_hook *hook = &to->hooks[i];
    *hook = f->hooks[i];
    hook->args = bind_alloc((size_t)hook->arg_count + 1, sizeof *hook->args);
    for (int k = 0; k < hook->arg_count; k++) {
      hook->args[k] = f->hooks[i].args[k];
      hook->args[k].param = rename_param(f, to, hook->args[k].param);
    }
  }
  bind_compile_contract(to);
  return to;
}

const bind_function *rename_needed(const bind_function *f) {
  bool needed = false;
  BIND_EACH_C_PARAM (c, f) {
    needed |= strcmp(bind_twin_param_name(f, c->name), c->name) != 0;
  }
  if (needed) {
    return rename_copy(f);
  }
  return f;
}

void rename_put_back(bind_text *to, const char *c) {
  static const char own[] = BIND_OWN_NAME;
  char quote = 0;
  for (const char *p = c; *p; p++) {
    const bool escaped = *p == '\\' && p[1];
    if (!quote && (*p == '"' || (*p == '/' && p[1] == '*'))) {
      if (*p == '"') {
        quote = '"';
      } else {
        quote = '/';
      }
    } else if (quote == '"' ? *p == '"' : quote && *p == '/' && p[-1] == '*') {
      quote = 0;
    }
    if (quote && strncmp(p, own, sizeof own - 1) == 0) {
      p += sizeof own - 1;
    }
    bind_raw(to, p, escaped ? 2 : 1);
    p += escaped;
  }
}
