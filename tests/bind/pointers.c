/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of pointers.h: a tensor's first element, strides, leading dimensions and orders as
 * arguments of C. */
#include "pointers/pointers_dlferry.h"

#include "../c/test.h"

static double numbers[64];
static int64_t shapes[4][3], strides[4][3];
static DLTensor tensors[4];
static dlf_error error;

static const DLDataType f64 = {kDLFloat, 64, 1}, i16 = {kDLInt, 16, 1}, i32 = {kDLInt, 32, 1},
                        u8 = {kDLUInt, 8, 1}, truth = {kDLBool, 8, 1};

static void begin(void) {
  for (int i = 0; i < 64; i++) {
    numbers[i] = i;
  }
}

static dlf_arg matrix(int which, int first, int64_t m, int64_t n, int64_t down, int64_t across) {
  shapes[which][0] = m;
  shapes[which][1] = n;
  strides[which][0] = down;
  strides[which][1] = across;
  tensors[which] = (DLTensor){
      numbers, cpu, 2, f64, shapes[which], strides[which], (uint64_t)first * sizeof *numbers};
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

/* NumPy gives all strides of such an array as 0, Julia some. */
static void test_pointers__strides_without_elements_say_nothing(void) {
  static const int64_t given[][2] = {{0, 0}, {1, 0}, {0, 1}, {-5, 1}, {7, -7}};
  static double other[1];
  double total = 7;
  begin();
  for (int i = 0; i < 5; i++) {
    EXPECT_INT(p_total_checked(matrix(0, 0, 0, 5, given[i][0], given[i][1]), &total, &error),
               DLF_OK);
    EXPECT_INT(p_total_checked(matrix(0, 0, 5, 0, given[i][0], given[i][1]), &total, &error),
               DLF_OK);
    EXPECT(total == 0);
    const dlf_arg a = matrix(0, 0, 5, 0, given[i][0], given[i][1]), b = matrix(1, 0, 5, 0, 1, 5);
    tensors[1].data = other;
    EXPECT_INT(p_plus_checked(a, b, &error), DLF_OK);
  }
}

static void test_pointers__a_matrix_that_c_cannot_be_told(void) {
  static const int64_t down[] = {-3, 6, 2, 0}, across[] = {1, 2, 1, 1};
  double total = 7;
  begin();
  for (int i = 0; i < 4; i++) {
    char expected[200];
    snprintf(expected,
             sizeof expected,
             "total: a: expected a leading dimension and elements next to each other, got strides "
             "(%d, %d): pass a copy",
             (int)down[i],
             (int)across[i]);
    EXPECT_INT(p_total_checked(matrix(0, 6, 3, 3, down[i], across[i]), &total, &error), DLF_LAYOUT);
    EXPECT_TEXT(error.message, expected);
  }
  EXPECT_INT(p_total_checked(matrix(0, 0, INT64_C(1) << 31, 0, 1, 1), &total, &error),
             DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "total: m: expected -2147483648 to 2147483647, got 2147483648");
  EXPECT_INT(p_total_checked(matrix(0, 0, 2, 2, INT64_C(1) << 40, 1), &total, &error),
             DLF_OVERFLOW);
}

/* ---- matrices of one order ---- */

enum { ROWS, COLUMNS, LAYOUTS };

/* Two matrices of 2 by 3 in memory of their own, with a gap between rows or columns. */
static dlf_arg of_order(int which, double *data, int order, int64_t m, int64_t n) {
  dlf_arg arg = order == ROWS ? matrix(which, 0, m, n, n + 1, 1) : matrix(which, 0, m, n, 1, m + 2);
  tensors[which].data = data;
  return arg;
}

static double *at(int which, int i, int k) {
  return (double *)tensors[which].data + i * strides[which][0] + k * strides[which][1];
}

static void test_pointers__two_matrices_of_one_order(void) {
  static double a[32], b[32];
  for (int order = ROWS; order < LAYOUTS; order++) {
    for (int i = 0; i < 6; i++) {
      const dlf_arg first = of_order(0, a, order, 2, 3), second = of_order(1, b, order, 2, 3);
      *at(0, i / 3, i % 3) = i;
      *at(1, i / 3, i % 3) = 10;
      EXPECT_INT(p_plus_checked(first, second, &error), DLF_OK);
      EXPECT(*at(1, i / 3, i % 3) == 10 + i);
    }
  }
}

static void test_pointers__matrices_of_two_orders_are_refused(void) {
  static double a[32], b[32];
  dlf_arg rows = of_order(0, a, ROWS, 2, 3), columns = of_order(1, b, COLUMNS, 2, 3);
  EXPECT_INT(p_plus_checked(rows, columns, &error), DLF_LAYOUT); /* a is only read */
  EXPECT_TEXT(
      error.message,
      "plus: a: expected columns as b has, got rows: pass a copy in columns, since C takes one "
      "order for all its matrices");
  EXPECT_INT(p_plus_checked(columns, rows, &error), DLF_LAYOUT);
  EXPECT_TEXT(
      error.message,
      "plus: a: expected rows as b has, got columns: pass a copy in rows, since C takes one "
      "order for all its matrices");
  EXPECT_INT(p_plus_checked(of_order(0, a, ROWS, 2, 3), matrix(1, 3, 2, 3, -3, 1), &error),
             DLF_LAYOUT);
  EXPECT_TEXT(error.message,
              "plus: b: expected a leading dimension and elements next to each "
              "other, got strides (-3, 1): pass a copy");
  EXPECT_INT(p_plus_checked(matrix(1, 3, 2, 3, 6, 2), of_order(0, a, ROWS, 2, 3), &error),
             DLF_LAYOUT);
  EXPECT(strstr(error.message, "plus: a: ") == error.message);
}

static void test_pointers__a_matrix_that_fits_both_orders_follows_the_other(void) {
  static double a[32], b[32];
  for (int order = ROWS; order < LAYOUTS; order++) {
    for (int turned = 0; turned < 2; turned++) {
      /* One row or one column without gaps, beside one of the order. */
      const int64_t m = turned ? 3 : 1, n = turned ? 1 : 3;
      (void)of_order(0, a, order, m, n);
      dlf_arg thin = matrix(1, 0, m, n, turned ? 1 : 3, 1), other = {&tensors[0], 0};
      tensors[1].data = b;
      for (int i = 0; i < 3; i++) {
        *at(0, turned ? i : 0, turned ? 0 : i) = i, b[i] = 5;
      }
      EXPECT_INT(p_plus_checked(other, thin, &error), DLF_OK);
      EXPECT(b[0] == 5 && b[1] == 6 && b[2] == 7);
      EXPECT_INT(p_plus_checked(thin, other, &error), DLF_OK);
    }
  }
}

/* The strides of what p_part makes. */
static void expect_parted(dlf_arg a, int64_t down, int64_t across) {
  DLManagedTensorVersioned *above = NULL, *below = NULL;
  EXPECT_INT(p_part_new(a, &above, &below, &error), DLF_OK);
  for (int i = 0; i < 2 && above; i++) {
    const DLTensor *t = &(i ? below : above)->dl_tensor;
    EXPECT(t->strides[0] == down && t->strides[1] == across);
    const float *numbers_of = t->data;
    EXPECT(numbers_of[down + across] == (i ? 0 : 4));
  }
  dlf_dlpack_release(above);
  dlf_dlpack_release(below);
}

static void test_pointers__made_outputs_have_the_order_of_the_inputs(void) {
  static float numbers_of[32];
  DLManagedTensorVersioned *above = NULL, *below = NULL;
  for (int order = ROWS; order < LAYOUTS; order++) {
    (void)(order == ROWS ? matrix(0, 0, 2, 3, 5, 1) : matrix(0, 0, 2, 3, 1, 4));
    tensors[0].data = numbers_of;
    tensors[0].dtype = f32;
    for (int i = 0; i < 6; i++) {
      numbers_of[i / 3 * strides[0][0] + i % 3 * strides[0][1]] = (float)i;
    }
    for (int pinned = 0; pinned < 2; pinned++) { /* the interpreter makes them */
      tensors[0].device.device_type = pinned ? kDLCUDAHost : kDLCPU;
      expect_parted((dlf_arg){&tensors[0], 0}, order == ROWS ? 3 : 1, order == ROWS ? 1 : 2);
    }
  }
  (void)matrix(0, 0, 2, 3, 6, 2);
  tensors[0].dtype = f32;
  EXPECT_INT(p_part_new((dlf_arg){&tensors[0], 0}, &above, &below, &error), DLF_LAYOUT);
  EXPECT(!above && !below);
}

static void test_pointers__given_outputs_have_the_order_of_the_inputs(void) {
  static float memory[3][8];
  dlf_arg all[3];
  for (int mixed = 0; mixed < 4; mixed++) {
    for (int i = 0; i < 3; i++) {
      all[i] = mixed == i ? matrix(i, 0, 2, 2, 1, 2) : matrix(i, 0, 2, 2, 2, 1);
      tensors[i].data = memory[i];
      tensors[i].dtype = f32;
    }
    EXPECT_INT(p_part_checked(all[0], all[1], all[2], &error), mixed < 3 ? DLF_LAYOUT : DLF_OK);
    if (mixed == 0) {
      EXPECT(strstr(error.message, "part: a: expected rows as above has, got columns: pass") !=
             NULL);
    }
    if (mixed == 2) {
      EXPECT(strstr(error.message, "part: below: expected rows as above has, got columns") != NULL);
    }
  }
}

static void test_pointers__one_order_beside_another(void) {
  static double a[32], c[32];
  for (int both = 0; both < LAYOUTS * LAYOUTS; both++) {
    const dlf_arg first = of_order(0, a, both / 2, 2, 3), second = of_order(1, c, both % 2, 2, 3);
    for (int i = 0; i < 6; i++) {
      *at(0, i / 3, i % 3) = i, *at(1, i / 3, i % 3) = 100;
    }
    EXPECT_INT(p_turned_checked(first, second, &error), DLF_OK);
    for (int i = 0; i < 6; i++) {
      EXPECT(*at(1, i / 3, i % 3) == 100 + i);
    }
  }
}

/* ---- vectors ---- */

static void test_pointers__negative_steps_begin_at_the_lowest_address_for_blas(void) {
  double x[3] = {1, 2, 3}, y[6] = {0, 0, 0, 0, 0, 0};
  EXPECT_INT(p_axpy_checked(10, vector(0, &x[2], f64, 3, -1), vector(1, y, f64, 3, 2), &error),
             DLF_OK);
  EXPECT(y[0] == 30 && y[2] == 20 && y[4] == 10 && y[1] == 0);
  EXPECT_INT(p_axpy_checked(1, vector(0, &x[2], f64, 3, -1), vector(1, &y[4], f64, 3, -2), &error),
             DLF_OK);
  EXPECT(y[4] == 13 && y[2] == 22 && y[0] == 31);
  EXPECT_INT(p_axpy_checked(1, vector(0, x, f64, 1, 0), vector(1, y, f64, 1, 0), &error), DLF_OK);
  EXPECT(y[0] == 32);
  EXPECT_INT(p_axpy_checked(1, vector(0, NULL, f64, 0, -1), vector(1, NULL, f64, 0, -1), &error),
             DLF_OK);
}

static void test_pointers__blas_takes_no_stride_of_zero(void) {
  double x[3] = {1, 2, 3}, y[3] = {0, 0, 0};
  EXPECT_INT(p_axpy_checked(1, vector(0, x, f64, 3, 0), vector(1, y, f64, 3, 1), &error),
             DLF_LAYOUT);
  EXPECT_TEXT(error.message,
              "axpy: x: expected a stride other than 0 along axis 0, got 0: pass a copy");
  EXPECT_INT(p_axpy_checked(1, vector(0, x, f64, 3, 1), vector(1, y, f64, 3, 0), &error),
             DLF_INVALID);
  EXPECT(y[0] == 0);
}

static void test_pointers__other_steps_begin_at_the_first_element(void) {
  int16_t x[5] = {1, 2, 3, 4, 5};
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(p_walk_new(vector(0, &x[4], i16, 3, -2), &out, &error), DLF_OK);
  const int16_t *made = out->dl_tensor.data;
  EXPECT(made[0] == 1 && made[1] == 3 && made[2] == 5);
  dlf_dlpack_release(out);
  EXPECT_INT(p_walk_new(vector(0, x, i16, 5, 0), &out, &error),
             DLF_OK); /* this C may read one element often */
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
  EXPECT_INT(p_outer_new(vector(0, numbers, f64, 1, 1), vector(1, a, f32, 1, 1), &out, &error),
             DLF_DTYPE);
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
  EXPECT_INT(p_shift_checked((dlf_arg){&tensors[0], DLPACK_FLAG_BITMASK_READ_ONLY}, 2, &error),
             DLF_READ_ONLY);
}

/* Call p_describe on a tensor of two axes; this machine's byte order becomes `<` in its text. */
static const char *described(DLDataType type, int64_t rows, int64_t columns, int64_t down,
                             int64_t along) {
  static char text[512];
  int64_t extents[] = {rows, columns}, steps[] = {down, along};
  const DLTensor x = {numbers, {kDLCPU, 0}, 2, type, extents, steps, 0};
  const char *result = NULL;
  if (p_describe_checked((dlf_arg){&x, 0}, &result, &error)) {
    return error.message;
  }
  snprintf(text, sizeof text, "%s", result);
  const uint16_t one = 1;
  char *order = strpbrk(text, "<>");
  if (order && (*order == '<') == *(const bool *)&one) {
    *order = '<';
  }
  return text;
}

static void test_pointers__an_array_interface_is_a_text(void) {
  const DLDataType c128 = {kDLComplex, 128, 1}, bf16 = {kDLBfloat, 16, 1}, nibble = {kDLInt, 4, 1},
                   pair = {kDLFloat, 32, 2};
  EXPECT_TEXT(described(f32, 2, 3, 3, 1),
              "{\"data\": [A, true], \"shape\": [2, 3], \"strides\": [12, 4], \"typestr\": "
              "\"<f4\", \"version\": 3}");
  EXPECT_TEXT(described(u8, 2, 2, 1, -2),
              "{\"data\": [A, true], \"shape\": [2, 2], \"strides\": [1, -2], \"typestr\": "
              "\"|u1\", \"version\": 3}");
  EXPECT_TEXT(described(c128, 1, 0, 9, 9),
              "{\"data\": [A, true], \"shape\": [1, 0], \"strides\": [16, 16], "
              "\"typestr\": \"<c16\", \"version\": 3}");
  EXPECT_TEXT(described(truth, 1, 1, 1, 1),
              "{\"data\": [A, true], \"shape\": [1, 1], \"strides\": [1, 1], \"typestr\": "
              "\"|b1\", \"version\": 3}");
  EXPECT_TEXT(described(bf16, 1, 1, 1, 1),
              "describe: array: expected a dtype of NumPy's array interface, got bf16");
  EXPECT_TEXT(described(pair, 1, 1, 1, 1),
              "describe: array: expected a dtype of NumPy's array interface, got f32_x2");
  EXPECT(strstr(described(nibble, 1, 2, 2, 1), "NumPy") != NULL);
  int64_t extents[DLF_MAX_NDIM];
  DLTensor deep = {numbers, {kDLCPU, 0}, DLF_MAX_NDIM, f64, extents, NULL, 0};
  const char *result = NULL;
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    extents[i] = i ? INT64_MAX : 0;
  }
  const dlf_status status = p_describe_checked((dlf_arg){&deep, 0}, &result, &error);
  EXPECT(status == DLF_OK || status == DLF_OVERFLOW);
}

static void test_pointers__no_pointer_carries_the_offset_of_a_handle(void) {
  uint8_t bytes[2][4] = {{0}};
  char text[200], device[DLF_NAME_CAPACITY];
  uint64_t place = 0;
  const dlf_arg x = vector(0, bytes[0], u8, 4, 1), y = vector(1, bytes[1], u8, 4, 1);
  const uint64_t sum = (uint64_t)((uintptr_t)bytes[0] + (uintptr_t)bytes[1]);
  for (int32_t type = kDLCPU; type <= kDLTrn; type++) {
    const bool is_address =
        type <= kDLCUDAHost || (type >= kDLROCM && type <= kDLOneAPI && type != kDLExtDev);
    tensors[0].device = tensors[1].device = (DLDevice){(DLDeviceType)type, 0};
    dlf_device_format(tensors[0].device, device, sizeof device);
    for (int which = 0; which < 2; which++) {
      tensors[which].byte_offset = 16;
      snprintf(text,
               sizeof text,
               "place: %c: expected a tensor without an offset, since data on %s is a handle, got "
               "byte_offset 16: pass a "
               "copy",
               "xy"[which],
               device);
      EXPECT_INT(p_place_checked(x, y, &place, &error), is_address ? DLF_OK : DLF_UNSUPPORTED);
      if (is_address) {
        EXPECT(place == sum + 16);
      } else {
        EXPECT_TEXT(error.message, text);
      }
      tensors[which].byte_offset = 0;
    }
    EXPECT_INT(p_place_checked(x, y, &place, &error), DLF_OK);
    EXPECT(place == sum);
  }
}

/* ---- tensors as DLPack's first struct has them ---- */

static void test_pointers__a_managed_tensor_has_no_owner(void) {
  double given[4] = {1, 2, 3, 4}, weights[2] = {10, 100}, got[2];
  const dlf_arg x = vector(0, given, f64, 2, 2), out = vector(1, got, f64, 2, 1);
  EXPECT_INT(p_managed_checked(x, vector(2, weights, f64, 2, 1), out, &error), DLF_OK);
  EXPECT(got[0] == 10 && got[1] == 300);
  tensors[0].byte_offset = sizeof *given;
  EXPECT_INT(p_managed_checked(x, (dlf_arg){NULL, 0}, out, &error), DLF_OK);
  EXPECT(got[0] == 4 && got[1] == 8);
  EXPECT_INT(p_managed_checked(vector(0, given, f64, 3, 1), (dlf_arg){NULL, 0}, out, &error),
             DLF_SHAPE);
}

static void test_pointers__large_numbers_without_a_sign_keep_their_order(void) {
  const uint64_t large = (uint64_t)1 << 63;
  const DLDataType u64 = {kDLUInt, 64, 1};
  uint64_t sorted[] = {1, large + 1, large + 5};
  int count = 0;
  begin();
  EXPECT_INT(p_rising_checked(vector(0, sorted, u64, 3, 1), &count, &error), DLF_OK);
  EXPECT_INT(count, 3);
  sorted[1] = large + 6;
  EXPECT_INT(p_rising_checked(vector(0, sorted, u64, 3, 1), &count, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "rising: rise(x) is -1, wanted hook(rise(x)) >= 0");
}

static void test_pointers__a_list_without_one_of_its_texts(void) {
  const char *words[] = {"one", "three", NULL};
  int letters = 0;
  begin();
  EXPECT_INT(p_letters_checked(words, 2, &letters, &error), DLF_OK);
  EXPECT_INT(letters, 8);
  EXPECT_INT(p_letters_checked(words, 3, &letters, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "letters: words[2] (from 0): expected text, got NULL");
}

int main(void) {
  RUN(test_pointers__a_matrix_of_rows_or_columns);
  RUN(test_pointers__axes_of_one_element_have_no_stride);
  RUN(test_pointers__strides_without_elements_say_nothing);
  RUN(test_pointers__a_matrix_that_c_cannot_be_told);
  RUN(test_pointers__two_matrices_of_one_order);
  RUN(test_pointers__matrices_of_two_orders_are_refused);
  RUN(test_pointers__a_matrix_that_fits_both_orders_follows_the_other);
  RUN(test_pointers__made_outputs_have_the_order_of_the_inputs);
  RUN(test_pointers__given_outputs_have_the_order_of_the_inputs);
  RUN(test_pointers__one_order_beside_another);
  RUN(test_pointers__negative_steps_begin_at_the_lowest_address_for_blas);
  RUN(test_pointers__blas_takes_no_stride_of_zero);
  RUN(test_pointers__other_steps_begin_at_the_first_element);
  RUN(test_pointers__a_value_for_each_dtype);
  RUN(test_pointers__bytes_and_truth);
  RUN(test_pointers__an_array_interface_is_a_text);
  RUN(test_pointers__no_pointer_carries_the_offset_of_a_handle);
  RUN(test_pointers__a_managed_tensor_has_no_owner);
  RUN(test_pointers__large_numbers_without_a_sign_keep_their_order);
  RUN(test_pointers__a_list_without_one_of_its_texts);
  return test_end();
}
