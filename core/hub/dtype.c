/* SPDX-License-Identifier: Apache-2.0 */
/* Dtypes: the table, their names, which of them are tensors' at all. */
#include "dtype.h"

#include <stdlib.h>

#define FLOAT8(name, exponent, fraction, bias, special)                                            \
  {                                                                                                \
    "float8_" name, "f8_" name, 8, true, {                                                         \
      8, exponent, fraction, bias, special                                                         \
    }                                                                                              \
  }
#define FLOAT6(name, exponent, fraction, bias)                                                     \
  {                                                                                                \
    "float6_" name, "f6_" name, 6, true, {                                                         \
      6, exponent, fraction, bias, DLF__FINITE                                                     \
    }                                                                                              \
  }

/* IEEE 754-2019; bfloat16 of Intel; OCP 8-bit floating point 1.0; OCP Microscaling formats 1.0;
 * LLVM's fnuz kinds. */
const dlf__dtype_row dlf__dtypes[] = {
    [kDLInt] = {.usual = "int", .brief = "i"},
    [kDLUInt] = {.usual = "uint", .brief = "u"},
    [kDLFloat] = {.usual = "float", .brief = "f", .small = {16, 5, 10, 15, DLF__IEEE}},
    [kDLOpaqueHandle] = {.usual = "opaque_handle", .brief = "handle"},
    [kDLBfloat] = {.usual = "bfloat", .brief = "bf", .small = {16, 8, 7, 127, DLF__IEEE}},
    [kDLComplex] = {.usual = "complex", .brief = "c"},
    [kDLBool] = {.usual = "bool", .brief = "bool", .bits = 8},
    [kDLFloat8_e3m4] = FLOAT8("e3m4", 3, 4, 3, DLF__IEEE),
    [kDLFloat8_e4m3] = FLOAT8("e4m3", 4, 3, 7, DLF__IEEE),
    [kDLFloat8_e4m3b11fnuz] = FLOAT8("e4m3b11fnuz", 4, 3, 11, DLF__UNSIGNED_ZERO),
    [kDLFloat8_e4m3fn] = FLOAT8("e4m3fn", 4, 3, 7, DLF__FINITE),
    [kDLFloat8_e4m3fnuz] = FLOAT8("e4m3fnuz", 4, 3, 8, DLF__UNSIGNED_ZERO),
    [kDLFloat8_e5m2] = FLOAT8("e5m2", 5, 2, 15, DLF__IEEE),
    [kDLFloat8_e5m2fnuz] = FLOAT8("e5m2fnuz", 5, 2, 16, DLF__UNSIGNED_ZERO),
    [kDLFloat8_e8m0fnu] = FLOAT8("e8m0fnu", 8, 0, 128, DLF__POWERS),
    [kDLFloat6_e2m3fn] = FLOAT6("e2m3fn", 2, 3, 1),
    [kDLFloat6_e3m2fn] = FLOAT6("e3m2fn", 3, 2, 3),
    [kDLFloat4_e2m1fn] = {"float4_e2m1fn", "f4_e2m1fn", 4, true, {4, 2, 1, 1, DLF__FINITE}},
    [DLF__BCOMPLEX] = {.usual = "bcomplex", .brief = "bc"},
};
const uint8_t dlf__dtype_count = sizeof dlf__dtypes / sizeof *dlf__dtypes;

const dlf__small_float *dlf__small_float_of(int code, int bits) {
  const dlf__dtype_row *row = dlf__dtype_of((uint8_t)code);
  if (row && bits && row->small.bits == bits) {
    return &row->small;
  }
  return NULL;
}

/* Move *text past a decimal number without leading zeros; false if there is none from lowest to
 * limit. */
static bool take_number(const char **text, uint32_t lowest, uint32_t limit, uint32_t *out) {
  const char *p = *text;
  char *end;
  if (*p < '0' || *p > '9' || (*p == '0' && p[1] >= '0' && p[1] <= '9')) {
    return false;
  }
  const unsigned long value = strtoul(p, &end, 10);
  *text = end;
  *out = (uint32_t)value;
  return value >= lowest && value <= limit;
}

static bool take_word(const char **text, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0) {
    return false;
  }
  *text += length;
  return true;
}

/* The end of every name: empty, "x4" or "_x4". */
static bool take_lanes_and_end(const char *text, uint32_t *lanes) {
  *lanes = 1;
  if (*text == '\0') {
    return true;
  }
  if (*text == '_') {
    text++;
  }
  return take_word(&text, "x") && take_number(&text, 1, UINT16_MAX, lanes) && *text == '\0';
}

static bool matches(const char *text, uint8_t code, const char *word, DLDataType *out) {
  uint32_t bits = dlf__dtypes[code].bits;
  uint32_t lanes;
  if (!take_word(&text, word)) {
    return false;
  }
  if (bits == 0 && !take_number(&text, 1, UINT8_MAX, &bits)) {
    return false;
  }
  if (!take_lanes_and_end(text, &lanes)) {
    return false;
  }
  *out = (DLDataType){code, (uint8_t)bits, (uint16_t)lanes};
  return true;
}

static bool matches_numbers(const char *text, DLDataType *out) {
  uint32_t code, bits, lanes;
  if (!take_word(&text, "dtype(") || !take_number(&text, 0, UINT8_MAX, &code) ||
      !take_word(&text, ", ") || !take_number(&text, 1, UINT8_MAX, &bits) ||
      !take_word(&text, ")") || !take_lanes_and_end(text, &lanes)) {
    return false;
  }
  *out = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  return true;
}

dlf_status dlf_dtype_parse(const char *name, DLDataType *out, dlf_error *error) {
  if (!out) {
    return dlf__missing("dtype_parse", "a place for the dtype", error);
  }
  *out = (DLDataType){0, 0, 0};
  if (!name) {
    return dlf__missing("dtype_parse", "a name", error);
  }
  for (uint8_t code = 0; code < dlf__dtype_count; code++) {
    const dlf__dtype_row *row = dlf__dtype_of(code);
    if (row && (matches(name, code, row->usual, out) || matches(name, code, row->brief, out))) {
      return DLF_OK;
    }
  }
  if (matches_numbers(name, out)) {
    return DLF_OK;
  }
  return dlf__fail(
      error, DLF_DTYPE, "dtype_parse: expected a dtype such as float32, got '%.64s'", name);
}

static int64_t format_dtype(DLDataType dtype, bool brief, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  const dlf__dtype_row *name = dlf__dtype_of(dtype.code);
  if (name && (name->bits ? name->bits != dtype.bits : dtype.bits == 0)) {
    name = NULL;
  }
  if (!name) {
    dlf__put(&text, "dtype(%d, %d)", dtype.code, dtype.bits);
  } else {
    dlf__put(&text, "%s", brief ? name->brief : name->usual);
  }
  if (name && name->bits == 0) {
    dlf__put(&text, "%d", dtype.bits);
  }
  if (dtype.lanes != 1) {
    dlf__put(&text, "%sx%d", brief ? "_" : "", dtype.lanes);
  }
  return text.length;
}

int64_t dlf_dtype_format(DLDataType dtype, char *buffer, int64_t capacity) {
  return format_dtype(dtype, false, buffer, capacity);
}

int64_t dlf_dtype_format_short(DLDataType dtype, char *buffer, int64_t capacity) {
  return format_dtype(dtype, true, buffer, capacity);
}

int64_t dlf_dtype_size(DLDataType dtype) {
  return dlf__element_bytes(dtype);
}

bool dlf_dtype_equal(DLDataType a, DLDataType b) {
  return dlf__same_dtype(a, b);
}

dlf_status dlf__check_dtype(const char *name, DLDataType dtype, dlf_error *error) {
  if (dtype.bits == 0) {
    return dlf__fail(error, DLF_DTYPE, "%s: expected a dtype of 1 bit or more, got 0", name);
  }
  if (dtype.lanes == 0) {
    return dlf__fail(error, DLF_DTYPE, "%s: expected a dtype of 1 lane or more, got 0", name);
  }
  const dlf__dtype_row *row = dlf__dtype_of(dtype.code);
  if (row && !dlf__has_right_width(dtype)) {
    return dlf__fail(error,
                     DLF_DTYPE,
                     "%s: expected %s to have %d bits, got %d",
                     name,
                     row->usual,
                     row->bits,
                     dtype.bits);
  }
  return DLF_OK;
}

dlf_status dlf__check_flags(const char *name, uint64_t flags, dlf_error *error) {
  const uint64_t unknown = dlf__unknown_flags(flags);
  if (!unknown) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_UNSUPPORTED,
                   "%s: expected flags that DLPack 1.3 names, got 0x%" PRIx64,
                   name,
                   unknown);
}

dlf_status dlf__refuse_new_flags(const char *name, uint64_t flags, dlf_error *error) {
  if (flags & DLF_FLAGS_UNKNOWN) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected flags of a managed tensor, got flags unknown", name);
  }
  return dlf__check_flags(name, flags, error);
}
