/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static float block[8];
static const DLDataType i4 = {kDLInt, 4, 1};

/* Elements of the block from `start` on. */
static dlf_window window_of(int64_t start, int64_t ndim, const int64_t *shape,
                            const int64_t *strides) {
  return (dlf_window){.size = sizeof(dlf_window),
                      .memory = block,
                      .bytes = sizeof block,
                      .dtype = f32,
                      .start = start,
                      .ndim = ndim,
                      .shape = shape,
                      .stride_count = ndim,
                      .strides = strides};
}

static dlf_window whole(int64_t ndim, const int64_t *shape) {
  dlf_window w = window_of(0, ndim, shape, NULL);
  w.whole = true;
  return w;
}

static dlf_status check(dlf_window w, dlf_error *error) {
  DLTensor out = tensor_of(f32, 0, NULL, NULL);
  const dlf_status status = dlf_check_window("wrap", &w, &out, error);
  EXPECT(!status == (out.dtype.bits != 0)); /* empty after a failure */
  return status;
}

static void test_window__describes_what_lies_inside(void) {
  DLTensor t;
  const int64_t shape[2] = {2, 3}, strides[2] = {-4, 1};
  const dlf_window w = window_of(4, 2, shape, strides);
  EXPECT_INT(dlf_check_window("wrap", &w, &t, NULL), DLF_OK);
  EXPECT(t.data == block + 4 && t.shape == shape && t.strides == strides);
  EXPECT_INT(t.ndim, 2);
  EXPECT_INT(t.byte_offset, 0);
  EXPECT(t.device.device_type == kDLCPU && t.device.device_id == 0);
  EXPECT(t.dtype.code == kDLFloat && t.dtype.bits == 32 && t.dtype.lanes == 1);
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  EXPECT_INT(check(window_of(7, 0, NULL, NULL), NULL), DLF_OK);
  EXPECT_INT(check(whole(2, LIST(4, 2)), NULL), DLF_OK);
}

static void test_window__whole_asks_for_as_many_elements(void) {
  EXPECT_FAILS(check(whole(2, LIST(3, 3)), &error),
               DLF_SHAPE,
               "wrap: expected 9 elements for shape [3, 3], got 8");
  EXPECT_FAILS(check(whole(1, LIST(7)), &error),
               DLF_SHAPE,
               "wrap: expected 7 elements for shape [7], got 8");
  EXPECT_FAILS(check(whole(1, LIST(0)), &error),
               DLF_SHAPE,
               "wrap: expected 0 elements for shape [0], got 8");
  EXPECT_INT(check(window_of(0, 1, LIST(7), NULL), NULL), DLF_OK);
  dlf_window w = whole(1, LIST(1));
  for (w.bytes = 4; w.bytes < 8; w.bytes++) {
    EXPECT_INT(check(w, NULL), DLF_OK); /* bytes that no element needs */
  }
  EXPECT_FAILS(check(w, &error), DLF_SHAPE, "wrap: expected 1 elements for shape [1], got 2");
  w.bytes = 3;
  EXPECT_FAILS(check(w, &error), DLF_SHAPE, "wrap: expected 1 elements for shape [1], got 0");
}

static void test_window__whole_counts_half_bytes(void) {
  dlf_window w = whole(1, LIST(5));
  w.dtype = i4;
  w.bytes = 3;
  EXPECT_INT(check(w, NULL), DLF_OK);
  w.shape = LIST(6);
  EXPECT_INT(check(w, NULL), DLF_OK);
  w.shape = LIST(4);
  EXPECT_FAILS(check(w, &error), DLF_SHAPE, "wrap: expected 4 elements for shape [4], got 6");
  w.shape = LIST(7);
  EXPECT_FAILS(check(w, &error), DLF_SHAPE, "wrap: expected 7 elements for shape [7], got 6");
  w.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  w.shape = LIST(3);
  EXPECT_INT(check(w, NULL), DLF_OK);
  w.flags = 8;
  EXPECT_FAILS(
      check(w, &error), DLF_UNSUPPORTED, "wrap: expected flags that DLPack 1.3 names, got 0x8");
}

static void test_window__keeps_inside(void) {
  EXPECT_INT(check(window_of(2, 2, LIST(2, 2), LIST(4, 1)), NULL), DLF_OK);
  EXPECT_FAILS(check(window_of(3, 2, LIST(2, 2), LIST(4, 1)), &error),
               DLF_BOUNDS,
               "wrap: expected 24 bytes inside a block of 32, got them from byte 12");
  EXPECT_FAILS(check(window_of(3, 2, LIST(2, 2), LIST(-4, 1)), &error),
               DLF_BOUNDS,
               "wrap: expected 24 bytes inside a block of 32, got them from byte -4: data is the "
               "element of index 0, "
               "and negative strides go back from it");
  EXPECT_FAILS(check(window_of(8, 0, NULL, NULL), &error),
               DLF_BOUNDS,
               "wrap: expected 4 bytes inside a block of 32, got them from byte 32");
  EXPECT_FAILS(check(window_of(0, 1, LIST(9), NULL), &error),
               DLF_BOUNDS,
               "wrap: expected 36 bytes inside a block of 32, got them from byte 0");
}

static void test_window__begins_inside(void) {
  const int64_t far[] = {-1, 9, INT64_MAX, INT64_MIN, INT64_C(1) << 62, -(INT64_C(1) << 62)};
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    EXPECT_INT(check(window_of(far[i], 1, LIST(1), NULL), NULL), DLF_BOUNDS);
    EXPECT_INT(check(window_of(far[i], 1, LIST(0), NULL), NULL), DLF_BOUNDS);
  }
  EXPECT_FAILS(check(window_of(9, 1, LIST(0), NULL), &error),
               DLF_BOUNDS,
               "wrap: expected a first element inside a block of 32 bytes, got element 9");
  EXPECT_INT(check(window_of(8, 1, LIST(0), NULL), NULL), DLF_OK);
  dlf_window w = window_of(1, 1, LIST(2), NULL);
  w.dtype = i4;
  EXPECT_FAILS(check(w, &error),
               DLF_LAYOUT,
               "wrap: expected a first element that begins a byte, got element 1");
  w.start = 62;
  EXPECT_INT(check(w, NULL), DLF_OK);
  w.start = 64;
  EXPECT_INT(check(w, NULL), DLF_BOUNDS);
  w.start = INT64_MAX - 1;
  EXPECT_INT(check(w, NULL), DLF_BOUNDS);
}

static void test_window__gives_no_address_without_elements(void) {
  DLTensor t;
  dlf_window w = window_of(8, 2, LIST(3, 0), LIST(1, 5));
  EXPECT_INT(dlf_check_window("wrap", &w, &t, NULL), DLF_OK);
  EXPECT(!t.data);
  w = whole(1, LIST(0));
  w.memory = NULL;
  w.bytes = 0;
  EXPECT_INT(dlf_check_window("wrap", &w, &t, NULL), DLF_OK);
  w.shape = LIST(2);
  EXPECT_FAILS(check(w, &error), DLF_SHAPE, "wrap: expected 2 elements for shape [2], got 0");
}

static void test_window__refuses_counts_that_no_tensor_has(void) {
  const dlf_window w = window_of(0, 1, LIST(1), LIST(1));
  EXPECT_FAILS(check(window_of(0, 65, LIST(1), NULL), &error),
               DLF_INVALID,
               "wrap: expected ndim between 0 and 64, got 65");
  EXPECT_INT(check(window_of(0, -1, LIST(1), NULL), NULL), DLF_INVALID);
  EXPECT_INT(check(window_of(0, INT64_C(1) << 32, LIST(1), NULL), NULL),
             DLF_INVALID); /* 0 as an int32_t */
  dlf_window changed = w;
  changed.stride_count = 2;
  EXPECT_FAILS(check(changed, &error), DLF_INVALID, "wrap: expected 1 strides, got 2");
  changed = w;
  changed.bytes = -1;
  EXPECT_FAILS(check(changed, &error), DLF_INVALID, "wrap: expected a size of 0 or more, got -1");
  changed = w;
  changed.memory = NULL;
  EXPECT_FAILS(check(changed, &error), DLF_INVALID, "wrap: expected memory of 32 bytes, got NULL");
  changed = w;
  changed.shape = NULL;
  EXPECT_INT(check(changed, NULL), DLF_INVALID);
  changed = w;
  changed.shape = LIST(-2);
  EXPECT_FAILS(check(changed, &error),
               DLF_INVALID,
               "wrap: expected extents of 0 or more, got -2 on axis 0 (from 0)");
  changed = w;
  changed.dtype.bits = 0;
  EXPECT_INT(check(changed, NULL), DLF_DTYPE);
  changed = w;
  changed.memory = (void *)(uintptr_t)(UINTPTR_MAX - 15); /* 32 bytes would go round to address 0 */
  EXPECT_INT(check(changed, NULL), DLF_OVERFLOW);
  changed.bytes = 15;
  EXPECT_INT(check(changed, NULL), DLF_OK);
  changed.bytes = INT64_C(1) << 32;
  changed.memory = block;
  EXPECT_INT(check(changed, NULL), UINTPTR_MAX > UINT32_MAX ? DLF_OK : DLF_OVERFLOW);
  EXPECT_INT(check(window_of(4, 2, LIST(2, 2), LIST(INT64_MAX, 1)), NULL), DLF_OVERFLOW);
  EXPECT_INT(check(whole(2, LIST(INT64_MAX, 2)), NULL), DLF_OVERFLOW);
  EXPECT_INT(check(whole(1, LIST(INT64_MAX / 4)), NULL), DLF_SHAPE);
}

static void test_window__refuses_null(void) {
  DLTensor t;
  const dlf_window w = window_of(0, 65, NULL, NULL);
  EXPECT_FAILS(dlf_check_window(NULL, &w, &t, &error),
               DLF_INVALID,
               "check_window: expected ndim between 0 and 64, got 65");
  EXPECT_FAILS(
      dlf_check_window("wrap", NULL, &t, &error), DLF_INVALID, "wrap: expected a window, got NULL");
  EXPECT_FAILS(dlf_check_window("wrap", &w, NULL, &error),
               DLF_INVALID,
               "wrap: expected a place for the tensor, got NULL");
}

/* 4, 6 and 12 bits from the start: the first byte of an element that begins one. */
static void test_window__packed_elements_begin_where_bits_say(void) {
  static unsigned char bytes[64];
  const struct {
    uint8_t bits;
    uint16_t lanes;
    int64_t start, byte;
  } rows[] = {{4, 1, 10, 5},
              {4, 1, 2, 1},
              {6, 1, 12, 9},
              {6, 1, 4, 3},
              {12, 1, 14, 21},
              {4, 3, 6, 9},
              {1, 1, 24, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    dlf_window w = window_of(rows[i].start, 1, LIST(2), NULL);
    DLTensor t;
    w.memory = bytes;
    w.bytes = sizeof bytes;
    w.dtype = (DLDataType){kDLUInt, rows[i].bits, rows[i].lanes};
    EXPECT_INT(dlf_check_window("wrap", &w, &t, NULL), DLF_OK);
    EXPECT(t.data == bytes + rows[i].byte);
    w.start++;
    EXPECT_INT(check(w, NULL), rows[i].bits * rows[i].lanes % 8 ? DLF_LAYOUT : DLF_OK);
    w.start = -rows[i].start;
    EXPECT_INT(check(w, NULL), DLF_BOUNDS);
  }
}

static void test_window__has_a_size(void) {
  struct {
    dlf_window known;
    int64_t more;
  } larger = {window_of(0, 1, LIST(8), NULL), -1};
  DLTensor t;
  larger.known.size = sizeof larger;
  EXPECT_INT(dlf_check_window(NULL, &larger.known, &t, NULL), DLF_OK);
  larger.known.size = 0;
  EXPECT_INT(dlf_check_window(NULL, &larger.known, &t, NULL), DLF_INVALID);
  const dlf_window none = DLF_WINDOW_INIT;
  EXPECT_INT(dlf_check_window(NULL, &none, &t, NULL), DLF_DTYPE);
}

int main(void) {
  RUN(test_window__has_a_size);
  RUN(test_window__describes_what_lies_inside);
  RUN(test_window__whole_asks_for_as_many_elements);
  RUN(test_window__whole_counts_half_bytes);
  RUN(test_window__keeps_inside);
  RUN(test_window__begins_inside);
  RUN(test_window__gives_no_address_without_elements);
  RUN(test_window__refuses_counts_that_no_tensor_has);
  RUN(test_window__refuses_null);
  RUN(test_window__packed_elements_begin_where_bits_say);
  return test_end();
}
