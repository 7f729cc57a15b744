/* SPDX-License-Identifier: Apache-2.0 */
/* Read the bodies of structs. No header fails because of a member: from one that is not understood
 * on, the body is skipped by matching brackets. */
#include "parser.h"
#include <string.h>

static void members_add(c_struct *record, const lex_token *name, c_type *type, const char *doc,
                        bool is_bits) {
  c_member member = {.name = "", .type = type, .doc = doc, .is_bits = is_bits};
  if (name) {
    member.name = lex_copy(name);
    member.is_flexible = type->is_array && lex_is(name + 1, "[") && lex_is(name + 2, "]");
  }
  BIND_ADD(record->members, record->member_count, record->member_capacity, member);
}

/* The comment before a member, or the one behind its `;`. */
static const char *members_doc(const parser *p, const char *before) {
  const lex_token *here = parse_here(p);
  return bind_or(before, bind_or(here->after, here[-1].after));
}

/* Read "double x, y;", "int kind : 2;", or "union { ... };", which has no name. */
static void members_read_one(parser *p, c_struct *record) {
  specifiers s;
  const char *before = parse_here(p)->before;
  parse_specifiers(p, &s);
  if (parse_sees(p, ";")) {
    members_add(record, NULL, s.type, NULL, false);
  }
  while (!parse_sees(p, ";")) {
    const lex_token *name = NULL;
    c_type *type = s.type;
    if (!parse_sees(p, ":")) {
      parse_declarator(p, s.type, &name, &type);
      parse_attributes(p);
    }
    const bool is_bits = parse_takes(p, ":");
    if (is_bits) {
      parse_skip_value(p, ";", "expected ; in a struct");
    }
    if (p->odd) {
      type = parse_opaque(type);
    }
    members_add(record, name, type, members_doc(p, before), is_bits);
    if (!parse_takes(p, ",") && !parse_sees(p, ";")) {
      parse_fail(p, "expected ; in a struct");
    }
  }
  p->at++;
}

static void members_read(parser *p, c_struct *record) {
  while (!parse_takes(p, "}")) {
    if (parse_takes(p, ";")) {
      continue;
    }
    if (parse_takes(p, "_Static_assert") || parse_takes(p, "static_assert")) {
      parse_skip_group(p);
      continue;
    }
    members_read_one(p, record);
  }
}

/* Tell whether an enum with values begins here, whose keyword is `t`. */
static bool members_defines_enum(const parser *p, const lex_token *t) {
  if (!lex_is(t, "enum")) {
    return false;
  }
  if (lex_is(t + 1, "{")) {
    return true;
  }
  if (t[1].kind != LEX_NAME || !lex_is(t + 2, "{")) {
    return false;
  }
  const parse_name *known = parse_find(p, PARSE_TAG, t[1].text, t[1].size);
  return !known || !known->tag || !known->tag->count; /* it may have been read before the failure */
}

/* Skip the rest of a body behind its `{`. */
static void members_skip(parser *p) {
  int64_t depth = 1;
  do {
    const lex_token *t = parse_here(p);
    if (t->kind == LEX_END) {
      parse_fail(p, "a bracket is never closed");
    }
    p->at++;
    if (members_defines_enum(p, t)) {
      parse_enum(p, t->before);
      continue;
    }
    depth += parse_nesting(t);
  } while (depth > 0);
}

void parse_members(parser *p, c_struct *record) {
  jmp_buf here;
  jmp_buf *const outer = p->failed;
  const int depth = p->depth;
  const int parameters = p->parameters;
  const bool odd = p->odd;
  parse_expect(p, "{");
  const size_t start = p->at;
  parse_limit(p, ++p->depth);
  p->failed = &here;
  p->quiet++;
  record->unread = setjmp(here) != 0;
  if (!record->unread) {
    members_read(p, record);
  }
  p->failed = outer;
  p->quiet--;
  p->depth = depth;
  p->parameters = parameters;
  p->odd = odd;
  if (record->unread) {
    p->at = start;
    members_skip(p);
  }
}
