/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/move/threads.h"
#include "system.h"
#include "test.h"

enum { SIDE = 1100, ELEMENTS = SIDE * SIDE + 1, THREADS = 5, CALLERS = 3, SHARE = 64 << 10 };

static const DLDataType u32 = {kDLUInt, 32, 1}, f64 = {kDLFloat, 64, 1};
static uint32_t numbers[ELEMENTS], results[CALLERS][ELEMENTS];
static double reals[SIDE * SIDE];

static dlf_tensor *wrap(void *data, DLDataType dtype, int32_t ndim, int64_t *shape,
                        int64_t *strides) {
  const DLTensor tensor = {data, cpu, ndim, dtype, shape, strides, 0};
  dlf_tensor *out = NULL;
  EXPECT_INT(dlf_wrap(&tensor, 0, NULL, NULL, &out, NULL), DLF_OK);
  return out;
}

/* What one caller copies: a run, a transpose, and rows backwards. */
typedef struct copies {
  uint32_t *memory;
  dlf_tensor *run, *turned, *flipped, *to_run, *to_square;
} copies;

static copies begin_copies(uint32_t *memory) {
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    numbers[i] = i;
  }
  copies self = {.memory = memory};
  self.run = wrap(numbers, u32, 1, LIST(ELEMENTS), NULL);
  self.turned = wrap(numbers, u32, 2, LIST(SIDE, SIDE), LIST(1, SIDE));
  self.flipped = wrap(numbers + SIDE - 1, u32, 2, LIST(SIDE, SIDE), LIST(SIDE, -1));
  self.to_run = wrap(memory, u32, 1, LIST(ELEMENTS), NULL);
  self.to_square = wrap(memory, u32, 2, LIST(SIDE, SIDE), NULL);
  return self;
}

static void end_copies(const copies *self) {
  dlf_release(self->run);
  dlf_release(self->turned);
  dlf_release(self->flipped);
  dlf_release(self->to_run);
  dlf_release(self->to_square);
}

/* Also in other threads, which have no test to fail. */
static bool are_right(void *context) {
  const copies *const self = context;
  const uint32_t *const at = self->memory;
  bool right = dlf_copy_into(self->run, self->to_run, NULL) == DLF_OK;
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    right = right && at[i] == i;
  }
  right = right && dlf_copy_into(self->turned, self->to_square, NULL) == DLF_OK;
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    right = right && at[i] == i % SIDE * SIDE + i / SIDE;
  }
  right = right && dlf_copy_into(self->flipped, self->to_square, NULL) == DLF_OK;
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    right = right && at[i] == i / SIDE * SIDE + (SIDE - 1 - i % SIDE);
  }
  return right;
}

static void allow(int32_t threads) {
  EXPECT_INT(dlf_set_threads(threads, NULL), DLF_OK);
}

static void test_threads__copies(void) {
  copies self = begin_copies(results[0]);
  for (int32_t threads = 1; threads <= THREADS; threads++) {
    allow(threads);
    EXPECT(are_right(&self));
  }
  allow(1);
  end_copies(&self);
}

static void test_threads__casts_and_fills(void) {
  copies self = begin_copies(results[0]);
  dlf_tensor *single = wrap(results[0], f32, 1, LIST(ELEMENTS), NULL);
  dlf_tensor *wide = wrap(reals, f64, 2, LIST(SIDE, SIDE), NULL);
  const float *const at = (const float *)(const void *)results[0];
  const dlf_number seven = {.kind = DLF_NUMBER_SIGNED, .signed_value = 7};
  int64_t wrong = 0;
  allow(THREADS);
  EXPECT_INT(dlf_cast_into(self.run, single, false, NULL), DLF_OK);
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    wrong += at[i] != (float)i;
  }
  EXPECT_INT(dlf_fill(single, &seven, NULL), DLF_OK);
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    wrong += at[i] != 7;
  }
  EXPECT_INT(dlf_cast_into(self.turned, wide, false, NULL), DLF_OK);
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    wrong += reals[i] != (double)(i % SIDE * SIDE + i / SIDE);
  }
  EXPECT_INT(wrong, 0);
  dlf__threads_share(1); /* too little to share, however long */
  dlf_tensor *number = wrap(numbers + 5, u32, 0, NULL, NULL);
  dlf_tensor *real = wrap(reals, f64, 0, NULL, NULL);
  EXPECT_INT(dlf_cast_into(number, real, false, NULL), DLF_OK);
  EXPECT(reals[0] == 5);
  dlf_release(number);
  dlf_release(real);
  dlf__threads_share(SHARE);
  allow(1);
  dlf_release(single);
  dlf_release(wide);
  end_copies(&self);
}

typedef struct caller {
  copies work;
  pthread_t thread;
  bool right;
} caller;

static void *call(void *context) {
  caller *const self = context;
  self->right = are_right(&self->work);
  return NULL;
}

static void test_threads__several_callers(void) {
  static caller callers[CALLERS];
  allow(2);
  for (int i = 0; i < CALLERS; i++) {
    callers[i].work = begin_copies(results[i]);
  }
  for (int i = 0; i < CALLERS; i++) {
    EXPECT_INT(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
  }
  for (int i = 0; i < CALLERS; i++) {
    EXPECT_INT(pthread_join(callers[i].thread, NULL), 0);
    EXPECT(callers[i].right);
    end_copies(&callers[i].work);
  }
  allow(1);
}

/* The child has only the thread that forked. */
static void test_threads__fork(void) {
  copies self = begin_copies(results[0]);
  allow(2);
  EXPECT(are_right(&self));
  EXPECT(system_child(are_right, &self));
  allow(1);
  end_copies(&self);
}

static void test_threads__refusals(void) {
  EXPECT_FAILS(
      dlf_set_threads(0, &error), DLF_INVALID, "set_threads: expected 1 to 64 threads, got 0");
  EXPECT_FAILS(
      dlf_set_threads(65, &error), DLF_INVALID, "set_threads: expected 1 to 64 threads, got 65");
  allow(64);
  allow(1);
}

int main(void) {
  dlf__threads_share(SHARE);
  RUN(test_threads__copies);
  RUN(test_threads__casts_and_fills);
  RUN(test_threads__several_callers);
  RUN(test_threads__fork);
  RUN(test_threads__refusals);
  return test_end();
}
