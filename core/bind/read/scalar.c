/* SPDX-License-Identifier: Apache-2.0 */
/* The scalars of the IR: their names and ranges. */
#include "scalar.h"

const char *bind_scalar_c(bind_scalar scalar) {
  static const char *const names[] = {"",         "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                      "uint16_t", "uint32_t", "uint64_t", "float",   "double"};
  return names[scalar];
}

const char *bind_scalar_name(bind_scalar scalar) {
  static const char *const names[] = {"", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"};
  return names[scalar];
}

int64_t bind_scalar_highest(bind_scalar scalar) {
  static const int64_t highest[] = {0,          INT8_MAX,   INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX,
                                    UINT16_MAX, UINT32_MAX, INT64_MAX, 0,         0};
  return highest[scalar];
}
