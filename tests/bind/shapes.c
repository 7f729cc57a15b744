/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of shapes.h: numbers that change, extents that are known after the call, hooks with
 * arguments. */
#include "shapes/shapes_dlferry.h"

#include "../c/test.h"

static dlf_error error;

static DLTensor tensors[4];
static int64_t shapes[4][2], strides[4][2];

static const DLDataType f64 = {kDLFloat, 64, 1}, i32 = {kDLInt, 32, 1};

static dlf_arg vector(int which, const void *data, DLDataType dtype, int64_t n) {
  shapes[which][0] = n;
  strides[which][0] = 1;
  tensors[which] =
      (DLTensor){(void *)(uintptr_t)data, cpu, 1, dtype, shapes[which], strides[which], 0};
  return (dlf_arg){&tensors[which], 0};
}

static dlf_arg matrix(int which, const void *data, DLDataType dtype, int64_t m, int64_t n,
                      int64_t ld) {
  shapes[which][0] = m;
  shapes[which][1] = n;
  strides[which][0] = ld;
  strides[which][1] = 1;
  tensors[which] =
      (DLTensor){(void *)(uintptr_t)data, cpu, 2, dtype, shapes[which], strides[which], 0};
  return (dlf_arg){&tensors[which], 0};
}

/* ---- numbers that C reads and writes ---- */

static void test_shapes__numbers_change_in_place(void) {
  uint32_t state = 1, number = 0;
  int64_t whole = 2;
  float part = 0.5f;
  bool truth = true;
  s_phase phase = S_REST;
  EXPECT_INT(s_next_checked(&state, &number, &error), DLF_OK);
  EXPECT(state == 48271 && number == 48271);
  EXPECT_INT(s_step_checked(-3, &whole, &part, &truth, &phase, &error), DLF_OK);
  EXPECT(whole == -1 && part == -2.5f && !truth && phase == S_WALK);
}

static void test_shapes__numbers_are_checked_before_the_call(void) {
  uint32_t state = 0, number = 7;
  int64_t whole = -11;
  float part = 100;
  bool truth = true;
  s_phase phase = S_REST;
  EXPECT_INT(s_next_checked(&state, &number, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "next: state is 0, wanted state > 0");
  EXPECT_INT(s_next_checked(NULL, &number, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "next: state: expected a place with a value, got NULL");
  EXPECT_INT(s_step_checked(1, &whole, &part, &truth, &phase, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "step: whole is -11, wanted whole >= -10");
  whole = 0;
  EXPECT_INT(s_step_checked(1, &whole, &part, &truth, &phase, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "step: part is 100, wanted part < 100");
  part = 1;
  phase = (s_phase)3;
  EXPECT_INT(s_step_checked(1, &whole, &part, &truth, &phase, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "step: phase is 3, wanted REST|WALK|RUN");
  phase = S_RUN;
  EXPECT_INT(s_step_checked(1, &whole, &part, &truth, &phase, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "step: kernel returned 1");
  EXPECT(whole == 0 && part == 1 && truth);
}

/* ---- min and max ---- */

static void test_shapes__the_smaller_and_the_larger_extent(void) {
  static const double a[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  static const float x[2] = {1, 2}, y[3] = {10, 20, 30};
  DLManagedTensorVersioned *out = NULL;
  double trace = 0;
  float few[2];
  EXPECT_INT(s_trace_checked(matrix(0, a, f64, 3, 2, 4), &trace, &error), DLF_OK);
  EXPECT(trace == 5);
  EXPECT_INT(s_trace_checked(matrix(0, a, f64, 1000, 0, 1), &trace, &error), DLF_OK);
  EXPECT_INT(s_trace_checked(matrix(0, a, f64, 0, 1000, 1000), &trace, &error), DLF_OK);
  EXPECT_INT(s_add_new(vector(0, x, f32, 2), vector(1, y, f32, 3), &out, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 3 && ((float *)out->dl_tensor.data)[2] == 30);
  dlf_dlpack_release(out);
  EXPECT_INT(
      s_add_checked(vector(0, x, f32, 2), vector(1, y, f32, 3), vector(2, few, f32, 2), &error),
      DLF_SHAPE);
  EXPECT_TEXT(error.message,
              "add: out[max(m,n)] is 2, expected 3; got f32[2], wanted f32[max(m,n)] noalias");
}

static void test_shapes__an_extent_that_does_not_fit(void) {
  static double a[256 * 256];
  double trace = 0;
  EXPECT_INT(s_trace_checked(matrix(0, a, f64, 256, 255, 255), &trace, &error), DLF_OK);
  EXPECT_INT(s_trace_checked(matrix(0, a, f64, 256, 256, 256), &trace, &error), DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "trace: n: expected 0 to 255, got 256");
}

/* ---- outputs that are cut to what C reports ---- */

static void test_shapes__a_made_output_is_cut_in_place(void) {
  static const float x[4] = {-1, 2, 0, 4}, none[2] = {0, 0}, all[2] = {1, 2};
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(s_keep_new(vector(0, x, f32, 4), &out, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 2 && ((float *)dlf_data(&out->dl_tensor))[1] == 4);
  EXPECT((uintptr_t)dlf_data(&out->dl_tensor) % 256 == 0); /* where it was made */
  dlf_dlpack_release(out);
  EXPECT_INT(s_keep_new(vector(0, none, f32, 2), &out, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 0);
  dlf_dlpack_release(out);
  EXPECT_INT(s_keep_new(vector(0, all, f32, 2), &out, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 2);
  dlf_dlpack_release(out);
  EXPECT_INT(s_keep_new(vector(0, all, f32, 0), &out, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 0);
  dlf_dlpack_release(out);
}

static void test_shapes__a_given_output_needs_room(void) {
  static const float x[3] = {1, -2, 3};
  float out[5] = {9, 9, 9, 9, 9};
  int64_t m = 7;
  EXPECT_INT(s_keep_checked(vector(0, x, f32, 3), vector(1, out, f32, 5), &m, &error), DLF_OK);
  EXPECT(m == 2 && out[1] == 3 && out[2] == 9);
  EXPECT_INT(s_keep_checked(vector(0, x, f32, 3), vector(1, out, f32, 2), &m, &error), DLF_SHAPE);
  EXPECT_TEXT(error.message,
              "keep: out[m<=n] is 2, expected at least 3; got f32[2], wanted f32[m<=n] noalias");
  EXPECT_INT(m, 0);
  EXPECT_INT(s_keep_checked(vector(0, x, f32, 3), vector(1, out, f32, 5), NULL, &error),
             DLF_INVALID);
}

static void test_shapes__a_caller_alone_may_know_the_room(void) {
  int32_t out[5] = {0};
  int64_t m = 0;
  EXPECT_INT(s_down_checked(3, vector(1, out, i32, 5), &m, &error), DLF_OK);
  EXPECT(m == 3 && out[0] == 3 && out[2] == 1);
  EXPECT_INT(s_down_checked(7, vector(1, out, i32, 0), &m, &error), DLF_OK);
  EXPECT_INT(m, 0);
  EXPECT_INT(s_down_checked(99, vector(1, out, i32, 4), &m, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "down: kernel reported 5 for m, expected 0 to 4");
}

static void test_shapes__a_capacity_that_c_is_told_may_be_smaller(void) {
  static const int32_t x[5] = {5, 0, 6, 7, 8};
  int32_t places[4] = {0}, values[4] = {0};
  int64_t m = 0;
  EXPECT_INT(s_find_checked(vector(0, x, i32, 5),
                            6,
                            vector(1, places, i32, 2),
                            vector(2, values, i32, 2),
                            &m,
                            &error),
             DLF_OK);
  EXPECT(m == 2 && places[1] == 3 && values[1] == 7);
  EXPECT_INT(s_find_checked(vector(0, x, i32, 5),
                            6,
                            vector(1, places, i32, 2),
                            vector(2, values, i32, 3),
                            &m,
                            &error),
             DLF_SHAPE);
  EXPECT_TEXT(error.message,
              "find: values[m] is 3, expected 2 as places[m]; got i32[3], wanted i32[m] noalias");
  EXPECT_INT(s_find_checked(vector(0, x, i32, 5),
                            6,
                            vector(1, places, i32, 4),
                            vector(2, values, i32, 4),
                            &m,
                            &error),
             DLF_FOREIGN);
  EXPECT_TEXT(error.message, "find: kernel reported 3 for m, expected m != 3");
}

static void test_shapes__the_limit_and_the_capacity_fit_in_c(void) {
  static int32_t x[32768], places[256];
  DLManagedTensorVersioned *first = NULL, *second = NULL;
  int64_t m = 0;
  for (int i = 0; i < 32767; i++) {
    x[i] = 1;
  }
  EXPECT_INT(s_find_new(vector(0, x, i32, 32767), 1, &first, &second, &error), DLF_OK);
  EXPECT(first->dl_tensor.shape[0] == 200 && second->dl_tensor.shape[0] == 200);
  dlf_dlpack_release(first);
  dlf_dlpack_release(second);
  EXPECT_INT(s_find_new(vector(0, x, i32, 32768), 1, &first, &second, &error), DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "find: n: expected -32768 to 32767, got 32768");
  EXPECT(!first && !second);
  EXPECT_INT(s_find_checked(vector(0, x, i32, 5),
                            1,
                            vector(1, places, i32, 256),
                            vector(2, &x[500], i32, 256),
                            &m,
                            &error),
             DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "find: room: expected 0 to 255, got 256");
}

static void test_shapes__a_false_number_is_never_believed(void) {
  static const int64_t lies[] = {-1, 5, INT64_MIN, INT64_MAX};
  DLManagedTensorVersioned *out = NULL;
  float given[6] = {0};
  int64_t m = 0;
  for (int i = 0; i < 4; i++) {
    char expected[120];
    snprintf(expected,
             sizeof expected,
             "lie: kernel reported %lld for m, expected 0 to 4",
             (long long)lies[i]);
    EXPECT_INT(s_lie_new(lies[i], &out, &error), DLF_FOREIGN);
    EXPECT_TEXT(error.message, expected);
    EXPECT(!out);
    m = 7;
    EXPECT_INT(s_lie_checked(lies[i], vector(0, given, f32, 4), &m, &error), DLF_FOREIGN);
    EXPECT_INT(m, 0);
  }
  EXPECT_INT(s_lie_wide_new(UINT64_MAX, &out, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message,
              "lie_wide: kernel reported 18446744073709551615 for m, expected 0 to 4");
  EXPECT_INT(s_lie_checked(5, vector(0, given, f32, 6), &m, &error),
             DLF_OK); /* there is room for it */
  EXPECT_INT(m, 5);
  EXPECT_INT(s_lie_wide_new(4, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 4);
  dlf_dlpack_release(out);
}

/* ---- bytes and hooks ---- */

static void test_shapes__bytes_of_any_tensor(void) {
  static const int16_t x[2][2] = {{257, 257}, {257, 2}};
  static const unsigned char packed[4] = {7, 1, 2, 1};
  static const DLDataType i16 = {kDLInt, 16, 1}, u8 = {kDLUInt, 8, 1};
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(s_pack_new(matrix(0, x, i16, 2, 2, 2), &out, &error), DLF_OK);
  const unsigned char *bytes = dlf_data(&out->dl_tensor);
  const unsigned char *last = (const unsigned char *)&x[1][1]; /* in this machine's byte order */
  EXPECT(out->dl_tensor.shape[0] == 6 && bytes[0] == 6 && bytes[1] == 1 && bytes[3] == last[0] &&
         bytes[5] == last[1]);
  dlf_dlpack_release(out);
  EXPECT_INT(s_unpack_new(vector(0, packed, u8, 4), &out, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "unpack: kernel returned 2 (an odd number)");
  EXPECT_INT(s_unpack_new(vector(0, packed, u8, 3), &out, &error), DLF_SHAPE);
  EXPECT_TEXT(error.message, "unpack: s_unpacked returned -1, wanted a length of 0 or more");
  EXPECT_INT(s_unpack_new(vector(0, &packed[2], u8, 2), &out, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 1 && out->dl_tensor.shape[1] == 2);
  dlf_dlpack_release(out);
  EXPECT_INT(s_pack_new(matrix(0, x, i16, 2, 2, 3), &out, &error), DLF_LAYOUT);
  EXPECT_INT(s_pack_new(vector(0, x, u8, INT64_C(1) << 62), &out, &error), DLF_OVERFLOW);
  EXPECT_INT(s_pack_new(vector(0, x, u8, (INT64_C(1) << 62) + 1), &out, &error), DLF_OVERFLOW);
  EXPECT_INT(s_pack_new(vector(0, x, i16, INT64_C(1) << 62), &out, &error), DLF_OVERFLOW);
}

static void test_shapes__an_input_s_hook_runs_before_the_check(void) {
  static const double rows[6] = {1, 2, 3, 4, 5, 6};
  DLManagedTensorVersioned *out = NULL;
  s_table *table = NULL;
  EXPECT_INT(s_table_new_checked(3, &table, &error), DLF_OK);
  EXPECT_INT(s_table_weigh_new(table, matrix(0, rows, f64, 2, 3, 3), &out, &error), DLF_OK);
  EXPECT(((double *)dlf_data(&out->dl_tensor))[1] == 4 + 10 + 18);
  dlf_dlpack_release(out);
  EXPECT_INT(s_table_weigh_new(table, matrix(0, rows, f64, 3, 2, 2), &out, &error), DLF_SHAPE);
  EXPECT_TEXT(error.message,
              "table_weigh: rows[hook(s_table_columns(table)->*columns)] is 2, expected 3 as "
              "s_table_columns returned; got f64[3, 2], wanted f64[n, "
              "hook(s_table_columns(table)->*columns)]");
  EXPECT_INT(s_table_weigh_new(NULL, matrix(0, rows, f64, 3, 2, 2), &out, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "table_weigh: table: expected an open table, got a closed one");
  EXPECT_INT(s_table_repeat_new(table, 2, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 12);
  dlf_dlpack_release(out);
  EXPECT_INT(s_table_repeat_new(table, 64, &out, &error), DLF_OVERFLOW);
  EXPECT_TEXT(error.message, "table_repeat: table_length: times: expected -128 to 127, got 128");
  EXPECT_INT(s_table_repeat_new(table, -1, &out, &error), DLF_SHAPE);
  EXPECT_TEXT(error.message,
              "table_repeat: s_table_length returned -6, wanted a length of 0 or more");
  s_table_free(table);
}

static void test_shapes__a_hook_that_fails(void) {
  static const double rows[6] = {1, 2, 3, 4, 5, 6};
  DLManagedTensorVersioned *out = NULL;
  s_table *table = NULL;
  EXPECT_INT(s_table_new_checked(10, &table, &error), DLF_OK);
  EXPECT_INT(s_table_weigh_new(table, matrix(0, rows, f64, 2, 3, 3), &out, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "table_weigh: table_columns: kernel returned 3 (too many columns)");
  s_table_free(table);
  EXPECT_INT(s_table_new_checked(9, &table, &error), DLF_OK);
  EXPECT_INT(s_table_weigh_new(table, matrix(0, rows, f64, 2, 3, 3), &out, &error), DLF_OVERFLOW);
  EXPECT_TEXT(error.message,
              "table_weigh: s_table_columns returned 18446744073709551615, expected below 2^63");
  s_table_free(table);
}

static void test_shapes__a_constraint_names_what_a_hook_returns(void) {
  static const double row[6] = {1, 2, 3, 4, 5, 6};
  double sum = 0;
  s_table *table = NULL;
  EXPECT_INT(s_table_new_checked(3, &table, &error), DLF_OK);
  EXPECT_INT(s_table_weight_checked(table, 2, &sum, &error), DLF_OK);
  EXPECT(sum == 3);
  EXPECT_INT(s_table_weight_checked(table, 3, &sum, &error), DLF_INVALID);
  EXPECT_TEXT(error.message,
              "table_weight: at is 3 and s_table_columns(table)->*columns is 3, wanted at < "
              "hook(s_table_columns(table)->*columns)");
  EXPECT_INT(s_table_weight_checked(table, -1, &sum, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "table_weight: at is -1, wanted at >= 0");
  EXPECT_INT(s_table_weight_checked(NULL, 2, &sum, &error), DLF_INVALID);
  EXPECT_INT(s_table_weigh_row_checked(table, vector(0, row, f64, 3), &sum, &error), DLF_OK);
  EXPECT(sum == 14);
  EXPECT_INT(s_table_weigh_row_checked(table, vector(0, row, f64, 2), &sum, &error), DLF_SHAPE);
  EXPECT_TEXT(error.message,
              "table_weigh_row: row[n] is 2 and s_table_columns(table)->*columns is 3, wanted n >= "
              "hook(s_table_columns(table)->*columns)");
  EXPECT_INT(s_table_weigh_row_checked(table, vector(0, row, i32, 6), &sum, &error), DLF_DTYPE);
  s_table_free(table);
  EXPECT_INT(s_table_new_checked(5, &table, &error), DLF_OK);
  EXPECT_INT(s_table_weigh_row_checked(table, vector(0, row, f64, 2), &sum, &error), DLF_INVALID);
  EXPECT_TEXT(
      error.message,
      "table_weigh_row: s_table_is_narrow(table) is 0, wanted hook(s_table_is_narrow(table)) == 1");
  s_table_free(table);
  EXPECT_INT(s_table_new_checked(10, &table, &error), DLF_OK);
  EXPECT_INT(s_table_weight_checked(table, 2, &sum, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "table_weight: table_columns: kernel returned 3");
  s_table_free(table);
}

int main(void) {
  RUN(test_shapes__numbers_change_in_place);
  RUN(test_shapes__numbers_are_checked_before_the_call);
  RUN(test_shapes__the_smaller_and_the_larger_extent);
  RUN(test_shapes__an_extent_that_does_not_fit);
  RUN(test_shapes__a_made_output_is_cut_in_place);
  RUN(test_shapes__a_given_output_needs_room);
  RUN(test_shapes__a_capacity_that_c_is_told_may_be_smaller);
  RUN(test_shapes__the_limit_and_the_capacity_fit_in_c);
  RUN(test_shapes__a_caller_alone_may_know_the_room);
  RUN(test_shapes__a_false_number_is_never_believed);
  RUN(test_shapes__bytes_of_any_tensor);
  RUN(test_shapes__an_input_s_hook_runs_before_the_check);
  RUN(test_shapes__a_hook_that_fails);
  RUN(test_shapes__a_constraint_names_what_a_hook_returns);
  return test_end();
}
