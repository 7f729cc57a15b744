/* SPDX-License-Identifier: Apache-2.0 */
/* A framework's exchange table, written for a header that calls itself 1.1: prev_version_api
 * instead of prev_api. C and C++. Everything above dlferry.h knows only that header, like a
 * framework's own sources. */
#include <dlpack/dlpack.h>
#include <stdio.h>

#if DLPACK_MINOR_VERSION != 1
#error "this is for the header that has the table too early"
#endif

static float elements[3];
static int64_t shape[1] = {3}, strides[1] = {1};
static int deleted;

static void count_deleter(DLManagedTensorVersioned *self) {
  (void)self;
  deleted++;
}

static DLManagedTensorVersioned managed;

static int lend(void *object, DLTensor *out) {
  out->data = object;
  out->device.device_type = kDLCPU;
  out->device.device_id = 0;
  out->ndim = 1;
  out->dtype.code = kDLFloat;
  out->dtype.bits = 32;
  out->dtype.lanes = 1;
  out->shape = shape;
  out->strides = strides;
  out->byte_offset = 0;
  return 0;
}

static int from_object(void *object, DLManagedTensorVersioned **out) {
  managed.version.major = DLPACK_MAJOR_VERSION;
  managed.version.minor = DLPACK_MINOR_VERSION;
  managed.deleter = count_deleter;
  *out = &managed;
  return lend(object, &managed.dl_tensor);
}

static int to_object(DLManagedTensorVersioned *tensor, void **out) {
  (void)tensor;
  (void)out;
  return -1;
}

static int allocator(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                     void (*set_error)(void *context, const char *kind, const char *message)) {
  (void)prototype;
  (void)out;
  (void)context;
  (void)set_error;
  return -1;
}

static int stream(DLDeviceType type, int32_t id, void **out) {
  (void)type;
  (void)id;
  *out = NULL;
  return 0;
}

static DLPackExchangeAPI table;
static DLPackExchangeAPIHeader newer;

/* The attribute's value: a table of a future major version, before ours. */
static const void *attribute(void) {
  table.header.version.major = DLPACK_MAJOR_VERSION;
  table.header.version.minor = DLPACK_MINOR_VERSION;
  table.managed_tensor_allocator = allocator;
  table.managed_tensor_from_py_object_no_sync = from_object;
  table.managed_tensor_to_py_object_no_sync = to_object;
  table.dltensor_from_py_object_no_sync = lend;
  table.current_work_stream = stream;
  newer.version.major = DLPACK_MAJOR_VERSION + 1;
  newer.prev_version_api = &table.header;
  return &newer;
}

#include <dlferry.h>

int main(void) {
  const DLPackExchangeAPI *api = NULL;
  DLPackExchangeAPIHeader ours = {{DLF_DLPACK_MAJOR + 2, 0}, {NULL}};
  DLTensor lent;
  dlf_tensor *tensor = NULL;
  void *current = &ours;
  ours.prev_version_api = (DLPackExchangeAPIHeader *)(uintptr_t)attribute();
  if (ours.prev_api != ours.prev_version_api) {
    return 1;
  }
  if (dlf_exchange_find(&ours, &api, NULL) != DLF_OK || (const void *)api != (const void *)&table) {
    return 2;
  }
  if (api->header.prev_api || api->header.prev_version_api || api->header.version.minor != 1) {
    return 3;
  }
  printf("found");
  if (dlf_exchange_borrow(api, elements, &lent, NULL) != DLF_OK || lent.data != elements ||
      lent.shape[0] != 3) {
    return 4;
  }
  if (dlf_exchange_stream(api, lent.device, &current, NULL) != DLF_OK || current) {
    return 5;
  }
  printf(" lent");
  if (dlf_exchange_import(api, elements, &tensor, NULL) != DLF_OK ||
      dlf_dltensor(tensor)->data != elements) {
    return 6;
  }
  dlf_release(tensor);
  if (deleted != 1 || dlf_live() != 0) {
    return 7;
  }
  printf(" imported\n");
  return dlf_exchange_api()->header.prev_version_api != NULL;
}
