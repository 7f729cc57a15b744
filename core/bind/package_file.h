/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --package-file, a small part of TOML:
 *
 *   version = "1.2.0"
 *   license = "MIT"
 *   license-files = ["LICENSE"]
 *   authors = ["Ada Lovelace <ada@example.org>"]
 *   homepage = "https://example.org/photo" */
#ifndef DLFERRY_BIND_PACKAGE_FILE_H
#define DLFERRY_BIND_PACKAGE_FILE_H

#include "bind/ir/ir.h"

/** Read the text of such a file. Unknown keys, keys given twice and any other TOML are errors.
 *  Returns false after bind_error, which begins with the file's name and the line. The files of
 * license-files have no data yet. */
bool package_file_parse(const char *path, const char *text, bind_package *out);

#endif
