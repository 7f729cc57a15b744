/* SPDX-License-Identifier: Apache-2.0 */
/* The table of languages. */
#include "emitters.h"
#include "bind/cases/cases.h"
#include "bind/go/go.h"
#include "bind/julia/julia.h"
#include "bind/python/python.h"
#include "bind/rust/rust.h"
#include <string.h>

/* ---- README.md of a package: how to install it ---- */

static const char emitters_python[] =
    "In this folder, with a C compiler:\n"
    "\n"
    "```sh\n"
    "pip install .\n"
    "```\n"
    "\n"
    "Then `import $name`; `help($name)` shows the docs of all functions.\n";

static const char emitters_rust[] =
    "Add the crate to your `Cargo.toml`. cargo compiles the C, for which it needs a C compiler:\n"
    "\n"
    "```toml\n"
    "[dependencies]\n"
    "$name = { path = \"FOLDER\" } # this folder\n"
    "```\n"
    "\n"
    "`cargo doc --open` shows the docs of all functions.\n";

static const char emitters_go[] = "$module\n"
                                  "\n"
                                  "Then import `$path`. cgo compiles the C, for which it needs a C "
                                  "compiler; `go doc $path` shows the docs.\n";

static const char emitters_julia[] =
    "In this folder, with a C compiler:\n"
    "\n"
    "```julia\n"
    "using Pkg\n"
    "Pkg.develop(path = \".\")\n"
    "Pkg.build(\"$pascal\")\n"
    "```\n"
    "\n"
    "Then `using $pascal`; `?` and a function's name show its docs.\n";

/* ---- the table ---- */

const bind_emitter bind_emitters[] = {
    {.name = "python",
     .emit = bind_emit_python,
     .emit_tests = python_emit_tests,
     .explain = bind_explain_python,
     .sources = "python/c",
     .title = "Python",
     .comment = "#",
     .failure = "raises an exception",
     .install = emitters_python},
    {.name = "rust",
     .settle = rust_settle_names,
     .emit = bind_emit_rust,
     .emit_tests = rust_emit_tests,
     .explain = bind_explain_rust,
     .sources = "rust/csrc",
     .title = "Rust",
     .comment = "//",
     .failure = "returns an error",
     .install = emitters_rust},
    {.name = "go",
     .settle = go_settle_names,
     .emit = bind_emit_go,
     .emit_tests = go_emit_tests,
     .explain = bind_explain_go,
     .sources = "go",
     .title = "Go",
     .comment = "//",
     .failure = "returns an error",
     .install = emitters_go},
    {.name = "julia",
     .emit = bind_emit_julia,
     .emit_tests = julia_emit_tests,
     .explain = bind_explain_julia,
     .sources = "julia/deps/csrc",
     .title = "Julia",
     .comment = "#",
     .failure = "throws an exception",
     .install = emitters_julia},
    {.name = NULL},
};

const bind_emitter *bind_find_emitter(const char *name) {
  for (const bind_emitter *e = bind_emitters; e->name; e++) {
    if (strcmp(e->name, name) == 0) {
      return e;
    }
  }
  return NULL;
}

void bind_write_package(const bind_emitter *emitter, const bind_ir *ir, bind_out *out) {
  emitter->emit(ir, out);
  bind_copy_sources(out, emitter->sources, ir);
  bind_copy_licenses(out, emitter->name, ir);
  if (bind_has_cases(ir)) {
    emitter->emit_tests(ir, out);
  }
}

const char *bind_emitter_names(void) {
  const char *names = "";
  for (const bind_emitter *e = bind_emitters; e->name; e++) {
    names = bind_string("%s%s%s", names, bind_when(*names, ","), e->name);
  }
  return names;
}
