/* SPDX-License-Identifier: Apache-2.0 */
/* A file of contracts beside a header that stays as it is: `NAME { contract }`, where NAME may hold `*`. */
#ifndef DLFERRY_BIND_READ_SIDECAR_H
#define DLFERRY_BIND_READ_SIDECAR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sidecar_block {
  const char *name; /* of a function, or a pattern with `*` */
  const char *contract;
  int line;
  bool pattern, used;
} sidecar_block;

typedef struct sidecar {
  const char *file;
  sidecar_block *blocks;
  int count, capacity;
} sidecar;

/* Read a file's text. False after bind_error. */
bool sidecar_read(const char *file, const char *text, sidecar *out);

/* Find a function's block and mark it as used: its own, else the only pattern that matches; NULL for none. False after
 * bind_error, if several patterns match. */
bool sidecar_find(sidecar *s, const char *function, const sidecar_block **out);

/* Print each block that no function has; returns their number. */
int sidecar_report_unused(const sidecar *s);

#endif
