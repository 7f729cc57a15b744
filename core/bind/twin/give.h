/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the library owns, as tensors. */
#ifndef DLFERRY_BIND_TWIN_GIVE_H
#define DLFERRY_BIND_TWIN_GIVE_H

#include "bind/ir/ir.h"

/* Tell whether a function gives pointers to elements, and whether its tensors hang on a handle or
 * own memory. */
bool give_needed(const bind_function *f);
bool give_owns(const bind_function *f);

/* Functions that free what tensors own, which stand before the twins. */
const char *give_functions(const bind_function *f);

/* Variables to which C gets pointers. */
const char *give_places(const bind_function *f);

/* The variable that receives the pointer that C returns: "const float *dlf_given_result = "; ""
 * without one. */
const char *give_received(const bind_function *f);

/* Make the tensors after a success. If that fails, what C gave is freed at once. */
const char *give_statements(const bind_function *f);

/* Store the extents that C gave among the contract's arguments. */
const char *give_values(const bind_function *f);

/* Free memory that a handle's tensors no longer use, before the call. */
const char *give_cleared(const bind_function *f);

#endif
