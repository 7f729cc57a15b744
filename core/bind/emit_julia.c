/* SPDX-License-Identifier: Apache-2.0 */
/* A Julia package: one module of functions over DLFerry's @kernel, and a build script for its C. */
#include "emit.h"
#include <inttypes.h>
#include <string.h>

/* DLFerry's, as in bindings/julia/Project.toml. */
#define JULIA_DLFERRY "55670bff-fd3f-4f23-bb49-df5db85aa591"

/* Julia's own words, and what the emitted module uses by name. */
static const char julia_words[] =
    "abstract baremodule begin break catch const continue do else elseif end export false finally for function global "
    "if import in include isa let local macro module mutable nothing primitive quote return struct true try type using "
    "where while eval kernels DLFerry Tensor Real Integer Bool AbstractString Cfloat Cdouble Cstring Int8 Int16 Int32 "
    "Int64 UInt8 UInt16 UInt32 UInt64";

static const char *julia_name(const char *name) { return bind_escape(name, julia_words); }

static const char *julia_type_of(bind_scalar scalar) {
  static const char *const names[] = {"Cvoid",  "Int8",   "Int16",  "Int32",  "Int64",  "UInt8",
                                      "UInt16", "UInt32", "UInt64", "Cfloat", "Cdouble"};
  return names[scalar];
}

/* The type of a ccall. */
static const char *julia_c_type(const bind_type *type) {
  if (type->kind == BIND_BOOL) return "Bool";
  if (type->kind == BIND_STRING) return "Cstring";
  return julia_type_of(type->scalar);
}

static bool julia_is_enum(const bind_type *type) { return type->kind == BIND_ENUM && !type->enumeration->flags; }

static const char *julia_enum_name(const bind_enum *e) { return julia_name(bind_pascal(e->short_name)); }

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
    if (q->type.kind == BIND_TENSOR && !q->made && !q->optional && size && other[size] &&
        !strncmp(text, other, size + 1))
      return q;
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
  return source ? bind_string("DLFerry.element(%s)", julia_name(source->name)) : NULL;
}

static bool julia_wants_rows(const bind_function *f, const bind_param *p) {
  static const char *const free_layouts[] = {" strided", " fortran", " dense", " samelayout"};
  const int rank = julia_rank(f, p);
  if (rank == 0 || rank == 1) return false;
  for (size_t i = 0; i < sizeof free_layouts / sizeof free_layouts[0]; i++)
    if (strstr(p->contract, free_layouts[i])) return false;
  return !julia_like(f, p) || julia_wants_rows(f, julia_like(f, p));
}

/* ---- functions ---- */

/* How a function is called: which outputs it makes, and who is written to. */
typedef struct julia_form {
  const bind_function *f;
  bool makes;  /**< calls f_new */
  bool writes; /**< into a tensor of the caller: the name ends in '!' */
} julia_form;

static bool julia_is_written(const julia_form *form, const bind_param *p) {
  return p->type.kind == BIND_TENSOR && p->direction != BIND_IN && !(form->makes && p->made);
}

/* What must be given by place, the tensors written to first as Julia has it; the others go by name. */
static bool julia_is_keyword(const bind_param *p) { return p->optional || p->def.kind != BIND_NO_DEFAULT; }

static const char *julia_annotation(const bind_type *type) {
  switch (type->kind) {
  case BIND_INTEGER: return "::Integer";
  case BIND_REAL: return "::Real";
  case BIND_BOOL: return "::Bool";
  case BIND_STRING: return "::AbstractString";
  case BIND_ENUM: return julia_is_enum(type) ? bind_string("::%s", julia_enum_name(type->enumeration)) : "::Integer";
  default: return "";
  }
}

static const char *julia_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER: return p->def.text;
  case BIND_DEFAULT_BOOL: return p->def.truth ? "true" : "false";
  case BIND_DEFAULT_ENUMERATOR: return julia_name(p->def.enumerator->short_name);
  case BIND_DEFAULT_STRING: return bind_string("\"%s\"", p->def.text);
  default: return "nothing";
  }
}

/* blur!(out, image; sigma::Real = 1.0), with types for the definition and without for the docs */
static void julia_put_signature(bind_text *t, const julia_form *form, bool typed) {
  const bind_function *f = form->f;
  const char *between = "";
  const char *name = bind_string("%s%s", f->short_name, form->writes ? "!" : "");
  bind_put(t, "%s(", form->writes ? name : julia_name(name));
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < f->param_count; i++) {
      const bind_param *p = &f->params[i];
      if ((form->makes && p->made) || julia_is_keyword(p) || julia_is_written(form, p) != (pass == 0)) continue;
      bind_put(t, "%s%s%s", between, julia_name(p->name), typed ? julia_annotation(&p->type) : "");
      between = ", ";
    }
  }
  between = "; ";
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if ((form->makes && p->made) || !julia_is_keyword(p)) continue;
    bind_put(t, "%s%s%s = %s", between, julia_name(p->name), typed ? julia_annotation(&p->type) : "", julia_default(p));
    between = ", ";
  }
  bind_put(t, ")");
}

/* @kernel kernels.photo_blur_new(image::Tensor, sigma::Cdouble, out::New{Float32,2}) */
static void julia_put_call(bind_text *t, const julia_form *form) {
  const bind_function *f = form->f;
  const char *between = "";
  bind_put(t, "@kernel kernels.%s(", form->makes ? f->new_name : f->checked_name);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    bind_put(t, "%s%s::", between, julia_name(p->name));
    between = ", ";
    if (form->makes && p->made) {
      const char *element = julia_made_element(f, p);
      const int rank = julia_rank(f, p);
      if (element && rank >= 0)
        bind_put(t, "New{%s,%d}", element, rank);
      else
        bind_put(t, "New");
    } else {
      bind_put(t, "%s", p->type.kind == BIND_TENSOR ? "Tensor" : julia_c_type(&p->type));
    }
  }
  if (f->returns == BIND_RETURN_VALUE) {
    const bool named = julia_is_enum(&f->result);
    bind_put(t, "%sresult::Value{%s}", between,
             named ? julia_enum_name(f->result.enumeration) : julia_c_type(&f->result));
  }
  bind_put(t, ")");
}

/* "out", "(a, b)", or "" when nothing is written to. */
static const char *julia_written(const julia_form *form) {
  const char *names = "";
  int count = 0;
  for (int i = 0; i < form->f->param_count; i++) {
    if (!julia_is_written(form, &form->f->params[i])) continue;
    names = bind_string("%s%s%s", names, count++ ? ", " : "", julia_name(form->f->params[i].name));
  }
  return count > 1 ? bind_string("(%s)", names) : names;
}

static void julia_put_body(bind_text *t, const julia_form *form) {
  const bind_function *f = form->f;
  if (!form->makes && f->returns != BIND_RETURN_VALUE) {
    julia_put_call(t, form);
    bind_put(t, "\n");
    bind_line(t, "return %s", *julia_written(form) ? julia_written(form) : "nothing");
  } else {
    bind_put(t, "return ");
    julia_put_call(t, form);
    bind_put(t, "\n");
  }
}

static void julia_put_arguments(bind_text *t, const julia_form *form) {
  const bind_function *f = form->f;
  bool rows = false;
  const char *before = "\n"; /* a list stands apart */
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool made = form->makes && p->made;
    if (!*p->doc && !*p->contract && !*p->limits) continue;
    bind_put(t, "%s- `%s`", before, julia_name(p->name));
    before = "";
    if (made) bind_put(t, " (made)");
    bind_put(t, ":");
    if (*p->doc) bind_put(t, " %s", bind_doc_escape(BIND_DOC_JULIA, p->doc));
    if (*p->contract) bind_put(t, "%s `%s`", *p->doc ? ";" : "", bind_doc_escape(BIND_DOC_JULIA, p->contract));
    if (*p->limits)
      bind_put(t, "%s `%s`", *p->doc || *p->contract ? ";" : "", bind_doc_escape(BIND_DOC_JULIA, p->limits));
    bind_put(t, "\n");
    rows = rows || (p->type.kind == BIND_TENSOR && !made && julia_wants_rows(f, p));
  }
  if (*f->returns_doc) bind_line(t, "%s- returns: %s", before, bind_doc_escape(BIND_DOC_JULIA, f->returns_doc));
  if (*f->contract) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\nContract: `%s`", f->contract));
  if (rows)
    bind_line(t,
              "\nAsks for row-major tensors: a plain `Matrix` is column-major and refused. Pass `DLFerry.rowmajor(A)`, "
              "which\nreverses the dimensions, a transpose, or a row-major `DLArray`.");
}

static void julia_put_function(bind_text *t, const julia_form *form, bool first) {
  const bind_function *f = form->f;
  bind_line(t, "\n\"\"\"");
  bind_put(t, "    ");
  julia_put_signature(t, form, false);
  bind_line(t, "\n");
  bind_put_doc(t, BIND_DOC_JULIA, "", f->summary);
  if (first) {
    if (*f->description) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\n%s", f->description));
    julia_put_arguments(t, form);
  } else {
    bind_line(t, "\nWrites into `%s`%s; otherwise as [`%s`](@ref).", julia_written(form),
              f->returns == BIND_RETURN_VALUE ? "" : " and returns it", julia_name(f->short_name));
  }
  bind_line(t, "\nC: `%s`", f->name);
  bind_line(t, "\"\"\"");
  bind_put(t, "function ");
  julia_put_signature(t, form, true);
  bind_put(t, "\n");
  t->depth++;
  julia_put_body(t, form);
  bind_close(t, "end");
}

/* ---- module ---- */

/* @enum takes each value once; a second name for one becomes a constant. */
static int julia_first_of(const bind_enum *e, int value) {
  int first = 0;
  while (e->values[first].value != e->values[value].value) first++;
  return first;
}

static void julia_put_enum(bind_text *t, const bind_enum *e) {
  bind_line(t, "\n\"\"\"");
  bind_put_doc(t, BIND_DOC_JULIA, "", *e->summary ? e->summary : e->name);
  bind_put(t, "\n");
  for (int i = 0; i < e->count; i++) {
    bind_put(t, "- `%s`", julia_name(e->values[i].short_name));
    if (*e->values[i].doc) bind_put(t, ": %s", bind_doc_escape(BIND_DOC_JULIA, e->values[i].doc));
    bind_put(t, "\n");
  }
  bind_line(t, "\nC: `%s`", e->name);
  bind_line(t, "\"\"\"");
  const char *scalar = julia_type_of(e->scalar);
  if (e->flags) {
    bind_line(t, "const %s = %s # its values are or-ed", julia_enum_name(e), scalar);
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

static void julia_put_module(bind_text *t, const bind_ir *ir, const char *module) {
  bind_first_line(t, ir, "#", "", "julia");
  bind_line(t, "\"\"\"");
  bind_put_doc(t, BIND_DOC_JULIA, "",
               *ir->summary ? ir->summary : bind_string("The functions of %s.", ir->header.name));
  bind_line(
      t,
      "\nTensors are `Array`s, strided views, `PermutedDimsArray`s, transposes, `DLFerry.rowmajor(A)`, `DLArray`s or\n"
      "`DLFerry.Tensor`s, used where they are: nothing is copied or converted. `f(...)` gives new tensors as\n"
      "`DLArray`s, `f!(out, ...)` writes into yours. What breaks a contract throws before the function runs.\n\"\"\"");
  bind_line(t, "module %s\n", module);
  bind_line(t, "import DLFerry\nusing DLFerry: @kernel, @library\n");
  bind_put(t, "@library(kernels");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    bind_put(t, ",\n         %s", f->checked_name);
    if (f->new_name) bind_put(t, ", %s", f->new_name);
  }
  bind_line(t, ")\n");
  bind_line(t, "# %s_LIBRARY names another library than the one that Pkg.build made.", bind_upper(ir->name));
  bind_line(
      t, "__init__() = DLFerry.load!(kernels, get(ENV, \"%s_LIBRARY\", DLFerry.built_path(dirname(@__DIR__), \"%s\"));",
      bind_upper(ir->name), ir->name);
  bind_line(t, "                           made_by = v\"%s\")", ir->version);
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) julia_put_enum(t, &ir->enums[i]);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    bool outputs = false, inouts = false;
    for (int i = 0; i < f->param_count; i++) {
      const bind_param *p = &f->params[i];
      if (p->type.kind != BIND_TENSOR || p->direction == BIND_IN) continue;
      outputs = true;
      inouts = inouts || !p->made;
    }
    if (f->new_name) julia_put_function(t, &(julia_form){f, true, inouts}, true);
    julia_put_function(t, &(julia_form){f, false, outputs}, !f->new_name);
  }
  bind_line(t, "\nend");
}

/* A name-based identifier that stays the same for a package of the same name, in the form of RFC 9562's version 8. */
static const char *julia_uuid(const char *module) {
  uint64_t half[2];
  for (uint64_t i = 0; i < 2; i++) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325) + i; /* FNV-1a */
    for (const char *c = bind_string("dlferry-bind julia %s", module); *c; c++)
      hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    half[i] = hash;
  }
  half[0] = (half[0] & ~UINT64_C(0xf000)) | UINT64_C(0x8000);
  half[1] = (half[1] & ~(UINT64_C(3) << 62)) | UINT64_C(1) << 63;
  return bind_string("%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64, half[0] >> 32,
                     half[0] >> 16 & 0xffff, half[0] & 0xffff, half[1] >> 48, half[1] & UINT64_C(0xffffffffffff));
}

static void julia_put_project(bind_text *t, const bind_ir *ir, const char *module) {
  const char *dot = strchr(ir->version, '.');
  const char *second = dot ? strchr(dot + 1, '.') : NULL;
  bind_first_line(t, ir, "#", "", "julia");
  bind_line(t, "name = \"%s\"\nuuid = \"%s\"\nversion = \"%s\"\n", module, julia_uuid(module), ir->version);
  bind_line(t, "[deps]\nDLFerry = \"%s\"\n", JULIA_DLFERRY);
  bind_line(t, "[compat]\nDLFerry = \"%.*s\"\njulia = \"1.5\"",
            (int)(second ? second - ir->version : (ptrdiff_t)strlen(ir->version)), ir->version);
}

static void julia_put_build(bind_text *t, const bind_ir *ir) {
  bind_first_line(t, ir, "#", "", "julia");
  bind_line(t, "# Compiles the kernels and their checks with a hidden copy of the hub; Pkg.build runs this.");
  bind_line(t, "import DLFerry\n");
  bind_put(t, "DLFerry.compile_kernels(\"%s\", dirname(@__DIR__), [\"%s\"", ir->name, ir->checked_c.name);
  for (int i = 0; i < ir->source_count; i++) bind_put(t, ", \"%s\"", ir->sources[i].name);
  bind_line(t, "])");
}

int bind_emit_julia(const bind_ir *ir, bind_out *out) {
  const char *module = julia_name(bind_pascal(ir->name));
  bind_text source = {.unit = "    "}, project = {0}, build = {0};
  julia_put_module(&source, ir, module);
  julia_put_project(&project, ir, module);
  julia_put_build(&build, ir);
  bind_write(out, bind_string("julia/src/%s.jl", module), &source);
  bind_write(out, "julia/Project.toml", &project);
  bind_write(out, "julia/deps/build.jl", &build);
  bind_copy_sources(out, "julia/deps/csrc", ir);
  bind_text_free(&source);
  bind_text_free(&project);
  bind_text_free(&build);
  return 0;
}
