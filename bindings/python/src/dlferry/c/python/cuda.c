/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's driver, which a framework has loaded if there are tensors on such devices: nothing here
 * links or loads it. */
#include "base.h"

/* Each returns 0 for success. */
typedef struct driver {
  int (*device)(int *out, int ordinal);
  int (*state)(int device, unsigned *flags, int *active);
  int (*retain)(void **context, int device);
  int (*release)(int device);
  int (*push)(void *context);
  int (*pop)(void **context);
  int (*create)(void **event, unsigned flags);
  int (*record)(void *event, void *stream);
  int (*wait)(void *stream, void *event, unsigned flags);
  int (*destroy)(void *event);
} driver;

/* Looked up for each wait: nothing is shared between threads. */
static bool find_driver(driver *cuda) {
  void *library = dlfpy_find_loaded("libcuda.so.1");
  if (!library) {
    library = dlfpy_find_loaded("nvcuda.dll");
  }
  return library && dlfpy_find_symbol(library, "cuDeviceGet", &cuda->device) &&
         dlfpy_find_symbol(library, "cuDevicePrimaryCtxGetState", &cuda->state) &&
         dlfpy_find_symbol(library, "cuDevicePrimaryCtxRetain", &cuda->retain) &&
         dlfpy_find_symbol(library, "cuDevicePrimaryCtxRelease_v2", &cuda->release) &&
         dlfpy_find_symbol(library, "cuCtxPushCurrent_v2", &cuda->push) &&
         dlfpy_find_symbol(library, "cuCtxPopCurrent_v2", &cuda->pop) &&
         dlfpy_find_symbol(library, "cuEventCreate", &cuda->create) &&
         dlfpy_find_symbol(library, "cuEventRecord", &cuda->record) &&
         dlfpy_find_symbol(library, "cuStreamWaitEvent", &cuda->wait) &&
         dlfpy_find_symbol(library, "cuEventDestroy_v2", &cuda->destroy);
}

static bool wait_in_context(const driver *cuda, void *stream) {
  enum { WITHOUT_TIME = 2 };
  void *const legacy = (void *)(uintptr_t)1;
  void *event;
  if (cuda->create(&event, WITHOUT_TIME)) {
    return false;
  }
  const bool waits = !cuda->record(event, legacy) && !cuda->wait(stream, event, 0);
  (void)cuda->destroy(event); /* it lives until the wait is over */
  return waits;
}

/* Frameworks work in the device's primary context. One that nothing has begun has no streams, and
 * beginning it would take the device's memory. */
bool dlfpy_cuda_wait(int32_t device_id, int64_t stream) {
  enum { THREADS_DEFAULT = 2, NO_ADDRESS = 4096 };
  int device, active;
  unsigned flags;
  void *context;
  driver cuda;
  if (stream != THREADS_DEFAULT && stream < NO_ADDRESS) {
    return false; /* the driver would follow it as a pointer */
  }
  if (!find_driver(&cuda) || cuda.device(&device, device_id)) {
    return false;
  }
  if (cuda.state(device, &flags, &active) || !active || cuda.retain(&context, device)) {
    return false;
  }
  bool waits = false;
  if (!cuda.push(context)) {
    waits = wait_in_context(&cuda, (void *)(intptr_t)stream);
    (void)cuda.pop(&context);
  }
  (void)cuda.release(device);
  return waits;
}
