/* SPDX-License-Identifier: Apache-2.0 */
/* Build the types of the IR from those of C. */
#include "bind/c/scalar.h"
#include "builder.h"
#include "parameters.h"
#include <string.h>

const char *ir_spell_pointer(const c_type *t) {
  const c_type *base = t->to;
  const char *stars = " *";
  int depth = 0;
  for (; base->kind == C_POINTER && depth < 64; base = base->to, depth++) {
    stars = bind_concat(" *", bind_when(base->is_const, "const "), stars + 1);
  }
  if (base->kind == C_FUNCTION) {
    return "";
  }
  const char *of = "void";
  if (*base->spelling) {
    of = base->spelling;
  }
  return bind_concat(bind_when(base->is_const, "const "), of, stars);
}

/* `typedef struct { uint16_t bits; } bf16;` has the layout of its only number; NULL for others. */
static const c_type *ir_only_number(const c_type *t) {
  const c_struct *record = t->kind == C_STRUCT ? t->record : NULL;
  if (!record || !record->complete || record->unread || record->member_count != 1) {
    return NULL;
  }
  const c_member *m = record->members;
  const bool number = m->type->kind == C_INTEGER || m->type->kind == C_REAL;
  return number && !m->is_bits && !m->is_flexible ? m->type : NULL;
}

bind_scalar ir_element_scalar(const c_type *t) {
  if (ir_only_number(t)) {
    return ir_only_number(t)->scalar;
  }
  if (t->kind == C_INTEGER || t->kind == C_REAL || t->kind == C_COMPLEX) {
    return t->scalar;
  }
  if (t->kind == C_ENUM) {
    return BIND_I32; /* the package asks its compiler for 32 bits */
  }
  if (!t->is_pair) {
    return BIND_NONE;
  }
  if (t->to->scalar == BIND_F32) {
    return BIND_C64;
  }
  return BIND_C128;
}

static const char *ir_elements(const c_type *to) {
  switch (to->kind) {
  case C_BOOL:
    return "bool";
  case C_CHAR:
    return "u8";
  case C_VOID:
    return "any";
  default:
    if (ir_may_be_element(to)) {
      return bind_scalar_name(ir_element_scalar(to));
    }
    return NULL;
  }
}

static void ir_build_pointer(const ir_builder *b, const c_type *t, bind_type *out) {
  const c_type *to = t->to;
  out->kind = BIND_OTHER;
  out->c = ir_spell_pointer(t);
  if (to->kind == C_POINTER && !to->to->is_pair) {
    out->elements = ir_elements(to->to);
  } else {
    out->elements = ir_elements(to);
  }
  if (ir_is_struct(to, "DLTensor")) {
    out->kind = BIND_TENSOR;
  } else if (to->kind == C_CHAR && to->is_const) {
    out->kind = BIND_STRING;
  } else if (to->kind == C_POINTER && ir_is_struct(to->to, "DLTensor") && to->to->is_const) {
    out->kind = BIND_LIST;
  } else if (to->kind == C_POINTER && ir_is_struct(to->to, "DLManagedTensorVersioned")) {
    out->kind = BIND_GIVEN;
  } else if ((to->kind == C_INTEGER || to->kind == C_REAL) && to->is_const) {
    out->kind = BIND_ARRAY;
    out->scalar = to->scalar;
  } else if (to->kind == C_STRUCT) {
    out->kind = BIND_HANDLE;
    out->handle = ir_find_struct_handle(b, to);
    if (out->handle && out->handle->is_value && !to->is_const) {
      out->c = out->handle->c;
    }
  }
}

bind_type ir_build_type(const ir_builder *b, const c_type *t) {
  bind_type out = {.kind = BIND_OTHER, .c = ""};
  const bind_handle *handle = ir_find_handle(b, t);
  if (handle) {
    const bool reads = strcmp(handle->c, "void *") == 0 && t->to->is_const;
    return (bind_type){
        .kind = BIND_HANDLE, .c = reads ? "const void *" : handle->c, .handle = handle};
  }
  if (t->kind != C_POINTER) {
    out.c = bind_concat(t->spelling, " ", "");
  }
  switch (t->kind) {
  case C_VOID:
    out.kind = BIND_VOID;
    break;
  case C_BOOL:
    out.kind = BIND_BOOL;
    break;
  case C_INTEGER:
    out.kind = BIND_INTEGER;
    out.scalar = t->scalar;
    break;
  case C_REAL:
    out.kind = BIND_REAL;
    out.scalar = t->scalar;
    break;
  case C_COMPLEX:
    out.kind = BIND_COMPLEX;
    out.scalar = t->scalar;
    out.own = out.c;
    out.c = bind_string("%s ", bind_scalar_c(t->scalar));
    break;
  case C_CHAR:
    out.kind = BIND_CHAR;
    break;
  case C_ENUM:
    if (t->enumeration) {
      out.enumeration = ir_find_enum(b, t->enumeration->name);
    }
    if (out.enumeration) {
      out.kind = BIND_ENUM;
      out.scalar = out.enumeration->scalar;
      out.c = bind_string("%s ", out.enumeration->c);
    }
    break;
  case C_POINTER:
    ir_build_pointer(b, t, &out);
    if ((out.kind == BIND_OTHER || (out.kind == BIND_HANDLE && !out.handle)) && *t->spelling) {
      out.alias = t->spelling;
    }
    break;
  case C_STRUCT:
    if (ir_is_struct(t, "dlf_stream")) {
      out.kind = BIND_STREAM;
    } else {
      out = ir_struct_type(b, t);
    }
    break;
  default:
    break;
  }
  return out;
}

/* A struct by value that is an object: callers pass the object, and C a copy of what is there. */
bind_type ir_build_argument_type(const ir_builder *b, const c_type *t) {
  const bind_handle *h = ir_find_struct_handle(b, t);
  if (!h || h->is_value || !t->record || !t->record->complete) {
    return ir_build_type(b, t);
  }
  return (bind_type){
      .kind = BIND_HANDLE, .c = h->c, .own = bind_string("%s ", t->spelling), .handle = h};
}

bind_type ir_build_param_type(const ir_builder *b, const c_type *t, bool *returned) {
  bind_type out = ir_build_argument_type(b, t);
  *returned = out.kind == BIND_GIVEN;
  if (t->kind != C_POINTER || t->is_array || t->to->is_const) {
    return out; /* `double v[3]` is not one result */
  }
  const bind_type to = ir_build_type(b, t->to);
  /* A pointer to bytes is a buffer more often than a place for one of them. */
  const bool bytes = to.scalar == BIND_U8 || to.scalar == BIND_I8;
  const bool scalar = to.kind >= BIND_INTEGER && to.kind <= BIND_ENUM && !bytes;
  if (!scalar && !(to.kind == BIND_HANDLE && to.handle && !bind_begins(to.c, "const "))) {
    return out;
  }
  *returned = true;
  return to;
}

const char *ir_why_no_list(void) {
  return "no clause tells how many objects it points to: write `NAME: in *n` for a list of n that "
         "C "
         "reads; one that C fills is not bound";
}

const char *ir_why_unbound(const ir_builder *b, const bind_type *type, const c_type *from) {
  if (type->kind == BIND_HANDLE && !type->handle && ir_is_struct(from->to, "DLManagedTensor")) {
    return "no clause tells what it holds: write `NAME: in f32[n]`, `out` or `inout` for a tensor";
  }
  if (type->kind == BIND_HANDLE && !type->handle) {
    const char *why = bind_or(ir_why_no_handle(b, from), ir_why_no_struct(b, from));
    return bind_or(
        why,
        bind_string("`%s`: a struct that no function of this header frees: if C frees it with "
                    "another object, or never, write `handle %s unowned;` in the file of contracts",
                    from->to->spelling,
                    uses_tag(from->to)));
  }
  if (type->kind != BIND_VOID && type->kind != BIND_OTHER) {
    return NULL;
  }
  if (from->kind == C_STRUCT && ir_why_no_struct(b, from)) {
    return ir_why_no_struct(b, from);
  }
  if (!*type->c) {
    return "pointers to functions are not bound";
  }
  if (from->kind == C_POINTER && *from->spelling) {
    return ir_why_no_handle(b, from);
  }
  const c_type *to = NULL;
  if (from->kind == C_POINTER) {
    to = from->to;
  }
  const bool named = to && to->kind == C_POINTER && *to->spelling;
  if (named && !ir_find_handle(b, to)) {
    return ir_why_no_handle(b, to); /* a place for a handle */
  }
  if (to && to->kind == C_INTEGER && (to->scalar == BIND_U8 || to->scalar == BIND_I8)) {
    return "a pointer to bytes: write it as a tensor in the contract, such as `out u8[n]`";
  }
  if (named || (to && to->kind == C_POINTER && ir_find_struct_handle(b, to->to))) {
    return ir_why_no_list();
  }
  if (to && to->is_array && !*to->spelling) {
    return "arrays of arrays are not bound";
  }
  const bool plain = strcmp(type->c, "void *") == 0 || strcmp(type->c, "void **") == 0;
  return bind_string("the type `%.*s` is not bound%s",
                     (int)strlen(type->c) - (type->c[strlen(type->c) - 1] == ' '),
                     type->c,
                     bind_when(plain,
                               ": for an object write `handle void *NAME freed NAME made NAME;` in "
                               "the file of contracts, where the first NAME is a parameter"));
}

/* Tell whether an integer behind a `const char *` is called like its length: `data, len` and `buf,
 * bufsize`, but not `path, flags`. */
bool ir_is_text_length(const bind_param *text, const bind_param *length) {
  static const char lengths[] = "n len length size sz count num bytes nbytes stride step nelem "
                                "nelems elements nmemb items nitems limit capacity";
  static const char ends[] = "len length size count num bytes";
  const char *name = bind_snake(length->name);
  const char *of = bind_snake(text->name);
  const char *last = strrchr(name, '_');
  if (last) {
    last++;
  } else {
    last = name;
  }
  if (bind_word_in(last, lengths) || bind_ends_with(name, "len")) {
    return true;
  }
  return bind_begins(name, of) && bind_word_in(name + strlen(of), ends);
}

/* Tell whether a length may be that of the parameter before it, which points to elements, or is a
 * text that has its name. */
static bool ir_may_have_length(const bind_param *p, const char *length) {
  const bind_kind kind = p->type.kind;
  const char *name = bind_snake(p->name);
  return kind == BIND_OTHER || kind == BIND_ARRAY || kind == BIND_TENSOR || p->returned ||
         (kind == BIND_STRING && bind_begins(length, name));
}

/* Tell whether the integer before a `const char *` is its length: `size_t len, const char *op`, but
 * not `int n, const char *name`, and not `void *to, size_t size, const char *name`, whose length is
 * that of the pointer before it. */
bool ir_is_length_before(const bind_function *f, int i) {
  static const char lengths[] = "len length size bytes nbytes";
  if (i == 0 || !bind_is_integer(&f->params[i - 1])) {
    return false;
  }
  const char *name = bind_snake(f->params[i - 1].name);
  const char *of = bind_snake(f->params[i].name);
  if (bind_begins(name, of)) {
    const char *rest = name + strlen(of);
    rest += *rest == '_';
    if (bind_word_in(rest, "n len length size sz count num bytes")) {
      return true;
    }
  }
  const bind_param *before = NULL;
  if (i > 1) {
    before = &f->params[i - 2];
  }
  return bind_word_in(name, lengths) && !(before && ir_may_have_length(before, name));
}

const char *ir_why_no_text(const ir_builder *b, const bind_function *f, int i, const c_type *from) {
  const bind_param *p = &f->params[i];
  if (p->type.kind != BIND_STRING || b->knows_us[f->header]) {
    return NULL;
  }
  if (from->is_array) {
    return bind_string(
        "an array of char need not end with a NUL: write `%s: u8[%s]` in its contract "
        "for a tensor, or `%s: in` if it is text",
        p->name,
        bind_said_or(bind_or(from->length, ""), "n"),
        p->name);
  }
  const bind_param *length = NULL;
  const char *side = "before";
  if (i + 1 < f->param_count && bind_is_integer(p + 1) && ir_is_text_length(p, p + 1)) {
    length = p + 1;
  } else if (ir_is_length_before(f, i)) {
    length = p - 1;
    side = "after";
  }
  if (!length) {
    return NULL;
  }
  return bind_string("a `const char *` %s its length need not end with a NUL: write `%s: u8[%s]; "
                     "%s := %s` in its contract for a tensor, or `%s: in` if it is text",
                     side,
                     p->name,
                     length->name,
                     length->name,
                     length->name,
                     p->name);
}

bool ir_may_be_element(const c_type *t) {
  switch (t->kind) {
  case C_INTEGER:
  case C_REAL:
  case C_COMPLEX:
  case C_BOOL:
  case C_CHAR:
  case C_VOID:
    return true;
  case C_ENUM:
    return t->enumeration && *t->spelling;
  default:
    return t->is_pair || ir_only_number(t);
  }
}
