/* SPDX-License-Identifier: Apache-2.0 */
/* The consumer's side of the exchange table: tables of any framework, none of them trusted. */
#include "veto.h"

#define CHAIN_AT_MOST 16 /* older tables walked; bounds a circular chain */

dlf_status dlf_exchange_find(const void *table, const DLPackExchangeAPI **out, dlf_error *error) {
  const DLPackExchangeAPIHeader *header = table;
  if (!out) {
    return dlf__no_place("exchange_find", error);
  }
  *out = NULL;
  if (!table) {
    return dlf__missing("exchange_find", "a table", error);
  }
  /* Older producers give a number, and any number may be given: no table lies in the first page, or
   * between words. */
  if ((uintptr_t)table < 4096 || (uintptr_t)table % _Alignof(DLPackExchangeAPI) != 0) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "exchange_find: expected the address of a table, got 0x%" PRIxPTR,
                     (uintptr_t)table);
  }
  /* DLPack 1.3: check the major version before reading any slot. */
  for (int i = 0; header && header->version.major != DLF_DLPACK_MAJOR && i < CHAIN_AT_MOST; i++) {
    header = header->prev_api;
  }
  if (!header || header->version.major != DLF_DLPACK_MAJOR) {
    return dlf__fail(error,
                     DLF_VERSION,
                     "exchange_find: expected a table of DLPack major version %d, got %" PRIu32,
                     DLF_DLPACK_MAJOR,
                     ((const DLPackExchangeAPIHeader *)table)->version.major);
  }
  const DLPackExchangeAPI *api = (const DLPackExchangeAPI *)header;
  if (!api->managed_tensor_allocator || !api->managed_tensor_from_py_object_no_sync ||
      !api->managed_tensor_to_py_object_no_sync || !api->current_work_stream) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "exchange_find: expected the four required functions, got NULL for one");
  }
  *out = api;
  return DLF_OK;
}

dlf_status dlf_exchange_import(const DLPackExchangeAPI *api, void *object, dlf_tensor **out,
                               dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  if (!out) {
    return dlf__no_place("exchange_import", error);
  }
  *out = NULL;
  if (!api || !object) {
    return dlf__missing("exchange_import", "a table and an object", error);
  }
  if (api->managed_tensor_from_py_object_no_sync(object, &managed) != 0 || !managed) {
    return dlf__fail(
        error, DLF_FOREIGN, "exchange_import: expected a tensor, got the producer's failure");
  }
  return dlf__take_dlpack(managed, out, error);
}

dlf_status dlf_exchange_borrow(const DLPackExchangeAPI *api, void *object, DLTensor *out,
                               dlf_error *error) {
  if (!api || !object || !out) {
    return dlf__missing("exchange_borrow", "a table, an object and a place", error);
  }
  *out = (DLTensor){0};
  if (!api->dltensor_from_py_object_no_sync) {
    return dlf__fail(
        error, DLF_UNSUPPORTED, "exchange_borrow: expected a table that lends tensors, got NULL");
  }
  if (api->dltensor_from_py_object_no_sync(object, out) != 0) {
    return dlf__fail(
        error, DLF_FOREIGN, "exchange_borrow: expected a tensor, got the producer's failure");
  }
  int32_t id;
  dlf_status status = dlf__check("exchange_borrow", out, 0, error);
  if (!status) {
    status = dlf__veto("exchange_borrow", DLF__IMPORT, out, &id, error);
  }
  if (!status && !dlf__is_host(out->device)) {
    out->device.device_id = id;
  }
  return status;
}

dlf_status dlf_exchange_export(const DLPackExchangeAPI *api, dlf_tensor *self, void **out,
                               dlf_error *error) {
  DLManagedTensorVersioned *managed;
  if (out) {
    *out = NULL;
  }
  if (!api || !out) {
    return dlf__missing("exchange_export", "a table and a place", error);
  }
  const dlf_status status = dlf_to_dlpack(self, &managed, error);
  if (status) {
    return status;
  }
  /* The slot takes the tensor on success. The specification is silent about failure, so we cannot
   * know who frees: a second call of the deleter would be worse than a leak. */
  if (api->managed_tensor_to_py_object_no_sync(managed, out) == 0 && *out) {
    return DLF_OK;
  }
  *out = NULL;
  return dlf__fail(
      error, DLF_FOREIGN, "exchange_export: expected an object, got the consumer's failure");
}

/* SetError with a dlf_error as its context. Ignores the kind: every failure of a foreign allocator
 * is FOREIGN. */
static void keep_message(void *context, const char *kind, const char *message) {
  (void)kind;
  dlf__fail(context, DLF_FOREIGN, "exchange_create: %s", message ? message : "");
}

dlf_status dlf_exchange_create(const DLPackExchangeAPI *api, DLDataType dtype, int64_t ndim,
                               const int64_t *shape, DLDevice device, dlf_tensor **out,
                               dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  DLTensor prototype;
  if (!out) {
    return dlf__no_place("exchange_create", error);
  }
  *out = NULL;
  if (!api) {
    return dlf__missing("exchange_create", "a table", error);
  }
  const dlf_status status =
      dlf__describe_plain("exchange_create", dtype, ndim, shape, device, &prototype, error);
  if (status) {
    return status;
  }
  dlf_error text = {0};
  if (api->managed_tensor_allocator(&prototype, &managed, &text, keep_message) != 0 || !managed) {
    return dlf__fail(error,
                     DLF_FOREIGN,
                     "%s",
                     text.status
                         ? text.message
                         : "exchange_create: expected a tensor, got the producer's failure");
  }
  return dlf__take_dlpack(managed, out, error);
}

dlf_status dlf_exchange_stream(const DLPackExchangeAPI *api, DLDevice device, void **out,
                               dlf_error *error) {
  if (out) {
    *out = NULL;
  }
  if (!api || !out) {
    return dlf__missing("exchange_stream", "a table and a place", error);
  }
  if (api->current_work_stream(device.device_type, device.device_id, out) == 0) {
    return DLF_OK;
  }
  *out = NULL;
  return dlf__fail(
      error, DLF_FOREIGN, "exchange_stream: expected a stream, got the producer's failure");
}
