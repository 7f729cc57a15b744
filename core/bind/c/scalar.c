/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in C: one row each. */
#include "scalar.h"
#include "bind/base/text.h"
#include <stddef.h>
#include <string.h>

static const struct scalar_row {
  const char *name, *c;
  int64_t lowest, highest;
  int size;
} scalar_rows[] = {
    [BIND_NONE] = {"", "", 0, 0, 0},
    [BIND_I8] = {"i8", "int8_t", INT8_MIN, INT8_MAX, 1},
    [BIND_I16] = {"i16", "int16_t", INT16_MIN, INT16_MAX, 2},
    [BIND_I32] = {"i32", "int32_t", INT32_MIN, INT32_MAX, 4},
    [BIND_I64] = {"i64", "int64_t", INT64_MIN, INT64_MAX, 8},
    [BIND_U8] = {"u8", "uint8_t", 0, UINT8_MAX, 1},
    [BIND_U16] = {"u16", "uint16_t", 0, UINT16_MAX, 2},
    [BIND_U32] = {"u32", "uint32_t", 0, UINT32_MAX, 4},
    [BIND_U64] = {"u64", "uint64_t", 0, INT64_MAX, 8},
    [BIND_F32] = {"f32", "float", 0, 0, 4},
    [BIND_F64] = {"f64", "double", 0, 0, 8},
    [BIND_C64] = {"c64", "dlf_c64", 0, 0, 8},
    [BIND_C128] = {"c128", "dlf_c128", 0, 0, 16},
};

const char *bind_scalar_c(bind_scalar scalar) {
  return scalar_rows[scalar].c;
}

const char *bind_scalar_name(bind_scalar scalar) {
  return scalar_rows[scalar].name;
}

const char *bind_scalar_long(const char *name) {
  switch (*name) {
  case 'i':
    return bind_string("int%s", name + 1);
  case 'u':
    return bind_string("uint%s", name + 1);
  case 'f':
    return bind_string("float%s", name + 1);
  case 'c':
    return bind_string("complex%s", name + 1);
  default:
    return "";
  }
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
