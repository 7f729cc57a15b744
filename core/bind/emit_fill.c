/* SPDX-License-Identifier: Apache-2.0 */
/* Templates, and the slots of a call: what lets an emitter's source look like what it emits. */
#include "emit_fill.h"
#include <stdlib.h>
#include <string.h>

const char *bind_keep(bind_text *text) {
  const char *lasting = bind_string("%s", text->data ? text->data : "");
  bind_text_free(text);
  return lasting;
}

/* ---- templates ---- */

/* The value of "$name" or "${name}" at *at, which moves behind it. */
static const char *fill_value(const char **at, const bind_field *fields) {
  const bool braced = (*at)[1] == '{';
  const char *name = *at + 1 + braced;
  const size_t size = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
  for (; fields->name; fields++) {
    if (!size || strncmp(fields->name, name, size) != 0 || fields->name[size]) continue;
    *at = name + size + (braced && name[size] == '}');
    return fields->value;
  }
  bind_error("a template names no field: %.40s", *at);
  exit(2);
}

/* bind_put's indentation, without its price where there is none. */
static void fill_put(bind_text *text, const char *bytes, size_t size) {
  if (text->depth)
    bind_put(text, "%.*s", (int)size, bytes);
  else
    bind_raw(text, bytes, size);
}

static void fill_line(bind_text *text, const char *line, const char *end, const bind_field *fields) {
  while (line < end) {
    const char *mark = memchr(line, '$', (size_t)(end - line));
    if (!mark) mark = end;
    fill_put(text, line, (size_t)(mark - line));
    line = mark;
    if (mark == end) return;
    if (mark[1] == '$') {
      fill_put(text, "$", 1);
      line += 2;
    } else {
      const char *value = fill_value(&line, fields);
      fill_put(text, value, strlen(value));
    }
  }
}

/* A value in a line of its own: each of its lines with the template line's indentation, or none at all. */
static void fill_lines(bind_text *text, const char *value, const char *lead, size_t indent) {
  while (*value) {
    const size_t size = strcspn(value, "\n");
    fill_put(text, lead, size ? indent : 0);
    fill_put(text, value, size);
    fill_put(text, "\n", 1);
    value += size + (value[size] == '\n');
  }
}

void bind_template(bind_text *text, const char *template, const bind_field *fields) {
  for (const char *line = template, *next; *line; line = next) {
    const size_t size = strcspn(line, "\n"), indent = strspn(line, " \t");
    const char *end = line + size, *after = line + indent;
    next = end + (*end == '\n');
    const bool alone = *after == '$' && after[1] != '$' && next > end;
    const char *value = alone ? fill_value(&after, fields) : NULL;
    if (alone && after == end) {
      fill_lines(text, value, line, indent);
    } else {
      fill_line(text, line, end, fields);
      fill_put(text, end, (size_t)(next - end));
    }
  }
}

const char *bind_filled_template(const char *template, const bind_field *fields) {
  bind_text text = {0};
  bind_template(&text, template, fields);
  return bind_keep(&text);
}

const bind_field *bind_all_fields(const bind_field *fields, const bind_field *more) {
  size_t count = 0, added = 0;
  while (fields[count].name) count++;
  while (more[added].name) added++;
  bind_field *all = bind_alloc(count + added + 1, sizeof *all);
  memcpy(all, fields, count * sizeof *all);
  memcpy(all + count, more, added * sizeof *all);
  return all;
}

/* ---- slots ---- */

bind_slots bind_slots_of(const bind_function *f, bool make, const bind_part *parts) {
  const bool value = f->returns == BIND_RETURN_VALUE;
  bind_slots slots = {parts, bind_alloc((size_t)f->param_count + 1, sizeof(bind_slot)), f->param_count + value};
  size_t part_count = 0;
  while (parts[part_count].name) part_count++;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    slots.items[i] = (bind_slot){p, i, p->returned || (make && p->made), false, NULL};
  }
  if (value) {
    bind_param *p = bind_alloc(1, sizeof *p);
    *p = (bind_param){bind_result_name(f),   f->result,      .returned = true,
                      .doc = f->returns_doc, .contract = "", .limits = ""};
    slots.items[f->param_count] = (bind_slot){p, f->param_count, true, true, NULL};
  }
  for (int i = 0; i < slots.count; i++) slots.items[i].shares = bind_alloc(part_count, sizeof(const char *));
  return slots;
}

void bind_share(const bind_slots *slots, bind_slot *slot, const char *part, const char *text) {
  int i = 0;
  while (slots->parts[i].name && strcmp(slots->parts[i].name, part) != 0) i++;
  if (!slots->parts[i].name) {
    bind_error("no part is named %s", part);
    exit(2);
  }
  slot->shares[i] = text;
}

void bind_share_row(const bind_slots *slots, bind_slot *slot, const bind_field *passed, const bind_field *results,
                    int row_size, const bind_field *fields) {
  const bind_field *table = slot->result ? results : passed;
  const bind_kind kind = slot->p->type.kind == BIND_GIVEN ? BIND_TENSOR : slot->p->type.kind;
  const bind_field *row = table + row_size * (int)kind;
  if (!row->name) row = table + row_size * BIND_INTEGER;
  for (; row->name; row++) bind_share(slots, slot, row->name, bind_filled_template(row->value, fields));
}

/* C wants the value last; to a caller come arguments, then the value, then other results. */
static int fill_turn(const bind_slot *slot, const bind_part *part) {
  if (part->order == BIND_C_ORDER || !slot->result) return 0;
  return slot->is_value ? 1 : 2;
}

static const char *fill_join(const bind_slots *slots, int part) {
  const char *between = slots->parts[part].between;
  bind_text text = {0};
  for (int turn = 0; turn < 3; turn++)
    for (int i = 0; i < slots->count; i++) {
      const char *share = slots->items[i].shares[part];
      if (!share || !*share || fill_turn(&slots->items[i], &slots->parts[part]) != turn) continue;
      bind_raw(&text, between, text.length ? strlen(between) : 0);
      bind_raw(&text, share, strlen(share));
    }
  return bind_keep(&text);
}

const bind_field *bind_joined(const bind_slots *slots) {
  size_t count = 0;
  while (slots->parts[count].name) count++;
  bind_field *fields = bind_alloc(count + 1, sizeof *fields);
  for (size_t i = 0; i < count; i++) fields[i] = (bind_field){slots->parts[i].name, fill_join(slots, (int)i)};
  return fields;
}

const char *bind_field_of(const bind_field *fields, const char *name) {
  return bind_filled_template(bind_string("$%s", name), fields);
}

/* ---- questions ---- */

bool bind_has_kind(const bind_function *f, bind_kind kind) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == kind) return true;
  return false;
}

bool bind_handle_is_used(const bind_ir *ir, const bind_handle *h) {
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->result.handle == h) return true;
    for (int i = 0; i < f->param_count; i++)
      if (f->params[i].type.handle == h) return true;
  }
  return false;
}

/* The input whose memory an output may be, or NULL. */
static const bind_param *fill_model(const bind_function *f, const bind_param *out) {
  if (out->type.kind != BIND_TENSOR || out->direction != BIND_OUT || out->optional || !*out->contract ||
      strstr(out->contract, " noalias"))
    return NULL;
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++) {
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_IN || p->optional) continue;
    const char *like = bind_string("like %s", p->name);
    const size_t size = strlen(like);
    const bool alike = !strncmp(out->contract, like, size) && (out->contract[size] == ' ' || !out->contract[size]);
    if (alike || !strcmp(out->contract, p->contract)) return strstr(p->contract, " noalias") ? NULL : p;
  }
  return NULL;
}

const bind_param *bind_inplace_output(const bind_function *f) {
  const bind_param *found = NULL;
  for (int i = 0; i < f->param_count; i++) {
    if (!fill_model(f, &f->params[i])) continue;
    if (found) return NULL;
    found = &f->params[i];
  }
  return found;
}

const bind_param *bind_inplace_model(const bind_function *f) {
  const bind_param *out = bind_inplace_output(f);
  return out ? fill_model(f, out) : NULL;
}

/* ---- names ---- */

/* The slot of a name, or the empty one where it belongs. */
static int *fill_slot(const bind_names *set, const char *name) {
  const size_t count = 2 * (size_t)set->capacity;
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
  for (size_t i = (size_t)(hash % count);; i = (i + 1) % count)
    if (!set->slots[i] || strcmp(set->names[set->slots[i] - 1], name) == 0) return &set->slots[i];
}

const char *bind_find_name(const bind_names *set, const char *name) {
  const int slot = set->capacity ? *fill_slot(set, name) : 0;
  return slot ? set->from[slot - 1] : NULL;
}

void bind_take_name(bind_names *set, const char *name, const char *from) {
  if (set->count == set->capacity) {
    const bind_names old = *set;
    set->capacity = 2 * old.capacity + 16;
    set->names = bind_alloc((size_t)set->capacity, sizeof *set->names);
    set->from = bind_alloc((size_t)set->capacity, sizeof *set->from);
    set->slots = bind_alloc((size_t)set->capacity, 2 * sizeof *set->slots);
    set->count = 0;
    for (int i = 0; i < old.count; i++) bind_take_name(set, old.names[i], old.from[i]);
  }
  set->names[set->count] = name;
  set->from[set->count] = from;
  *fill_slot(set, name) = ++set->count;
}

void bind_add_name(bind_names *set, const char *name, const char *from) {
  const char *other = bind_find_name(set, name);
  if (!other) {
    bind_take_name(set, name, from);
    return;
  }
  bind_error("%s and %s would both be called %s in %s", other, from, name, set->language);
  set->clash = true;
}
