/* SPDX-License-Identifier: Apache-2.0 */
/* Enums of the header, and which of them are sets of flags. */
#include "bind/clauses/clauses.h"
#include "builder.h"
#include <string.h>

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

/* ---- `enum TYPE { hide VALUE }` ---- */

static bool ir_has_value(const c_enum *e, const char *name) {
  BIND_EACH (const c_value, v, e->values, e->count) {
    if (strcmp(v->name, name) == 0) {
      return true;
    }
  }
  return false;
}

static void ir_check_hidden_values(ir_builder *b, const c_enum *from, sidecar_block *block) {
  block->used = true;
  b->block = block;
  BIND_EACH_CLAUSE (c, &block->clauses) {
    b->clause = clause_text(c);
    if (c->count != 2 || !clause_is(c, 0, "hide") || !ir_has_value(from, clause_name(c, 1))) {
      ir_fail(b, block->line, "enum %s: expected `hide` and one of its values", from->name);
    } else if (clauses_repeat(&block->clauses, c)) {
      ir_fail(b, block->line, "enum %s: expected `%s` once", from->name, b->clause);
    } else if (block->clauses.count >= from->count) {
      ir_fail(b, block->line, "enum %s: expected a value that stays", from->name);
    }
  }
  b->clause = NULL;
  b->block = NULL;
}

/* Such as the number of the others, which C would look for behind its tables. */
static bool ir_hides_value(const sidecar_block *block, const char *name) {
  for (int i = 0; block && i < block->clauses.count; i++) {
    const bind_clause *c = &block->clauses.clauses[i];
    if (clause_is(c, 0, "hide") && clause_is(c, 1, name)) {
      return true;
    }
  }
  return false;
}

/* The block of an enum, once it is checked; NULL for none. */
static const sidecar_block *ir_enum_block(ir_builder *b, const c_enum *from) {
  sidecar_block *block = sidecar_find_struct(b->contracts, from->name);
  if (!block || !block->of_enum) {
    return NULL;
  }
  ir_check_hidden_values(b, from, block);
  return block;
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
  e->values = bind_items(from->count, sizeof *e->values);
  bool large = false;
  bool labels = true;
  const char *own = bind_string("%s_", bind_snake(e->short_name));
  const sidecar_block *block = ir_enum_block(b, from);
  BIND_EACH (const c_value, v, from->values, from->count) {
    if (ir_hides_value(block, v->name)) {
      continue;
    }
    bind_enumerator *to = &e->values[e->count++];
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
