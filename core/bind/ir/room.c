/* SPDX-License-Identifier: Apache-2.0 */
/* The memory for a text and the number beside it, which C may take for its size: what callers may
 * pass there must not let C write past that memory. */
#include "builder.h"
#include "parameters.h"
#include <stdlib.h>
#include <string.h>

/* An integer, also one below zero, or a constant of the header at the end of a clause. */
static bool room_number(const ir_builder *b, const bind_clause *c, int part, int64_t *value) {
  const bool negative = clause_is(c, part, "-");
  part += negative;
  if (part + 1 != c->count) {
    return false;
  }
  const char *word = clause_name(c, part);
  if (bind_is_digit(*word)) {
    *value = strtoll(word, NULL, 10);
  } else if (!ir_constant(b, word, value)) {
    return false;
  }
  *value = negative ? -*value : *value;
  return true;
}

/* The highest value that a clause lets a number have: "n := 4", "n <= 4", "n < 5", "n in 1..4". */
static bool room_highest(const ir_builder *b, const bind_clause *c, int64_t *value) {
  if (clause_is(c, 1, ":=") || clause_is(c, 1, "<=") || clause_is(c, 1, "==")) {
    return room_number(b, c, 2, value);
  }
  if (clause_is(c, 1, "<") && room_number(b, c, 2, value)) {
    *value -= 1;
    return true;
  }
  return clause_is(c, 1, "in") && room_number(b, c, c->count - 1, value);
}

static bool room_is_kept(const ir_builder *b, const clause_list *rest, const char *number,
                         int64_t most) {
  BIND_EACH_CLAUSE (c, rest) {
    int64_t value = 0;
    if (clause_is(c, 0, number) && room_highest(b, c, &value) && value <= most) {
      return true;
    }
  }
  return false;
}

/* A number beside a text that is called like its size, or that stands behind it without a name that
 * tells more, as in `char *buf, int k`. */
static void room_check(ir_builder *b, const bind_function *f, const clause_list *rest,
                       const bind_param *text, const bind_param *number, int64_t room) {
  const bool is_size = number > text ? ir_is_text_length(text, number)
                                     : ir_is_length_before(f, (int)(text - f->params));
  if (number->text || (!is_size && (number < text || text->length))) {
    return; /* of another text; or C declares how much it writes */
  }
  if (room_is_kept(b, rest, number->name, is_size ? room : INT64_MAX)) {
    return;
  }
  ir_fail_in(b,
             f,
             "%s: C may take %s, which stands beside it, for its size, and nothing keeps that at "
             "%lld or below: write `%s: out text[%s]`, `%s := %lld` or `%s <= %lld`%s",
             text->name,
             number->name,
             (long long)room,
             text->name,
             number->name,
             number->name,
             (long long)room,
             number->name,
             (long long)room,
             bind_when(!is_size, ", or any limit above it if it is no size"));
}

void ir_check_room(ir_builder *b, const bind_function *f, const clause_list *rest,
                   const bind_param *text, int64_t room) {
  const bind_param *behind = bind_integer_beside(f, text, 1);
  const bind_param *before = bind_integer_beside(f, text, -1);
  if (behind) {
    room_check(b, f, rest, text, behind, room);
  }
  if (before) {
    room_check(b, f, rest, text, before, room);
  }
}

void ir_check_given_room(ir_builder *b, const bind_function *f, const clause_list *rest,
                         const bind_param *size) {
  const bind_clause *c = clauses_find(rest, size->name, CLAUSE_DERIVES);
  int64_t value = 0;
  if (c && room_number(b, c, 2, &value) && value < 1) {
    ir_fail_in(b,
               f,
               "%s := %lld: expected the size of a text, which is above 0",
               size->name,
               (long long)value);
  }
}
