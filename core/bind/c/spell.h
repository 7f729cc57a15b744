/* SPDX-License-Identifier: Apache-2.0 */
/* Write C declarations back as text. */
#ifndef DLFERRY_BIND_C_SPELL_H
#define DLFERRY_BIND_C_SPELL_H

#include "parse.h"

/** Return a type as C declares a name with it: "const char *name", "int (*compare)(int a, int b)";
 * of a parameter that is an array "double x[3]". Without a name ("") the type alone. */
const char *c_spell(const c_type *t, const char *name);

/** Return a function's declaration, without `;`. */
const char *c_spell_function(const c_function *f);

#endif
