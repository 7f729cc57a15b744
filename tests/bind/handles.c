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
  EXPECT_TEXT(error.message, "BagCount: counter: expected an open Counter, got a closed one");
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

static void test_handles__the_library_freed_all(void) { EXPECT_INT(h_live(), 0); }

int main(void) {
  RUN(test_handles__typedef_of_a_pointer);
  RUN(test_handles__typedefs_of_void_pointers_differ);
  RUN(test_handles__integers);
  RUN(test_handles__complete_structs);
  RUN(test_handles__the_library_freed_all);
  return test_end();
}
