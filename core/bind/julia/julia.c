/* SPDX-License-Identifier: Apache-2.0 */
/* A Julia package: one module of functions over DLFerry's @kernel, and a build script for its C. */
#include "julia.h"
#include "bind/base/names.h"
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include <inttypes.h>
#include <string.h>

/* As in bindings/julia/Project.toml. */
#define JULIA_DLFERRY "55670bff-fd3f-4f23-bb49-df5db85aa591"
#define JULIA_TEST "8dfed614-e22c-5e08-85e1-65c5234f0b40"

static const char julia_module[] =
    "\"\"\"\n"
    "$summary\n"
    "\n"
    "Pass tensors as `Array`s, strided views, `PermutedDimsArray`s, transposes, "
    "`DLFerry.rowmajor(A)`, `DLArray`s or\n"
    "`DLFerry.Tensor`s; none is copied or converted. `f(...)` returns new tensors as `DLArray`s, "
    "`f!(out, ...)` writes\n"
    "into yours. A call that breaks a contract throws before the function runs.\n"
    "\"\"\"\n"
    "module $module\n"
    "\n"
    "import DLFerry\n"
    "using DLFerry: @kernel, @library\n"
    "\n"
    "@library($symbols)\n"
    "\n"
    "# ${upper}_LIBRARY may name a library to load instead of the one that Pkg.build made.\n"
    "function __init__()\n"
    "    built = DLFerry.built_path(Base.dirname(@__DIR__), \"$package\")\n"
    "    DLFerry.load!(kernels, Base.get(Base.ENV, \"${upper}_LIBRARY\", built); made_by = "
    "v\"$version\")\n"
    "end\n"
    "$items\n"
    "\n"
    "end\n";

static const char *julia_no_argument(const bind_param *p, const void *context) {
  (void)p;
  (void)context;
  return "";
}

/* "f" and "f!" */
static const char *julia_names(const bind_function *f) {
  const char *names = "";
  for (int makes = 0; makes <= (f->new_name != NULL); makes++) {
    const char *signature = julia_signature(f, makes, julia_no_argument, NULL);
    const char *name = bind_sized(signature, strcspn(signature, "("));
    if (strcmp(names, name) != 0) {
      names = bind_join(names, ", ", name);
    }
  }
  return names;
}

/* "Fft", or "Fft_" beside a type Fft. */
static const char *julia_submodule(const bind_ir *ir, int header) {
  const char *name = julia_type_name(ir->modules[header]);
  const char *module = julia_package(ir);
  const bool taken = bind_word_in(name, "Base Core DLFerry") || strcmp(name, module) == 0;
  if (taken || bind_find_place(&ir->types, bind_pascal(ir->modules[header])) >= 0) {
    return bind_string("%s_", name);
  }
  return name;
}

/* `module Fft`: the names of one header. */
static void julia_put_submodule(bind_text *t, const bind_ir *ir, int header, const char *module) {
  bind_text names = {0};
  BIND_EACH_ENUM (e, ir) {
    if (e->header == header) {
      bind_append(&names, ", ", julia_type_name(e->short_name));
      for (int i = 0; i < e->count; i++) {
        bind_append(&names, ", ", julia_name(e->values[i].short_name));
      }
    }
  }
  BIND_EACH_STRUCT(s, ir) {
    if (s->header == header) {
      bind_append(&names, ", ", julia_type_name(s->short_name));
    }
  }
  BIND_EACH_HANDLE (h, ir) {
    if (h->header == header) {
      bind_append(&names, ", ", julia_type_name(h->short_name));
    }
  }
  BIND_EACH_FUNCTION (f, ir) {
    if (f->header == header) {
      bind_append(&names, ", ", julia_names(f));
    }
  }
  bind_line(t,
            "\n\"The names of `%s`.\"\nmodule %s",
            ir->headers[header].name,
            julia_submodule(ir, header));
  if (names.length) {
    bind_wrapped(t, bind_string("using ..%s: %s", module, bind_keep(&names)));
  }
  bind_line(t, "end");
}

static void julia_write_module(const bind_ir *ir, bind_out *out, const char *module) {
  const char *between = ",\n         ";
  bind_text items = {.unit = "    "};
  bind_text symbols = {0};
  bind_append(&symbols, between, "kernels");
  BIND_EACH_ENUM (e, ir) {
    julia_put_enum(&items, e);
  }
  BIND_EACH_STRUCT(s, ir) {
    julia_put_struct(&items, s);
    bind_append(
        &symbols, between, bind_string("%.*s_defaults", (int)strlen(s->layout) - 1, s->layout));
  }
  BIND_EACH (const bind_constant, c, ir->constants, ir->constant_count) {
    bind_fill(&items,
              "\n\"The constant `$c`.\"\nconst $name = $value\n",
              {"c", c->name},
              {"name", julia_name(c->short_name)},
              {"value", c->text});
  }
  BIND_EACH_HANDLE (h, ir) {
    julia_put_handle(&items, h);
  }
  BIND_EACH_FUNCTION (f, ir) {
    bind_append(&symbols, between, bind_join(f->checked_name, ", ", bind_or(f->new_name, "")));
    julia_put_functions(&items, f);
  }
  BIND_EACH_HANDLE (h, ir) {
    if (h->free_name) {
      bind_append(&symbols, between, h->free_checked_name);
    }
  }
  if (bind_free_text(ir)) {
    bind_append(&symbols, between, bind_free_text(ir));
  }
  for (int i = 0; ir->modules && i < ir->header_count; i++) {
    julia_put_submodule(&items, ir, i, module);
  }
  bind_write_filled(
      ir,
      out,
      BIND_HASH_FILE,
      bind_string("julia/src/%s.jl", module),
      julia_module,
      {"summary", julia_doc(ir->summary, bind_string("The functions of %s.", ir->title), "")},
      {"module", module},
      {"symbols", bind_keep(&symbols)},
      {"upper", bind_upper(ir->name)},
      {"package", ir->name},
      {"version", ir->version},
      {"items", bind_keep(&items)});
}

/* A name-based identifier that stays the same for a package of the same name, in the form of RFC
 * 9562's version 8. */
static const char *julia_uuid(const char *module) {
  uint64_t half[2];
  for (uint64_t i = 0; i < 2; i++) {
    half[i] = UINT64_C(0xcbf29ce484222325) + i; /* FNV-1a */
    for (const char *c = bind_string("dlferry-bind julia %s", module); *c; c++) {
      half[i] = (half[i] ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
  }
  return bind_string("%08" PRIx64 "-%04" PRIx64 "-8%03" PRIx64 "-%04" PRIx64 "-%012" PRIx64,
                     half[0] >> 32,
                     half[0] >> 16 & 0xffff,
                     half[0] & 0xfff,
                     (half[1] >> 48 & 0x3fff) | 0x8000,
                     half[1] & UINT64_C(0xffffffffffff));
}

static const char julia_project[] = "name = \"$module\"\n"
                                    "uuid = \"$uuid\"\n"
                                    "version = \"$own\"\n"
                                    "$authors\n"
                                    "\n"
                                    "[deps]\n"
                                    "DLFerry = \"" JULIA_DLFERRY "\"\n"
                                    "\n"
                                    "[compat]\n"
                                    "DLFerry = \"$minor\"\n"
                                    "julia = \"1.5\"\n"
                                    "$tests\n";

static const char julia_project_tests[] = "\n"
                                          "[extras]\n"
                                          "Test = \"" JULIA_TEST "\"\n"
                                          "\n"
                                          "[targets]\n"
                                          "test = [\"Test\"]\n";

static void julia_write_project(const bind_ir *ir, bind_out *out, const char *module) {
  bind_write_filled(ir,
                    out,
                    BIND_MANIFEST,
                    "julia/Project.toml",
                    julia_project,
                    {"module", module},
                    {"uuid", julia_uuid(module)},
                    {"minor", bind_minor_version(ir->version)},
                    {"own", bind_package_version(ir)},
                    {"authors", bind_author_list(ir)},
                    {"tests", bind_when(bind_has_cases(ir), julia_project_tests)});
}

static const char julia_build[] =
    "# Pkg.build runs this: it compiles the kernels and their checks with a hidden copy of the "
    "hub.\n"
    "import DLFerry\n"
    "\n"
    "DLFerry.compile_kernels(\"$package\", dirname(@__DIR__), [$sources]$links)\n";

static void julia_write_build(const bind_ir *ir, bind_out *out) {
  const char *sources = bind_string("\"%s\"", ir->twin_c.name);
  const char *links = "";
  BIND_EACH (const bind_file, source, ir->sources, ir->source_count) {
    sources = bind_join(sources, ", ", bind_string("\"%s\"", source->name));
  }
  for (int i = 0; i < ir->link_count; i++) {
    links = bind_join(links, ", ", bind_string("\"%s\"", ir->links[i]));
  }
  bind_write_filled(ir,
                    out,
                    BIND_HASH_FILE,
                    "julia/deps/build.jl",
                    julia_build,
                    {"package", ir->name},
                    {"sources", sources},
                    {"links", bind_when(*links, bind_string("; libraries = [%s]", links))});
}

void bind_emit_julia(const bind_ir *ir, bind_out *out) {
  const char *module = julia_package(ir);
  julia_write_module(ir, out, module);
  julia_write_project(ir, out, module);
  julia_write_build(ir, out);
}
