/* SPDX-License-Identifier: Apache-2.0 */
#include "row.h"
#include "text_field.h"
#include <string.h>

#define ROW_WIDE 16 /* bytes of a `long double`, which begins at a multiple of them */

static bool row_is_number(const c_type *t) {
  return t->kind == C_INTEGER || t->kind == C_REAL;
}

/* The members of a struct, none of which is something else than such a number; NULL for another
 * type. */
static const c_struct *row_record(const c_type *t) {
  const c_struct *record = t->kind == C_STRUCT ? t->record : NULL;
  if (!record || !record->complete || record->is_union || record->unread) {
    return NULL;
  }
  const c_type *first = record->member_count > 1 ? record->members[0].type : NULL;
  BIND_EACH (const c_member, m, record->members, record->member_count) {
    if (first && (m->is_bits || !row_is_number(m->type) || m->type->kind != first->kind ||
                  m->type->scalar != first->scalar)) {
      return NULL;
    }
  }
  return record;
}

/* The array of a struct that has nothing else, or NULL. */
static const c_type *row_array(const c_struct *record) {
  const c_member *m = record->members;
  if (record->member_count != 1 || !m->type->is_array || m->is_flexible || !m->type->length) {
    return NULL;
  }
  return m->type->to && row_is_number(m->type->to) ? m->type : NULL;
}

/* No dtype is C's `long double`, so tensors have its bytes. */
static bool row_is_wide(const c_type *pointer) {
  return pointer->kind == C_POINTER && pointer->to->kind == C_OTHER && !pointer->to->is_array &&
         strcmp(pointer->to->spelling, "long double") == 0;
}

const c_type *ir_row_element(const c_type *pointer) {
  static const c_type byte = {.kind = C_INTEGER, .scalar = BIND_U8};
  if (pointer->kind != C_POINTER) {
    return NULL;
  }
  if (row_is_wide(pointer)) {
    return &byte;
  }
  const c_struct *record = row_record(pointer->to);
  const c_type *array = record ? row_array(record) : NULL;
  if (array) {
    return array->to;
  }
  if (record && record->member_count > 1) {
    return record->members[0].type;
  }
  return ir_may_be_element(pointer->to) ? pointer->to : NULL;
}

int ir_row_size(const ir_builder *b, const c_type *pointer) {
  if (row_is_wide(pointer)) {
    return ROW_WIDE;
  }
  const c_struct *record = pointer->kind == C_POINTER ? row_record(pointer->to) : NULL;
  const c_type *array = record ? row_array(record) : NULL;
  if (array) {
    return ir_count_items(b, array->length);
  }
  return record && record->member_count > 1 ? record->member_count : 0;
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
  const bool wide = !p->gift && strstr(p->pointer, "long double *");
  const bool aligned = clause->align && clause->align % ROW_WIDE == 0;
  const bool fits = extent && extent->op == DLF__INTEGER && extent->integer == p->row;
  if (fits && (aligned || !wide) && clause->layout == DLF__LAYOUT_ROW_MAJOR) {
    return;
  }
  ir_fail_in(b,
             f,
             "%s: C's elements are %s: expected `[n, %d]%s`, row-major",
             p->name,
             bind_string(wide ? "of %d bytes" : "structs of %d numbers", p->row),
             p->row,
             wide ? " align 16" : "");
}

static bool row_has_number(const ir_builder *b, const char *type, const char *name) {
  const int place = bind_find_place(&b->structs, type);
  return ir_has_integer(b->header->structs[place], name);
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
