/* SPDX-License-Identifier: Apache-2.0 */
/* The small print of DLPack and of the array API standard, a test a sentence. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define READ_ONLY DLPACK_FLAG_BITMASK_READ_ONLY
#define COPIED DLPACK_FLAG_BITMASK_IS_COPIED
#define PADDED DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED

static char folder[] = "/tmp/dlferry-order-XXXXXX", path[64];

static dlf_arg arg(const DLTensor *tensor, uint64_t flags) { return (dlf_arg){tensor, flags}; }

/* ---- sub-byte elements ---- */

/* "(D >> (i * bits)) & bit_mask stores the i-th element": set bit by bit, as that sentence reads. */
static void put_packed(unsigned char *to, int64_t i, int bits, unsigned value) {
  for (int bit = 0; bit < bits; bit++) {
    const int64_t at = i * bits + bit;
    if (value >> bit & 1) to[at / 8] |= (unsigned char)(1U << at % 8);
  }
}

static void test_small_print__packed_element_i_lies_at_bit_i_times_bits(void) {
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
    packed[N * bits / 8] ^= (unsigned char)(0xFF << (N * bits % 8)); /* bits that belong to no element */
    EXPECT_INT(dlf_equal(arg(&t, 0), arg(&plain, 0), &same, NULL), DLF_OK);
    EXPECT(same);
    packed[0] ^= 1;
    EXPECT_INT(dlf_equal(arg(&t, 0), arg(&plain, 0), &same, NULL), DLF_OK);
    EXPECT(!same);
  }
}

static void test_small_print__packed_values_are_read_from_the_lowest_bit(void) {
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
  EXPECT_TEXT(text, "float6_e2m3fn[4] cpu\n[    1., -0.125,    7.5,   -7.5]");
}

static void test_small_print__packed_lanes_follow_each_other_within_their_element(void) {
  char text[160];
  unsigned char packed[5] = {0};
  int64_t size = 0;
  for (int i = 0; i < 9; i++) put_packed(packed, i, 4, (unsigned)i + 1);
  const DLTensor t = {packed, cpu, 1, {kDLUInt, 4, 3}, LIST(3), LIST(1), 0};
  dlf_format(&t, 0, text, sizeof text);
  EXPECT_TEXT(text, "uint4x3[3] cpu\n[(1, 2, 3), (4, 5, 6), (7, 8, 9)]");
  EXPECT_INT(dlf_byte_size(&t, 0, &size, NULL), DLF_OK);
  EXPECT_INT(size, 5); /* ceil(3 * 4 * 3 / 8) */
}

/* The specification's own function. */
static int64_t data_size_of_the_header(const DLTensor *t) {
  int64_t size = 1;
  for (int32_t i = 0; i < t->ndim; i++) size *= t->shape[i];
  return size * ((t->dtype.bits * t->dtype.lanes + 7) / 8);
}

static void test_small_print__the_headers_data_size_is_the_padded_one(void) {
  static const DLDataType dtypes[] = {{kDLUInt, 1, 1},  {kDLInt, 4, 1},  {kDLFloat4_e2m1fn, 4, 1},
                                      {kDLUInt, 4, 3},  {kDLUInt, 6, 1}, {kDLFloat6_e2m3fn, 6, 1},
                                      {kDLUInt, 12, 1}, {kDLUInt, 7, 2}, {kDLFloat, 32, 4}};
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

static void test_small_print__padded_elements_take_whole_bytes(void) {
  char text[80];
  unsigned char padded[] = {1, 2, 0xF3}; /* bits above the element do not count */
  const DLTensor t = {padded, cpu, 1, {kDLUInt, 4, 1}, LIST(3), LIST(1), 0};
  dlf_format(&t, PADDED, text, sizeof text);
  EXPECT_TEXT(text, "uint4[3] cpu padded\n[1, 2, 3]");
}

static void test_small_print__fp6_and_fp4_of_another_width_stop_the_import(void) {
  for (int code = kDLFloat6_e2m3fn; code <= kDLFloat4_e2m1fn; code++) {
    for (int bits = 1; bits < 256; bits++) {
      const DLTensor t = tensor_of((DLDataType){(uint8_t)code, (uint8_t)bits, 1}, 1, LIST(4), LIST(1));
      const bool right = bits == (code == kDLFloat4_e2m1fn ? 4 : 6);
      EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRUCTURE, NULL), right ? DLF_OK : DLF_DTYPE);
    }
  }
}

static void test_small_print__another_byte_order_is_refused_by_name(void) {
  static const char *const kinds[] = {"f4", "i2", "c16"};
  const uint16_t one = 1;
  char header[128], text[160];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    dlf_tensor *t = (dlf_tensor *)&t;
    char name[8]; /* the order that this machine has not */
    snprintf(name, sizeof name, "%c%s", *(const char *)&one ? '>' : '<', kinds[i]);
    const int length =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }\n", name);
    FILE *file = fopen(path, "wb");
    if (!file) abort();
    fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    fputc(length, file);
    fputc(0, file);
    fprintf(file, "%s0123456789abcdef", header);
    fclose(file);
    snprintf(text, sizeof text, "npy_open: expected the byte order of this machine, got '%s'", name);
    EXPECT_FAILS(dlf_npy_open(path, &t, &error), DLF_UNSUPPORTED, text);
    EXPECT(t == NULL);
  }
}

/* ---- required fields of a tensor ---- */

static void test_small_print__is_copied_means_sole_ownership(void) {
  static float source[] = {1, 2, 3, 4};
  dlf_tensor *t = NULL, *copy = NULL, *view = NULL, *part = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){source, cpu, 1, f32, LIST(4), NULL, 0}, READ_ONLY, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack_copy(t, &m, NULL), DLF_OK);
  EXPECT_INT(m->flags, COPIED); /* not read-only: the consumer is the only owner */
  EXPECT_INT(dlf_from_dlpack(m, &copy, NULL), DLF_OK);
  EXPECT_INT(dlf_slice(copy, 0, 1, 3, 1, &part, NULL), DLF_OK);
  EXPECT_INT(dlf_reshape(part, LIST(3, 1), 2, &view, NULL), DLF_OK);
  EXPECT_INT(dlf_flags(view), COPIED);
  /* A function that writes takes the view, and refuses the original. */
  const dlf_parameter out = {"out", DLF_PARAMETER_OUTPUT};
  dlf_contract *contract = NULL;
  EXPECT_INT(dlf_contract_compile("out: inout f32[...]", "fill", &out, 1, sizeof(dlf_parameter), &contract, NULL),
             DLF_OK);
  dlf_value value = {.tensor = arg(dlf_dltensor(view), dlf_flags(view))};
  EXPECT_INT(dlf_contract_match(contract, &value, sizeof(dlf_value), NULL), DLF_OK);
  value.tensor = arg(dlf_dltensor(t), dlf_flags(t));
  EXPECT_INT(dlf_contract_match(contract, &value, sizeof(dlf_value), NULL), DLF_READ_ONLY);
  dlf_contract_free(contract);
  ((float *)dlf_data(dlf_dltensor(view)))[0] = 20;
  EXPECT(source[1] == 2.0F && ((float *)dlf_data(dlf_dltensor(copy)))[1] == 20.0F);
  dlf_release(view);
  dlf_release(part);
  dlf_release(copy);
  dlf_release(t);
}

static void test_small_print__host_memory_has_device_id_0(void) {
  static const DLDeviceType host[] = {kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged};
  static _Alignas(256) float aligned[64];
  DLTensor t = tensor_of(f32, 1, LIST(4), LIST(1));
  dlf_tensor *made = NULL;
  t.data = aligned;
  for (size_t i = 0; i < sizeof host / sizeof *host; i++) {
    t.device = (DLDevice){host[i], 0};
    EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
    t.device.device_id = 1;
    EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_DEVICE);
    EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK); /* harmless, so only the letter minds */
  }
  t.device = (DLDevice){kDLCUDA, 1};
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  EXPECT_FAILS(dlf_create(f32, 1, LIST(4), (DLDevice){kDLCPU, 1}, &made, &error), DLF_UNSUPPORTED,
               "create: expected device cpu, got cpu:1");
}

static void test_small_print__no_elements_means_null_data(void) {
  static float source[8];
  for (int32_t axis = 0; axis < 2; axis++) {
    dlf_tensor *t = NULL, *none = NULL;
    DLManagedTensorVersioned *m = NULL;
    DLManagedTensor *old = NULL;
    EXPECT_INT(dlf_wrap(&(DLTensor){source, cpu, 2, f32, LIST(2, 4), NULL, 0}, 0, NULL, NULL, &t, NULL), DLF_OK);
    EXPECT_INT(dlf_slice(t, axis, 1, 0, 1, &none, NULL), DLF_OK);
    EXPECT_INT(dlf_to_dlpack(none, &m, NULL), DLF_OK);
    EXPECT(m->dl_tensor.data == NULL && m->dl_tensor.byte_offset == 0 && m->dl_tensor.strides != NULL);
    EXPECT_INT(dlf_check(&m->dl_tensor, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
    EXPECT_INT(dlf_to_dlpack_legacy(none, &old, NULL), DLF_OK);
    EXPECT(old->dl_tensor.data == NULL && old->dl_tensor.byte_offset == 0);
    dlf_dlpack_release(m);
    dlf_dlpack_release_legacy(old);
    dlf_release(none);
    dlf_release(t);
    EXPECT_INT(dlf_create(f32, 2, LIST(3, 0), cpu, &t, NULL), DLF_OK);
    EXPECT(dlf_dltensor(t)->data == NULL);
    dlf_release(t);
  }
}

static void test_small_print__no_dimensions_means_null_shape_and_strides(void) {
  static float source = 3;
  int64_t nothing[1] = {7};
  char text[80];
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  DLManagedTensor given = {{&source, cpu, 0, f32, nothing, nothing, 0}, NULL, NULL}; /* allowed, so it must be taken */
  EXPECT_INT(dlf_from_dlpack_legacy(&given, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->shape == NULL && dlf_dltensor(t)->strides == NULL);
  dlf_format(dlf_dltensor(t), 0, text, sizeof text);
  EXPECT_TEXT(text, "float32[] cpu\n3.");
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.shape == NULL && m->dl_tensor.strides == NULL && m->dl_tensor.data == &source);
  EXPECT_INT(dlf_to_dlpack_legacy(t, &old, NULL), DLF_OK);
  EXPECT(old->dl_tensor.shape == NULL && old->dl_tensor.strides == NULL && old->dl_tensor.data == &source);
  dlf_dlpack_release(m);
  dlf_dlpack_release_legacy(old);
  dlf_release(t);
}

/* ---- the exchange table ---- */

/* A header that ends where the readable memory ends: a look at any slot crashes. */
static DLPackExchangeAPIHeader *header_at_the_edge(uint32_t major, DLPackExchangeAPIHeader *older) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0) abort();
  DLPackExchangeAPIHeader *header = (DLPackExchangeAPIHeader *)(void *)(memory + page) - 1;
  *header = (DLPackExchangeAPIHeader){{major, 0}, older};
  return header;
}

static void let_go_of_header(DLPackExchangeAPIHeader *header) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (munmap((char *)(header + 1) - page, 2 * page) != 0) abort();
}

static void test_small_print__the_tables_major_version_comes_before_any_slot(void) {
  const DLPackExchangeAPI *api = NULL;
  DLPackExchangeAPI ours = *dlf_exchange_api();
  DLPackExchangeAPIHeader *newer = header_at_the_edge(2, NULL), *newest = header_at_the_edge(3, newer);
  EXPECT_FAILS(dlf_exchange_find(newest, &api, &error), DLF_VERSION,
               "exchange_find: expected a table of DLPack major version 1, got 3");
  EXPECT(api == NULL);
  newer->prev_api = &ours.header;
  EXPECT_INT(dlf_exchange_find(newest, &api, NULL), DLF_OK);
  EXPECT(api == &ours);
  ours.header.version.minor = 99; /* a minor may be any */
  EXPECT_INT(dlf_exchange_find(newest, &api, NULL), DLF_OK);
  let_go_of_header(newest);
  let_go_of_header(newer);
}

static void test_small_print__the_table_and_its_names_live_as_long_as_the_process(void) {
  /* Constants: a capsule keeps the pointer to its name, and a consumer the pointer to the table. */
  static const char *const names[] = {DLF_EXCHANGE_CAPSULE, DLF_EXCHANGE_ATTRIBUTE, DLF_EXCHANGE_ATTRIBUTE_OLD};
  EXPECT_TEXT(names[0], "dlpack_exchange_api");
  EXPECT_TEXT(names[1], "__dlpack_c_exchange_api__");
  EXPECT_TEXT(names[2], "__c_dlpack_exchange_api__");
  const DLPackExchangeAPI *api = dlf_exchange_api();
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create(f32, 1, LIST(2), cpu, &t, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(dlf_exchange_api() == api && api->header.prev_api == NULL);
  EXPECT(dlf_version() == dlf_version() && dlf_status_name(DLF_OK) == dlf_status_name(DLF_OK));
}

int main(void) {
  if (!mkdtemp(folder)) abort();
  snprintf(path, sizeof path, "%s/a.npy", folder);
  RUN(test_small_print__packed_element_i_lies_at_bit_i_times_bits);
  RUN(test_small_print__packed_values_are_read_from_the_lowest_bit);
  RUN(test_small_print__packed_lanes_follow_each_other_within_their_element);
  RUN(test_small_print__the_headers_data_size_is_the_padded_one);
  RUN(test_small_print__padded_elements_take_whole_bytes);
  RUN(test_small_print__fp6_and_fp4_of_another_width_stop_the_import);
  RUN(test_small_print__another_byte_order_is_refused_by_name);
  RUN(test_small_print__is_copied_means_sole_ownership);
  RUN(test_small_print__host_memory_has_device_id_0);
  RUN(test_small_print__no_elements_means_null_data);
  RUN(test_small_print__no_dimensions_means_null_shape_and_strides);
  RUN(test_small_print__the_tables_major_version_comes_before_any_slot);
  RUN(test_small_print__the_table_and_its_names_live_as_long_as_the_process);
  remove(path);
  rmdir(folder);
  return test_end();
}
