/* SPDX-License-Identifier: Apache-2.0 */
/* A Julia package: one module of functions over DLFerry's @kernel, and a build script for its C. */
#include "julia.h"
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "bind/read/parameters.h"
#include <inttypes.h>
#include <string.h>

/* As in bindings/julia/Project.toml. */
#define JULIA_DLFERRY "55670bff-fd3f-4f23-bb49-df5db85aa591"
#define JULIA_TEST "8dfed614-e22c-5e08-85e1-65c5234f0b40"

/* ---- functions: f(...) calls f_new, where it makes its outputs; f!(out, ...) or f(...) calls f_checked ---- */

static bool julia_is_result(const bind_param *p, bool makes) { return p->returned || (makes && p->made); }

/* "(Int64, low, high)" for the docs: the parameters of a kind, and what comes before them; "" when there are none. */
static const char *julia_tuple(const bind_function *f, bool makes, bool (*is)(const bind_param *, bool),
                               const char *names) {
  for (int i = 0; i < f->param_count; i++)
    if (is(&f->params[i], makes)) names = julia_joined(names, julia_name(f->params[i].name));
  return strchr(names, ',') ? bind_string("(%s)", names) : names;
}

static const char *julia_written(const bind_function *f, bool makes) {
  return julia_tuple(f, makes, julia_is_written, "");
}

static const char *julia_results(const bind_function *f, bool makes) {
  const char *value = f->returns == BIND_RETURN_VALUE ? julia_result_name(&f->result) : "";
  return julia_tuple(f, makes, julia_is_result, value);
}

/* "sigma = 1.0" in the docs, "sigma::Real = 1.0" in the definition, which is `typed`: not NULL. */
static const char *julia_declared(const bind_param *p, const void *typed) {
  const char *name = bind_string("%s%s", julia_name(p->name), typed ? julia_annotation(&p->type) : "");
  return julia_is_keyword(p) ? bind_string("%s = %s", name, julia_default(p)) : name;
}

/* blur(image; sigma = 1.0) -> out */
static const char *julia_title(const bind_function *f, bool makes) {
  const char *results = julia_results(f, makes), *given = *results ? results : julia_written(f, makes);
  return bind_string("%s%s%s", julia_signature(f, makes, julia_declared, NULL), *given ? " -> " : "", given);
}

/* @kernel "blur" kernels.photo_blur_new(image::Tensor, sigma::Cdouble, out::New{Float32,2}) */
static const char *julia_call(const bind_function *f, bool makes, const dlf_contract *contract) {
  const char *value = f->returns == BIND_RETURN_VALUE ? bind_string("::%s", julia_result_kind(&f->result)) : "";
  const char *arguments = "";
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    arguments = julia_joined(arguments, bind_string("%s::%s", julia_name(p->name), julia_kind(f, p, makes, contract)));
  }
  return bind_string("@kernel \"%s\" kernels.%s(%s)%s", f->short_name, makes ? f->new_name : f->checked_name, arguments,
                     value);
}

static void julia_put_arguments(bind_text *t, const bind_function *f, bool makes, const dlf_contract *contract) {
  const char *rows = "", *columns = "";
  const char *before = "\n"; /* a list stands apart */
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool tensors = p->type.kind == BIND_TENSOR || p->type.kind == BIND_LIST;
    const char *name = julia_name(p->name),
               *quoted = tensors && bind_is_passed(p, makes) ? bind_string("`%s`", name) : "";
    if (*quoted && julia_wants(p, contract, false)) rows = julia_joined(rows, quoted);
    if (*quoted && julia_wants(p, contract, true)) columns = julia_joined(columns, quoted);
    const char *role = makes && p->made ? " (made)" : p->returned ? " (returned)" : "", *about = "";
    const char *parts[] = {p->doc, *p->contract ? bind_string("`%s`", p->contract) : "",
                           *p->limits ? bind_string("`%s`", p->limits) : ""};
    for (int k = 0; k < 3; k++)
      if (*parts[k])
        about = bind_string("%s%s %s", about, *about ? ";" : "", bind_doc_escape(BIND_DOC_JULIA, parts[k]));
    if (p->type.kind == BIND_STREAM)
      about = bind_string("%s%s an address; `C_NULL` is the device's default stream", about, *about ? ";" : "");
    if (!*about) continue;
    bind_line(t, "%s- `%s`%s:%s", before, name, role, about);
    before = "";
  }
  if (*f->returns_doc) bind_line(t, "%s- returns: %s", before, bind_doc_escape(BIND_DOC_JULIA, f->returns_doc));
  if (*f->contract) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\nContract: `%s`", f->contract));
  if (*columns) bind_line(t, "\nColumn-major, as a plain `Matrix` is: %s.", columns);
  if (*rows)
    bind_line(
        t,
        "\nRow-major: %s.\nA plain `Matrix` is column-major and refused: pass `DLFerry.rowmajor(A)`, which reverses "
        "the dimensions, a\ntranspose, or a row-major `DLArray`.",
        rows);
}

static void julia_put_function(bind_text *t, const bind_function *f, bool makes) {
  const char *results = julia_results(f, makes), *written = julia_written(f, makes);
  dlf_contract *contract = NULL;
  if (dlf_contract_compile(f->contract, f->short_name, bind_contract_parameters(f), f->c_param_count, &contract, NULL))
    return;
  const char *name = julia_name(f->short_name);
  const bool opens = f->creates && bind_count_results(f, makes) == 1; /* f(use, ...) is what a do block is */
  bind_line(t, "\n\"\"\"\n    %s", julia_title(f, makes));
  if (opens)
    bind_line(t, "    %s do %s ... end", julia_signature(f, makes, julia_declared, NULL), f->creates->short_name);
  bind_put(t, "\n");
  julia_put_summary(t, f->summary, "", makes || !f->new_name ? f->description : "");
  if (makes || !f->new_name)
    julia_put_arguments(t, f, makes, contract);
  else
    bind_line(t, "\nWrites into `%s`%s; otherwise as [`%s`](@ref).", written, *results ? "" : " and returns it", name);
  bind_line(t, "\nC: `%s`\n\"\"\"", f->name);
  bind_wrapped(t, bind_string("function %s", julia_signature(f, makes, julia_declared, "typed")));
  t->depth++;
  bind_wrapped(t, bind_string("%s%s", *results ? "return " : "", julia_call(f, makes, contract)));
  if (!*results) bind_line(t, "return %s", *written ? written : "nothing");
  bind_close(t, "end");
  if (opens)
    bind_line(t, "%s(use::Base.Function, given...; options...) =\n    DLFerry.closing(use, %s(given...; options...))",
              name, name);
  dlf_contract_free(contract);
}

void bind_explain_julia(const bind_ir *ir, const bind_function *f, bind_text *t) {
  (void)ir;
  if (f->new_name) bind_line(t, "%s", julia_title(f, true));
  bind_line(t, "%s", julia_title(f, false));
}

/* ---- module ---- */

static void julia_put_module(bind_text *t, const bind_ir *ir, const char *module) {
  bind_first_line(t, ir, "#", "", "julia");
  bind_line(t, "\"\"\"");
  julia_put_summary(t, ir->summary, bind_string("The functions of %s.", ir->header.name), "");
  bind_line(
      t,
      "\nTensors are `Array`s, strided views, `PermutedDimsArray`s, transposes, `DLFerry.rowmajor(A)`, `DLArray`s or\n"
      "`DLFerry.Tensor`s, used where they are: nothing is copied or converted. `f(...)` gives new tensors as\n"
      "`DLArray`s, `f!(out, ...)` writes into yours. What breaks a contract throws before the function runs.\n\"\"\"\n"
      "module %s\n\n"
      "import DLFerry\n"
      "using DLFerry: @kernel, @library\n",
      module);
  bind_put(t, "@library(kernels");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    bind_put(t, ",\n         %s%s%s", f->checked_name, f->new_name ? ", " : "", f->new_name ? f->new_name : "");
  for (int i = 0; i < ir->handle_count; i++) bind_put(t, ",\n         %s", ir->handles[i].free_checked_name);
  const char *upper = bind_upper(ir->name);
  bind_line(t,
            ")\n\n"
            "# %s_LIBRARY names another library than the one that Pkg.build made.\n"
            "function __init__()\n"
            "    built = DLFerry.built_path(Base.dirname(@__DIR__), \"%s\")\n"
            "    DLFerry.load!(kernels, Base.get(Base.ENV, \"%s_LIBRARY\", built); made_by = v\"%s\")\n"
            "end",
            upper, ir->name, upper, ir->version);
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) julia_put_enum(t, &ir->enums[i]);
  for (int i = 0; i < ir->handle_count; i++) julia_put_handle(t, ir, &ir->handles[i]);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->new_name) julia_put_function(t, f, true);
    julia_put_function(t, f, false);
  }
  bind_line(t, "\nend");
}

/* A name-based identifier that stays the same for a package of the same name, in the form of RFC 9562's version 8. */
static const char *julia_uuid(const char *module) {
  uint64_t half[2];
  for (uint64_t i = 0; i < 2; i++) {
    half[i] = UINT64_C(0xcbf29ce484222325) + i; /* FNV-1a */
    for (const char *c = bind_string("dlferry-bind julia %s", module); *c; c++)
      half[i] = (half[i] ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  }
  return bind_string("%08" PRIx64 "-%04" PRIx64 "-8%03" PRIx64 "-%04" PRIx64 "-%012" PRIx64, half[0] >> 32,
                     half[0] >> 16 & 0xffff, half[0] & 0xfff, (half[1] >> 48 & 0x3fff) | 0x8000,
                     half[1] & UINT64_C(0xffffffffffff));
}

static void julia_put_project(bind_text *t, const bind_ir *ir, const char *module) {
  const char *dot = strchr(ir->version, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;
  const size_t minor = second ? (size_t)(second - ir->version) : strlen(ir->version);
  bind_first_line(t, ir, "#", "", "julia");
  bind_line(t, "name = \"%s\"\nuuid = \"%s\"\nversion = \"%s\"\n", module, julia_uuid(module), ir->version);
  bind_line(t, "[deps]\nDLFerry = \"%s\"\n", JULIA_DLFERRY);
  bind_line(t, "[compat]\nDLFerry = \"%.*s\"\njulia = \"1.5\"", (int)minor, ir->version);
  if (bind_has_cases(ir)) bind_line(t, "\n[extras]\nTest = \"%s\"\n\n[targets]\ntest = [\"Test\"]", JULIA_TEST);
}

static void julia_put_build(bind_text *t, const bind_ir *ir) {
  const char *sources = bind_string("\"%s\"", ir->checked_c.name), *links = "";
  for (int i = 0; i < ir->source_count; i++)
    sources = julia_joined(sources, bind_string("\"%s\"", ir->sources[i].name));
  for (int i = 0; i < ir->link_count; i++) links = julia_joined(links, bind_string("\"%s\"", ir->links[i]));
  bind_first_line(t, ir, "#", "", "julia");
  bind_line(t, "# Compiles the kernels and their checks with a hidden copy of the hub; Pkg.build runs this.");
  bind_line(t, "import DLFerry\n");
  bind_line(t, "DLFerry.compile_kernels(\"%s\", dirname(@__DIR__), [%s]%s)", ir->name, sources,
            *links ? bind_string("; libraries = [%s]", links) : "");
}

static void julia_write(bind_out *out, const char *path, bind_text *text) {
  bind_write(out, path, text);
  bind_text_free(text);
}

int bind_emit_julia(const bind_ir *ir, bind_out *out) {
  const char *module = julia_type_name(ir->name);
  bind_text source = {.unit = "    "}, project = {0}, build = {0};
  julia_put_module(&source, ir, module);
  julia_put_project(&project, ir, module);
  julia_put_build(&build, ir);
  julia_write(out, bind_string("julia/src/%s.jl", module), &source);
  bind_write_manifest(out, "julia/Project.toml", &project);
  bind_text_free(&project);
  julia_write(out, "julia/deps/build.jl", &build);
  bind_copy_sources(out, "julia/deps/csrc", ir);
  if (bind_has_cases(ir)) julia_emit_tests(ir, out, module);
  return 0;
}
