/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks about the elements of an array of integers: "hook(last(Ap))". */
#ifndef DLFERRY_BIND_IR_ELEMENT_H
#define DLFERRY_BIND_IR_ELEMENT_H

#include "contract/contract.h"
#include "ir.h"

/* Tell whether a hook's function is one of the twins' about the elements of an array. */
bool ir_is_of_elements(const char *function);

/* Build such a hook; returns why it is wrong, or NULL. */
const char *ir_build_of_elements(const bind_function *f, const dlf_contract *c,
                                 const dlf__hook *from, bind_hook *hook);

#endif
