/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of scalars.h: complex numbers, characters, constants, values that may be absent, and
 * codes. */
#include "scalars/scalars_dlferry.h"

#include "../c/test.h"

static dlf_error error;
static int64_t shapes[2][2], strides[2][2];
static DLTensor tensors[2];

static const DLDataType f64 = {kDLFloat, 64, 1}, c64 = {kDLComplex, 64, 1},
                        c128 = {kDLComplex, 128, 1};

static dlf_arg vector(int which, void *data, DLDataType dtype, int64_t n, int64_t step) {
  shapes[which][0] = n;
  strides[which][0] = step;
  tensors[which] = (DLTensor){data, cpu, 1, dtype, shapes[which], strides[which], 0};
  return (dlf_arg){&tensors[which], 0};
}

static dlf_arg square(void *data, int64_t n) {
  shapes[0][0] = shapes[0][1] = strides[0][0] = n;
  strides[0][1] = 1;
  tensors[0] = (DLTensor){data, cpu, 2, f64, shapes[0], strides[0], 0};
  return (dlf_arg){&tensors[0], 0};
}

/* ---- complex numbers ---- */

static void test_scalars__complex_numbers_by_value(void) {
  dlf_c128 product = {0, 0};
  dlf_c64 narrow = {0, 0};
  EXPECT_INT(s_times_checked((dlf_c128){1, 2}, (dlf_c128){3, -1}, &product, &error), DLF_OK);
  EXPECT(product.re == 5 && product.im == 5);
  EXPECT_INT(s_timesf_checked((dlf_c64){0, 1}, (dlf_c64){0, 1}, &narrow, &error), DLF_OK);
  EXPECT(narrow.re == -1 && narrow.im == 0);
}

static void test_scalars__complex_numbers_behind_pointers(void) {
  double x[4] = {1, 0, 0, 1};
  float y[2] = {2, 0};
  dlf_c128 sum = {7, 7};
  bool odd = false;
  EXPECT_INT(s_scale_checked((dlf_c128){0, 2}, vector(0, x, c128, 2, 1), &error), DLF_OK);
  EXPECT(x[0] == 0 && x[1] == 2 && x[2] == -2 && x[3] == 0);
  EXPECT_INT(s_scalef_checked((dlf_c64){0.5F, -1}, vector(0, y, c64, 1, 1), &error), DLF_OK);
  EXPECT(y[0] == 1 && y[1] == -2);
  EXPECT_INT(s_sum_sub_checked(vector(0, x, c128, 2, 1), &sum, &error), DLF_OK);
  EXPECT(sum.re == -2 && sum.im == 2);
  EXPECT_INT(s_sum_checked(vector(0, x, c128, 1, 1), &sum, &odd, &error), DLF_OK);
  EXPECT(sum.re == 0 && sum.im == 2 && odd);
  EXPECT_INT(s_sum_sub_checked(vector(0, x, c128, 2, 1), NULL, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "total: sum: expected a place for the value, got NULL");
  EXPECT_INT(s_sum_sub_checked(vector(0, x, f64, 2, 1), &sum, &error), DLF_DTYPE);
  EXPECT_TEXT(error.message,
              "total: x: dtype is f64, expected c128; got f64[2], wanted c128[n]: cast converts");
}

/* ---- characters ---- */

static void test_scalars__characters(void) {
  int which = 0;
  char grade = 0;
  EXPECT_INT(s_triangle_checked('U', 'x', &which, &error), DLF_OK);
  EXPECT_INT(which, 1);
  EXPECT_INT(s_triangle_checked('L', 'y', &which, &error), DLF_OK);
  EXPECT_INT(which, 3);
  EXPECT_INT(s_triangle_checked('u', 'x', &which, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "triangle: uplo is 'u', wanted 'U'|'L'");
  EXPECT_INT(s_triangle_checked('\0', 'x', &which, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "triangle: uplo is 0, wanted 'U'|'L'");
  EXPECT_INT(s_triangle_checked('U', (char)200, &which, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "triangle: any is 200, wanted a character of ASCII");
  EXPECT_INT(s_grade_checked(51, &grade, &error), DLF_OK);
  EXPECT_INT(grade, 'A');
  EXPECT_INT(s_grade_checked(-1, &grade, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "grade: its result is 200, wanted a character of ASCII");
}

/* ---- arguments that the call computes, behind pointers and as reals ---- */

static void test_scalars__computed_values(void) {
  double x[4] = {1, 2, 3, 4}, mean = 0, sum = 0;
  EXPECT_INT(s_mean_checked(vector(0, &x[3], f64, 2, -3), &mean, &error), DLF_OK);
  EXPECT(mean == 2.5);
  EXPECT_INT(s_mean_checked(vector(0, x, f64, INT64_C(1) << 31, 0), &mean, &error), DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "mean: n: expected -2147483648 to 2147483647, got 2147483648");
  EXPECT_INT(s_fixed_checked(vector(0, x, f64, 3, 1), &sum, &error), DLF_OK);
  EXPECT(sum == 500 + 1.5 + 0.125 + 1);
}

/* ---- values that may be absent ---- */

static void test_scalars__values_that_may_be_absent(void) {
  const double tolerance = 2;
  const int32_t most = 3;
  double within = 0;
  const char *text = "";
  EXPECT_INT(s_within_checked(NULL, NULL, &within, &error), DLF_OK);
  EXPECT(within == 0.5);
  EXPECT_INT(s_within_checked(&tolerance, &most, &within, &error), DLF_OK);
  EXPECT(within == 6);
  EXPECT_INT(s_greet_checked("you", &text, &error), DLF_OK);
  EXPECT_TEXT(text, "hello you");
  EXPECT_INT(s_greet_checked(NULL, &text, &error), DLF_OK);
  EXPECT(text == NULL);
}

/* ---- codes ---- */

static void test_scalars__codes(void) {
  EXPECT_INT(s_check_checked(0, &error), DLF_OK);
  EXPECT_INT(s_check_checked(1, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "check: kernel returned 8 (poor)");
  EXPECT_INT(s_count_checked(0, &error), DLF_OK);
  EXPECT_INT(s_count_checked(1, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "count: kernel returned 102 (the count is not 101)");
}

static void test_scalars__info(void) {
  double a[4] = {1, 2, 3, 4};
  EXPECT_INT(s_solve_checked('T', square(a, 2), &error), DLF_OK);
  a[3] = 0;
  EXPECT_INT(s_solve_checked('N', square(a, 2), &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "solve: kernel returned 2 (a pivot is exactly zero)");
  a[3] = -1;
  EXPECT_INT(s_solve_checked('N', square(a, 2), &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "solve: a: expected a value that the kernel accepts, got its code -4");
  a[3] = -2;
  EXPECT_INT(s_solve_checked('N', square(a, 2), &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "solve: kernel returned -1010");
}

/* ---- families ---- */

static void test_scalars__a_family_chooses_by_dtype(void) {
  float x[2] = {1, 2}, y[2] = {10, 20}, real[2] = {0, 0};
  double wide[4] = {3, 4, 0, 1}, sum[4] = {0, 0, 0, 0}, most = 0;
  EXPECT_INT(
      s_axpy_checked((dlf_c128){2, 0}, vector(0, x, f32, 2, 1), vector(1, y, f32, 2, 1), &error),
      DLF_OK);
  EXPECT(y[0] == 12 && y[1] == 24);
  EXPECT_INT(s_axpy_checked(
                 (dlf_c128){2, 0}, vector(0, wide, f64, 4, 1), vector(1, sum, f64, 4, 1), &error),
             DLF_OK);
  EXPECT(sum[1] == 8);
  EXPECT_INT(s_axpy_checked(
                 (dlf_c128){0, 1}, vector(0, wide, c128, 2, 1), vector(1, sum, c128, 2, 1), &error),
             DLF_OK);
  EXPECT(sum[0] == 2 && sum[1] == 11);
  EXPECT_INT(
      s_axpy_checked((dlf_c128){0, 1}, vector(0, x, c64, 1, 1), vector(1, real, c64, 1, 1), &error),
      DLF_OK);
  EXPECT(real[0] == -2 && real[1] == 1);
  EXPECT_INT(s_largest_checked(vector(0, y, f32, 2, 1), &most, &error), DLF_OK);
  EXPECT(most == 24);
  EXPECT_INT(s_largest_checked(vector(0, wide, f64, 4, 1), &most, &error), DLF_OK);
  EXPECT(most == 4);
  EXPECT_INT(s_largest_checked(vector(0, wide, f64, 4, 1), NULL, &error), DLF_OK);
}

static void test_scalars__a_family_makes_outputs(void) {
  float x[2] = {-3, 4};
  double wide[2] = {3, 4};
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(s_abs_new(vector(0, x, f32, 2, 1), &out, &error), DLF_OK);
  EXPECT(((float *)out->dl_tensor.data)[0] == 3);
  dlf_dlpack_release(out);
  EXPECT_INT(s_abs_new(vector(0, wide, c128, 1, 1), &out, &error), DLF_OK);
  EXPECT(((double *)out->dl_tensor.data)[0] == 5 && out->dl_tensor.dtype.code == kDLFloat);
  dlf_dlpack_release(out);
  EXPECT_INT(s_abs_new(vector(0, x, f64, 1, 1), &out, &error), DLF_DTYPE);
  EXPECT(out == NULL);
  EXPECT_TEXT(
      error.message,
      "abs: x: dtype is f64, expected T in f32|c64|c128; got f64[1], wanted T[n]: cast converts");
  EXPECT_INT(s_abs_new((dlf_arg){NULL, 0}, &out, &error), DLF_INVALID);
  EXPECT_INT(s_abs_new(vector(0, x, f32, 2, 1), NULL, &error), DLF_INVALID);
  EXPECT_INT(s_abs_checked(vector(0, wide, c64, 1, 1), vector(1, x, f64, 1, 1), &error), DLF_DTYPE);
  EXPECT_TEXT(error.message, "abs: out: dtype is f64, expected f32; got f64[1], wanted f32[n]");
}

static void test_scalars__values_fit_the_member(void) {
  float x[2] = {1, 2}, y[2] = {10, 20};
  double wide[2] = {1, 2};
  EXPECT_INT(
      s_axpy_checked((dlf_c128){1, 2}, vector(0, x, f32, 2, 1), vector(1, y, f32, 2, 1), &error),
      DLF_INVALID);
  EXPECT_TEXT(error.message, "axpy: alpha: expected a real number for f32, got (1, 2)");
  EXPECT_INT(s_axpy_checked(
                 (dlf_c128){1e300, 0}, vector(0, x, f32, 2, 1), vector(1, y, f32, 2, 1), &error),
             DLF_OVERFLOW);
  EXPECT_INT(s_axpy_checked(
                 (dlf_c128){0, 1e300}, vector(0, x, c64, 1, 1), vector(1, y, c64, 1, 1), &error),
             DLF_OVERFLOW);
  EXPECT_INT(
      s_axpy_checked((dlf_c128){1, 0}, vector(0, x, f32, 2, 1), vector(1, wide, f64, 2, 1), &error),
      DLF_DTYPE);
  EXPECT_TEXT(error.message,
              "axpy: y: dtype is f64, expected T = f32 from x; got f64[2], wanted inout T[n]");
  EXPECT(y[0] == 10);
}

int main(void) {
  RUN(test_scalars__a_family_chooses_by_dtype);
  RUN(test_scalars__a_family_makes_outputs);
  RUN(test_scalars__values_fit_the_member);
  RUN(test_scalars__complex_numbers_by_value);
  RUN(test_scalars__complex_numbers_behind_pointers);
  RUN(test_scalars__characters);
  RUN(test_scalars__computed_values);
  RUN(test_scalars__values_that_may_be_absent);
  RUN(test_scalars__codes);
  RUN(test_scalars__info);
  return test_end();
}
