/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of pointers.h: a tensor's first element, strides, leading dimensions and orders as arguments of C. */
#include "pointers/pointers_dlferry.h"

#include "../c/test.h"

static double numbers[64];
static int64_t shapes[4][3], strides[4][3];
static DLTensor tensors[4];
static dlf_error error;

static const DLDataType f64 = {kDLFloat, 64, 1}, i16 = {kDLInt, 16, 1}, i32 = {kDLInt, 32, 1}, u8 = {kDLUInt, 8, 1},
                        truth = {kDLBool, 8, 1};

static void begin(void) {
  for (int i = 0; i < 64; i++) numbers[i] = i;
}

static dlf_arg matrix(int which, int first, int64_t m, int64_t n, int64_t down, int64_t across) {
  shapes[which][0] = m;
  shapes[which][1] = n;
  strides[which][0] = down;
  strides[which][1] = across;
  tensors[which] = (DLTensor){numbers, cpu, 2, f64, shapes[which], strides[which], (uint64_t)first * sizeof *numbers};
  return (dlf_arg){&tensors[which], 0};
}

static dlf_arg vector(int which, void *data, DLDataType dtype, int64_t n, int64_t step) {
  shapes[which][0] = n;
  strides[which][0] = step;
  tensors[which] = (DLTensor){data, cpu, 1, dtype, shapes[which], strides[which], 0};
  return (dlf_arg){&tensors[which], 0};
}

/* ---- matrices ---- */

static void test_pointers__a_matrix_of_rows_or_columns(void) {
  double total = 0;
  begin();
  EXPECT_INT(p_total_checked(matrix(0, 0, 2, 3, 3, 1), &total, &error), DLF_OK);
  EXPECT(total == (0 + 1 + 2) + 2 * (3 + 4 + 5));
  EXPECT_INT(p_total_checked(matrix(0, 1, 2, 3, 10, 1), &total, &error), DLF_OK); /* a window */
  EXPECT(total == (1 + 2 + 3) + 2 * (11 + 12 + 13));
  EXPECT_INT(p_total_checked(matrix(0, 0, 2, 3, 1, 2), &total, &error), DLF_OK); /* columns */
  EXPECT(total == (0 + 1) + 2 * (2 + 3) + 3 * (4 + 5));
  tensors[0].strides = NULL;
  EXPECT_INT(p_total_checked((dlf_arg){&tensors[0], 0}, &total, &error), DLF_OK);
  EXPECT(total == (0 + 1 + 2) + 2 * (3 + 4 + 5));
}

static void test_pointers__axes_of_one_element_have_no_stride(void) {
  double total = 0;
  begin();
  EXPECT_INT(p_total_checked(matrix(0, 5, 1, 1, -7, 0), &total, &error), DLF_OK);
  EXPECT(total == 5);
  EXPECT_INT(p_total_checked(matrix(0, 0, 1, 3, 0, 1), &total, &error), DLF_OK);
  EXPECT(total == 3);
  EXPECT_INT(p_total_checked(matrix(0, 0, 3, 1, 4, 77), &total, &error), DLF_OK);
  EXPECT(total == 0 + 2 * 4 + 3 * 8);
  EXPECT_INT(p_total_checked(matrix(0, 0, 0, 3, 3, 1), &total, &error), DLF_OK);
  EXPECT(total == 0);
}

static void test_pointers__a_matrix_that_c_cannot_be_told(void) {
  static const int64_t down[] = {-3, 6, 2, 0}, across[] = {1, 2, 1, 1};
  double total = 7;
  begin();
  for (int i = 0; i < 4; i++) {
    char expected[200];
    snprintf(expected, sizeof expected,
             "total: a: expected a leading dimension and elements next to each other, got strides (%d, %d)",
             (int)down[i], (int)across[i]);
    EXPECT_INT(p_total_checked(matrix(0, 6, 3, 3, down[i], across[i]), &total, &error), DLF_LAYOUT);
    EXPECT_TEXT(error.message, expected);
  }
  EXPECT_INT(p_total_checked(matrix(0, 0, INT64_C(1) << 31, 0, 1, 1), &total, &error), DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "total: m: expected -2147483648 to 2147483647, got 2147483648");
  EXPECT_INT(p_total_checked(matrix(0, 0, 2, 2, INT64_C(1) << 40, 1), &total, &error), DLF_OVERFLOW);
}

/* ---- vectors ---- */

static void test_pointers__negative_steps_begin_at_the_lowest_address_for_blas(void) {
  double x[3] = {1, 2, 3}, y[6] = {0, 0, 0, 0, 0, 0};
  EXPECT_INT(p_axpy_checked(10, vector(0, &x[2], f64, 3, -1), vector(1, y, f64, 3, 2), &error), DLF_OK);
  EXPECT(y[0] == 30 && y[2] == 20 && y[4] == 10 && y[1] == 0);
  EXPECT_INT(p_axpy_checked(1, vector(0, &x[2], f64, 3, -1), vector(1, &y[4], f64, 3, -2), &error), DLF_OK);
  EXPECT(y[4] == 13 && y[2] == 22 && y[0] == 31);
  EXPECT_INT(p_axpy_checked(1, vector(0, x, f64, 1, 0), vector(1, y, f64, 1, 0), &error), DLF_OK);
  EXPECT(y[0] == 32);
  EXPECT_INT(p_axpy_checked(1, vector(0, NULL, f64, 0, -1), vector(1, NULL, f64, 0, -1), &error), DLF_OK);
}

static void test_pointers__blas_takes_no_stride_of_zero(void) {
  double x[3] = {1, 2, 3}, y[3] = {0, 0, 0};
  EXPECT_INT(p_axpy_checked(1, vector(0, x, f64, 3, 0), vector(1, y, f64, 3, 1), &error), DLF_LAYOUT);
  EXPECT_TEXT(error.message, "axpy: x: expected a stride other than 0 along axis 0, got 0");
  EXPECT_INT(p_axpy_checked(1, vector(0, x, f64, 3, 1), vector(1, y, f64, 3, 0), &error), DLF_INVALID);
  EXPECT(y[0] == 0);
}

static void test_pointers__other_steps_begin_at_the_first_element(void) {
  int16_t x[5] = {1, 2, 3, 4, 5};
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(p_walk_new(vector(0, &x[4], i16, 3, -2), &out, &error), DLF_OK);
  const int16_t *made = out->dl_tensor.data;
  EXPECT(made[0] == 1 && made[1] == 3 && made[2] == 5);
  dlf_dlpack_release(out);
  EXPECT_INT(p_walk_new(vector(0, x, i16, 5, 0), &out, &error), DLF_OK); /* this C may read one element often */
  dlf_dlpack_release(out);
}

/* ---- types ---- */

static void test_pointers__a_value_for_each_dtype(void) {
  int32_t x[2] = {1, 2}, y[3] = {10, 20, 30};
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(p_outer_new(vector(0, x, i32, 2, 1), vector(1, y, i32, 3, 1), &out, &error), DLF_OK);
  EXPECT_INT(((int32_t *)out->dl_tensor.data)[5], 32);
  dlf_dlpack_release(out);
  float a[1] = {1.5f};
  EXPECT_INT(p_outer_new(vector(0, a, f32, 1, 1), vector(1, a, f32, 1, 1), &out, &error), DLF_OK);
  EXPECT(((float *)out->dl_tensor.data)[0] == 3);
  dlf_dlpack_release(out);
  EXPECT_INT(p_outer_new(vector(0, numbers, f64, 1, 1), vector(1, a, f32, 1, 1), &out, &error), DLF_DTYPE);
}

static void test_pointers__bytes_and_truth(void) {
  bool flags[3] = {true, false, true};
  unsigned char bytes[2] = {1, 255};
  int32_t count = 0;
  EXPECT_INT(p_count_checked(vector(0, flags, truth, 3, 1), &count, &error), DLF_OK);
  EXPECT_INT(count, 2);
  EXPECT_INT(p_count_checked(vector(0, numbers, truth, 200, 1), &count, &error), DLF_OVERFLOW);
  EXPECT_INT(p_shift_checked(vector(0, bytes, u8, 2, 1), 2, &error), DLF_OK);
  EXPECT_INT(bytes[0], 3);
  EXPECT_INT(bytes[1], 1);
  EXPECT_INT(p_shift_checked((dlf_arg){&tensors[0], DLPACK_FLAG_BITMASK_READ_ONLY}, 2, &error), DLF_READ_ONLY);
}

/* Call p_describe on a tensor of two axes. */
static const char *described(DLDataType type, int64_t rows, int64_t columns, int64_t down, int64_t along) {
  static char text[512];
  int64_t extents[] = {rows, columns}, steps[] = {down, along};
  const DLTensor x = {numbers, {kDLCPU, 0}, 2, type, extents, steps, 0};
  const char *result = NULL;
  if (p_describe_checked((dlf_arg){&x, 0}, &result, &error)) return error.message;
  snprintf(text, sizeof text, "%s", result);
  return text;
}

static void test_pointers__an_array_interface_is_a_text(void) {
  const DLDataType c128 = {kDLComplex, 128, 1}, bf16 = {kDLBfloat, 16, 1}, nibble = {kDLInt, 4, 1},
                   pair = {kDLFloat, 32, 2};
  EXPECT_TEXT(described(f32, 2, 3, 3, 1), "{\"data\": [A, true], \"shape\": [2, 3], \"strides\": [12, 4], \"typestr\": "
                                          "\"<f4\", \"version\": 3}");
  EXPECT_TEXT(described(u8, 2, 2, 1, -2), "{\"data\": [A, true], \"shape\": [2, 2], \"strides\": [1, -2], \"typestr\": "
                                          "\"|u1\", \"version\": 3}");
  EXPECT_TEXT(described(c128, 1, 0, 9, 9), "{\"data\": [A, true], \"shape\": [1, 0], \"strides\": [16, 16], "
                                           "\"typestr\": \"<c16\", \"version\": 3}");
  EXPECT_TEXT(described(truth, 1, 1, 1, 1),
              "{\"data\": [A, true], \"shape\": [1, 1], \"strides\": [1, 1], \"typestr\": "
              "\"|b1\", \"version\": 3}");
  EXPECT_TEXT(described(bf16, 1, 1, 1, 1), "describe: array: expected a dtype of NumPy's array interface, got bf16");
  EXPECT_TEXT(described(pair, 1, 1, 1, 1), "describe: array: expected a dtype of NumPy's array interface, got f32_x2");
  EXPECT(strstr(described(nibble, 1, 2, 2, 1), "NumPy") != NULL);
  int64_t extents[DLF_MAX_NDIM];
  DLTensor deep = {numbers, {kDLCPU, 0}, DLF_MAX_NDIM, f64, extents, NULL, 0};
  const char *result = NULL;
  for (int i = 0; i < DLF_MAX_NDIM; i++) extents[i] = i ? INT64_MAX : 0;
  const dlf_status status = p_describe_checked((dlf_arg){&deep, 0}, &result, &error);
  EXPECT(status == DLF_OK || status == DLF_OVERFLOW);
}

int main(void) {
  RUN(test_pointers__a_matrix_of_rows_or_columns);
  RUN(test_pointers__axes_of_one_element_have_no_stride);
  RUN(test_pointers__a_matrix_that_c_cannot_be_told);
  RUN(test_pointers__negative_steps_begin_at_the_lowest_address_for_blas);
  RUN(test_pointers__blas_takes_no_stride_of_zero);
  RUN(test_pointers__other_steps_begin_at_the_first_element);
  RUN(test_pointers__a_value_for_each_dtype);
  RUN(test_pointers__bytes_and_truth);
  RUN(test_pointers__an_array_interface_is_a_text);
  return test_end();
}
