/* SPDX-License-Identifier: Apache-2.0 */
/* A file of contracts to start from: a block for each function, with guesses that do nothing. */
#ifndef DLFERRY_BIND_SKELETON_H
#define DLFERRY_BIND_SKELETON_H

#include "accept.h"
#include "bind/ir/ir.h"

/* Write the file, which must not exist. Beside a file of contracts it begins with that file, byte
 * for byte, and has blocks only for what is missing there; if it is that file, they are added to
 * it. Returns the exit status. */
int skeleton_write(const accept_inputs *inputs, const bind_ir *ir, const char *path);

#endif
