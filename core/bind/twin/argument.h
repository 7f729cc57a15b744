/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of arguments that contracts do not cover, and their texts: for the twins, and for the
 * tests that expect them.
 * */
#ifndef DLFERRY_BIND_TWIN_ARGUMENT_H
#define DLFERRY_BIND_TWIN_ARGUMENT_H

#include "bind/ir/ir.h"

/* "scalars: mode", an integer, "ADD|MULTIPLY" */
#define ARGUMENT_NOT_IN "%s is %lld, wanted %s"

/* The labels of an enum's values, '|' between them; only the first ones of many. */
const char *argument_labels(const bind_enum *e);

/* C's beginning of a statement that runs if a value is not in an enum, "if (...)": such a value
 * would be undefined behaviour in many switches. */
const char *argument_enum_test(const bind_enum *e, const char *value);

/* The characters that are allowed, for messages: "'U'|'L'". */
const char *argument_letters(const bind_param *p);

/* Tell whether an enum has a value, or of flags only bits that it has; any value if it names none.
 */
bool argument_is_in(const bind_enum *e, int64_t value);

/* "scalars: mode": the beginning of a text about a parameter. */
const char *argument_where(const bind_function *f, const bind_param *p);

/* The text that refuses a closed handle. */
const char *argument_closed(const bind_function *f, const bind_param *p);

#endif
