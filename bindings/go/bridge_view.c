/* SPDX-License-Identifier: Apache-2.0 */
/* Views and copies that come back as a new handle, and Python objects. */
#include "bridge.h"

static dlf_tensor *tensor_of(uintptr_t self) {
  return (dlf_tensor *)self;
}

dlf_status dlfgo_view(dlfgo_plain make, uintptr_t self, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(make(tensor_of(self), &view, error), &view, out);
}

dlf_status dlfgo_view_on_axis(dlfgo_on_axis make, uintptr_t self, int64_t axis, dlfgo_handle *out,
                              dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(make(tensor_of(self), axis, &view, error), &view, out);
}

dlf_status dlfgo_view_on_list(dlfgo_on_list make, uintptr_t self, const int64_t *list,
                              int64_t count, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(make(tensor_of(self), list, count, &view, error), &view, out);
}

dlf_status dlfgo_view_index(uintptr_t self, const dlf_index_item *items, int64_t count,
                            dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(dlf_index(tensor_of(self), items, count, &view, error), &view, out);
}

dlf_status dlfgo_view_slice(uintptr_t self, int64_t axis, int64_t start, int64_t count,
                            int64_t step, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(dlf_slice(tensor_of(self), axis, start, count, step, &view, error), &view, out);
}

dlf_status dlfgo_view_select(uintptr_t self, int64_t axis, int64_t index, dlfgo_handle *out,
                             dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(dlf_select(tensor_of(self), axis, index, &view, error), &view, out);
}

dlf_status dlfgo_view_bitcast(uintptr_t self, uint32_t dtype, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *view = NULL;
  return dlfgo_fill(dlf_bitcast(tensor_of(self), dlfgo_dtype(dtype), &view, error), &view, out);
}

dlf_status dlfgo_contiguous(uintptr_t self, int32_t order, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *dense = NULL;
  return dlfgo_fill(dlf_contiguous(tensor_of(self), order, &dense, error), &dense, out);
}

dlf_status dlfgo_cast(uintptr_t self, uint32_t dtype, bool saturate, dlfgo_handle *out,
                      dlf_error *error) {
  dlf_tensor *cast = NULL;
  return dlfgo_fill(
      dlf_cast(tensor_of(self), dlfgo_dtype(dtype), saturate, &cast, error), &cast, out);
}

dlf_status dlfgo_to_device(uintptr_t self, int32_t device_type, int32_t device_id, int32_t copy,
                           dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *there = NULL;
  const DLDevice device = {(DLDeviceType)device_type, device_id};
  return dlfgo_fill(dlf_to_device(tensor_of(self), device, copy, &there, error), &there, out);
}

dlf_status dlfgo_npy_open(const char *path, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  return dlfgo_fill(dlf_npy_open(path, &tensor, error), &tensor, out);
}

dlf_status dlfgo_from_python(uintptr_t object, int32_t device_type, int32_t device_id, int32_t copy,
                             dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  dlf_import_options options = DLF_IMPORT_OPTIONS_INIT;
  options.device = (DLDevice){(DLDeviceType)device_type, device_id};
  options.copy = copy;
  return dlfgo_fill(dlf_from_python((void *)object, &options, &tensor, error), &tensor, out);
}

dlf_status dlfgo_to_python(uintptr_t self, uintptr_t like, uintptr_t *out, dlf_error *error) {
  void *object = NULL;
  const dlf_status status = dlf_to_python(tensor_of(self), (void *)like, false, &object, error);
  *out = (uintptr_t)object;
  return status;
}
