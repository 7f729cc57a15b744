/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, casts and fills of existing memory, which may be a slice: the hub gets a handle of it for
 * the length of a call. */
#include "bridge.h"

/* A tensor's own handle, or a new one of a slice. */
static dlf_status hold(const dlfgo_flat *flat, uintptr_t handle, dlf_tensor **out,
                       dlf_error *error) {
  DLTensor tensor;
  *out = (dlf_tensor *)handle;
  if (handle) {
    return DLF_OK;
  }
  const dlf_arg arg = dlfgo_slice(flat, &tensor);
  return dlf_wrap(arg.tensor, arg.flags, NULL, NULL, out, error);
}

static void let_go(uintptr_t handle, dlf_tensor *held) {
  if (!handle) {
    dlf_release(held);
  }
}

dlf_status dlfgo_copy_into(dlfgo_flat source, uintptr_t from, dlfgo_flat destination, uintptr_t to,
                           dlf_error *error) {
  dlf_tensor *read = NULL, *written = NULL;
  dlf_status status = hold(&source, from, &read, error);
  if (!status) {
    status = hold(&destination, to, &written, error);
  }
  if (!status) {
    status = dlf_copy_into(read, written, error);
  }
  let_go(to, written);
  let_go(from, read);
  return status;
}

dlf_status dlfgo_cast_into(dlfgo_flat source, uintptr_t from, dlfgo_flat destination, uintptr_t to,
                           bool saturate, dlf_error *error) {
  dlf_tensor *read = NULL, *written = NULL;
  dlf_status status = hold(&source, from, &read, error);
  if (!status) {
    status = hold(&destination, to, &written, error);
  }
  if (!status) {
    status = dlf_cast_into(read, written, saturate, error);
  }
  let_go(to, written);
  let_go(from, read);
  return status;
}

dlf_status dlfgo_fill_with(dlfgo_flat destination, uintptr_t to, const dlf_number *number,
                           dlf_error *error) {
  dlf_tensor *written = NULL;
  dlf_status status = hold(&destination, to, &written, error);
  if (!status) {
    status = dlf_fill(written, number, error);
  }
  let_go(to, written);
  return status;
}
