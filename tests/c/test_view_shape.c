/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <dlferry/contract.h>

#include <stdlib.h>

static int32_t numbers[5000];

static dlf_tensor *wrap(int32_t ndim, int64_t *shape, int64_t *strides) {
  dlf_tensor *t = NULL;
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){numbers + 2500, cpu, ndim, (DLDataType){kDLInt, 32, 1}, shape, strides, 0},
          0,
          NULL,
          NULL,
          &t,
          NULL),
      DLF_OK);
  return t;
}

/* The value of the at-th element in row-major order of indices; numbers hold their own distance
 * from element 0. */
static int32_t element(const DLTensor *t, int64_t at) {
  int64_t offset = 0;
  for (int32_t axis = t->ndim - 1; axis >= 0; axis--) {
    offset += at % t->shape[axis] * t->strides[axis];
    at /= t->shape[axis];
  }
  return ((int32_t *)dlf_data(t))[offset];
}

static int64_t random_below(int64_t limit) {
  return rand() % limit;
}

/* Over random shapes and strides: a reshape that succeeds shows the same elements in the same
 * order, and one that fails with LAYOUT could not have worked for a tensor without gaps. */
static void test_view_shape__reshape_keeps_the_order_of_elements(void) {
  int64_t done = 0, refused = 0, wrong = 0;
  for (int round = 0; round < ROUNDS(20000); round++) {
    int64_t shape[4], strides[4], target[5], left, count = 1;
    const int32_t ndim = (int32_t)random_below(5);
    for (int32_t i = 0; i < ndim; i++) {
      shape[i] = 1 + random_below(4);
      count *= shape[i];
    }
    dlf_compact_strides(
        ndim, shape, random_below(4) ? DLF_ROW_MAJOR : DLF_COLUMN_MAJOR, strides, NULL);
    for (int32_t i = 0; i < ndim; i++) {
      if (random_below(8) == 0) {
        strides[i] *= random_below(2) ? 2 : -1;
      }
      if (random_below(16) == 0) {
        strides[i] = 0;
      }
      if (shape[i] == 1 && random_below(2)) {
        strides[i] = INT64_MIN;
      }
    }
    left = count;
    int32_t axes = 0;
    while (axes < 4 && (left > 1 || random_below(3) == 0)) {
      int64_t extent = 1 + random_below(left);
      while (left % extent != 0) {
        extent--;
      }
      target[axes++] = extent;
      left /= extent;
    }
    if (left > 1 || (axes > 0 && random_below(3) == 0)) {
      target[left > 1 ? axes++ : random_below(axes)] = -1;
    }
    dlf_tensor *t = wrap(ndim, shape, strides), *view = NULL;
    const dlf_status status = dlf_reshape(t, target, axes, &view, NULL);
    if (status == DLF_OK) {
      for (int64_t at = 0; at < count; at++) {
        wrong += element(dlf_dltensor(t), at) != element(dlf_dltensor(view), at);
      }
      done++;
    } else {
      wrong += status != DLF_LAYOUT || dlf_is_contiguous(dlf_dltensor(t), DLF_ROW_MAJOR);
      refused++;
    }
    dlf_release(view);
    dlf_release(t);
  }
  EXPECT_INT(wrong, 0);
  EXPECT(done > ROUNDS(20000) / 4 && refused > ROUNDS(20000) / 100);
}

static void expect_strides(dlf_tensor *view, int32_t ndim, const int64_t *strides) {
  EXPECT(view && dlf_dltensor(view)->ndim == ndim);
  for (int32_t i = 0; view && i < ndim; i++) {
    EXPECT_INT(dlf_dltensor(view)->strides[i], strides[i]);
  }
  dlf_release(view);
}

static void test_view_shape__reshape_finds_strides_where_there_are_some(void) {
  dlf_tensor *t = wrap(3, LIST(4, 2, 6), LIST(24, 12, 2)), *view = NULL;
  EXPECT_INT(dlf_reshape(t, LIST(8, 3, 2), 3, &view, NULL), DLF_OK);
  expect_strides(view, 3, LIST(12, 4, 2));
  EXPECT_INT(dlf_reshape(t, LIST(48), 1, &view, NULL), DLF_OK);
  expect_strides(view, 1, LIST(2));
  dlf_release(t);
  t = wrap(2, LIST(3, 4), LIST(0, 1));
  EXPECT_FAILS(dlf_reshape(t, LIST(12), 1, &view, &error),
               DLF_LAYOUT,
               "reshape: expected axes that are even in memory, got strides that need a copy: pass "
               "a row-major copy");
  EXPECT_INT(dlf_reshape(t, LIST(3, 2, 2), 3, &view, NULL), DLF_OK);
  expect_strides(view, 3, LIST(0, 2, 1));
  dlf_release(t);
}

/* Found by fuzzing: an axis may end where the next step would not fit in int64. */
static void test_view_shape__reshape_bears_the_longest_strides(void) {
  dlf_tensor *t = NULL, *view = NULL;
  const DLDevice opencl = {kDLOpenCL, 0}; /* whose addresses are not checked */
  const DLDataType bit = {kDLUInt, 1, 1};
  EXPECT_INT(
      dlf_wrap(&(DLTensor){numbers, opencl, 2, bit, LIST(2, 2), LIST(1, INT64_MAX / 2 + 1), 0},
               0,
               NULL,
               NULL,
               &t,
               NULL),
      DLF_OK);
  EXPECT_INT(dlf_reshape(t, LIST(4), 1, &view, NULL), DLF_LAYOUT);
  EXPECT_INT(dlf_reshape(t, LIST(2, 2, 1), 3, &view, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(view)->strides[1], INT64_MAX / 2 + 1);
  dlf_release(view);
  dlf_release(t);
}

static void test_view_shape__reshape_refuses_bad_shapes(void) {
  dlf_tensor *t = wrap(2, LIST(2, 3), NULL), *view = t;
  EXPECT_FAILS(dlf_reshape(t, LIST(4), 1, &view, &error),
               DLF_SHAPE,
               "reshape: expected 6 elements, got a shape of 4");
  EXPECT(view == NULL);
  EXPECT_FAILS(dlf_reshape(t, LIST(-1, 4), 2, &view, &error),
               DLF_SHAPE,
               "reshape: expected a divisor of 6 elements, got a shape of 4");
  EXPECT_FAILS(dlf_reshape(t, LIST(-1, 0), 2, &view, &error),
               DLF_SHAPE,
               "reshape: expected a divisor of 6 elements, got a shape of 0");
  EXPECT_FAILS(dlf_reshape(t, LIST(-1, -1), 2, &view, &error),
               DLF_INVALID,
               "reshape: expected one extent of -1, got axes 0 and 1 (from 0)");
  EXPECT_FAILS(dlf_reshape(t, LIST(-2), 1, &view, &error),
               DLF_INVALID,
               "reshape: expected extents of 0 or more, got -2 on axis 0 (from 0)");
  EXPECT_INT(dlf_reshape(t, LIST(INT64_MAX, 3), 2, &view, NULL), DLF_OVERFLOW);
  EXPECT_INT(dlf_reshape(t, NULL, 1, &view, NULL), DLF_INVALID);
  EXPECT_INT(dlf_reshape(t, NULL, 65, &view, NULL), DLF_INVALID);
  EXPECT_INT(dlf_reshape(NULL, LIST(6), 1, &view, NULL), DLF_INVALID);
  dlf_release(t);
}

static void test_view_shape__reshape_of_nothing(void) {
  dlf_tensor *t = wrap(2, LIST(0, 3), LIST(INT64_MAX, INT64_MAX)), *view = NULL;
  EXPECT_INT(dlf_reshape(t, LIST(5, 0), 2, &view, NULL), DLF_OK);
  expect_strides(view, 2, LIST(1, 1));
  EXPECT_INT(dlf_reshape(t, LIST(-1, 3), 2, &view, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(view)->shape[0], 0);
  dlf_release(view);
  dlf_release(t);
}

static void test_view_shape__broadcast_repeats_by_stride_0(void) {
  dlf_tensor *t = wrap(2, LIST(3, 1), LIST(1, 77)), *view = NULL;
  EXPECT_INT(dlf_broadcast(t, LIST(2, 3, 4), 3, &view, NULL), DLF_OK);
  expect_strides(view, 3, LIST(0, 1, 0));
  EXPECT_INT(dlf_broadcast(t, LIST(0, 3, 0), 3, &view, NULL), DLF_OK);
  expect_strides(view, 3, LIST(0, 1, 0));
  EXPECT_FAILS(dlf_broadcast(t, LIST(4, 4), 2, &view, &error),
               DLF_SHAPE,
               "broadcast: expected extent 3 on axis 0 (from 0), got 4");
  EXPECT_FAILS(dlf_broadcast(t, LIST(3), 1, &view, &error),
               DLF_SHAPE,
               "broadcast: expected 2 extents or more, got 1");
  EXPECT_INT(dlf_broadcast(t, LIST(3, -1), 2, &view, NULL), DLF_INVALID);
  EXPECT_INT(dlf_broadcast(t, LIST(INT64_MAX, 3, INT64_MAX), 3, &view, NULL), DLF_OVERFLOW);
  EXPECT_INT(dlf_broadcast(NULL, LIST(1), 1, &view, NULL), DLF_INVALID);
  EXPECT(view == NULL);
  dlf_release(t);
}

/* The languages' lengths have 64 bits: the upper half of a count must not get lost. */
static void test_view_shape__counts_of_axes_have_64_bits(void) {
  const int64_t ndim = (INT64_C(1) << 32) + 1;
  const dlf_prototype prototype = {
      .size = sizeof prototype, .dtype = {kDLInt, 32, 1}, .device = cpu, .ndim = ndim};
  dlf_tensor *t = wrap(1, LIST(2), LIST(1)), *out;
  DLManagedTensorVersioned *managed;
#define WANTS_LESS(call, name)                                                                     \
  EXPECT_FAILS(call, DLF_INVALID, name ": expected ndim between 0 and 64, got 4294967297")
  WANTS_LESS(dlf_reshape(t, LIST(2), ndim, &out, &error), "reshape");
  WANTS_LESS(dlf_broadcast(t, LIST(2), ndim, &out, &error), "broadcast");
  WANTS_LESS(dlf_create(f32, ndim, LIST(2), cpu, &out, &error), "create");
  WANTS_LESS(dlf_exchange_create(dlf_exchange_api(), f32, ndim, LIST(2), cpu, &out, &error),
             "exchange_create");
  WANTS_LESS(dlf_make(&prototype, &managed, &error), "make");
  EXPECT_FAILS(dlf_permute(t, LIST(0), ndim, &out, &error),
               DLF_INVALID,
               "permute: expected 1 axes, got 4294967297");
  dlf_release(t);
}

int main(void) {
  for (int i = 0; i < 5000; i++) {
    numbers[i] = i - 2500;
  }
  RUN(test_view_shape__reshape_keeps_the_order_of_elements);
  RUN(test_view_shape__reshape_finds_strides_where_there_are_some);
  RUN(test_view_shape__reshape_bears_the_longest_strides);
  RUN(test_view_shape__reshape_refuses_bad_shapes);
  RUN(test_view_shape__reshape_of_nothing);
  RUN(test_view_shape__broadcast_repeats_by_stride_0);
  RUN(test_view_shape__counts_of_axes_have_64_bits);
  return test_end();
}
