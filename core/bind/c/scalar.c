/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in C: one row each. */
#include "scalar.h"
#include <stddef.h>
#include <string.h>

static const struct scalar_row {
  const char *name, *c;
  int64_t lowest, highest;
  int size;
} scalar_rows[] = {
    [BIND_NONE] = {.name = "", .c = ""},
    [BIND_I8] = {.name = "i8", .c = "int8_t", .lowest = INT8_MIN, .highest = INT8_MAX, .size = 1},
    [BIND_I16] =
        {.name = "i16", .c = "int16_t", .lowest = INT16_MIN, .highest = INT16_MAX, .size = 2},
    [BIND_I32] =
        {.name = "i32", .c = "int32_t", .lowest = INT32_MIN, .highest = INT32_MAX, .size = 4},
    [BIND_I64] =
        {.name = "i64", .c = "int64_t", .lowest = INT64_MIN, .highest = INT64_MAX, .size = 8},
    [BIND_U8] = {.name = "u8", .c = "uint8_t", .highest = UINT8_MAX, .size = 1},
    [BIND_U16] = {.name = "u16", .c = "uint16_t", .highest = UINT16_MAX, .size = 2},
    [BIND_U32] = {.name = "u32", .c = "uint32_t", .highest = UINT32_MAX, .size = 4},
    [BIND_U64] = {.name = "u64", .c = "uint64_t", .highest = INT64_MAX, .size = 8},
    [BIND_F32] = {.name = "f32", .c = "float", .size = 4},
    [BIND_F64] = {.name = "f64", .c = "double", .size = 8},
    [BIND_C64] = {.name = "c64", .c = "dlf_c64", .size = 8},
    [BIND_C128] = {.name = "c128", .c = "dlf_c128", .size = 16},
};

const char *bind_scalar_c(bind_scalar scalar) {
  return scalar_rows[scalar].c;
}

const char *bind_scalar_name(bind_scalar scalar) {
  return scalar_rows[scalar].name;
}

bind_scalar bind_scalar_named(const char *name) {
  for (size_t i = BIND_NONE + 1; i < sizeof scalar_rows / sizeof *scalar_rows; i++) {
    if (strcmp(scalar_rows[i].name, name) == 0) {
      return (bind_scalar)i;
    }
  }
  return BIND_NONE;
}

int64_t bind_scalar_lowest(bind_scalar scalar) {
  return scalar_rows[scalar].lowest;
}

int64_t bind_scalar_highest(bind_scalar scalar) {
  return scalar_rows[scalar].highest;
}

int bind_scalar_size(bind_scalar scalar) {
  return scalar_rows[scalar].size;
}
