/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this folder: each compares one kind of declaration. */
#ifndef DLFERRY_BIND_DIFF_PARTS_H
#define DLFERRY_BIND_DIFF_PARTS_H

#include "bind/base/names.h"
#include "bind/base/text.h"
#include "bind/c/lex.h"
#include "bind/c/parse.h"
#include "bind/c/spell.h"
#include "diff.h"

/** Whom a change breaks; several at once. */
typedef enum diff_effect {
  DIFF_NONE = 0,
  DIFF_SOURCE = 1,  /**< C that is compiled again */
  DIFF_ABI = 2,     /**< programs that were compiled before */
  DIFF_CONTRACT = 4 /**< the packages that the file of contracts makes */
} diff_effect;

typedef struct diff_line {
  const char *text;
  int effects; /**< none: an addition, which breaks none of them */
} diff_line;

typedef struct diff_report {
  const diff_version *old, *now;
  diff_line *lines;
  int count, capacity;
} diff_report;

/** The name of a header of a version. */
static inline const char *diff_file(const diff_version *version, int header) {
  return version->options->headers[header];
}

/** Add a sentence about a line of a file. */
void diff_say(diff_report *r, const char *file, int line, int effects, const char *format, ...)
    BIND_PRINTF(5, 6);

/** Return how two types of a parameter or a result differ. */
int diff_types(const c_type *old, const c_type *now, bool is_result);

/** Return "`long b`, was `int b`". A typedef may have kept its name. */
const char *diff_was(const char *now, const c_type *now_type, const char *old,
                     const c_type *old_type);

void diff_functions(diff_report *r);
void diff_structs(diff_report *r);
void diff_enums(diff_report *r);
void diff_macros(diff_report *r);
void diff_contracts(diff_report *r);

#endif
