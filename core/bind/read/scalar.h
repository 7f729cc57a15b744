/* SPDX-License-Identifier: Apache-2.0 */
/* The scalars of the IR: their names and ranges. */
#ifndef DLFERRY_BIND_READ_SCALAR_H
#define DLFERRY_BIND_READ_SCALAR_H

#include "ir.h"

/** How C spells a scalar: "int32_t", "double". */
const char *bind_scalar_c(bind_scalar scalar);

/** Its short name, that of contracts, of the IR and of Rust: "i32", "f64". */
const char *bind_scalar_name(bind_scalar scalar);

/** The highest value of an integer scalar that fits in 64 signed bits; 0 for reals. */
int64_t bind_scalar_highest(bind_scalar scalar);

#endif
