/* SPDX-License-Identifier: Apache-2.0 */
/* Python's tests compare every conversion with ml_dtypes; these need no other package. */
#include "test.h"

#include <math.h>

static const DLDataType kinds[] = {{kDLFloat, 16, 1},
                                   {kDLBfloat, 16, 1},
                                   {kDLFloat8_e3m4, 8, 1},
                                   {kDLFloat8_e4m3, 8, 1},
                                   {kDLFloat8_e4m3b11fnuz, 8, 1},
                                   {kDLFloat8_e4m3fn, 8, 1},
                                   {kDLFloat8_e4m3fnuz, 8, 1},
                                   {kDLFloat8_e5m2, 8, 1},
                                   {kDLFloat8_e5m2fnuz, 8, 1},
                                   {kDLFloat8_e8m0fnu, 8, 1},
                                   {kDLFloat6_e2m3fn, 6, 1},
                                   {kDLFloat6_e3m2fn, 6, 1},
                                   {kDLFloat4_e2m1fn, 4, 1}};

static double decode(DLDataType dtype, uint64_t bits) {
  double value = -1;
  EXPECT_INT(dlf_float_decode(dtype, bits, &value, NULL), DLF_OK);
  return value;
}

static uint64_t encode(DLDataType dtype, double value) {
  uint64_t bits = UINT64_MAX;
  EXPECT_INT(dlf_float_encode(dtype, value, &bits, NULL), DLF_OK);
  return bits;
}

/* The float steps past a positive one. */
static double beside(double value, int32_t steps) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  bits += (uint32_t)steps;
  memcpy(&single, &bits, sizeof bits);
  return (double)single;
}

static void test_float__every_value_comes_back(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (uint64_t bits = 0; bits >> kinds[k].bits == 0; bits++) {
      const double value = decode(kinds[k], bits);
      if (isnan(value)) {
        EXPECT(isnan(decode(kinds[k], encode(kinds[k], value))));
      } else {
        EXPECT(encode(kinds[k], value) == bits);
      }
      EXPECT(decode(kinds[k], bits | UINT64_C(1) << 63) == value || isnan(value));
    }
  }
}

/* Positive values ascend with their bits: the middle of two neighbours rounds to the even one, and
 * not further. */
static void test_float__rounds_to_the_nearest_and_ties_to_even(void) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const DLDataType dtype = kinds[k];
    if (dtype.code == kDLFloat8_e8m0fnu) {
      continue;
    }
    for (uint64_t bits = 0; bits + 1 < UINT64_C(1) << (dtype.bits - 1); bits++) {
      const double low = decode(dtype, bits), high = decode(dtype, bits + 1),
                   middle = (low + high) / 2;
      if (!isfinite(high)) {
        break;
      }
      EXPECT(low < high);
      EXPECT(encode(dtype, middle) == bits + (bits & 1));
      EXPECT(encode(dtype, beside(middle, -1)) == bits);
      EXPECT(encode(dtype, beside(middle, 1)) == bits + 1);
      EXPECT(decode(dtype, encode(dtype, -middle)) == -decode(dtype, encode(dtype, middle)));
    }
  }
}

static void test_float__what_has_no_value(void) {
  const DLDataType fn = {kDLFloat8_e4m3fn, 8, 1}, fnuz = {kDLFloat8_e4m3fnuz, 8, 1},
                   six = {kDLFloat6_e2m3fn, 6, 1};
  const DLDataType powers = {kDLFloat8_e8m0fnu, 8, 1}, half = {kDLFloat, 16, 1},
                   brain = {kDLBfloat, 16, 1};
  EXPECT(encode(half, 65520) == 0x7C00 && encode(half, 65519.99) == 0x7BFF &&
         encode(half, -1e300) == 0xFC00);
  EXPECT(encode(half, NAN) == 0x7E00 && encode(brain, -NAN) == 0xFFC0 &&
         encode(brain, 1e300) == 0x7F80);
  EXPECT(encode(fn, 464) == 0x7E && encode(fn, 465) == 0x7F && encode(fn, -INFINITY) == 0xFF);
  EXPECT(encode(fnuz, -0.0) == 0 && encode(fnuz, NAN) == 0x80 && encode(fnuz, -1e9) == 0x80);
  EXPECT(encode(six, 1e9) == 0x1F && encode(six, -INFINITY) == 0x3F && encode(six, NAN) == 0x20);
  EXPECT(encode(powers, 1) == 127 && encode(powers, 1.5) == 128 && encode(powers, 3) == 129);
  EXPECT(encode(powers, 0) == 255 && encode(powers, -1) == 255 && encode(powers, 0x1.8p127) == 255);
  EXPECT(encode(powers, 0x1p-149) == 0 && encode(powers, 0x1.1p-127) == 1 &&
         encode(powers, 0x1p-300) == 255);
}

static void test_float__wide_ones(void) {
  const DLDataType single = {kDLFloat, 32, 4}, wide = {kDLFloat, 64, 1}; /* lanes do not matter */
  static const float third = 1.0f / 3; /* stored, since an expression may have more precision */
  EXPECT(encode(single, 1.0 / 3) == 0x3EAAAAAB && decode(single, 0x3EAAAAAB) == (double)third);
  EXPECT(encode(single, 0x1p-149) == 1 && encode(single, 1e300) == 0x7F800000 &&
         encode(single, -0.0) == 0x80000000);
  EXPECT(encode(single, 0x1.fffffefp127) == 0x7F7FFFFF &&
         encode(single, 0x1.ffffffp127) == 0x7F800000);
  EXPECT(encode(wide, 1) == UINT64_C(0x3FF0000000000000) && decode(wide, 1) == 0x1p-1074);
}

static void test_float__refuses_other_dtypes(void) {
  const DLDataType others[] = {
      {kDLInt, 8, 1}, {kDLFloat, 8, 1}, {kDLComplex, 32, 1}, {kDLFloat4_e2m1fn, 8, 1}, {99, 8, 1}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    dlf_error error;
    double value = -1;
    uint64_t bits = 7;
    EXPECT_INT(dlf_float_decode(others[i], 0, &value, &error), DLF_DTYPE);
    if (i == 0) {
      EXPECT_TEXT(error.message, "float_decode: expected a dtype of reals, got int8");
    }
    EXPECT_INT(dlf_float_encode(others[i], 1, &bits, &error), DLF_DTYPE);
    if (i == 0) {
      EXPECT_TEXT(error.message, "float_encode: expected a dtype of reals, got int8");
    }
    EXPECT(value == 0 && bits == 0);
  }
}

int main(void) {
  RUN(test_float__every_value_comes_back);
  RUN(test_float__rounds_to_the_nearest_and_ties_to_even);
  RUN(test_float__what_has_no_value);
  RUN(test_float__wide_ones);
  RUN(test_float__refuses_other_dtypes);
  return test_end();
}
