/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters through which C reports a failure, which callers do not pass. */
#ifndef DLFERRY_BIND_IR_REPORT_H
#define DLFERRY_BIND_IR_REPORT_H

#include "builder.h"

/* Let the call make the place or the object that the clause "NAME: status ..." is about, and read
 * it. */
void ir_build_report(ir_builder *b, bind_function *f, const c_function *from,
                     const clause_words *words);

#endif
