/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#define READ_ONLY DLPACK_FLAG_BITMASK_READ_ONLY
#define PADDED DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED

static const DLDataType any = {0, 0, 1}, i4 = {kDLInt, 4, 1}, u8 = {kDLUInt, 8, 1},
                        i32 = {kDLInt, 32, 1}, u64 = {kDLUInt, 64, 1}, c64 = {kDLComplex, 64, 1};

static dlf_status look(DLTensor t, uint64_t flags, DLDataType dtype, uint32_t how,
                       dlf_error *error) {
  dlf_elements out;
  const dlf_status status = dlf_look((dlf_arg){&t, flags}, dtype, how, &out, error);
  if (status) {
    EXPECT(!out.data && out.count == 0 && out.width == 0);
  }
  return status;
}

static void test_look__tells_where_the_elements_are(void) {
  dlf_elements out;
  DLTensor t = tensor_of(f32, 2, LIST(2, 3), LIST(-6, 2));
  t.byte_offset = 40;
  EXPECT_INT(dlf_look((dlf_arg){&t, 0}, f32, 0, &out, NULL), DLF_OK);
  EXPECT(out.data == (char *)t.data + 40);
  EXPECT_INT(out.count, 6);
  EXPECT_INT(out.width, 4);
  t = tensor_of(c64, 0, NULL, NULL);
  EXPECT_INT(dlf_look((dlf_arg){&t, READ_ONLY}, any, 0, &out, NULL), DLF_OK);
  EXPECT_INT(out.count, 1);
  EXPECT_INT(out.width, 8);
  t = tensor_of((DLDataType){kDLFloat, 32, 4}, 1, LIST(5), NULL);
  EXPECT_INT(dlf_look((dlf_arg){&t, 0}, any, DLF_LOOK_WRITE, &out, NULL), DLF_OK);
  EXPECT_INT(out.width, 16);
}

static void test_look__has_one_answer_for_runs_and_others(void) {
  const DLTensor all[] = {
      tensor_of(f32, 2, LIST(2, 3), LIST(3, 1)),
      tensor_of(f32, 2, LIST(2, 3), NULL),
      tensor_of(f32, 2, LIST(2, 3), LIST(1, 2)),
      tensor_of(f32, 2, LIST(2, 3), LIST(4, 1)),
      tensor_of(f32, 2, LIST(2, 3), LIST(-3, 1)),
      tensor_of(f32, 2, LIST(2, 3), LIST(0, 1)),
      tensor_of(f32, 3, LIST(2, 1, 3), LIST(3, 77, 1)),
      tensor_of(f32, 2, LIST(0, 3), LIST(9, 9)),
      tensor_of(f32, 0, NULL, NULL),
      tensor_of(f32, 1, LIST(1), LIST(5)),
      tensor_of(c64, 1, LIST(3), LIST(1)),
      tensor_of(u8, 1, LIST(3), LIST(2)),
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    dlf_elements quick, full; /* no bits, or one that the quick way does not take */
    EXPECT_INT(dlf_look((dlf_arg){&all[i], 0}, all[i].dtype, 0, &quick, NULL), DLF_OK);
    EXPECT_INT(dlf_look((dlf_arg){&all[i], 0}, all[i].dtype, DLF_LOOK_UNALIGNED, &full, NULL),
               DLF_OK);
    EXPECT(quick.data == full.data && quick.count == full.count && quick.width == full.width);
  }
}

static void test_look__has_no_address_without_elements(void) {
  dlf_elements out;
  DLTensor t = tensor_of(f32, 3, LIST(INT64_MAX, 3, 0), LIST(7, INT64_MAX, 7));
  t.data = (void *)(uintptr_t)3;
  EXPECT_INT(dlf_look((dlf_arg){&t, 0}, f32, DLF_LOOK_ROW_MAJOR, &out, NULL), DLF_OK);
  EXPECT(!out.data && out.count == 0);
  EXPECT_INT(out.width, 4);
}

static void test_look__refuses_another_dtype(void) {
  DLTensor t = tensor_of(i32, 1, LIST(3), NULL);
  EXPECT_FAILS(look(t, 0, f32, 0, &error),
               DLF_DTYPE,
               "elements: expected float32, got int32: cast converts");
  EXPECT_FAILS(look(t, 0, u8, DLF_LOOK_BITS, &error),
               DLF_DTYPE,
               "elements: expected elements of 8 bits, got int32");
  EXPECT_INT(look(t, 0, f32, DLF_LOOK_BITS, NULL), DLF_OK);
  t.dtype.lanes = 2;
  EXPECT_FAILS(look(t, 0, i32, 0, &error), DLF_DTYPE, "elements: expected int32, got int32x2");
  EXPECT_INT(look(t, 0, u64, DLF_LOOK_BITS, NULL), DLF_OK);
}

static void test_look__refuses_elements_that_share_bytes(void) {
  const DLTensor t = tensor_of(i4, 1, LIST(4), NULL);
  DLTensor pairs = t;
  pairs.dtype.lanes = 2;
  EXPECT_FAILS(look(t, 0, any, 0, &error),
               DLF_UNSUPPORTED,
               "elements: expected elements of whole bytes, got int4");
  EXPECT_FAILS(look(t, 0, i4, 0, &error),
               DLF_UNSUPPORTED,
               "elements: expected elements of whole bytes, got int4");
  EXPECT_FAILS(look(t, PADDED, any, 0, &error),
               DLF_UNSUPPORTED,
               "elements: expected elements of whole bytes, got padded int4");
  EXPECT_FAILS(look(t, 0, i4, DLF_LOOK_BITS, &error),
               DLF_UNSUPPORTED,
               "elements: expected elements of whole bytes, got int4");
  EXPECT_FAILS(look(t, 0, u8, DLF_LOOK_BITS, &error),
               DLF_DTYPE,
               "elements: expected elements of 8 bits, got int4");
  EXPECT_INT(look(t, PADDED, u8, DLF_LOOK_BITS, NULL), DLF_OK);
  EXPECT_INT(look(t, PADDED, i4, 0, NULL), DLF_OK); /* a byte each, and the caller knows it */
  EXPECT_FAILS(
      look(t, PADDED, u8, 0, &error), DLF_DTYPE, "elements: expected uint8, got padded int4");
  EXPECT_INT(look(pairs, PADDED, pairs.dtype, 0, NULL), DLF_UNSUPPORTED);
  EXPECT_INT(look(pairs, 0, any, 0, NULL), DLF_OK);
  EXPECT_INT(look(pairs, PADDED, any, 0, NULL), DLF_UNSUPPORTED);
  EXPECT_FAILS(look(pairs, 0, f32, 0, &error), DLF_DTYPE, "elements: expected float32, got int4x2");
}

static void test_look__refuses_flags_that_it_does_not_know(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(3), NULL);
  EXPECT_FAILS(look(t, READ_ONLY | 8 | UINT64_C(1) << 40, i32, DLF_LOOK_WRITE, &error),
               DLF_UNSUPPORTED,
               "elements: expected flags that DLPack 1.3 names, got 0x10000000008");
  EXPECT_INT(
      look(t, DLF_FLAGS_UNKNOWN | READ_ONLY | PADDED | DLPACK_FLAG_BITMASK_IS_COPIED, f32, 0, NULL),
      DLF_OK);
}

static void test_look__refuses_a_device_that_is_out_of_reach(void) {
  DLTensor t = tensor_of(f32, 1, LIST(3), NULL);
  t.device = (DLDevice){kDLCUDA, 1};
  EXPECT_FAILS(
      look(t, READ_ONLY, f32, DLF_LOOK_WRITE, &error),
      DLF_DEVICE,
      "elements: expected data that the processor can reach, got cuda:1: move it to the CPU first");
  t.device.device_type = kDLCUDAManaged;
  EXPECT_INT(look(t, 0, f32, 0, NULL), DLF_OK);
}

static void test_look__refuses_to_write_what_may_be_read_only(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(3), NULL);
  EXPECT_FAILS(look(t, READ_ONLY, f32, DLF_LOOK_WRITE, &error),
               DLF_READ_ONLY,
               "elements: expected writable data, got read-only");
  EXPECT_FAILS(look(t, DLF_FLAGS_UNKNOWN, f32, DLF_LOOK_WRITE, &error),
               DLF_READ_ONLY,
               "elements: expected writable data, got flags unknown");
  EXPECT_INT(look(t, 0, f32, DLF_LOOK_WRITE, NULL), DLF_OK);
}

static void test_look__refuses_other_orders(void) {
  const uint32_t row = DLF_LOOK_ROW_MAJOR, column = DLF_LOOK_COLUMN_MAJOR, dense = DLF_LOOK_DENSE;
  const DLTensor rows = tensor_of(f32, 2, LIST(2, 3), NULL),
                 columns = tensor_of(f32, 2, LIST(2, 3), LIST(1, 2)),
                 gaps = tensor_of(f32, 2, LIST(2, 3), LIST(6, 2)),
                 other = tensor_of(f32, 3, LIST(2, 3, 4), LIST(3, 1, 6));
  EXPECT_INT(look(rows, 0, f32, row, NULL), DLF_OK);
  EXPECT_INT(look(columns, 0, f32, column, NULL), DLF_OK);
  EXPECT_INT(look(columns, 0, f32, row | column, NULL), DLF_OK);
  EXPECT_INT(look(other, 0, f32, dense, NULL), DLF_OK);
  EXPECT_INT(look(gaps, 0, f32, 0, NULL), DLF_OK);
  EXPECT_FAILS(look(columns, 0, f32, row, &error),
               DLF_LAYOUT,
               "elements: expected row-major elements, got shape [2, 3] with strides [1, 2]: pass "
               "a row-major copy");
  EXPECT_FAILS(look(rows, 0, f32, column, &error),
               DLF_LAYOUT,
               "elements: expected column-major elements, got shape [2, 3] with strides [3, 1]: "
               "pass a column-major copy");
  EXPECT_FAILS(look(other, 0, f32, row | column, &error),
               DLF_LAYOUT,
               "elements: expected row- or column-major elements, got shape [2, 3, 4] with strides "
               "[3, 1, 6]: pass a "
               "row-major copy");
  EXPECT_FAILS(look(gaps, 0, f32, dense | row, &error),
               DLF_LAYOUT,
               "elements: expected elements without gaps, got shape [2, 3] with strides [6, 2]: "
               "pass a row-major copy");
}

static void test_look__refuses_what_strides_of_0_make_too_large(void) {
  EXPECT_INT(look(tensor_of(f32, 1, LIST(INT64_MAX / 4), LIST(0)), 0, f32, 0, NULL), DLF_OK);
  EXPECT_FAILS(look(tensor_of(f32, 1, LIST(INT64_MAX / 4 + 1), LIST(0)), 0, f32, 0, &error),
               DLF_OVERFLOW,
               "elements: expected a size below 2^63 bytes, got a larger one");
}

static void test_look__refuses_addresses_between_elements(void) {
  DLTensor t = tensor_of(f32, 1, LIST(3), NULL);
  t.byte_offset = 2;
  EXPECT_FAILS(look(t, 0, f32, 0, &error),
               DLF_LAYOUT,
               "elements: expected data aligned to 4 bytes, got an address 2 past one");
  EXPECT_INT(look(t, 0, f32, DLF_LOOK_UNALIGNED, NULL), DLF_OK);
  t.dtype = c64;
  t.byte_offset = 4;
  EXPECT_INT(look(t, 0, c64, 0, NULL), DLF_OK); /* as its parts */
  EXPECT_FAILS(look(t, 0, u64, DLF_LOOK_BITS, &error),
               DLF_LAYOUT,
               "elements: expected data aligned to 8 bytes, got an address 4 past one");
}

static void test_look__refuses_what_no_check_accepts(void) {
  dlf_elements out;
  DLTensor t = tensor_of(f32, 1, LIST(3), NULL);
  EXPECT_FAILS(dlf_look((dlf_arg){NULL, 0}, f32, 0, &out, &error),
               DLF_INVALID,
               "elements: expected a tensor, got NULL");
  EXPECT_FAILS(dlf_look((dlf_arg){&t, 0}, f32, 0, NULL, &error),
               DLF_INVALID,
               "elements: expected a place for the elements, got NULL");
  EXPECT_FAILS(dlf_look((dlf_arg){&t, 0}, f32, 64, &out, &error),
               DLF_INVALID,
               "elements: expected bits of dlf_look_how, got 0x40");
  t.data = NULL;
  EXPECT_FAILS(
      look(t, 0, f32, 0, &error), DLF_INVALID, "elements: expected data for 12 bytes, got NULL");
}

static void test_look__padded_elements_are_as_wide_as_their_bytes(void) {
  for (uint8_t bits = 1; bits <= 20; bits++) {
    const DLDataType odd = {kDLUInt, bits, 1}, whole = {kDLUInt, (uint8_t)((bits + 7) / 8 * 8), 1};
    const DLTensor t = tensor_of(odd, 1, LIST(3), NULL);
    dlf_elements out;
    EXPECT_INT(dlf_look((dlf_arg){&t, PADDED}, odd, 0, &out, NULL), DLF_OK);
    EXPECT_INT(out.width, (bits + 7) / 8);
    EXPECT_INT(dlf_look((dlf_arg){&t, PADDED}, whole, DLF_LOOK_BITS, &out, NULL), DLF_OK);
    EXPECT_INT(out.width, (bits + 7) / 8);
    EXPECT_INT(
        look(t, PADDED, (DLDataType){kDLUInt, (uint8_t)(whole.bits + 8), 1}, DLF_LOOK_BITS, NULL),
        DLF_DTYPE);
    EXPECT_INT(look(t, 0, odd, 0, NULL), bits % 8 ? DLF_UNSUPPORTED : DLF_OK);
  }
}

static void test_look__a_run_on_another_device_is_refused(void) {
  DLTensor t = tensor_of(f32, 1, LIST(3), LIST(1));
  t.device = (DLDevice){kDLCUDA, 0};
  EXPECT_INT(look(t, 0, f32, 0, NULL), DLF_DEVICE);
  t.device = (DLDevice){kDLCPU, -1};
  EXPECT_INT(look(t, 0, f32, 0, NULL), DLF_DEVICE);
}

int main(void) {
  RUN(test_look__tells_where_the_elements_are);
  RUN(test_look__has_one_answer_for_runs_and_others);
  RUN(test_look__has_no_address_without_elements);
  RUN(test_look__refuses_another_dtype);
  RUN(test_look__refuses_elements_that_share_bytes);
  RUN(test_look__refuses_flags_that_it_does_not_know);
  RUN(test_look__refuses_a_device_that_is_out_of_reach);
  RUN(test_look__refuses_to_write_what_may_be_read_only);
  RUN(test_look__refuses_other_orders);
  RUN(test_look__refuses_what_strides_of_0_make_too_large);
  RUN(test_look__refuses_addresses_between_elements);
  RUN(test_look__refuses_what_no_check_accepts);
  RUN(test_look__padded_elements_are_as_wide_as_their_bytes);
  RUN(test_look__a_run_on_another_device_is_refused);
  return test_end();
}
