/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <stdlib.h>

/* Copy a view of memory and compare with an independent walk over its indices. */
static void expect_copy(void *data, int bytes, int32_t ndim, int64_t *shape, int64_t *strides) {
  const DLDataType dtype = {
      kDLUInt, (uint8_t)(8 * (bytes > 16 ? 1 : bytes)), (uint16_t)(bytes > 16 ? bytes : 1)};
  dlf_tensor *t = NULL, *copy = NULL;
  int64_t index[4] = {0}, at = 0, wrong = 0, count = 0;
  EXPECT_INT(dlf_wrap(&(DLTensor){data, cpu, ndim, dtype, shape, strides, 0},
                      DLPACK_FLAG_BITMASK_READ_ONLY,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT_INT(dlf_copy(t, &copy, NULL), DLF_OK);
  EXPECT(dlf_is_contiguous(dlf_dltensor(copy), DLF_ROW_MAJOR));
  EXPECT_INT(dlf_flags(copy), 0);
  dlf_count(dlf_dltensor(t), &count, NULL);
  for (; at < count; at++) {
    int64_t offset = 0, rest = at;
    for (int32_t axis = ndim - 1; axis >= 0; axis--) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
      offset += index[axis] * strides[axis];
    }
    wrong += memcmp((char *)dlf_dltensor(copy)->data + at * bytes,
                    (char *)data + offset * bytes,
                    (size_t)bytes) != 0;
  }
  EXPECT_INT(wrong, 0);
  dlf_release(copy);
  dlf_release(t);
}

static void test_copy__follows_any_strides_of_any_width(void) {
  static unsigned char memory[24 * 2000];
  static const int widths[] = {1, 2, 4, 8, 16, 24};
  for (size_t i = 0; i < sizeof memory; i++) {
    memory[i] = (unsigned char)rand();
  }
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    const int w = widths[i];
    expect_copy(memory, w, 3, LIST(4, 5, 6), LIST(30, 6, 1));
    expect_copy(memory, w, 3, LIST(4, 5, 6), LIST(1, 4, 20));
    expect_copy(memory, w, 2, LIST(7, 9), LIST(100, 3));
    expect_copy(memory + 999 * w, w, 2, LIST(7, 9), LIST(-100, -3));
    expect_copy(memory, w, 2, LIST(7, 9), LIST(0, 0));
    expect_copy(memory, w, 4, LIST(2, 1, 3, 2), LIST(1, INT64_MAX, 5, 50));
    expect_copy(memory, w, 2, LIST(3, 1), LIST(2, INT64_MIN));
    expect_copy(memory, w, 1, LIST(50), LIST(7));
    expect_copy(memory, w, 2, LIST(3, 0), LIST(1, 1));
    expect_copy(memory, w, 0, NULL, NULL);
  }
}

static void test_copy__keeps_sub_byte_elements(void) {
  unsigned char memory[3] = {0x21, 0x43, 0x05};
  dlf_tensor *t = NULL, *copy = NULL;
  const DLDataType fp4 = {kDLFloat4_e2m1fn, 4, 1};
  EXPECT_INT(dlf_wrap(&(DLTensor){memory, cpu, 1, fp4, LIST(5), NULL, 0}, 0, NULL, NULL, &t, NULL),
             DLF_OK);
  EXPECT_INT(dlf_copy(t, &copy, NULL), DLF_OK);
  EXPECT(memcmp(dlf_dltensor(copy)->data, memory, 3) == 0);
  dlf_release(copy);
  dlf_release(t);
  EXPECT_INT(
      dlf_wrap(&(DLTensor){memory, cpu, 1, fp4, LIST(3), LIST(2), 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_INT(dlf_copy(t, &copy, NULL), DLF_OK);
  EXPECT(memcmp(dlf_dltensor(copy)->data, "\x31\x05", 2) == 0);
  EXPECT_INT(dlf_flags(copy), 0);
  dlf_release(copy);
  dlf_release(t);
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  EXPECT_INT(
      dlf_wrap(&(DLTensor){memory, cpu, 1, fp4, LIST(2), LIST(2), 0}, padded, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_INT(dlf_copy(t, &copy, NULL), DLF_OK);
  EXPECT(((unsigned char *)dlf_dltensor(copy)->data)[0] == 0x21 &&
         ((unsigned char *)dlf_dltensor(copy)->data)[1] == 5);
  EXPECT_INT(dlf_flags(copy), padded);
  dlf_release(copy);
  dlf_release(t);
}

static void test_copy__refuses_what_it_cannot_reach(void) {
  dlf_tensor *t = NULL, *copy;
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){&t, (DLDevice){kDLCUDA, 0}, 0, f32, NULL, NULL, 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_FAILS(
      dlf_copy(t, &copy, &error),
      DLF_DEVICE,
      "copy: expected data that the processor can reach, got cuda:0: move it to the CPU first");
  EXPECT_FAILS(dlf_copy(NULL, &copy, &error), DLF_INVALID, "copy: expected a tensor, got NULL");
  dlf_release(t);
}

static void test_copy__export_is_flagged_and_sole(void) {
  float memory[2] = {1, 2};
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *managed = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){memory, cpu, 1, f32, LIST(2), NULL, 0},
                      DLPACK_FLAG_BITMASK_READ_ONLY,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT_INT(dlf_to_dlpack_copy(t, &managed, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(managed->flags, DLPACK_FLAG_BITMASK_IS_COPIED);
  EXPECT(managed->dl_tensor.data != memory && ((float *)managed->dl_tensor.data)[1] == 2);
  EXPECT_INT(live(), 1);
  dlf_dlpack_release(managed);
  EXPECT_INT(dlf_to_dlpack_copy(NULL, &managed, NULL), DLF_INVALID);
  EXPECT(managed == NULL);
}

static void test_copy__padded_gives_each_element_bytes(void) {
  uint8_t fours[] = {0x21, 0x43, 0x0F}, twelve[] = {0x01, 0x32, 0x54};
  dlf_tensor *t = NULL, *c = NULL;
  DLTensor packed = {fours, cpu, 2, {kDLInt, 4, 1}, LIST(2, 2), LIST(1, 2), 0};
  EXPECT_INT(dlf_wrap(&packed, DLPACK_FLAG_BITMASK_READ_ONLY, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_copy_padded(t, &c, NULL), DLF_OK);
  EXPECT_INT(dlf_flags(c), DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  EXPECT(memcmp(dlf_data(dlf_dltensor(c)), "\1\3\2\4", 4) == 0);
  dlf_release(t);
  EXPECT_INT(dlf_copy_padded(c, &t, NULL), DLF_OK); /* already so: an ordinary copy */
  EXPECT(memcmp(dlf_data(dlf_dltensor(t)), "\1\3\2\4", 4) == 0);
  dlf_release(t);
  dlf_release(c);
  packed = (DLTensor){twelve, cpu, 1, {kDLUInt, 12, 1}, LIST(2), NULL, 0};
  EXPECT_INT(dlf_wrap(&packed, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_copy_padded(t, &c, NULL), DLF_OK);
  EXPECT(memcmp(dlf_data(dlf_dltensor(c)), "\1\2\x43\5", 4) == 0);
  dlf_release(t);
  dlf_release(c);
  packed = (DLTensor){fours, cpu, 1, {kDLUInt, 4, 3}, LIST(2), NULL, 0};
  EXPECT_INT(dlf_wrap(&packed, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_FAILS(dlf_copy_padded(t, &c, &error),
               DLF_UNSUPPORTED,
               "copy_padded: expected one lane of at most 64 bits, got uint4x3");
  dlf_release(t);
  packed = (DLTensor){fours, cpu, 0, {kDLUInt, 65, 1}, NULL, NULL, 0};
  EXPECT_INT(dlf_wrap(&packed, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_FAILS(dlf_copy_padded(t, &c, &error),
               DLF_UNSUPPORTED,
               "copy_padded: expected one lane of at most 64 bits, got uint65");
  dlf_release(t);
  packed = (DLTensor){NULL, cpu, 1, {kDLUInt, 4, 1}, LIST(0), NULL, 0};
  EXPECT_INT(dlf_wrap(&packed, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_copy_padded(t, &c, NULL), DLF_OK);
  dlf_release(c);
  dlf_release(t);
}

static dlf_tensor *wrapped(void *data, DLDataType dtype, int32_t ndim, int64_t *shape,
                           int64_t *strides, uint64_t flags) {
  dlf_tensor *t = NULL;
  const DLTensor tensor = {data, cpu, ndim, dtype, shape, strides, 0};
  EXPECT_INT(dlf_wrap(&tensor, flags, NULL, NULL, &t, NULL), DLF_OK);
  return t;
}

static void test_copy__into_existing_memory(void) {
  float from[6] = {0, 1, 2, 3, 4, 5}, to[6] = {0};
  dlf_tensor *source = wrapped(from, f32, 2, LIST(2, 3), NULL, DLPACK_FLAG_BITMASK_READ_ONLY);
  dlf_tensor *destination = wrapped(to, f32, 2, LIST(2, 3), LIST(1, 2), 0);
  EXPECT_INT(dlf_copy_into(source, destination, NULL), DLF_OK);
  EXPECT(to[0] == 0 && to[1] == 3 && to[2] == 1 && to[3] == 4 && to[4] == 2 && to[5] == 5);
  EXPECT_FAILS(
      dlf_copy_into(source, NULL, &error), DLF_INVALID, "copy_into: expected a tensor, got NULL");
  EXPECT_FAILS(dlf_copy_into(destination, source, &error),
               DLF_READ_ONLY,
               "copy_into: expected a writable destination, got a read-only one");
  dlf_release(destination);
  destination = wrapped(to, f32, 2, LIST(2, 2), NULL, 0);
  EXPECT_FAILS(dlf_copy_into(source, destination, &error),
               DLF_SHAPE,
               "copy_into: expected a source of extent 2 on axis 1 (from 0), the destination's, "
               "got 3");
  dlf_release(destination);
  destination = wrapped(to, f32, 1, LIST(6), NULL, 0);
  EXPECT_FAILS(dlf_copy_into(source, destination, &error),
               DLF_SHAPE,
               "copy_into: expected a source of 1 axes, as many as the destination has, got 2");
  dlf_release(destination);
  destination = wrapped(to, (DLDataType){kDLInt, 32, 1}, 2, LIST(2, 3), NULL, 0);
  EXPECT_FAILS(dlf_copy_into(source, destination, &error),
               DLF_DTYPE,
               "copy_into: expected a source of int32, the destination's dtype, got float32: "
               "cast_into converts");
  dlf_release(destination);
  destination = wrapped(to, f32, 2, LIST(2, 3), LIST(0, 1), 0);
  EXPECT_FAILS(dlf_copy_into(source, destination, &error),
               DLF_LAYOUT,
               "copy_into: expected a destination whose elements lie apart, got shape [2, 3] with "
               "strides [0, 1]");
  dlf_release(destination);
  destination = wrapped(to, f32, 2, LIST(2, 3), LIST(2, 1), 0);
  EXPECT_INT(dlf_copy_into(source, destination, NULL), DLF_LAYOUT);
  dlf_release(destination);
  const DLTensor on_device = {to, {kDLCUDA, 0}, 2, f32, LIST(2, 3), NULL, 0};
  EXPECT_INT(dlf_wrap(&on_device, 0, NULL, NULL, &destination, NULL), DLF_OK);
  EXPECT_FAILS(dlf_copy_into(source, destination, &error),
               DLF_DEVICE,
               "copy_into: expected data that the processor can reach, got cuda:0: move it to the "
               "CPU first");
  dlf_release(destination);
  dlf_release(source);
}

static void test_copy__into_the_same_memory(void) {
  int32_t memory[12], expected[12];
  const DLDataType int32 = {kDLInt, 32, 1};
  for (int shift = -2; shift <= 2; shift++) {
    for (int64_t step = 1; step <= 2; step++) {
      for (int i = 0; i < 12; i++) {
        memory[i] = expected[i] = i;
      }
      int32_t *first = memory + 2;
      for (int64_t i = 0; i < 4; i++) {
        expected[2 + shift + i * step] = (int32_t)(2 + i * step);
      }
      dlf_tensor *source = wrapped(first, int32, 1, LIST(4), LIST(step), 0);
      dlf_tensor *destination = wrapped(first + shift, int32, 1, LIST(4), LIST(step), 0);
      EXPECT_INT(dlf_copy_into(source, destination, NULL), DLF_OK);
      EXPECT(memcmp(memory, expected, sizeof memory) == 0);
      dlf_release(source);
      dlf_release(destination);
    }
  }
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  dlf_tensor *source = wrapped(memory, (DLDataType){kDLInt, 4, 1}, 1, LIST(4), NULL, 0);
  dlf_tensor *destination = wrapped(memory, (DLDataType){kDLInt, 4, 1}, 1, LIST(4), NULL, padded);
  EXPECT_INT(dlf_copy_into(source, destination, NULL), DLF_LAYOUT);
  dlf_release(source);
  dlf_release(destination);
  source = wrapped(memory + 3, int32, 1, LIST(4), LIST(-1), 0);
  destination = wrapped(memory, int32, 1, LIST(4), NULL, 0);
  EXPECT_FAILS(dlf_copy_into(source, destination, &error),
               DLF_LAYOUT,
               "copy_into: expected a source apart from the destination, or with its strides, got "
               "shared memory and other strides: copy the source first");
  dlf_release(source);
  dlf_release(destination);
}

/* Distances that no int64_t counts in bits are refused, before any memory is touched. */
static void test_copy__bits_too_far_apart(void) {
  const int64_t far = INT64_C(1) << 61;
  const DLDataType u4 = {kDLUInt, 4, 1}, u8 = {kDLUInt, 8, 1}, pair = {kDLUInt, 4, 2};
  char *const middle = (char *)(uintptr_t)(UINTPTR_MAX / 2 + 1);
  const dlf_number one = {.kind = DLF_NUMBER_SIGNED, .signed_value = 1};
  uint8_t bytes[4];
  dlf_tensor *out = NULL;
  if (UINTPTR_MAX <= UINT32_MAX) {
    return; /* no tensor reaches so far there */
  }
  dlf_tensor *t = wrapped(middle, u4, 2, LIST(2, 2), LIST(far, 1), 0);
  dlf_tensor *near = wrapped(bytes, u4, 2, LIST(2, 2), NULL, 0);
  EXPECT_FAILS(dlf_copy_into(t, near, &error),
               DLF_LAYOUT,
               "copy_into: expected bits within 2^60 bytes, got strides that lead further");
  EXPECT_FAILS(dlf_copy_into(near, t, &error),
               DLF_LAYOUT,
               "copy_into: expected bits within 2^60 bytes, got strides that lead further");
  EXPECT_INT(dlf_copy_into(t, t, NULL), DLF_LAYOUT);
  EXPECT_INT(dlf_copy(t, &out, NULL), DLF_LAYOUT);
  EXPECT_INT(dlf_fill(t, &one, NULL), DLF_LAYOUT);
  dlf_release(t);
  dlf_release(near);
  t = wrapped(middle, (DLDataType){kDLFloat4_e2m1fn, 4, 1}, 1, LIST(2), LIST(far), 0);
  EXPECT_INT(dlf_cast(t, f32, false, &out, NULL), DLF_LAYOUT);
  dlf_release(t);
  t = wrapped(middle, pair, 1, LIST(2), LIST(-far / 2), 0);
  EXPECT_INT(dlf_copy(t, &out, NULL), DLF_LAYOUT);
  dlf_release(t);
  t = wrapped(middle, u8, 2, LIST(2, 2), LIST(far, 1), 0);
  dlf_tensor *close = wrapped(middle, u8, 2, LIST(2, 2), NULL, 0);
  EXPECT_INT(dlf_copy_into(t, t, NULL), DLF_LAYOUT); /* within one memory, bytes are bits, too */
  EXPECT_INT(dlf_copy_into(t, close, NULL), DLF_LAYOUT);
  dlf_release(close);
  dlf_release(t);
}

static void test_copy__packs_and_unpacks(void) {
  uint8_t packed[2] = {0x21, 0x03}, spread[3] = {0xF4, 0xF5, 0xF6};
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  const DLDataType four = {kDLUInt, 4, 1}, lanes = {kDLUInt, 4, 3};
  dlf_tensor *narrow = wrapped(packed, four, 1, LIST(3), NULL, 0);
  dlf_tensor *wide = wrapped(spread, four, 1, LIST(3), NULL, padded);
  EXPECT_INT(dlf_copy_into(wide, narrow, NULL), DLF_OK);
  EXPECT_INT(packed[0], 0x54);
  EXPECT_INT(packed[1], 0x06);
  EXPECT_INT(dlf_copy_into(narrow, wide, NULL), DLF_OK);
  EXPECT_INT(spread[0] | spread[1] << 4 | spread[2] << 8, 0x654);
  dlf_release(narrow);
  dlf_release(wide);
  narrow = wrapped(packed, lanes, 1, LIST(1), NULL, 0);
  wide = wrapped(spread, lanes, 1, LIST(1), NULL, padded);
  EXPECT_FAILS(dlf_copy_into(wide, narrow, &error),
               DLF_UNSUPPORTED,
               "copy_into: expected one lane of at most 64 bits, got uint4x3");
  dlf_release(narrow);
  dlf_release(wide);
}

static void test_copy__contiguous_copies_only_if_it_must(void) {
  float memory[6] = {0, 1, 2, 3, 4, 5};
  dlf_tensor *t = wrapped(memory, f32, 2, LIST(2, 3), LIST(1, 2), 0), *out = NULL;
  EXPECT_INT(dlf_contiguous(t, DLF_COLUMN_MAJOR, &out, NULL), DLF_OK);
  EXPECT(out == t);
  dlf_release(out);
  EXPECT_INT(dlf_contiguous(t, DLF_DENSE, &out, NULL), DLF_OK);
  EXPECT(out == t);
  dlf_release(out);
  EXPECT_INT(dlf_contiguous(t, DLF_ROW_MAJOR, &out, NULL), DLF_OK);
  EXPECT(out && out != t && ((float *)dlf_data(dlf_dltensor(out)))[1] == 2);
  dlf_release(t);
  t = out;
  EXPECT_INT(dlf_contiguous(t, DLF_COLUMN_MAJOR, &out, NULL), DLF_OK);
  EXPECT(out && out != t && memcmp(dlf_data(dlf_dltensor(out)), memory, sizeof memory) == 0);
  EXPECT(dlf_is_contiguous(dlf_dltensor(out), DLF_COLUMN_MAJOR));
  dlf_release(out);
  EXPECT_FAILS(
      dlf_contiguous(t, 3, &out, &error), DLF_INVALID, "contiguous: expected a dlf_order, got 3");
  EXPECT_INT(dlf_contiguous(t, -1, &out, NULL), DLF_INVALID);
  EXPECT_INT(dlf_copy_into(NULL, t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_copy_into(t, NULL, NULL), DLF_INVALID);
  dlf_release(t);
}

int main(void) {
  RUN(test_copy__follows_any_strides_of_any_width);
  RUN(test_copy__keeps_sub_byte_elements);
  RUN(test_copy__refuses_what_it_cannot_reach);
  RUN(test_copy__export_is_flagged_and_sole);
  RUN(test_copy__padded_gives_each_element_bytes);
  RUN(test_copy__into_existing_memory);
  RUN(test_copy__into_the_same_memory);
  RUN(test_copy__bits_too_far_apart);
  RUN(test_copy__packs_and_unpacks);
  RUN(test_copy__contiguous_copies_only_if_it_must);
  return test_end();
}
