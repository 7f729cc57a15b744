/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of texts that callers free. */
#ifndef DLFERRY_BIND_GUESS_TEXTS_H
#define DLFERRY_BIND_GUESS_TEXTS_H

#include "guess_plan.h"

/* Note a function that frees memory of any type, or a text. */
void guess_note_freeing(guess_facts *facts, const bind_function *f);

/* Put the clause of a text behind a pointer, if the comment names what frees it; false otherwise.
 */
bool guess_put_given_text(guess_plan *g, const bind_param *p);

/* The same of the result. */
void guess_put_returned_text(guess_plan *g);

#endif
