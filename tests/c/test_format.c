/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <math.h>

static char text[8192];

static const char *print(void *data, DLDataType dtype, int32_t ndim, int64_t *shape,
                         int64_t *strides) {
  const DLTensor t = {data, cpu, ndim, dtype, shape, strides, 0};
  EXPECT_INT(dlf_format(&t, 0, text, sizeof text), strlen(text));
  return text;
}

static void test_format__describe_says_what_differs_from_plain(void) {
  DLTensor t = tensor_of(f32, 2, LIST(2, 3), LIST(3, 1));
  EXPECT_INT(dlf_describe(&t, 0, text, sizeof text), 17);
  EXPECT_TEXT(text, "float32[2, 3] cpu");
  t.strides = LIST(1, 2);
  t.device = (DLDevice){kDLCUDA, 1};
  dlf_describe(&t, 7, text, sizeof text);
  EXPECT_TEXT(text, "float32[2, 3] strides [1, 2] cuda:1 read-only copied padded");
  t = tensor_of(f32, 0, NULL, NULL);
  dlf_describe(&t, DLF_FLAGS_UNKNOWN, text, sizeof text);
  EXPECT_TEXT(text, "float32[] cpu");
}

static void test_format__describe_gives_the_reason_for_a_broken_tensor(void) {
  const DLTensor t = tensor_of(f32, 2, NULL, NULL);
  dlf_describe(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "describe: expected a shape of 2 extents, got NULL");
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "format: expected a shape of 2 extents, got NULL");
}

static void test_format__json_tells_where_a_handle_came_from(void) {
  static float memory[6];
  char expected[256];
  dlf_tensor *t = NULL, *view = NULL;
  DLManagedTensor legacy = {tensor_of(f32, 0, NULL, NULL), NULL, NULL};
  const uint64_t flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  EXPECT_INT(
      dlf_wrap(
          &(DLTensor){memory, cpu, 2, f32, LIST(2, 3), LIST(1, 2), 0}, flags, NULL, NULL, &t, NULL),
      DLF_OK);
  snprintf(
      expected,
      sizeof expected,
      "{\"dtype\": \"float32\", \"shape\": [2, 3], \"strides\": [1, 2], \"device\": \"cpu\", "
      "\"flags\": [\"read_only\", \"is_copied\"], \"version\": \"1.3\", \"address\": \"0x%" PRIxPTR
      "\", \"owner_known\": false}",
      (uintptr_t)memory);
  EXPECT_INT(dlf_describe_json(t, text, sizeof text), strlen(expected));
  EXPECT_TEXT(text, expected);
  dlf_release(t);
  EXPECT_INT(dlf_from_dlpack_legacy(&legacy, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_unsqueeze(t, 0, &view, NULL), DLF_OK);
  dlf_describe_json(view, text, sizeof text);
  EXPECT(strstr(text, "\"version\": \"0.8\"") && strstr(text, "\"owner_known\": false"));
  dlf_release(view);
  dlf_release(t);
  EXPECT_INT(dlf_create(f32, 0, NULL, cpu, &t, NULL), DLF_OK);
  dlf_describe_json(t, text, sizeof text);
  EXPECT(strstr(text, "\"shape\": [], \"strides\": [], ") && strstr(text, "\"flags\": [], ") &&
         strstr(text, "\"owner_known\": true}"));
  dlf_release(t);
}

static void test_format__integers_align(void) {
  int32_t i[] = {1, -20, 300, 4, 5, 6};
  EXPECT_TEXT(print(i, (DLDataType){kDLInt, 32, 1}, 2, LIST(2, 3), NULL),
              "int32[2, 3] cpu\n[[  1, -20, 300],\n [  4,   5,   6]]");
  EXPECT_TEXT(print(i, (DLDataType){kDLInt, 32, 1}, 2, LIST(2, 3), LIST(1, 2)),
              "int32[2, 3] strides [1, 2] cpu\n[[  1, 300,   5],\n [-20,   4,   6]]");
  EXPECT_TEXT(print(i + 5, (DLDataType){kDLInt, 32, 1}, 1, LIST(3), LIST(-1)),
              "int32[3] strides [-1] cpu\n[6, 5, 4]");
}

static void test_format__each_integer_width_reaches_its_ends(void) {
  int8_t a[] = {INT8_MIN, INT8_MAX};
  int16_t b[] = {INT16_MIN, INT16_MAX};
  int64_t c[] = {INT64_MIN, INT64_MAX};
  uint64_t d[] = {0, UINT64_MAX};
  EXPECT_TEXT(print(a, (DLDataType){kDLInt, 8, 1}, 1, LIST(2), NULL), "int8[2] cpu\n[-128,  127]");
  EXPECT_TEXT(print(b, (DLDataType){kDLInt, 16, 1}, 1, LIST(2), NULL),
              "int16[2] cpu\n[-32768,  32767]");
  EXPECT_TEXT(print(c, (DLDataType){kDLInt, 64, 1}, 1, LIST(2), NULL),
              "int64[2] cpu\n[-9223372036854775808,  9223372036854775807]");
  EXPECT_TEXT(print(d, (DLDataType){kDLUInt, 64, 1}, 1, LIST(2), NULL),
              "uint64[2] cpu\n[                   0, 18446744073709551615]");
}

static void test_format__reals_are_shortest_up_to_eight_digits(void) {
  float f[] = {0.1f, -2, 1e20f, INFINITY}, tens[] = {50, 4, 16777216, 0.0001f};
  float below[] = {-INFINITY, 0}, above[] = {INFINITY, 0};
  double d[] = {0.1, 1.0 / 3, NAN},
         powers[] = {1.0 / (1 << 22) / (1 << 22), 9007199254740992, 1e16};
  uint16_t half[] = {0x3C00, 0xC000, 0x0001, 0x7C00, 0x3555}, bfloat[] = {0x3F80, 0xC049, 0x7FC0},
           ends[] = {0x63CF, 0x63D0, 0x068E, 0x8000, 0x7BFF};
  EXPECT_TEXT(print(f, f32, 1, LIST(4), NULL),
              "float32[4] cpu\n[ 1.e-01, -2.e+00,  1.e+20,     inf]");
  EXPECT_TEXT(print(below, f32, 1, LIST(2), NULL), "float32[2] cpu\n[-inf,   0.]");
  EXPECT_TEXT(print(above, f32, 1, LIST(2), NULL), "float32[2] cpu\n[inf,  0.]");
  EXPECT_TEXT(print(tens, f32, 1, LIST(4), NULL),
              "float32[4] cpu\n[5.0000000e+01, 4.0000000e+00, 1.6777216e+07, 9.9999997e-05]");
  EXPECT_TEXT(print(d, (DLDataType){kDLFloat, 64, 1}, 1, LIST(3), NULL),
              "float64[3] cpu\n[0.1       , 0.33333333,        nan]");
  EXPECT_TEXT(print(half, (DLDataType){kDLFloat, 16, 1}, 1, LIST(5), NULL),
              "float16[5] cpu\n[ 1.000e+00, -2.000e+00,  5.960e-08,        inf,  3.333e-01]");
  EXPECT_TEXT(print(ends, (DLDataType){kDLFloat, 16, 1}, 1, LIST(5), NULL),
              "float16[5] cpu\n[ 9.995e+02,  1.000e+03,  1.000e-04, -0.000e+00,  6.550e+04]");
  EXPECT_TEXT(print(powers, (DLDataType){kDLFloat, 64, 1}, 1, LIST(3), NULL),
              "float64[3] cpu\n[5.68434189e-14, 9.00719925e+15, 1.00000000e+16]");
  EXPECT_TEXT(print(bfloat, (DLDataType){kDLBfloat, 16, 1}, 1, LIST(3), NULL),
              "bfloat16[3] cpu\n[ 1.  , -3.14,   nan]");
}

static void test_format__lines_are_75_wide(void) {
  double d[30];
  for (int i = 0; i < 30; i++) {
    d[i] = i / 2.0;
  }
  EXPECT_TEXT(print(d, (DLDataType){kDLFloat, 64, 1}, 1, LIST(30), NULL),
              "float64[30] cpu\n"
              "[ 0. ,  0.5,  1. ,  1.5,  2. ,  2.5,  3. ,  3.5,  4. ,  4.5,  5. ,  5.5,\n"
              "  6. ,  6.5,  7. ,  7.5,  8. ,  8.5,  9. ,  9.5, 10. , 10.5, 11. , 11.5,\n"
              " 12. , 12.5, 13. , 13.5, 14. , 14.5]");
}

static void test_format__other_kinds(void) {
  unsigned char flags[] = {1, 0}, lanes[] = {1, 2, 3, 4};
  float complex_values[] = {1, -2, 0.5f, 3};
  EXPECT_TEXT(print(flags, (DLDataType){kDLBool, 8, 1}, 1, LIST(2), NULL),
              "bool[2] cpu\n[ True, False]");
  EXPECT_TEXT(print(lanes, (DLDataType){kDLUInt, 8, 2}, 1, LIST(2), NULL),
              "uint8x2[2] cpu\n[(1, 2), (3, 4)]");
  EXPECT_TEXT(print(complex_values, (DLDataType){kDLComplex, 64, 1}, 1, LIST(2), NULL),
              "complex64[2] cpu\n[1. -2.j, 0.5+3.j]");
  EXPECT_TEXT(print(complex_values, f32, 0, NULL, NULL), "float32[] cpu\n1.");
  EXPECT_TEXT(print(complex_values, f32, 2, LIST(0, 3), NULL), "float32[0, 3] cpu\n[]");
}

static void test_format__unreadable_elements_are_left_out(void) {
  uint8_t bytes[16] = {0};
  EXPECT_TEXT(print(bytes, (DLDataType){kDLOpaqueHandle, 64, 1}, 1, LIST(2), NULL),
              "opaque_handle64[2] cpu");
  EXPECT_TEXT(print(bytes, (DLDataType){kDLInt, 65, 1}, 1, LIST(1), NULL), "int65[1] cpu");
  EXPECT_TEXT(print(bytes, (DLDataType){kDLFloat, 80, 1}, 1, LIST(1), NULL), "float80[1] cpu");
  EXPECT_TEXT(print(bytes, (DLDataType){kDLComplex, 48, 1}, 1, LIST(1), NULL), "complex48[1] cpu");
  EXPECT_TEXT(print(bytes, (DLDataType){18, 64, 1}, 1, LIST(1), NULL), "bcomplex64[1] cpu");
  EXPECT_TEXT(print(bytes, (DLDataType){99, 16, 1}, 1, LIST(2), NULL), "dtype(99, 16)[2] cpu");
  EXPECT_TEXT(print(bytes, (DLDataType){kDLComplex, 256 - 128, 1}, 1, LIST(1), NULL),
              "complex128[1] cpu\n[0.+0.j]");
  const DLTensor gpu = {bytes, {kDLCUDA, 0}, 1, f32, LIST(2), NULL, 0};
  dlf_format(&gpu, 0, text, sizeof text);
  EXPECT_TEXT(text, "float32[2] cuda:0");
}

static void test_format__packed_and_odd_widths(void) {
  uint8_t fours[] = {0x10, 0xF2}, sixes[] = {0x81, 0x10, 0xFC}, bits[] = {0xA5};
  uint8_t little[] = {0xFF, 0xFF, 0x7F, 1, 0, 0x80}, big[] = {0x7F, 0xFF, 0xFF, 0x80, 0, 1};
  const uint16_t one = 1;
  uint8_t *three = little; /* whole bytes are in the machine's order */
  if (*(const uint8_t *)&one == 0) {
    three = big;
  }
  EXPECT_TEXT(print(fours, (DLDataType){kDLFloat4_e2m1fn, 4, 1}, 1, LIST(4), NULL),
              "float4_e2m1fn[4] cpu\n[ 0. ,  0.5,  1. , -6. ]");
  EXPECT_TEXT(print(fours, (DLDataType){kDLInt, 4, 1}, 1, LIST(4), NULL),
              "int4[4] cpu\n[ 0,  1,  2, -1]");
  EXPECT_TEXT(print(fours, (DLDataType){kDLInt, 4, 2}, 1, LIST(2), NULL),
              "int4x2[2] cpu\n[( 0,  1), ( 2, -1)]");
  EXPECT_TEXT(print(fours, (DLDataType){kDLUInt, 4, 1}, 1, LIST(2), LIST(3)),
              "uint4[2] strides [3] cpu\n[ 0, 15]");
  /* bits 0 to 23, six by six: 1, 2, 1, 63 */
  EXPECT_TEXT(print(sixes, (DLDataType){kDLUInt, 6, 1}, 1, LIST(4), NULL),
              "uint6[4] cpu\n[ 1,  2,  1, 63]");
  EXPECT_TEXT(print(bits, (DLDataType){kDLUInt, 1, 1}, 1, LIST(8), NULL),
              "uint1[8] cpu\n[1, 0, 1, 0, 0, 1, 0, 1]");
  EXPECT_TEXT(print(bits, (DLDataType){kDLInt, 1, 1}, 1, LIST(2), NULL), "int1[2] cpu\n[-1,  0]");
  EXPECT_TEXT(print(three, (DLDataType){kDLInt, 24, 1}, 1, LIST(2), NULL),
              "int24[2] cpu\n[ 8388607, -8388607]");
}

static void test_format__many_elements_are_summarised(void) {
  static int16_t values[40 * 40];
  for (int i = 0; i < 1600; i++) {
    values[i] = (int16_t)i;
  }
  print(values,
        (DLDataType){kDLInt, 16, 1},
        1,
        LIST(1000),
        NULL); /* the most that is printed in full */
  EXPECT(strstr(text, ", 499, 500, 501, ") && !strstr(text, "..."));
  EXPECT_TEXT(print(values, (DLDataType){kDLInt, 16, 1}, 1, LIST(1001), NULL),
              "int16[1001] cpu\n[   0,    1,    2, ...,  998,  999, 1000]");
  EXPECT_TEXT(print(values, (DLDataType){kDLInt, 16, 1}, 2, LIST(40, 40), NULL),
              "int16[40, 40] cpu\n[[   0,    1,    2, ...,   37,   38,   39],\n"
              " [  40,   41,   42, ...,   77,   78,   79],\n"
              " [  80,   81,   82, ...,  117,  118,  119],\n ...,\n"
              " [1480, 1481, 1482, ..., 1517, 1518, 1519],\n"
              " [1520, 1521, 1522, ..., 1557, 1558, 1559],\n"
              " [1560, 1561, 1562, ..., 1597, 1598, 1599]]");
  print(values, (DLDataType){kDLInt, 16, 1}, 2, LIST(6, 200), NULL); /* six rows leave none out */
  EXPECT(strstr(text, "\n [ 400, ") && strstr(text, "\n [ 600, ") && !strstr(text, "\n ...,\n"));
}

/* NumPy's limits: 1e8 for float64, 1e6 for float32. */
static void test_format__large_numbers_become_scientific(void) {
  EXPECT_TEXT(print((double[]){5e7, 6e7}, (DLDataType){kDLFloat, 64, 1}, 1, LIST(2), NULL),
              "float64[2] cpu\n[50000000., 60000000.]");
  EXPECT_TEXT(print((float[]){5e5f, 6e5f}, f32, 1, LIST(2), NULL),
              "float32[2] cpu\n[500000., 600000.]");
  EXPECT_TEXT(print((float[]){5e6f, 6e6f}, f32, 1, LIST(2), NULL),
              "float32[2] cpu\n[5.e+06, 6.e+06]");
}

/* Blocks of a third dimension are set apart by an empty line; an extent of 1 never uses its stride.
 */
static void test_format__deeper_axes_and_wild_strides(void) {
  uint8_t u[] = {1, 2, 3, 4};
  EXPECT_TEXT(print(u, (DLDataType){kDLUInt, 8, 1}, 3, LIST(2, 1, 2), LIST(2, INT64_MAX, 1)),
              "uint8[2, 1, 2] cpu\n[[[1, 2]],\n\n [[3, 4]]]");
}

static void test_format__cuts_to_capacity(void) {
  char small[10];
  int32_t i[] = {1, 2, 3};
  const DLTensor t = {i, cpu, 1, {kDLInt, 32, 1}, LIST(3), NULL, 0};
  const int64_t length = dlf_format(&t, 0, NULL, 0);
  EXPECT_INT(length, 22);
  EXPECT_INT(dlf_format(&t, 0, small, sizeof small), length);
  EXPECT_TEXT(small, "int32[\xE2\x80\xA6");
}

/* Shared by many and broadcast to look endless: printing must not walk it. */
static void test_format__a_huge_broadcast_is_quick(void) {
  int32_t one = 1;
  print(&one, (DLDataType){kDLInt, 32, 1}, 2, LIST(INT64_C(1) << 30, INT64_C(1) << 30), LIST(0, 0));
  EXPECT(strstr(text, "[[1, 1, 1, ..., 1, 1, 1],\n") != NULL);
}

static void test_format__empty_beside_huge_extents(void) {
  EXPECT_TEXT(print(NULL, (DLDataType){kDLFloat, 16, 1}, 3, LIST(4, INT64_C(1) << 61, 0), NULL),
              "float16[4, 2305843009213693952, 0] cpu\n[]");
}

static void test_format__what_no_summary_shortens_is_left_out(void) {
  uint8_t zero[65535] = {0};
  int64_t twos[62], none[62] = {0};
  for (int i = 0; i < 62; i++) {
    twos[i] = 2;
  }
  print(zero, (DLDataType){kDLUInt, 8, 1}, 62, twos, none);
  EXPECT(strchr(text, '\n') == NULL);
  const DLTensor most = /* 100,000 elements */
      tensor_of((DLDataType){kDLUInt, 8, 1}, 10, LIST(5, 5, 5, 5, 5, 2, 2, 2, 2, 2), none);
  dlf_format(&most, 0, text, sizeof text);
  EXPECT(strchr(text, '\n') != NULL);
  print(zero, (DLDataType){kDLFloat, 64, 8191}, 1, LIST(50), LIST(0));
  EXPECT(strstr(text, "[(0., 0., ") != NULL);
}

/* A line has 75 characters at most, also where each element is a list of lanes. */
static void test_format__lines_of_lanes_end_in_time(void) {
  static char many[8000];
  for (uint16_t lanes = 2; lanes <= 4; lanes++) {
    const DLTensor t = tensor_of((DLDataType){kDLInt, 16, lanes}, 1, LIST(30), NULL);
    EXPECT(dlf_format(&t, 0, many, sizeof many) < (int64_t)sizeof many);
    for (const char *line = many; *line;) {
      const size_t length = strcspn(line, "\n");
      EXPECT(length <= 75);
      line += length + (line[length] == '\n');
    }
  }
}

/* A power of two has a nearer neighbour below; a decimal halfway between two values reads as the
 * even one. */
static void test_format__the_fewest_digits_that_read_back(void) {
  float tiny = 0x1p-96f, huge = 0x1p90f;
  uint16_t even = 0x4404, odd = 0x4405; /* 528 and 532 */
  EXPECT_TEXT(print(&tiny, f32, 1, LIST(1), NULL),
              "float32[1] cpu\n[1.2621775e-29]"); /* like NumPy */
  EXPECT_TEXT(print(&huge, f32, 1, LIST(1), NULL), "float32[1] cpu\n[1.2379401e+27]");
  EXPECT_TEXT(print(&even, (DLDataType){kDLBfloat, 16, 1}, 1, LIST(1), NULL),
              "bfloat16[1] cpu\n[530.]");
  EXPECT_TEXT(print(&odd, (DLDataType){kDLBfloat, 16, 1}, 1, LIST(1), NULL),
              "bfloat16[1] cpu\n[532.]");
}

int main(void) {
  RUN(test_format__describe_says_what_differs_from_plain);
  RUN(test_format__describe_gives_the_reason_for_a_broken_tensor);
  RUN(test_format__json_tells_where_a_handle_came_from);
  RUN(test_format__integers_align);
  RUN(test_format__each_integer_width_reaches_its_ends);
  RUN(test_format__reals_are_shortest_up_to_eight_digits);
  RUN(test_format__lines_are_75_wide);
  RUN(test_format__other_kinds);
  RUN(test_format__unreadable_elements_are_left_out);
  RUN(test_format__packed_and_odd_widths);
  RUN(test_format__many_elements_are_summarised);
  RUN(test_format__large_numbers_become_scientific);
  RUN(test_format__deeper_axes_and_wild_strides);
  RUN(test_format__cuts_to_capacity);
  RUN(test_format__a_huge_broadcast_is_quick);
  RUN(test_format__empty_beside_huge_extents);
  RUN(test_format__what_no_summary_shortens_is_left_out);
  RUN(test_format__lines_of_lanes_end_in_time);
  RUN(test_format__the_fewest_digits_that_read_back);
  return test_end();
}
