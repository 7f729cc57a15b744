/* SPDX-License-Identifier: Apache-2.0 */
/* The guesses of one function while they are found, and what types say about its parameters. */
#ifndef DLFERRY_BIND_GUESS_PLAN_H
#define DLFERRY_BIND_GUESS_PLAN_H

#include "bind/base/text.h"
#include "bind/ir/ir.h"
#include "guess.h"

/* The clauses of one function. */
typedef struct guess_plan {
  const guess_facts *facts;
  const bind_ir *ir;
  const bind_function *f;
  guess_block block;
  bool *used;   /* for each parameter: a clause explains this integer */
  bool *extent; /* for each parameter: an extent has its name */
} guess_plan;

/* Note what neither names nor types tell of a parameter; the first one counts. */
void guess_lacks(guess_plan *g, const bind_param *p, const char *why);

/* Add clauses that belong together, and on what they rest. */
void guess_say(guess_plan *g, const char *confidence, const char *format, ...) BIND_PRINTF(3, 4);

/* Return the clause of a tensor: "x: inout f32[n]". */
const char *guess_tensor(const guess_plan *g, const bind_param *p, const char *extents);

/* Tell whether a clause explains an integer. */
bool guess_is_explained(const guess_plan *g, const bind_param *integer);

/* Find an integer that callers pass by its name in small letters; NULL for none. */
const bind_param *guess_integer(const bind_function *f, const char *name);

/* Count the stars of a type. */
int guess_stars(const char *c);

/* Tell whether functions seem to make and free a type. */
bool guess_is_handle(const bind_ir *ir, const char *type);

/* The elements behind a pointer, or NULL for another parameter. */
const char *guess_elements(const bind_ir *ir, const bind_param *p);

/* Tell whether C only reads what a pointer leads to. */
bool guess_is_const(const bind_param *p);

/* Tell whether elements are bytes, or of any type. */
bool guess_is_bytes(const char *elements);

/* Note that a clause explains an integer; or that it is also the name of an extent. */
void guess_explain(guess_plan *g, const bind_param *integer);
void guess_take(guess_plan *g, const bind_param *length);

#endif
