/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of less than a byte: where they lie, how large they are, packed and padded. */
#include "test.h"

#define PADDED DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED

static dlf_arg arg(const DLTensor *tensor, uint64_t flags) {
  return (dlf_arg){tensor, flags};
}

/* "(D >> (i * bits)) & bit_mask stores the i-th element": set bit by bit, as that sentence reads.
 */
static void put_packed(unsigned char *to, int64_t i, int bits, unsigned value) {
  for (int bit = 0; bit < bits; bit++) {
    const int64_t at = i * bits + bit;
    if (value >> bit & 1) {
      to[at / 8] |= (unsigned char)(1U << at % 8);
    }
  }
}

static void test_subbyte__packed_element_i_lies_at_bit_i_times_bits(void) {
  enum { N = 21 };
  for (int bits = 1; bits < 8; bits++) {
    unsigned char packed[N] = {0}, wide[N];
    bool same = false;
    int64_t size = 0;
    for (int i = 0; i < N; i++) {
      wide[i] = (unsigned char)((i * 37 + 5) & ((1 << bits) - 1));
      put_packed(packed, i, bits, wide[i]);
    }
    const DLTensor t = {packed, cpu, 1, {kDLUInt, (uint8_t)bits, 1}, LIST(N), LIST(1), 0};
    const DLTensor plain = {wide, cpu, 1, {kDLUInt, 8, 1}, LIST(N), LIST(1), 0};
    EXPECT_INT(dlf_equal(arg(&t, 0), arg(&plain, 0), &same, NULL), DLF_OK);
    EXPECT(same);
    EXPECT_INT(dlf_byte_size(&t, 0, &size, NULL), DLF_OK);
    EXPECT_INT(size, (N * bits + 7) / 8);
    packed[N * bits / 8] ^=
        (unsigned char)(0xFF << (N * bits % 8)); /* bits that belong to no element */
    EXPECT_INT(dlf_equal(arg(&t, 0), arg(&plain, 0), &same, NULL), DLF_OK);
    EXPECT(same);
    packed[0] ^= 1;
    EXPECT_INT(dlf_equal(arg(&t, 0), arg(&plain, 0), &same, NULL), DLF_OK);
    EXPECT(!same);
  }
}

static void test_subbyte__packed_values_are_read_from_the_lowest_bit(void) {
  char text[160];
  unsigned char two[] = {0x21, 0x43};   /* nibbles 1, 2, 3, 4 */
  unsigned char three[] = {0xD1, 0x58}; /* 101 100 011 010 001 */
  unsigned char fp4[] = {0x52, 0xF7};   /* 1, 3, 6, -6 */
  unsigned char fp6[3] = {0};
  DLTensor t = {two, cpu, 1, {kDLInt, 4, 1}, LIST(4), LIST(1), 0};
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "int4[4] cpu\n[1, 2, 3, 4]");
  t = (DLTensor){three, cpu, 1, {kDLUInt, 3, 1}, LIST(5), LIST(1), 0};
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "uint3[5] cpu\n[1, 2, 3, 4, 5]");
  t = (DLTensor){fp4, cpu, 1, {kDLFloat4_e2m1fn, 4, 1}, LIST(4), LIST(1), 0};
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "float4_e2m1fn[4] cpu\n[ 1.,  3.,  6., -6.]");
  put_packed(fp6, 0, 6, 0x08); /* 1 */
  put_packed(fp6, 1, 6, 0x21); /* -0.125, the smallest below zero */
  put_packed(fp6, 2, 6, 0x1F); /* 7.5, the largest */
  put_packed(fp6, 3, 6, 0x3F);
  t = (DLTensor){fp6, cpu, 1, {kDLFloat6_e2m3fn, 6, 1}, LIST(4), LIST(1), 0};
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "float6_e2m3fn[4] cpu\n[ 1.   , -0.125,  7.5  , -7.5  ]");
}

static void test_subbyte__packed_lanes_follow_each_other_within_their_element(void) {
  char text[160];
  unsigned char packed[5] = {0};
  int64_t size = 0;
  for (int i = 0; i < 9; i++) {
    put_packed(packed, i, 4, (unsigned)i + 1);
  }
  const DLTensor t = {packed, cpu, 1, {kDLUInt, 4, 3}, LIST(3), LIST(1), 0};
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "uint4x3[3] cpu\n[(1, 2, 3), (4, 5, 6), (7, 8, 9)]");
  EXPECT_INT(dlf_byte_size(&t, 0, &size, NULL), DLF_OK);
  EXPECT_INT(size, 5); /* ceil(3 * 4 * 3 / 8) */
}

/* The specification's own function. */
static int64_t data_size_of_the_header(const DLTensor *t) {
  int64_t size = 1;
  for (int32_t i = 0; i < t->ndim; i++) {
    size *= t->shape[i];
  }
  return size * ((t->dtype.bits * t->dtype.lanes + 7) / 8);
}

static void test_subbyte__the_headers_data_size_is_the_padded_one(void) {
  static const DLDataType dtypes[] = {{kDLUInt, 1, 1},
                                      {kDLInt, 4, 1},
                                      {kDLFloat4_e2m1fn, 4, 1},
                                      {kDLUInt, 4, 3},
                                      {kDLUInt, 6, 1},
                                      {kDLFloat6_e2m3fn, 6, 1},
                                      {kDLUInt, 12, 1},
                                      {kDLUInt, 7, 2},
                                      {kDLFloat, 32, 4}};
  for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
    for (int64_t n = 0; n < 20; n++) {
      const int64_t bits = (int64_t)dtypes[d].bits * dtypes[d].lanes;
      const DLTensor t = tensor_of(dtypes[d], 2, LIST(n, 3), LIST(3, 1));
      int64_t padded = 0, packed = 0;
      EXPECT_INT(dlf_byte_size(&t, PADDED, &padded, NULL), DLF_OK);
      EXPECT_INT(padded, data_size_of_the_header(&t));
      EXPECT_INT(dlf_byte_size(&t, 0, &packed, NULL), DLF_OK);
      EXPECT_INT(packed, (n * 3 * bits + 7) / 8);
    }
  }
}

static void test_subbyte__padded_elements_take_whole_bytes(void) {
  char text[80];
  unsigned char padded[] = {1, 2, 0xF3}; /* bits above the element do not count */
  const DLTensor t = {padded, cpu, 1, {kDLUInt, 4, 1}, LIST(3), LIST(1), 0};
  dlf_format(&t, PADDED, text, sizeof text);
  EXPECT_TEXT(text, "uint4[3] cpu padded\n[1, 2, 3]");
}

static void test_subbyte__fp6_and_fp4_of_another_width_stop_the_import(void) {
  for (int code = kDLFloat6_e2m3fn; code <= kDLFloat4_e2m1fn; code++) {
    for (int bits = 1; bits < 256; bits++) {
      const DLTensor t =
          tensor_of((DLDataType){(uint8_t)code, (uint8_t)bits, 1}, 1, LIST(4), LIST(1));
      const bool right = bits == (code == kDLFloat4_e2m1fn ? 4 : 6);
      EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRUCTURE, NULL), right ? DLF_OK : DLF_DTYPE);
    }
  }
}

/* Half bytes 2^61 apart are 2^60 bytes apart, which fits; the distance in bits does not. */
static void test_subbyte__far_elements_are_reached_by_bytes(void) {
  const int64_t far = INT64_C(1) << 61;
  const DLDataType u4 = {kDLUInt, 4, 1}, u8 = {kDLUInt, 8, 1};
  char *const middle = (char *)(uintptr_t)(UINTPTR_MAX / 2 + 1);
  if (UINTPTR_MAX <= UINT32_MAX) {
    return; /* no tensor reaches so far there */
  }
  for (int64_t stride = -far; stride <= far; stride += 2 * far) {
    dlf_tensor *t = NULL, *v = NULL;
    const dlf_index_item one = {DLF_INDEX_ONE, 0, 1, 0, 0};
    EXPECT_INT(dlf_wrap(&(DLTensor){middle, cpu, 2, u4, LIST(2, 2), LIST(stride, 1), 0},
                        0,
                        NULL,
                        NULL,
                        &t,
                        NULL),
               DLF_OK);
    EXPECT_INT(dlf_select(t, 0, 1, &v, NULL), DLF_OK);
    EXPECT(dlf_data(dlf_dltensor(v)) == (void *)((uintptr_t)middle + (uintptr_t)(stride / 2)));
    dlf_release(v);
    EXPECT_INT(dlf_slice(t, 0, 1, 1, 1, &v, NULL), DLF_OK);
    EXPECT(dlf_data(dlf_dltensor(v)) == (void *)((uintptr_t)middle + (uintptr_t)(stride / 2)));
    dlf_release(v);
    EXPECT_INT(dlf_flip(t, 0, &v, NULL), DLF_OK);
    EXPECT(dlf_data(dlf_dltensor(v)) == (void *)((uintptr_t)middle + (uintptr_t)(stride / 2)));
    EXPECT_INT(dlf_dltensor(v)->strides[0], -stride);
    dlf_release(v);
    EXPECT_INT(dlf_index(t, &one, 1, &v, NULL), DLF_OK);
    EXPECT(dlf_data(dlf_dltensor(v)) == (void *)((uintptr_t)middle + (uintptr_t)(stride / 2)));
    dlf_release(v);
    EXPECT_INT(dlf_bitcast(t, u8, &v, NULL), DLF_OK);
    EXPECT_INT(dlf_dltensor(v)->strides[0], stride / 2);
    EXPECT_INT(dlf_dltensor(v)->shape[1], 1);
    dlf_release(v);
    EXPECT_INT(dlf_pack_lanes(t, &v, NULL), DLF_OK);
    EXPECT_INT(dlf_dltensor(v)->strides[0], stride / 2);
    dlf_release(t);
    EXPECT_INT(dlf_unpack_lanes(v, &t, NULL), DLF_OK);
    EXPECT_INT(dlf_dltensor(t)->strides[0], stride);
    dlf_release(v);
    dlf_release(t);
  }
  /* A view that would begin inside a byte is refused for that, however far it is. */
  dlf_tensor *t = NULL, *v = NULL;
  EXPECT_INT(
      dlf_wrap(&(DLTensor){middle, cpu, 1, u4, LIST(2), LIST(far + 1), 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_FAILS(dlf_select(t, 0, 1, &v, &error),
               DLF_LAYOUT,
               "select: expected a view that starts on a byte, got bit 4 of one");
  dlf_release(t);
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){middle, cpu, 1, u4, LIST(2), LIST(-far - 1), 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_FAILS(dlf_select(t, 0, 1, &v, &error),
               DLF_LAYOUT,
               "select: expected a view that starts on a byte, got bit 4 of one");
  dlf_release(t);
  /* A last axis of 2^61 half bytes. */
  EXPECT_INT(dlf_wrap(&(DLTensor){middle, cpu, 1, u4, LIST(far), NULL, 0}, 0, NULL, NULL, &t, NULL),
             DLF_OK);
  EXPECT_INT(dlf_bitcast(t, u8, &v, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(v)->shape[0], far / 2);
  dlf_release(v);
  dlf_release(t);
}

int main(void) {
  RUN(test_subbyte__packed_element_i_lies_at_bit_i_times_bits);
  RUN(test_subbyte__packed_values_are_read_from_the_lowest_bit);
  RUN(test_subbyte__packed_lanes_follow_each_other_within_their_element);
  RUN(test_subbyte__the_headers_data_size_is_the_padded_one);
  RUN(test_subbyte__padded_elements_take_whole_bytes);
  RUN(test_subbyte__fp6_and_fp4_of_another_width_stop_the_import);
  RUN(test_subbyte__far_elements_are_reached_by_bytes);
  return test_end();
}
