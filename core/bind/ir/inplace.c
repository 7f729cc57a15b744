/* SPDX-License-Identifier: Apache-2.0 */
/* `handle T init f clear g`: objects in memory of the caller, which f makes ready and g clears. */
#include "builder.h"
#include <string.h>

bool ir_is_place(const c_type *t, const char *type) {
  return t->kind == C_POINTER && !t->is_array && !t->to->is_const && t->to->kind == C_STRUCT &&
         strcmp(uses_tag(t->to), type) == 0;
}

bool ir_makes_ready(const c_function *f, const char *type) {
  BIND_EACH (const c_param, p, f->params, f->count) {
    if (ir_is_place(p->type, type)) {
      return true;
    }
  }
  return false;
}

const char *ir_why_not_in_place(const c_type *t) {
  if (t->kind != C_STRUCT) {
    return "`init`: expected a struct, of which the call allocates the memory";
  }
  if (!t->record || !t->record->complete) {
    return "`init`: the header does not say what is in it, so its size is not known: write "
           "`freed` if a function makes and another frees it";
  }
  return NULL;
}

/* ---- a guess ---- */

/* "x_end" for "x_init", in its style. */
static const char *inplace_partner(const c_function *init, const char *verb) {
  const size_t stem = strlen(init->name) - strlen("init");
  char *name = bind_string("%.*s%s", (int)stem, init->name, verb);
  if (init->name[stem] == 'I') {
    name[stem] = bind_to_upper(name[stem]);
  }
  return name;
}

const char *ir_guess_in_place(const ir_builder *b, const c_type *t) {
  static const char *const verbs[] = {
      "clear", "end", "free", "destroy", "deinit", "uninit", "fini"};
  const uses_row *row = uses_find(&b->uses, uses_tag(t), false);
  if (!row || !row->init || !t->record || !t->record->complete) {
    return NULL;
  }
  if (row->maker_count) {
    return NULL; /* what clears it may free its memory, too */
  }
  BIND_EACH_STRING (verb, verbs) {
    const c_function *clear = ir_find_function(b, inplace_partner(row->init, *verb));
    if (clear && clear->count == 1 && !clear->variadic &&
        ir_is_place(clear->params[0].type, row->type)) {
      return bind_string("handle %s init %s clear %s", row->type, row->init->name, clear->name);
    }
  }
  return NULL;
}
