/* SPDX-License-Identifier: Apache-2.0 */
#include "text_field.h"
#include <stdlib.h>

int ir_count_items(const ir_builder *b, const char *count) {
  enum { MOST = 4096 };
  int64_t value = 0;
  if (bind_is_digit(*count)) {
    value = strtoll(count, NULL, 0);
  } else if (!ir_constant(b, count, &value)) {
    return 0;
  }
  return value > 0 && value <= MOST ? (int)value : 0;
}

const char *ir_read_text_field(const ir_builder *b, const bind_clause *c, const c_member *m,
                               bind_param *field) {
  const bool optional = clause_is(c, 2, "opt");
  const int word = optional ? 3 : 2;
  const bool reads = clause_is(c, word, "text") && clause_is(c, word + 1, "[") &&
                     clause_is(c, word + 3, "]") && c->count == word + 4;
  if (!reads || !ir_may_be_text_field(m)) {
    return bind_string("`%s`: expected `%s: text[N]` or `%s: opt text[N]`, for a `char *`",
                       clause_text(c),
                       m->name,
                       m->name);
  }
  const int room = ir_count_items(b, clause_name(c, word + 2));
  if (!room) {
    return bind_string("`%s`: expected 1 to 4096 bytes, or a constant of the header",
                       clause_text(c));
  }
  field->type = (bind_type){.kind = BIND_STRING, .c = "char ", .own = "char ", .items = room};
  field->pointer = ir_spell_pointer(m->type);
  field->optional = optional;
  return NULL;
}
