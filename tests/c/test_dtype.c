/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static bool same(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

static const struct {
  DLDataType dtype;
  const char *usual, *brief;
} table[] = {
    {{kDLInt, 8, 1}, "int8", "i8"},
    {{kDLInt, 4, 1}, "int4", "i4"},
    {{kDLInt, 64, 1}, "int64", "i64"},
    {{kDLUInt, 8, 1}, "uint8", "u8"},
    {{kDLUInt, 8, 4}, "uint8x4", "u8_x4"},
    {{kDLUInt, 255, 65535}, "uint255x65535", "u255_x65535"},
    {{kDLFloat, 16, 1}, "float16", "f16"},
    {{kDLFloat, 32, 1}, "float32", "f32"},
    {{kDLFloat, 64, 2}, "float64x2", "f64_x2"},
    {{kDLOpaqueHandle, 64, 1}, "opaque_handle64", "handle64"},
    {{kDLBfloat, 16, 1}, "bfloat16", "bf16"},
    {{kDLComplex, 64, 1}, "complex64", "c64"},
    {{kDLComplex, 128, 1}, "complex128", "c128"},
    {{kDLBool, 8, 1}, "bool", "bool"},
    {{kDLBool, 8, 2}, "boolx2", "bool_x2"},
    {{kDLBool, 1, 1}, "dtype(6, 1)", "dtype(6, 1)"},
    {{kDLFloat8_e3m4, 8, 1}, "float8_e3m4", "f8_e3m4"},
    {{kDLFloat8_e4m3, 8, 1}, "float8_e4m3", "f8_e4m3"},
    {{kDLFloat8_e4m3b11fnuz, 8, 1}, "float8_e4m3b11fnuz", "f8_e4m3b11fnuz"},
    {{kDLFloat8_e4m3fn, 8, 1}, "float8_e4m3fn", "f8_e4m3fn"},
    {{kDLFloat8_e4m3fn, 8, 4}, "float8_e4m3fnx4", "f8_e4m3fn_x4"},
    {{kDLFloat8_e4m3fnuz, 8, 1}, "float8_e4m3fnuz", "f8_e4m3fnuz"},
    {{kDLFloat8_e5m2, 8, 1}, "float8_e5m2", "f8_e5m2"},
    {{kDLFloat8_e5m2fnuz, 8, 1}, "float8_e5m2fnuz", "f8_e5m2fnuz"},
    {{kDLFloat8_e8m0fnu, 8, 1}, "float8_e8m0fnu", "f8_e8m0fnu"},
    {{kDLFloat6_e2m3fn, 6, 1}, "float6_e2m3fn", "f6_e2m3fn"},
    {{kDLFloat6_e3m2fn, 6, 1}, "float6_e3m2fn", "f6_e3m2fn"},
    {{kDLFloat4_e2m1fn, 4, 1}, "float4_e2m1fn", "f4_e2m1fn"},
    {{kDLFloat4_e2m1fn, 4, 2}, "float4_e2m1fnx2", "f4_e2m1fn_x2"},
    {{18, 32, 1}, "bcomplex32", "bc32"},
    {{99, 16, 1}, "dtype(99, 16)", "dtype(99, 16)"},
    {{99, 16, 3}, "dtype(99, 16)x3", "dtype(99, 16)_x3"},
};
enum { TABLE = sizeof table / sizeof *table };

static void test_dtype__names_print_both_ways(void) {
  char text[DLF_NAME_CAPACITY];
  for (int i = 0; i < TABLE; i++) {
    EXPECT_INT(dlf_dtype_format(table[i].dtype, text, sizeof text), strlen(table[i].usual));
    EXPECT_TEXT(text, table[i].usual);
    EXPECT_INT(dlf_dtype_format_short(table[i].dtype, text, sizeof text), strlen(table[i].brief));
    EXPECT_TEXT(text, table[i].brief);
  }
}

static void test_dtype__names_parse_both_ways(void) {
  for (int i = 0; i < TABLE; i++) {
    DLDataType dtype;
    EXPECT_INT(dlf_dtype_parse(table[i].usual, &dtype, NULL), DLF_OK);
    EXPECT(same(dtype, table[i].dtype));
    EXPECT_INT(dlf_dtype_parse(table[i].brief, &dtype, NULL), DLF_OK);
    EXPECT(same(dtype, table[i].dtype));
  }
}

/* For any bits of a hostile dtype, its name reads back as itself. */
static void test_dtype__every_code_and_width_round_trips(void) {
  for (int code = 0; code < 256; code++) {
    for (int bits = 1; bits < 256; bits++) {
      const DLDataType dtype = {(uint8_t)code, (uint8_t)bits, (uint16_t)(1 + code % 3)};
      DLDataType back;
      char text[DLF_NAME_CAPACITY];
      EXPECT(dlf_dtype_format(dtype, text, sizeof text) < (int64_t)sizeof text);
      EXPECT_INT(dlf_dtype_parse(text, &back, NULL), DLF_OK);
      EXPECT(same(back, dtype));
    }
  }
}

static void test_dtype__refuses_other_words(void) {
  static const char *const words[] = {"",
                                      "float",
                                      "floot32",
                                      "float32 ",
                                      " float32",
                                      "float032",
                                      "float256",
                                      "float0",
                                      "float-1",
                                      "float32x",
                                      "float32x0",
                                      "float32x65536",
                                      "bool8",
                                      "float32_4",
                                      "F32",
                                      "f8_e4m3f",
                                      "dtype(1)",
                                      "dtype(256, 8)",
                                      "dtype(1, 0)",
                                      "dtype(99, 8",
                                      "float32x4x4",
                                      "float99999999999999999999"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    DLDataType dtype;
    dlf_error error = {0};
    EXPECT_INT(dlf_dtype_parse(words[i], &dtype, &error), DLF_DTYPE);
    EXPECT(strstr(error.message, "dtype_parse: expected a dtype such as float32, got '") ==
           error.message);
  }
}

static void test_dtype__refuses_null(void) {
  DLDataType dtype;
  EXPECT_FAILS(
      dlf_dtype_parse(NULL, &dtype, &error), DLF_INVALID, "dtype_parse: expected a name, got NULL");
  EXPECT_FAILS(dlf_dtype_parse("f32", NULL, &error),
               DLF_INVALID,
               "dtype_parse: expected a place for the dtype, got NULL");
}

static void test_dtype__short_buffers_are_cut(void) {
  char text[4] = "###";
  EXPECT_INT(dlf_dtype_format(f32, text, sizeof text), 7);
  EXPECT_TEXT(text, "flo");
  EXPECT_INT(dlf_dtype_format(f32, NULL, 0), 7);
}

static void test_dtype__size_counts_whole_bytes(void) {
  EXPECT_INT(dlf_dtype_size(f32), 4);
  EXPECT_INT(dlf_dtype_size((DLDataType){kDLFloat, 32, 4}), 16);
  EXPECT_INT(dlf_dtype_size((DLDataType){kDLInt, 4, 1}), 1);
  EXPECT_INT(dlf_dtype_size((DLDataType){kDLInt, 4, 3}), 2);
  EXPECT_INT(dlf_dtype_size((DLDataType){kDLInt, 255, UINT16_MAX}), (255 * 65535 + 7) / 8);
  EXPECT_INT(dlf_dtype_size((DLDataType){0, 0, 0}), 0);
}

static void test_dtype__equal_compares_all_of_it(void) {
  EXPECT(dlf_dtype_equal(f32, f32));
  EXPECT(!dlf_dtype_equal(f32, (DLDataType){kDLInt, 32, 1}));
  EXPECT(!dlf_dtype_equal(f32, (DLDataType){kDLFloat, 64, 1}));
  EXPECT(!dlf_dtype_equal(f32, (DLDataType){kDLFloat, 32, 2}));
}

int main(void) {
  RUN(test_dtype__names_print_both_ways);
  RUN(test_dtype__names_parse_both_ways);
  RUN(test_dtype__every_code_and_width_round_trips);
  RUN(test_dtype__refuses_other_words);
  RUN(test_dtype__refuses_null);
  RUN(test_dtype__short_buffers_are_cut);
  RUN(test_dtype__size_counts_whole_bytes);
  RUN(test_dtype__equal_compares_all_of_it);
  return test_end();
}
