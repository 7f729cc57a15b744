/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static float memory[4] = {1, 2, 3, 4};
static const DLDevice cuda = {kDLCUDA, 1}, pinned = {kDLCUDAHost, 0},
                      anywhere = {(DLDeviceType)0, 0};

static dlf_tensor *tensor_on(DLDevice device, uint64_t flags) {
  dlf_tensor *t = NULL;
  EXPECT_INT(
      dlf_wrap(&(DLTensor){memory, device, 1, f32, LIST(4), NULL, 0}, flags, NULL, NULL, &t, NULL),
      DLF_OK);
  return t;
}

static dlf_export_options options_of(DLDevice device, dlf_copy_mode copy) {
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  options.device = device;
  options.copy = (int32_t)copy;
  return options;
}

static void test_export__asks_for_nothing_by_default(void) {
  dlf_tensor *t = tensor_on(cuda, DLPACK_FLAG_BITMASK_READ_ONLY);
  const dlf_export_options usual = DLF_EXPORT_OPTIONS_INIT, *const both[] = {NULL, &usual};
  for (int i = 0; i < 2; i++) {
    DLManagedTensorVersioned *m = NULL;
    DLManagedTensor *old = (DLManagedTensor *)(void *)memory;
    EXPECT_INT(dlf_export(t, both[i], &m, &old, NULL), DLF_OK);
    EXPECT(m->dl_tensor.data == memory && old == NULL);
    EXPECT_INT(m->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    EXPECT_INT(m->version.minor, DLF_DLPACK_MINOR);
    dlf_dlpack_release(m);
  }
  dlf_release(t);
}

static void test_export__gives_the_structure_that_the_consumer_reads(void) {
  dlf_tensor *t = tensor_on(cpu, 0);
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  for (uint32_t major = 1; major < 4; major++) { /* a consumer of 2.0 also reads older versions */
    options.max_version = (DLPackVersion){major, 0};
    EXPECT_INT(dlf_export(t, &options, &m, NULL, NULL), DLF_OK);
    EXPECT_INT(m->version.major, 1);
    dlf_dlpack_release(m);
  }
  options.max_version = (DLPackVersion){0, 8};
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_OK);
  EXPECT(m == NULL && old->dl_tensor.data == memory);
  dlf_dlpack_release_legacy(old);
  options.copy = DLF_COPY_ALWAYS;
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_OK);
  EXPECT(m == NULL && old->dl_tensor.data != memory);
  dlf_dlpack_release_legacy(old);
  EXPECT_FAILS(dlf_export(t, &options, &m, NULL, &error),
               DLF_VERSION,
               "export: expected a consumer of DLPack 1.0 or later, got maximum version 0.8");
  dlf_release(t);
  t = tensor_on(cpu, DLPACK_FLAG_BITMASK_READ_ONLY); /* which only a copy can hide */
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_OK);
  dlf_dlpack_release_legacy(old);
  options.copy = DLF_COPY_IF_NEEDED;
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_OK);
  EXPECT(old->dl_tensor.data != memory && memcmp(old->dl_tensor.data, memory, sizeof memory) == 0);
  dlf_dlpack_release_legacy(old);
  options.copy = DLF_COPY_NEVER;
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_READ_ONLY);
  EXPECT(old == NULL);
  dlf_release(t);
  t = tensor_on(cuda, DLPACK_FLAG_BITMASK_READ_ONLY); /* which the hub cannot copy */
  options.copy = DLF_COPY_IF_NEEDED;
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_READ_ONLY);
  dlf_release(t);
}

/* The device that a consumer asks for, its copy argument, and the data's device. */
static void test_export__copies_only_where_it_may_and_must(void) {
  static const struct {
    DLDevice at, asked;
    dlf_copy_mode copy;
    dlf_status status;
    bool copies;
  } rows[] = {
      {{kDLCPU, 0}, {(DLDeviceType)0, 0}, DLF_COPY_IF_NEEDED, DLF_OK, false},
      {{kDLCPU, 0}, {(DLDeviceType)0, 0}, DLF_COPY_NEVER, DLF_OK, false},
      {{kDLCPU, 0}, {(DLDeviceType)0, 0}, DLF_COPY_ALWAYS, DLF_OK, true},
      {{kDLCPU, 0}, {kDLCPU, 0}, DLF_COPY_ALWAYS, DLF_OK, true},
      {{kDLCPU, 0}, {kDLCPU, 3}, DLF_COPY_NEVER, DLF_OK, false},
      {{kDLCPU, 0}, {kDLCUDA, 1}, DLF_COPY_IF_NEEDED, DLF_DEVICE, false},
      {{kDLCUDAHost, 0}, {kDLCPU, 0}, DLF_COPY_IF_NEEDED, DLF_OK, true},
      {{kDLCUDAHost, 0}, {kDLCPU, 0}, DLF_COPY_NEVER, DLF_DEVICE, false},
      {{kDLCUDAHost, 0}, {kDLCUDAHost, 0}, DLF_COPY_IF_NEEDED, DLF_OK, false},
      {{kDLCUDAHost, 0}, {kDLCUDAHost, 0}, DLF_COPY_ALWAYS, DLF_DEVICE, false},
      {{kDLCUDA, 1}, {kDLCUDA, 1}, DLF_COPY_NEVER, DLF_OK, false},
      {{kDLCUDA, 1}, {kDLCUDA, 0}, DLF_COPY_IF_NEEDED, DLF_DEVICE, false},
      {{kDLCUDA, 1}, {kDLCPU, 0}, DLF_COPY_IF_NEEDED, DLF_DEVICE, false},
      {{kDLCUDA, 1}, {(DLDeviceType)0, 0}, DLF_COPY_ALWAYS, DLF_DEVICE, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    dlf_tensor *t = tensor_on(rows[i].at, 0), *moved = NULL;
    DLManagedTensorVersioned *m = NULL;
    const dlf_export_options options = options_of(rows[i].asked, rows[i].copy);
    EXPECT_INT(dlf_export(t, &options, &m, NULL, NULL), rows[i].status);
    EXPECT_INT(dlf_to_device(t, rows[i].asked, rows[i].copy, &moved, NULL), rows[i].status);
    EXPECT((m == NULL) == (rows[i].status != DLF_OK) &&
           (moved == NULL) == (rows[i].status != DLF_OK));
    if (m && moved) {
      EXPECT_INT(m->dl_tensor.data != memory, rows[i].copies);
      EXPECT_INT(m->flags, rows[i].copies ? DLPACK_FLAG_BITMASK_IS_COPIED : 0);
      EXPECT_INT(moved != t, rows[i].copies);
      EXPECT(memcmp(dlf_data(dlf_dltensor(moved)), memory, sizeof memory) == 0);
    }
    dlf_dlpack_release(m);
    dlf_release(moved);
    dlf_release(t);
  }
}

static void test_export__says_which_device_it_wanted(void) {
  dlf_tensor *t = tensor_on(cuda, 0), *host = tensor_on(pinned, 0), *moved;
  DLManagedTensorVersioned *m;
  dlf_export_options options = options_of(cpu, DLF_COPY_IF_NEEDED);
  EXPECT_FAILS(dlf_export(t, &options, &m, NULL, &error),
               DLF_DEVICE,
               "to_dlpack: expected device cpu, got cuda:1");
  EXPECT_FAILS(dlf_to_device(t, cpu, DLF_COPY_IF_NEEDED, &moved, &error),
               DLF_DEVICE,
               "to_device: expected device cpu, got cuda:1");
  EXPECT_FAILS(dlf_to_device(host, pinned, DLF_COPY_ALWAYS, &moved, &error),
               DLF_DEVICE,
               "to_device: expected device cpu for a copy, got cuda_host:0");
  EXPECT_FAILS(dlf_to_device(host, anywhere, 3, &moved, &error),
               DLF_INVALID,
               "to_device: expected a copy mode from 0 to 2, got 3");
  options.copy = 7;
  EXPECT_INT(dlf_export(t, &options, &m, NULL, NULL), DLF_INVALID);
  dlf_release(host);
  dlf_release(t);
}

static dlf_status on_stream(const dlf_tensor *t, int64_t stream, dlf_error *error) {
  DLManagedTensorVersioned *m = NULL;
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  options.stream = stream;
  const dlf_status status = dlf_export((dlf_tensor *)(uintptr_t)t, &options, &m, NULL, error);
  dlf_dlpack_release(m);
  return status;
}

static void test_export__hands_over_on_the_default_stream_only(void) {
  dlf_tensor *const host = tensor_on(cpu, 0), *const t = tensor_on(cuda, 0),
                    *const rocm = tensor_on((DLDevice){kDLROCM, 0}, 0),
                    *const managed = tensor_on((DLDevice){kDLCUDAManaged, 0}, 0);
  EXPECT_INT(on_stream(host, DLF_STREAM_NONE, NULL), DLF_OK);
  EXPECT_FAILS(
      on_stream(host, 1, &error), DLF_INVALID, "to_dlpack: expected stream None on cpu, got 1");
  EXPECT_INT(on_stream(t, DLF_STREAM_NONE, NULL), DLF_OK);
  EXPECT_INT(on_stream(t, 1, NULL), DLF_OK);
  EXPECT_FAILS(
      on_stream(t, 0, &error), DLF_INVALID, "to_dlpack: expected a stream of cuda:1, got 0");
  EXPECT_FAILS(on_stream(t, 2, &error),
               DLF_UNSUPPORTED,
               "to_dlpack: expected the default stream of cuda:1, got 2");
  EXPECT_INT(on_stream(t, -2, NULL), DLF_INVALID);
  /* CuPy names its stream for managed memory, too. */
  EXPECT_INT(on_stream(managed, 1, NULL), DLF_OK);
  EXPECT_INT(on_stream(managed, 0, NULL), DLF_INVALID);
  EXPECT_INT(on_stream(managed, 2, NULL), DLF_UNSUPPORTED);
  EXPECT_INT(on_stream(rocm, 0, NULL), DLF_OK);
  EXPECT_INT(on_stream(rocm, 1, NULL), DLF_INVALID);
  EXPECT_INT(on_stream(rocm, 2, NULL), DLF_INVALID);
  EXPECT_INT(on_stream(rocm, 3, NULL), DLF_UNSUPPORTED);
  /* A stream must fit the device that the consumer asks for. */
  DLManagedTensorVersioned *m = NULL;
  dlf_export_options options = options_of(cpu, DLF_COPY_IF_NEEDED);
  options.stream = 1;
  EXPECT_FAILS(dlf_export(t, &options, &m, NULL, &error),
               DLF_INVALID,
               "to_dlpack: expected stream None on cpu, got 1");
  options.device = cuda;
  EXPECT_INT(dlf_export(t, &options, &m, NULL, NULL), DLF_OK);
  dlf_dlpack_release(m);
  dlf_release(managed);
  dlf_release(rocm);
  dlf_release(t);
  dlf_release(host);
}

static void test_export__options_say_how_large_they_are(void) {
  struct {
    dlf_export_options known;
    int64_t later;
  } larger = {DLF_EXPORT_OPTIONS_INIT, 5};
  dlf_tensor *t = tensor_on(cpu, 0);
  DLManagedTensorVersioned *m = NULL;
  larger.known.size = sizeof larger;
  EXPECT_INT(dlf_export(t, &larger.known, &m, NULL, NULL), DLF_OK);
  dlf_dlpack_release(m);
  larger.known.size = 32;
  EXPECT_FAILS(dlf_export(t, &larger.known, &m, NULL, &error),
               DLF_INVALID,
               "export: expected a size of 40 bytes or more for dlf_export_options, got 32");
  larger.known.size = sizeof larger;
  larger.known.reserved = 1;
  EXPECT_FAILS(dlf_export(t, &larger.known, &m, NULL, &error),
               DLF_INVALID,
               "export: expected reserved to be 0, got 1");
  dlf_release(t);
}

int main(void) {
  RUN(test_export__asks_for_nothing_by_default);
  RUN(test_export__gives_the_structure_that_the_consumer_reads);
  RUN(test_export__copies_only_where_it_may_and_must);
  RUN(test_export__says_which_device_it_wanted);
  RUN(test_export__hands_over_on_the_default_stream_only);
  RUN(test_export__options_say_how_large_they_are);
  return test_end();
}
