/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of templates, one row for each kind of parameter. */
#include "slots.h"
#include "declare.h"
#include "query.h"

bind_param bind_value_param(const bind_function *f) {
  return (bind_param){bind_result_name(f),
                      f->result,
                      .returned = true,
                      .doc = f->returns_doc,
                      .contract = "",
                      .limits = "",
                      .words = "",
                      .limits_words = ""};
}

bind_slots bind_slots_of(const bind_function *f, bool make, const bind_part *parts,
                         int part_count) {
  bind_slots slots = {f, parts, part_count, NULL, 0};
  slots.items = bind_items(f->param_count, sizeof *slots.items);
  BIND_EACH_PARAM (p, f) {
    if (make && p->counts) {
      continue;
    }
    slots.items[slots.count++] = (bind_slot){
        .p = p, .result = bind_is_result(p, make), .changes = p->returned && bind_is_read(p)};
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_param *p = bind_alloc(1, sizeof *p);
    *p = bind_value_param(f);
    slots.items[slots.count++] = (bind_slot){.p = p, .result = true, .is_value = true};
  }
  for (int i = 0; i < slots.count; i++) {
    slots.items[i].shares = bind_alloc((size_t)part_count, sizeof(char *));
  }
  return slots;
}

void bind_share_row(const bind_slots *slots, bind_slot *slot, const char *const *row,
                    const bind_field *fields) {
  for (int part = 0; row && part < slots->part_count; part++) {
    if (row[part]) {
      slot->shares[part] = bind_filled_template(row[part], fields);
    }
  }
}

static const char *const *slots_row_of_kind(const bind_slots *slots, const bind_slot *slot,
                                            const bind_rows *rows) {
  const char *const *table = rows->passed;
  if (slot->changes) {
    table = rows->changed;
  } else if (slot->result) {
    table = rows->results;
  }
  bind_kind kind = slot->p->type.kind;
  if (kind == BIND_GIVEN) {
    kind = BIND_TENSOR;
  }
  const char *const *row = table + slots->part_count * (int)kind;
  for (int part = 0; part < slots->part_count; part++) {
    if (row[part]) {
      return row;
    }
  }
  return table + slots->part_count * BIND_INTEGER;
}

static const char *const *slots_row_instead(const bind_slots *slots, const bind_slot *slot,
                                            const bind_rows *rows) {
  if (bind_is_given_list(slot->p)) {
    return rows->given_list;
  }
  if (bind_is_given_text(slot->p)) {
    return slot->p->optional ? rows->optional_given_text : rows->given_text;
  }
  if (bind_is_text_list(slot->p)) {
    return rows->text_list;
  }
  if (bind_is_object_list(slot->p)) {
    return rows->object_list;
  }
  if (slot->is_value && slots->f->result_optional && slot->p->type.handle) {
    return rows->optional_made;
  }
  if (slot->is_value && slots->f->result_optional) {
    return rows->optional_result;
  }
  if (slot->is_value) {
    return NULL;
  }
  if (slot->p->kept) {
    return rows->kept;
  }
  if (!bind_is_optional_value(slot->p)) {
    return NULL;
  }
  if (slot->p->type.kind == BIND_STRING) {
    return rows->optional_text;
  }
  if (slot->p->type.kind == BIND_HANDLE) {
    return rows->optional_object;
  }
  return rows->optional_number;
}

void bind_share_rows(const bind_slots *slots, bind_slot *slot, const bind_rows *rows,
                     const bind_field *fields) {
  bind_share_row(slots, slot, slots_row_of_kind(slots, slot, rows), fields);
  bind_share_row(slots, slot, slots_row_instead(slots, slot, rows), fields);
}

/* C wants the value last; callers want arguments, then the value, then other results. */
static int slots_turn(const bind_slot *slot, const bind_part *part) {
  if (part->order == BIND_C_ORDER || !slot->result) {
    return 0;
  }
  if (slot->is_value) {
    return 1;
  }
  return 2;
}

const char *bind_joined_part(const bind_slots *slots, int part) {
  bind_text text = {0};
  for (int turn = 0; turn < 3; turn++) {
    BIND_EACH (const bind_slot, slot, slots->items, slots->count) {
      const char *share = bind_or(slot->shares[part], "");
      if (*share && slots_turn(slot, &slots->parts[part]) == turn) {
        bind_append(&text, slots->parts[part].between, share);
      }
    }
  }
  return bind_keep(&text);
}

const bind_field *bind_joined(const bind_slots *slots) {
  bind_field *fields = bind_items(slots->part_count, sizeof *fields);
  for (int i = 0; i < slots->part_count; i++) {
    fields[i] = (bind_field){slots->parts[i].name, bind_joined_part(slots, i)};
  }
  return fields;
}
