/* SPDX-License-Identifier: Apache-2.0 */
/* dpctl's protocol over the stand-in for its library; the library itself needs a SYCL device, see
 * tests/peers. */
#include "dpctl_stand_in.h"
#include "system.h"
#include "test.h"

#include "hub/platform.h"

static void *(*memory_of)(int which);
static int (*given)(void);

/* Enable once; false while an allocation fails. */
static bool begin(void) {
  void *library = dlf__load(DPCTL_STAND_IN);
  void *found[2] = {library ? dlf__find_symbol(library, "stand_in_memory") : NULL,
                    library ? dlf__find_symbol(library, "stand_in_given") : NULL};
  memcpy(&memory_of, &found[0], sizeof memory_of);
  memcpy(&given, &found[1], sizeof given);
  return found[0] && found[1] && dlf_oneapi_enable(DPCTL_STAND_IN, NULL) == DLF_OK;
}

static DLTensor at(int which, int32_t id) {
  static int64_t shape[1] = {2}, strides[1] = {1};
  return (DLTensor){memory_of(which), {kDLOneAPI, id}, 1, f32, shape, strides, 0};
}

static dlf_status bring(DLTensor tensor, int32_t *id, dlf_error *error) {
  DLManagedTensorVersioned m = {{1, 3}, NULL, NULL, 0, tensor};
  dlf_tensor *t = NULL;
  const dlf_status status = dlf_from_dlpack(&m, &t, error);
  *id = t ? dlf_dltensor(t)->device.device_id : -1;
  dlf_release(t);
  return status;
}

static dlf_status take_out(DLTensor tensor, int32_t *id, dlf_error *error) {
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  dlf_status status = dlf_wrap(&tensor, 0, NULL, NULL, &t, error);
  if (!status) {
    status = dlf_to_dlpack(t, &m, error);
  }
  *id = m ? m->dl_tensor.device.device_id : -1;
  dlf_dlpack_release(m);
  dlf_release(t);
  return status;
}

static void test_oneapi__needs_a_library_with_its_functions(void) {
  dlf_error said = {0};
  static const char foreign[] = "oneapi_enable: expected dpctl's C library, got: ";
  EXPECT_INT(dlf_oneapi_enable("/nowhere/libDPCTLSyclInterface.so", &said), DLF_FOREIGN);
  EXPECT(strncmp(said.message, foreign, sizeof foreign - 1) == 0);
  EXPECT_FAILS(dlf_oneapi_enable(DPCTL_WITHOUT, &error),
               DLF_UNSUPPORTED,
               "oneapi_enable: expected a library with DPCTLDeviceVector_Size, got one without");
  DLManagedTensorVersioned m = {
      {1, 3}, NULL, NULL, 0, {NULL, {kDLOneAPI, 9}, 1, f32, LIST(0), NULL, 0}};
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_OK); /* a device like any unknown one */
  dlf_release(t);
}

enum { THREADS = 8 };

static void *enable(void *context) {
  const int32_t status = dlf_oneapi_enable(DPCTL_STAND_IN, NULL);
  memcpy(context, &status, sizeof status);
  return NULL;
}

static void test_oneapi__is_enabled_once(void) {
  pthread_t threads[THREADS];
  int32_t status[THREADS];
  EXPECT(begin());
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, enable, &status[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    EXPECT_INT(status[i], DLF_OK);
  }
  EXPECT_INT(dlf_oneapi_enable("/nowhere/at/all.so", NULL), DLF_OK);
  EXPECT_INT(given(), 4 + 3); /* the root devices, and the default contexts of their platforms */
}

static void test_oneapi__import_asks_for_the_allocations_device(void) {
  int32_t id;
  EXPECT(begin());
  const int before = given();
  EXPECT_INT(bring(at(USM_DEVICE_0, 0), &id, NULL), DLF_OK);
  EXPECT_INT(id, 0);
  EXPECT_INT(bring(at(USM_SHARED_2, 2), &id, NULL), DLF_OK);
  EXPECT_INT(id, 2);
  EXPECT_INT(bring(at(USM_DEVICE_1, 0), &id, NULL),
             DLF_OK); /* another device of the same context */
  EXPECT_INT(id, 1);
  EXPECT_INT(bring(at(USM_SHARED_PART, 1), &id, NULL), DLF_OK);
  EXPECT_INT(id, 1);
  EXPECT_INT(given(), before);
}

static void test_oneapi__import_refuses(void) {
  float plain[2];
  int32_t id;
  DLTensor t;
  EXPECT(begin());
  const int before = given();
  EXPECT_FAILS(bring(at(USM_SHARED_0, 4), &id, &error),
               DLF_DEVICE,
               "from_dlpack: expected the position of one of 4 SYCL devices, got oneapi:4");
  EXPECT_INT(bring(at(USM_SHARED_0, INT32_MAX), &id, NULL), DLF_DEVICE);
  EXPECT_FAILS(bring(at(USM_SHARED_0, 2), &id, &error),
               DLF_DEVICE,
               "from_dlpack: expected data bound to the default context of the platform of "
               "oneapi:2, got a pointer that "
               "it does not know");
  EXPECT_INT(bring(at(USM_OTHER_CONTEXT, 0), &id, NULL), DLF_DEVICE);
  EXPECT_FAILS(bring(at(USM_SHARED_0, 3), &id, &error),
               DLF_DEVICE,
               "from_dlpack: expected data bound to the default context of the platform of "
               "oneapi:3, got a platform "
               "without one");
  t = at(USM_SHARED_0, 0);
  t.data = plain;
  EXPECT_INT(bring(t, &id, NULL), DLF_DEVICE);
  EXPECT_FAILS(
      bring(at(USM_UNLISTED, 0), &id, &error),
      DLF_DEVICE,
      "from_dlpack: expected data of a SYCL root device, got data of a device without one");
  EXPECT_INT(bring(at(USM_NOWHERE, 0), &id, NULL), DLF_DEVICE);
  EXPECT_INT(given(), before);
}

static void test_oneapi__export_finds_the_position(void) {
  int32_t id;
  EXPECT(begin());
  const int before = given();
  EXPECT_INT(take_out(at(USM_SHARED_0, 0), &id, NULL), DLF_OK);
  EXPECT_INT(id, 0);
  EXPECT_INT(take_out(at(USM_SHARED_PART, 0), &id, NULL), DLF_OK);
  EXPECT_INT(id, 1);
  EXPECT_INT(take_out(at(USM_SHARED_2, 0), &id, NULL), DLF_OK); /* the handle's id is wrong */
  EXPECT_INT(id, 2);
  EXPECT_INT(take_out(at(USM_HOST_0, 99), &id, NULL), DLF_OK);
  EXPECT_INT(id, 0);
  EXPECT_FAILS(take_out(at(USM_OTHER_CONTEXT, 0), &id, &error),
               DLF_DEVICE,
               "to_dlpack: expected data bound to the default context of a SYCL platform, got a "
               "pointer that none "
               "knows");
  EXPECT_INT(take_out(at(USM_UNLISTED, 0), &id, NULL), DLF_DEVICE);
  EXPECT_INT(given(), before);
}

/* A tensor without elements has no allocation to ask about, but its device must exist. */
static void test_oneapi__without_elements_only_the_device_counts(void) {
  int32_t id;
  EXPECT(begin());
  const DLTensor here = {NULL, {kDLOneAPI, 1}, 1, f32, LIST(0), NULL, 0},
                 gone = {NULL, {kDLOneAPI, 4}, 1, f32, LIST(0), NULL, 0};
  EXPECT_INT(bring(here, &id, NULL), DLF_OK);
  EXPECT_INT(id, 1);
  EXPECT_INT(take_out(here, &id, NULL), DLF_OK);
  EXPECT_INT(id, 1);
  EXPECT_INT(bring(gone, &id, NULL), DLF_DEVICE);
  EXPECT_INT(take_out(gone, &id, NULL), DLF_DEVICE);
}

static void test_oneapi__the_processor_reaches_shared_and_host_memory(void) {
  EXPECT(begin());
  const DLTensor device = at(USM_DEVICE_0, 0), shared = at(USM_SHARED_0, 0),
                 host = at(USM_HOST_0, 0), other = at(USM_SHARED_0, 2), gone = at(USM_SHARED_0, 9),
                 none = at(USM_SHARED_0, 3);
  dlf_tensor *t = NULL, *copy = NULL;
  EXPECT(!dlf_is_cpu_accessible(shared.device));
  EXPECT(!dlf_is_reachable(&device) && dlf_is_reachable(&shared) && dlf_is_reachable(&host));
  EXPECT(!dlf_is_reachable(&other) && !dlf_is_reachable(&gone) && !dlf_is_reachable(&none));
  EXPECT_INT(dlf_wrap(&device, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_FAILS(
      dlf_copy(t, &copy, &error),
      DLF_DEVICE,
      "copy: expected data that the processor can reach, got oneapi:0: move it to the CPU first");
  dlf_release(t);
  EXPECT_INT(dlf_wrap(&shared, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_copy(t, &copy, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(copy)->device.device_type, kDLCPU);
  dlf_release(t);
  dlf_release(copy);
}

int main(void) {
  if (!system_loads()) {
    return 77;
  }
  RUN(test_oneapi__needs_a_library_with_its_functions);
  RUN(test_oneapi__is_enabled_once);
  RUN(test_oneapi__import_asks_for_the_allocations_device);
  RUN(test_oneapi__import_refuses);
  RUN(test_oneapi__export_finds_the_position);
  RUN(test_oneapi__without_elements_only_the_device_counts);
  RUN(test_oneapi__the_processor_reaches_shared_and_host_memory);
  return test_end();
}
