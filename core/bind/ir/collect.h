/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of the call's own, which keep a copy of what C passes them. */
#ifndef DLFERRY_BIND_IR_COLLECT_H
#define DLFERRY_BIND_IR_COLLECT_H

#include "bind/clauses/clauses.h"
#include "builder.h"

/* Add the clauses of the tensors that callers get, "flags: u32[_]", to the contract. */
void ir_add_collected(const ir_builder *b, const c_function *from, clause_words *words);

/* Let the call pass the callback and its data, and give what C passes; the parameters must exist.
 */
void ir_build_collect(ir_builder *b, bind_function *f, const c_function *from,
                      const clause_words *words);

#endif
