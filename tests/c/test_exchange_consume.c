/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <stdlib.h>

/* A table whose functions do as the test says, over a tensor of the hub's. */
static enum { WELL, FAIL, LIE, BROKEN, NEW_MAJOR } mood;
static int set_error_calls;

static int allocator(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
                     void (*SetError)(void *error_ctx, const char *kind, const char *message)) {
  if (mood == LIE) {
    return 0;
  }
  if (mood == FAIL) {
    if (set_error_calls++ == 0) {
      SetError(error_ctx, "MemoryError", "the pool is dry");
    }
    if (set_error_calls == 3) {
      SetError(error_ctx, "MemoryError", NULL);
    }
    return -1;
  }
  const int failed =
      dlf_exchange_api()->managed_tensor_allocator(prototype, out, error_ctx, SetError);
  if (!failed && mood == NEW_MAJOR) {
    (*out)->version.major = 2;
  }
  return failed;
}

static int from_object(void *object, DLManagedTensorVersioned **out) {
  if (mood == LIE) {
    return 0;
  }
  if (mood == FAIL || dlf_to_dlpack(object, out, NULL) != DLF_OK) {
    return -1;
  }
  if (mood == BROKEN) {
    (*out)->dl_tensor.ndim = -1;
  }
  if (mood == NEW_MAJOR) {
    (*out)->version.major = 2;
  }
  return 0;
}

static int to_object(DLManagedTensorVersioned *tensor, void **out) {
  if (mood == WELL) {
    return dlf_exchange_api()->managed_tensor_to_py_object_no_sync(tensor, out);
  }
  dlf_dlpack_release(tensor);
  return mood == LIE ? 0 : -1;
}

static int lend(void *object, DLTensor *out) {
  if (mood == FAIL) {
    return -1;
  }
  *out = *dlf_dltensor(object);
  if (mood == BROKEN) {
    out->shape = NULL;
  }
  return 0;
}

static int stream(DLDeviceType type, int32_t id, void **out) {
  *out = &mood;
  return mood == FAIL || type != kDLCUDA || id != 3 ? -1 : 0;
}

/* Succeeds, and stores nothing: as a framework may for its default stream. */
static int silent_stream(DLDeviceType type, int32_t id, void **out) {
  (void)type;
  (void)id;
  (void)out;
  return 0;
}

static DLPackExchangeAPI table = {{{1, 3}, NULL}, allocator, from_object, to_object, lend, stream};

static dlf_tensor *tensor(void) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create(f32, 1, LIST(3), cpu, &t, NULL), DLF_OK);
  return t;
}

static void test_exchange_consume__find_walks_to_our_major(void) {
  const DLPackExchangeAPI *api = NULL;
  EXPECT_INT(dlf_exchange_find(&table, &api, NULL), DLF_OK);
  EXPECT(api == &table);
  DLPackExchangeAPIHeader newer = {{3, 0}, &table.header}, newest = {{4, 0}, &newer};
  EXPECT_INT(dlf_exchange_find(&newest, &api, NULL), DLF_OK);
  EXPECT(api == &table);
  newer.prev_api = NULL;
  EXPECT_FAILS(dlf_exchange_find(&newest, &api, &error),
               DLF_VERSION,
               "exchange_find: expected a table of DLPack major version 1, got 4");
  EXPECT(api == NULL);
  newer.prev_api = &newest; /* bites its tail */
  EXPECT_INT(dlf_exchange_find(&newest, &api, NULL), DLF_VERSION);
  EXPECT_FAILS(dlf_exchange_find(NULL, &api, &error),
               DLF_INVALID,
               "exchange_find: expected a table, got NULL");
  EXPECT_FAILS(dlf_exchange_find((void *)(uintptr_t)5, &api, &error),
               DLF_INVALID,
               "exchange_find: expected the address of a table, got 0x5");
  EXPECT_INT(dlf_exchange_find((char *)&table + 1, &api, NULL), DLF_INVALID);
}

static void test_exchange_consume__find_wants_the_required_functions(void) {
  const DLPackExchangeAPI *api;
  for (int missing = 0; missing < 4; missing++) {
    DLPackExchangeAPI holed = table;
    if (missing == 0) {
      holed.managed_tensor_allocator = NULL;
    }
    if (missing == 1) {
      holed.managed_tensor_from_py_object_no_sync = NULL;
    }
    if (missing == 2) {
      holed.managed_tensor_to_py_object_no_sync = NULL;
    }
    if (missing == 3) {
      holed.current_work_stream = NULL;
    }
    EXPECT_FAILS(dlf_exchange_find(&holed, &api, &error),
                 DLF_INVALID,
                 "exchange_find: expected the four required functions, got NULL for one");
  }
  DLPackExchangeAPI optional = table;
  optional.dltensor_from_py_object_no_sync = NULL;
  EXPECT_INT(dlf_exchange_find(&optional, &api, NULL), DLF_OK);
  DLTensor plain;
  dlf_tensor *t = tensor();
  EXPECT_FAILS(dlf_exchange_borrow(api, t, &plain, &error),
               DLF_UNSUPPORTED,
               "exchange_borrow: expected a table that lends tensors, got NULL");
  dlf_release(t);
}

static void test_exchange_consume__objects_come_in_and_go_out(void) {
  dlf_tensor *t = tensor(), *in = NULL;
  void *object = NULL, *current = NULL;
  DLTensor plain;
  mood = WELL;
  EXPECT_INT(dlf_exchange_import(&table, t, &in, NULL), DLF_OK);
  EXPECT(dlf_dltensor(in)->data == dlf_dltensor(t)->data);
  EXPECT_INT(dlf_exchange_borrow(&table, t, &plain, NULL), DLF_OK);
  EXPECT(plain.data == dlf_dltensor(t)->data);
  EXPECT_INT(dlf_exchange_export(&table, in, &object, NULL), DLF_OK);
  EXPECT(dlf_dltensor(object)->data == dlf_dltensor(t)->data);
  EXPECT_INT(dlf_exchange_stream(&table, (DLDevice){kDLCUDA, 3}, &current, NULL), DLF_OK);
  EXPECT(current == &mood);
  dlf_release(object);
  dlf_release(in);
  dlf_release(t);
}

static void test_exchange_consume__a_failing_producer_is_foreign(void) {
  dlf_tensor *t = tensor(), *in = t;
  void *object = t, *current = t;
  DLTensor plain;
  mood = FAIL;
  EXPECT_FAILS(dlf_exchange_import(&table, t, &in, &error),
               DLF_FOREIGN,
               "exchange_import: expected a tensor, got the producer's failure");
  EXPECT(in == NULL);
  EXPECT_FAILS(dlf_exchange_borrow(&table, t, &plain, &error),
               DLF_FOREIGN,
               "exchange_borrow: expected a tensor, got the producer's failure");
  EXPECT_FAILS(dlf_exchange_export(&table, t, &object, &error),
               DLF_FOREIGN,
               "exchange_export: expected an object, got the consumer's failure");
  EXPECT(object == NULL);
  EXPECT_FAILS(dlf_exchange_stream(&table, (DLDevice){kDLCUDA, 3}, &current, &error),
               DLF_FOREIGN,
               "exchange_stream: expected a stream, got the producer's failure");
  EXPECT(current == NULL);
  DLPackExchangeAPI silent = table;
  silent.current_work_stream = silent_stream;
  current = t;
  EXPECT_INT(dlf_exchange_stream(&silent, (DLDevice){kDLCUDA, 3}, &current, NULL), DLF_OK);
  EXPECT(current == NULL);
  mood = LIE; /* success, and nothing */
  EXPECT_INT(dlf_exchange_import(&table, t, &in, NULL), DLF_FOREIGN);
  EXPECT_INT(dlf_exchange_export(&table, t, &object, NULL), DLF_FOREIGN);
  dlf_release(t);
}

static void test_exchange_consume__a_broken_tensor_is_let_go(void) {
  dlf_tensor *t = tensor(), *in;
  DLTensor plain;
  mood = BROKEN;
  EXPECT_FAILS(dlf_exchange_import(&table, t, &in, &error),
               DLF_INVALID,
               "from_dlpack: expected ndim between 0 and 64, got -1");
  EXPECT_FAILS(dlf_exchange_borrow(&table, t, &plain, &error),
               DLF_INVALID,
               "exchange_borrow: expected a shape of 1 extents, got NULL");
  mood = NEW_MAJOR;
  EXPECT_INT(dlf_exchange_import(&table, t, &in, NULL), DLF_VERSION);
  dlf_release(t);
  EXPECT_INT(live(), 0); /* both exports had kept it */
}

static void test_exchange_consume__create_asks_the_framework(void) {
  dlf_tensor *t = NULL;
  mood = WELL;
  EXPECT_INT(dlf_exchange_create(&table, f32, 2, LIST(2, 3), cpu, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->shape[1] == 3);
  dlf_release(t);
  EXPECT_FAILS(dlf_exchange_create(&table, f32, 1, LIST(-1), cpu, &t, &error),
               DLF_FOREIGN,
               "exchange_create: create: expected extents of 0 or more, got -1 on axis 0 (from 0)");
  mood = FAIL;
  set_error_calls = 0;
  EXPECT_FAILS(dlf_exchange_create(&table, f32, 1, LIST(1), cpu, &t, &error),
               DLF_FOREIGN,
               "exchange_create: the pool is dry");
  /* A producer that fails without a word. */
  EXPECT_FAILS(dlf_exchange_create(&table, f32, 1, LIST(1), cpu, &t, &error),
               DLF_FOREIGN,
               "exchange_create: expected a tensor, got the producer's failure");
  EXPECT_FAILS(dlf_exchange_create(&table, f32, 1, LIST(1), cpu, &t, &error),
               DLF_FOREIGN,
               "exchange_create: ");
  mood = LIE;
  EXPECT_INT(dlf_exchange_create(&table, f32, 1, LIST(1), cpu, &t, NULL), DLF_FOREIGN);
  mood = NEW_MAJOR; /* made, but unreadable: released */
  EXPECT_INT(dlf_exchange_create(&table, f32, 1, LIST(1), cpu, &t, NULL), DLF_VERSION);
  EXPECT_INT(live(), 0);
  EXPECT_INT(dlf_exchange_create(&table, f32, -1, LIST(1), cpu, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_create(&table, f32, 65, LIST(1), cpu, &t, NULL), DLF_INVALID);
  int64_t ones[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  mood = WELL;
  EXPECT_INT(dlf_exchange_create(&table, f32, DLF_MAX_NDIM, ones, cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(t)->ndim, DLF_MAX_NDIM);
  dlf_release(t);
  EXPECT_INT(dlf_exchange_create(&table, f32, 0, NULL, cpu, &t, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(dlf_exchange_create(&table, f32, 1, NULL, cpu, &t, NULL), DLF_INVALID);
}

static void test_exchange_consume__null_is_refused(void) {
  dlf_tensor *t;
  void *object;
  DLTensor plain;
  EXPECT_INT(dlf_exchange_import(NULL, &plain, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_import(&table, NULL, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_borrow(NULL, &plain, &plain, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_borrow(&table, NULL, &plain, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_borrow(&table, &plain, NULL, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_export(&table, NULL, NULL, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_export(NULL, NULL, &object, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_export(&table, NULL, &object, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_create(NULL, f32, 0, NULL, cpu, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_stream(NULL, cpu, &object, NULL), DLF_INVALID);
  EXPECT_INT(dlf_exchange_stream(&table, cpu, NULL, NULL), DLF_INVALID);
}

int main(void) {
  RUN(test_exchange_consume__find_walks_to_our_major);
  RUN(test_exchange_consume__find_wants_the_required_functions);
  RUN(test_exchange_consume__objects_come_in_and_go_out);
  RUN(test_exchange_consume__a_failing_producer_is_foreign);
  RUN(test_exchange_consume__a_broken_tensor_is_let_go);
  RUN(test_exchange_consume__create_asks_the_framework);
  RUN(test_exchange_consume__null_is_refused);
  return test_end();
}
