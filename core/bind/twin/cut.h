/* SPDX-License-Identifier: Apache-2.0 */
/* C for outputs of which the kernel reports how much it wrote. */
#ifndef DLFERRY_BIND_TWIN_CUT_H
#define DLFERRY_BIND_TWIN_CUT_H

#include "bind/ir/ir.h"

/* Tell whether a function has such outputs. */
bool cut_needed(const bind_function *f);

/* The places for the numbers, with the extent of the memory in each: some C reads it there. */
const char *cut_places(const bind_function *f);

/* After the kernel: the numbers are checked and handed over. */
const char *cut_counted(const bind_function *f);

/* In f_new: variables for the numbers; then each output that it made is cut. */
const char *cut_variables(const bind_function *f);
const char *cut_made(const bind_function *f);

#endif
