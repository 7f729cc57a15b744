/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of the clauses that a function over plain pointers needs, by names and types. */
#ifndef DLFERRY_BIND_GUESS_H
#define DLFERRY_BIND_GUESS_H

#include "bind/base/text.h"
#include "bind/ir/ir.h"

/** What guesses ask about all functions, found once. */
typedef struct guess_facts {
  const bind_ir *ir;
  bind_index executed;         /**< handles that a function like fftw_execute takes alone */
  bool thread_safe;            /**< a function's name has "thread_safe" */
  bind_index bounds;           /**< functions such as compressBound by what stands before "Bound" */
  bind_index rooms;            /**< "dest destLen" of functions that have such a bound */
  const bind_function **texts; /**< functions that name a code, or the last failure */
  int text_count, text_capacity;
} guess_facts;

guess_facts guess_find_facts(const bind_ir *ir);

/** Put the handles that the function's parameters may be, one a line. */
void guess_put_handles(bind_text *t, const bind_ir *ir, const bind_function *f);

/** Put the function's block, each clause after the mark: "?" makes it inert. Nothing is put if
 * there is no guess; then returns what names and types do not tell, or NULL. */
const char *guess_put_function(bind_text *t, const guess_facts *facts, const bind_function *f,
                               const char *mark);

/** Put the families of the whole header, one a line. */
void guess_put_families(bind_text *t, const bind_ir *ir, const char *mark);

#endif
