/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <math.h>

static dlf_number read_at(const DLTensor *t, uint64_t flags, const int64_t *index, int32_t lane) {
  dlf_number number = {.kind = -1};
  EXPECT_INT(dlf_read((dlf_arg){t, flags}, index, lane, &number, NULL), DLF_OK);
  return number;
}

static DLTensor over(void *data, DLDataType dtype, int32_t ndim, int64_t *shape, int64_t *strides) {
  return (DLTensor){data, cpu, ndim, dtype, shape, strides, 0};
}

static void test_read__each_kind(void) {
  int8_t i[] = {-7};
  uint64_t u[] = {UINT64_MAX};
  bool b[] = {true};
  float c[] = {1.5f, -2};
  uint16_t half[] = {0x3555};
  DLTensor t = over(i, (DLDataType){kDLInt, 8, 1}, 0, NULL, NULL);
  EXPECT(read_at(&t, 0, NULL, 0).kind == DLF_NUMBER_SIGNED &&
         read_at(&t, 0, NULL, 0).signed_value == -7);
  t = over(u, (DLDataType){kDLUInt, 64, 1}, 0, NULL, NULL);
  EXPECT(read_at(&t, 0, NULL, 0).kind == DLF_NUMBER_UNSIGNED &&
         read_at(&t, 0, NULL, 0).unsigned_value == UINT64_MAX);
  t = over(b, (DLDataType){kDLBool, 8, 1}, 0, NULL, NULL);
  EXPECT(read_at(&t, 0, NULL, 0).kind == DLF_NUMBER_BOOL &&
         read_at(&t, 0, NULL, 0).unsigned_value == 1);
  t = over(c, (DLDataType){kDLComplex, 64, 1}, 0, NULL, NULL);
  const dlf_number z = read_at(&t, 0, NULL, 0);
  EXPECT(z.kind == DLF_NUMBER_COMPLEX && z.real == 1.5 && z.imaginary == -2);
  t = over(half, (DLDataType){kDLFloat, 16, 1}, 0, NULL, NULL);
  EXPECT(read_at(&t, 0, NULL, 0).kind == DLF_NUMBER_REAL &&
         read_at(&t, 0, NULL, 0).real == 0.333251953125);
}

static void test_read__follows_strides_lanes_and_packing(void) {
  float f[] = {0, 1, 2, 3, 4, 5};
  uint8_t packed[] = {0x21, 0x43}, padded[] = {0xF1, 0xF2, 0xF3};
  DLTensor t = over(f + 5, f32, 2, LIST(2, 3), LIST(-1, -2));
  EXPECT(read_at(&t, 0, LIST(1, 2), 0).real == 0 && read_at(&t, 0, LIST(0, 1), 0).real == 3);
  t = over(f, f32, 2, LIST(1, 2), LIST(INT64_MAX, 1)); /* a stride that is never used */
  EXPECT(read_at(&t, 0, LIST(0, 1), 0).real == 1);
  t = over(f, (DLDataType){kDLFloat, 32, 3}, 1, LIST(2), NULL);
  EXPECT(read_at(&t, 0, LIST(1), 2).real == 5);
  t = over(packed, (DLDataType){kDLUInt, 4, 1}, 1, LIST(4), NULL);
  EXPECT(read_at(&t, 0, LIST(3), 0).unsigned_value == 4);
  t = over(padded, (DLDataType){kDLUInt, 4, 1}, 1, LIST(3), NULL);
  EXPECT(read_at(&t, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, LIST(2), 0).unsigned_value == 3);
}

static void test_read__refuses(void) {
  float f[] = {0, 1};
  DLTensor t = over(f, f32, 1, LIST(2), NULL);
  dlf_number number;
  EXPECT_FAILS(dlf_read((dlf_arg){&t, 0}, LIST(2), 0, &number, &error),
               DLF_BOUNDS,
               "read: expected index below 2 of axis 0 (from 0), got 2");
  EXPECT_FAILS(dlf_read((dlf_arg){&t, 0}, LIST(-1), 0, &number, &error),
               DLF_BOUNDS,
               "read: expected index below 2 of axis 0 (from 0), got -1");
  EXPECT_FAILS(dlf_read((dlf_arg){&t, 0}, LIST(0), 1, &number, &error),
               DLF_BOUNDS,
               "read: expected a lane below 1, got 1");
  EXPECT_INT(dlf_read((dlf_arg){&t, 0}, LIST(0), -1, &number, NULL), DLF_BOUNDS);
  EXPECT_FAILS(dlf_read((dlf_arg){&t, 0}, NULL, 0, &number, &error),
               DLF_INVALID,
               "read: expected 1 indices, got NULL");
  EXPECT_INT(dlf_read((dlf_arg){&t, 64}, LIST(0), 0, &number, NULL), DLF_UNSUPPORTED);
  t.dtype = (DLDataType){kDLOpaqueHandle, 64, 1};
  t.shape = LIST(1);
  EXPECT_FAILS(dlf_read((dlf_arg){&t, 0}, LIST(0), 0, &number, &error),
               DLF_UNSUPPORTED,
               "read: expected a dtype with arithmetic, got opaque_handle64");
  t = over(f, f32, 1, LIST(2), NULL);
  t.device = (DLDevice){kDLCUDA, 0};
  EXPECT_INT(dlf_read((dlf_arg){&t, 0}, LIST(0), 0, &number, NULL), DLF_DEVICE);
}

static bool has(const DLTensor *t, dlf_number number) {
  bool answer = false;
  EXPECT_INT(dlf_contains((dlf_arg){t, 0}, &number, &answer, NULL), DLF_OK);
  return answer;
}

static dlf_number real(double value) {
  return (dlf_number){.kind = DLF_NUMBER_REAL, .real = value};
}
static dlf_number whole(int64_t value) {
  return (dlf_number){.kind = DLF_NUMBER_SIGNED, .signed_value = value};
}

static void test_contains__rounds_to_the_precision_of_reals(void) {
  float f[] = {0.1f, 16777216, -3, INFINITY, 1e-45f};
  double d[] = {0.1, 0.30000000000000004};
  uint16_t half[] = {0x2E66 /* 0.1 */, 0x0001}, bfloat[] = {0x3DCD /* 0.1 */};
  DLTensor t = over(f, f32, 1, LIST(5), NULL);
  EXPECT(has(&t, real(0.1)) && has(&t, whole(16777217)) && has(&t, whole(-3)) &&
         has(&t, real(INFINITY)));
  f[2] = 0x1.000002p60f; /* 2^60 + 2^37: between them, a little above the middle */
  EXPECT(has(&t, whole(INT64_C(0x1000001000000001))) && !has(&t, whole(INT64_C(1) << 60)));
  f[2] = -3;
  EXPECT(has(&t, real(1.2e-45)) && !has(&t, real(0.10001)) && !has(&t, real(NAN)) &&
         !has(&t, real(-INFINITY)));
  EXPECT(has(&t, (dlf_number){.kind = DLF_NUMBER_REAL, .real = -3, .imaginary = 1}));
  t = over(d, (DLDataType){kDLFloat, 64, 1}, 1, LIST(2), NULL);
  EXPECT(has(&t, real(0.1)) && !has(&t, real(0.3)));
  t = over(half, (DLDataType){kDLFloat, 16, 1}, 1, LIST(2), NULL);
  EXPECT(has(&t, real(0.1)) && has(&t, real(6e-8)) && !has(&t, real(0.11)));
  t = over(bfloat, (DLDataType){kDLBfloat, 16, 1}, 1, LIST(1), NULL);
  EXPECT(has(&t, real(0.1)) && !has(&t, real(0.11)));
}

/* Between two of these a number is nearer to one, or goes to the even one. */
static void test_contains__rounds_to_nearest_even(void) {
  float even[] = {16777216, -16777216, 16777220, -16777220}, odd[] = {16777218, -16777218};
  DLTensor t = over(even, f32, 1, LIST(4), NULL);
  for (int sign = -1; sign <= 1; sign += 2) {
    EXPECT(has(&t, whole(sign * 16777217)) && has(&t, whole(sign * 16777219)));
    EXPECT(has(&t, whole(sign * 16777221)) && !has(&t, real(sign * 16777217.5)));
  }
  t = over(odd, f32, 1, LIST(2), NULL);
  for (int sign = -1; sign <= 1; sign += 2) {
    EXPECT(has(&t, real(sign * 16777217.5)) && has(&t, real(sign * 16777218.5)));
    EXPECT(!has(&t, whole(sign * 16777217)) && !has(&t, whole(sign * 16777219)));
  }
}

static void test_contains__is_exact_for_integers(void) {
  int64_t i[] = {2, INT64_MAX};
  float c[] = {1, 2};
  DLTensor t = over(i, (DLDataType){kDLInt, 64, 1}, 1, LIST(2), NULL);
  EXPECT(has(&t, real(2)) && !has(&t, real(2.5)) && !has(&t, real(9223372036854775807.0)) &&
         has(&t, whole(INT64_MAX)));
  EXPECT(has(&t, (dlf_number){.kind = DLF_NUMBER_COMPLEX, .real = 2}));
  EXPECT(!has(&t, (dlf_number){.kind = DLF_NUMBER_COMPLEX, .real = 2, .imaginary = 1}));
  t = over(c, (DLDataType){kDLComplex, 64, 1}, 1, LIST(1), NULL);
  EXPECT(has(&t, (dlf_number){.kind = DLF_NUMBER_COMPLEX, .real = 1, .imaginary = 2}) &&
         !has(&t, real(1)));
  t = over(c, (DLDataType){kDLFloat, 32, 2}, 1, LIST(1), NULL); /* a lane */
  EXPECT(has(&t, real(2)));
  t = over(NULL, f32, 1, LIST(0), NULL);
  EXPECT(!has(&t, real(0)));
}

static void test_contains__refuses_an_unknown_kind(void) {
  float f[] = {0};
  const DLTensor t = over(f, f32, 1, LIST(1), NULL);
  bool answer = true;
  EXPECT_FAILS(dlf_contains((dlf_arg){&t, 0}, &(dlf_number){.kind = 9}, &answer, &error),
               DLF_INVALID,
               "contains: expected a dlf_number_kind, got 9");
  EXPECT_INT(dlf_contains((dlf_arg){&t, 0}, &(dlf_number){.kind = -1}, &answer, NULL), DLF_INVALID);
  EXPECT(!answer);
}

int main(void) {
  RUN(test_read__each_kind);
  RUN(test_read__follows_strides_lanes_and_packing);
  RUN(test_read__refuses);
  RUN(test_contains__rounds_to_the_precision_of_reals);
  RUN(test_contains__rounds_to_nearest_even);
  RUN(test_contains__is_exact_for_integers);
  RUN(test_contains__refuses_an_unknown_kind);
  return test_end();
}
