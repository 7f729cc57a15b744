/* SPDX-License-Identifier: Apache-2.0 */
/* Integers whose width C leaves to the platform: `long` and `size_t` have 64 bits where packages
 * are generated, and 32 on Windows or 32-bit machines. */
#ifndef DLFERRY_BIND_TWIN_PLATFORM_H
#define DLFERRY_BIND_TWIN_PLATFORM_H

#include "bind/ir/ir.h"

/* C's test whether a 64-bit number is below or above what C's integer holds, on any platform; "" if
 * none is. */
const char *platform_below(const bind_type *type, const char *number);
const char *platform_above(const bind_type *type, const char *number);

/* The highest value that C's integer holds on every platform. */
int64_t platform_most(const bind_type *type);

/* The lowest and the highest value of C's integer that fit in int64_t, as a constant of C. */
const char *platform_lowest(const bind_type *type);
const char *platform_highest(const bind_type *type);

/* Refuse to compile where C's elements are not of the contract's width: one line for each pointer.
 */
const char *platform_assertions(const bind_function *f);

#endif
