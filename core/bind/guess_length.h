/* SPDX-License-Identifier: Apache-2.0 */
/* Which integer counts the elements of a pointer. */
#ifndef DLFERRY_BIND_GUESS_LENGTH_H
#define DLFERRY_BIND_GUESS_LENGTH_H

#include "guess_plan.h"

/* Find the only integer that is named after a pointer, like sourceLen after source; NULL for none.
 */
const bind_param *guess_own_length(const guess_plan *g, const bind_param *p, const char **word);

/* Tell whether a pointer to numbers has a name of its own, which may mean more than one number. */
bool guess_is_typedef(const bind_param *p);

/* Tell whether a function takes something that may know how many numbers belong together, such as a
 * model. */
bool guess_has_object(const guess_plan *g);

/* The integer that counts a pointer's elements; NULL for none. */
const bind_param *guess_length(const guess_plan *g, const bind_param *p, const char **confidence);

#endif
