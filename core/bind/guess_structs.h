/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of one struct behind a pointer. */
#ifndef DLFERRY_BIND_GUESS_STRUCTS_H
#define DLFERRY_BIND_GUESS_STRUCTS_H

#include "guess_plan.h"

/* Put the clause of a pointer to a struct with public fields, if its name is that of one and no
 * number stands beside it; false otherwise. */
bool guess_put_struct(guess_plan *g, const bind_param *p);

#endif
