/* SPDX-License-Identifier: Apache-2.0 */
/* The Julia package's names, types and enums, and what it reads in a contract. */
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/emit/query.h"
#include "contract/contract.h"
#include "julia.h"
#include <inttypes.h>
#include <string.h>

/* Julia's own words, and what the emitted module uses by name. */
static const char julia_words[] =
    "abstract baremodule begin break catch const continue do else elseif end export false finally for function global "
    "if import in include isa let local macro module mutable nothing primitive quote return struct true try type using "
    "where while ccall eval kernels DLFerry Tensor Real Integer Bool AbstractString Cfloat Cdouble Cstring Int8 Int16 "
    "Int32 "
    "Int64 UInt8 UInt16 UInt32 UInt64 Float16 Float32 Float64 ComplexF32 ComplexF64 Base C_NULL";

const char *julia_name(const char *name) { return bind_escape(name, julia_words); }

const char *julia_type_name(const char *short_name) { return julia_name(bind_pascal(short_name)); }

const char *julia_joined(const char *list, const char *item) {
  return !*list ? item : *item ? bind_string("%s, %s", list, item) : list;
}

bool julia_is_keyword(const bind_param *p) {
  return p->optional || p->def.kind != BIND_NO_DEFAULT || p->type.kind == BIND_STREAM;
}

static const char *julia_scalar(bind_scalar scalar) {
  static const char *const names[] = {"Bool",   "Int8",   "Int16",  "Int32",  "Int64",  "UInt8",
                                      "UInt16", "UInt32", "UInt64", "Cfloat", "Cdouble"};
  return names[scalar]; /* a bool has none */
}

/* Flags are plain integers, since an @enum cannot be or-ed. */
static bool julia_is_flags(const bind_type *type) { return type->kind == BIND_ENUM && type->enumeration->flags; }

/* The type of a value in Julia: of a number, a bool, an enum or a handle. */
static const char *julia_value(const bind_type *type) {
  if (type->kind == BIND_HANDLE) return julia_type_name(type->handle->short_name);
  if (type->kind == BIND_ENUM && !julia_is_flags(type)) return julia_type_name(type->enumeration->short_name);
  return julia_scalar(type->scalar);
}

/* ---- what a contract says of a tensor ---- */

static const dlf__clause *julia_clause(const bind_param *p, const dlf_contract *contract) {
  const dlf__clause *clause = contract->clauses;
  while (strcmp(contract->names[clause->parameter], p->name) != 0) clause++;
  return clause;
}

/* The clause that says the dtype and the extents: its own, or that of the tensor that it is like. */
static const dlf__clause *julia_model(const dlf__clause *clause, const dlf_contract *contract) {
  while (clause->like >= 0) clause = &contract->clauses[clause->like];
  return clause;
}

static const char *julia_element(DLDataType d) {
  static const char *const prefixes[] = {"Int", "UInt", "Float", NULL, "DLFerry.BFloat", "ComplexF"};
  if (d.code == kDLBool && d.bits == 8 && d.lanes == 1) return "Bool";
  if (d.lanes != 1 || d.code > kDLComplex || !prefixes[d.code] || d.bits < 8) return NULL;
  return bind_string("%s%d", prefixes[d.code], d.code == kDLComplex ? d.bits / 2 : d.bits);
}

/* What @kernel calls a tensor that comes back, so that the compiler knows its type: of the contract's own dtype, or of
 * that of a tensor that callers pass and that must have the same; just "New" when the contract leaves it open. */
static const char *julia_new(const bind_param *p, const dlf_contract *contract) {
  const dlf__clause *clause = julia_clause(p, contract), *model = julia_model(clause, contract);
  const char *element = NULL;
  if (clause->dtype_count == 1 && clause->like < 0) element = julia_element(clause->dtypes[0]);
  for (int32_t i = 0; i < contract->clause_count && !element; i++) {
    const dlf__clause *other = &contract->clauses[i], *others = julia_model(other, contract);
    if (other->opt || other->given || (other->written && !other->inout)) continue;
    if (others == model || (others->type >= 0 && others->type == model->type))
      element = bind_string("DLFerry.%s(%s)", other->list ? "list_element" : "element",
                            julia_name(contract->names[other->parameter]));
  }
  if (!element || model->run >= 0 || model->implicit) return "New";
  return bind_string("New{%s,%d}", element, model->axis_count);
}

bool julia_wants(const bind_param *p, const dlf_contract *contract, bool fortran) {
  const dlf__clause *clause = julia_clause(p, contract), *model = julia_model(clause, contract);
  const bool flat = model->run < 0 && !model->implicit && model->axis_count < 2;
  const dlf_order order = dlf__layouts[clause->layout].order;
  return order == (fortran ? DLF_COLUMN_MAJOR : DLF_ROW_MAJOR) && !flat && !clause->same_layout;
}

/* ---- types ---- */

const char *julia_annotation(const bind_type *type) {
  switch (type->kind) {
  case BIND_INTEGER: return "::Integer";
  case BIND_REAL: return "::Real";
  case BIND_STRING: return "::AbstractString";
  case BIND_ENUM:
  case BIND_BOOL:
  case BIND_HANDLE: return bind_string("::%s", julia_is_flags(type) ? "Integer" : julia_value(type));
  default: return "";
  }
}

const char *julia_result_kind(const bind_type *type) {
  if (type->kind == BIND_STRING) return "Text";
  return bind_string(type->kind == BIND_HANDLE ? "Opened{%s}" : "Value{%s}", julia_value(type));
}

const char *julia_result_name(const bind_type *type) {
  if (type->kind == BIND_STRING) return "String";
  if (type->kind == BIND_REAL) return type->scalar == BIND_F32 ? "Float32" : "Float64";
  return julia_value(type);
}

const char *julia_kind(const bind_function *f, const bind_param *p, bool makes, const dlf_contract *contract) {
  if ((makes && p->made) || p->type.kind == BIND_GIVEN) return julia_new(p, contract);
  if (p->returned) return julia_result_kind(&p->type);
  switch (p->type.kind) {
  case BIND_TENSOR: return "Tensor";
  case BIND_LIST: return "List";
  case BIND_ARRAY: return bind_string("Numbers{%s}", julia_scalar(p->type.scalar));
  case BIND_HANDLE:
    return bind_string("Opaque{%s,%s}",
                       f->threadsafe             ? "unlocked"
                       : bind_is_const(&p->type) ? "shared"
                                                 : "exclusive",
                       p->type.handle->short_name);
  case BIND_STREAM: return "Stream";
  case BIND_STRING: return "Cstring";
  default: return julia_scalar(p->type.scalar);
  }
}

const char *julia_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER: return p->def.text;
  case BIND_DEFAULT_BOOL: return p->def.truth ? "true" : "false";
  case BIND_DEFAULT_ENUMERATOR: return julia_name(p->def.enumerator->short_name);
  case BIND_DEFAULT_STRING: return bind_string("\"%s\"", p->def.text);
  default: return p->type.kind == BIND_STREAM ? "C_NULL" : "nothing";
  }
}

void julia_put_summary(bind_text *t, const char *summary, const char *name, const char *description) {
  bind_put_doc(t, BIND_DOC_JULIA, "", *summary ? summary : name);
  if (*description) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\n%s", description));
}

void julia_put_enum(bind_text *t, const bind_enum *e) {
  const char *scalar = julia_scalar(e->scalar), *others = "";
  bind_line(t, "\n\"\"\"");
  julia_put_summary(t, e->summary, e->name, e->description);
  bind_put(t, "\n");
  for (int i = 0; i < e->count; i++)
    bind_line(t, "- `%s`%s%s", julia_name(e->values[i].short_name), *e->values[i].doc ? ": " : "",
              bind_doc_escape(BIND_DOC_JULIA, e->values[i].doc));
  if (e->flags) bind_line(t, "\nValues are plain integers, combined with `|`.");
  bind_line(t, "\nC: `%s`\n\"\"\"", e->name);
  bind_line(t, e->flags ? "const %s = %s" : "@enum %s::%s begin", julia_type_name(e->short_name), scalar);
  for (int i = 0, first; i < e->count; i++) { /* @enum takes each value once; a second name becomes a constant */
    const char *name = julia_name(e->values[i].short_name);
    for (first = 0; e->values[first].value != e->values[i].value;) first++;
    if (e->flags)
      bind_line(t, "const %s = %s(%" PRId64 ")", name, scalar, e->values[i].value);
    else if (first == i)
      bind_line(t, "    %s = %" PRId64, name, e->values[i].value);
    else
      others = bind_string("%s\nconst %s = %s", others, name, julia_name(e->values[first].short_name));
  }
  if (!e->flags) bind_line(t, "end%s", others);
}

void julia_put_handle(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const char *name = julia_type_name(h->short_name), *creators = "", *users = "";
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    const char *link = bind_string("[`%s`](@ref)", julia_name(f->short_name));
    if (f->creates == h) creators = julia_joined(creators, link);
    if (f->method_of == h) users = julia_joined(users, link);
  }
  bind_line(t, "\n\"\"\"\n    %s\n", name);
  julia_put_summary(t, h->summary, h->name, h->description);
  bind_put(t, "\n");
  if (*creators) bind_line(t, "- made by: %s", creators);
  if (*users) bind_line(t, "- used by: %s", users);
  bind_line(t,
            "- freed by `close`, at the end of a `do` block behind what makes it, or after the garbage collector has\n"
            "  found it; see `DLFerry.Opaque`");
  bind_line(t, "\nC: `%s`, `%s`\n\"\"\"", h->name, h->free_name);
  bind_line(t, "DLFerry.@opaque %s kernels.%s", name, h->free_checked_name);
}

bool julia_is_written(const bind_param *p, bool makes) {
  return p->type.kind == BIND_TENSOR && p->direction != BIND_IN && bind_is_passed(p, makes);
}

const char *julia_signature(const bind_function *f, bool makes, julia_argument argument, const void *context) {
  const char *written = "", *others = "", *keywords = "";
  bool writes = false;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!bind_is_passed(p, makes) && p->type.kind != BIND_STREAM) continue;
    writes |= julia_is_written(p, makes);
    const char **list = julia_is_keyword(p) ? &keywords : julia_is_written(p, makes) ? &written : &others;
    *list = julia_joined(*list, argument(p, context));
  }
  const char *name = writes ? bind_string("%s!", f->short_name) : julia_name(f->short_name);
  return bind_string("%s(%s%s%s)", name, julia_joined(written, others), *keywords ? "; " : "", keywords);
}
