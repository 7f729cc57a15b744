/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a function as a contract is compiled against them. */
#ifndef DLFERRY_BIND_READ_PARAMETERS_H
#define DLFERRY_BIND_READ_PARAMETERS_H

#include "ir.h"
#include <dlferry.h>

/** What a parameter is to the contract. */
dlf_parameter_kind bind_parameter_kind(const bind_param *p);

/** The contract's parameters: those of the C function, f->c_param_count of them. */
const dlf_parameter *bind_contract_parameters(const bind_function *f);

#endif
