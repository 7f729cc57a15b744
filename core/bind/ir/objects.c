/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of objects that C reads: "pans: in *n". */
#include "builder.h"

/* Tell whether a clause is "NAME: in *n". */
static bool objects_are_said(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  return c && clause_is(c, 2, "in") && clause_is(c, 3, "*");
}

/* The type of an item, which languages hold as a pointer; OTHER for what is no such list. */
static bind_type objects_item(const ir_builder *b, const c_type *t) {
  const bind_type none = {.kind = BIND_OTHER};
  if (t->kind != C_POINTER) {
    return none;
  }
  const bind_type item = ir_build_type(b, t->to);
  return item.handle && !item.handle->is_integer ? item : none;
}

void ir_build_objects(ir_builder *b, const bind_function *f, const c_type *t,
                      const clause_list *contract, bind_param *p) {
  if (!objects_are_said(contract, p->name)) {
    return;
  }
  const bind_type item = objects_item(b, t);
  if (item.kind != BIND_HANDLE) {
    ir_fail_in(
        b,
        f,
        "%s: `in *` is for a list of objects, which are pointers: expected a `T *const *`, a "
        "`T **`, or a pointer to what a `handle` names",
        p->name);
    return;
  }
  p->type = (bind_type){.kind = BIND_ARRAY,
                        .c = bind_string("%sconst *", item.c),
                        .own = item.handle->is_value ? bind_string("%s*", item.handle->c)
                                                     : ir_spell_pointer(t),
                        .handle = item.handle};
  p->direction = BIND_IN;
  p->returned = p->in_place = p->optional = false;
}
