/* SPDX-License-Identifier: Apache-2.0 */
/* Build the types of the IR from those of C, and find the opaque structs that are handles. */
#include "bind/base/names.h"
#include "builder.h"
#include <string.h>

bool ir_is_struct(const c_type *t, const char *name) {
  if (t->kind != C_STRUCT) return false;
  const char *spelling = strncmp(t->spelling, "struct ", 7) == 0 ? t->spelling + 7 : t->spelling;
  return strcmp(spelling, name) == 0;
}

static const bind_handle *ir_find_handle(const ir_builder *b, const c_type *t) {
  for (int i = 0; i < b->ir->handle_count; i++)
    if (ir_is_struct(t, b->ir->handles[i].name)) return &b->ir->handles[i];
  return NULL;
}

const char *ir_spell_pointer(const c_type *t) {
  const c_type *base = t->to;
  const char *stars = "*";
  int depth = 0;
  for (; base->kind == C_POINTER && depth < 64; base = base->to, depth++)
    stars = bind_string("*%s%s", base->is_const ? "const " : "", stars);
  if (base->kind == C_FUNCTION) return "";
  return bind_string("%s%s %s", base->is_const ? "const " : "", *base->spelling ? base->spelling : "void", stars);
}

static void ir_build_pointer(const ir_builder *b, const c_type *t, bind_type *out) {
  const c_type *to = t->to;
  out->kind = BIND_OTHER;
  out->c = ir_spell_pointer(t);
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
    out->handle = ir_find_handle(b, to);
  }
}

bind_type ir_build_type(const ir_builder *b, const c_type *t) {
  bind_type out = {.kind = BIND_OTHER, .c = bind_string("%s ", t->spelling)};
  switch (t->kind) {
  case C_VOID: out.kind = BIND_VOID; break;
  case C_BOOL: out.kind = BIND_BOOL; break;
  case C_INTEGER:
    out.kind = BIND_INTEGER;
    out.scalar = t->scalar;
    break;
  case C_REAL:
    out.kind = BIND_REAL;
    out.scalar = t->scalar;
    break;
  case C_ENUM:
    for (int i = 0; i < b->ir->enum_count; i++)
      if (t->enumeration && strcmp(b->ir->enums[i].name, t->enumeration->name) == 0) out.enumeration = &b->ir->enums[i];
    if (out.enumeration) {
      out.kind = BIND_ENUM;
      out.scalar = out.enumeration->scalar;
      out.c = bind_string("%s ", out.enumeration->c);
    }
    break;
  case C_POINTER: ir_build_pointer(b, t, &out); break;
  case C_STRUCT:
    if (ir_is_struct(t, "dlf_stream")) out.kind = BIND_STREAM;
    break;
  default: break;
  }
  return out;
}

bind_type ir_build_param_type(const ir_builder *b, const c_type *t, bool *returned) {
  bind_type out = ir_build_type(b, t);
  *returned = out.kind == BIND_GIVEN;
  if (t->kind != C_POINTER || t->is_array || t->to->is_const) return out; /* `double v[3]` is not one result */
  const bind_type to = ir_build_type(b, t->to);
  /* A pointer to bytes is a buffer more often than a place for one of them. */
  const bool bytes = to.scalar == BIND_U8 || to.scalar == BIND_I8;
  const bool scalar =
      (to.kind == BIND_INTEGER && !bytes) || to.kind == BIND_REAL || to.kind == BIND_BOOL || to.kind == BIND_ENUM;
  if (!scalar && !(to.kind == BIND_HANDLE && to.handle && !t->to->to->is_const)) return out;
  *returned = true;
  return to;
}

static const char *const ir_free_verbs[] = {"free", "destroy", "delete", "close", "release"};

static const char *ir_tag(const c_type *t) {
  return strncmp(t->spelling, "struct ", 7) == 0 ? t->spelling + 7 : t->spelling;
}

/* Say why a function that seems to free a struct does not make it a handle; NULL for other functions. */
static const char *ir_why_not_freed(const c_function *f, const c_type *t) {
  const c_type *first = f->count ? f->params[0].type : NULL;
  bool frees = false;
  if (!first || first->kind != C_POINTER || !ir_is_struct(first->to, ir_tag(t))) return NULL;
  for (size_t i = 0; i < sizeof ir_free_verbs / sizeof *ir_free_verbs; i++)
    frees |= strstr(bind_snake(f->name), ir_free_verbs[i]) != NULL;
  if (!frees) return NULL;
  if (t->record && t->record->complete)
    return bind_string("%s may free it, but its members are in this header: a handle is an opaque struct", f->name);
  if (f->count != 1)
    return bind_string("%s may free it, but takes %d parameters, not the struct alone", f->name, f->count);
  if (first->to->is_const) return bind_string("%s may free it, but takes a pointer to const", f->name);
  return bind_string("%s may free it, but is not called %s_free", f->name, ir_tag(t));
}

static const char *ir_why_no_handle(const ir_builder *b, const c_type *t) {
  if (ir_is_struct(t, "dlf_error")) return "a dlf_error * is the last parameter, or it is not bound";
  for (int i = 0; i < b->header->function_count; i++) {
    const char *why = ir_why_not_freed(&b->header->functions[i], t);
    if (why) return bind_string("`%s`: %s", t->spelling, why);
  }
  return bind_string("`%s`: a struct that no function of this header frees", t->spelling);
}

const char *ir_why_unbound(const ir_builder *b, const bind_type *type, const c_type *from) {
  if (type->kind == BIND_HANDLE && !type->handle) return ir_why_no_handle(b, from->to);
  if (type->kind != BIND_VOID && type->kind != BIND_OTHER) return NULL;
  if (!*type->c) return "pointers to functions are not bound";
  return bind_string("the type `%.*s` is not bound", (int)strlen(type->c) - (type->c[strlen(type->c) - 1] == ' '),
                     type->c);
}

/* ---- handles ---- */

/* Return the struct that a function named like `<struct>_free` frees; NULL for other functions. */
static const c_type *ir_what_is_freed(const ir_builder *b, const c_function *f) {
  if (f->count != 1 || f->params[0].type->kind != C_POINTER) return NULL;
  const c_type *t = f->params[0].type->to;
  if (t->kind != C_STRUCT || t->is_const || (t->record && t->record->complete)) return NULL;
  const char *tag = ir_tag(t);
  const char *name = ir_strip(f->name, b->ir->prefix), *own = ir_strip(tag, b->ir->prefix);
  for (size_t i = 0; name && own && i < sizeof ir_free_verbs / sizeof *ir_free_verbs; i++)
    if (strcmp(bind_snake(name), bind_string("%s_%s", bind_snake(own), ir_free_verbs[i])) == 0) return t;
  return NULL;
}

static void ir_build_handle(ir_builder *b, const c_function *from, const c_type *t) {
  const char *tag = ir_tag(t);
  bind_handle *h = &b->ir->handles[b->ir->handle_count++];
  doc_comment doc;
  h->name = tag;
  h->c = t->spelling;
  h->short_name = ir_short_name(b, tag, from->line);
  h->free_name = from->name;
  h->free_checked_name = bind_string("%s_checked", from->name);
  h->line = from->line;
  doc_read(NULL, &doc);
  for (int i = 0; i < b->header->struct_count; i++) {
    if (strcmp(b->header->structs[i]->name, tag) != 0) continue;
    doc_read(b->header->structs[i]->doc, &doc);
    h->line = b->header->structs[i]->line;
  }
  h->summary = doc.summary;
  h->description = doc.description;
}

void ir_build_handles(ir_builder *b) {
  b->ir->handles = bind_alloc((size_t)b->header->function_count + 1, sizeof *b->ir->handles);
  for (int i = 0; i < b->header->function_count; i++) {
    const c_function *f = &b->header->functions[i];
    const c_type *t = ir_what_is_freed(b, f);
    if (t && !ir_find_handle(b, t)) ir_build_handle(b, f, t);
  }
}
