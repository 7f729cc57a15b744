/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of the clauses that a function over plain pointers needs, by names and types. */
#ifndef DLFERRY_BIND_GUESS_H
#define DLFERRY_BIND_GUESS_H

#include "bind/clauses/tree.h"
#include "bind/ir/ir.h"

/** What guesses ask about all functions, found once. */
typedef struct guess_facts {
  const bind_ir *ir;
  bind_index executed;         /**< handles that a function like fftw_execute takes alone */
  bool thread_safe;            /**< a function's name has "thread_safe" */
  bind_index bounds;           /**< functions such as compressBound by what stands before "Bound" */
  bind_index rooms;            /**< "dest destLen" of functions that have such a bound */
  bind_index freeing;          /**< functions that free memory of any type, or a text */
  const bind_function **texts; /**< functions that name a code, or the last failure */
  int text_count, text_capacity;
} guess_facts;

guess_facts guess_find_facts(const bind_ir *ir);

/** Clauses that are right or wrong together. */
typedef struct guess_line {
  clause_list clauses;
  const char *confidence; /**< on what they rest; "" where other lines tell it */
} guess_line;

/** The guess of one function. */
typedef struct guess_block {
  guess_line *lines; /**< none if there is no guess */
  int count, capacity;
  const char *lack; /**< what neither names nor types tell, or NULL */
} guess_block;

guess_block guess_function(const guess_facts *facts, const bind_function *f);

/** Put the handles that the function's parameters may be, one a line. */
void guess_put_handles(bind_text *t, const bind_ir *ir, const bind_function *f);

/** Put a function's guess, if there is one, each clause after the mark: "?" makes it inert. */
void guess_put_block(bind_text *t, const bind_function *f, const guess_block *guess,
                     const char *mark);

/** Put the families of the whole header, one a line. */
void guess_put_families(bind_text *t, const bind_ir *ir, const char *mark);

#endif
