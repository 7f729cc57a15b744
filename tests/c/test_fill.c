/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

/* A little more than half way between two float32. As a double it would be half way. */
#define ABOVE_TIE INT64_C(0x1000001000000001)

static dlf_tensor *wrapped(void *data, DLDataType dtype, int32_t ndim, int64_t *shape,
                           int64_t *strides, uint64_t flags) {
  dlf_tensor *t = NULL;
  const DLTensor tensor = {data, cpu, ndim, dtype, shape, strides, 0};
  EXPECT_INT(dlf_wrap(&tensor, flags, NULL, NULL, &t, NULL), DLF_OK);
  return t;
}

/* Every dtype with arithmetic reads back what it was filled with, and nothing else changes. */
static void test_fill__reads_back_in_every_dtype(void) {
  static const char *const names[] = {
      "int8",          "int16",       "int32",          "int64",         "uint8",
      "uint16",        "uint32",      "uint64",         "bool",          "float16",
      "float32",       "float64",     "bfloat16",       "complex64",     "complex128",
      "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float6_e2m3fn", "float4_e2m1fn",
      "int4",          "uint1",       "uint12",         "float32x3",     "int4x3",
      "int24",         "uint40",      "int48",          "uint56",        "bcomplex32",
      "int24x3"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    uint8_t memory[400];
    memset(memory, 0xA5, sizeof memory);
    DLDataType dtype;
    bool holds = false;
    EXPECT_INT(dlf_dtype_parse(names[i], &dtype, NULL), DLF_OK);
    dlf_tensor *t = wrapped(memory + 128, dtype, 2, LIST(2, 3), LIST(-3, 1), 0);
    const dlf_number one = {.kind = DLF_NUMBER_UNSIGNED, .unsigned_value = 1};
    const dlf_number zero = {.kind = DLF_NUMBER_REAL};
    EXPECT_INT(dlf_fill(t, &one, NULL), DLF_OK);
    for (int64_t e = 0; e < 6; e++) {
      for (int32_t lane = 0; lane < dtype.lanes; lane++) {
        dlf_number number = {.kind = -1};
        const dlf_arg arg = {dlf_dltensor(t), 0};
        EXPECT_INT(dlf_read(arg, LIST(e / 3, e % 3), lane, &number, NULL), DLF_OK);
        EXPECT(number.real == 1 || number.signed_value == 1 || number.unsigned_value == 1);
        EXPECT(number.imaginary == 0);
      }
    }
    EXPECT_INT(dlf_contains((dlf_arg){dlf_dltensor(t), 0}, &zero, &holds, NULL), DLF_OK);
    EXPECT(!holds);
    int64_t low = 0, high = 0;
    dlf_byte_range(dlf_dltensor(t), 0, &low, &high, NULL);
    EXPECT(memory[128 + low - 1] == 0xA5 && memory[128 + high] == 0xA5);
    dlf_release(t);
  }
}

static void test_fill__knows_what_a_dtype_has(void) {
  static const struct {
    const char *dtype;
    dlf_number number;
    uint64_t bits; /* of the element, in little-endian order */
    const char *error;
  } cases[] = {
      {"int8", {DLF_NUMBER_SIGNED, 0, 0, 0, -128, 0}, 0x80, NULL},
      {"int8",
       {DLF_NUMBER_SIGNED, 0, 0, 0, -129, 0},
       0,
       "fill: expected a number that int8 has, got -129"},
      {"int8", {DLF_NUMBER_REAL, 0, 127, 0, 0, 0}, 127, NULL},
      {"int8",
       {DLF_NUMBER_REAL, 0, 0.5, 0, 0, 0},
       0,
       "fill: expected a number that int8 has, got 0.5"},
      {"uint8",
       {DLF_NUMBER_SIGNED, 0, 0, 0, -1, 0},
       0,
       "fill: expected a number that uint8 has, got -1"},
      {"uint64", {DLF_NUMBER_UNSIGNED, 0, 0, 0, 0, UINT64_MAX}, UINT64_MAX, NULL},
      {"uint24", {DLF_NUMBER_UNSIGNED, 0, 0, 0, 0, 0x123456}, 0x123456, NULL},
      {"int40", {DLF_NUMBER_SIGNED, 0, 0, 0, -2, 0}, UINT64_C(0xFFFFFFFFFE), NULL},
      {"uint64", {DLF_NUMBER_REAL, 0, 9223372036854775808.0, 0, 0, 0}, UINT64_C(1) << 63, NULL},
      {"int64", {DLF_NUMBER_REAL, 0, -9223372036854775808.0, 0, 0, 0}, UINT64_C(1) << 63, NULL},
      {"uint64",
       {DLF_NUMBER_REAL, 0, 18446744073709551616.0, 0, 0, 0},
       0,
       "fill: expected a number that uint64 has, got 1.8446744073709552e+19"},
      {"bool",
       {DLF_NUMBER_UNSIGNED, 0, 0, 0, 0, 2},
       0,
       "fill: expected a number that bool has, got 2"},
      {"float32", {DLF_NUMBER_REAL, 0, 0.1, 0, 0, 0}, 0x3DCCCCCD, NULL},
      {"bfloat16", {DLF_NUMBER_BOOL, 0, 0, 0, 0, 1}, 0x3F80, NULL},
      {"bfloat16", {DLF_NUMBER_REAL, 0, 0x1.010000001p0, 0, 0, 0}, 0x3F81, NULL},
      {"float32", {DLF_NUMBER_SIGNED, 0, 0, 0, ABOVE_TIE, 0}, 0x5D800001, NULL},
      {"float32", {DLF_NUMBER_SIGNED, 0, 0, 0, -ABOVE_TIE, 0}, 0xDD800001, NULL},
      {"float32", {DLF_NUMBER_SIGNED, 0, 0, 0, ABOVE_TIE - 1, 0}, 0x5D800000, NULL},
      {"bfloat16", {DLF_NUMBER_UNSIGNED, 0, 0, 0, 0, (UINT64_C(257) << 55) + 1}, 0x5F01, NULL},
      {"float32", {DLF_NUMBER_UNSIGNED, 0, 0, 0, 0, UINT64_MAX}, 0x5F800000, NULL},
      {"float64", {DLF_NUMBER_SIGNED, 0, 0, 0, ABOVE_TIE, 0}, UINT64_C(0x43B0000010000000), NULL},
      {"float32",
       {DLF_NUMBER_COMPLEX, 0, 1, 2, 0, 0},
       0,
       "fill: expected a number that float32 has, got 1+2i"},
      {"complex64", {DLF_NUMBER_COMPLEX, 0, 1, 2, 0, 0}, UINT64_C(0x400000003F800000), NULL},
      {"float32", {7, 0, 1, 2, 0, 0}, 0, "fill: expected a dlf_number_kind, got 7"},
      {"float32", {-1, 0, 1, 2, 0, 0}, 0, "fill: expected a dlf_number_kind, got -1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t memory = 0, got = 0;
    DLDataType dtype;
    EXPECT_INT(dlf_dtype_parse(cases[i].dtype, &dtype, NULL), DLF_OK);
    dlf_tensor *t = wrapped(&memory, dtype, 0, NULL, NULL, 0);
    if (cases[i].error) {
      EXPECT_FAILS(dlf_fill(t, &cases[i].number, &error), DLF_INVALID, cases[i].error);
    } else {
      EXPECT_INT(dlf_fill(t, &cases[i].number, NULL), DLF_OK);
    }
    const uint16_t probe = 1;
    int bytes = dtype.bits / 8;
    if (dtype.code == kDLComplex) {
      bytes /= 2;
    }
    const bool little = *(const uint8_t *)&probe == 1;
    for (int b = 0; b < dtype.bits / 8; b++) {
      const int at = little ? b : b / bytes * bytes + bytes - 1 - b % bytes;
      got |= (uint64_t)((const uint8_t *)&memory)[at] << (8 * b);
    }
    EXPECT(got == cases[i].bits);
    dlf_release(t);
  }
}

static void test_fill__refuses_what_it_cannot_write(void) {
  float memory[2] = {0};
  const dlf_number one = {.kind = DLF_NUMBER_REAL, .real = 1};
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  dlf_tensor *t = wrapped(memory, f32, 1, LIST(2), NULL, DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_FAILS(dlf_fill(t, &one, &error),
               DLF_READ_ONLY,
               "fill: expected a writable destination, got a read-only one");
  EXPECT_FAILS(dlf_fill(NULL, &one, &error), DLF_INVALID, "fill: expected a tensor, got NULL");
  EXPECT_FAILS(dlf_fill(t, NULL, &error), DLF_INVALID, "fill: expected a number, got NULL");
  dlf_release(t);
  t = wrapped(memory, (DLDataType){kDLOpaqueHandle, 64, 1}, 0, NULL, NULL, 0);
  EXPECT_INT(dlf_fill(t, &one, NULL), DLF_UNSUPPORTED);
  dlf_release(t);
  t = wrapped(memory, (DLDataType){kDLInt, 4, 3}, 0, NULL, NULL, padded);
  EXPECT_FAILS(dlf_fill(t, &one, &error),
               DLF_UNSUPPORTED,
               "fill: expected one lane, or at most 63 axes without padding, got 3 lanes");
  dlf_release(t);
  int64_t ones[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  t = wrapped(memory, (DLDataType){kDLFloat, 32, 2}, DLF_MAX_NDIM, ones, NULL, 0);
  EXPECT_FAILS(dlf_fill(t, &one, &error),
               DLF_UNSUPPORTED,
               "fill: expected one lane, or at most 63 axes without padding, got 2 lanes");
  dlf_release(t);
  t = wrapped(NULL, f32, 1, LIST(0), NULL, 0);
  EXPECT_INT(dlf_fill(t, &one, NULL), DLF_OK);
  dlf_release(t);
}

/* A padded element ends in zeros, as copies and casts write it. */
static void test_fill__zeros_behind_padded_elements(void) {
  unsigned char memory[6] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};
  const dlf_number negative = {.kind = DLF_NUMBER_SIGNED, .signed_value = -2};
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  dlf_tensor *t = wrapped(memory, (DLDataType){kDLInt, 4, 1}, 1, LIST(2), NULL, padded);
  EXPECT_INT(dlf_fill(t, &negative, NULL), DLF_OK);
  EXPECT(memory[0] == 0x0E && memory[1] == 0x0E && memory[2] == 0xA5);
  dlf_release(t);
  t = wrapped(memory + 2, (DLDataType){kDLInt, 12, 1}, 1, LIST(2), NULL, padded);
  EXPECT_INT(dlf_fill(t, &negative, NULL), DLF_OK);
  EXPECT(memory[2] == 0xFE && memory[3] == 0x0F && memory[4] == 0xFE && memory[5] == 0x0F);
  dlf_release(t);
}

/* Lanes that fill bytes have no padding, also if the flag is set. */
static void test_fill__lanes_of_padded_elements(void) {
  unsigned char memory[4] = {0, 0, 0xA5, 0xA5};
  const dlf_number one = {.kind = DLF_NUMBER_SIGNED, .signed_value = 1};
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  dlf_tensor *t = wrapped(memory, (DLDataType){kDLInt, 4, 2}, 1, LIST(2), NULL, padded);
  EXPECT_INT(dlf_fill(t, &one, NULL), DLF_OK);
  EXPECT(memory[0] == 0x11 && memory[1] == 0x11);
  EXPECT(memory[2] == 0xA5 && memory[3] == 0xA5);
  dlf_release(t);
}

/* Strides that lead to no element are any numbers. */
static void test_fill__lanes_with_strides_of_no_meaning(void) {
  float memory[3] = {2, 2, 2};
  const dlf_number one = {.kind = DLF_NUMBER_REAL, .real = 1};
  const DLDataType triple = {kDLFloat, 32, 3};
  dlf_tensor *t = wrapped(memory, triple, 2, LIST(0, 5), LIST(1, INT64_MAX), 0);
  EXPECT_INT(dlf_fill(t, &one, NULL), DLF_OK);
  EXPECT(memory[0] == 2);
  dlf_release(t);
  t = wrapped(memory, triple, 1, LIST(1), LIST(INT64_MIN), 0);
  EXPECT_INT(dlf_fill(t, &one, NULL), DLF_OK);
  EXPECT(memory[0] == 1 && memory[2] == 1);
  dlf_release(t);
}

int main(void) {
  RUN(test_fill__reads_back_in_every_dtype);
  RUN(test_fill__knows_what_a_dtype_has);
  RUN(test_fill__refuses_what_it_cannot_write);
  RUN(test_fill__zeros_behind_padded_elements);
  RUN(test_fill__lanes_of_padded_elements);
  RUN(test_fill__lanes_with_strides_of_no_meaning);
  return test_end();
}
