/* SPDX-License-Identifier: Apache-2.0 */
/* Name devices, and give the hub facts known only to their runtime. */
#include "example.h"

/* A runtime whose devices share all of their memory with the processor. */
static bool shares_memory(void *context, DLDevice device, const void *address) {
  (void)context, (void)device, (void)address;
  return true;
}

static int current_stream(void *context, DLDevice device, void **out) {
  *out = (char *)context + device.device_id;
  return 0;
}

/* The runtime knows which of its devices made the memory, and exports no other. */
static dlf_status check_export(void *context, const DLTensor *tensor, int32_t *device_id,
                               dlf_error *error) {
  (void)context;
  if (!tensor->data) {
    return dlf_error_set(error, DLF_DEVICE, "expected memory of a device, got NULL");
  }
  *device_id = 0;
  return DLF_OK;
}

int main(void) {
  dlf_error error;
  DLDevice device;
  char name[DLF_NAME_CAPACITY];
  float number = 5;
  TRY(dlf_device_parse("oneapi:1", &device, &error));
  EXPECT(dlf_device_equal(device, (DLDevice){kDLOneAPI, 1}));
  dlf_device_format(device, name, sizeof name);
  EXPECT(strcmp(name, "oneapi:1") == 0);

  /* Without a backend nothing is known about the device's memory. */
  const DLTensor scalar = {&number, device, 0, {kDLFloat, 32, 1}, NULL, NULL, 0};
  EXPECT(!dlf_is_cpu_accessible(device) && !dlf_is_reachable(&scalar));

  char streams[2];
  void *stream;
  dlf_backend backend = DLF_BACKEND_INIT;
  backend.is_cpu_accessible = shares_memory;
  backend.current_stream = current_stream;
  backend.check_export = check_export;
  backend.context = streams;
  TRY(dlf_backend_register(kDLOneAPI, &backend, &error));
  EXPECT(dlf_is_cpu_accessible(device) && dlf_is_reachable(&scalar));
  EXPECT(dlf_exchange_api()->current_work_stream(kDLOneAPI, 1, &stream) == 0 &&
         stream == &streams[1]);

  dlf_tensor *tensor;
  TRY(dlf_wrap(&scalar, 0, NULL, NULL, &tensor, &error));
  TRY(dlf_export_device(tensor, &device, &error));
  EXPECT(device.device_type == kDLOneAPI && device.device_id == 0);
  dlf_release(tensor);
  return 0;
}
