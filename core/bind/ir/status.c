/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's clause for the return value: codes, their texts, LAPACK's info, texts and objects
 * that may be absent. */
#include "builder.h"
#include "contract/contract.h"
#include <string.h>

/* The field with the text of a struct that f returns a pointer to, if it has one text alone, such
 * as `git_error_last`; else NULL. */
static const char *status_text_field(const c_type *t) {
  const c_struct *record = t->kind == C_POINTER && t->to->kind == C_STRUCT ? t->to->record : NULL;
  const char *field = NULL;
  for (int i = 0; record && record->complete && i < record->member_count; i++) {
    const c_member *m = &record->members[i];
    if (!ir_may_be_text_field(m)) {
      continue;
    }
    if (field) {
      return NULL;
    }
    field = m->name;
  }
  return field;
}

void ir_read_status_text(ir_builder *b, bind_function *f, const char *name) {
  const c_function *from = ir_find_included(b, name);
  f->status_text = name;
  if (!from) {
    ir_fail_undeclared(b, f, bind_string("`text %s`", name), name);
    return;
  }
  bind_kind kind = BIND_VOID;
  if (from->count) {
    kind = ir_build_type(b, from->params[0].type).kind;
  }
  f->status_text_bare = from->count == 0;
  const c_type *text = from->result;
  f->status_text_field = status_text_field(text);
  const bool is_text =
      (text->kind == C_POINTER && text->to->kind == C_CHAR) || f->status_text_field;
  if (from->count > 1 || from->variadic || !is_text ||
      !(kind == BIND_VOID || kind == BIND_INTEGER || kind == BIND_ENUM)) {
    ir_fail_in(b,
               f,
               "`text %s`: expected `const char *%s(int)` or `const char *%s(void)`, got another "
               "function",
               name,
               name,
               name);
  }
}

static void status_ok(ir_builder *b, bind_function *f, const char *name) {
  const bind_enum *e = f->result.enumeration;
  const bind_enumerator *value = ir_find_enumerator(e, name);
  if (value) {
    f->ok = value->value;
  } else if (e) {
    ir_fail_in(b, f, "`ok %s`: %s has no enumerator %s", name, e->name, name);
  } else if (!ir_constant(b, name, &f->ok)) {
    ir_fail_in(b, f, "`ok %s`: the header has no such constant", name);
  }
}

/* Tell whether callers get a number that may be below another one. */
static bool status_has_failures(const bind_function *f) {
  const bool has_sign = f->result.kind == BIND_INTEGER && f->result.scalar <= BIND_I64;
  return f->returns == BIND_RETURN_VALUE && !f->takes_error &&
         (has_sign || f->result.kind == BIND_ENUM);
}

void ir_build_status(ir_builder *b, bind_function *f, const dlf_contract *c) {
  if (c->returns_opt) {
    if (f->result.kind != BIND_STRING && f->result.kind != BIND_HANDLE) {
      ir_fail_in(b, f, "`return: opt` is for a text, a `const char *`, or an object");
    }
    f->result_optional = true;
  }
  if (c->returns_from && !status_has_failures(f)) {
    ir_fail_in(b, f, "`return: value from` needs an enum or an integer with a sign as the result");
    return;
  }
  if (!c->returns_status && !c->returns_from) {
    return;
  }
  if (f->report) {
    ir_fail_in(b, f, "`return: status`: expected one place for a failure, got a parameter too");
  }
  f->from = c->returns_from;
  if (!f->from && f->result.kind != BIND_INTEGER && f->result.kind != BIND_ENUM &&
      f->returns != BIND_RETURN_STATUS) {
    ir_fail_in(b, f, "`return: status` needs an integer or an enum as the return type");
  }
  if (!f->from) {
    f->returns = BIND_RETURN_STATUS;
  }
  f->ok = c->ok;
  f->info = c->info;
  if (c->ok_word) {
    status_ok(b, f, c->ok_word);
  }
  f->status_message = c->status_message;
  if (c->status_text) {
    ir_read_status_text(b, f, c->status_text);
  }
}
