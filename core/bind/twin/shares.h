/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of parameter's contribution to each part of a twin, and a twin's tests beyond clauses.
 */
#ifndef DLFERRY_BIND_TWIN_SHARES_H
#define DLFERRY_BIND_TWIN_SHARES_H

#include "bind/base/template.h"
#include "bind/ir/ir.h"

/* The parts of f_checked, or of f_new (make), as fields; shares.c lists them. */
const bind_field *twin_shares(const bind_function *f, bool make);

#endif
