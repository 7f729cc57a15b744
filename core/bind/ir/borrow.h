/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that C frees with another one, or never. */
#ifndef DLFERRY_BIND_IR_BORROW_H
#define DLFERRY_BIND_IR_BORROW_H

#include "bind/clauses/clauses.h"
#include "builder.h"

/* Tell whether a clause says that a parameter, or "return", is borrowed. */
bool ir_is_borrowed(const clause_words *words, const char *name);

/* Note that what a function creates is not freed. */
void ir_build_borrow(ir_builder *b, bind_function *f, const clause_words *words);

/* Say which clause would let a function return a handle; start: how names of its makers begin. */
const char *ir_why_not_made(const bind_function *f, const char *start);

/* Leave out functions that would use borrowed objects wrongly; all must exist. */
void ir_check_borrows(ir_builder *b);

/* Leave out functions without a lock that lend tensors until a change, or may change their handle.
 */
void ir_check_lenders(bind_ir *ir);

#endif
