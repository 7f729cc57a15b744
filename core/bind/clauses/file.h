/* SPDX-License-Identifier: Apache-2.0 */
/* The clause of an open file that C uses in the call alone: `f: file "rb"`. */
#ifndef DLFERRY_BIND_CLAUSES_FILE_H
#define DLFERRY_BIND_CLAUSES_FILE_H

#include "texts.h"

/* Read such a clause: callers give a path, which is a text. */
clause_found file_read(const bind_clause *c, text_clause *out, const char **why);

#endif
