/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <string.h>

typedef struct dtype_name {
  uint8_t code;
  uint8_t bits; /* 0: written after the name; else the only width with this name */
  const char *usual, *brief;
} dtype_name;

static const dtype_name dtype_names[] = {
    {kDLInt, 0, "int", "i"},
    {kDLUInt, 0, "uint", "u"},
    {kDLFloat, 0, "float", "f"},
    {kDLOpaqueHandle, 0, "opaque_handle", "handle"},
    {kDLBfloat, 0, "bfloat", "bf"},
    {kDLComplex, 0, "complex", "c"},
    {kDLBool, 8, "bool", "bool"},
    {kDLFloat8_e3m4, 8, "float8_e3m4", "f8_e3m4"},
    {kDLFloat8_e4m3, 8, "float8_e4m3", "f8_e4m3"},
    {kDLFloat8_e4m3b11fnuz, 8, "float8_e4m3b11fnuz", "f8_e4m3b11fnuz"},
    {kDLFloat8_e4m3fn, 8, "float8_e4m3fn", "f8_e4m3fn"},
    {kDLFloat8_e4m3fnuz, 8, "float8_e4m3fnuz", "f8_e4m3fnuz"},
    {kDLFloat8_e5m2, 8, "float8_e5m2", "f8_e5m2"},
    {kDLFloat8_e5m2fnuz, 8, "float8_e5m2fnuz", "f8_e5m2fnuz"},
    {kDLFloat8_e8m0fnu, 8, "float8_e8m0fnu", "f8_e8m0fnu"},
    {kDLFloat6_e2m3fn, 6, "float6_e2m3fn", "f6_e2m3fn"},
    {kDLFloat6_e3m2fn, 6, "float6_e3m2fn", "f6_e3m2fn"},
    {kDLFloat4_e2m1fn, 4, "float4_e2m1fn", "f4_e2m1fn"},
    {DLF__BCOMPLEX, 0, "bcomplex", "bc"},
};
enum { NAME_COUNT = sizeof dtype_names / sizeof *dtype_names };

/* Move *text past a decimal number from 1 (or 0) to limit; false if there is none. */
static bool take_number(const char **text, uint32_t lowest, uint32_t limit, uint32_t *out) {
  uint32_t value = 0;
  const char *p = *text;
  if (*p < '0' || *p > '9' || (*p == '0' && p[1] >= '0' && p[1] <= '9')) return false;
  for (; *p >= '0' && *p <= '9'; p++) {
    value = value * 10 + (uint32_t)(*p - '0');
    if (value > limit) return false;
  }
  *text = p;
  *out = value;
  return value >= lowest;
}

static bool take_word(const char **text, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0) return false;
  *text += length;
  return true;
}

/* The end of every name: empty, "x4" or "_x4". */
static bool take_lanes_and_end(const char *text, uint32_t *lanes) {
  *lanes = 1;
  if (*text == '\0') return true;
  if (*text == '_') text++;
  return take_word(&text, "x") && take_number(&text, 1, UINT16_MAX, lanes) && *text == '\0';
}

static bool matches(const char *text, const dtype_name *name, const char *word, DLDataType *out) {
  uint32_t bits = name->bits, lanes;
  if (!take_word(&text, word)) return false;
  if (bits == 0 && !take_number(&text, 1, UINT8_MAX, &bits)) return false;
  if (!take_lanes_and_end(text, &lanes)) return false;
  *out = (DLDataType){name->code, (uint8_t)bits, (uint16_t)lanes};
  return true;
}

static bool matches_numbers(const char *text, DLDataType *out) {
  uint32_t code, bits, lanes;
  if (!take_word(&text, "dtype(") || !take_number(&text, 0, UINT8_MAX, &code) || !take_word(&text, ", ") ||
      !take_number(&text, 1, UINT8_MAX, &bits) || !take_word(&text, ")") || !take_lanes_and_end(text, &lanes))
    return false;
  *out = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
  return true;
}

dlf_status dlf_dtype_parse(const char *name, DLDataType *out, dlf_error *error) {
  if (!out) return dlf__fail(error, DLF_INVALID, "dtype_parse: expected a place for the dtype, got NULL");
  *out = (DLDataType){0, 0, 0};
  if (!name) return dlf__fail(error, DLF_INVALID, "dtype_parse: expected a name, got NULL");
  for (int i = 0; i < NAME_COUNT; i++)
    if (matches(name, &dtype_names[i], dtype_names[i].usual, out) ||
        matches(name, &dtype_names[i], dtype_names[i].brief, out))
      return DLF_OK;
  if (matches_numbers(name, out)) return DLF_OK;
  return dlf__fail(error, DLF_DTYPE, "dtype_parse: expected a dtype such as float32, got '%.64s'", name);
}

static int64_t format_dtype(DLDataType dtype, bool brief, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  const dtype_name *name = NULL;
  for (int i = 0; i < NAME_COUNT && !name; i++)
    if (dtype_names[i].code == dtype.code &&
        (dtype_names[i].bits == dtype.bits || (dtype_names[i].bits == 0 && dtype.bits != 0)))
      name = &dtype_names[i];
  if (!name)
    dlf__put(&text, "dtype(%d, %d)", dtype.code, dtype.bits);
  else
    dlf__put(&text, "%s", brief ? name->brief : name->usual);
  if (name && name->bits == 0) dlf__put(&text, "%d", dtype.bits);
  if (dtype.lanes != 1) dlf__put(&text, "%sx%d", brief ? "_" : "", dtype.lanes);
  return text.length;
}

int64_t dlf_dtype_format(DLDataType dtype, char *buffer, int64_t capacity) {
  return format_dtype(dtype, false, buffer, capacity);
}

int64_t dlf_dtype_format_short(DLDataType dtype, char *buffer, int64_t capacity) {
  return format_dtype(dtype, true, buffer, capacity);
}

int64_t dlf_dtype_size(DLDataType dtype) { return (dlf__element_bits(dtype) + 7) / 8; }

bool dlf_dtype_equal(DLDataType a, DLDataType b) { return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes; }

dlf_status dlf__check_dtype(const char *name, DLDataType dtype, dlf_error *error) {
  if (dtype.bits == 0) return dlf__fail(error, DLF_DTYPE, "%s: expected a dtype of 1 bit or more, got 0", name);
  if (dtype.lanes == 0) return dlf__fail(error, DLF_DTYPE, "%s: expected a dtype of 1 lane or more, got 0", name);
  if (dtype.code < kDLFloat8_e3m4 || dtype.code > kDLFloat4_e2m1fn) return DLF_OK;
  /* DLPack 1.1: "the consumer must stop importing if the value is unexpected". */
  const uint8_t width = dtype.code < kDLFloat6_e2m3fn ? 8 : dtype.code < kDLFloat4_e2m1fn ? 6 : 4;
  if (dtype.bits == width) return DLF_OK;
  for (int i = 0; i < NAME_COUNT; i++)
    if (dtype_names[i].code == dtype.code)
      return dlf__fail(error, DLF_DTYPE, "%s: expected %s to have %d bits, got %d", name, dtype_names[i].usual, width,
                       dtype.bits);
  return DLF_OK;
}

dlf_status dlf__check_flags(const char *name, uint64_t flags, dlf_error *error) {
  const uint64_t unknown = dlf__unknown_flags(flags);
  if (!unknown) return DLF_OK;
  return dlf__fail(error, DLF_UNSUPPORTED, "%s: expected flags that DLPack 1.3 names, got 0x%" PRIx64, name, unknown);
}
