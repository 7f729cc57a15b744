/* SPDX-License-Identifier: Apache-2.0 */
/* --new NAME DIR writes a project to start from. Its files are templates of core/bind/project;
 * users may change them. */
#include "new.h"
#include "bind/base/embedded.h"
#include "bind/base/names.h"
#include "bind/base/output.h"
#include "bind/emit/package.h"
#include <dlferry.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct new_file {
  const char *path;
  const char *const *lines;
} new_files[] = {
    {"@name@.h", bind_embedded_header_h_in},
    {"@name@.c", bind_embedded_source_c_in},
    {"@name@.toml", bind_embedded_package_toml_in},
    {"CMakeLists.txt", bind_embedded_CMakeLists_txt_in},
    {"CMakePresets.json", bind_embedded_CMakePresets_json_in},
    {"release.cmake", bind_embedded_release_cmake_in},
    {".github/workflows/release.yml", bind_embedded_release_yml_in},
    {"README.md", bind_embedded_README_md_in},
    {".gitignore", bind_embedded_gitignore_in},
    {"@name@_test.c", bind_embedded_test_c_in},
    {"test_julia.jl", bind_embedded_test_julia_jl_in},
};

enum { NEW_FILES = sizeof new_files / sizeof *new_files };

/* Words that a language, its standard modules or CMake reserve. */
static const char new_kept[] = "all and array as assert async await base bool break c case catch "
                               "chan char class clean const continue core crate "
                               "def default defer del dlferry do double dyn elif else enum errors "
                               "except extern false final finally float fn for "
                               "from func global go goto help if impl import in install int "
                               "interface is julia lambda let long loop main map match "
                               "mod move mut none nonlocal not or package pass pkg pub python "
                               "raise range ref return rust self short signed sizeof "
                               "static std struct super switch template test testing tests trait "
                               "true try type typedef union unsafe unsigned use "
                               "var void volatile where while with yield";

/* Append a line of a template with the project's names filled in. */
static void new_fill(bind_text *text, const char *template, const char *name) {
  const char *const words[][2] = {{"@name@", name},
                                  {"@Name@", bind_pascal(name)},
                                  {"@NAME@", bind_upper(name)},
                                  {"@version@", dlf_version()},
                                  {"@minor@", bind_minor_version(dlf_version())}};
  enum { WORDS = sizeof words / sizeof *words };
  while (*template) {
    size_t i = 0;
    while (i < WORDS && !bind_begins(template, words[i][0])) {
      i++;
    }
    if (i < WORDS) {
      bind_add(text, words[i][1]);
      template += strlen(words[i][0]);
    } else {
      bind_raw(text, template++, 1);
    }
  }
}

static const char *new_path(const struct new_file *file, const char *name) {
  bind_text path = {0};
  new_fill(&path, file->path, name);
  return bind_keep(&path);
}

int new_project(const char *name, const char *folder) {
  bind_out out = {.directory = folder};
  if (bind_word_in(name, new_kept)) {
    bind_error("--new: expected a name that no language reserves, got %s", name);
    return 2;
  }
  for (int i = 0; i < NEW_FILES; i++) {
    const char *path = bind_string("%s/%s", folder, new_path(&new_files[i], name));
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT) {
      continue;
    }
    bind_error(
        "--new: %s: %s; nothing was written", path, file ? "already exists" : strerror(errno));
    if (file) {
      fclose(file);
    }
    return 1;
  }
  for (int i = 0; i < NEW_FILES; i++) {
    bind_text text = {0};
    for (const char *const *line = new_files[i].lines; *line; line++) {
      new_fill(&text, *line, name);
    }
    bind_write(&out, new_path(&new_files[i], name), &text);
    bind_text_free(&text);
  }
  if (out.failed) {
    return 1;
  }
  const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  /* the shell would split it */
  const char *quote = bind_when(folder[strspn(folder, plain)], "'");
  printf("%s: %d files. Next, with dlferry installed:\n", folder, (int)NEW_FILES);
  printf("  cd %s%s%s && cmake -S . -B build && cmake --build build && ctest --test-dir build\n",
         quote,
         folder,
         quote);
  return 0;
}
