/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in C: their names, sizes and ranges. */
#ifndef DLFERRY_BIND_C_SCALAR_H
#define DLFERRY_BIND_C_SCALAR_H

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
  BIND_F64,
  BIND_C64, /**< two floats */
  BIND_C128 /**< two doubles */
} bind_scalar;

/** Return the name of a scalar in C: "int32_t", "double"; of a complex one the struct in the twins,
 * "dlf_c64". */
const char *bind_scalar_c(bind_scalar scalar);

/** Return the scalar of a short name, or BIND_NONE. */
bind_scalar bind_scalar_named(const char *name);

/** Return its short name, as in contracts, the IR and Rust: "i32", "f64". */
const char *bind_scalar_name(bind_scalar scalar);

/** Return the name that Go and NumPy have for a number of this short name: "int32" for "i32",
 * "float64", "complex128"; "" for "". */
const char *bind_scalar_long(const char *name);

/** Return the lowest and the highest value of an integer scalar that fit in int64_t; 0 for reals.
 */
int64_t bind_scalar_lowest(bind_scalar scalar);
int64_t bind_scalar_highest(bind_scalar scalar);

/** Return its size in bytes; 0 for BIND_NONE. */
int bind_scalar_size(bind_scalar scalar);

#endif
