/* SPDX-License-Identifier: Apache-2.0 */
/* Build the types of the IR from those of C. */
#include "bind/c/scalar.h"
#include "builder.h"
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

bind_scalar ir_element_scalar(const c_type *t) {
  if (t->kind == C_INTEGER || t->kind == C_REAL || t->kind == C_COMPLEX) {
    return t->scalar;
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
    return (bind_type){.kind = BIND_HANDLE, .c = handle->c, .handle = handle};
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
    }
    break;
  default:
    break;
  }
  return out;
}

bind_type ir_build_param_type(const ir_builder *b, const c_type *t, bool *returned) {
  bind_type out = ir_build_type(b, t);
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

const char *ir_why_unbound(const ir_builder *b, const bind_type *type, const c_type *from) {
  if (type->kind == BIND_HANDLE && !type->handle) {
    return ir_why_no_handle(b, from);
  }
  if (type->kind != BIND_VOID && type->kind != BIND_OTHER) {
    return NULL;
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
  if (to && to->kind == C_INTEGER && (to->scalar == BIND_U8 || to->scalar == BIND_I8)) {
    return "a pointer to bytes: write it as a tensor in the contract, such as `out u8[n]`";
  }
  return bind_string("the type `%.*s` is not bound",
                     (int)strlen(type->c) - (type->c[strlen(type->c) - 1] == ' '),
                     type->c);
}

/* Tell whether an integer behind a `const char *` is called like its length: `data, len` and `buf,
 * bufsize`, but not `path, flags`. */
static bool ir_is_text_length(const bind_param *text, const bind_param *length) {
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
  const bind_param *length = p + 1;
  if (i + 1 == f->param_count || length->type.kind != BIND_INTEGER || length->returned ||
      !ir_is_text_length(p, length)) {
    return NULL;
  }
  return bind_string(
      "a `const char *` before its length need not end with a NUL: write `%s: u8[%s]; "
      "%s := %s` in its contract for a tensor, or `%s: in` if it is text",
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
  default:
    return t->is_pair;
  }
}
