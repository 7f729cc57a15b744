/* SPDX-License-Identifier: Apache-2.0 */
/* The Julia package's names, types and enums, and the types that follow from contracts. */
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/emit/query.h"
#include "contract/contract.h"
#include "julia.h"
#include <string.h>

/* Julia's reserved words, and names that the emitted module uses. */
static const char julia_words[] =
    "abstract baremodule begin break catch const continue do else elseif end export false finally "
    "for function global "
    "if import in include isa let local macro module mutable nothing primitive quote return struct "
    "true try type using "
    "where while ccall eval kernels DLFerry Tensor Real Integer Bool AbstractString Cfloat Cdouble "
    "Cstring Int8 Int16 Int32 Number AbstractChar Cchar Nothing Union "
    "Int64 UInt8 UInt16 UInt32 UInt64 Float16 Float32 Float64 ComplexF32 ComplexF64 Base C_NULL";

const char *julia_name(const char *name) {
  return bind_escape(name, julia_words);
}

/* A name as it is, also if it is a word of the language. */
static const char *julia_word(const char *name) {
  if (strcmp(julia_name(name), name)) {
    return bind_string("var\"%s\"", name);
  }
  return name;
}

const char *julia_type_name(const char *short_name) {
  return julia_name(bind_pascal(short_name));
}

const char *julia_package(const bind_ir *ir) {
  const char *name = julia_type_name(ir->name);
  if (bind_find_place(&ir->types, bind_pascal(ir->name)) >= 0) {
    return bind_string("Lib%s", name);
  }
  return name;
}

bool julia_is_keyword(const bind_param *p) {
  return p->optional || p->def.kind != BIND_NO_DEFAULT || p->type.kind == BIND_STREAM;
}

static const char *const julia_scalars[] = {[BIND_NONE] = "Bool", /* a bool has none */
                                            [BIND_I8] = "Int8",
                                            [BIND_I16] = "Int16",
                                            [BIND_I32] = "Int32",
                                            [BIND_I64] = "Int64",
                                            [BIND_U8] = "UInt8",
                                            [BIND_U16] = "UInt16",
                                            [BIND_U32] = "UInt32",
                                            [BIND_U64] = "UInt64",
                                            [BIND_F32] = "Cfloat",
                                            [BIND_F64] = "Cdouble",
                                            [BIND_C64] = "ComplexF32",
                                            [BIND_C128] = "ComplexF64"};

const char *julia_scalar(const bind_type *type) {
  return julia_scalars[type->scalar];
}

/* Flags are plain integers, since an @enum cannot be or-ed. */
static bool julia_is_flags(const bind_type *type) {
  return type->kind == BIND_ENUM && type->enumeration->flags;
}

/* Return the type of a number, a bool, an enum, a struct or a handle in Julia. */
static const char *julia_value(const bind_type *type) {
  if (type->kind == BIND_STRUCT) {
    return julia_type_name(type->structure->short_name);
  }
  if (type->kind == BIND_HANDLE) {
    return julia_type_name(type->handle->short_name);
  }
  if (type->kind == BIND_ENUM && !julia_is_flags(type)) {
    return julia_type_name(type->enumeration->short_name);
  }
  return julia_scalars[type->scalar];
}

/* ---- the contract of a tensor ---- */

/* Return the clause with the dtype and the extents: its own, or that of the tensor in `like`. */
static const dlf__clause *julia_model(const dlf__clause *clause, const dlf_contract *contract) {
  while (clause->like >= 0) {
    clause = &contract->clauses[clause->like];
  }
  return clause;
}

static const char *julia_element(DLDataType d) {
  static const char *const prefixes[] = {[kDLInt] = "Int",
                                         [kDLUInt] = "UInt",
                                         [kDLFloat] = "Float",
                                         [kDLBfloat] = "DLFerry.BFloat",
                                         [kDLComplex] = "ComplexF"};
  if (d.code == kDLBool && d.bits == 8 && d.lanes == 1) {
    return "Bool";
  }
  if (d.lanes != 1 || d.code > kDLComplex || !prefixes[d.code] || d.bits < 8) {
    return NULL;
  }
  return bind_string("%s%d", prefixes[d.code], d.code == kDLComplex ? d.bits / 2 : d.bits);
}

/* Return the kind of a returned tensor, so that the compiler knows its type. The dtype is the
 * contract's, or that of an argument that must have the same; "New" if the contract leaves it open.
 */
static const char *julia_new(const bind_function *f, const bind_param *p) {
  const dlf_contract *contract = f->compiled;
  const dlf__clause *clause = bind_clause_of(f, p);
  const dlf__clause *model = julia_model(clause, contract);
  const char *element = NULL;
  if (clause->dtype_count == 1 && clause->like < 0) {
    element = julia_element(clause->dtypes[0]);
  }
  for (int32_t i = 0; i < contract->clause_count && !element; i++) {
    const dlf__clause *source = &contract->clauses[i];
    const dlf__clause *source_model = julia_model(source, contract);
    if (source->opt || source->after_call || dlf__is_output(source)) {
      continue;
    }
    if (source_model == model || (source_model->type >= 0 && source_model->type == model->type)) {
      element = bind_string("DLFerry.%s(%s)",
                            source->list ? "list_element" : "element",
                            julia_name(contract->names[source->parameter]));
    }
  }
  if (!element || model->run >= 0 || model->implicit) {
    return "New";
  }
  return bind_string("New{%s,%d}", element, model->axis_count);
}

bool julia_wants(const bind_function *f, const bind_param *p, bool fortran) {
  const dlf__clause *clause = bind_clause_of(f, p);
  const dlf__clause *model = julia_model(clause, f->compiled);
  const bool flat = model->run < 0 && !model->implicit && model->axis_count < 2;
  const int32_t order = dlf__layouts[clause->layout].order;
  return order == (fortran ? DLF_COLUMN_MAJOR : DLF_ROW_MAJOR) && !flat && !clause->same_layout;
}

/* ---- types: one row for each kind of parameter ---- */

static const struct julia_row {
  const char *annotation; /* in the definition */
  const char *passed;     /* its kind for @kernel */
  const char *result;     /* its kind for @kernel as a result */
} julia_rows[] = {
    [BIND_TENSOR] = {"", "Tensor", "$new"},
    [BIND_GIVEN] = {"", NULL, "$new"},
    [BIND_LIST] = {"", "List", NULL},
    [BIND_ARRAY] = {"", "Numbers{$scalar}", NULL},
    [BIND_INTEGER] = {"::Integer", "$scalar", "Value{$value}"},
    [BIND_REAL] = {"::Real", "$scalar", "Value{$value}"},
    [BIND_COMPLEX] = {"::Number", "$scalar", "Value{$value}"},
    [BIND_CHAR] = {"::AbstractChar", "Cchar", "Character"},
    [BIND_BOOL] = {"::$value", "$scalar", "Value{$value}"},
    [BIND_ENUM] = {"::$value", "$scalar", "Value{$value}"},
    [BIND_STRING] = {"::AbstractString", "Cstring", "Text"},
    [BIND_HANDLE] = {"::$value", "Opaque{$mode,$object}", "Opened{$value}"},
    [BIND_STREAM] = {"", "Stream", NULL},
    [BIND_STRUCT] = {"::$value", "Fields{$value}", "Filled{$value}"},
};

static const struct julia_row *julia_row_of(const bind_type *type) {
  return &julia_rows[julia_is_flags(type) ? BIND_INTEGER : type->kind];
}

static const bind_field *julia_fields_of(const bind_type *type) {
  return bind_with(bind_fields({"scalar", julia_scalars[type->scalar]}),
                   {"value", julia_value(type)},
                   {"object", type->handle ? julia_word(type->handle->short_name) : ""});
}

const char *julia_annotation(const bind_param *p) {
  const char *annotation =
      bind_filled_template(julia_row_of(&p->type)->annotation, julia_fields_of(&p->type));
  if (bind_is_optional_value(p)) {
    return bind_string("::Union{%s,Nothing}", annotation + 2);
  }
  return annotation;
}

const char *julia_result_name(const bind_type *type) {
  if (type->kind == BIND_STRING) {
    return "String";
  }
  if (type->kind == BIND_CHAR) {
    return "Char";
  }
  if (type->kind == BIND_REAL) {
    if (type->scalar == BIND_F32) {
      return "Float32";
    }
    return "Float64";
  }
  return julia_value(type);
}

static const char *julia_mode(const bind_function *f, const bind_type *type, bool ended) {
  if (ended) {
    return "ended";
  }
  if (f->threadsafe) {
    return "unlocked";
  }
  if (bind_is_const(type)) {
    return "shared";
  }
  return "exclusive";
}

/* The kind of an object that C makes or lends: its owner is a number among the objects of the call,
 * from 1. */
static const char *julia_opened(const bind_function *f, const bind_slot *slot) {
  const char *maybe = bind_when(slot->is_value && f->result_optional, "Maybe");
  if (!f->borrows) {
    return bind_string("%sOpened{$value}", maybe);
  }
  int owner = 0;
  int count = 0;
  BIND_EACH_PARAM (p, f) {
    count += bind_is_object(p);
    if (strcmp(p->name, bind_or(f->owner, "")) == 0) {
      owner = count;
    }
  }
  return bind_string("%sBorrowed{$value,%d}", maybe, owner);
}

const char *julia_kind(const bind_function *f, const bind_slot *slot) {
  const bind_param *p = slot->p;
  const bool tensor = p->type.kind == BIND_TENSOR || p->type.kind == BIND_GIVEN;
  const struct julia_row *row = julia_row_of(&p->type);
  if (p->kept && !slot->result) {
    return "Kept";
  }
  if (slot->is_value && f->result_optional && !p->type.handle) {
    return "MaybeText";
  }
  if (bind_is_text_list(p)) {
    return "Texts";
  }
  if (bind_is_object_list(p)) {
    return bind_filled_template("Objects{$mode,$object,$class}",
                                bind_with(julia_fields_of(&p->type),
                                          {"mode", julia_mode(f, &p->type, false)},
                                          {"class", julia_type_name(p->type.handle->short_name)}));
  }
  if (bind_is_given_list(p)) {
    return bind_string("GivenTexts{kernels.%s}", p->text->release);
  }
  if (bind_is_given_text(p)) {
    return bind_string(
        "%sGivenText{kernels.%s}", bind_when(p->optional, "Maybe"), p->text->release);
  }
  const char *template = row->passed;
  const char *new_tensor = "";
  if (slot->changes) {
    template = p->type.structure ? "ChangedFields{$value}" : "Changed{$value}";
  } else if (slot->result) {
    template = row->result;
  }
  if (slot->result && tensor) {
    new_tensor = julia_new(f, p);
  }
  if (slot->result && p->type.handle) {
    template = julia_opened(f, slot);
  }
  const char *kind = bind_filled_template(template,
                                          bind_with(julia_fields_of(&p->type),
                                                    {"mode", julia_mode(f, &p->type, p->ended)},
                                                    {"new", new_tensor}));
  if (bind_is_optional_value(p)) {
    return bind_string("Maybe{%s}", kind);
  }
  return kind;
}

const char *julia_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER:
    return p->def.text;
  case BIND_DEFAULT_BOOL:
    return bind_truth(p->def.truth);
  case BIND_DEFAULT_ENUMERATOR: {
    const char *all = "";
    for (const bind_default *d = &p->def; d; d = d->next) {
      all = bind_join(all, " | ", julia_name(d->enumerator->short_name));
    }
    return all;
  }
  case BIND_DEFAULT_CHARACTER:
    return bind_string("'%s'", p->def.text);
  case BIND_DEFAULT_COMPLEX:
    if (strcmp(p->def.imaginary, "0.0") == 0) {
      return p->def.text;
    }
    return bind_string("Base.complex(%s, %s)", p->def.text, p->def.imaginary);
  case BIND_DEFAULT_STRING:
    return bind_string("\"%s\"", p->def.text);
  default:
    if (p->type.kind == BIND_STREAM) {
      return "C_NULL";
    }
    return "nothing";
  }
}

const char *julia_doc(const char *summary, const char *name, const char *description) {
  bind_text t = {0};
  bind_put_doc(&t, BIND_DOC_JULIA, "", bind_said_or(summary, name));
  if (*description) {
    bind_put_doc(&t, BIND_DOC_JULIA, "", bind_string("\n%s", description));
  }
  return bind_keep(&t);
}

static const char julia_enum[] = "\n"
                                 "\"\"\"\n"
                                 "$doc\n"
                                 "\n"
                                 "$values\n"
                                 "$combined\n"
                                 "\n"
                                 "C: `$c`\n"
                                 "\"\"\"\n"
                                 "$definition\n";

/* @enum takes each value once; a second name becomes a constant. */
static const char julia_enum_definition[] = "@enum $name::$scalar begin\n"
                                            "    $members\n"
                                            "end\n"
                                            "$aliases\n";

/* An @enum cannot be or-ed. */
static const char julia_flags_definition[] = "const $name = $scalar\n"
                                             "$flags\n";

void julia_put_enum(bind_text *t, const bind_enum *e) {
  const char *scalar = julia_scalars[e->scalar];
  bind_text values = {0};
  bind_text members = {0};
  bind_text aliases = {0};
  bind_text flags = {0};
  for (int i = 0; i < e->count; i++) {
    const bind_enumerator *v = &e->values[i];
    const int first = bind_first_of(e, i);
    const bind_field *fields = bind_fields(
        {"name", julia_name(v->short_name)},
        {"first", julia_name(e->values[first].short_name)},
        {"scalar", scalar},
        {"number", bind_number(v->value)},
        {"doc", bind_when(*v->doc, bind_string(": %s", bind_doc_escape(BIND_DOC_JULIA, v->doc)))});
    bind_template(&values, "- `$name`$doc\n", fields);
    bind_template(&flags, "const $name = $scalar($number)\n", fields);
    if (first == i) {
      bind_template(&members, "$name = $number\n", fields);
    } else {
      bind_template(&aliases, "const $name = $first\n", fields);
    }
  }
  const char *definition = bind_filled(e->flags ? julia_flags_definition : julia_enum_definition,
                                       {"name", julia_type_name(e->short_name)},
                                       {"scalar", scalar},
                                       {"members", bind_keep(&members)},
                                       {"aliases", bind_keep(&aliases)},
                                       {"flags", bind_keep(&flags)});
  bind_fill(
      t,
      julia_enum,
      {"doc", julia_doc(e->summary, e->name, e->description)},
      {"values", bind_keep(&values)},
      {"combined", bind_when(e->flags, "\nValues are plain integers; combine them with `|`.")},
      {"c", e->name},
      {"definition", definition});
}

static const char julia_handle[] = "\n"
                                   "\"\"\"\n"
                                   "    $name\n"
                                   "\n"
                                   "$doc\n"
                                   "\n"
                                   "$creators\n"
                                   "$users\n"
                                   "$properties\n"
                                   "- $end by `close`, at the end of the `do` block of the call "
                                   "that $makes it, or after the garbage collector finds\n"
                                   "  it; see `DLFerry.Opaque`\n"
                                   "\n"
                                   "C: `$c`$free\n"
                                   "\"\"\"\n"
                                   "DLFerry.@opaque $name$checked\n"
                                   "$accessors\n";

/* Each name is a literal where it is used, so the compiler drops the comparisons. Names of Base may
 * be the module's own. */
static const char julia_accessors[] =
    "\n"
    "function Base.getproperty(x::$name, name::Core.Symbol)\n"
    "    $getters\n"
    "    return Core.getfield(x, name)\n"
    "end\n"
    "function Base.setproperty!(x::$name, name::Core.Symbol, value)\n"
    "    $setters\n"
    "    throw(Core.ArgumentError(\"$name: expected one of $settable to set, got $$name\"))\n"
    "end\n"
    "$listed\n";

/* Return the methods that read and set properties, "" if there are none; *about lists the
 * properties for the docs. */
static const char *julia_accessors_of(const bind_handle *h, const char **about) {
  bind_text getters = {0};
  bind_text setters = {0};
  bind_text listed = {.unit = "    "};
  bind_text names = {0};
  bind_text settable = {0};
  bind_text shown = {0};
  const char *type = julia_type_name(h->short_name);
  BIND_EACH_AT (f, h) {
    if (f->method_of != h || !bind_is_getter(f)) {
      continue;
    }
    const bind_function *setter = f->setter;
    const char *property = julia_name(f->property);
    bind_line(&getters, "name === :%s && return %s(x)", property, julia_name(f->short_name));
    if (setter) {
      bind_line(&setters,
                "name === :%s && return %s(x, value)",
                property,
                julia_name(setter->short_name));
      bind_append(&settable, ", ", property);
    }
    bind_append(&names, ", ", bind_string(":%s", property));
    bind_append(&shown, ", ", bind_string("`%s`%s", property, bind_when(!setter, " (read-only)")));
  }
  *about = bind_keep(&shown);
  if (!names.length) {
    return "";
  }
  const char *all = bind_keep(&names);
  bind_wrapped(&listed,
               bind_string("Base.propertynames(::%s, private::Core.Bool = false) = (%s%s)",
                           type,
                           all,
                           bind_when(!strchr(all, ','), ",")));
  return bind_filled(julia_accessors,
                     {"name", type},
                     {"listed", bind_keep(&listed)},
                     {"getters", bind_keep(&getters)},
                     {"setters", bind_keep(&setters)},
                     {"names", all},
                     {"settable", settable.length ? bind_keep(&settable) : "no properties"});
}

void julia_put_handle(bind_text *t, const bind_handle *h) {
  bind_text makers = {0};
  bind_text methods = {0};
  const char *properties = "";
  const char *accessors = julia_accessors_of(h, &properties);
  BIND_EACH_AT (f, h) {
    bind_append(f->creates == h ? &makers : &methods,
                ", ",
                bind_string("[`%s`](@ref)", julia_name(f->short_name)));
  }
  const char *creators = bind_keep(&makers);
  const char *users = bind_keep(&methods);
  bind_fill(t,
            julia_handle,
            {"name", julia_type_name(h->short_name)},
            {"doc", julia_doc(h->summary, h->name, h->description)},
            {"creators", bind_when(*creators, bind_string("- made by: %s", creators))},
            {"properties", bind_when(*properties, bind_string("- properties: %s", properties))},
            {"accessors", accessors},
            {"users", bind_when(*users, bind_string("- used by: %s", users))},
            {"c", h->name},
            {"end", h->free_name ? "freed" : "given back"},
            {"makes", h->free_name ? "makes" : "lends"},
            {"free", h->free_name ? bind_string(", `%s`", h->free_name) : ""},
            {"checked", h->free_name ? bind_string(" kernels.%s", h->free_checked_name) : ""});
}

bool julia_is_written(const bind_param *p, bool makes) {
  return p->type.kind == BIND_TENSOR && p->direction != BIND_IN && !p->kept &&
         bind_is_passed(p, makes);
}

const char *julia_signature(const bind_function *f, bool makes, julia_argument argument,
                            const void *context) {
  const char *written = "";
  const char *positional = "";
  const char *keywords = "";
  bool writes = false;
  BIND_EACH_PARAM (p, f) {
    if (!bind_is_passed(p, makes) && p->type.kind != BIND_STREAM) {
      continue;
    }
    writes |= julia_is_written(p, makes);
    const char **list;
    if (julia_is_keyword(p)) {
      list = &keywords;
    } else if (julia_is_written(p, makes)) {
      list = &written;
    } else {
      list = &positional;
    }
    *list = bind_join(*list, ", ", argument(p, context));
  }
  const char *name;
  if (writes) {
    name = bind_string("%s!", f->short_name);
  } else {
    name = julia_name(f->short_name);
  }
  return bind_string("%s(%s%s%s)",
                     name,
                     bind_join(written, ", ", positional),
                     bind_when(*keywords, "; "),
                     keywords);
}
