/* SPDX-License-Identifier: Apache-2.0 */
/* `handle X freed x_free(_, owner)`: C frees an object by a call that needs the one it was made
 * from. */
#include "builder.h"
#include <string.h>

/* The handle that a parameter of the function that frees takes, as it is there; NULL for none. */
static const bind_handle *owner_taken(ir_builder *b, const bind_handle *h) {
  const c_function *freeing = ir_find_included(b, h->free_name);
  const c_type *t = ir_param_type(freeing, h->owner_name);
  b->from = freeing;
  const bind_handle *owner = t ? ir_build_type(b, t).handle : NULL;
  b->from = NULL;
  return owner;
}

void ir_find_owners(ir_builder *b) {
  BIND_EACH (bind_handle, h, b->ir->handles, b->ir->handle_count) {
    if (!h->owner_name) {
      continue;
    }
    const sidecar_handle *from =
        bind_find_item(&b->contracts->handle_names, h->name, b->contracts->handles, sizeof *from);
    const bind_handle *found = owner_taken(b, h);
    const bool is_another = found && found != h && found->free_name;
    if (!is_another || h->in_place) {
      ir_fail_handle(b,
                     from,
                     h->owner_name,
                     h->in_place ? "`clear`: expected a function that takes the object alone"
                                 : "expected another object, which a function frees");
      h->owner_name = NULL;
      continue;
    }
    bind_handle *owner = &b->ir->handles[found - b->ir->handles];
    h->owner = owner;
    h->holds = owner->holds = owner->frees = true;
  }
}

/* The parameter with the object: the only one of its type, or that with the name that it has where
 * it is freed. */
static bind_param *owner_param(bind_function *f) {
  bind_param *only = NULL;
  int count = 0;
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    if (!bind_is_object(p) || p->type.handle != f->creates->owner || p->optional) {
      continue;
    }
    if (strcmp(p->name, f->creates->owner_name) == 0) {
      return p;
    }
    only = p;
    count++;
  }
  return count == 1 ? only : NULL;
}

void ir_build_end(bind_function *f) {
  if (!f->creates || f->borrows || !f->creates->owner) {
    return;
  }
  bind_param *p = owner_param(f);
  if (!p) {
    ir_leave_out(f,
                 bind_string("its result: %s needs the %s that it was made from: expected a "
                             "parameter `%s`, which is always there",
                             f->creates->free_name,
                             f->creates->owner->name,
                             f->creates->owner_name));
    return;
  }
  p->kept_object = true;
  f->ends_with = p;
}
