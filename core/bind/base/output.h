/* SPDX-License-Identifier: Apache-2.0 */
/* Files that an emitter writes, or compares. */
#ifndef DLFERRY_BIND_BASE_OUTPUT_H
#define DLFERRY_BIND_BASE_OUTPUT_H

#include "text.h"

/** Where files go. With check they are compared instead of written, and `different` counts those that differ. */
typedef struct bind_out {
  const char *directory; /**< NULL: nowhere, for who wants to see an emitter run */
  bool check;
  int different;
  int failed; /**< files that could not be written */
} bind_out;

/** Write (or compare) a file below out->directory; folders are made. Nothing is touched when it is already the same.
 *  Failures are printed and counted in out, the command then ends with status 1. */
void bind_write(bind_out *out, const char *path, const bind_text *text);

/** The same for the start of a file: what somebody else has written behind it stays. */
void bind_write_start(bind_out *out, const char *path, const bind_text *text);

/** The same for a manifest: the version that an existing one gives its package stays, since that is the user's to count. */
void bind_write_manifest(bind_out *out, const char *path, const bind_text *text);

/** The same for bytes. */
void bind_write_bytes(bind_out *out, const char *path, const char *data, size_t size);

#endif
