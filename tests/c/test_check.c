/* SPDX-License-Identifier: Apache-2.0 */
/* dlf_check beyond single faults, which are in tests/cases/malformed.json. */
#include "test.h"

static dlf_status check(DLTensor t, dlf_error *error) {
  return dlf_check(&t, 0, DLF_CHECK_STRUCTURE, error);
}

static DLTensor with_dtype(uint8_t code, uint8_t bits, uint16_t lanes) {
  return tensor_of((DLDataType){code, bits, lanes}, 0, NULL, NULL);
}

static void test_check__accepts_what_is_sound(void) {
  EXPECT_INT(check(tensor_of(f32, 2, LIST(2, 3), LIST(3, 1)), NULL), DLF_OK);
  EXPECT_INT(check(tensor_of(f32, 2, LIST(2, 3), NULL), NULL), DLF_OK);
  EXPECT_INT(check(tensor_of(f32, 2, LIST(2, 3), LIST(-3, -1)), NULL), DLF_OK);
  EXPECT_INT(check(tensor_of(f32, 0, NULL, NULL), NULL), DLF_OK);
  DLTensor empty = tensor_of(f32, 2, LIST(0, 3), NULL);
  empty.data = NULL;
  EXPECT_INT(check(empty, NULL), DLF_OK);
}

static void test_check__wants_a_tensor(void) {
  EXPECT_FAILS(dlf_check(NULL, 0, DLF_CHECK_STRUCTURE, &error),
               DLF_INVALID,
               "check: expected a tensor, got NULL");
}

static void test_check__refuses_extents_below_0_in_every_company(void) {
  const int64_t low = INT64_MIN, half = INT64_C(1) << 32;
  int64_t *const shapes[] = {LIST(-1, -1),
                             LIST(-1, 1),
                             LIST(-2, -3),
                             LIST(0, -1),
                             LIST(-1, 0),
                             LIST(low, 1),
                             LIST(1, low),
                             LIST(low, low),
                             LIST(-half, -half),
                             LIST(low, 2)};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    /* As row-major as such extents can be: the strides match the product of the extents behind
     * them. */
    int64_t *const strides = LIST(shapes[i][1], 1);
    EXPECT_INT(check(tensor_of(f32, 2, shapes[i], NULL), NULL), DLF_INVALID);
    EXPECT_INT(check(tensor_of(f32, 2, shapes[i], strides), NULL), DLF_INVALID);
    EXPECT_INT(check(tensor_of(f32, 3, LIST(2, shapes[i][0], shapes[i][1]), NULL), NULL),
               DLF_INVALID);
    EXPECT_INT(
        check(tensor_of(f32, 3, LIST(shapes[i][0], shapes[i][1], 2), LIST(1000, 2, 1)), NULL),
        DLF_INVALID);
  }
}

static void test_check__refuses_sizes_that_overflow(void) {
  EXPECT_INT(check(tensor_of(f32, 2, LIST(INT64_MAX / 2, 3), NULL), NULL), DLF_OVERFLOW);
  EXPECT_INT(check(tensor_of(f32, 1, LIST(INT64_MAX / 2), NULL), NULL), DLF_OVERFLOW);
  EXPECT_INT(check(tensor_of(f32, 1, LIST(3), LIST(INT64_MAX / 2)), NULL), DLF_OVERFLOW);
}

/* Each axis reaches 2^62 bytes, all four together 2^64, which wraps to 0. */
static void test_check__refuses_reaches_whose_sum_overflows(void) {
  const int64_t far = INT64_C(1) << 61;
  DLTensor t =
      tensor_of((DLDataType){kDLUInt, 8, 1}, 4, LIST(3, 3, 3, 3), LIST(far, far, far, far));
  EXPECT_INT(check(t, NULL), DLF_OVERFLOW);
  t.strides = LIST(-far, -far, -far, -far);
  EXPECT_INT(check(t, NULL), DLF_OVERFLOW);
}

static void test_check__refuses_addresses_that_wrap(void) {
  DLTensor t = tensor_of((DLDataType){kDLUInt, 8, 1}, 1, LIST(16), NULL);
  t.data = (void *)(uintptr_t)(UINTPTR_MAX - 8);
  char text[120];
  snprintf(text,
           sizeof text,
           "check: expected data inside the address space, got bytes 0 to 16 around 0x%" PRIxPTR
           " + 0",
           (uintptr_t)t.data);
  EXPECT_FAILS(check(t, &error), DLF_OVERFLOW, text);
  t.data = (void *)(uintptr_t)8;
  t.strides = LIST(-1);
  EXPECT_INT(check(t, NULL), DLF_OVERFLOW);
  t.data = (void *)(uintptr_t)15; /* down to address 0, found by fuzzing: flipped, it would begin at
                                     NULL */
  EXPECT_INT(check(t, NULL), DLF_OVERFLOW);
  t.data = (void *)(uintptr_t)16;
  EXPECT_INT(check(t, NULL), DLF_OK);
  t = tensor_of((DLDataType){kDLUInt, 8, 1}, 1, LIST(16), NULL);
  t.byte_offset = UINT64_MAX;
  EXPECT_INT(check(t, NULL), DLF_OVERFLOW);
  t.device = (DLDevice){kDLOpenCL, 0}; /* data is a handle there, not an address */
  EXPECT_INT(check(t, NULL), DLF_OK);
}

/* Tensors that reach 4 GiB from data: sound where pointers have 64 bits, and nowhere else. */
static void test_check__counts_addresses_in_64_bits(void) {
  const int64_t far = INT64_C(1) << 32;
  const dlf_status expected = UINTPTR_MAX > UINT32_MAX ? DLF_OK : DLF_OVERFLOW;
  const struct {
    int64_t extent, stride;
    uint64_t byte_offset;
  } cases[] = {{far, 1, 0},
               {far + 4, 1, 0},
               {far / 4, 4, 0},
               {4, far, 0},
               {4, -far, 0},
               {2, far - 1, 0},
               {4, 1, (uint64_t)far},
               {4, 1, (uint64_t)far + 16},
               {0, 1, (uint64_t)far}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    DLTensor t =
        tensor_of((DLDataType){kDLUInt, 8, 1}, 1, LIST(cases[i].extent), LIST(cases[i].stride));
    t.data = (void *)(uintptr_t)(UINTPTR_MAX / 2 + 1);
    t.byte_offset = cases[i].byte_offset;
    const dlf_status wanted =
        cases[i].extent ? expected : DLF_OK; /* without elements nothing is touched */
    EXPECT_INT(check(t, NULL), wanted);
    dlf_tensor *made = NULL;
    EXPECT_INT(dlf_wrap(&t, 0, NULL, NULL, &made, NULL), wanted);
    dlf_release(made);
    DLManagedTensorVersioned versioned = {.version = {1, 3}, .dl_tensor = t};
    EXPECT_INT(dlf_from_dlpack(&versioned, &made, NULL), wanted);
    dlf_release(made);
    DLManagedTensor legacy = {.dl_tensor = t};
    EXPECT_INT(dlf_from_dlpack_legacy(&legacy, &made, NULL), wanted);
    dlf_release(made);
  }
}

/* Two tensors 4 GiB apart do not overlap, and an offset of 4 GiB is aligned. */
static void test_check__compares_handles_in_64_bits(void) {
  const DLDevice opencl = {kDLOpenCL, 0};
  DLTensor near = tensor_of(f32, 1, LIST(2), NULL), far = near;
  near.device = far.device = opencl;
  far.byte_offset = UINT64_C(1) << 32;
  EXPECT(!dlf_overlap((dlf_arg){&near, 0}, (dlf_arg){&far, 0}));
  EXPECT(!dlf_overlap((dlf_arg){&far, 0}, (dlf_arg){&near, 0}));
  EXPECT(dlf_overlap((dlf_arg){&far, 0}, (dlf_arg){&far, 0}));
  far.data = (void *)(uintptr_t)4;
  far.byte_offset = (UINT64_C(1) << 32) - 4;
  EXPECT_INT(dlf_alignment(&far), INT64_C(1) << 32);
}

static void test_check__accepts_every_code_of_the_header(void) {
  for (uint8_t code = 0; code <= kDLFloat4_e2m1fn; code++) {
    const uint8_t bits = code < kDLFloat8_e3m4     ? 64
                         : code < kDLFloat6_e2m3fn ? 8
                         : code < kDLFloat4_e2m1fn ? 6
                                                   : 4;
    EXPECT_INT(check(with_dtype(code, bits, 1), NULL), DLF_OK);
  }
}

static void test_check__strict_asks_for_the_letter_of_1_3(void) {
  static char memory[512];
  DLTensor t = tensor_of(f32, 1, LIST(2), LIST(1));
  t.data = (void *)(((uintptr_t)memory + 255) & ~(uintptr_t)255);
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  t.ndim = 0; /* then both may be NULL */
  t.shape = t.strides = NULL;
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  t.ndim = 1;
  t.shape = LIST(2);
  EXPECT_FAILS(dlf_check(&t, 0, DLF_CHECK_STRICT, &error),
               DLF_INVALID,
               "check: expected strides for 1 dimensions (DLPack 1.2, DLTensor.strides), got NULL");
  t.strides = LIST(1);
  t.data = (char *)t.data + 4;
  EXPECT_FAILS(dlf_check(&t, 0, DLF_CHECK_STRICT, &error),
               DLF_INVALID,
               "check: expected data aligned to 256 bytes (DLPack 1.3, DLTensor.data), got an "
               "address 4 past one");
  t.shape = LIST(0);
  EXPECT_FAILS(dlf_check(&t, 0, DLF_CHECK_STRICT, &error),
               DLF_INVALID,
               "check: expected NULL data for a tensor without elements (DLPack 1.3, "
               "DLTensor.data), got an address");
  t.data = NULL;
  t.device.device_id = 1;
  EXPECT_FAILS(
      dlf_check(&t, 0, DLF_CHECK_STRICT, &error),
      DLF_DEVICE,
      "check: expected device id 0 for host memory (DLPack 1.3, DLDevice.device_id), got cpu:1");
  t.ndim = -1;
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_INVALID);
}

/* Half bytes that are packed fit where padded ones do not. */
static void test_check__counts_padding_by_the_flags(void) {
  DLTensor t = tensor_of((DLDataType){kDLInt, 4, 1}, 1, LIST(15), NULL);
  t.data = (void *)(uintptr_t)(UINTPTR_MAX - 8);
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  EXPECT_INT(dlf_check(&t, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, DLF_CHECK_STRUCTURE, NULL),
             DLF_OVERFLOW);
  EXPECT_INT(dlf_check(&t, UINT64_C(1) << 40, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
}

static void delete_nothing(DLManagedTensorVersioned *self) {
  (void)self;
}

static void test_check__managed_asks_for_our_major_version(void) {
  DLManagedTensorVersioned m = {.version = {1, 0}, .dl_tensor = tensor_of(f32, 1, LIST(2), NULL)};
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  m.version.minor = 9;
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  m.dl_tensor.ndim = -1;
  EXPECT_FAILS(dlf_check_managed(&m, DLF_CHECK_STRUCTURE, &error),
               DLF_INVALID,
               "check_managed: expected ndim between 0 and 64, got -1");
  m.version.major = 2; /* then no other field is read */
  EXPECT_FAILS(dlf_check_managed(&m, DLF_CHECK_STRUCTURE, &error),
               DLF_VERSION,
               "check_managed: expected DLPack major version 1, got 2");
  EXPECT_FAILS(dlf_check_managed(NULL, DLF_CHECK_STRUCTURE, &error),
               DLF_INVALID,
               "check_managed: expected a managed tensor, got NULL");
}

static void test_check__managed_strictly_asks_for_flags_and_deleter(void) {
  static char memory[512];
  DLManagedTensorVersioned m = {.version = {1, 3},
                                .dl_tensor = tensor_of(f32, 1, LIST(2), LIST(1))};
  m.dl_tensor.data = (void *)(((uintptr_t)memory + 255) & ~(uintptr_t)255);
  m.flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRICT, NULL),
             DLF_OK); /* static memory needs no deleter */
  m.manager_ctx = memory;
  EXPECT_FAILS(dlf_check_managed(&m, DLF_CHECK_STRICT, &error),
               DLF_INVALID,
               "check_managed: expected a deleter for the manager_ctx, got NULL");
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  m.deleter = delete_nothing;
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRICT, NULL), DLF_OK);
  m.flags |= 16;
  EXPECT_FAILS(dlf_check_managed(&m, DLF_CHECK_STRICT, &error),
               DLF_INVALID,
               "check_managed: expected flags that DLPack 1.3 names, got 0x10");
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  m.version.minor = 4; /* which may name it */
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRICT, NULL), DLF_OK);
  m.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED; /* named since 1.1 */
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRICT, NULL), DLF_OK);
  m.version.minor = 1;
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRICT, NULL), DLF_OK);
  m.version.minor = 0;
  EXPECT_FAILS(dlf_check_managed(&m, DLF_CHECK_STRICT, &error),
               DLF_INVALID,
               "check_managed: expected flags that DLPack 1.0 names, got 0x4");
  m.flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  EXPECT_INT(dlf_check_managed(&m, DLF_CHECK_STRICT, NULL), DLF_OK);
  m.dl_tensor.strides = NULL;
  EXPECT_FAILS(
      dlf_check_managed(&m, DLF_CHECK_STRICT, &error),
      DLF_INVALID,
      "check_managed: expected strides for 1 dimensions (DLPack 1.2, DLTensor.strides), got NULL");
}

static void test_check__refuses_an_unknown_level(void) {
  const DLTensor t = tensor_of(f32, 0, NULL, NULL);
  EXPECT_FAILS(
      dlf_check(&t, 0, 7, &error), DLF_INVALID, "check: expected a level from 0 to 1, got 7");
  const DLManagedTensorVersioned managed = {.version = {1, 3}, .dl_tensor = t};
  EXPECT_FAILS(dlf_check_managed(&managed, -1, &error),
               DLF_INVALID,
               "check_managed: expected a level from 0 to 1, got -1");
}

int main(void) {
  RUN(test_check__accepts_what_is_sound);
  RUN(test_check__wants_a_tensor);
  RUN(test_check__refuses_extents_below_0_in_every_company);
  RUN(test_check__refuses_sizes_that_overflow);
  RUN(test_check__refuses_reaches_whose_sum_overflows);
  RUN(test_check__refuses_addresses_that_wrap);
  RUN(test_check__counts_addresses_in_64_bits);
  RUN(test_check__compares_handles_in_64_bits);
  RUN(test_check__accepts_every_code_of_the_header);
  RUN(test_check__strict_asks_for_the_letter_of_1_3);
  RUN(test_check__counts_padding_by_the_flags);
  RUN(test_check__managed_asks_for_our_major_version);
  RUN(test_check__managed_strictly_asks_for_flags_and_deleter);
  RUN(test_check__refuses_an_unknown_level);
  return test_end();
}
