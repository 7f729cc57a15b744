/* SPDX-License-Identifier: Apache-2.0 */
/* Find structs with public fields, which struct.c has built, and say why a struct is none. */
#include "builder.h"

const bind_struct *ir_find_struct(const ir_builder *b, const c_type *t) {
  if (t->kind != C_STRUCT || !t->record || ir_is_object(b, uses_tag(t))) {
    return NULL;
  }
  return t->record->built;
}

int bind_count_fields(const bind_struct *s) {
  int count = 0;
  for (int i = 0; s && i < s->field_count; i++) {
    count += 1 + bind_count_fields(s->fields[i].type.structure);
  }
  return count;
}

bool ir_may_be_text_field(const c_member *m) {
  const c_type *t = m->type;
  return t->kind == C_POINTER && !t->is_array && t->to->kind == C_CHAR;
}

const char *ir_struct_advice(const char *type, const c_member *m, const char *why) {
  if (!*m->name) {
    return bind_string("its field without a name is %s, so no clause can hide it", why);
  }
  const char *text = "";
  if (ir_may_be_text_field(m)) {
    text = bind_string(
        "`struct %s { %s: text[N] }` for a text of less than N bytes, or ", type, m->name);
  }
  return bind_string("its field `%s` is %s: write %s`struct %s { hide %s }` in a file of contracts "
                     "if it may stay as the default or zero",
                     m->name,
                     why,
                     text,
                     type,
                     m->name);
}

bind_type ir_struct_type(const ir_builder *b, const c_type *t) {
  const bind_struct *s = ir_find_struct(b, t);
  if (!s || s->unbound) {
    return (bind_type){.kind = BIND_OTHER, .c = bind_string("%s ", t->spelling)};
  }
  return (bind_type){.kind = BIND_STRUCT, .c = s->layout, .own = s->c, .structure = s};
}

void ir_build_result_behind(ir_builder *b, bind_function *f, const c_type *t) {
  const bind_struct *s = t->kind == C_POINTER ? ir_find_struct(b, t->to) : NULL;
  if (!s || s->unbound || !(t->to->is_const ? s->single : s->freed != NULL)) {
    return;
  }
  f->result = ir_struct_type(b, t->to);
  f->result_behind = true;
  f->frees_result = !t->to->is_const;
  if (f->frees_result) {
    bind_add_place(&b->freed, s->freed, 0);
  }
}

const char *ir_why_no_struct(const ir_builder *b, const c_type *t) {
  const c_type *of = t->kind == C_POINTER ? t->to : t;
  const bind_struct *s = ir_find_struct(b, of);
  if (!s) {
    return NULL;
  }
  if (strcmp(of->spelling, "FILE") == 0) {
    return "an open `FILE` is not bound: write a function in C that takes a path";
  }
  if (s->carries && t->kind == C_POINTER) {
    return bind_string("no clause tells what it points to: write `NAME: in T[n]`, `out` or `inout` "
                       "for the tensor of a `%s`",
                       of->spelling);
  }
  if (s->unbound) {
    return bind_string("`%s`: %s; `NAME: fields` makes its fields parameters of the function",
                       of->spelling,
                       s->unbound);
  }
  if (t->kind != C_POINTER) {
    return NULL;
  }
  return bind_string("no clause tells what it points to: write `NAME: %s` in its contract for one "
                     "`%s`",
                     of->is_const ? "in" : "out` or `NAME: inout",
                     of->spelling);
}
