/* SPDX-License-Identifier: Apache-2.0 */
/* A Julia package: one module of functions over DLFerry's @kernel, and a build script for its C. */
#include "emit_julia.h"
#include <inttypes.h>
#include <string.h>

/* DLFerry's, as in bindings/julia/Project.toml. */
#define JULIA_DLFERRY "55670bff-fd3f-4f23-bb49-df5db85aa591"

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

/* blur!(out, image; sigma::Real = 1.0), with types for the definition and without for the docs */
static void julia_put_signature(bind_text *t, const julia_form *form, bool typed) {
  const bind_function *f = form->f;
  const char *between = "";
  const char *name = bind_string("%s%s", f->short_name, form->writes ? "!" : "");
  bind_put(t, "%s(", form->writes ? name : julia_name(name));
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < f->param_count; i++) {
      const bind_param *p = &f->params[i];
      if (!bind_is_passed(p, form->makes) || julia_is_keyword(p)) continue;
      if (julia_is_written(form, p) != (pass == 0)) continue;
      bind_put(t, "%s%s%s", between, julia_name(p->name), typed ? julia_annotation(&p->type) : "");
      between = ", ";
    }
  }
  between = "; ";
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!bind_is_passed(p, form->makes) || !julia_is_keyword(p)) continue;
    bind_put(t, "%s%s%s = %s", between, julia_name(p->name), typed ? julia_annotation(&p->type) : "", julia_default(p));
    between = ", ";
  }
  bind_put(t, ")");
}

/* @kernel kernels.photo_blur_new(image::Tensor, sigma::Cdouble, out::New{Float32,2}) */
static void julia_put_call(bind_text *t, const julia_form *form) {
  const bind_function *f = form->f;
  bind_put(t, "@kernel kernels.%s(", form->makes ? f->new_name : f->checked_name);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool tensor = (form->makes && p->made) || p->type.kind == BIND_GIVEN;
    const char *kind = tensor ? julia_new(f, p) : p->returned ? julia_result_kind(&p->type) : julia_kind(&p->type);
    bind_put(t, "%s%s::%s", i ? ", " : "", julia_name(p->name), kind);
  }
  bind_put(t, ")");
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "::%s", julia_result_kind(&f->result));
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

/* "out", "(Int64, low, high)": what a call gives, for the docs; "" when that is nothing. */
static const char *julia_results(const julia_form *form) {
  const bind_function *f = form->f;
  const int count = bind_count_results(f, form->makes);
  const char *names = f->returns == BIND_RETURN_VALUE ? julia_result_name(&f->result) : "";
  if (!count) return julia_written(form);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->returned || (form->makes && p->made))
      names = bind_string("%s%s%s", names, *names ? ", " : "", julia_name(p->name));
  }
  return count > 1 ? bind_string("(%s)", names) : names;
}

static void julia_put_body(bind_text *t, const julia_form *form) {
  const bool results = bind_count_results(form->f, form->makes) > 0;
  bind_put(t, "%s", results ? "return " : "");
  julia_put_call(t, form);
  bind_put(t, "\n");
  if (!results) bind_line(t, "return %s", *julia_written(form) ? julia_written(form) : "nothing");
}

static void julia_put_arguments(bind_text *t, const julia_form *form) {
  const bind_function *f = form->f;
  bool rows = false, stream = false;
  const char *before = "\n"; /* a list stands apart */
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool made = form->makes && p->made;
    stream = stream || p->type.kind == BIND_STREAM;
    if (p->type.kind == BIND_STREAM || (!*p->doc && !*p->contract && !*p->limits)) continue;
    bind_put(t, "%s- `%s`", before, julia_name(p->name));
    before = "";
    if (made || p->returned) bind_put(t, made ? " (made)" : " (returned)");
    bind_put(t, ":");
    if (*p->doc) bind_put(t, " %s", bind_doc_escape(BIND_DOC_JULIA, p->doc));
    if (*p->contract) bind_put(t, "%s `%s`", *p->doc ? ";" : "", bind_doc_escape(BIND_DOC_JULIA, p->contract));
    if (*p->limits)
      bind_put(t, "%s `%s`", *p->doc || *p->contract ? ";" : "", bind_doc_escape(BIND_DOC_JULIA, p->limits));
    bind_put(t, "\n");
    rows = rows || ((p->type.kind == BIND_TENSOR || p->type.kind == BIND_LIST) && !made && julia_wants_rows(f, p));
  }
  if (*f->returns_doc) bind_line(t, "%s- returns: %s", before, bind_doc_escape(BIND_DOC_JULIA, f->returns_doc));
  if (*f->contract) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\nContract: `%s`", f->contract));
  if (stream) bind_line(t, "\nRuns on the default stream (`NULL`).");
  if (rows)
    bind_line(t,
              "\nAsks for row-major tensors: a plain `Matrix` is column-major and refused. Pass `DLFerry.rowmajor(A)`, "
              "which\nreverses the dimensions, a transpose, or a row-major `DLArray`.");
}

/* blur(image; sigma = 1.0) -> out */
static void julia_put_title(bind_text *t, const julia_form *form) {
  julia_put_signature(t, form, false);
  if (*julia_results(form)) bind_put(t, " -> %s", julia_results(form));
  bind_put(t, "\n");
}

static void julia_put_function(bind_text *t, const julia_form *form, bool first) {
  const bind_function *f = form->f;
  bind_line(t, "\n\"\"\"");
  bind_put(t, "    ");
  julia_put_title(t, form);
  bind_put(t, "\n");
  bind_put_doc(t, BIND_DOC_JULIA, "", f->summary);
  if (first) {
    if (*f->description) bind_put_doc(t, BIND_DOC_JULIA, "", bind_string("\n%s", f->description));
    julia_put_arguments(t, form);
  } else {
    bind_line(t, "\nWrites into `%s`%s; otherwise as [`%s`](@ref).", julia_written(form),
              bind_count_results(f, form->makes) ? "" : " and returns it", julia_name(f->short_name));
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

/* f(...), which makes its outputs, if it can; and f!(out, ...). */
static int julia_forms(const bind_function *f, julia_form forms[2]) {
  bool outputs = false, inouts = false;
  int count = 0;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind != BIND_TENSOR || p->direction == BIND_IN) continue;
    outputs = true;
    inouts = inouts || !p->made;
  }
  if (f->new_name) forms[count++] = (julia_form){f, true, inouts};
  forms[count++] = (julia_form){f, false, outputs};
  return count;
}

void bind_explain_julia(const bind_ir *ir, const bind_function *f, bind_text *t) {
  julia_form forms[2];
  const int count = julia_forms(f, forms);
  (void)ir;
  for (int i = 0; i < count; i++) julia_put_title(t, &forms[i]);
}

/* ---- module ---- */

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
  for (int i = 0; i < ir->handle_count; i++) bind_put(t, ",\n         %s", ir->handles[i].free_checked_name);
  bind_line(t, ")\n");
  bind_line(t, "# %s_LIBRARY names another library than the one that Pkg.build made.", bind_upper(ir->name));
  const char *upper = bind_upper(ir->name);
  bind_line(t, "function __init__()");
  bind_line(t, "    built = DLFerry.built_path(Base.dirname(@__DIR__), \"%s\")", ir->name);
  bind_line(t, "    DLFerry.load!(kernels, Base.get(Base.ENV, \"%s_LIBRARY\", built); made_by = v\"%s\")", upper,
            ir->version);
  bind_line(t, "end");
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) julia_put_enum(t, &ir->enums[i]);
  for (int i = 0; i < ir->handle_count; i++) julia_put_handle(t, ir, &ir->handles[i]);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    julia_form forms[2];
    const int count = julia_forms(f, forms);
    for (int i = 0; i < count; i++) julia_put_function(t, &forms[i], i == 0);
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
  bind_put(t, "]");
  for (int i = 0; i < ir->link_count; i++) bind_put(t, "%s\"%s\"", i ? ", " : "; libraries = [", ir->links[i]);
  bind_line(t, "%s)", ir->link_count ? "]" : "");
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
