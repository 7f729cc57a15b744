/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that a `const char *` alone does not tell. */
#ifndef DLFERRY_BIND_IR_TEXTS_H
#define DLFERRY_BIND_IR_TEXTS_H

#include "bind/clauses/clauses.h"
#include "builder.h"

/* Take what the clauses say of texts for what it is; the parameters must exist. */
void ir_build_texts(ir_builder *b, bind_function *f, const c_function *from,
                    const clause_words *words);

/* Say which clause would bind a pointer to a text, or return NULL for another type. */
const char *ir_why_text(const char *name, const c_type *t);

/* The clauses that would bind a text that C returns; "" for another type. */
const char *ir_text_of_result(const c_type *t);

/* Take `x: in` out for each text and each struct behind a pointer to const. */
void ir_take_texts(const ir_builder *b, const c_function *from, clause_words *words);

#endif
