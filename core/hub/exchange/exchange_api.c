/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange table of DLPack 1.3 over handles. Slots may not throw, and SetError is their only
 * error channel. */
#include "hub/internal.h"

const char *dlf__exception_of(dlf_status status) {
  switch (status) {
  case DLF_INVALID:
  case DLF_SHAPE:
    return "ValueError";
  case DLF_OVERFLOW:
    return "OverflowError";
  case DLF_DTYPE:
    return "TypeError";
  case DLF_NO_MEMORY:
    return "MemoryError";
  case DLF_UNSUPPORTED:
    return "NotImplementedError";
  default:
    return "BufferError";
  }
}

dlf_status dlf__take_dlpack(DLManagedTensorVersioned *owned, dlf_tensor **out, dlf_error *error) {
  const dlf_status status = dlf_from_dlpack(owned, out, error);
  if (status) {
    dlf_dlpack_release(owned);
  }
  return status;
}

int dlf__exchange_allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
                           void (*SetError)(void *error_ctx, const char *kind,
                                            const char *message)) {
  dlf_tensor *tensor = NULL;
  dlf_error error = {0};
  dlf_status status;
  if (out) {
    *out = NULL;
  }
  if (!prototype || !out) {
    status = dlf__missing("create", "a prototype and a place for the tensor", &error);
  } else {
    status = dlf_create(
        prototype->dtype, prototype->ndim, prototype->shape, prototype->device, &tensor, &error);
  }
  if (!status) {
    status = dlf_to_dlpack(tensor, out, &error);
  }
  dlf_release(tensor);
  if (!status) {
    return 0;
  }
  if (SetError) {
    SetError(error_ctx, dlf__exception_of(status), error.message);
  }
  return -1;
}

static int from_object(void *object, DLManagedTensorVersioned **out) {
  if (out && dlf_to_dlpack(object, out, NULL) == DLF_OK) {
    return 0;
  }
  return -1;
}

static int to_object(DLManagedTensorVersioned *tensor, void **out_object) {
  dlf_tensor *self;
  if (out_object && dlf_from_dlpack(tensor, &self, NULL) == DLF_OK) {
    *out_object = self;
    return 0;
  }
  if (out_object) {
    *out_object = NULL;
  }
  dlf_dlpack_release(
      tensor); /* the specification is silent here: ours takes the tensor even on failure */
  return -1;
}

static int describe_object(void *object, DLTensor *out) {
  if (!object || !out) {
    return -1;
  }
  /* The slot passes no flags, and these change how elements lie. */
  const uint64_t flags = dlf_flags(object);
  const bool odd = dlf__element_bits(dlf_dltensor(object)->dtype) % 8 != 0;
  if (dlf__unknown_flags(flags) || (odd && flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)) {
    return -1;
  }
  DLDevice device;
  if (dlf_export_device(object, &device, NULL)) {
    return -1;
  }
  *out = *dlf_dltensor(object);
  out->device = device;
  dlf__clear_if_empty(out);
  return 0;
}

int dlf__exchange_stream(DLDeviceType type, int32_t id, void **out_stream) {
  if (!out_stream) {
    return -1;
  }
  /* Host memory has no stream, but a backend may know which one uses pinned or managed memory. */
  if (dlf__backend_stream((DLDevice){type, id}, out_stream) == 0 ||
      dlf__is_host((DLDevice){type, id})) {
    return 0;
  }
  return -1;
}

const DLPackExchangeAPI *dlf_exchange_api(void) {
  static const DLPackExchangeAPI table = {
      .header = {.version = {DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR}},
      .managed_tensor_allocator = dlf__exchange_allocate,
      .managed_tensor_from_py_object_no_sync = from_object,
      .managed_tensor_to_py_object_no_sync = to_object,
      .dltensor_from_py_object_no_sync = describe_object,
      .current_work_stream = dlf__exchange_stream,
  };
  return &table;
}
