/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters whose names the twins need themselves: `error`, the function that is called. */
#include "bind/ir/parameters.h"
#include "parts.h"
#include <string.h>

/* Rename each whole word of a contract that is such a name. */
static const char *rename_contract(const bind_function *f, const char *contract) {
  bind_text t = {0};
  for (const char *p = contract; *p;) {
    size_t size = bind_name_size(p);
    if (size) {
      bind_add(&t, bind_twin_param_name(f, bind_sized(p, size)));
    } else {
      bind_raw(&t, p, size = *p == '"' ? strcspn(p + 1, "\"") + 1 : 1);
    }
    p += size;
  }
  return bind_keep(&t);
}

static const char *rename_name(const bind_function *f, const char *name) {
  if (name) {
    return bind_twin_param_name(f, name);
  }
  return NULL;
}

static const bind_gift *rename_gift(const bind_function *f, const bind_gift *from) {
  if (!from) {
    return NULL;
  }
  bind_gift *gift = bind_alloc(1, sizeof *gift);
  *gift = *from;
  gift->handle = rename_name(f, from->handle);
  gift->extents = rename_name(f, from->extents);
  gift->rank = rename_name(f, from->rank);
  return gift;
}

static const bind_axes *rename_axes(const bind_function *f, const bind_axes *from) {
  if (!from) {
    return NULL;
  }
  bind_axes *axes = bind_alloc(1, sizeof *axes);
  *axes = *from;
  axes->tensor = rename_name(f, from->tensor);
  axes->like = rename_name(f, from->like);
  return axes;
}

static const bind_text_use *rename_text(const bind_function *f, const bind_text_use *from) {
  if (!from) {
    return NULL;
  }
  bind_text_use *text = bind_alloc(1, sizeof *text);
  *text = *from;
  text->name = rename_name(f, from->name);
  text->room = rename_name(f, from->room);
  return text;
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
  to->params = bind_items(f->param_count, sizeof *to->params);
  to->c_params = bind_items(f->c_param_count, sizeof *to->c_params);
  to->hooks = bind_items(f->hook_count, sizeof *to->hooks);
  to->facts = bind_items(f->fact_count, sizeof *to->facts);
  to->contract = rename_contract(f, f->contract);
  to->dispatch = rename_param(f, to, f->dispatch);
  to->fault = rename_text(f, f->fault);
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &to->params[i];
    *p = f->params[i];
    p->name = bind_twin_param_name(f, p->name);
    p->gift = rename_gift(f, p->gift);
    p->text = rename_text(f, p->text);
    p->kept_in = rename_name(f, p->kept_in);
    p->made_from = rename_name(f, p->made_from);
  }
  for (int i = 0; i < f->c_param_count; i++) {
    bind_c_param *p = &to->c_params[i];
    *p = f->c_params[i];
    p->name = bind_twin_param_name(f, p->name);
    p->param = rename_param(f, to, p->param);
    p->count_of = rename_param(f, to, p->count_of);
    p->axes = rename_axes(f, p->axes);
    p->text = rename_text(f, p->text);
  }
  for (int i = 0; i < f->hook_count; i++) {
    bind_hook *hook = &to->hooks[i];
    *hook = f->hooks[i];
    hook->args = bind_items(hook->arg_count, sizeof *hook->args);
    for (int k = 0; k < hook->arg_count; k++) {
      hook->args[k] = f->hooks[i].args[k];
      hook->args[k].param = rename_param(f, to, hook->args[k].param);
    }
  }
  for (int i = 0; i < f->fact_count; i++) {
    bind_fact *fact = &to->facts[i];
    *fact = f->facts[i];
    fact->param = rename_name(f, fact->param);
    fact->in = rename_name(f, fact->in);
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
    if (quote && bind_begins(p, own)) {
      p += sizeof own - 1;
    }
    bind_raw(to, p, escaped ? 2 : 1);
    p += escaped;
  }
}
