/* SPDX-License-Identifier: Apache-2.0 */
/* Read a header into the IR. */
#ifndef DLFERRY_BIND_IR_READ_H
#define DLFERRY_BIND_IR_READ_H

#include "ir.h"

typedef struct bind_options {
  const char *const *headers; /* as messages name them: as many as the IR has */
  int (*which)(
      const char *file); /* the header that a line mark of bind_ir.preprocessed names, or -1 */
  const char *name, *prefix, *command;
  const char *contracts,
      *contracts_text; /* a file of contracts beside the header, and its text; NULL for none */
  const char *const *ignore;
  bool strict;
  bool silent; /* about functions that are not bound */
} bind_options;

/* Read the header into ir, whose header, sources and version are set. False after bind_error. */
bool bind_read(bind_ir *ir, const bind_options *options);

#endif
