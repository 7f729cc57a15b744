/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the command is given. */
#ifndef DLFERRY_BIND_INPUTS_H
#define DLFERRY_BIND_INPUTS_H

#include "bind/ir/ir.h"
#include "options.h"

/** Read the header and the sources, and take over from the options what emitters need. False after
 * bind_error. */
bool inputs_read(bind_ir *ir, command_options *o);

/** Print which #include lines name a file of the user's that packages will not have at that place.
 */
void inputs_look_for_includes(const bind_ir *ir, const command_options *o);

#endif
