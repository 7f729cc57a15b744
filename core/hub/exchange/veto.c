/* SPDX-License-Identifier: Apache-2.0 */
/* A device's backend decides on imports and exports. */
#include "veto.h"

/* Ask a backend's function about a tensor; its text gets the name of the hub's function. */
dlf_status dlf__ask_backend(const char *name, dlf__direction direction, const DLTensor *tensor,
                            int32_t *id, dlf_error *error) {
  const dlf_backend *backend = dlf__backend_of((int32_t)tensor->device.device_type);
  dlf_status (*check)(void *, const DLTensor *, int32_t *, dlf_error *) = NULL;
  if (backend) {
    check = direction == DLF__IMPORT ? backend->check_import : backend->check_export;
  }
  if (!check) {
    return DLF_OK;
  }
  char device[DLF_NAME_CAPACITY];
  dlf_error said = {0};
  const dlf_status status = check(backend->context, tensor, id, &said);
  if (!status && *id >= 0) {
    return DLF_OK;
  }
  dlf_device_format(tensor->device, device, sizeof device);
  if (!status) {
    return dlf__fail(error,
                     DLF_FOREIGN,
                     "%s: expected a device id of 0 or more from the backend of %s, got %" PRId32,
                     name,
                     device,
                     *id);
  }
  if (said.message[0] == '\0') {
    (void)dlf__fail(
        &said, status, "expected data that the backend of %s accepts, got other", device);
  }
  return dlf__fail(error, status, "%s: %s", name, said.message);
}

dlf_status dlf_export_device(const dlf_tensor *self, DLDevice *out, dlf_error *error) {
  if (out) {
    *out = (DLDevice){(DLDeviceType)0, 0};
  }
  if (!self) {
    return dlf__no_tensor("export_device", error);
  }
  if (!out) {
    return dlf__no_place("export_device", error);
  }
  int32_t id;
  const dlf_status status = dlf__veto("export_device", DLF__EXPORT, &self->dl, &id, error);
  if (!status) {
    *out = (DLDevice){self->dl.device.device_type, id};
  }
  return status;
}
