/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of dpctl's C library that the hub calls, over devices that few machines have: three
 * platforms, a root device with a part, one without a default context. tests/peers tests the
 * library itself. Each object given is a block of its own, so that a sanitizer sees one that is
 * deleted twice or never. */
#include "dpctl_stand_in.h"

#include <stdbool.h>
#include <stdlib.h>

#define API __attribute__((visibility("default")))

#ifdef DPCTL_WITHOUT
API int DPCTLDeviceMgr_GetDevices(int kinds);
int DPCTLDeviceMgr_GetDevices(int kinds) {
  return kinds;
}
#else

enum { ROOTS = 4, PART_OF_1 = 10, UNLISTED = 20, NOWHERE = -1, NO_CONTEXT = -2 };

/* One array for each allocation, with its context (a platform's number), device and kind. */
static char memory[USM_COUNT][64];
static const struct {
  int context, device, kind;
} allocations[USM_COUNT] = {
    [USM_DEVICE_0] = {0, 0, 1},
    [USM_SHARED_0] = {0, 0, 2},
    [USM_HOST_0] = {0, 0, 3},
    [USM_DEVICE_1] = {0, 1, 1},
    [USM_SHARED_PART] = {0, PART_OF_1, 2},
    [USM_SHARED_2] = {1, 2, 2},
    [USM_OTHER_CONTEXT] = {NO_CONTEXT, 0, 2},
    [USM_UNLISTED] = {0, UNLISTED, 2},
    [USM_NOWHERE] = {0, NOWHERE, 2},
};

static int given;

static void *give(int number) {
  int *object = malloc(sizeof *object);
  if (!object) {
    abort();
  }
  *object = number;
  given++;
  return object;
}

static void take(void *object) {
  free(object);
  given--;
}

static int number_of(const void *object) {
  return *(const int *)object;
}

API void *stand_in_memory(int which) {
  return memory[which];
}
API int stand_in_given(void) {
  return given;
}

API void *DPCTLDeviceMgr_GetDevices(int kinds) {
  return give(kinds == 63 ? ROOTS : 0);
}
API size_t DPCTLDeviceVector_Size(void *vector) {
  return (size_t)number_of(vector);
}
API void *DPCTLDeviceVector_GetAt(void *vector, size_t i) {
  return (int)i < number_of(vector) ? give((int)i) : NULL;
}
API void DPCTLDeviceVector_Delete(void *vector) {
  take(vector);
}

API void *DPCTLDevice_GetParentDevice(const void *device) {
  return number_of(device) == PART_OF_1 ? give(1) : NULL;
}
API void *DPCTLDevice_GetPlatform(const void *device) {
  static const int platforms[ROOTS] = {0, 0, 1, 2};
  return give(platforms[number_of(device)]);
}
API bool DPCTLDevice_AreEq(const void *a, const void *b) {
  return number_of(a) == number_of(b);
}
API void DPCTLDevice_Delete(void *device) {
  take(device);
}

API void *DPCTLPlatform_GetDefaultContext(const void *platform) {
  return number_of(platform) == 2 ? NULL : give(number_of(platform));
}
API void DPCTLPlatform_Delete(void *platform) {
  take(platform);
}
API void DPCTLContext_Delete(void *context) {
  take(context);
}

static int find(const void *address, const void *context) {
  const char *at = address;
  for (int i = 0; i < USM_COUNT; i++) {
    if (at >= memory[i] && at < memory[i] + sizeof memory[i] &&
        allocations[i].context == number_of(context)) {
      return i;
    }
  }
  return USM_COUNT;
}

API int DPCTLUSM_GetPointerType(const void *address, const void *context) {
  const int i = find(address, context);
  return i < USM_COUNT ? allocations[i].kind : 0;
}

API void *DPCTLUSM_GetPointerDevice(const void *address, const void *context) {
  const int i = find(address, context);
  return i < USM_COUNT && allocations[i].device != NOWHERE ? give(allocations[i].device) : NULL;
}
#endif
