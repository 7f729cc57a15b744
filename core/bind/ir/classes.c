/* SPDX-License-Identifier: Apache-2.0 */
/* The class of an object by C's type: one type may have several, each in functions of its own. */
#include "builder.h"
#include <string.h>

bool ir_is_maker(const bind_handle *h, const char *function) {
  return sidecar_matches_any(h->makers, h->maker_count, function);
}

/* Tell whether a function is one of a class that has functions of its own: those that make and end
 * its objects are, too. */
static bool classes_suits(const bind_handle *h, const char *function) {
  const bool ends = h->free_name && strcmp(h->free_name, function) == 0;
  return h->function_count && (sidecar_matches_any(h->functions, h->function_count, function) ||
                               ends || ir_is_maker(h, function));
}

/* Of the handles of a type: the one of the function at hand, else one of all others. */
static const bind_handle *classes_choose(const ir_builder *b, const bind_handle *first) {
  const bind_handle *other = NULL;
  for (const bind_handle *h = first; h; h = h->next) {
    if (b->from && classes_suits(h, b->from->name)) {
      return h;
    }
    if (!h->function_count) {
      other = h;
    }
  }
  return other;
}

const bind_handle *ir_find_handle(const ir_builder *b, const c_type *t) {
  return classes_choose(
      b, bind_find_item(&b->value_handles, t->spelling, b->ir->handles, sizeof(bind_handle)));
}

const bind_handle *ir_find_struct_handle(const ir_builder *b, const c_type *t) {
  if (t->kind != C_STRUCT) {
    return NULL;
  }
  return classes_choose(
      b, bind_find_item(&b->struct_handles, uses_tag(t), b->ir->handles, sizeof(bind_handle)));
}

bool ir_is_object(const ir_builder *b, const char *type) {
  return bind_find_place(&b->struct_handles, type) >= 0;
}

/* Let types lead to a handle: its own name, or the struct behind it. */
void ir_index_handle(ir_builder *b, bind_handle *h) {
  bind_index *own = h->is_value ? &b->value_handles : &b->struct_handles;
  bind_handle *first = bind_find_item(own, h->type, b->ir->handles, sizeof *first);
  if (first && strcmp(first->type, h->type) == 0) {
    h->next = first->next;
    first->next = h;
    return;
  }
  const int place = (int)(h - b->ir->handles);
  bind_add_place(own, h->type, place);
  if (h->is_value && *h->pointee) {
    bind_add_place(&b->struct_handles, h->pointee, place);
  }
}
