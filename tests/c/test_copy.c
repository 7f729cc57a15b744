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
  EXPECT_FAILS(dlf_copy(t, &copy, &error),
               DLF_UNSUPPORTED,
               "copy: expected packed elements in row-major order, got other strides");
  EXPECT(copy == NULL);
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
  packed = (DLTensor){NULL, cpu, 1, {kDLUInt, 4, 1}, LIST(0), NULL, 0};
  EXPECT_INT(dlf_wrap(&packed, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_copy_padded(t, &c, NULL), DLF_OK);
  dlf_release(c);
  dlf_release(t);
}

int main(void) {
  RUN(test_copy__follows_any_strides_of_any_width);
  RUN(test_copy__keeps_sub_byte_elements);
  RUN(test_copy__refuses_what_it_cannot_reach);
  RUN(test_copy__export_is_flagged_and_sole);
  RUN(test_copy__padded_gives_each_element_bytes);
  return test_end();
}
