/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <math.h>

static const DLDataType f64 = {kDLFloat, 64, 1}, i64 = {kDLInt, 64, 1}, u64 = {kDLUInt, 64, 1},
                        u8 = {kDLUInt, 8, 1}, c64 = {kDLComplex, 64, 1},
                        fp4 = {kDLFloat4_e2m1fn, 4, 1};

static DLTensor over(void *data, DLDataType dtype, int32_t ndim, int64_t *shape, int64_t *strides) {
  return (DLTensor){data, cpu, ndim, dtype, shape, strides, 0};
}

typedef dlf_status compare(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

static bool ask(compare *question, DLTensor a, DLTensor b) {
  bool forth = false, back = true;
  EXPECT_INT(question((dlf_arg){&a, 0}, (dlf_arg){&b, 0}, &forth, NULL), DLF_OK);
  EXPECT_INT(question((dlf_arg){&b, 0}, (dlf_arg){&a, 0}, &back, NULL), DLF_OK);
  EXPECT_INT(forth, back); /* both questions are symmetric */
  return forth;
}

static bool equal(DLTensor a, DLTensor b) {
  return ask(dlf_equal, a, b);
}
static bool identical(DLTensor a, DLTensor b) {
  return ask(dlf_identical, a, b);
}

static bool close_to(DLTensor a, DLTensor b, double rtol, double atol, bool equal_nan) {
  bool answer = false;
  EXPECT_INT(
      dlf_all_close((dlf_arg){&a, 0}, (dlf_arg){&b, 0}, rtol, atol, equal_nan, &answer, NULL),
      DLF_OK);
  return answer;
}

static bool equal_scalars(DLDataType a_dtype, void *a, DLDataType b_dtype, void *b) {
  return equal(over(a, a_dtype, 0, NULL, NULL), over(b, b_dtype, 0, NULL, NULL));
}

static void test_compare__equal_follows_strides(void) {
  float rows[] = {0, 1, 2, 3, 4, 5}, columns[] = {0, 3, 1, 4, 2, 5},
        backwards[] = {5, 4, 3, 2, 1, 0};
  const DLTensor a = over(rows, f32, 2, LIST(2, 3), NULL);
  EXPECT(equal(a, over(columns, f32, 2, LIST(2, 3), LIST(1, 2))));
  EXPECT(equal(a, over(backwards + 5, f32, 2, LIST(2, 3), LIST(-3, -1))));
  EXPECT(!equal(a, over(columns, f32, 2, LIST(2, 3), NULL)));
  EXPECT(!equal(a, over(rows, f32, 2, LIST(3, 2), NULL)));
  EXPECT(!equal(a, over(rows, f32, 1, LIST(6), NULL)));
  columns[5] = 6;
  EXPECT(!equal(a, over(columns, f32, 2, LIST(2, 3), LIST(1, 2))));
}

static void test_compare__the_same_elements_in_another_shape_differ(void) {
  float values[6] = {0};
  const DLTensor wide = over(values, f32, 2, LIST(2, 3), NULL);
  const DLTensor tall = over(values, f32, 2, LIST(3, 2), NULL);
  EXPECT(!equal(wide, tall) && !identical(wide, tall));
}

static void test_compare__equal_is_exact_between_dtypes(void) {
  int64_t big = (INT64_C(1) << 53) + 1, lowest = INT64_MIN, one = 1, minus = -1, nothing = 0;
  uint64_t most = UINT64_MAX, half = UINT64_C(1) << 63, three = 3;
  double near = 9007199254740992.0, two_64 = 18446744073709551616.0,
         two_63 = -9223372036854775808.0, d = 3.5, zero = 0;
  float f = 3.0f;
  bool yes = true;
  float complex_3[] = {3, 0}, complex_3i[] = {3, 1};
  EXPECT(!equal_scalars(i64, &big, f64, &near));
  big--;
  EXPECT(equal_scalars(i64, &big, f64, &near));
  EXPECT(!equal_scalars(u64, &most, f64, &two_64));
  EXPECT(!equal_scalars(u64, &most, i64, &minus));
  EXPECT(equal_scalars(i64, &lowest, f64, &two_63));
  EXPECT(equal_scalars(i64, &nothing, f64, &zero));
  EXPECT(!equal_scalars(i64, &nothing, f64, &near));
  EXPECT(!equal_scalars(u64, &half, f64, &two_63));
  EXPECT(equal_scalars(u64, &three, f32, &f));
  EXPECT(!equal_scalars(u64, &three, f64, &d));
  EXPECT(equal_scalars(i64, &one, (DLDataType){kDLBool, 8, 1}, &yes));
  EXPECT(equal_scalars(u64, &three, c64, complex_3));
  EXPECT(!equal_scalars(u64, &three, c64, complex_3i));
  EXPECT(equal_scalars(f32, &f, c64, complex_3));
}

static void test_compare__nan_and_signed_zero(void) {
  float nan_ = NAN, zero = 0.0f, minus_zero = -0.0f;
  EXPECT(!equal_scalars(f32, &nan_, f32, &nan_));
  EXPECT(equal_scalars(f32, &zero, f32, &minus_zero));
  EXPECT(!identical(over(&zero, f32, 0, NULL, NULL), over(&minus_zero, f32, 0, NULL, NULL)));
  EXPECT(identical(over(&nan_, f32, 0, NULL, NULL), over(&nan_, f32, 0, NULL, NULL)));
}

static void test_compare__small_floats_have_their_values(void) {
  /* value, then bits; from the tables of the OCP specifications and of IEEE 754 */
  static const struct {
    uint8_t code, bits;
    uint16_t raw;
    double value;
  } table[] = {
      {kDLFloat, 16, 0x3C00, 1},
      {kDLFloat, 16, 0x7BFF, 65504},
      {kDLFloat, 16, 0x8001, -0x1p-24},
      {kDLFloat, 16, 0xFC00, -INFINITY},
      {kDLBfloat, 16, 0x4049, 3.140625},
      {kDLBfloat, 16, 0x0001, 0x1p-133},
      {kDLFloat8_e4m3fn, 8, 0x7E, 448},
      {kDLFloat8_e4m3fn, 8, 0x01, 0x1p-9},
      {kDLFloat8_e4m3fn, 8, 0x38, 1},
      {kDLFloat8_e4m3, 8, 0x77, 240},
      {kDLFloat8_e4m3, 8, 0x78, INFINITY},
      {kDLFloat8_e3m4, 8, 0x6F, 15.5},
      {kDLFloat8_e3m4, 8, 0xF0, -INFINITY},
      {kDLFloat8_e5m2, 8, 0x7B, 57344},
      {kDLFloat8_e5m2, 8, 0x01, 0x1p-16},
      {kDLFloat8_e5m2, 8, 0x7C, INFINITY},
      {kDLFloat8_e4m3fnuz, 8, 0x7F, 240},
      {kDLFloat8_e4m3fnuz, 8, 0x40, 1},
      {kDLFloat8_e5m2fnuz, 8, 0x7F, 57344},
      {kDLFloat8_e4m3b11fnuz, 8, 0x7F, 30},
      {kDLFloat8_e8m0fnu, 8, 127, 1},
      {kDLFloat8_e8m0fnu, 8, 0, 0x1p-127},
      {kDLFloat8_e8m0fnu, 8, 254, 0x1p127},
      {kDLFloat6_e2m3fn, 6, 0x1F, 7.5},
      {kDLFloat6_e2m3fn, 6, 0x21, -0.125},
      {kDLFloat6_e3m2fn, 6, 0x1F, 28},
      {kDLFloat6_e3m2fn, 6, 0x01, 0.0625},
      {kDLFloat4_e2m1fn, 4, 0x7, 6},
      {kDLFloat4_e2m1fn, 4, 0x9, -0.5},
  };
  static const struct {
    uint8_t code;
    uint8_t raw;
  } nans[] = {{kDLFloat8_e4m3fn, 0x7F},
              {kDLFloat8_e4m3fn, 0xFF},
              {kDLFloat8_e4m3, 0x79},
              {kDLFloat8_e3m4, 0x71},
              {kDLFloat8_e5m2, 0x7D},
              {kDLFloat8_e4m3fnuz, 0x80},
              {kDLFloat8_e5m2fnuz, 0x80},
              {kDLFloat8_e4m3b11fnuz, 0x80},
              {kDLFloat8_e8m0fnu, 0xFF}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    uint16_t raw = table[i].raw;
    uint8_t byte = (uint8_t)raw;
    void *bits = &byte;
    double value = table[i].value;
    if (table[i].bits > 8) {
      bits = &raw;
    }
    if (!equal_scalars((DLDataType){table[i].code, table[i].bits, 1}, bits, f64, &value)) {
      printf("code %d, bits 0x%x are not %g\n", table[i].code, raw, value);
      test_failures++;
    }
  }
  for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
    uint8_t raw = nans[i].raw;
    const DLTensor t = over(&raw, (DLDataType){nans[i].code, 8, 1}, 0, NULL, NULL);
    EXPECT(!equal(t, t) && close_to(t, t, 0, 0, true));
  }
}

static void test_compare__identical_wants_the_same_dtype(void) {
  uint32_t word[2] = {0x40400000, 1};
  EXPECT(!identical(over(word, f32, 0, NULL, NULL),
                    over(word, (DLDataType){kDLUInt, 32, 1}, 0, NULL, NULL)));
  EXPECT(identical(over(word, (DLDataType){99, 24, 1}, 1, LIST(2), NULL),
                   over(word, (DLDataType){99, 24, 1}, 1, LIST(2), NULL)));
  uint32_t strided[4] = {0x40400000, 7, 1, 7};
  EXPECT(identical(over(word, f32, 1, LIST(2), NULL), over(strided, f32, 1, LIST(2), LIST(2))));
  strided[2] = 2;
  EXPECT(!identical(over(word, f32, 1, LIST(2), NULL), over(strided, f32, 1, LIST(2), LIST(2))));
}

static void test_compare__bits_around_odd_elements_do_not_count(void) {
  uint8_t a[] = {0x21, 0x03}, b[] = {0x21, 0xF3}, padded[] = {0xA1, 0xB2, 0xC3};
  const DLTensor x = over(a, fp4, 1, LIST(3), NULL), y = over(b, fp4, 1, LIST(3), NULL),
                 z = over(padded, fp4, 1, LIST(3), NULL);
  bool answer = false;
  EXPECT(identical(x, y) && equal(x, y));
  EXPECT_INT(dlf_identical((dlf_arg){&x, 0},
                           (dlf_arg){&z, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED},
                           &answer,
                           NULL),
             DLF_OK);
  EXPECT(answer);
  uint8_t zeros[] = {0x00}, signs[] = {0x08}; /* 0 and -0 are equal numbers of other bits */
  const DLTensor plus = over(zeros, fp4, 1, LIST(2), NULL);
  const DLTensor minus = over(signs, fp4, 1, LIST(2), NULL);
  EXPECT(equal(plus, minus) && !identical(plus, minus));
  const DLTensor huge = over(a, (DLDataType){99, 65, 1}, 1, LIST(0), NULL),
                 one = over(a, (DLDataType){99, 65, 1}, 0, NULL, NULL);
  EXPECT_INT(dlf_identical((dlf_arg){&huge, 0}, (dlf_arg){&huge, 0}, &answer, NULL), DLF_OK);
  EXPECT(answer);
  EXPECT_FAILS(dlf_identical((dlf_arg){&one, 0}, (dlf_arg){&one, 0}, &answer, &error),
               DLF_UNSUPPORTED,
               "identical: expected elements of whole bytes or up to 64 bits, got 65");
}

static void test_compare__all_close_uses_both_tolerances(void) {
  double a[] = {1.0, 100.0}, b[] = {1.05, 104.0};
  const DLTensor x = over(a, f64, 1, LIST(2), NULL), y = over(b, f64, 1, LIST(2), NULL);
  EXPECT(!close_to(x, y, 0, 0.1, false));
  EXPECT(close_to(x, y, 0.05, 0, false));
  EXPECT(!close_to(x, y, 0.02, 0, false));
  EXPECT(close_to(x, y, 0.038, 0.1, false));
  EXPECT(close_to(x, x, 0, 0, false));
  double half[] = {1.5}, whole[] = {1}; /* as far as the tolerance, no further */
  const DLTensor far = over(half, f64, 1, LIST(1), NULL), from = over(whole, f64, 1, LIST(1), NULL);
  EXPECT(close_to(far, from, 0, 0.5, false) && !close_to(far, from, 0, 0.499, false));
  EXPECT(close_to(far, from, 0.5, 0, false) && close_to(far, from, 0.25, 0.25, false));
  float c[] = {3, 4}, near[] = {3, 4.5f};
  EXPECT(close_to(over(c, c64, 0, NULL, NULL),
                  over(near, c64, 0, NULL, NULL),
                  0.1,
                  0,
                  false)); /* 0.5 <= 0.1 |b| = 0.54 */
  EXPECT(!close_to(over(c, c64, 0, NULL, NULL), over(near, c64, 0, NULL, NULL), 0.09, 0, false));
}

static void test_compare__all_close_knows_infinity_and_nan(void) {
  double inf = INFINITY, minus = -INFINITY, number = 1e308, not_a = NAN, tiny = 5e-324;
  const DLTensor i = over(&inf, f64, 0, NULL, NULL), m = over(&minus, f64, 0, NULL, NULL),
                 n = over(&number, f64, 0, NULL, NULL), x = over(&not_a, f64, 0, NULL, NULL),
                 t = over(&tiny, f64, 0, NULL, NULL);
  EXPECT(close_to(i, i, 0, 0, false) && !close_to(i, m, 1, 1, false));
  EXPECT(!close_to(i, n, 1, 1, false) && !close_to(n, i, 1, 1, false));
  EXPECT(!close_to(x, x, 1, 1, false) && close_to(x, x, 0, 0, true) &&
         !close_to(x, n, 1, 1, true) && !close_to(n, x, 1, 1, true));
  EXPECT(close_to(t, t, 0, 0, false) && !close_to(t, n, 0, 1, false));
  double part_inf[] = {INFINITY, 2}, other_part[] = {1, 2};
  const DLDataType c128 = {kDLComplex, 128, 1};
  const DLTensor p = over(part_inf, c128, 0, NULL, NULL), o = over(other_part, c128, 0, NULL, NULL);
  EXPECT(close_to(p, p, 0, 0, false) && !close_to(p, o, 1, 1, false) &&
         !close_to(o, p, 1, 1, false));
}

static void test_compare__refuses_what_it_cannot_read(void) {
  float memory = 0;
  bool answer = true;
  const DLTensor ok = over(&memory, f32, 0, NULL, NULL),
                 odd = over(&memory, (DLDataType){99, 16, 1}, 0, NULL, NULL),
                 broken = over(NULL, f32, 0, NULL, NULL),
                 gpu = {&memory, {kDLCUDA, 0}, 0, f32, NULL, NULL, 0};
  EXPECT_FAILS(dlf_equal((dlf_arg){&ok, 0}, (dlf_arg){&odd, 0}, &answer, &error),
               DLF_UNSUPPORTED,
               "equal: expected a dtype with arithmetic, got dtype(99, 16)");
  EXPECT(!answer);
  double number = 0;
  const DLTensor uneven = over(&number, (DLDataType){kDLComplex, 33, 1}, 0, NULL, NULL);
  EXPECT_INT(dlf_equal((dlf_arg){&ok, 0}, (dlf_arg){&uneven, 0}, &answer, NULL), DLF_UNSUPPORTED);
  EXPECT_FAILS(
      dlf_equal((dlf_arg){&gpu, 0}, (dlf_arg){&ok, 0}, &answer, &error),
      DLF_DEVICE,
      "equal: expected data that the processor can reach, got cuda:0: move it to the CPU first");
  EXPECT_FAILS(dlf_identical((dlf_arg){&ok, 0}, (dlf_arg){NULL, 0}, &answer, &error),
               DLF_INVALID,
               "identical: expected a tensor, got NULL");
  EXPECT_FAILS(dlf_identical((dlf_arg){&ok, 0}, (dlf_arg){&ok, 0}, NULL, &error),
               DLF_INVALID,
               "identical: expected a place for the answer, got NULL");
  EXPECT_FAILS(dlf_all_close((dlf_arg){&ok, 0}, (dlf_arg){&ok, 0}, -1, 0, false, &answer, &error),
               DLF_INVALID,
               "all_close: expected tolerances of 0 or more, got rtol -1 and atol 0");
  EXPECT_INT(dlf_all_close((dlf_arg){&ok, 0}, (dlf_arg){&ok, 0}, 0, NAN, false, &answer, NULL),
             DLF_INVALID);
  EXPECT_INT(dlf_all_close((dlf_arg){&ok, 0}, (dlf_arg){&broken, 0}, 0, 0, false, &answer, NULL),
             DLF_INVALID);
}

static void test_compare__lanes_and_nothing(void) {
  uint8_t a[] = {1, 2, 3, 4}, b[] = {1, 2, 3, 5};
  const DLDataType pairs = {kDLUInt, 8, 2};
  EXPECT(!equal(over(a, pairs, 1, LIST(2), NULL), over(b, pairs, 1, LIST(2), NULL)));
  EXPECT(
      !close_to(over(a, pairs, 1, LIST(2), NULL), over(b, pairs, 1, LIST(2), NULL), 0, 0.5, false));
  b[3] = 4;
  EXPECT(equal(over(a, pairs, 1, LIST(2), NULL), over(b, pairs, 1, LIST(2), NULL)));
  EXPECT(!equal(over(a, pairs, 1, LIST(2), NULL), over(b, u8, 1, LIST(2), NULL)));
  EXPECT(equal(over(NULL, pairs, 1, LIST(0), NULL), over(NULL, pairs, 1, LIST(0), NULL)));
  EXPECT(identical(over(NULL, f32, 2, LIST(3, 0), LIST(INT64_MAX, 1)),
                   over(NULL, f32, 2, LIST(3, 0), NULL)));
}

int main(void) {
  RUN(test_compare__equal_follows_strides);
  RUN(test_compare__the_same_elements_in_another_shape_differ);
  RUN(test_compare__equal_is_exact_between_dtypes);
  RUN(test_compare__nan_and_signed_zero);
  RUN(test_compare__small_floats_have_their_values);
  RUN(test_compare__identical_wants_the_same_dtype);
  RUN(test_compare__bits_around_odd_elements_do_not_count);
  RUN(test_compare__all_close_uses_both_tolerances);
  RUN(test_compare__all_close_knows_infinity_and_nan);
  RUN(test_compare__refuses_what_it_cannot_read);
  RUN(test_compare__lanes_and_nothing);
  return test_end();
}
