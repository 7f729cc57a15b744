/* SPDX-License-Identifier: Apache-2.0 */
/* Files that an emitter writes or compares. */
#ifndef DLFERRY_BIND_BASE_OUTPUT_H
#define DLFERRY_BIND_BASE_OUTPUT_H

#include "text.h"

/** The place of files. With check they are compared instead of written, and `different` counts
 * those that differ. */
typedef struct bind_out {
  const char *directory; /**< NULL writes nothing, for tests of emitters */
  bool check;
  int different;
  int failed; /**< files that could not be written */
} bind_out;

/** Write (or compare) a file below out->directory, and make its folders. A file that is the same
 * already is not touched. Failures are printed and counted in out; the command then ends with
 * status 1. */
void bind_write(bind_out *out, const char *path, const bind_text *text);

/** Do the same for the start of a file, and leave the rest, which others write. */
void bind_write_start(bind_out *out, const char *path, const bind_text *text);

/** Do the same for a manifest, but keep the package version of an existing one, since users count
 * it themselves. */
void bind_write_manifest(bind_out *out, const char *path, const bind_text *text);

/** Do the same for bytes. */
void bind_write_bytes(bind_out *out, const char *path, const char *data, size_t size);

#endif
