/* SPDX-License-Identifier: Apache-2.0 */
#include "producer.h"
#include "system.h"
#include "test.h"

#include <stdlib.h>

static const DLDataType i32 = {kDLInt, 32, 1}, fp4 = {kDLFloat4_e2m1fn, 4, 1};

static dlf_tensor *wrap(void *data, DLDataType dtype, int32_t ndim, int64_t *shape,
                        int64_t *strides) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){data, cpu, ndim, dtype, shape, strides, 0},
                      DLPACK_FLAG_BITMASK_READ_ONLY,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  return t;
}

/* Check a view's shape and its elements' text after the description; release both. */
static void expect_view(dlf_tensor *parent, dlf_tensor *view, const char *text) {
  char printed[512] = "";
  EXPECT(view != NULL);
  dlf_release(parent); /* the view keeps it */
  if (!view) {
    return;
  }
  EXPECT_INT(dlf_flags(view), DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_INT(dlf_check(dlf_dltensor(view), 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  dlf_format(dlf_dltensor(view), 0, printed, sizeof printed);
  EXPECT_TEXT(printed, text);
  dlf_release(view);
}

static int32_t six[] = {0, 1, 2, 3, 4, 5};
static dlf_tensor *vector(void) {
  return wrap(six, i32, 1, LIST(6), NULL);
}
static dlf_tensor *matrix(void) {
  return wrap(six, i32, 2, LIST(2, 3), NULL);
}

static void test_view__slice_takes_a_range(void) {
  dlf_tensor *t, *v = NULL;
  t = vector();
  EXPECT_INT(dlf_slice(t, 0, 1, 3, 2, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[3] strides [2] cpu\n[1, 3, 5]");
  t = vector();
  EXPECT_INT(dlf_slice(t, 0, 5, 3, -2, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[3] strides [-2] cpu\n[5, 3, 1]");
  t = matrix();
  EXPECT_INT(dlf_slice(t, 1, 1, 2, 1, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[2, 2] strides [3, 1] cpu\n[[1, 2],\n [4, 5]]");
  t = matrix();
  EXPECT_INT(dlf_slice(t, 0, 2, 0, 1, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[0, 3] cpu\n[]");
  t = vector();
  EXPECT_INT(dlf_slice(t, 0, 0, 0, 1, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[0] cpu\n[]");
  t = vector();
  EXPECT_INT(dlf_slice(t, 0, 3, 1, INT64_MIN, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[1] cpu\n[3]");
}

/* A single element has no neighbour: its stride stays, for any step. */
static void test_view__a_slice_of_one_keeps_the_stride(void) {
  dlf_tensor *t = wrap(six, i32, 1, LIST(2), LIST(3)), *v = NULL;
  EXPECT_INT(dlf_slice(t, 0, 1, 1, INT64_MAX, &v, NULL), DLF_OK);
  if (v) {
    EXPECT_INT(dlf_dltensor(v)->strides[0], 3);
  }
  expect_view(t, v, "int32[1] cpu\n[3]");
}

static void test_view__slice_refuses_what_is_outside(void) {
  dlf_tensor *t = vector(), *v = t;
  EXPECT_FAILS(
      dlf_slice(t, 0, 4, 2, 3, &v, &error),
      DLF_BOUNDS,
      "slice: expected 2 elements from 4 in steps of 3 inside axis 0 (from 0) of extent 6");
  EXPECT(v == NULL);
  EXPECT_FAILS(dlf_slice(t, 1, 0, 1, 1, &v, &error),
               DLF_BOUNDS,
               "slice: expected axis below 1 (from 0), got 1");
  EXPECT_FAILS(dlf_slice(t, -1, 0, 1, 1, &v, &error),
               DLF_BOUNDS,
               "slice: expected axis below 1 (from 0), got -1");
  EXPECT_FAILS(dlf_slice(t, 0, 0, 1, 0, &v, &error),
               DLF_INVALID,
               "slice: expected step other than 0, got 0");
  EXPECT_FAILS(
      dlf_slice(NULL, 0, 0, 1, 1, &v, &error), DLF_INVALID, "slice: expected a tensor, got NULL");
  EXPECT_INT(dlf_slice(t, 0, -1, 1, 1, &v, NULL), DLF_BOUNDS);
  EXPECT_INT(dlf_slice(t, 0, 6, 1, 1, &v, NULL), DLF_BOUNDS);
  EXPECT_INT(dlf_slice(t, 0, 6, 2, -1, &v, NULL), DLF_BOUNDS); /* only the last element is inside */
  EXPECT_INT(dlf_slice(t, 0, 0, -1, 1, &v, NULL), DLF_BOUNDS);
  EXPECT_INT(dlf_slice(t, 0, 7, 0, 1, &v, NULL), DLF_BOUNDS);
  EXPECT_INT(dlf_slice(t, 0, 1, INT64_MAX, INT64_MAX, &v, NULL), DLF_BOUNDS);
  EXPECT_INT(dlf_slice(t, 0, 5, 2, INT64_MAX, &v, NULL), DLF_BOUNDS);
  dlf_release(t);
}

static const dlf_index_item every_second = {DLF_INDEX_RANGE, 0, 2, 2, -2},
                            second = {DLF_INDEX_ONE, 0, 1, 0, 0},
                            added = {DLF_INDEX_NEW, 0, 0, 0, 0};

static void test_view__index_takes_several_axes(void) {
  dlf_tensor *t, *v = NULL;
  t = matrix();
  EXPECT_INT(dlf_index(t, (dlf_index_item[]){second, every_second}, 2, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[2] strides [-2] cpu\n[5, 3]");
  t = matrix();
  EXPECT_INT(dlf_index(t, (dlf_index_item[]){added, second}, 2, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[1, 3] cpu\n[[3, 4, 5]]");
  t = matrix();
  EXPECT_INT(dlf_index(t, NULL, 0, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[2, 3] cpu\n[[0, 1, 2],\n [3, 4, 5]]");
  t = matrix();
  EXPECT_INT(dlf_index(t, (dlf_index_item[]){second, second, added}, 3, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[1] cpu\n[4]");
  t = vector();
  EXPECT_INT(dlf_index(t, &(dlf_index_item){DLF_INDEX_RANGE, 0, 6, 0, 1}, 1, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[0] cpu\n[]");
}

/* Row 1 of three packed elements of 4 bits starts inside a byte; its element 1 does not. */
static void test_view__index_starts_on_a_byte_only_at_the_end(void) {
  uint8_t packed[] = {0x21, 0x43, 0x65, 0x87, 0x09};
  dlf_tensor *t = wrap(packed, (DLDataType){kDLUInt, 4, 1}, 2, LIST(3, 3), NULL), *v = NULL;
  EXPECT_FAILS(dlf_index(t, &second, 1, &v, &error),
               DLF_LAYOUT,
               "index: expected a view that starts on a byte, got bit 4 of one");
  EXPECT_INT(dlf_index(t, (dlf_index_item[]){second, second}, 2, &v, NULL), DLF_OK);
  expect_view(t, v, "uint4[] cpu\n5");
}

static void test_view__index_refuses_what_is_outside(void) {
  dlf_tensor *t = matrix(), *v = t;
  EXPECT_FAILS(dlf_index(t, (dlf_index_item[]){second, second, second}, 3, &v, &error),
               DLF_BOUNDS,
               "index: expected at most 2 indices, got more");
  EXPECT(v == NULL);
  EXPECT_FAILS(dlf_index(t, &(dlf_index_item){DLF_INDEX_ONE, 0, 2, 0, 0}, 1, &v, &error),
               DLF_BOUNDS,
               "index: expected index below 2 of axis 0 (from 0), got 2");
  EXPECT_FAILS(
      dlf_index(t, (dlf_index_item[]){second, {DLF_INDEX_RANGE, 0, 1, 3, 1}}, 2, &v, &error),
      DLF_BOUNDS,
      "index: expected 3 elements from 1 in steps of 1 inside axis 1 (from 0) of extent 3");
  EXPECT_FAILS(dlf_index(t, &(dlf_index_item){DLF_INDEX_RANGE, 0, 0, 1, 0}, 1, &v, &error),
               DLF_INVALID,
               "index: expected step other than 0, got 0");
  EXPECT_FAILS(dlf_index(t, &(dlf_index_item){7, 0, 0, 1, 1}, 1, &v, &error),
               DLF_INVALID,
               "index: expected a dlf_index_kind, got 7");
  EXPECT_FAILS(dlf_index(t, &second, -1, &v, &error),
               DLF_INVALID,
               "index: expected 0 items or more, got -1");
  EXPECT_FAILS(dlf_index(t, NULL, 1, &v, &error), DLF_INVALID, "index: expected 1 items, got NULL");
  EXPECT_FAILS(
      dlf_index(NULL, NULL, 0, &v, &error), DLF_INVALID, "index: expected a tensor, got NULL");
  dlf_index_item many[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    many[i] = added;
  }
  EXPECT_FAILS(dlf_index(t, many, DLF_MAX_NDIM, &v, &error),
               DLF_INVALID,
               "index: expected at most 64 axes, got more");
  EXPECT_INT(dlf_index(t, many, DLF_MAX_NDIM - 2, &v, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(v)->ndim, DLF_MAX_NDIM);
  dlf_release(v);
  dlf_release(t);
}

static void test_view__views_of_views_keep_their_root(void) {
  dlf_tensor *t = vector(), *half = NULL, *last = NULL;
  EXPECT_INT(dlf_slice(t, 0, 5, 6, -1, &half, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(dlf_slice(half, 0, 1, 2, 3, &last, NULL), DLF_OK);
  expect_view(half, last, "int32[2] strides [-3] cpu\n[4, 1]");
  EXPECT_INT(live(), 0);
}

/* A view that begins before its parent's first element: through an export too. */
static void test_view__negative_strides_reach_before_data(void) {
  dlf_tensor *t = wrap(six + 5, i32, 1, LIST(6), LIST(-1)), *v = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_slice(t, 0, 2, 4, 1, &v, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack(v, &m, NULL), DLF_OK);
  EXPECT(dlf_data(&m->dl_tensor) == six + 3);
  dlf_dlpack_release(m);
  expect_view(t, v, "int32[4] strides [-1] cpu\n[3, 2, 1, 0]");
}

static void test_view__packed_elements_start_on_a_byte(void) {
  static unsigned char bytes[] = {0x10, 0x32, 0x54};
  dlf_tensor *t = wrap(bytes, fp4, 1, LIST(6), NULL), *v = NULL;
  EXPECT_INT(dlf_slice(t, 0, 2, 3, 1, &v, NULL), DLF_OK);
  EXPECT(dlf_data(dlf_dltensor(v)) == bytes + 1);
  dlf_release(v);
  EXPECT_FAILS(dlf_slice(t, 0, 3, 3, 1, &v, &error),
               DLF_LAYOUT,
               "slice: expected a view that starts on a byte, got bit 4 of one");
  EXPECT_FAILS(dlf_flip(t, 0, &v, &error),
               DLF_LAYOUT,
               "flip: expected a view that starts on a byte, got bit 4 of one");
  EXPECT_FAILS(dlf_select(t, 0, 1, &v, &error),
               DLF_LAYOUT,
               "select: expected a view that starts on a byte, got bit 4 of one");
  dlf_release(t);
  EXPECT_INT(dlf_wrap(&(DLTensor){bytes, cpu, 1, fp4, LIST(3), NULL, 0},
                      DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT_INT(dlf_select(t, 0, 1, &v, NULL), DLF_OK);
  EXPECT(dlf_data(dlf_dltensor(v)) == bytes + 1);
  dlf_release(v);
  dlf_release(t);
}

static void test_view__select_drops_the_axis(void) {
  dlf_tensor *t = matrix(), *v = NULL;
  EXPECT_INT(dlf_select(t, 0, 1, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[3] cpu\n[3, 4, 5]");
  t = matrix();
  EXPECT_INT(dlf_select(t, 1, 2, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[2] strides [3] cpu\n[2, 5]");
  t = matrix();
  EXPECT_FAILS(dlf_select(t, 1, 3, &v, &error),
               DLF_BOUNDS,
               "select: expected index below 3 of axis 1 (from 0), got 3");
  EXPECT_INT(dlf_select(t, 1, -1, &v, NULL), DLF_BOUNDS);
  EXPECT_INT(dlf_select(t, 2, 0, &v, NULL), DLF_BOUNDS);
  dlf_release(t);
  t = wrap(NULL, i32, 2, LIST(0, 3), LIST(INT64_MAX, INT64_MAX));
  EXPECT_INT(dlf_select(t, 1, 2, &v, NULL), DLF_OK); /* hostile strides that nothing uses */
  expect_view(t, v, "int32[0] cpu\n[]");
}

static void test_view__permute_reorders(void) {
  static const int64_t swap[] = {1, 0}, same[] = {1, 1}, far[] = {0, 2};
  dlf_tensor *t = matrix(), *v = NULL;
  EXPECT_INT(dlf_permute(t, swap, 2, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[3, 2] strides [1, 3] cpu\n[[0, 3],\n [1, 4],\n [2, 5]]");
  t = matrix();
  EXPECT_FAILS(dlf_permute(t, same, 2, &v, &error),
               DLF_INVALID,
               "permute: expected each axis once, got axis 1 (from 0) again");
  EXPECT_FAILS(dlf_permute(t, far, 2, &v, &error),
               DLF_BOUNDS,
               "permute: expected axis below 2 (from 0), got 2");
  EXPECT_FAILS(dlf_permute(t, swap, 1, &v, &error), DLF_INVALID, "permute: expected 2 axes, got 1");
  EXPECT_FAILS(
      dlf_permute(t, NULL, 2, &v, &error), DLF_INVALID, "permute: expected 2 axes, got NULL");
  EXPECT_INT(dlf_permute(NULL, swap, 2, &v, NULL), DLF_INVALID);
  dlf_release(t);
  t = wrap(six, i32, 0, NULL, NULL);
  EXPECT_INT(dlf_permute(t, NULL, 0, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[] cpu\n0");
}

static void test_view__squeeze_and_unsqueeze_undo_each_other(void) {
  dlf_tensor *t = matrix(), *wide = NULL, *v = NULL;
  for (int32_t axis = 0; axis <= 2; axis++) {
    EXPECT_INT(dlf_unsqueeze(t, axis, &wide, NULL), DLF_OK);
    EXPECT_INT(dlf_dltensor(wide)->ndim, 3);
    EXPECT_INT(dlf_dltensor(wide)->shape[axis], 1);
    EXPECT_INT(dlf_dltensor(wide)->strides[axis], axis == 0 ? 6 : axis == 1 ? 3 : 1);
    EXPECT_INT(dlf_squeeze(wide, axis, &v, NULL), DLF_OK);
    expect_view(wide, v, "int32[2, 3] cpu\n[[0, 1, 2],\n [3, 4, 5]]");
  }
  EXPECT_FAILS(dlf_squeeze(t, 1, &v, &error),
               DLF_SHAPE,
               "squeeze: expected axis 1 (from 0) of extent 1, got 3");
  EXPECT_FAILS(dlf_unsqueeze(t, 3, &v, &error),
               DLF_BOUNDS,
               "unsqueeze: expected axis up to 2 (from 0), got 3");
  EXPECT_INT(dlf_unsqueeze(NULL, 0, &v, NULL), DLF_INVALID);
  dlf_release(t);
}

static void test_view__unsqueeze_stops_at_the_highest_ndim(void) {
  int64_t ones[DLF_MAX_NDIM];
  dlf_tensor *v = NULL;
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  dlf_tensor *t = wrap(six, i32, DLF_MAX_NDIM, ones, NULL);
  EXPECT_FAILS(dlf_unsqueeze(t, 0, &v, &error),
               DLF_INVALID,
               "unsqueeze: expected fewer than 64 axes, got 64");
  EXPECT_INT(dlf_unpack_lanes(t, &v, NULL), DLF_INVALID);
  dlf_release(t);
}

static void test_view__flip_reverses(void) {
  dlf_tensor *t = matrix(), *v = NULL;
  EXPECT_INT(dlf_flip(t, 1, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[2, 3] strides [3, -1] cpu\n[[2, 1, 0],\n [5, 4, 3]]");
  t = wrap(NULL, i32, 1, LIST(0), NULL);
  EXPECT_INT(dlf_flip(t, 0, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[0] cpu\n[]");
  t = wrap(six, i32, 1, LIST(1), LIST(INT64_MIN));
  EXPECT_INT(dlf_flip(t, 0, &v, NULL), DLF_OK);
  expect_view(t, v, "int32[1] cpu\n[0]");
}

/* PaddlePaddle, MXNet and dpnp ignore byte_offset, and TensorFlow refuses one. */
static void test_view__moves_data_of_the_processor(void) {
  dlf_tensor *t = NULL, *v = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){six, cpu, 1, i32, LIST(5), LIST(1), 4}, 0, NULL, NULL, &t, NULL),
             DLF_OK);
  EXPECT_INT(dlf_slice(t, 0, 2, 3, 1, &v, NULL), DLF_OK);
  EXPECT(dlf_dltensor(v)->data == six + 3 && dlf_dltensor(v)->byte_offset == 0);
  dlf_release(v);
  dlf_release(t);
}

/* A consumer that ignores byte_offset reads the right elements there, too. */
static void test_view__moves_data_of_devices_with_addresses(void) {
  static const DLDeviceType types[] = {
      kDLCUDA, kDLCUDAHost, kDLCUDAManaged, kDLROCM, kDLROCMHost, kDLOneAPI};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    dlf_tensor *t = NULL, *v = NULL, *w = NULL;
    const DLTensor described = {six, {types[i], 0}, 1, i32, LIST(5), LIST(1), 4};
    EXPECT_INT(dlf_wrap(&described, 0, NULL, NULL, &t, NULL), DLF_OK);
    EXPECT_INT(dlf_flip(t, 0, &v, NULL), DLF_OK);
    EXPECT(dlf_dltensor(v)->data == six + 5 && dlf_dltensor(v)->byte_offset == 0);
    EXPECT_INT(dlf_select(v, 0, 3, &w, NULL), DLF_OK); /* before its data */
    EXPECT(dlf_dltensor(w)->data == six + 2 && dlf_dltensor(w)->byte_offset == 0);
    dlf_release(w);
    dlf_release(v);
    dlf_release(t);
  }
}

/* Found by fuzzing: where data is a handle, moving it would make another handle of it. */
static void test_view__a_handle_stays_what_it_is(void) {
  const DLDevice opencl = {kDLOpenCL, 0};
  dlf_tensor *t = NULL, *v = NULL;
  EXPECT_INT(
      dlf_wrap(&(DLTensor){six, opencl, 1, i32, LIST(6), LIST(-1), 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_FAILS(dlf_select(t, 0, 1, &v, &error),
               DLF_LAYOUT,
               "select: expected a view that starts behind data, got one before it");
  dlf_release(t);
  EXPECT_INT(
      dlf_wrap(&(DLTensor){six, opencl, 1, i32, LIST(6), LIST(1), 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_INT(dlf_flip(t, 0, &v, NULL), DLF_OK);
  EXPECT(dlf_dltensor(v)->data == six && dlf_dltensor(v)->byte_offset == 20);
  dlf_release(v);
  dlf_release(t);
}

/* The second step is longer than the first. */
static void test_view__steps_of_a_handle_add_up(void) {
  dlf_tensor *t = NULL, *v = NULL, *w = NULL;
  const DLTensor handle = {six, {kDLOpenCL, 0}, 1, i32, LIST(6), LIST(1), 0};
  EXPECT_INT(dlf_wrap(&handle, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_slice(t, 0, 2, 4, 1, &v, NULL), DLF_OK);
  EXPECT_INT(dlf_select(v, 0, 3, &w, NULL), DLF_OK);
  EXPECT(dlf_dltensor(w)->data == six && dlf_dltensor(w)->byte_offset == 20);
  dlf_release(w);
  dlf_release(v);
  dlf_release(t);
}

/* The same bytes, but from the other end more elements away than can be counted. */
static void test_view__a_flip_of_bits_stays_countable(void) {
  static const DLDataType u1 = {kDLUInt, 1, 1};
  const int64_t far = (INT64_C(1) << 61) + 8;
  dlf_tensor *t, *v;
  if (UINTPTR_MAX <= UINT32_MAX) {
    return; /* no tensor reaches so far there */
  }
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){
              (void *)(uintptr_t)(UINTPTR_MAX / 4 + 1), cpu, 2, u1, LIST(3, 4), LIST(-far, far), 0},
          0,
          NULL,
          NULL,
          &t,
          NULL),
      DLF_OK);
  EXPECT_FAILS(dlf_flip(t, 0, &v, &error),
               DLF_OVERFLOW,
               "flip: expected strides that stay below 2^63 elements, got 2305843009213693960 on "
               "axis 1 (from 0)");
  EXPECT(v == NULL);
  EXPECT_INT(dlf_slice(t, 0, 1, 2, 1, &v, NULL), DLF_OK);
  dlf_release(v);
  dlf_release(t);
}

/* Found by fuzzing: data moved back by more than its own address, for an offset that stayed behind
 * to undo. */
static void test_view__flips_keep_data_an_address(void) {
  const DLDevice devices[] = {cpu, {kDLCUDAHost, 0}};
  for (int device = 0; device < 2; device++) {
    dlf_tensor *t = NULL;
    const DLTensor described = {
        (void *)(uintptr_t)4096, devices[device], 2, i32, LIST(8, 8), LIST(1000, -3), 0};
    EXPECT_INT(dlf_wrap(&described, 0, NULL, NULL, &t, NULL), DLF_OK);
    for (int i = 0; i < 3; i++) {
      dlf_tensor *v = NULL;
      EXPECT_INT(dlf_flip(t, i % 2, &v, NULL), DLF_OK);
      EXPECT_INT(dlf_check(dlf_dltensor(v), 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
      dlf_release(t);
      t = v;
    }
    EXPECT_INT((int64_t)(uintptr_t)dlf_data(dlf_dltensor(t)), 4096 - 7 * 3 * 4);
    dlf_release(t);
  }
}

/* Pinned memory has addresses: a view that begins before data moves data, with all of the offset.
 */
static void test_view__views_before_data_move_it(void) {
  for (uint64_t offset = 0; offset <= 4; offset += 4) {
    dlf_tensor *t = NULL, *v = NULL;
    const DLTensor described = {six + 4, {kDLCUDAHost, 0}, 1, i32, LIST(4), LIST(-1), offset};
    EXPECT_INT(dlf_wrap(&described, 0, NULL, NULL, &t, NULL), DLF_OK);
    EXPECT_INT(dlf_slice(t, 0, 2, 2, 1, &v, NULL), DLF_OK);
    EXPECT(dlf_data(dlf_dltensor(v)) == six + 2 + offset / 4 && dlf_dltensor(v)->byte_offset == 0);
    dlf_release(v);
    dlf_release(t);
  }
}

/* Data is a handle there: a view may go back to it, as far as byte_offset says and no further. */
static void test_view__handles_are_reached_back_to(void) {
  for (uint64_t offset = 4; offset <= 8; offset += 4) {
    dlf_tensor *t = NULL, *v = NULL;
    DLManagedTensorVersioned managed = {
        {1, 3}, NULL, NULL, 0, tensor_of(f32, 1, LIST(3), LIST(-1))};
    managed.dl_tensor.device = (DLDevice){kDLOpenCL, 0};
    managed.dl_tensor.byte_offset = offset;
    EXPECT_INT(dlf_from_dlpack(&managed, &t, NULL), DLF_OK);
    EXPECT_INT(dlf_flip(t, 0, &v, NULL), offset == 8 ? DLF_OK : DLF_LAYOUT);
    if (v) {
      EXPECT(dlf_dltensor(v)->data == managed.dl_tensor.data && dlf_dltensor(v)->byte_offset == 0);
    }
    dlf_release(v);
    dlf_release(t);
  }
}

/* ---- chains of owners ---- */

static void count_release(void *owner) {
  ++*(int *)owner;
}

enum { CREATED, WRAPPED, QUEUED, IMPORTED, IMPORTED_LEGACY, MADE, ROOTS };

/* A first owner of each kind, of six elements. */
static dlf_tensor *root_of_kind(int kind, dlf_queue *queue) {
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  const DLTensor plain = tensor_of(i32, 1, LIST(6), LIST(1));
  const dlf_prototype prototype = {.size = sizeof prototype,
                                   .dtype = i32,
                                   .device = cpu,
                                   .ndim = 1,
                                   .shape = {6},
                                   .strides = {1}};
  deleted = 0;
  switch (kind) {
  case CREATED:
    EXPECT_INT(dlf_create(i32, 1, LIST(6), cpu, &t, NULL), DLF_OK);
    break;
  case WRAPPED:
    EXPECT_INT(
        dlf_wrap(
            &(DLTensor){six, cpu, 1, i32, LIST(6), NULL, 0}, 0, &deleted, count_release, &t, NULL),
        DLF_OK);
    break;
  case QUEUED:
    EXPECT_INT(dlf_wrap_queued(
                   &(DLTensor){six, cpu, 1, i32, LIST(6), NULL, 0}, 0, queue, &deleted, &t, NULL),
               DLF_OK);
    break;
  case IMPORTED:
    m = malloc(sizeof *m);
    if (!m) {
      abort();
    }
    *m = (DLManagedTensorVersioned){{1, 3}, NULL, delete_versioned, 0, plain};
    if (dlf_from_dlpack(m, &t, NULL) != DLF_OK) {
      free(m);
    }
    break;
  case IMPORTED_LEGACY:
    old = malloc(sizeof *old);
    if (!old) {
      abort();
    }
    *old = (DLManagedTensor){plain, NULL, delete_legacy};
    if (dlf_from_dlpack_legacy(old, &t, NULL) != DLF_OK) {
      free(old);
    }
    break;
  default:
    EXPECT_INT(dlf_make(&prototype, &m, NULL), DLF_OK);
    EXPECT_INT(dlf_from_dlpack(m, &t, NULL), DLF_OK);
  }
  EXPECT(t != NULL);
  return t;
}

/* A view of a view keeps the first owner, and nothing in between; that goes once, when the last
 * view has gone. */
static void test_view__a_view_of_a_view_keeps_the_first_owner(void) {
  void *owner = NULL;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  for (int kind = 0; kind < ROOTS; kind++) {
    const bool told = kind != CREATED && kind != MADE;
    dlf_tensor *t = root_of_kind(kind, queue), *a = NULL, *b = NULL, *c = NULL;
    EXPECT_INT(dlf_slice(t, 0, 1, 5, 1, &a, NULL), DLF_OK);
    EXPECT_INT(dlf_flip(a, 0, &b, NULL), DLF_OK);
    EXPECT_INT(dlf_unsqueeze(b, 0, &c, NULL), DLF_OK);
    EXPECT_INT(live(), 4);
    dlf_release(t);
    EXPECT_INT(live(), 4); /* the views keep it */
    dlf_release(b);
    EXPECT_INT(live(), 3); /* intermediate views are released */
    dlf_release(a);
    EXPECT_INT(live(), 2);
    EXPECT_INT(dlf_queue_drain(queue, &owner, 1), 0);
    EXPECT_INT(deleted, 0);
    EXPECT_INT(dlf_check(dlf_dltensor(c), 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
    dlf_release(c);
    if (kind == QUEUED) {
      EXPECT_INT(live(), 1);
      EXPECT_INT(dlf_queue_drain(queue, &owner, 1), 1);
      EXPECT(owner == &deleted);
      deleted++;
    }
    EXPECT_INT(live(), 0);
    EXPECT_INT(deleted, told);
  }
  dlf_queue_release(queue);
}

/* The link from one handle to the next. */
enum { BY_SLICE, BY_LEGACY, BY_CHANGED_EXPORT, BY_VIEW_AND_LEGACY, LINKS };

static dlf_tensor *next_link(int how, int i, dlf_tensor *t) {
  dlf_tensor *next = NULL;
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  if (how == BY_SLICE || (how == BY_VIEW_AND_LEGACY && i % 2)) {
    EXPECT_INT(dlf_slice(t, 0, 0, 6, 1, &next, NULL), DLF_OK);
  } else if (how == BY_CHANGED_EXPORT) {
    EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
    m->version.minor = 0; /* as a consumer may: it is not taken back, but imported */
    EXPECT_INT(dlf_from_dlpack(m, &next, NULL), DLF_OK);
  } else {
    EXPECT_INT(dlf_to_dlpack_legacy(t, &old, NULL), DLF_OK);
    EXPECT_INT(dlf_from_dlpack_legacy(old, &next, NULL), DLF_OK);
  }
  dlf_release(t);
  return next;
}

/* A release that recursed through the chain would need as many frames as it has links. */
static void *build_and_release_chains(void *context) {
  (void)context;
  for (int how = 0; how < LINKS; how++) {
    dlf_tensor *t = root_of_kind(IMPORTED, NULL);
    for (int i = 0; i < ROUNDS(600000); i++) {
      t = next_link(how, i, t);
    }
    EXPECT_INT(live(), 2);
    EXPECT_INT(deleted, 0);
    dlf_release(t);
    EXPECT_INT(deleted, 1);
    EXPECT_INT(live(), 0);
  }
  return NULL;
}

static void test_view__release_does_not_recurse(void) {
#ifdef DLFERRY_FAULTS /* a test is broken off on the thread that it began on */
  build_and_release_chains(NULL);
#else
  pthread_t thread;
  system_little_thread(&thread, build_and_release_chains, NULL);
  pthread_join(thread, NULL);
#endif
}

/* (count - 1) * step is 2^64, which wraps to an element inside. */
static void test_view__a_reach_that_wraps_is_outside(void) {
  const int64_t far = INT64_C(1) << 32;
  dlf_tensor *t = wrap(six, i32, 1, LIST(6), LIST(1)), *v = NULL;
  for (int64_t sign = -1; sign <= 1; sign += 2) {
    const dlf_index_item item = {DLF_INDEX_RANGE, 0, 2, far + 1, sign * far};
    EXPECT_INT(dlf_slice(t, 0, 2, far + 1, sign * far, &v, NULL), DLF_BOUNDS);
    EXPECT_INT(dlf_index(t, &item, 1, &v, NULL), DLF_BOUNDS);
  }
  EXPECT_INT(dlf_slice(t, 0, 2, INT64_MAX, INT64_MAX, &v, NULL), DLF_BOUNDS); /* 2^63 - 2 squared */
  EXPECT(!v);
  dlf_release(t);
}

int main(void) {
  RUN(test_view__slice_takes_a_range);
  RUN(test_view__a_slice_of_one_keeps_the_stride);
  RUN(test_view__slice_refuses_what_is_outside);
  RUN(test_view__index_takes_several_axes);
  RUN(test_view__index_starts_on_a_byte_only_at_the_end);
  RUN(test_view__index_refuses_what_is_outside);
  RUN(test_view__views_of_views_keep_their_root);
  RUN(test_view__negative_strides_reach_before_data);
  RUN(test_view__packed_elements_start_on_a_byte);
  RUN(test_view__select_drops_the_axis);
  RUN(test_view__permute_reorders);
  RUN(test_view__squeeze_and_unsqueeze_undo_each_other);
  RUN(test_view__unsqueeze_stops_at_the_highest_ndim);
  RUN(test_view__flip_reverses);
  RUN(test_view__a_flip_of_bits_stays_countable);
  RUN(test_view__flips_keep_data_an_address);
  RUN(test_view__views_before_data_move_it);
  RUN(test_view__handles_are_reached_back_to);
  RUN(test_view__moves_data_of_the_processor);
  RUN(test_view__moves_data_of_devices_with_addresses);
  RUN(test_view__a_handle_stays_what_it_is);
  RUN(test_view__steps_of_a_handle_add_up);
  RUN(test_view__a_view_of_a_view_keeps_the_first_owner);
  RUN(test_view__release_does_not_recurse);
  RUN(test_view__a_reach_that_wraps_is_outside);
  return test_end();
}
