/* SPDX-License-Identifier: Apache-2.0 */
/* The Python package around its extension module: NAME/__init__.py with the enums, stubs, and files
 * for scikit-build-core. */
#include "bind/emit/package.h"
#include "bind/base/escape.h"
#include "bind/cases/cases.h"
#include "bind/emit/query.h"
#include "python.h"
#include "results.h"
#include <stdlib.h>
#include <string.h>

static const char python_enum[] = "class $name($base):\n"
                                  "    \"\"\"$doc\"\"\"\n"
                                  "\n"
                                  "    $values\n";

static void python_put_enum(bind_text *t, const bind_ir *ir, const bind_enum *e) {
  bind_text values = {0};
  BIND_EACH (const bind_enumerator, v, e->values, e->count) {
    bind_put_doc(&values, BIND_DOC_LINE, "# ", v->doc);
    bind_line(&values, "%s = %lld", python_member_name(v), (long long)v->value);
  }
  bind_fill(t,
            python_enum,
            {"name", python_enum_name(e)},
            {"base", python_plain(ir, e->flags ? "IntFlag" : "IntEnum")},
            {"doc", bind_doc_escape(BIND_DOC_PYTHON, bind_said_or(e->summary, e->name))},
            {"values", bind_keep(&values)});
}

/* Formatters want two blank lines before a class, one in stubs. */
void python_put_enums(bind_text *t, const bind_ir *ir, int blank) {
  BIND_EACH_ENUM (e, ir) {
    for (int k = 0; k < blank; k++) {
      bind_put(t, "\n");
    }
    python_put_enum(t, ir, e);
  }
}

static bool python_has_enums(const bind_ir *ir, bool flags) {
  BIND_EACH_ENUM (e, ir) {
    if (e->flags == flags) {
      return true;
    }
  }
  return false;
}

void python_put_enum_import(bind_text *t, const bind_ir *ir) {
  if (!ir->enum_count) {
    return;
  }
  bind_line(t,
            "from enum import %s",
            bind_join(bind_when(python_has_enums(ir, false), python_import(ir, "IntEnum")),
                      ", ",
                      bind_when(python_has_enums(ir, true), python_import(ir, "IntFlag"))));
}

/* List names in the linters' order of imports: classes, functions, NULL. The extension module lacks
 * enums and results. */
static const char **python_sorted_names(const bind_ir *ir, bool all, int header) {
  size_t room = (size_t)(2 * ir->function_count + ir->handle_count + ir->enum_count) + 1;
  BIND_EACH_STRUCT(s, ir) {
    room++;
  }
  const char **names = bind_alloc(room, sizeof *names);
  size_t count = 0;
  BIND_EACH_STRUCT(s, ir) {
    if (header < 0 || s->header == header) {
      names[count++] = python_struct_name(s);
    }
  }
  BIND_EACH_HANDLE (h, ir) {
    if (header < 0 || h->header == header) {
      names[count++] = python_class_name(h);
    }
  }
  for (int i = 0; all && i < ir->enum_count; i++) {
    if (header < 0 || ir->enums[i].header == header) {
      names[count++] = python_enum_name(&ir->enums[i]);
    }
  }
  for (const bind_function *f = NULL; all && (f = bind_next_function(ir, f));) {
    if (python_results_name(ir, f) && (header < 0 || f->header == header)) {
      names[count++] = python_results_name(ir, f);
    }
  }
  qsort(names, count, sizeof *names, bind_by_name);
  const size_t classes = count;
  BIND_EACH_FUNCTION (f, ir) {
    if (python_is_free(f) && (header < 0 || f->header == header)) {
      names[count++] = python_function_name(f);
    }
  }
  qsort(names + classes, count - classes, sizeof *names, bind_by_name);
  return names;
}

void python_put_constants(bind_text *t, const bind_ir *ir, bool stub) {
  if (ir->constant_count) {
    bind_put(t, "\n");
  }
  BIND_EACH (const bind_constant, c, ir->constants, ir->constant_count) {
    const char *name = python_name(c->short_name);
    if (!stub) {
      bind_line(t, "%s = %s", name, c->text);
    } else if (c->scalar == BIND_F64) {
      bind_line(t, "%s: %s", name, python_plain(ir, "float"));
    } else {
      bind_line(t, "%s: %s", name, python_plain(ir, "int"));
    }
  }
}

/* Append names, which NULL ends, each in these quotes on a line. */
static void python_put_names(bind_text *t, const char *const *names, const char *quote) {
  for (; *names; names++) {
    bind_line(t, "%s%s%s,", quote, *names, quote);
  }
}

void python_put_all(bind_text *t, const bind_ir *ir) {
  bind_open(t, "__all__ = [");
  for (int i = 0; i < ir->constant_count; i++) {
    bind_line(t, "\"%s\",", python_name(ir->constants[i].short_name));
  }
  python_put_names(t, python_sorted_names(ir, true, -1), "\"");
  bind_close(t, "]");
}

static const char python_init[] = "\"\"\"$doc\"\"\"\n"
                                  "\n"
                                  "$enum_import\n"
                                  "from ._$package import (\n"
                                  "    $names\n"
                                  ")\n"
                                  "$enums\n"
                                  "\n"
                                  "$all\n";

/* NAME/fft.py: the names of one header, for type checkers too. */
static void python_emit_modules(const bind_ir *ir, bind_out *out) {
  for (int i = 0; ir->modules && i < ir->header_count; i++) {
    const char **names = python_sorted_names(ir, true, i);
    bind_text t = {.unit = "    "};
    bind_line(&t,
              "\"\"\"The names of %s.\"\"\"\n",
              bind_doc_escape(BIND_DOC_PYTHON, ir->headers[i].name));
    if (*names) {
      bind_open(&t, "from . import (");
      python_put_names(&t, names, "");
      bind_close(&t, ")\n");
      bind_open(&t, "__all__ = [");
      python_put_names(&t, names, "\"");
      bind_close(&t, "]");
    }
    bind_write_filled(ir,
                      out,
                      BIND_HASH_FILE,
                      bind_string("python/%s/%s.py", ir->name, python_name(ir->modules[i])),
                      "$text\n",
                      {"text", bind_keep(&t)});
  }
}

/* The builtins that packages and stubs use. */
static const char *const python_builtins[] = {
    "bool", "complex", "float", "int", "object", "property", "staticmethod", "str", "tuple"};

void python_put_builtins(bind_text *t, const bind_ir *ir, const char *body) {
  BIND_EACH_STRING (word, python_builtins) {
    if (*python_plain(ir, *word) == '_' && (!body || strstr(body, bind_string(": _%s", *word)))) {
      bind_line(t, "from builtins import %s", python_import(ir, *word));
    }
  }
}

static void python_emit_init(const bind_ir *ir, bind_out *out) {
  const bool has_enums = ir->enum_count > 0;
  const bool has_results = python_has_results(ir, false);
  const bool has_arrays = python_has_results(ir, true);
  bind_text import = {0};
  bind_text names = {0};
  bind_text enums = {.unit = "    "};
  bind_text all = {.unit = "    "};
  python_put_enum_import(&import, ir);
  if (has_results) {
    bind_line(&import,
              "from typing import %s",
              bind_join(has_arrays ? python_import(ir, "Any") : "",
                        ", ",
                        python_import(ir, "NamedTuple")));
  }
  python_put_enums(&enums, ir, 2);
  BIND_EACH_FUNCTION (f, ir) {
    if (python_results_name(ir, f)) {
      bind_put(&enums, "\n\n");
      python_put_results(&enums, ir, f, false);
    }
  }
  python_put_constants(&enums, ir, false);
  python_put_all(&all, ir);
  bind_text builtins = {0};
  python_put_builtins(&builtins, ir, enums.length ? enums.data : "");
  if (ir->constant_count && !has_enums && !has_results) {
    bind_put(&import, "\n");
  }
  if (has_enums || has_results) {
    bind_put(&import, "\n");
    bind_put(&enums, "\n");
  }
  python_put_names(&names, python_sorted_names(ir, false, -1), "");
  bind_write_filled(ir,
                    out,
                    BIND_HASH_FILE,
                    bind_string("python/%s/__init__.py", ir->name),
                    python_init,
                    {"doc", bind_doc_escape(BIND_DOC_PYTHON, bind_said_or(ir->summary, ir->name))},
                    {"enum_import", bind_join(bind_keep(&builtins), "", bind_keep(&import))},
                    {"package", ir->name},
                    {"names", bind_keep(&names)},
                    {"enums", bind_keep(&enums)},
                    {"all", bind_keep(&all)});
}

static const char python_project[] =
    "[build-system]\n"
    "requires = [\"scikit-build-core>=1.1\", \"dlferry>=$version\"]\n"
    "build-backend = \"scikit_build_core.build\"\n"
    "\n"
    "[project]\n"
    "name = \"$package\"\n"
    "version = \"$own\"\n"
    "description = \"$summary\"\n"
    "readme = \"README.md\"\n"
    "$about\n"
    "requires-python = \">=3.10\"\n"
    "dependencies = [\"dlferry>=$version\"]\n"
    "\n"
    "$urls\n"
    "$tests\n"
    "[tool.scikit-build]\n"
    "minimum-version = \"1.1\"\n"
    "wheel.packages = [\"$package\"]\n"
    "\n"
    "[tool.cibuildwheel]\n"
    "build = \"cp3*\"\n"
    "skip = [\"cp3??t-*\", \"*-musllinux_aarch64\"]\n"
    "test-command = 'python -c \"import $package\"'\n"
    "manylinux-x86_64-image = \"manylinux2014\"\n"
    "manylinux-aarch64-image = \"manylinux2014\"\n"
    "linux.archs = [\"x86_64\", \"aarch64\"]\n"
    "macos.archs = [\"x86_64\", \"arm64\"]\n"
    "windows.archs = [\"AMD64\"]\n";

static const char python_project_tests[] = "[project.optional-dependencies]\n"
                                           "test = [\"numpy\", \"pytest\"]\n"
                                           "\n"
                                           "[tool.pytest.ini_options]\n"
                                           "testpaths = [\"tests\"]\n"
                                           "\n";

static const char python_cmake[] =
    "cmake_minimum_required(VERSION 3.25)\n"
    "project($package LANGUAGES C)\n"
    "find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)\n"
    "execute_process(COMMAND $${Python_EXECUTABLE} -c \"import dlferry; "
    "print(dlferry.get_cmake_dir())\"\n"
    "  OUTPUT_VARIABLE dlferry_cmake OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)\n"
    "include($${dlferry_cmake}/DlferryPython.cmake)\n"
    "dlferry_python_module($package MADE_BY $version MODULE ${package}_python.c "
    "SOURCES$sources$libraries)\n";

static const char *python_quoted(const char *text) {
  return bind_string("\"%s\"", bind_doc_escape(BIND_DOC_STRING, text));
}

/* { name = "Ada", email = "ada@example.org" } */
static const char *python_author(const char *author) {
  const char *open = strchr(author, '<');
  if (!open) {
    return bind_string("{ name = %s }", python_quoted(author));
  }
  const char *name = bind_sized(author, (size_t)(open - 1 - author));
  const char *address = bind_sized(open + 1, strlen(open) - 2);
  return bind_string("{ name = %s, email = %s }", python_quoted(name), python_quoted(address));
}

static const char *python_about(const bind_ir *ir) {
  const bind_package *package = &ir->package;
  const char *authors = "";
  const char *files = "";
  bind_text t = {0};
  for (int i = 0; i < package->author_count; i++) {
    authors = bind_join(authors, ", ", python_author(package->authors[i]));
  }
  for (int i = 0; i < package->license_file_count; i++) {
    files = bind_join(files, ", ", python_quoted(package->license_files[i].name));
  }
  if (*package->license) {
    bind_line(&t, "license = %s", python_quoted(package->license));
  }
  if (*files) {
    bind_line(&t, "license-files = [%s]", files);
  }
  if (*authors) {
    bind_line(&t, "authors = [%s]", authors);
  }
  return bind_keep(&t);
}

static void python_emit_filled(const bind_ir *ir, bind_out *out, bind_file_kind kind,
                               const char *path, const char *template) {
  const char *sources = bind_string(" c/%s", ir->twin_c.name);
  const char *libraries = bind_when(ir->link_count, " LIBRARIES");
  const char *summary = bind_doc_escape(BIND_DOC_STRING, bind_said_or(ir->summary, ir->name));
  BIND_EACH (const bind_file, source, ir->sources, ir->source_count) {
    sources = bind_string("%s c/%s", sources, source->name);
  }
  for (int i = 0; i < ir->link_count; i++) {
    libraries = bind_string("%s %s", libraries, ir->links[i]);
  }
  bind_write_filled(
      ir,
      out,
      kind,
      path,
      template,
      {"package", ir->name},
      {"version", ir->version},
      {"summary", summary},
      {"own", bind_package_version(ir)},
      {"about", python_about(ir)},
      {"urls",
       bind_when(*ir->package.homepage,
                 bind_string("[project.urls]\nHomepage = \"%s\"\n\n", ir->package.homepage))},
      {"tests", bind_has_cases(ir) ? python_project_tests : ""},
      {"sources", sources},
      {"libraries", libraries});
}

void python_emit_package(const bind_ir *ir, bind_out *out) {
  python_emit_init(ir, out);
  python_emit_modules(ir, out);
  python_emit_filled(ir, out, BIND_MANIFEST, "python/pyproject.toml", python_project);
  python_emit_filled(ir, out, BIND_HASH_FILE, "python/CMakeLists.txt", python_cmake);
}
