/* SPDX-License-Identifier: Apache-2.0 */
/* The languages that packages are made for. A new one is a line of the table in emitters.c. */
#ifndef DLFERRY_BIND_EMITTERS_H
#define DLFERRY_BIND_EMITTERS_H

#include "bind/base/output.h"
#include "bind/read/ir.h"

typedef struct bind_emitter {
  const char *name; /**< as --lang has it */
  /** Write a package's files. Returns 0, or 1 after bind_error. */
  int (*emit)(const bind_ir *ir, bind_out *out);
  /** Append how a bound function looks, a line for each of its forms. A line may end with a brace that opens a body. */
  void (*explain)(const bind_ir *ir, const bind_function *f, bind_text *text);
} bind_emitter;

/** In the order in which people are told of them; a NULL name ends the table. */
extern const bind_emitter bind_emitters[];

/** The emitter of a language, or NULL. */
const bind_emitter *bind_find_emitter(const char *name);

/** "python,rust,go,julia" */
const char *bind_emitter_names(void);

#endif
