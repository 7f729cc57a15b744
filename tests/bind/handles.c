/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of handles.h: handles of every style. */
#include "handles/handles_dlferry.h"

#include "../c/test.h"

static dlf_error error;

static dlf_arg floats(DLTensor *t, float *data, int64_t *n) {
  *t = (DLTensor){data, cpu, 1, f32, n, NULL, 0};
  return (dlf_arg){t, 0};
}

static void test_handles__typedef_of_a_pointer(void) {
  h_sum sum = NULL;
  double total = 0;
  EXPECT_INT(h_begin_checked(1.5, &sum, &error), DLF_OK);
  EXPECT_INT(h_add_checked(sum, 2, &error), DLF_OK);
  EXPECT_INT(h_total_checked(sum, &total, &error), DLF_OK);
  EXPECT(total == 3.5);
  h_destroy_sum_checked(sum);
  h_destroy_sum_checked(NULL);
  EXPECT_INT(h_add_checked(NULL, 2, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "add: sum: expected an open sum, got a closed one");
  EXPECT_INT(h_begin_checked(-1, &sum, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "begin: kernel made no sum");
}

static void test_handles__typedefs_of_void_pointers_differ(void) {
  CounterHandle counter = NULL;
  BagHandle bag = NULL;
  DLTensor t;
  float values[] = {1, 2};
  int64_t n = 2;
  int value = 7;
  uint64_t count = 0;
  EXPECT_INT(CounterCreate_checked(3, &counter, &error), DLF_OK);
  EXPECT_INT(CounterNext_checked(counter, &value, &error), DLF_OK);
  EXPECT_INT(value, 3);
  EXPECT_INT(BagCreate_checked(floats(&t, values, &n), &bag, &error), DLF_OK);
  EXPECT_INT(BagCount_checked(bag, counter, &count, &error), DLF_OK);
  EXPECT_INT((int64_t)count, 6);
  EXPECT_INT(BagCount_checked(bag, NULL, &count, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "bag_count: counter: expected an open Counter, got a closed one");
  CounterFree_checked(counter);
  BagFree_checked(bag);
  EXPECT_INT(CounterCreate_checked(-1, &counter, &error), DLF_FOREIGN);
  EXPECT(counter == NULL);
}

static void test_handles__integers(void) {
  h_ticket_t ticket = 1;
  int number = 0;
  EXPECT_INT(h_ticket_create_checked(5, &ticket, &error), DLF_OK);
  EXPECT_INT(h_ticket_number_checked(ticket, &number, &error), DLF_OK);
  EXPECT_INT(number, 5);
  h_ticket_destroy_checked(ticket);
  h_ticket_destroy_checked(0);
  EXPECT_INT(h_ticket_number_checked(0, &number, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "ticket_number: ticket: expected an open ticket, got a closed one");
  EXPECT_INT(h_ticket_create_checked(-1, &ticket, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "ticket_create: kernel made no ticket");
}

static void test_handles__complete_structs(void) {
  h_jar *jar = NULL;
  int value = 0;
  EXPECT_INT(h_jar_new_checked(4, &jar, &error), DLF_OK);
  EXPECT_INT(h_jar_set_checked(jar, 5, &error), DLF_OK);
  EXPECT_INT(h_jar_value_checked(jar, &value, &error), DLF_OK);
  EXPECT_INT(value, 5);
  h_jar_drop_checked(jar);
}

/* ---- memory that the library owns ---- */

static BagHandle bag_of(int n) {
  static float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  BagHandle bag = NULL;
  DLTensor t;
  int64_t size = n;
  EXPECT_INT(BagCreate_checked(floats(&t, values, &size), &bag, &error), DLF_OK);
  return bag;
}

static void test_gives__copied(void) {
  BagHandle bag = bag_of(4);
  DLManagedTensorVersioned *out = NULL, *second = NULL;
  EXPECT_INT(BagValues_checked(bag, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 4);
  BagFree_checked(bag);
  EXPECT(((float *)out->dl_tensor.data)[3] == 4);
  EXPECT(!(out->flags & DLPACK_FLAG_BITMASK_READ_ONLY));
  dlf_dlpack_release(out);
  bag = bag_of(0);
  EXPECT_INT(BagValues_checked(bag, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 0);
  dlf_dlpack_release(out);
  BagFree_checked(bag);
  bag = bag_of(6);
  EXPECT_INT(BagMatrix_checked(bag, &out, &second, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.ndim, 2);
  EXPECT_INT(out->dl_tensor.shape[1], 3);
  EXPECT(memcmp(second->dl_tensor.data, "bag!", 4) == 0);
  dlf_dlpack_release(out);
  dlf_dlpack_release(second);
  BagFree_checked(bag);
}

static void test_gives__lent_until_the_handle_is_freed(void) {
  BagHandle bag = bag_of(3);
  DLManagedTensorVersioned *out = NULL, *again = NULL;
  EXPECT_INT(BagShow_checked(bag, &out, &error), DLF_OK);
  EXPECT_INT(BagShow_checked(bag, &again, &error), DLF_OK);
  EXPECT(out->dl_tensor.data == again->dl_tensor.data);
  EXPECT(out->flags & DLPACK_FLAG_BITMASK_READ_ONLY);
  BagFree_checked(bag);
  EXPECT_INT(h_live(), 1);
  EXPECT(((float *)out->dl_tensor.data)[2] == 3);
  dlf_dlpack_release(out);
  EXPECT_INT(h_live(), 1);
  dlf_dlpack_release(again);
  EXPECT_INT(h_live(), 0);
  bag = bag_of(3); /* in the other order */
  EXPECT_INT(BagShow_checked(bag, &out, &error), DLF_OK);
  dlf_dlpack_release(out);
  EXPECT_INT(h_live(), 1);
  BagFree_checked(bag);
  EXPECT_INT(h_live(), 0);
  EXPECT_INT(BagShow_checked(NULL, &out, &error), DLF_INVALID);
}

static void test_gives__freed_with_the_handle(void) {
  BagHandle bag = bag_of(6);
  DLManagedTensorVersioned *out = NULL, *second = NULL;
  EXPECT_INT(BagHalves_checked(bag, 2, &out, &error), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[1], 3);
  EXPECT_INT(out->dl_tensor.strides[1], 2);
  EXPECT(((float *)out->dl_tensor.data)[5] == 3);
  EXPECT_INT(h_live(), 2);
  dlf_dlpack_release(out); /* queues it */
  EXPECT_INT(h_live(), 2);
  EXPECT_INT(BagHalves_checked(bag, 3, &out, &error), DLF_OK); /* frees it first */
  EXPECT_INT(h_live(), 2);
  EXPECT_INT(BagHalves_checked(bag, 13, &second, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "bag_halves: kernel returned 1");
  BagFree_checked(bag);
  EXPECT_INT(h_live(), 2);
  EXPECT(((float *)out->dl_tensor.data)[5] == 3);
  dlf_dlpack_release(out);
  EXPECT_INT(h_live(), 0);
  bag = bag_of(5); /* 2 times 2 elements, and one more in its memory */
  EXPECT_INT(BagHalves_checked(bag, 2, &out, &error), DLF_OK);
  dlf_dlpack_release(out);
  EXPECT_INT(BagHalves_checked(bag, -1, &out, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "bag_halves: out: kernel gave -1 for [height], expected 0 or more");
  BagFree_checked(bag);
  EXPECT_INT(h_live(), 0);
}

static void test_gives__freed_alone(void) {
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(h_range_checked(3, &out, &error), DLF_OK);
  EXPECT(((double *)out->dl_tensor.data)[2] == 2);
  dlf_dlpack_release(out);
  EXPECT_INT(h_range_checked(0, &out, &error), DLF_OK);
  EXPECT_INT(h_live(), 1);
  dlf_dlpack_release(out);
  EXPECT_INT(h_live(), 0);
  EXPECT_INT(h_range_checked(13, &out, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "range: result: kernel gave NULL, expected a pointer to elements");
  EXPECT_INT(h_range_checked(-1, &out, &error), DLF_INVALID);
}

static void test_gives__what_c_gives_may_be_wrong(void) {
  static const char *const texts[] = {[1] = "wrong: out: kernel gave -1 for [n], expected 0 or more",
                                      [2] = "wrong: out: kernel gave extents whose product is too large for memory",
                                      [4] = "wrong: out: kernel gave extents whose product is too large for memory",
                                      [5] = "wrong: out: kernel gave NULL, expected a pointer to elements"};
  DLManagedTensorVersioned *out = NULL;
  for (int how = 0; how < 6; how++) {
    EXPECT_INT(h_wrong_checked(how, &out, &error), texts[how] ? DLF_FOREIGN : DLF_OK);
    if (texts[how]) EXPECT_TEXT(error.message, texts[how]);
    EXPECT((out == NULL) == (texts[how] != NULL));
    if (out) EXPECT_INT(out->dl_tensor.shape[1], 2);
    dlf_dlpack_release(out);
  }
}

static void test_handles__the_library_freed_all(void) { EXPECT_INT(h_live(), 0); }

int main(void) {
  RUN(test_handles__typedef_of_a_pointer);
  RUN(test_handles__typedefs_of_void_pointers_differ);
  RUN(test_handles__integers);
  RUN(test_handles__complete_structs);
  RUN(test_gives__copied);
  RUN(test_gives__lent_until_the_handle_is_freed);
  RUN(test_gives__freed_with_the_handle);
  RUN(test_gives__freed_alone);
  RUN(test_gives__what_c_gives_may_be_wrong);
  RUN(test_handles__the_library_freed_all);
  return test_end();
}
