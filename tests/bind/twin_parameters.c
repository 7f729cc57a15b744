/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of kinds.h: lists, arrays, results behind pointers, given tensors, handles, hooks,
 * streams, texts. */
#include "kinds/kinds_dlferry.h"

#include "../c/test.h"

static double data[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
static float floats[4] = {1, 2, 3, 4};
static int64_t shape[4][3];
static DLTensor tensors[4];
static dlf_error error;

static const DLDataType f64 = {kDLFloat, 64, 1};

static dlf_arg arg(int which, int32_t ndim, int64_t a, int64_t b) {
  shape[which][0] = a;
  shape[which][1] = b;
  tensors[which] = (DLTensor){data[which], cpu, ndim, f64, shape[which], NULL, 0};
  return (dlf_arg){&tensors[which], 0};
}

static dlf_arg samples(int64_t n) {
  dlf_arg x = arg(3, 1, n, 0);
  tensors[3].data = floats;
  tensors[3].dtype = f32;
  return x;
}

static const double *values(const DLManagedTensorVersioned *t) {
  return t->dl_tensor.data;
}

/* ---- lists and arrays ---- */

static void test_parameters__a_list_is_stacked_into_a_made_tensor(void) {
  const dlf_arg frames[2] = {arg(0, 2, 2, 2), arg(1, 2, 2, 2)};
  DLManagedTensorVersioned *out;
  EXPECT_INT(kinds_stack_new(frames, 2, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 2);
  EXPECT(values(out)[7] == 8);
  dlf_dlpack_release(out);
  EXPECT_INT(kinds_stack_new(frames, 0, &out, &error), DLF_INVALID);
  EXPECT_TEXT(error.message,
              "stack: out must be given: an empty list leaves T open; wanted T[n, h, w] noalias");
}

static void test_parameters__long_lists_go_through_memory_of_their_own(void) {
  dlf_arg frames[20];
  DLManagedTensorVersioned *out;
  for (int i = 0; i < 20; i++) {
    frames[i] = arg(i % 2, 2, 2, 2);
  }
  EXPECT_INT(kinds_stack_new(frames, 20, &out, &error), DLF_OK);
  EXPECT(values(out)[79] == 8);
  dlf_dlpack_release(out);
}

static void test_parameters__what_is_wrong_with_a_list(void) {
  dlf_arg frames[2] = {arg(0, 2, 2, 2), arg(1, 2, 2, 1)};
  DLManagedTensorVersioned *out;
  EXPECT_INT(kinds_stack_new(frames, 2, &out, &error), DLF_SHAPE);
  EXPECT(!out && strstr(error.message, "stack: frames[1]") == error.message);
  frames[1].tensor = NULL;
  EXPECT_INT(kinds_stack_new(frames, 2, &out, &error), DLF_INVALID);
  EXPECT_INT(kinds_stack_new(frames, -1, &out, &error), DLF_INVALID);
  EXPECT_INT(kinds_stack_new(NULL, 2, &out, &error), DLF_INVALID);
}

static void test_parameters__a_list_and_an_array_share_their_number(void) {
  const dlf_arg rows[2] = {arg(0, 1, 4, 0), arg(1, 1, 4, 0)};
  const double weights[3] = {1, 10, 100};
  DLManagedTensorVersioned *out;
  EXPECT_INT(kinds_weigh_new(rows, 2, weights, 2, &out, &error), DLF_OK);
  EXPECT(values(out)[0] == 51);
  dlf_dlpack_release(out);
  EXPECT_INT(kinds_weigh_new(rows, 2, weights, 3, &out, &error), DLF_SHAPE);
  EXPECT_INT(kinds_weigh_new(rows, 0, weights, 0, &out, &error), DLF_SHAPE);
  EXPECT_INT(kinds_weigh_new(rows, 2, NULL, 2, &out, &error), DLF_INVALID);
}

static void test_parameters__an_array_is_counted(void) {
  const int64_t index[3] = {3, 0, 9};
  DLManagedTensorVersioned *out;
  EXPECT_INT(kinds_pick_new(arg(0, 1, 4, 0), index, 2, &out, &error), DLF_OK);
  EXPECT(values(out)[0] == 4 && values(out)[1] == 1 && out->dl_tensor.shape[0] == 2);
  dlf_dlpack_release(out);
  EXPECT_INT(kinds_pick_new(arg(0, 1, 4, 0), index, 3, &out, &error), DLF_BOUNDS);
  EXPECT_TEXT(error.message, "pick: expected an index inside, got one outside");
  EXPECT_INT(kinds_pick_new(arg(0, 1, 4, 0), index, INT64_C(1) << 40, &out, &error), DLF_NO_MEMORY);
}

/* ---- scalars ---- */

static void test_parameters__results_behind_pointers(void) {
  double low, high;
  bool found;
  kinds_sign sign;
  int64_t where;
  EXPECT_INT(kinds_range_checked(arg(0, 1, 4, 0), &low, &high, &error), DLF_OK);
  EXPECT(low == 1 && high == 4);
  EXPECT_INT(kinds_range_checked(arg(0, 1, 0, 0), &low, &high, &error), DLF_SHAPE);
  EXPECT(low == 0 && high == 0);
  EXPECT_INT(kinds_range_checked(arg(0, 1, 4, 0), &low, NULL, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "range: high: expected a place for the value, got NULL");
  EXPECT_INT(kinds_find_checked(arg(0, 1, 4, 0), 3, &found, &sign, &where, &error), DLF_OK);
  EXPECT(found && sign == KINDS_SIGN_POSITIVE && where == 2);
}

/* ---- given tensors ---- */

static void test_parameters__given_tensors_are_the_callers(void) {
  DLManagedTensorVersioned *out, *counts;
  data[2][0] = -1, data[2][1] = 2, data[2][2] = 2, data[2][3] = 0;
  EXPECT_INT(kinds_positive_checked(arg(2, 1, 4, 0), &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 2);
  dlf_dlpack_release(out);
  EXPECT_INT(kinds_unique_checked(arg(2, 1, 4, 0), &out, &counts, &error), DLF_OK);
  EXPECT(out->dl_tensor.shape[0] == 3 && ((int64_t *)counts->dl_tensor.data)[2] == 2);
  dlf_dlpack_release(out);
  dlf_dlpack_release(counts);
  EXPECT_INT(kinds_open_gifts(), 0);
}

static void test_parameters__a_gift_that_is_not_as_promised_is_let_go(void) {
  static const dlf_status statuses[] = {
      DLF_OK, DLF_FOREIGN, DLF_DTYPE, DLF_FOREIGN, DLF_UNSUPPORTED};
  for (int32_t what = 0; what < 5; what++) {
    DLManagedTensorVersioned *out = (DLManagedTensorVersioned *)(uintptr_t)&error;
    const dlf_status status = kinds_gift_checked(what, &out, &error);
    EXPECT_INT(status, statuses[what]);
    EXPECT(!out == (what > 0));
    dlf_dlpack_release(out);
    EXPECT_INT(kinds_open_gifts(), 0);
  }
  EXPECT_INT(kinds_gift_checked(1, NULL, &error), DLF_INVALID);
}

/* ---- handles ---- */

static void test_parameters__handles_are_made_used_and_freed(void) {
  kinds_sum *sum, *other;
  double total;
  DLManagedTensorVersioned *out;
  EXPECT_INT(kinds_sum_create_checked(1, &sum, &error), DLF_OK);
  EXPECT_INT(kinds_sum_from_values_checked(arg(0, 1, 4, 0), &other, &error), DLF_OK);
  EXPECT_INT(kinds_sum_add_checked(sum, arg(0, 1, 4, 0), &error), DLF_OK);
  EXPECT_INT(kinds_sum_total_checked(sum, &total, &error), DLF_OK);
  EXPECT(total == 11);
  EXPECT_INT(kinds_scale_new(arg(0, 1, 2, 0), other, &out, &error), DLF_OK);
  EXPECT(values(out)[1] == 20);
  dlf_dlpack_release(out);
  kinds_sum_free_checked(sum);
  kinds_sum_free_checked(other);
  kinds_sum_free_checked(NULL);
  EXPECT_INT(kinds_open_sums(), 0);
}

static void test_parameters__a_closed_handle_and_one_that_is_not_made(void) {
  kinds_sum *sum = (kinds_sum *)(uintptr_t)&error;
  EXPECT_INT(kinds_sum_add_checked(NULL, arg(0, 1, 4, 0), &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "sum_add: sum: expected an open sum, got a closed one");
  EXPECT_INT(kinds_sum_create_checked(13, &sum, &error), DLF_UNSUPPORTED);
  EXPECT(!sum);
  EXPECT_INT(kinds_sum_create_checked(-1, &sum, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "sum_create: start is -1, wanted start >= 0");
  EXPECT_INT(kinds_sum_from_values_checked(arg(0, 2, 2, 2), &sum, &error), DLF_SHAPE);
  EXPECT_INT(kinds_sum_from_values_checked(arg(0, 1, 2, 2), NULL, &error), DLF_INVALID);
}

/* ---- hooks, streams, texts ---- */

static void test_parameters__a_hook_gives_the_length(void) {
  DLManagedTensorVersioned *out;
  EXPECT_INT(kinds_resample_new(samples(4), 1.5, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 6);
  dlf_dlpack_release(out);
  EXPECT_INT(kinds_resample_new(samples(4), 2000, &out, &error), DLF_SHAPE);
  EXPECT(!out && strstr(error.message, "resample: kinds_resampled returned -1") == error.message);
  EXPECT_INT(kinds_resample_new(samples(4), 0, &out, &error), DLF_INVALID);
  float room[4];
  DLTensor place = tensors[3];
  place.data = room;
  EXPECT_INT(kinds_resample_checked(samples(4), 1.5, (dlf_arg){&place, 0}, &error), DLF_SHAPE);
  EXPECT_INT(kinds_resample_checked(samples(4), 1, (dlf_arg){&place, 0}, &error), DLF_OK);
  EXPECT(room[3] == 4);
}

static void test_parameters__streams_and_texts_pass(void) {
  bool standard;
  const char *word;
  EXPECT_INT(kinds_fill_checked(arg(2, 1, 4, 0), 7, (dlf_stream){NULL}, &standard, &error), DLF_OK);
  EXPECT(standard && data[2][3] == 7);
  EXPECT_INT(kinds_fill_checked(arg(2, 1, 4, 0), 7, (dlf_stream){&error}, &standard, &error),
             DLF_OK);
  EXPECT(!standard);
  EXPECT_INT(kinds_word_checked(2, &word, &error), DLF_OK);
  EXPECT_TEXT(word, "two");
  EXPECT_INT(kinds_word_checked(4, &word, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "word: kernel returned NULL, expected text");
}

int main(void) {
  RUN(test_parameters__a_list_is_stacked_into_a_made_tensor);
  RUN(test_parameters__long_lists_go_through_memory_of_their_own);
  RUN(test_parameters__what_is_wrong_with_a_list);
  RUN(test_parameters__a_list_and_an_array_share_their_number);
  RUN(test_parameters__an_array_is_counted);
  RUN(test_parameters__results_behind_pointers);
  RUN(test_parameters__given_tensors_are_the_callers);
  RUN(test_parameters__a_gift_that_is_not_as_promised_is_let_go);
  RUN(test_parameters__handles_are_made_used_and_freed);
  RUN(test_parameters__a_closed_handle_and_one_that_is_not_made);
  RUN(test_parameters__a_hook_gives_the_length);
  RUN(test_parameters__streams_and_texts_pass);
  return test_end();
}
