/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static uint32_t words[64];
static const DLDataType u8 = {kDLUInt, 8, 1}, u16 = {kDLUInt, 16, 1}, u32 = {kDLUInt, 32, 1},
                        fp4 = {kDLFloat4_e2m1fn, 4, 1};

static dlf_tensor *wrap(DLDataType dtype, int32_t ndim, int64_t *shape, int64_t *strides,
                        uint64_t flags) {
  dlf_tensor *t = NULL;
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){words, cpu, ndim, dtype, shape, strides, 0}, flags, NULL, NULL, &t, NULL),
      DLF_OK);
  return t;
}

static void expect_description(dlf_tensor *view, const char *text) {
  char printed[160];
  EXPECT(view != NULL);
  if (!view) {
    return;
  }
  dlf_describe(dlf_dltensor(view), 0, printed, sizeof printed);
  EXPECT_TEXT(printed, text);
  dlf_release(view);
}

static void test_view_dtype__bitcast_of_equal_width_keeps_the_shape(void) {
  dlf_tensor *t = wrap(f32, 2, LIST(2, 3), LIST(-3, 2), 0), *view = NULL;
  dlf_release(t);
  t = wrap(f32, 2, LIST(2, 3), LIST(9, 2), 0);
  EXPECT_INT(dlf_bitcast(t, u32, &view, NULL), DLF_OK);
  expect_description(view, "uint32[2, 3] strides [9, 2] cpu");
  dlf_release(t);
}

static void test_view_dtype__bitcast_resizes_the_last_axis(void) {
  dlf_tensor *t = wrap(u32, 2, LIST(3, 4), LIST(6, 1), 0), *view = NULL;
  EXPECT_INT(dlf_bitcast(t, u8, &view, NULL), DLF_OK);
  expect_description(view, "uint8[3, 16] strides [24, 1] cpu");
  EXPECT_INT(dlf_bitcast(t, fp4, &view, NULL), DLF_OK);
  expect_description(view, "float4_e2m1fn[3, 32] strides [48, 1] cpu");
  EXPECT_INT(dlf_bitcast(t, (DLDataType){kDLComplex, 64, 1}, &view, NULL), DLF_OK);
  expect_description(view, "complex64[3, 2] strides [3, 1] cpu");
  EXPECT_INT(dlf_bitcast(t, (DLDataType){kDLUInt, 32, 4}, &view, NULL),
             DLF_LAYOUT); /* rows of one and a half */
  EXPECT_INT(dlf_bitcast(t, (DLDataType){kDLUInt, 96, 1}, &view, NULL), DLF_SHAPE);
  dlf_release(t);
}

static void test_view_dtype__bitcast_refuses_what_lies_apart(void) {
  dlf_tensor *t = wrap(u32, 2, LIST(3, 4), LIST(1, 3), 0), *view = t;
  EXPECT_FAILS(dlf_bitcast(t, u8, &view, &error),
               DLF_LAYOUT,
               "bitcast: expected a dense last axis, got stride 3: pass a row-major copy");
  EXPECT(view == NULL);
  dlf_release(t);
  t = wrap(u16, 2, LIST(3, 4), LIST(5, 1), 0);
  EXPECT_FAILS(
      dlf_bitcast(t, u32, &view, &error),
      DLF_LAYOUT,
      "bitcast: expected strides in whole elements of 32 bits, got 80 bits on axis 0 (from 0)");
  EXPECT_FAILS(dlf_bitcast(t, (DLDataType){kDLFloat, 0, 1}, &view, &error),
               DLF_DTYPE,
               "bitcast: expected a dtype of 1 bit or more, got 0");
  EXPECT_FAILS(dlf_bitcast(t, (DLDataType){kDLUInt, 24, 1}, &view, &error),
               DLF_SHAPE,
               "bitcast: expected a last axis of whole elements of 24 bits, got 64 bits");
  dlf_release(t);
  t = wrap(u16, 0, NULL, NULL, 0);
  EXPECT_FAILS(dlf_bitcast(t, u8, &view, &error),
               DLF_SHAPE,
               "bitcast: expected an axis, got a tensor without one");
  EXPECT_INT(dlf_bitcast(NULL, u8, &view, NULL), DLF_INVALID);
  dlf_release(t);
}

static void test_view_dtype__bitcast_of_padded_elements_counts_their_bytes(void) {
  dlf_tensor *t = wrap(fp4, 1, LIST(6), NULL, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED),
             *view = NULL;
  EXPECT_INT(dlf_bitcast(t, u8, &view, NULL), DLF_OK);
  expect_description(view, "uint8[6] cpu");
  dlf_release(t);
}

static void test_view_dtype__bitcast_survives_hostile_sizes(void) {
  dlf_tensor *t = wrap(u8, 2, LIST(1, 0), LIST(INT64_MIN, INT64_MAX), 0), *view = NULL;
  EXPECT_INT(dlf_bitcast(t, u32, &view, NULL), DLF_OK);
  expect_description(view, "uint32[1, 0] cpu");
  dlf_release(t);
  t = wrap(u8, 2, LIST(1, 4), LIST(INT64_MIN, 1), 0);
  EXPECT_INT(dlf_bitcast(t, u32, &view, NULL), DLF_OK);
  expect_description(view, "uint32[1, 1] cpu");
  dlf_release(t);
  t = wrap(u8, 2, LIST(0, INT64_MAX), NULL, 0);
  EXPECT_INT(dlf_bitcast(t, u32, &view, NULL), DLF_OVERFLOW);
  dlf_release(t);
}

static void test_view_dtype__lanes_pack_and_unpack(void) {
  dlf_tensor *t = wrap(f32, 2, LIST(3, 4), LIST(8, 1), 0), *packed = NULL, *view = NULL;
  EXPECT_INT(dlf_pack_lanes(t, &packed, NULL), DLF_OK);
  EXPECT_INT(dlf_unpack_lanes(packed, &view, NULL), DLF_OK);
  expect_description(packed, "float32x4[3] strides [2] cpu");
  expect_description(view, "float32[3, 4] strides [8, 1] cpu");
  dlf_release(t);
}

static void test_view_dtype__lanes_are_1_to_65535(void) {
  static uint8_t bytes[UINT16_MAX + 1];
  const int64_t lanes[] = {1, UINT16_MAX, UINT16_MAX + 1};
  for (int i = 0; i < 3; i++) {
    dlf_tensor *t = NULL, *packed = NULL;
    const DLTensor described = {bytes, cpu, 1, {kDLUInt, 8, 1}, LIST(lanes[i]), NULL, 0};
    EXPECT_INT(dlf_wrap(&described, 0, NULL, NULL, &t, NULL), DLF_OK);
    EXPECT_INT(dlf_pack_lanes(t, &packed, NULL), lanes[i] <= UINT16_MAX ? DLF_OK : DLF_SHAPE);
    if (packed) {
      EXPECT_INT(dlf_dltensor(packed)->dtype.lanes, lanes[i]);
    }
    dlf_release(packed);
    dlf_release(t);
  }
}

static void test_view_dtype__lanes_refuse_what_does_not_fit(void) {
  dlf_tensor *t = wrap(f32, 2, LIST(3, 4), LIST(6, 1), 0), *view = NULL;
  EXPECT_FAILS(dlf_pack_lanes(t, &view, &error),
               DLF_LAYOUT,
               "pack_lanes: expected strides in whole elements of 128 bits, got 192 bits on axis 0 "
               "(from 0)");
  dlf_release(t);
  t = wrap((DLDataType){kDLFloat, 32, 2}, 1, LIST(4), NULL, 0);
  EXPECT_FAILS(
      dlf_pack_lanes(t, &view, &error), DLF_DTYPE, "pack_lanes: expected a dtype of 1 lane, got 2");
  dlf_release(t);
  t = wrap(f32, 0, NULL, NULL, 0);
  EXPECT_FAILS(dlf_pack_lanes(t, &view, &error),
               DLF_SHAPE,
               "pack_lanes: expected an axis, got a tensor without one");
  EXPECT_INT(dlf_pack_lanes(NULL, &view, NULL), DLF_INVALID);
  EXPECT_INT(dlf_unpack_lanes(NULL, &view, NULL), DLF_INVALID);
  dlf_release(t);
  t = wrap(f32, 2, LIST(3, 0), NULL, 0);
  EXPECT_FAILS(dlf_pack_lanes(t, &view, &error),
               DLF_SHAPE,
               "pack_lanes: expected a last axis of 1 to 65535, got 0");
  dlf_release(t);
  t = wrap(fp4, 1, LIST(4), NULL, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  EXPECT_FAILS(dlf_pack_lanes(t, &view, &error),
               DLF_UNSUPPORTED,
               "pack_lanes: expected packed elements, got padded");
  dlf_release(t);
}

static void test_view_dtype__unpacked_counts_are_checked(void) {
  dlf_tensor *t = wrap((DLDataType){kDLUInt, 8, 16}, 1, LIST(INT64_MAX / 16), LIST(0), 0),
             *view = NULL;
  EXPECT_INT(dlf_unpack_lanes(t, &view, NULL), DLF_OK);
  dlf_release(view);
  dlf_release(t);
  t = wrap((DLDataType){kDLUInt, 1, 8}, 1, LIST(INT64_MAX / 4), LIST(0), 0);
  EXPECT_INT(dlf_unpack_lanes(t, &view, NULL), DLF_OVERFLOW);
  dlf_release(t);
  if (UINTPTR_MAX <= UINT32_MAX) {
    return; /* no tensor reaches so far there */
  }
  /* Found by fuzzing: 7 bits 6 elements apart are 1 bit 42 apart, which reaches too far. */
  t = wrap((DLDataType){kDLUInt, 1, 7}, 1, LIST(INT64_C(288863699144278272)), LIST(6), 0);
  EXPECT_INT(dlf_unpack_lanes(t, &view, NULL), DLF_OVERFLOW);
  EXPECT(!view);
  dlf_release(t);
}

/* Found by fuzzing: elements that overlap are more than bytes, and half as wide ones are twice as
 * many. */
static void test_view_dtype__bitcast_counts_what_it_makes(void) {
  static double memory;
  dlf_tensor *t = NULL, *view = NULL;
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){
              &memory, cpu, 3, f32, LIST(INT64_C(1) << 31, INT64_C(1) << 31, 1), LIST(0, 0, 1), 0},
          0,
          NULL,
          NULL,
          &t,
          NULL),
      DLF_OK);
  EXPECT_FAILS(dlf_bitcast(t, (DLDataType){kDLUInt, 8, 1}, &view, &error),
               DLF_OVERFLOW,
               "bitcast: expected an element count below 2^63, got a larger one by axis 2 (from 0) "
               "of extent 4");
  EXPECT(view == NULL);
  EXPECT_INT(dlf_bitcast(t, (DLDataType){kDLUInt, 32, 1}, &view, NULL), DLF_OK);
  dlf_release(view);
  dlf_release(t);
}

static void test_view_dtype__lanes_count_as_axes_and_in_strides(void) {
  int64_t ones[DLF_MAX_NDIM];
  dlf_tensor *t, *view = NULL;
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  t = wrap((DLDataType){kDLFloat, 32, 2}, DLF_MAX_NDIM - 1, ones, NULL, 0);
  EXPECT_INT(dlf_unpack_lanes(t, &view, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(view)->ndim, DLF_MAX_NDIM);
  EXPECT_INT(dlf_dltensor(view)->shape[DLF_MAX_NDIM - 1], 2);
  dlf_release(view);
  dlf_release(t);
  t = wrap((DLDataType){kDLFloat, 32, 2}, DLF_MAX_NDIM, ones, NULL, 0);
  EXPECT_FAILS(dlf_unpack_lanes(t, &view, &error),
               DLF_INVALID,
               "unpack_lanes: expected fewer than 64 axes, got 64");
  dlf_release(t);
  if (UINTPTR_MAX <= UINT32_MAX) {
    return; /* no tensor reaches so far there */
  }
  const int64_t far =
      INT64_C(1) << 61; /* of 7 bits, which fit; lanes of 1 bit are 7 times as far apart */
  EXPECT_INT(dlf_wrap(&(DLTensor){(void *)(uintptr_t)(UINTPTR_MAX / 4 + 1),
                                  cpu,
                                  1,
                                  {kDLUInt, 1, 7},
                                  LIST(2),
                                  LIST(far),
                                  0},
                      0,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT_FAILS(dlf_unpack_lanes(t, &view, &error),
               DLF_OVERFLOW,
               "unpack_lanes: expected a stride below 2^63 bits, got 2305843009213693952 elements");
  EXPECT(!view);
  dlf_release(t);
}

int main(void) {
  RUN(test_view_dtype__bitcast_of_equal_width_keeps_the_shape);
  RUN(test_view_dtype__bitcast_resizes_the_last_axis);
  RUN(test_view_dtype__bitcast_refuses_what_lies_apart);
  RUN(test_view_dtype__bitcast_of_padded_elements_counts_their_bytes);
  RUN(test_view_dtype__bitcast_survives_hostile_sizes);
  RUN(test_view_dtype__lanes_pack_and_unpack);
  RUN(test_view_dtype__lanes_are_1_to_65535);
  RUN(test_view_dtype__lanes_refuse_what_does_not_fit);
  RUN(test_view_dtype__unpacked_counts_are_checked);
  RUN(test_view_dtype__bitcast_counts_what_it_makes);
  RUN(test_view_dtype__lanes_count_as_axes_and_in_strides);
  return test_end();
}
