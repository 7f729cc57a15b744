/* SPDX-License-Identifier: Apache-2.0 */
/* C that calls the functions which compute extents, before a contract is matched. */
#ifndef DLFERRY_BIND_TWIN_HOOKS_H
#define DLFERRY_BIND_TWIN_HOOKS_H

#include "bind/ir/ir.h"

/* The statements that fill in dlf_values, and match the inputs before hooks that get them; ""
 * without hooks. */
const char *hooks_statements(const bind_function *f);

/* The argument of C for a tensor that a hook or the kernel gets as a DLTensor for the call alone.
 */
const char *hooks_tensor(const bind_param *p);

/* An expression of C for the text, or NULL, of the status in dlf_code that a kernel or a hook
 * returned. */
const char *hooks_status_text(const bind_function *f);

#endif
