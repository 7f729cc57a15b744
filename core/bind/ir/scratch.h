/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that C needs for the call alone, which callers do not pass. */
#ifndef DLFERRY_BIND_IR_SCRATCH_H
#define DLFERRY_BIND_IR_SCRATCH_H

#include "builder.h"

/* Let the call make the memory of the parameters that clauses as "work := scratch(2 * n)" name. */
void ir_build_scratch(ir_builder *b, const bind_function *f, const c_function *from,
                      const clause_words *words);

#endif
