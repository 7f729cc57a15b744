/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static const DLDataType fp4 = {kDLFloat4_e2m1fn, 4, 1}, fp6 = {kDLFloat6_e2m3fn, 6, 1},
                        u8 = {kDLUInt, 8, 1};
static const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;

static void test_layout__count_multiplies_the_extents(void) {
  int64_t count = -1;
  DLTensor t = tensor_of(f32, 3, LIST(2, 3, 4), NULL);
  EXPECT_INT(dlf_count(&t, &count, NULL), DLF_OK);
  EXPECT_INT(count, 24);
  t.ndim = 0;
  EXPECT_INT(dlf_count(&t, &count, NULL), DLF_OK);
  EXPECT_INT(count, 1);
}

static void test_layout__count_of_an_empty_tensor_never_overflows(void) {
  int64_t count = -1;
  const DLTensor t = tensor_of(f32, 3, LIST(INT64_MAX, INT64_MAX, 0), NULL);
  EXPECT_INT(dlf_count(&t, &count, NULL), DLF_OK);
  EXPECT_INT(count, 0);
}

static void test_layout__count_refuses_hostile_extents(void) {
  int64_t count;
  const DLTensor negative = tensor_of(f32, 2, LIST(0, -3), NULL);
  const DLTensor huge = tensor_of(f32, 2, LIST(INT64_MAX / 2, 3), NULL);
  EXPECT_FAILS(dlf_count(&negative, &count, &error),
               DLF_INVALID,
               "count: expected extents of 0 or more, got -3 on axis 1 (from 0)");
  EXPECT_FAILS(dlf_count(&huge, &count, &error),
               DLF_OVERFLOW,
               "count: expected an element count below 2^63, got a larger one by axis 1 (from 0) "
               "of extent 3");
}

static void test_layout__byte_size_packs_unless_padded(void) {
  int64_t size = -1;
  DLTensor t = tensor_of(fp4, 1, LIST(3), NULL);
  EXPECT_INT(dlf_byte_size(&t, 0, &size, NULL), DLF_OK);
  EXPECT_INT(size, 2);
  EXPECT_INT(dlf_byte_size(&t, padded, &size, NULL), DLF_OK);
  EXPECT_INT(size, 3);
  t = tensor_of(fp6, 1, LIST(11), NULL); /* 66 bits */
  EXPECT_INT(dlf_byte_size(&t, 0, &size, NULL), DLF_OK);
  EXPECT_INT(size, 9);
  t = tensor_of((DLDataType){kDLUInt, 8, 3}, 2, LIST(2, 5), NULL);
  EXPECT_INT(dlf_byte_size(&t, 0, &size, NULL), DLF_OK);
  EXPECT_INT(size, 30);
}

static void test_layout__byte_size_refuses_overflow(void) {
  int64_t size;
  const DLTensor t = tensor_of(f32, 1, LIST(INT64_MAX / 2), NULL);
  EXPECT_FAILS(dlf_byte_size(&t, 0, &size, &error),
               DLF_OVERFLOW,
               "byte_size: expected a size below 2^63 bytes, got a larger one");
  const DLTensor packed = tensor_of(fp4, 1, LIST(INT64_MAX), NULL); /* half a byte each: fits */
  EXPECT_INT(dlf_byte_size(&packed, 0, &size, NULL), DLF_OK);
  EXPECT_INT(size, INT64_MAX / 2 + 1);
  /* Whole groups of eight elements end 7 bytes below the limit, and the rest takes 8. */
  const DLTensor brim =
      tensor_of((DLDataType){kDLUInt, 9, 1}, 1, LIST(INT64_MAX / 9 * 8 + 7), LIST(1));
  EXPECT_INT(dlf_byte_size(&brim, 0, &size, NULL), DLF_OVERFLOW);
}

static void expect_range(DLTensor t, uint64_t flags, int64_t expected_low, int64_t expected_high) {
  int64_t low = 99, high = 99;
  EXPECT_INT(dlf_byte_range(&t, flags, &low, &high, NULL), DLF_OK);
  EXPECT_INT(low, expected_low);
  EXPECT_INT(high, expected_high);
}

static void test_layout__byte_range_follows_strides(void) {
  expect_range(tensor_of(f32, 2, LIST(2, 3), NULL), 0, 0, 24);
  expect_range(tensor_of(f32, 2, LIST(2, 3), LIST(10, 2)), 0, 0, 4 * (10 + 4 + 1));
  expect_range(tensor_of(f32, 1, LIST(4), LIST(-2)), 0, -24, 4);
  expect_range(tensor_of(f32, 2, LIST(2, 3), LIST(-5, 1)), 0, -20, 12);
  expect_range(tensor_of(f32, 2, LIST(4, 3), LIST(0, 1)), 0, 0, 12);
  expect_range(tensor_of(f32, 2, LIST(0, 3), LIST(INT64_MAX, INT64_MAX)), 0, 0, 0);
  expect_range(tensor_of(f32, 2, LIST(1, 3), LIST(INT64_MAX, 1)),
               0,
               0,
               12); /* an extent of 1 uses no stride */
  expect_range(tensor_of(f32, 0, NULL, NULL), 0, 0, 4);
}

static void test_layout__byte_range_of_packed_elements_covers_whole_bytes(void) {
  expect_range(tensor_of(fp4, 1, LIST(3), LIST(1)), 0, 0, 2);
  expect_range(tensor_of(fp4, 1, LIST(3), LIST(-1)), 0, -1, 1); /* elements -2 to 0: bits -8 to 3 */
  expect_range(tensor_of(fp4, 1, LIST(4), LIST(-1)), 0, -2, 1); /* bits -12 to 3 */
  expect_range(tensor_of(fp4, 1, LIST(4), LIST(-1)), padded, -3, 1);
}

static void test_layout__byte_range_refuses_overflow(void) {
  int64_t low, high;
  const DLTensor far = tensor_of(u8, 2, LIST(3, 3), LIST(INT64_MAX / 2, INT64_MAX / 2));
  EXPECT_FAILS(dlf_byte_range(&far, 0, &low, &high, &error),
               DLF_OVERFLOW,
               "byte_range: expected strides that stay below 2^63 elements, got "
               "4611686018427387903 on axis 1 (from 0)");
  const DLTensor backwards = tensor_of(u8, 1, LIST(3), LIST(INT64_MIN));
  EXPECT_INT(dlf_byte_range(&backwards, 0, &low, &high, NULL), DLF_OVERFLOW);
  const DLTensor wide = tensor_of(f32, 1, LIST(2), LIST(INT64_MAX / 2));
  EXPECT_INT(dlf_byte_range(&wide, 0, &low, &high, NULL), DLF_OVERFLOW);
  /* Each end fits, their distance does not; and a count that wraps to INT64_MIN. */
  const DLTensor apart = tensor_of(f32, 2, LIST(3, 3), LIST(-(INT64_C(1) << 59), INT64_C(1) << 59));
  EXPECT_INT(dlf_byte_range(&apart, 0, &low, &high, NULL), DLF_OVERFLOW);
  const DLTensor wrapped = tensor_of(f32, 2, LIST(INT64_C(1) << 62, 2), NULL);
  EXPECT_INT(dlf_byte_range(&wrapped, 0, &low, &high, NULL), DLF_OVERFLOW);
}

static void expect_orders(DLTensor t, bool row, bool column, bool dense) {
  EXPECT_INT(dlf_is_contiguous(&t, DLF_ROW_MAJOR), row);
  EXPECT_INT(dlf_is_contiguous(&t, DLF_COLUMN_MAJOR), column);
  EXPECT_INT(dlf_is_contiguous(&t, DLF_DENSE), dense);
}

static void test_layout__contiguous_knows_the_orders(void) {
  expect_orders(tensor_of(f32, 2, LIST(2, 3), LIST(3, 1)), true, false, true);
  expect_orders(tensor_of(f32, 2, LIST(2, 3), LIST(1, 2)), false, true, true);
  expect_orders(tensor_of(f32, 3, LIST(2, 3, 4), LIST(4, 8, 1)), false, false, true);
  expect_orders(tensor_of(f32, 2, LIST(2, 3), LIST(6, 2)), false, false, false);
  expect_orders(tensor_of(f32, 2, LIST(2, 3), LIST(-3, 1)), false, false, false);
  expect_orders(tensor_of(f32, 2, LIST(2, 3), LIST(0, 1)), false, false, false);
  expect_orders(tensor_of(f32, 2, LIST(2, 3), NULL), true, false, true);
}

static void test_layout__contiguous_ignores_extents_of_one_and_empty(void) {
  expect_orders(tensor_of(f32, 2, LIST(1, 3), LIST(77, 1)), true, true, true);
  expect_orders(tensor_of(f32, 2, LIST(3, 1), LIST(1, -9)), true, true, true);
  expect_orders(tensor_of(f32, 2, LIST(0, 3), LIST(77, 77)), true, true, true);
  expect_orders(tensor_of(f32, 2, LIST(1, 3), NULL), true, true, true);
  expect_orders(tensor_of(f32, 0, NULL, NULL), true, true, true);
}

static void test_layout__contiguous_survives_overflow(void) {
  expect_orders(tensor_of(f32, 3, LIST(3, INT64_MAX, 2), LIST(1, 2, 1)), false, false, false);
  expect_orders(
      tensor_of(f32, 2, LIST(INT64_C(1) << 40, INT64_C(1) << 40), LIST(1, INT64_C(1) << 40)),
      false,
      false,
      false);
}

static void test_layout__contiguous_refuses_what_it_cannot_judge(void) {
  int64_t twos[DLF_MAX_NDIM + 1], strides[DLF_MAX_NDIM + 1];
  for (int i = 0; i <= DLF_MAX_NDIM; i++) {
    twos[i] = 2;
    strides[i] = 1;
  }
  const DLTensor deep = tensor_of(f32, DLF_MAX_NDIM + 1, twos, strides),
                 t = tensor_of(f32, 1, LIST(2), LIST(1));
  EXPECT(!dlf_is_contiguous(&deep, DLF_DENSE));
  const DLTensor scalar = tensor_of(f32, 0, NULL, NULL), empty = tensor_of(f32, 1, LIST(0), NULL);
  for (int32_t order = -1; order <= 3; order += 4) {
    EXPECT(!dlf_is_contiguous(&t, order));
    EXPECT(!dlf_is_contiguous(&scalar, order));
    EXPECT(!dlf_is_contiguous(&empty, order));
  }
  EXPECT(!dlf_is_contiguous(NULL, DLF_DENSE));
}

static void test_layout__compact_strides_fill_either_order(void) {
  int64_t strides[3];
  EXPECT_INT(dlf_compact_strides(3, LIST(2, 3, 4), DLF_ROW_MAJOR, strides, NULL), DLF_OK);
  EXPECT(strides[0] == 12 && strides[1] == 4 && strides[2] == 1);
  EXPECT_INT(dlf_compact_strides(3, LIST(2, 3, 4), DLF_COLUMN_MAJOR, strides, NULL), DLF_OK);
  EXPECT(strides[0] == 1 && strides[1] == 2 && strides[2] == 6);
  EXPECT_INT(dlf_compact_strides(0, NULL, DLF_ROW_MAJOR, NULL, NULL), DLF_OK);
  EXPECT_INT(dlf_compact_strides(3, LIST(0, INT64_MAX, INT64_MAX), DLF_ROW_MAJOR, strides, NULL),
             DLF_OK);
}

static void test_layout__compact_strides_refuse_bad_input(void) {
  int64_t strides[3];
  EXPECT_FAILS(dlf_compact_strides(-1, NULL, DLF_ROW_MAJOR, strides, &error),
               DLF_INVALID,
               "compact_strides: expected ndim between 0 and 64, got -1");
  EXPECT_FAILS(dlf_compact_strides(INT64_C(1) << 32, LIST(1), DLF_ROW_MAJOR, strides, &error),
               DLF_INVALID,
               "compact_strides: expected ndim between 0 and 64, got 4294967296");
  EXPECT_FAILS(dlf_compact_strides(1, LIST(1), 7, strides, &error),
               DLF_INVALID,
               "compact_strides: expected row- or column-major order, got 7");
  EXPECT_FAILS(dlf_compact_strides(2, NULL, DLF_ROW_MAJOR, strides, &error),
               DLF_INVALID,
               "compact_strides: expected shape and strides, got NULL");
  EXPECT_INT(dlf_compact_strides(2, LIST(2, 3), DLF_ROW_MAJOR, NULL, NULL), DLF_INVALID);
  EXPECT_INT(dlf_compact_strides(DLF_MAX_NDIM + 1, strides, DLF_ROW_MAJOR, strides, NULL),
             DLF_INVALID);
  EXPECT_FAILS(dlf_compact_strides(1, LIST(1), DLF_DENSE, strides, &error),
               DLF_INVALID,
               "compact_strides: expected row- or column-major order, got 2");
  EXPECT_INT(dlf_compact_strides(2, LIST(INT64_MAX, 3), DLF_ROW_MAJOR, strides, NULL),
             DLF_OVERFLOW);
}

static void test_layout__data_adds_the_offset(void) {
  DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  t.byte_offset = 8;
  EXPECT(dlf_data(&t) == (char *)t.data + 8);
  t.data = NULL;
  EXPECT(dlf_data(&t) == NULL);
}

static void test_layout__alignment_is_that_of_the_first_element(void) {
  DLTensor t = tensor_of(u8, 1, LIST(2), NULL);
  const int64_t none = INT64_C(1) << 62;
  t.data = (void *)(uintptr_t)4096;
  EXPECT_INT(dlf_alignment(&t), 4096);
  t.byte_offset = 64;
  EXPECT_INT(dlf_alignment(&t), 64);
  t.byte_offset = 12;
  EXPECT_INT(dlf_alignment(&t), 4);
  t.byte_offset = 7;
  EXPECT_INT(dlf_alignment(&t), 1);
  t.strides = LIST(-3); /* where an axis ends does not count */
  EXPECT_INT(dlf_alignment(&t), 1);
  t.shape = LIST(0);
  EXPECT_INT(dlf_alignment(&t), none);
  t.shape = LIST(2);
  t.data = NULL;
  EXPECT_INT(dlf_alignment(&t), none);
  t.data = (void *)(UINTPTR_MAX / 2 + 1); /* 2^63, which no int64_t holds */
  t.byte_offset = 0;
  if (sizeof t.data == 8) {
    EXPECT_INT(dlf_alignment(&t), none);
  }
}

static void test_layout__overlap_compares_what_is_touched(void) {
  DLTensor a = tensor_of(f32, 1, LIST(4), LIST(1)), b = a;
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  b.byte_offset = 16;
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  b.byte_offset = 15;
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  b.byte_offset = 28;
  b.strides = LIST(-1); /* from byte 16 to 32 */
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  b.byte_offset = 24;
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  b.shape = LIST(0);
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  EXPECT(!dlf_overlap((dlf_arg){&b, 0}, (dlf_arg){&a, 0}));
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){NULL, 0}));
  EXPECT(!dlf_overlap((dlf_arg){NULL, 0}, (dlf_arg){&a, 0}));
}

static void test_layout__overlap_keeps_devices_apart(void) {
  DLTensor a = tensor_of(f32, 1, LIST(4), LIST(1)), b = a;
  b.device = (DLDevice){kDLOpenCL, 0}; /* a handle, no address */
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  EXPECT(!dlf_overlap((dlf_arg){&b, 0}, (dlf_arg){&a, 0}));
  a.device = (DLDevice){kDLOpenCL, 1};
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  a.device = b.device;
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  a.device = (DLDevice){kDLVulkan, 0};
  EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
}

/* CUDA, HIP and SYCL give no address to two memories: two tensors with one address share memory,
 * even if they name different devices. Managed and pinned memory is often described as the
 * device's. */
static void test_layout__overlap_takes_one_address_for_one_memory(void) {
  static const DLDevice unified[] = {{kDLCPU, 0},
                                     {kDLCUDAHost, 0},
                                     {kDLCUDAManaged, 0},
                                     {kDLCUDA, 0},
                                     {kDLCUDA, 1},
                                     {kDLROCM, 0},
                                     {kDLROCMHost, 0},
                                     {kDLOneAPI, 0},
                                     {kDLCUDAManaged, 1},
                                     {kDLOneAPI, 2}};
  enum { COUNT = sizeof unified / sizeof *unified };
  DLTensor a = tensor_of(f32, 1, LIST(4), LIST(1)), b = a;
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      a.device = unified[i];
      b.device = unified[j];
      b.byte_offset = 12;
      EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
      b.byte_offset = 16;
      EXPECT(!dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
    }
  }
}

static void test_layout__overlap_counts_the_uncomputable_as_shared(void) {
  const DLTensor a = tensor_of(f32, 1, LIST(4), LIST(1)),
                 b = tensor_of(f32, 1, LIST(INT64_MAX), LIST(2));
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&b, 0}));
  EXPECT(dlf_overlap((dlf_arg){&b, 0}, (dlf_arg){&a, 0}));
}

/* Found by fuzzing: the handle of a device may be any number, so that its range wraps around. */
static void test_layout__overlap_of_handles_that_wrap(void) {
  DLTensor a = tensor_of(u8, 1, LIST(16), LIST(1));
  a.device = (DLDevice){kDLOpenCL, 0};
  a.data = (void *)(UINTPTR_MAX - 4);
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&a, 0}));
  a.data = (void *)(uintptr_t)4;
  a.strides = LIST(-1);
  EXPECT(dlf_overlap((dlf_arg){&a, 0}, (dlf_arg){&a, 0}));
  DLTensor sound = a;
  sound.data = (void *)(uintptr_t)1024;
  EXPECT(dlf_overlap((dlf_arg){&sound, 0}, (dlf_arg){&a, 0}));
}

/* Dense in any order of axes: 62 of one element, and two. */
static void test_layout__sixty_four_axes_are_as_many_as_there_may_be(void) {
  int64_t shape[DLF_MAX_NDIM + 1], strides[DLF_MAX_NDIM + 1];
  for (int32_t i = 0; i <= DLF_MAX_NDIM; i++) {
    shape[i] = strides[i] = 1;
  }
  shape[3] = 2, strides[3] = 3;
  shape[DLF_MAX_NDIM - 1] = 3, strides[DLF_MAX_NDIM - 1] = 1;
  DLTensor t = tensor_of(f32, DLF_MAX_NDIM, shape, strides);
  EXPECT(dlf_is_contiguous(&t, DLF_DENSE) && dlf_is_contiguous(&t, DLF_ROW_MAJOR));
  shape[3] = 1, shape[DLF_MAX_NDIM - 1] = 2, shape[0] = 3,
  strides[0] = 2; /* the highest axis counts too */
  EXPECT(dlf_is_contiguous(&t, DLF_DENSE));
  strides[DLF_MAX_NDIM - 1] = 2;
  EXPECT(!dlf_is_contiguous(&t, DLF_DENSE));
  strides[DLF_MAX_NDIM - 1] = 1;
  t.ndim++;
  EXPECT(!dlf_is_contiguous(&t, DLF_DENSE));
}

int main(void) {
  RUN(test_layout__count_multiplies_the_extents);
  RUN(test_layout__count_of_an_empty_tensor_never_overflows);
  RUN(test_layout__count_refuses_hostile_extents);
  RUN(test_layout__byte_size_packs_unless_padded);
  RUN(test_layout__byte_size_refuses_overflow);
  RUN(test_layout__byte_range_follows_strides);
  RUN(test_layout__byte_range_of_packed_elements_covers_whole_bytes);
  RUN(test_layout__byte_range_refuses_overflow);
  RUN(test_layout__contiguous_knows_the_orders);
  RUN(test_layout__contiguous_ignores_extents_of_one_and_empty);
  RUN(test_layout__contiguous_survives_overflow);
  RUN(test_layout__contiguous_refuses_what_it_cannot_judge);
  RUN(test_layout__compact_strides_fill_either_order);
  RUN(test_layout__compact_strides_refuse_bad_input);
  RUN(test_layout__data_adds_the_offset);
  RUN(test_layout__alignment_is_that_of_the_first_element);
  RUN(test_layout__overlap_compares_what_is_touched);
  RUN(test_layout__overlap_keeps_devices_apart);
  RUN(test_layout__overlap_takes_one_address_for_one_memory);
  RUN(test_layout__overlap_counts_the_uncomputable_as_shared);
  RUN(test_layout__overlap_of_handles_that_wrap);
  RUN(test_layout__sixty_four_axes_are_as_many_as_there_may_be);
  return test_end();
}
