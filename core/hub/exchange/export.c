/* SPDX-License-Identifier: Apache-2.0 */
/* Exports as a consumer asks: another device, a copy, an older structure. Python's __dlpack__ has
 * these parameters. */
#include "hub/tensor/handle.h"
#include "veto.h"

/* Decide whether data, which is at a device, must be copied to be on another. The hub copies to the
 * CPU only, and from what it can read. */
static dlf_status plan_copy(const char *name, const dlf_tensor *self, DLDevice at, DLDevice device,
                            int32_t copy, bool *out, dlf_error *error) {
  char want[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
  if (copy < DLF_COPY_IF_NEEDED || copy > DLF_COPY_NEVER) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected a copy mode from 0 to 2, got %" PRId32, name, copy);
  }
  const bool is_asked = (int32_t)device.device_type != 0;
  const bool is_elsewhere = is_asked && !dlf_device_equal(device, at);
  const bool is_possible = !is_asked || (int32_t)device.device_type == kDLCPU;
  *out = is_elsewhere || copy == DLF_COPY_ALWAYS;
  if (!*out || (!is_elsewhere && is_possible) ||
      (is_possible && copy != DLF_COPY_NEVER && dlf_is_reachable(&self->dl))) {
    return DLF_OK;
  }
  dlf_device_format(device, want, sizeof want);
  dlf_device_format(at, got, sizeof got);
  if (!is_elsewhere) {
    return dlf__fail(error, DLF_DEVICE, "%s: expected device cpu for a copy, got %s", name, want);
  }
  return dlf__fail(error, DLF_DEVICE, "%s: expected device %s, got %s", name, want, got);
}

dlf_status dlf_to_device(dlf_tensor *self, DLDevice device, int32_t copy, dlf_tensor **out,
                         dlf_error *error) {
  bool copies;
  dlf_status status = dlf__begin("to_device", self, out, error);
  if (status) {
    return status;
  }
  status = plan_copy("to_device", self, self->dl.device, device, copy, &copies, error);
  if (status) {
    return status;
  }
  if (copies) {
    return dlf_copy(self, out, error);
  }
  *out = dlf_retain(self);
  return DLF_OK;
}

/* Without a device runtime data can be handed over only on the stream where it was imported, the
 * default one. The numbers are those of Python's array API. */
static dlf_status check_stream(DLDevice at, int64_t stream, dlf_error *error) {
  const bool is_rocm = (int32_t)at.device_type == kDLROCM;
  char device[DLF_NAME_CAPACITY];
  if (stream == DLF_STREAM_NONE) {
    return DLF_OK;
  }
  dlf_device_format(at, device, sizeof device);
  /* CUDA writes managed memory too, and its consumers name their stream. */
  if (dlf_is_cpu_accessible(at) && (int32_t)at.device_type != kDLCUDAManaged) {
    return dlf__fail(
        error, DLF_INVALID, "to_dlpack: expected stream None on %s, got %" PRId64, device, stream);
  }
  if (stream < 0 || (is_rocm ? stream == 1 || stream == 2 : stream == 0)) {
    return dlf__fail(
        error, DLF_INVALID, "to_dlpack: expected a stream of %s, got %" PRId64, device, stream);
  }
  if (stream != (is_rocm ? 0 : 1)) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "to_dlpack: expected the default stream of %s, got %" PRId64,
                     device,
                     stream);
  }
  return DLF_OK;
}

/* The legacy structure cannot say read-only, so that its consumer can only share data that it may
 * write. */
static bool must_hide(const dlf_tensor *self, const dlf_export_options *o) {
  return o->max_version.major == 0 && o->copy == DLF_COPY_IF_NEEDED &&
         dlf_is_reachable(&self->dl) && (self->flags & DLPACK_FLAG_BITMASK_READ_ONLY);
}

static dlf_status export_legacy(dlf_tensor *self, bool copies, DLManagedTensor **out,
                                dlf_error *error) {
  dlf_tensor *copy = NULL;
  dlf_status status = DLF_OK;
  if (copies) {
    status = dlf_copy(self, &copy, error);
  }
  if (!status) {
    status = dlf_to_dlpack_legacy(copies ? copy : self, out, error);
  }
  dlf_release(copy);
  return status;
}

dlf_status dlf_export(dlf_tensor *self, const dlf_export_options *options,
                      DLManagedTensorVersioned **out, DLManagedTensor **legacy, dlf_error *error) {
  static const dlf_export_options usual = DLF_EXPORT_OPTIONS_INIT;
  if (!options) {
    options = &usual;
  }
  bool copies;
  if (legacy) {
    *legacy = NULL;
  }
  if (!out) {
    return dlf__no_place("export", error);
  }
  *out = NULL;
  if (!self) {
    return dlf__no_tensor("export", error);
  }
  dlf_status status =
      DLF__CHECK_STRUCT("export", dlf_export_options, options->size, sizeof *options, error);
  if (!status && options->reserved != 0) {
    status = dlf__fail(
        error, DLF_INVALID, "export: expected reserved to be 0, got %" PRId32, options->reserved);
  }
  /* Array API: stream must fit the device that the consumer asks for. */
  DLDevice at = self->dl.device;
  DLDevice target = at;
  if ((int32_t)options->device.device_type) {
    target = options->device;
  }
  /* A copy leaves the device, so that its backend has no say. */
  const bool stays = (int32_t)target.device_type != kDLCPU && options->copy != DLF_COPY_ALWAYS;
  if (!status) {
    status = check_stream(target, options->stream, error);
  }
  if (!status && stays) {
    status = dlf__veto("to_dlpack", DLF__EXPORT, &self->dl, &at.device_id, error);
  }
  if (!status) {
    status = plan_copy("to_dlpack", self, at, options->device, options->copy, &copies, error);
  }
  if (status) {
    return status;
  }
  if (options->max_version.major > 0) {
    if (copies) {
      return dlf_to_dlpack_copy(self, out, error);
    }
    return dlf_to_dlpack(self, out, error);
  }
  if (legacy) {
    return export_legacy(self, copies || must_hide(self, options), legacy, error);
  }
  return dlf__fail(
      error,
      DLF_VERSION,
      "export: expected a consumer of DLPack 1.0 or later, got maximum version 0.%" PRIu32,
      options->max_version.minor);
}

dlf_status dlf_to_dlpack_copy(dlf_tensor *self, DLManagedTensorVersioned **out, dlf_error *error) {
  dlf_tensor *copy;
  if (!out) {
    return dlf__no_place("to_dlpack_copy", error);
  }
  *out = NULL;
  dlf_status status = dlf_copy(self, &copy, error);
  if (!status) {
    status = dlf_to_dlpack(copy, out, error);
  }
  dlf_release(copy);
  if (!status) {
    (*out)->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  }
  return status;
}
