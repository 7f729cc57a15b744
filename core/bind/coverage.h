/* SPDX-License-Identifier: Apache-2.0 */
/* --coverage: how many functions of the headers callers get, and why they do not get the others. */
#ifndef DLFERRY_BIND_COVERAGE_H
#define DLFERRY_BIND_COVERAGE_H

#include "accept.h"
#include <stdio.h>

/* Print the counts, and the functions that are left out by reason: a table or JSON. Returns the
 * exit status. */
int coverage_print(const accept_inputs *inputs, const bind_ir *ir, bool json, FILE *file);

#endif
