/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of objects that may be absent, and of those that C keeps. */
#ifndef DLFERRY_BIND_GUESS_OBJECTS_H
#define DLFERRY_BIND_GUESS_OBJECTS_H

#include "guess_plan.h"

/* Put the clause of an object whose comment says that it may be NULL; false otherwise. */
bool guess_put_absent(guess_plan *g, const bind_param *p);

/* Put the clause of an object that C keeps, as the function's name or comment says. */
void guess_put_kept(guess_plan *g);

#endif
