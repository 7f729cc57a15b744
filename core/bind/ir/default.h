/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults of parameters. */
#ifndef DLFERRY_BIND_IR_DEFAULT_H
#define DLFERRY_BIND_IR_DEFAULT_H

#include "builder.h"
#include "contract/contract.h"

/* Take a default of the contract, as a literal that all languages read. */
void ir_build_default(ir_builder *b, const bind_function *f, bind_param *p, const dlf__default *d);

#endif
