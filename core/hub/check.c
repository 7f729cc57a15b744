/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

/* The touched addresses must not wrap around: pointer arithmetic on them would be meaningless.
 * Handles of other devices are not addresses. */
static dlf_status check_addresses(const char *name, const DLTensor *tensor, int64_t low,
                                  int64_t high, dlf_error *error) {
  uintptr_t base, first, end;
  /* The builtins add exactly: a cast to a pointer's width would lose the upper half of an offset.
   */
  if (!__builtin_add_overflow((uintptr_t)tensor->data, tensor->byte_offset, &base) &&
      !__builtin_add_overflow(base, low, &first) && !__builtin_add_overflow(base, high, &end) &&
      first != 0) { /* no element may lie at address 0 */
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_OVERFLOW,
                   "%s: expected data inside the address space, got bytes %" PRId64 " to %" PRId64
                   " around 0x%" PRIxPTR " + %" PRIu64,
                   name,
                   low,
                   high,
                   (uintptr_t)tensor->data,
                   tensor->byte_offset);
}

dlf_status dlf__check_description(const char *name, const DLTensor *tensor, uint64_t flags,
                                  int64_t *low, int64_t *high, dlf_error *error) {
  *low = *high = 0;
  dlf_status status = dlf__check_shape(name, tensor->ndim, tensor->shape, error);
  if (!status) {
    status = dlf__check_dtype(name, tensor->dtype, error);
  }
  if (status) {
    return status;
  }
  if (tensor->device.device_id < 0) {
    return dlf__fail(error,
                     DLF_DEVICE,
                     "%s: expected a device id of 0 or more, got %d",
                     name,
                     tensor->device.device_id);
  }
  return dlf__byte_range(name, tensor, flags, low, high, error);
}

dlf_status dlf__look_closely(const char *name, const DLTensor *tensor, uint64_t flags,
                             dlf_error *error) {
  int64_t low, high;
  if (!tensor) {
    return dlf__no_tensor(name, error);
  }
  const dlf_status status = dlf__check_description(name, tensor, flags, &low, &high, error);
  if (status || low == high) {
    return status; /* an empty tensor touches nothing */
  }
  if (!tensor->data) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected data for %" PRId64 " bytes, got NULL", name, high - low);
  }
  if (dlf__is_host(tensor->device)) {
    return check_addresses(name, tensor, low, high, error);
  }
  return DLF_OK;
}

dlf_status dlf__check(const char *name, const DLTensor *tensor, uint64_t flags, dlf_error *error) {
  if (tensor && dlf__is_plainly_sound(tensor)) {
    return DLF_OK;
  }
  return dlf__look_closely(name, tensor, flags, error);
}

/* Check the rules of DLPack 1.3 that safety does not need, of a sound tensor; many producers break
 * them. */
DLF__COLD static dlf_status check_strict(const char *name, const DLTensor *tensor,
                                         dlf_error *error) {
  char device[DLF_NAME_CAPACITY];
  if (tensor->ndim > 0 && !tensor->strides) {
    return dlf__fail(
        error,
        DLF_INVALID,
        "%s: expected strides for %d dimensions (DLPack 1.2, DLTensor.strides), got NULL",
        name,
        tensor->ndim);
  }
  if (tensor->data && dlf__is_empty(tensor)) {
    return dlf__fail(
        error,
        DLF_INVALID,
        "%s: expected NULL data for a tensor without elements (DLPack 1.3, DLTensor.data), "
        "got an address",
        name);
  }
  if ((uintptr_t)tensor->data % 256 != 0) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected data aligned to 256 bytes (DLPack 1.3, DLTensor.data), got an "
                     "address %d past one",
                     name,
                     (int)((uintptr_t)tensor->data % 256));
  }
  if (dlf__is_host(tensor->device) && tensor->device.device_id != 0) {
    dlf_device_format(tensor->device, device, sizeof device);
    return dlf__fail(
        error,
        DLF_DEVICE,
        "%s: expected device id 0 for host memory (DLPack 1.3, DLDevice.device_id), got %s",
        name,
        device);
  }
  return DLF_OK;
}

static dlf_status check_at(const char *name, const DLTensor *tensor, uint64_t flags, int32_t level,
                           dlf_error *error) {
  if (level != DLF_CHECK_STRUCTURE && level != DLF_CHECK_STRICT) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected a level from 0 to 1, got %" PRId32, name, level);
  }
  const dlf_status status = dlf__check(name, tensor, flags, error);
  if (status || level == DLF_CHECK_STRUCTURE) {
    return status;
  }
  return check_strict(name, tensor, error);
}

dlf_status dlf_check(const DLTensor *tensor, uint64_t flags, int32_t level, dlf_error *error) {
  return check_at("check", tensor, flags, level, error);
}

dlf_status dlf__check_version(const char *name, const DLManagedTensorVersioned *managed,
                              dlf_error *error) {
  if (!managed) {
    return dlf__missing(name, "a managed tensor", error);
  }
  /* DLPack 1.0: of another major version only the version and the deleter keep their places. */
  if (managed->version.major != DLF_DLPACK_MAJOR) {
    return dlf__fail(error,
                     DLF_VERSION,
                     "%s: expected DLPack major version %d, got %" PRIu32,
                     name,
                     DLF_DLPACK_MAJOR,
                     managed->version.major);
  }
  return DLF_OK;
}

/* The padded flag came with DLPack 1.1. A version that we do not know may name any flag. */
static uint64_t unnamed_flags(const DLManagedTensorVersioned *managed) {
  if (managed->version.minor > DLF_DLPACK_MINOR) {
    return 0;
  }
  uint64_t named = DLF__KNOWN_FLAGS;
  if (managed->version.minor == 0) {
    named &= ~(uint64_t)DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  }
  return managed->flags & ~named;
}

dlf_status dlf_check_managed(const DLManagedTensorVersioned *managed, int32_t level,
                             dlf_error *error) {
  static const char name[] = "check_managed";
  dlf_status status = dlf__check_version(name, managed, error);
  if (!status) {
    status = check_at(name, &managed->dl_tensor, managed->flags, level, error);
  }
  if (status || level == DLF_CHECK_STRUCTURE) {
    return status;
  }
  const uint64_t unnamed = unnamed_flags(managed);
  if (unnamed) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected flags that DLPack 1.%" PRIu32 " names, got 0x%" PRIx64,
                     name,
                     managed->version.minor,
                     unnamed);
  }
  if (managed->manager_ctx && !managed->deleter) {
    return dlf__missing(name, "a deleter for the manager_ctx", error);
  }
  return DLF_OK;
}
