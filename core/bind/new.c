/* SPDX-License-Identifier: Apache-2.0 */
/* --new NAME DIR: a project to start from, whose files are the user's to change: nothing says that they are generated. */
#include "new.h"
#include "bind/base/names.h"
#include "bind/base/output.h"
#include <dlferry.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char new_header[] = "/** @file What @name@ computes, in plain C. */\n"
                                 "#ifndef @NAME@_H\n"
                                 "#define @NAME@_H\n"
                                 "\n"
                                 "#include <dlpack/dlpack.h>\n"
                                 "\n"
                                 "/** Multiply each element.\n"
                                 " *\n"
                                 " *  @param x       what is multiplied\n"
                                 " *  @param factor  by this\n"
                                 " *  @param out     receives the products\n"
                                 " *  @contract x: f32[n]; out: f32[n]; factor = 2.0 */\n"
                                 "void @name@_scale(const DLTensor *x, double factor, DLTensor *out);\n"
                                 "\n"
                                 "#endif\n";

static const char new_source[] =
    "#include \"@name@.h\"\n"
    "\n"
    "/* Whoever calls from a package has kept the contract: the tensors are f32, on the CPU and of one length. */\n"
    "void @name@_scale(const DLTensor *x, double factor, DLTensor *out) {\n"
    "  const float *from = (const float *)((const char *)x->data + x->byte_offset);\n"
    "  float *to = (float *)((char *)out->data + out->byte_offset);\n"
    "  for (int64_t i = 0; i < x->shape[0]; i++) to[i] = (float)(factor * (double)from[i]);\n"
    "}\n";

static const char new_cmake[] =
    "cmake_minimum_required(VERSION 3.25)\n"
    "project(@name@ LANGUAGES C)\n"
    "find_package(dlferry @minor@ CONFIG REQUIRED)\n"
    "\n"
    "# The packages lie beside the sources, so that they can be committed and published from there.\n"
    "set(packages ${CMAKE_CURRENT_SOURCE_DIR}/packages)\n"
    "dlferry_add_bindings(@name@ HEADER @name@.h SOURCES @name@.c LANGUAGES python rust go julia OUT ${packages}\n"
    "  GO_MODULE example.com/@name@)\n"
    "\n"
    "enable_testing()\n"
    "add_executable(@name@_test @name@_test.c)\n"
    "target_link_libraries(@name@_test PRIVATE @name@)\n"
    "add_test(NAME c COMMAND @name@_test)\n"
    "\n"
    "# The tests that each package carries. A language whose program is not found has none here.\n"
    "find_program(PYTHON NAMES python3 python)\n"
    "find_program(CARGO cargo)\n"
    "find_program(GO go)\n"
    "find_program(JULIA julia)\n"
    "if(PYTHON)\n"
    "  set(site ${CMAKE_CURRENT_BINARY_DIR}/python)\n"
    "  add_test(NAME python_package COMMAND ${PYTHON} -m pip install --quiet --upgrade --target ${site}\n"
    "    \"${packages}/python[test]\")\n"
    "  add_test(NAME python COMMAND ${PYTHON} -m pytest -p no:cacheprovider ${packages}/python)\n"
    "  set_tests_properties(python_package PROPERTIES FIXTURES_SETUP python_package)\n"
    "  set_tests_properties(python PROPERTIES FIXTURES_REQUIRED python_package ENVIRONMENT PYTHONPATH=${site})\n"
    "endif()\n"
    "if(CARGO)\n"
    "  add_test(NAME rust COMMAND ${CARGO} test --quiet --target-dir ${CMAKE_CURRENT_BINARY_DIR}/cargo\n"
    "    WORKING_DIRECTORY ${packages}/rust)\n"
    "endif()\n"
    "if(GO)\n"
    "  add_test(NAME go COMMAND ${GO} test -mod=mod ./... WORKING_DIRECTORY ${packages}/go)\n"
    "endif()\n"
    "if(JULIA)\n"
    "  add_test(NAME julia COMMAND ${JULIA} --startup-file=no ${CMAKE_CURRENT_SOURCE_DIR}/test_julia.jl\n"
    "    ${CMAKE_CURRENT_BINARY_DIR}/julia)\n"
    "endif()\n";

static const char new_readme[] =
    "# @name@\n"
    "\n"
    "`@name@.h` and `@name@.c` are plain C. `dlferry-bind` reads the contract in the header's comments and writes the\n"
    "packages below `packages`, for Python, Rust, Go and Julia.\n"
    "\n"
    "```sh\n"
    "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure\n"
    "```\n"
    "\n"
    "`@name@_test.c` checks what is computed. Each package carries tests of its own: calls that the contract accepts, "
    "and one\n"
    "that breaks each of its rules.\n"
    "\n"
    "| language | a call | what the tests need |\n"
    "|---|---|---|\n"
    "| Python | `@name@.scale(x, factor=2.0)` | pip, which fetches dlferry, scikit-build-core, swig, numpy and pytest "
    "|\n"
    "| Rust | `@name@::scale(&x, 2.0)?` | cargo, which fetches the crates dlferry and cc |\n"
    "| Go | `@name@.Scale(x, @name@.DefaultScaleOptions())` | go, which fetches github.com/dlferry/dlferry/bindings/go "
    "|\n"
    "| Julia | `@Name@.scale(x; factor = 2.0)` | DLFerry: in a registry, or in the folder that the variable "
    "`DLFERRY_JULIA` names |\n";

static const char new_test_c[] =
    "#include \"@name@_dlferry.h\"\n"
    "#include <stdio.h>\n"
    "\n"
    "/* One call that passes, one that breaks the contract. */\n"
    "int main(void) {\n"
    "  float from[3] = {1, 2, 3}, to[3] = {0};\n"
    "  int64_t three[] = {3}, two[] = {2};\n"
    "  DLTensor x = {from, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, three, NULL, 0}, out = x;\n"
    "  dlf_error error;\n"
    "  out.data = to;\n"
    "  if (@name@_scale_checked((dlf_arg){&x, 0}, 2.0, (dlf_arg){&out, 0}, &error)) return puts(error.message), 1;\n"
    "  if (to[0] != 2 || to[1] != 4 || to[2] != 6) return puts(\"expected 2 4 6\"), 1;\n"
    "  out.shape = two;\n"
    "  if (@name@_scale_checked((dlf_arg){&x, 0}, 2.0, (dlf_arg){&out, 0}, &error) != DLF_SHAPE) return 1;\n"
    "  puts(error.message);\n"
    "  return 0;\n"
    "}\n";

static const char new_test_julia[] =
    "# Tests the package as Pkg does; the argument is a folder for an environment. Where DLFERRY_JULIA names the "
    "folder of\n"
    "# DLFerry it does without Pkg, which wants a registry, hence a network, even if nothing comes from one.\n"
    "import Pkg\n"
    "\n"
    "package = joinpath(@__DIR__, \"packages\", \"julia\")\n"
    "if haskey(ENV, \"DLFERRY_JULIA\")\n"
    "    folders = [ENV[\"DLFERRY_JULIA\"], package]\n"
    "    ENV[\"JULIA_LOAD_PATH\"] = join([folders; \"@stdlib\"], ':')\n"
    "    for script in [joinpath.(folders, \"deps\", \"build.jl\"); joinpath(package, \"test\", \"runtests.jl\")]\n"
    "        run(`$(Base.julia_cmd()) --startup-file=no $script`)\n"
    "    end\n"
    "else\n"
    "    Pkg.activate(ARGS[1])\n"
    "    Pkg.develop(Pkg.PackageSpec(path = package))\n"
    "    Pkg.build()\n"
    "    Pkg.test(\"@Name@\")\n"
    "end\n";

static const char new_ignore[] = "/build/\n__pycache__/\nCargo.lock\nManifest.toml\ndeps/usr/\ndeps/build.log\n";

static const struct new_file {
  const char *path, *text;
} new_files[] = {{"@name@.h", new_header},         {"@name@.c", new_source},   {"CMakeLists.txt", new_cmake},
                 {"README.md", new_readme},        {".gitignore", new_ignore}, {"@name@_test.c", new_test_c},
                 {"test_julia.jl", new_test_julia}};

enum { NEW_FILES = sizeof new_files / sizeof *new_files };

/* Words that some language, its standard modules or CMake keep for themselves. */
static const char new_kept[] =
    "all and array as assert async await base bool break c case catch chan char class clean const continue core crate "
    "def default defer del dlferry do double dyn elif else enum errors except extern false final finally float fn for "
    "from func global go goto help if impl import in install int interface is julia lambda let long loop main map "
    "match "
    "mod move mut none nonlocal not or package pass pkg pub python raise range ref return rust self short signed "
    "sizeof "
    "static std struct super switch template test testing tests trait true try type typedef union unsafe unsigned use "
    "var void volatile where while with yield";

/* The template with the project's own words in it. */
static const char *new_filled(const char *template, const char *name) {
  const char *version = dlf_version();
  const char *dot = strrchr(version, '.');
  const char *const words[][2] = {
      {"@name@", name},
      {"@Name@", bind_pascal(name)},
      {"@NAME@", bind_upper(name)},
      {"@version@", version},
      {"@minor@", bind_string("%.*s", (int)(dot ? (size_t)(dot - version) : strlen(version)), version)}};
  bind_text text = {0};
  while (*template) {
    size_t i = 0;
    while (i < 5 && strncmp(template, words[i][0], strlen(words[i][0])) != 0) i++;
    if (i < 5)
      bind_raw(&text, words[i][1], strlen(words[i][1])), template += strlen(words[i][0]);
    else
      bind_raw(&text, template++, 1);
  }
  const char *filled = bind_string("%s", text.data ? text.data : "");
  bind_text_free(&text);
  return filled;
}

int new_project(const char *name, const char *folder) {
  bind_out out = {.directory = folder};
  if (bind_word_in(name, new_kept)) {
    bind_error("--new: expected a name of your own, got %s, which a language keeps for itself", name);
    return 2;
  }
  for (int i = 0; i < NEW_FILES; i++) {
    const char *path = bind_string("%s/%s", folder, new_filled(new_files[i].path, name));
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT) continue;
    bind_error("--new: %s: %s; nothing was written", path, file ? "is there already" : strerror(errno));
    if (file) fclose(file);
    return 1;
  }
  for (int i = 0; i < NEW_FILES; i++) {
    bind_text text = {0};
    const char *filled = new_filled(new_files[i].text, name);
    bind_raw(&text, filled, strlen(filled));
    bind_write(&out, new_filled(new_files[i].path, name), &text);
    bind_text_free(&text);
  }
  if (out.failed) return 1;
  const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  const char *quote = folder[strspn(folder, plain)] ? "'" : ""; /* the shell would take it apart */
  printf("%s: %d files. Next, with dlferry installed:\n", folder, (int)NEW_FILES);
  printf("  cd %s%s%s && cmake -S . -B build && cmake --build build && ctest --test-dir build\n", quote, folder, quote);
  return 0;
}
