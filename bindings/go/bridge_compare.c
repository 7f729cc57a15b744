/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a tensor and an argument, which may be a slice. */
#include "bridge.h"

static dlf_arg arg_of(uintptr_t dl, uint64_t flags) {
  return (dlf_arg){(const DLTensor *)dl, flags};
}

dlf_status dlfgo_compare(dlfgo_comparison function, uintptr_t dl, uint64_t flags,
                         dlfgo_flat argument, bool *out, dlf_error *error) {
  dlfgo_room room;
  return function(arg_of(dl, flags), dlfgo_arg(&argument, &room), out, error);
}

dlf_status dlfgo_all_close(uintptr_t dl, uint64_t flags, dlfgo_flat argument, double rtol,
                           double atol, bool equal_nan, bool *out, dlf_error *error) {
  dlfgo_room room;
  return dlf_all_close(
      arg_of(dl, flags), dlfgo_arg(&argument, &room), rtol, atol, equal_nan, out, error);
}

bool dlfgo_overlap(uintptr_t dl, uint64_t flags, dlfgo_flat argument) {
  dlfgo_room room;
  return dlf_overlap(arg_of(dl, flags), dlfgo_arg(&argument, &room));
}

dlf_status dlfgo_read(uintptr_t dl, uint64_t flags, const int64_t *index, int32_t lane,
                      dlf_number *out, dlf_error *error) {
  return dlf_read(arg_of(dl, flags), index, lane, out, error);
}

dlf_status dlfgo_contains(uintptr_t dl, uint64_t flags, const dlf_number *number, bool *out,
                          dlf_error *error) {
  return dlf_contains(arg_of(dl, flags), number, out, error);
}

dlf_status dlfgo_npy_save(dlfgo_flat tensor, const char *path, dlf_error *error) {
  dlfgo_room room;
  return dlf_npy_save(dlfgo_arg(&tensor, &room), path, error);
}

/* Only a consumer that asks for the old structure gets one: a version 0 without that is refused. */
dlf_status dlfgo_export_as(uintptr_t self, const dlf_export_options *options, bool legacy,
                           uintptr_t *out, dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  DLManagedTensor *old = NULL;
  const dlf_status status =
      dlf_export((dlf_tensor *)self, options, &managed, legacy ? &old : NULL, error);
  if (legacy) {
    *out = (uintptr_t)old;
  } else {
    *out = (uintptr_t)managed;
  }
  return status;
}
