/* SPDX-License-Identifier: Apache-2.0 */
/* The Julia package's names, types and enums, and what it reads in a contract. */
#include "emit_julia.h"
#include <inttypes.h>
#include <string.h>

/* Julia's own words, and what the emitted module uses by name. */
static const char julia_words[] =
    "abstract baremodule begin break catch const continue do else elseif end export false finally for function global "
    "if import in include isa let local macro module mutable nothing primitive quote return struct true try type using "
    "where while eval kernels DLFerry Tensor Real Integer Bool AbstractString Cfloat Cdouble Cstring Int8 Int16 Int32 "
    "Int64 UInt8 UInt16 UInt32 UInt64 Float16 Float32 Float64 ComplexF32 ComplexF64 Base";

const char *julia_name(const char *name) { return bind_escape(name, julia_words); }

static const char *julia_type_of(bind_scalar scalar) {
  static const char *const names[] = {"Cvoid",  "Int8",   "Int16",  "Int32",  "Int64",  "UInt8",
                                      "UInt16", "UInt32", "UInt64", "Cfloat", "Cdouble"};
  return names[scalar];
}

/* The type of a ccall. */
const char *julia_c_type(const bind_type *type) {
  if (type->kind == BIND_BOOL) return "Bool";
  if (type->kind == BIND_STRING) return "Cstring";
  return julia_type_of(type->scalar);
}

bool julia_is_enum(const bind_type *type) { return type->kind == BIND_ENUM && !type->enumeration->flags; }

const char *julia_enum_name(const bind_enum *e) { return julia_name(bind_pascal(e->short_name)); }

const char *julia_handle_name(const bind_handle *h) { return julia_name(bind_pascal(h->short_name)); }

/* ---- what a contract's clause, "inout T[h, w] strided", says of a tensor ---- */

static bool julia_begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

static const char *julia_after_direction(const char *clause) {
  if (julia_begins(clause, "inout ")) return clause + strlen("inout ");
  return julia_begins(clause, "opt ") ? clause + strlen("opt ") : clause;
}

/* The parameter that "like p" names, or NULL. */
static const bind_param *julia_like(const bind_function *f, const bind_param *p) {
  const char *text = julia_after_direction(p->contract);
  if (!julia_begins(text, "like ")) return NULL;
  text += strlen("like ");
  const size_t size = strcspn(text, " ");
  for (int i = 0; i < f->param_count; i++)
    if (strlen(f->params[i].name) == size && !strncmp(f->params[i].name, text, size)) return &f->params[i];
  return NULL;
}

/* Number of axes, or -1 when the contract leaves it open. */
static int julia_rank(const bind_function *f, const bind_param *p) {
  const bind_param *model = julia_like(f, p);
  const char *open = strchr((model ? model : p)->contract, '[');
  const char *close = open ? strchr(open, ']') : NULL;
  if (!close || strstr(open, "...")) return -1;
  int rank = close > open + 1;
  for (; open < close; open++) rank += *open == ',';
  return rank;
}

/* A tensor that callers pass and whose dtype is the one asked for: the same type variable, or the model of "like". */
static const bind_param *julia_dtype_source(const bind_function *f, const bind_param *p) {
  const bind_param *model = julia_like(f, p);
  const char *text = julia_after_direction(p->contract);
  if (model) return model->made ? NULL : model;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *q = &f->params[i];
    const char *other = julia_after_direction(q->contract);
    const size_t size = strcspn(other, "[");
    const bool given = (q->type.kind == BIND_TENSOR && !q->made && !q->optional) || q->type.kind == BIND_LIST;
    if (given && size && other[size] && !strncmp(text, other, size + 1)) return q;
  }
  return NULL;
}

/* The element type of a tensor that the function makes, so that the compiler knows what comes back; or NULL. */
static const char *julia_made_element(const bind_function *f, const bind_param *p) {
  static const char *const types[][2] = {
      {"f16", "Float16"}, {"f32", "Float32"},    {"f64", "Float64"},     {"bf16", "DLFerry.BFloat16"},
      {"bool", "Bool"},   {"i8", "Int8"},        {"i16", "Int16"},       {"i32", "Int32"},
      {"i64", "Int64"},   {"u8", "UInt8"},       {"u16", "UInt16"},      {"u32", "UInt32"},
      {"u64", "UInt64"},  {"c64", "ComplexF32"}, {"c128", "ComplexF64"},
  };
  const char *text = julia_after_direction(p->contract);
  const size_t size = strcspn(text, "[");
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strlen(types[i][0]) == size && !strncmp(text, types[i][0], size)) return types[i][1];
  const bind_param *source = julia_dtype_source(f, p);
  if (!source) return NULL;
  return bind_string("DLFerry.%s(%s)", source->type.kind == BIND_LIST ? "list_element" : "element",
                     julia_name(source->name));
}

const char *julia_new(const bind_function *f, const bind_param *p) {
  const char *element = julia_made_element(f, p);
  const int rank = julia_rank(f, p);
  return element && rank >= 0 ? bind_string("New{%s,%d}", element, rank) : "New";
}

bool julia_wants_rows(const bind_function *f, const bind_param *p) {
  static const char *const free_layouts[] = {" strided", " fortran", " dense", " samelayout"};
  const int rank = julia_rank(f, p);
  if (rank == 0 || rank == 1) return false;
  for (size_t i = 0; i < sizeof free_layouts / sizeof free_layouts[0]; i++)
    if (strstr(p->contract, free_layouts[i])) return false;
  return !julia_like(f, p) || julia_wants_rows(f, julia_like(f, p));
}

const char *julia_annotation(const bind_type *type) {
  switch (type->kind) {
  case BIND_INTEGER: return "::Integer";
  case BIND_REAL: return "::Real";
  case BIND_BOOL: return "::Bool";
  case BIND_STRING: return "::AbstractString";
  case BIND_ENUM: return julia_is_enum(type) ? bind_string("::%s", julia_enum_name(type->enumeration)) : "::Integer";
  case BIND_HANDLE: return bind_string("::%s", julia_handle_name(type->handle));
  default: return "";
  }
}

const char *julia_kind(const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR: return "Tensor";
  case BIND_LIST: return "List";
  case BIND_ARRAY: return bind_string("Numbers{%s}", julia_type_of(type->scalar));
  case BIND_HANDLE: return "Opaque";
  case BIND_STREAM: return "Stream";
  default: return julia_c_type(type);
  }
}

const char *julia_result_kind(const bind_type *type) {
  if (type->kind == BIND_STRING) return "Text";
  if (type->kind == BIND_HANDLE) return bind_string("Opened{%s}", julia_handle_name(type->handle));
  return bind_string("Value{%s}", julia_is_enum(type) ? julia_enum_name(type->enumeration) : julia_c_type(type));
}

const char *julia_result_name(const bind_type *type) {
  if (type->kind == BIND_STRING) return "String";
  if (type->kind == BIND_HANDLE) return julia_handle_name(type->handle);
  if (type->kind == BIND_REAL) return type->scalar == BIND_F32 ? "Float32" : "Float64";
  return julia_is_enum(type) ? julia_enum_name(type->enumeration) : julia_c_type(type);
}

const char *julia_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER: return p->def.text;
  case BIND_DEFAULT_BOOL: return p->def.truth ? "true" : "false";
  case BIND_DEFAULT_ENUMERATOR: return julia_name(p->def.enumerator->short_name);
  case BIND_DEFAULT_STRING: return bind_string("\"%s\"", p->def.text);
  default: return "nothing";
  }
}

/* @enum takes each value once; a second name for one becomes a constant. */
static int julia_first_of(const bind_enum *e, int value) {
  int first = 0;
  while (e->values[first].value != e->values[value].value) first++;
  return first;
}

void julia_put_enum(bind_text *t, const bind_enum *e) {
  bind_line(t, "\n\"\"\"");
  bind_put_doc(t, BIND_DOC_JULIA, "", *e->summary ? e->summary : e->name);
  bind_put(t, "\n");
  for (int i = 0; i < e->count; i++) {
    bind_put(t, "- `%s`", julia_name(e->values[i].short_name));
    if (*e->values[i].doc) bind_put(t, ": %s", bind_doc_escape(BIND_DOC_JULIA, e->values[i].doc));
    bind_put(t, "\n");
  }
  const char *scalar = julia_type_of(e->scalar);
  if (e->flags) bind_line(t, "\nValues are plain integers, combined with `|`.");
  bind_line(t, "\nC: `%s`", e->name);
  bind_line(t, "\"\"\"");
  if (e->flags) {
    bind_line(t, "const %s = %s", julia_enum_name(e), scalar);
    for (int i = 0; i < e->count; i++)
      bind_line(t, "const %s = %s(%" PRId64 ")", julia_name(e->values[i].short_name), scalar, e->values[i].value);
    return;
  }
  bind_open(t, "@enum %s::%s begin", julia_enum_name(e), scalar);
  for (int i = 0; i < e->count; i++)
    if (julia_first_of(e, i) == i)
      bind_line(t, "%s = %" PRId64, julia_name(e->values[i].short_name), e->values[i].value);
  bind_close(t, "end");
  for (int i = 0; i < e->count; i++)
    if (julia_first_of(e, i) != i)
      bind_line(t, "const %s = %s", julia_name(e->values[i].short_name),
                julia_name(e->values[julia_first_of(e, i)].short_name));
}

/* "[`sum_create`](@ref), [`sum_open`](@ref)": the functions that make one, or those that work on one. */
static const char *julia_functions_of(const bind_ir *ir, const bind_handle *h, bool creating) {
  const char *names = "";
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    if ((creating ? f->creates : f->method_of) == h)
      names = bind_string("%s%s[`%s`](@ref)", names, *names ? ", " : "", julia_name(f->short_name));
  return names;
}

void julia_put_handle(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const char *name = julia_handle_name(h);
  const char *creators = julia_functions_of(ir, h, true), *users = julia_functions_of(ir, h, false);
  bind_line(t, "\n\"\"\"");
  bind_line(t, "    %s\n", name);
  bind_put_doc(t, BIND_DOC_JULIA, "", *h->summary ? h->summary : h->name);
  if (*h->description) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\n%s", h->description));
  bind_put(t, "\n");
  if (*creators) bind_line(t, "- made by: %s", creators);
  if (*users) bind_line(t, "- used by: %s", users);
  bind_line(t, "- freed by `close`, or after the garbage collector has found it; see `DLFerry.Opaque`");
  bind_line(t, "\nC: `%s`, `%s`", h->name, h->free_name);
  bind_line(t, "\"\"\"");
  bind_line(t, "DLFerry.@opaque %s kernels.%s", name, h->free_checked_name);
}
