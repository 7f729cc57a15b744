/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of handles.h: handles of every style. */
#include "handles/handles_dlferry.h"

#include "../c/test.h"

#include <dlferry/object.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static dlf_error error;
static const DLDataType f64 = {kDLFloat, 64, 1};

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

static void test_gives__complex_numbers(void) {
  DLManagedTensorVersioned *out = NULL, *pairs = NULL, *none = NULL;
  const BagHandle bag = bag_of(5);
  EXPECT_INT(h_circle_checked(3, &out, &error), DLF_OK);
  EXPECT_INT(BagPairs_checked(bag, &pairs, &error), DLF_OK);
  EXPECT_INT(pairs->dl_tensor.dtype.code, kDLComplex);
  EXPECT_INT(pairs->dl_tensor.dtype.bits, 64);
  EXPECT_INT(pairs->dl_tensor.shape[0], 2);
  EXPECT_INT(out->dl_tensor.dtype.bits, 128);
  EXPECT(((double *)out->dl_tensor.data)[3] == 1);
  EXPECT_INT(h_circle_checked(5, &none, &error), DLF_INVALID);
  BagFree_checked(bag);
  dlf_dlpack_release(out);
  dlf_dlpack_release(pairs);
  EXPECT_INT(h_live(), 0);
}

static void test_gives__what_c_gives_may_be_wrong(void) {
  static const char *const texts[] = {
      [1] = "wrong: out: kernel gave -1 for [n], expected 0 or more",
      [2] = "wrong: out: kernel gave extents whose product is too large for memory",
      [4] = "wrong: out: kernel gave extents whose product is too large for memory",
      [5] = "wrong: out: kernel gave NULL, expected a pointer to elements"};
  DLManagedTensorVersioned *out = NULL;
  for (int how = 0; how < 6; how++) {
    EXPECT_INT(h_wrong_checked(how, &out, &error), texts[how] ? DLF_FOREIGN : DLF_OK);
    if (texts[how]) {
      EXPECT_TEXT(error.message, texts[how]);
    }
    EXPECT((out == NULL) == (texts[how] != NULL));
    if (out) {
      EXPECT_INT(out->dl_tensor.shape[1], 2);
    }
    dlf_dlpack_release(out);
  }
}

/* ---- memory that the library keeps ---- */

static void count_release(void *owner) {
  ++*(int *)owner;
}

static dlf_tensor *doubles(double *data, int64_t n, int *released) {
  dlf_tensor *out = NULL;
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){data, cpu, 1, f64, &n, NULL, 0}, 0, released, count_release, &out, &error),
      DLF_OK);
  return out;
}

static void test_keeps__in_the_handle_that_is_made(void) {
  double in[2] = {1, 2}, out[2] = {0, 0}, many[13] = {0};
  int released = 0;
  h_plan plan = NULL;
  dlf_tensor *a = doubles(in, 2, &released), *b = doubles(out, 2, &released);
  EXPECT_INT(h_plan_make_checked(a, b, &plan, &error), DLF_OK);
  dlf_release(a);
  dlf_release(b);
  EXPECT_INT(released, 0);
  EXPECT_INT(h_plan_run_checked(plan, &error), DLF_OK);
  EXPECT(out[1] == 4);
  h_plan_drop_checked(plan);
  EXPECT_INT(released, 2);
  /* A call that fails keeps nothing: C makes no plan, or the contract refuses. */
  a = doubles(many, 13, &released), b = doubles(many, 13, &released);
  EXPECT_INT(h_plan_make_checked(a, b, &plan, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "plan_make: out: shares memory with in; wanted f64[n] noalias");
  EXPECT_INT(h_plan_make_checked(a, NULL, &plan, &error), DLF_INVALID);
  dlf_release(b);
  double others[13];
  b = doubles(others, 13, &released);
  EXPECT_INT(h_plan_make_checked(a, b, &plan, &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "plan_make: kernel made no plan");
  EXPECT_INT(released, 3);
  dlf_release(a);
  dlf_release(b);
  EXPECT_INT(released, 5);
}

static void test_keeps__in_a_handle_that_is_given(void) {
  double in[2] = {1, 2}, out[2] = {0, 0}, next[2] = {5, 6}, negative[2] = {-1, 0};
  int released = 0;
  h_plan plan = NULL;
  dlf_tensor *a = doubles(in, 2, &released), *b = doubles(out, 2, &released),
             *c = doubles(next, 2, &released), *d = doubles(negative, 2, &released);
  EXPECT_INT(h_plan_make_checked(a, b, &plan, &error), DLF_OK);
  EXPECT_INT(h_plan_read_checked(plan, c, &error), DLF_OK);
  EXPECT_INT(h_plan_read_checked(plan, d, &error), DLF_FOREIGN);
  dlf_release(a);
  dlf_release(b);
  dlf_release(c);
  EXPECT_INT(released, 0);
  dlf_release(d);
  EXPECT_INT(released, 1);
  EXPECT_INT(h_plan_run_checked(plan, &error), DLF_OK);
  EXPECT(out[1] == 12);
  h_plan_drop_checked(plan);
  EXPECT_INT(released, 4);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 400 };

/* Each thread makes, uses and frees plans and bags, while tensors that a bag lends outlive it in
 * another thread. */
static _Atomic(DLManagedTensorVersioned *) passed_on;

static void count_release_among_threads(void *owner) {
  ++*(_Atomic int *)owner;
}

static void *make_and_free(void *unused) {
  dlf_error mine;
  for (int i = 0; i < ROUNDS; i++) {
    double in[4] = {1, 2, 3, (double)i}, out[4];
    _Atomic int released = 0;
    int64_t four = 4;
    h_plan plans[2] = {NULL, NULL};
    dlf_tensor *a = NULL, *b = NULL;
    bool good = !dlf_wrap(&(DLTensor){in, cpu, 1, f64, &four, NULL, 0},
                          0,
                          &released,
                          count_release_among_threads,
                          &a,
                          &mine) &&
                !dlf_wrap(&(DLTensor){out, cpu, 1, f64, &four, NULL, 0},
                          0,
                          &released,
                          count_release_among_threads,
                          &b,
                          &mine);
    for (int k = 0; k < 2 && good; k++) {
      good = !h_plan_make_checked(a, b, &plans[k], &mine);
    }
    for (int k = 0; k < 2 && good; k++) {
      good = !h_plan_run_checked(plans[k], &mine) && out[3] == 2.0 * i;
    }
    for (int k = 0; k < 2; k++) {
      h_plan_drop_checked(plans[k]);
    }
    dlf_release(a);
    dlf_release(b);
    float values[3] = {1, 2, 3};
    int64_t three = 3;
    BagHandle bag = NULL;
    DLManagedTensorVersioned *lent = NULL, *halves = NULL;
    good = good &&
           !BagCreate_checked(
               (dlf_arg){&(DLTensor){values, cpu, 1, f32, &three, NULL, 0}, 0}, &bag, &mine) &&
           !BagShow_checked(bag, &lent, &mine) && !BagHalves_checked(bag, 1, &halves, &mine);
    dlf_dlpack_release(i % 2 ? halves : atomic_exchange(&passed_on, halves));
    BagFree_checked(bag);
    lent = atomic_exchange(&passed_on, lent);
    dlf_dlpack_release(lent);
    EXPECT(good);
    while (released < 2) {
      sched_yield(); /* another thread may have to free the plan */
    }
  }
  return unused;
}

static void test_handles__threads(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, make_and_free, NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  dlf_dlpack_release(atomic_exchange(&passed_on, NULL));
  EXPECT_INT(h_collisions(), 0);
  EXPECT_INT(h_live(), 0);
}

/* A call that changes the bag is refused as long as a tensor has its memory. */
static void test_lends__until_change(void) {
  float values[3] = {1, 2, 3};
  int64_t three = 3;
  const DLTensor x = {values, cpu, 1, f32, &three, NULL, 0};
  BagHandle bag = NULL;
  DLManagedTensorVersioned *first = NULL;
  DLManagedTensorVersioned *second = NULL;
  DLManagedTensorVersioned *copied = NULL;
  EXPECT(!BagCreate_checked((dlf_arg){&x, 0}, &bag, &error));
  EXPECT(!BagLook_checked(bag, &first, &error));
  EXPECT(!BagLook_checked(bag, &second, &error));
  EXPECT(first->dl_tensor.data == second->dl_tensor.data && first->dl_tensor.shape[0] == 3);
  EXPECT_INT(BagValues_checked(bag, &copied, &error), DLF_INVALID);
  EXPECT_TEXT(error.message,
              "bag_values: bag: expected a Bag that lends no tensor, got one that lends 2: release "
              "them before it changes");
  dlf_dlpack_release(first);
  EXPECT_INT(BagValues_checked(bag, &copied, &error), DLF_INVALID);
  dlf_dlpack_release(second);
  EXPECT(!BagValues_checked(bag, &copied, &error));
  dlf_dlpack_release(copied);
  EXPECT(!BagNegated_checked(bag, &first, &error));
  EXPECT_INT(BagNegated_checked(bag, &second, &error), DLF_INVALID);
  EXPECT_TEXT(
      error.message,
      "bag_negated: bag: expected a Bag that lends no tensor, got one that lends 1: release "
      "them before it lends anew, or write `unchanged` in its contract if they stay valid");
  EXPECT(((const float *)first->dl_tensor.data)[2] == -3);
  EXPECT(!BagLook_checked(bag, &second, &error));
  dlf_dlpack_release(first);
  dlf_dlpack_release(second);
  EXPECT(!BagNegated_checked(bag, &first, &error));
  dlf_dlpack_release(first);
  EXPECT(!BagLook_checked(bag, &first, &error));
  BagFree_checked(bag);
  EXPECT(((const float *)first->dl_tensor.data)[2] == 3); /* it keeps the bag */
  dlf_dlpack_release(first);
  EXPECT_INT(h_live(), 0);
}

/* Jars and shelves are dropped by their owners first; the shelf reads them to its end. */
static void test_keeps__objects(void) {
  h_jar *jars[3];
  h_shelf *shelf = NULL, *upper = NULL;
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    EXPECT_INT(h_jar_new_checked(i + 1, &jars[i], &error), DLF_OK);
  }
  EXPECT_INT(h_shelf_new_checked(jars[0], &shelf, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(NULL, &upper, &error), DLF_OK);
  EXPECT_INT(h_shelf_put_checked(shelf, jars[1], &error), DLF_OK);
  EXPECT_INT(h_shelf_put_checked(shelf, jars[1], &error), DLF_OK);
  EXPECT_INT(h_shelf_put_checked(upper, jars[2], &error), DLF_OK);
  EXPECT_INT(h_shelf_stack_checked(shelf, upper, &error), DLF_OK);
  EXPECT_INT(h_shelf_stack_checked(shelf, NULL, &error), DLF_OK);
  EXPECT_INT(h_shelf_stack_checked(shelf, upper, &error), DLF_OK);
  for (int i = 0; i < 3; i++) {
    h_jar_drop_checked(jars[i]);
  }
  h_shelf_drop_checked(upper);
  EXPECT_INT(h_furniture(), 5);
  EXPECT_INT(h_shelf_sum_checked(shelf, &sum, &error), DLF_OK);
  EXPECT_INT(sum, 1 + 2 + 2 + 3);
  const int before = h_read_at_the_end();
  h_shelf_drop_checked(shelf);
  EXPECT_INT(h_read_at_the_end() - before, 8 + 3);
  EXPECT_INT(h_furniture(), 0);
}

static void test_keeps__numbers(void) {
  h_jar *jar = NULL;
  h_shelf *shelf = NULL;
  int poured = 0;
  const char *unknown = "jar_pour: jar: expected one whose number level is known, got another one";
  EXPECT_INT(h_jar_new_checked(1, &jar, &error), DLF_OK);
  EXPECT_INT(h_jar_pour_checked(jar, 0, &poured, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, unknown);
  EXPECT_INT(h_jar_fill_checked(jar, 3, &error), DLF_OK);
  EXPECT_INT(h_jar_pour_checked(jar, 3, &poured, &error), DLF_OK);
  EXPECT_INT(h_jar_fill_checked(jar, 101, &error), DLF_FOREIGN);
  EXPECT_INT(h_jar_pour_checked(jar, 3, &poured, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, unknown); /* C may have changed it */
  EXPECT_INT(h_jar_fill_checked(jar, 3, &error), DLF_OK);
  EXPECT_INT(h_jar_pour_checked(jar, 4, &poured, &error), DLF_INVALID);
  EXPECT_TEXT(error.message,
              "jar_pour: part is 4 and jar->level is 3, wanted part <= hook(jar->level)");
  EXPECT_INT(h_jar_fill_checked(jar, 4, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(jar, &shelf, &error), DLF_OK);
  EXPECT_INT(h_jar_pour_checked(jar, 4, &poured, &error), DLF_OK);
  EXPECT_INT(poured, 4);
  h_jar_drop_checked(jar);
  h_shelf_drop_checked(shelf);
  for (int i = 0; i < 4; i++) { /* one of them may lie where that jar lay */
    EXPECT_INT(h_jar_new_checked(1, &jar, &error), DLF_OK);
    EXPECT_INT(h_jar_pour_checked(jar, 0, &poured, &error), DLF_INVALID);
    EXPECT_TEXT(error.message, unknown);
    h_jar_drop_checked(jar);
  }
  jar = h_jar_new(1); /* a program may make one without a twin */
  EXPECT_INT(h_jar_pour_checked(jar, 0, &poured, &error), DLF_INVALID);
  h_jar_drop(&jar);
}

static void drop_jar(void *owned) {
  h_jar_drop_checked(owned);
}

static void drop_bag(void *owned) {
  BagFree_checked(owned);
}

static dlf_object *boxed(void *owned, void (*drop)(void *owned), dlf_use *parent) {
  dlf_object *box = NULL;
  EXPECT_INT(dlf_object_enter("make", parent, parent != NULL, NULL, &error), DLF_OK);
  EXPECT_INT(dlf_object_create(owned, drop, parent, parent != NULL, &box, &error), DLF_OK);
  dlf_object_leave(parent, parent != NULL);
  return box;
}

/* As in the packages: a jar and a bag that were made from another jar, which is freed after them,
 * also if a shelf or a tensor keeps them longer than their owners. */
static void test_keeps__what_it_was_made_from(void) {
  h_jar *whole = NULL, *part = NULL;
  h_shelf *shelf = NULL;
  BagHandle bag = NULL;
  DLManagedTensorVersioned *lent = NULL;
  float values[2] = {1, 2};
  int64_t two = 2;
  DLTensor t;
  const int before = h_furniture();
  EXPECT_INT(h_jar_new_checked(1, &whole, &error), DLF_OK);
  EXPECT_INT(h_jar_new_checked(2, &part, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(NULL, &shelf, &error), DLF_OK);
  EXPECT_INT(BagCreate_checked(floats(&t, values, &two), &bag, &error), DLF_OK);
  dlf_object *whole_box = boxed(whole, drop_jar, NULL);
  dlf_use parent = {.size = sizeof parent, .object = whole_box, .name = "jar", .type = "jar"};
  dlf_object *part_box = boxed(part, drop_jar, &parent);
  dlf_object *bag_box = boxed(bag, drop_bag, &parent);
  EXPECT_INT(h_shelf_put_checked(shelf, part, &error), DLF_OK);
  EXPECT_INT(BagShow_checked(bag, &lent, &error), DLF_OK);
  dlf_object_release(part_box);
  dlf_object_release(bag_box);
  dlf_object_release(whole_box);
  EXPECT_INT(h_furniture(), before + 3);
  dlf_dlpack_release(lent);
  EXPECT_INT(h_furniture(), before + 3);
  h_shelf_drop_checked(shelf);
  EXPECT_INT(h_furniture(), before);
  EXPECT_INT(h_live(), 0);
}

static void test_takes__an_object_once(void) {
  h_jar *jar = NULL, *other = NULL, *whole = NULL;
  h_shelf *shelf = NULL, *second = NULL;
  int sum = 0;
  const int before = h_furniture();
  EXPECT_INT(h_jar_new_checked(1, &whole, &error), DLF_OK);
  EXPECT_INT(h_jar_new_checked(3, &jar, &error), DLF_OK);
  EXPECT_INT(h_jar_new_checked(4, &other, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(NULL, &shelf, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(NULL, &second, &error), DLF_OK);
  dlf_object *whole_box = boxed(whole, drop_jar, NULL);
  dlf_use parent = {.size = sizeof parent, .object = whole_box, .name = "jar", .type = "jar"};
  dlf_object *jar_box = boxed(jar, drop_jar, &parent);

  EXPECT_INT(h_shelf_put_checked(second, jar, &error), DLF_OK);
  EXPECT_INT(h_shelf_own_checked(shelf, jar, &error), DLF_INVALID);
  EXPECT_TEXT(
      error.message,
      "shelf_own: jar: expected an object that lends no tensor and that no other one keeps, "
      "got one that does: release what needs it");
  h_shelf_drop_checked(second);
  EXPECT_INT(h_shelf_own_checked(shelf, jar, &error), DLF_OK);
  EXPECT_INT(h_shelf_own_checked(shelf, jar, &error), DLF_INVALID);
  EXPECT_TEXT(error.message,
              "shelf_own: jar: expected an open jar, got one that another object has taken");
  EXPECT_INT(h_jar_value_checked(jar, &sum, &error), DLF_INVALID);

  EXPECT_INT(h_shelf_own_checked(shelf, other, &error), DLF_FOREIGN);
  EXPECT_INT(h_jar_value_checked(other, &sum, &error), DLF_OK); /* it stays the caller's */
  EXPECT_INT(sum, 4);
  h_jar_drop_checked(other);

  EXPECT_INT(h_shelf_sum_checked(shelf, &sum, &error), DLF_OK);
  EXPECT_INT(sum, 3);
  dlf_object_release(jar_box);
  dlf_object_release(whole_box);
  EXPECT_INT(h_furniture() - before, 3);
  h_shelf_drop_checked(shelf);
  EXPECT_INT(h_furniture(), before);
  EXPECT_INT(h_live(), 0);
}

/* An owner of a taken jar that is still there keeps the shelf: C frees the jar with it. */
static void test_takes__the_taker_waits_for_owners(void) {
  h_jar *jar = NULL;
  h_shelf *shelf = NULL;
  const int before = h_furniture();
  EXPECT_INT(h_jar_new_checked(3, &jar, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(NULL, &shelf, &error), DLF_OK);
  EXPECT_INT(h_shelf_own_checked(shelf, jar, &error), DLF_OK);
  h_shelf_drop_checked(shelf);
  EXPECT_INT(h_furniture() - before, 2);
  h_jar_drop_checked(jar);
  EXPECT_INT(h_furniture(), before);
  EXPECT_INT(h_live(), 0);
}

static void test_takes__no_object_twice_in_a_call(void) {
  h_jar *jar = NULL, *other = NULL;
  h_shelf *shelf = NULL;
  const int before = h_furniture();
  EXPECT_INT(h_jar_new_checked(3, &jar, &error), DLF_OK);
  EXPECT_INT(h_jar_new_checked(5, &other, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(NULL, &shelf, &error), DLF_OK);
  EXPECT_INT(h_shelf_own_both_checked(shelf, jar, jar, &error), DLF_INVALID);
  EXPECT_TEXT(error.message,
              "shelf_own_both: other: expected an object that lends no tensor and that no other "
              "one keeps, got one that does: release what needs it");
  EXPECT_INT(h_shelf_own_both_checked(shelf, jar, other, &error), DLF_OK);
  h_shelf_drop_checked(shelf);
  h_jar_drop_checked(jar);
  h_jar_drop_checked(other);
  EXPECT_INT(h_furniture(), before);
  EXPECT_INT(h_live(), 0);
}

static void test_keeps__no_object_of_a_failed_call(void) {
  h_jar *good = NULL, *bad = NULL;
  h_shelf *shelf = NULL;
  EXPECT_INT(h_jar_new_checked(1, &good, &error), DLF_OK);
  EXPECT_INT(h_jar_new_checked(-1, &bad, &error), DLF_OK);
  EXPECT_INT(h_shelf_new_checked(good, &shelf, &error), DLF_OK);
  for (int i = 0; i < 8; i++) { /* the same one again: it is kept as often as C was told to */
    EXPECT_INT(h_shelf_put_checked(shelf, good, &error), i < 7 ? DLF_OK : DLF_FOREIGN);
    EXPECT_INT(h_shelf_put_checked(shelf, bad, &error), DLF_FOREIGN);
  }
  h_jar_drop_checked(bad);
  h_jar_drop_checked(good);
  EXPECT_INT(h_furniture(), 2);
  h_shelf_drop_checked(shelf);
  EXPECT_INT(h_furniture(), 0);
}

static void test_keeps__no_objects_in_a_circle(void) {
  h_shelf *shelves[3];
  for (int i = 0; i < 3; i++) {
    EXPECT_INT(h_shelf_new_checked(NULL, &shelves[i], &error), DLF_OK);
  }
  EXPECT_INT(h_shelf_stack_checked(shelves[0], shelves[1], &error), DLF_OK);
  EXPECT_INT(h_shelf_stack_checked(shelves[1], shelves[2], &error), DLF_OK);
  for (int i = 0; i < 3; i++) {
    EXPECT_INT(h_shelf_stack_checked(shelves[2], shelves[i], &error), DLF_INVALID);
    EXPECT_TEXT(error.message,
                "shelf_stack: upper: expected an object that does not keep the one that is to keep "
                "it, got one that does");
  }
  for (int i = 0; i < 3; i++) {
    h_shelf_drop_checked(shelves[2 - i]);
  }
  EXPECT_INT(h_furniture(), 0);
}

/* Their ends follow each other in a loop: a call for each would overflow the stack. */
static void test_keeps__a_long_chain(void) {
  enum { MANY = 100000 };
  h_shelf *below = NULL, *first = NULL;
  for (int i = 0; i < MANY; i++) {
    h_shelf *next = NULL;
    EXPECT_INT(h_shelf_new_checked(NULL, &next, NULL), DLF_OK);
    if (below) {
      EXPECT_INT(h_shelf_stack_checked(below, next, NULL), DLF_OK);
      if (below != first) {
        h_shelf_drop_checked(below);
      }
    }
    first = first ? first : next;
    below = next;
  }
  h_shelf_drop_checked(below);
  EXPECT_INT(h_furniture(), MANY);
  h_shelf_drop_checked(first);
  EXPECT_INT(h_furniture(), 0);
}

static void test_handles__the_library_freed_all(void) {
  EXPECT_INT(h_live(), 0);
}

int main(void) {
  RUN(test_handles__typedef_of_a_pointer);
  RUN(test_handles__typedefs_of_void_pointers_differ);
  RUN(test_handles__integers);
  RUN(test_handles__complete_structs);
  RUN(test_gives__copied);
  RUN(test_gives__lent_until_the_handle_is_freed);
  RUN(test_lends__until_change);
  RUN(test_gives__freed_with_the_handle);
  RUN(test_gives__freed_alone);
  RUN(test_gives__complex_numbers);
  RUN(test_gives__what_c_gives_may_be_wrong);
  RUN(test_keeps__in_the_handle_that_is_made);
  RUN(test_keeps__in_a_handle_that_is_given);
  RUN(test_keeps__objects);
  RUN(test_keeps__numbers);
  RUN(test_keeps__what_it_was_made_from);
  RUN(test_takes__an_object_once);
  RUN(test_takes__the_taker_waits_for_owners);
  RUN(test_takes__no_object_twice_in_a_call);
  RUN(test_keeps__no_object_of_a_failed_call);
  RUN(test_keeps__no_objects_in_a_circle);
  RUN(test_keeps__a_long_chain);
  RUN(test_handles__threads);
  RUN(test_handles__the_library_freed_all);
  return test_end();
}
