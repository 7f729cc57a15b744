/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters whose names the twins need themselves: `error`, the function that is called. */
#ifndef DLFERRY_BIND_TWIN_RENAME_H
#define DLFERRY_BIND_TWIN_RENAME_H

#include "bind/base/text.h"
#include "bind/ir/ir.h"

/* A copy of the function in which such parameters have the names of bind_twin_param_name; f itself
 * if it has none. */
const bind_function *rename_needed(const bind_function *f);

/* Append C that was written for that copy: its texts and comments get the parameters' real names.
 */
void rename_put_back(bind_text *to, const char *c);

#endif
