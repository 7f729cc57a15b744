/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of generated files, and the C that packages carry. */
#ifndef DLFERRY_BIND_EMIT_PACKAGE_H
#define DLFERRY_BIND_EMIT_PACKAGE_H

#include "bind/base/output.h"
#include "bind/ir/ir.h"

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

/** Write a manifest. The version is that of the package file; without one an existing manifest
 * keeps its own. */
void bind_write_package_manifest(bind_out *out, const char *path, const bind_ir *ir,
                                 const bind_text *text);

/** Return the version to write. */
const char *bind_package_version(const bind_ir *ir);

/** Return "0.1" for "0.1.2". */
const char *bind_minor_version(const char *version);

/** Line 1 of a generated file, between comment marks: says that it is generated, from what, by
 * which command. Line 2 is the header's SPDX line, if it has one.
 *  @param language  "python", ... or NULL for what all languages share */
void bind_first_line(bind_text *text, const bind_ir *ir, const char *open, const char *close,
                     const char *language);

#endif
