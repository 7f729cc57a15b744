/* SPDX-License-Identifier: Apache-2.0 */
#include "row.h"
#include "text_field.h"
#include <string.h>

/* The array of a struct that has nothing else, or NULL. */
static const c_type *row_array(const c_type *t) {
  const c_struct *record = t->kind == C_STRUCT ? t->record : NULL;
  if (!record || !record->complete || record->is_union || record->unread ||
      record->member_count != 1) {
    return NULL;
  }
  const c_member *m = record->members;
  const bool array = m->type->is_array && !m->is_flexible && m->type->length && m->type->to;
  if (!array || (m->type->to->kind != C_INTEGER && m->type->to->kind != C_REAL)) {
    return NULL;
  }
  return m->type;
}

const c_type *ir_row_element(const c_type *pointer) {
  if (pointer->kind != C_POINTER) {
    return NULL;
  }
  const c_type *array = row_array(pointer->to);
  if (array) {
    return array->to;
  }
  return ir_may_be_element(pointer->to) ? pointer->to : NULL;
}

int ir_row_size(const ir_builder *b, const c_type *pointer) {
  const c_type *array = pointer->kind == C_POINTER ? row_array(pointer->to) : NULL;
  return array ? ir_count_items(b, array->length) : 0;
}

void ir_check_row(ir_builder *b, const bind_function *f, const bind_param *p, const dlf_contract *c,
                  const dlf__clause *clause) {
  if (!p->row) {
    return;
  }
  const int last = clause->axis_count - 1;
  const dlf__node *extent = NULL;
  if (last >= 0 && clause->axes[last].kind == DLF__AXIS_EXPRESSION) {
    extent = &c->nodes[clause->axes[last].node];
  }
  const bool fits = extent && extent->op == DLF__INTEGER && extent->integer == p->row;
  if (!fits || clause->layout != DLF__LAYOUT_ROW_MAJOR) {
    ir_fail_in(b,
               f,
               "%s: C's elements are structs of %d numbers: expected `[n, %d]`, row-major",
               p->name,
               p->row,
               p->row);
  }
}

static bool row_has_number(const ir_builder *b, const char *type, const char *name) {
  const int place = bind_find_place(&b->structs, type);
  const c_struct *record = b->header->structs[place];
  BIND_EACH (const c_member, m, record->members, record->member_count) {
    if (strcmp(m->name, name) == 0) {
      return m->type->kind == C_INTEGER && !m->is_bits;
    }
  }
  return false;
}

void ir_check_held(ir_builder *b, const bind_function *f, const bind_param *p,
                   const dlf_contract *c, const dlf__clause *clause) {
  const bind_struct *holder = p->gift->holder;
  for (int32_t i = 0; holder && i < clause->axis_count; i++) {
    const dlf__axis *axis = &clause->axes[i];
    for (int32_t k = 0; k < c->symbol_count && axis->hook < 0; k++) {
      const dlf__symbol *s = &c->symbols[k];
      const bool named = dlf__contract_names(c, axis->node) >> k & 1;
      if (named && s->parameter < 0 && !row_has_number(b, holder->name, s->name)) {
        ir_fail_in(b,
                   f,
                   "%s: `gives`: expected an integer field of %s, got %s",
                   p->name,
                   holder->name,
                   s->name);
      }
    }
  }
}
