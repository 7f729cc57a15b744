/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of templates, one row for each kind of parameter. */
#include "slots.h"
#include "declare.h"
#include "query.h"
#include <stdlib.h>
#include <string.h>

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

bind_slots bind_slots_of(const bind_function *f, bool make, const bind_part *parts) {
  bind_slots slots = {parts, bind_alloc((size_t)f->param_count + 1, sizeof(bind_slot)), 0};
  size_t part_count = 0;
  while (parts[part_count].name) {
    part_count++;
  }
  BIND_EACH_PARAM (p, f) {
    if (make && p->counts) {
      continue;
    }
    slots.items[slots.count] = (bind_slot){.p = p,
                                           .index = slots.count,
                                           .result = bind_is_result(p, make),
                                           .changes = p->returned && bind_is_read(p)};
    slots.count++;
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_param *p = bind_alloc(1, sizeof *p);
    *p = bind_value_param(f);
    slots.items[slots.count] =
        (bind_slot){.p = p, .index = slots.count, .result = true, .is_value = true};
    slots.count++;
  }
  for (int i = 0; i < slots.count; i++) {
    slots.items[i].shares = bind_alloc(part_count, sizeof(const char *));
  }
  return slots;
}

static int slots_find_part(const bind_slots *slots, const char *part) {
  int i = 0;
  while (slots->parts[i].name && strcmp(slots->parts[i].name, part) != 0) {
    i++;
  }
  if (slots->parts[i].name) {
    return i;
  }
  bind_error("no part is named %s", part);
  exit(2);
}

void bind_share(const bind_slots *slots, bind_slot *slot, const char *part, const char *text) {
  slot->shares[slots_find_part(slots, part)] = text;
}

void bind_share_templates(const bind_slots *slots, bind_slot *slot, const bind_field *row,
                          const bind_field *fields) {
  for (; row && row->name; row++) {
    bind_share(slots, slot, row->name, bind_filled_template(row->value, fields));
  }
}

void bind_share_row(const bind_slots *slots, bind_slot *slot, const bind_field *passed,
                    const bind_field *results, const bind_field *changed, int row_size,
                    const bind_field *fields) {
  const bind_field *table = passed;
  if (slot->changes) {
    table = changed;
  } else if (slot->result) {
    table = results;
  }
  bind_kind kind = BIND_TENSOR;
  if (slot->p->type.kind != BIND_GIVEN) {
    kind = slot->p->type.kind;
  }
  const bind_field *row = table + row_size * (int)kind;
  if (!row->name) {
    row = table + row_size * BIND_INTEGER;
  }
  bind_share_templates(slots, slot, row, fields);
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

static const char *slots_join(const bind_slots *slots, int part) {
  const char *between = slots->parts[part].between;
  bind_text text = {0};
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < slots->count; i++) {
      const char *share = slots->items[i].shares[part];
      if (!share || !*share || slots_turn(&slots->items[i], &slots->parts[part]) != turn) {
        continue;
      }
      bind_append(&text, between, share);
    }
  }
  return bind_keep(&text);
}

const char *bind_joined_part(const bind_slots *slots, const char *part) {
  return slots_join(slots, slots_find_part(slots, part));
}

const bind_field *bind_joined(const bind_slots *slots) {
  size_t count = 0;
  while (slots->parts[count].name) {
    count++;
  }
  bind_field *fields = bind_alloc(count + 1, sizeof *fields);
  for (size_t i = 0; i < count; i++) {
    fields[i] = (bind_field){slots->parts[i].name, slots_join(slots, (int)i)};
  }
  return fields;
}
