/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses as if a person had accepted them all: the generator itself tells which of them bind a
 * function. */
#ifndef DLFERRY_BIND_ACCEPT_H
#define DLFERRY_BIND_ACCEPT_H

#include "bind/ir/read.h"
#include "guess.h"

/** The inputs of a header before it is read, and what the command says of them. */
typedef struct accept_inputs {
  const bind_ir *ir;
  const bind_options *options;
} accept_inputs;

/** A guess that is kept has true at its place. */
typedef struct accept_kept {
  guess_block *guesses; /**< for each function of the header */
  bool *functions;      /**< likewise */
  const char **why;     /**< for each function whose guess is not kept: why, or NULL */
  bool *binds;          /**< for each function: callers get it, or it frees an object, with all
                           guesses that are kept */
  bool *types;          /**< for each guess of a handle */
  bool families;
} accept_kept;

/** Find the guesses with which the header is read without an error, and that bind their function.
 */
accept_kept accept_find(const accept_inputs *inputs, const bind_ir *ir);

/** Append the guesses of handles and families that are kept, each behind a mark. */
void accept_put_shared(bind_text *text, const accept_kept *kept, const bind_ir *ir,
                       const char *mark);

#endif
