/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in C: their names, sizes and ranges. */
#ifndef DLFERRY_BIND_READ_SCALAR_H
#define DLFERRY_BIND_READ_SCALAR_H

#include <stdint.h>

/** Width of an integer or a real. `long` and `size_t` count as 64 bits: LP64 only. */
typedef enum bind_scalar {
  BIND_NONE,
  BIND_I8,
  BIND_I16,
  BIND_I32,
  BIND_I64,
  BIND_U8,
  BIND_U16,
  BIND_U32,
  BIND_U64,
  BIND_F32,
  BIND_F64
} bind_scalar;

/** How C spells a scalar: "int32_t", "double". */
const char *bind_scalar_c(bind_scalar scalar);

/** Its short name, that of contracts, of the IR and of Rust: "i32", "f64". */
const char *bind_scalar_name(bind_scalar scalar);

/** The lowest and the highest value of an integer scalar that fit in 64 signed bits; 0 for reals. */
int64_t bind_scalar_lowest(bind_scalar scalar);
int64_t bind_scalar_highest(bind_scalar scalar);

/** Its bytes; 0 for BIND_NONE. */
int bind_scalar_size(bind_scalar scalar);

#endif
