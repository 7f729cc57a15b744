/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of generated files, and the C that packages carry. */
#ifndef DLFERRY_BIND_EMIT_PACKAGE_H
#define DLFERRY_BIND_EMIT_PACKAGE_H

#include "bind/base/output.h"
#include "bind/base/template.h"
#include "bind/ir/ir.h"

/** How the comments of a file begin and end, and what stays of the one that is there. */
typedef enum bind_file_kind {
  BIND_C_FILE,
  BIND_SLASHES_FILE, /**< Rust and Go */
  BIND_HASH_FILE,    /**< Python, Julia, TOML and texts */
  BIND_MARKDOWN_FILE,
  BIND_MANIFEST, /**< TOML with the package's version: without a package file, an existing manifest
                    keeps its own */
  BIND_GO_MOD    /**< `go mod edit -replace` writes at its end, which stays */
} bind_file_kind;

/** Write (or compare) a file below the folder of its language: the first lines, then a template. */
#define bind_write_filled(ir, out, kind, path, template, ...)                                      \
  bind_write_template(                                                                             \
      ir, out, kind, path, template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
void bind_write_template(const bind_ir *ir, bind_out *out, bind_file_kind kind, const char *path,
                         const char *template, const bind_field *fields);

/** Write (or compare) a copy of one file under the given folder, such as "go". */
void bind_copy(bind_out *out, const char *folder, const bind_file *file);

/** Copy all the C that a package must carry into a folder: the user's header and sources,
 * NAME_dlferry.h and .c. */
void bind_copy_sources(bind_out *out, const char *folder, const bind_ir *ir);

/** Copy the license files into a folder. */
void bind_copy_licenses(bind_out *out, const char *folder, const bind_ir *ir);

/** Return "KEY = [...]\n" of the package's authors for a manifest, each as "Name <address>"; "" for
 * none. */
const char *bind_author_list(const bind_ir *ir);

/** Return the version to write. */
const char *bind_package_version(const bind_ir *ir);

/** Return "0.1" for "0.1.2". */
const char *bind_minor_version(const char *version);

/** Line 1 of a generated file says that it is generated, from what, by which command. Line 2 is the
 * header's SPDX line, if it has one.
 *  @param language  "python", ... or NULL for what all languages share */
void bind_first_line(bind_text *text, const bind_ir *ir, bind_file_kind kind, const char *language);

#endif
