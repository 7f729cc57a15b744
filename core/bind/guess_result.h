/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of what a function returns. */
#ifndef DLFERRY_BIND_GUESS_RESULT_H
#define DLFERRY_BIND_GUESS_RESULT_H

#include "guess_plan.h"

/* Tell whether an object keeps what the function gets. */
bool guess_keeps(const guess_plan *g);

/* Put a clause for a result that is a code. */
void guess_put_status(guess_plan *g);

/* Put clauses for what the result keeps, for a lock, and for a method that may be a property. */
void guess_put_attributes(guess_plan *g);

#endif
