/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static const struct {
  int32_t type, id;
  const char *name;
} table[] = {
    {1, 0, "cpu"},
    {1, 2, "cpu:2"},
    {2, 0, "cuda:0"},
    {3, 0, "cuda_host:0"},
    {4, 1, "opencl:1"},
    {7, 0, "vulkan:0"},
    {8, 0, "metal:0"},
    {9, 0, "vpi:0"},
    {10, 3, "rocm:3"},
    {11, 0, "rocm_host:0"},
    {12, 0, "ext_dev:0"},
    {13, 0, "cuda_managed:0"},
    {14, 1, "oneapi:1"},
    {15, 0, "webgpu:0"},
    {16, 0, "hexagon:0"},
    {17, 0, "maia:0"},
    {18, 0, "trn:0"},
    {19, 1, "tpu:1"},
    {20, 0, "tpu_host:0"},
    {21, 0, "ascend:0"},
    {22, 0, "device(22):0"},
    {0, 7, "device(0):7"},
    {INT32_MAX, INT32_MAX, "device(2147483647):2147483647"},
};

static void test_device__names_both_ways(void) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const DLDevice device = {(DLDeviceType)table[i].type, table[i].id};
    DLDevice back;
    char text[DLF_NAME_CAPACITY];
    EXPECT_INT(dlf_device_format(device, text, sizeof text), strlen(table[i].name));
    EXPECT_TEXT(text, table[i].name);
    EXPECT_INT(dlf_device_parse(table[i].name, &back, NULL), DLF_OK);
    EXPECT_INT(back.device_type, table[i].type);
    EXPECT_INT(back.device_id, table[i].id);
  }
}

static void test_device__without_a_number_is_the_first(void) {
  DLDevice device;
  EXPECT_INT(dlf_device_parse("cuda", &device, NULL), DLF_OK);
  EXPECT_INT(device.device_type, kDLCUDA);
  EXPECT_INT(device.device_id, 0);
}

static void test_device__refuses_other_words(void) {
  static const char *const words[] = {"",
                                      "gpu",
                                      "cuda:",
                                      "cuda:-1",
                                      "cuda:1 ",
                                      "cuda1",
                                      "CPU",
                                      "cuda:2147483648",
                                      "device()",
                                      "device(20",
                                      "device(20)x",
                                      "device(-1):0",
                                      ":0"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    DLDevice device;
    EXPECT_INT(dlf_device_parse(words[i], &device, NULL), DLF_DEVICE);
  }
  DLDevice device;
  EXPECT_FAILS(dlf_device_parse("gpu:0", &device, &error),
               DLF_DEVICE,
               "device_parse: expected a device such as cpu or cuda:0, got 'gpu:0'");
}

static void test_device__refuses_null(void) {
  DLDevice device;
  EXPECT_FAILS(dlf_device_parse(NULL, &device, &error),
               DLF_INVALID,
               "device_parse: expected a name, got NULL");
  EXPECT_FAILS(dlf_device_parse("cpu", NULL, &error),
               DLF_INVALID,
               "device_parse: expected a place for the device, got NULL");
}

static void test_device__host_memory_is_accessible(void) {
  for (int type = 0; type < 40; type++) {
    const bool host =
        type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged;
    EXPECT_INT(dlf_is_cpu_accessible((DLDevice){(DLDeviceType)type, 0}), host);
  }
}

static void test_device__equal_ids_count_where_they_mean_something(void) {
  const DLDevice cuda0 = {kDLCUDA, 0}, cuda1 = {kDLCUDA, 1}, pinned = {kDLCUDAHost, 0};
  EXPECT(dlf_device_equal(cuda1, cuda1) && !dlf_device_equal(cuda0, cuda1) &&
         !dlf_device_equal(cuda0, cpu));
  EXPECT(dlf_device_equal(cpu, (DLDevice){kDLCPU, 3}) && !dlf_device_equal(cpu, pinned));
  EXPECT(dlf_device_equal((DLDevice){kDLCUDAManaged, 1}, (DLDevice){kDLCUDAManaged, 0}));
}

int main(void) {
  RUN(test_device__names_both_ways);
  RUN(test_device__without_a_number_is_the_first);
  RUN(test_device__refuses_other_words);
  RUN(test_device__refuses_null);
  RUN(test_device__host_memory_is_accessible);
  RUN(test_device__equal_ids_count_where_they_mean_something);
  return test_end();
}
