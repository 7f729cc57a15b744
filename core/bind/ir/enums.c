/* SPDX-License-Identifier: Apache-2.0 */
/* Enums of the header, and which of them are sets of flags. */
#include "builder.h"

enum { ENUM_FEWEST_FLAGS = 3 };

/* Flags are powers of two and 0, at least three powers: 0, 1, 2 is also how enums count that have
 * nothing to combine. */
static bool ir_are_flags(const bind_enum *e) {
  int powers = 0;
  BIND_EACH (const bind_enumerator, v, e->values, e->count) {
    if (v->value < 0 || (v->value & (v->value - 1)) != 0) {
      return false;
    }
    powers += v->value != 0;
  }
  return powers >= ENUM_FEWEST_FLAGS;
}

/* C gives such an enum the size of a long, which bindings cannot express in every language. */
static bool ir_is_wide(const c_enum *e) {
  bool negative = false;
  bool large = false;
  BIND_EACH (const c_value, v, e->values, e->count) {
    negative |= v->value < 0;
    large |= v->value > INT32_MAX;
    if (v->value < INT32_MIN || v->value > UINT32_MAX) {
      return true;
    }
  }
  return e->wide || (negative && large);
}

static void ir_build_enum(ir_builder *b, const c_enum *from, bind_enum *e) {
  doc_comment doc;
  doc_read(from->doc, &doc);
  b->at = e->header = from->header;
  e->name = from->name;
  e->c = from->spelling;
  e->short_name = ir_short_name(b, from->name);
  e->summary = doc.summary;
  e->description = doc_description(&doc);
  e->line = from->line;
  e->count = from->count;
  e->values = bind_items(from->count, sizeof *e->values);
  bool large = false;
  bool labels = true;
  const char *own = bind_string("%s_", bind_snake(e->short_name));
  for (int i = 0; i < from->count; i++) {
    const c_value *v = &from->values[i];
    bind_enumerator *to = &e->values[i];
    to->name = v->name;
    to->short_name = ir_short_name(b, v->name);
    to->value = v->value;
    to->doc = doc_paragraph(v->doc);
    to->label = ir_strip(to->short_name, own);
    if (!to->label) {
      labels = false;
    }
    large |= v->value > INT32_MAX;
  }
  for (int i = 0; i < e->count && !labels; i++) {
    e->values[i].label = e->values[i].short_name;
  }
  if (large) {
    e->scalar = BIND_U32;
  } else {
    e->scalar = BIND_I32;
  }
  e->flags = ir_are_flags(e);
}

int ir_build_enums(ir_builder *b) {
  const c_header *h = b->header;
  int skipped = 0;
  b->ir->enums = bind_items(h->enum_count, sizeof *b->ir->enums);
  for (int i = 0; i < h->enum_count; i++) {
    const c_enum *e = h->enums[i];
    if (!ir_is_wide(e)) {
      ir_build_enum(b, e, &b->ir->enums[b->ir->enum_count++]);
      continue;
    }
    bind_error("%s:%d: skipped enum %s: its values do not fit in 32 bits",
               b->options->headers[e->header],
               e->line,
               e->name);
    skipped++;
  }
  return skipped;
}
