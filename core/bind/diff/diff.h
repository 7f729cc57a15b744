/* SPDX-License-Identifier: Apache-2.0 */
/* --diff OLD: what breaks for those who use a header, and its file of contracts, from one version
 * to the next. */
#ifndef DLFERRY_BIND_DIFF_DIFF_H
#define DLFERRY_BIND_DIFF_DIFF_H

#include "bind/ir/read.h"
#include <stdio.h>

/** One version of the headers, read with the file of contracts. */
typedef struct diff_version {
  const bind_ir *ir;
  const bind_options *options;
  bool suits;           /**< the file of contracts has no mistake about it */
  const char *mistakes; /**< what the reader said of it, one a line */
} diff_version;

/** Print the breaks and the additions. Returns the number of breaks, or -1 if nothing can be
 * written. */
int diff_print(const diff_version *old, const diff_version *now, FILE *file);

#endif
