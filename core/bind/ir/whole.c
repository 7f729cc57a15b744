/* SPDX-License-Identifier: Apache-2.0 */
/* What emitters ask about the whole header again and again, answered once, when all functions are
 * there. */
#include "builder.h"

static void whole_use_type(ir_builder *b, const bind_type *type) {
  if (type->enumeration) {
    b->ir->enums[type->enumeration - b->ir->enums].used = true;
  }
  if (type->handle) {
    b->ir->handles[type->handle - b->ir->handles].used = true;
  }
  const bind_struct *s = type->structure;
  for (int i = 0; s && i < s->field_count; i++) {
    whole_use_type(b, &s->fields[i].type);
  }
}

static void whole_use(ir_builder *b, const bind_function *f) {
  if (f->returns == BIND_RETURN_VALUE || f->result.handle) {
    whole_use_type(b, &f->result);
  }
  BIND_EACH_PARAM (p, f) {
    whole_use_type(b, &p->type);
  }
}

const bind_handle *bind_home(const bind_function *f) {
  if (f->method_of) {
    return f->method_of;
  }
  return f->creates;
}

bool bind_is_static(const bind_function *f) {
  return f->creates && !f->method_of;
}

/* Note the name that callers of the function see, and put it before those of its handle that follow
 * it in the header: this is called from the last function to the first. */
static void whole_add(ir_builder *b, bind_function *f) {
  const bind_handle *home = bind_home(f);
  /* Asked by languages that would import a word of that name; the place, 0, means nothing. */
  bind_add_place(&b->ir->function_names, home ? f->method_name : f->short_name, 0);
  if (!home) {
    return;
  }
  /* Functions have const handles: the same one in the list that this may change. */
  bind_handle *h = &b->ir->handles[home - b->ir->handles];
  f->next = h->first;
  h->first = f;
}

void ir_answer(ir_builder *b) {
  bind_ir *ir = b->ir;
  for (int i = ir->function_count; i-- > 0;) {
    bind_function *f = &ir->functions[i];
    if (f->unbound || f->family) {
      continue;
    }
    if (f->setter && f->setter->unbound) {
      f->setter = NULL;
    }
    whole_use(b, f);
    whole_add(b, f);
  }
  BIND_EACH (bind_enum, e, ir->enums, ir->enum_count) {
    bind_add_place(&ir->types, bind_pascal(e->short_name), 0);
  }
  BIND_EACH_STRUCT(s, ir) {
    bind_add_place(&ir->types, bind_pascal(s->short_name), 0);
  }
  BIND_EACH (bind_handle, h, ir->handles, ir->handle_count) {
    bind_add_place(&ir->types, bind_pascal(h->short_name), 0);
  }
}
