/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments with the axes of a tensor, which callers do not pass. */
#ifndef DLFERRY_BIND_IR_AXES_H
#define DLFERRY_BIND_IR_AXES_H

#include "builder.h"

/* Let the call fill in the parameters that clauses as "countp := shape(op)" name. */
void ir_build_axes(ir_builder *b, const bind_function *f, const c_function *from,
                   const clause_words *words);

#endif
