/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the library gives to callers, and tensors that it keeps after a call. */
#ifndef DLFERRY_BIND_IR_MEMORY_H
#define DLFERRY_BIND_IR_MEMORY_H

#include "bind/clauses/clauses.h"
#include "builder.h"

/* Tell whether a parameter is memory that the library gives, by its clause. */
bool ir_is_gift(const clause_words *words, const char *name);

/* Build what the library gives and keeps; the parameters must exist. */
void ir_build_gifts(ir_builder *b, bind_function *f, const c_function *from,
                    const clause_words *words);
void ir_build_keeps(ir_builder *b, bind_function *f, const clause_words *words);

/* ---- origin.c ---- */

/* Note which objects go only with the ones that they were made from; once all functions exist, fail
 * where nothing makes them so. */
void ir_build_origins(ir_builder *b, bind_function *f, const clause_words *words);
void ir_check_origins(ir_builder *b);

/* ---- fact.c ---- */

/* Tell whether `keeps` is about a number, and note it; once all functions exist, fail where one is
 * read that no object keeps. */
bool ir_find_fact(const ir_builder *b, const bind_function *f, const keep_clause *k,
                  bind_fact *out);
void ir_keep_fact(ir_builder *b, bind_function *f, bind_fact fact);
void ir_check_facts(ir_builder *b);

/* Return the name of the lock that a function's own contract says, or NULL. */
const char *ir_lock_of(ir_builder *b, const char *function);

/* Return the lock that a function takes when a call of f calls it: NULL for none, or if that call
 * has it already. Another one than the call's is an error, which says who takes it. */
const char *ir_inner_lock(ir_builder *b, const bind_function *f, const char *function,
                          const char *own_lock, const char *who);

#endif
