/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge.h"

DLDataType dlfgo_dtype(uint32_t dtype) {
  return (DLDataType){(uint8_t)dtype, (uint8_t)(dtype >> 8), (uint16_t)(dtype >> 16)};
}

static dlf_status wrap(const dlfgo_flat *flat, uintptr_t slot, dlf_tensor **out, dlf_error *error) {
  DLTensor tensor;
  const dlf_arg arg = dlfgo_slice(flat, &tensor);
  return dlf_wrap(arg.tensor, arg.flags, (void *)slot, dlfgo_slot_release, out, error);
}

dlf_status dlfgo_create(uint32_t dtype, int64_t ndim, const int64_t *shape, int32_t device_type,
                        int32_t device_id, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  DLDevice device = {(DLDeviceType)device_type, device_id};
  return dlfgo_fill(
      dlf_create(dlfgo_dtype(dtype), ndim, shape, device, &tensor, error), &tensor, out);
}

uintptr_t dlfgo_wrap(dlfgo_flat flat, uintptr_t slot, dlfgo_handle *out) {
  dlf_tensor *tensor = NULL;
  dlf_error error;
  const dlf_status status = dlfgo_fill(wrap(&flat, slot, &tensor, &error), &tensor, out);
  if (status) {
    return dlfgo_failed(status, &error);
  }
  return 0;
}

uintptr_t dlfgo_keep(uintptr_t self, uintptr_t slot, dlfgo_handle *out) {
  dlf_tensor *const kept = (dlf_tensor *)self;
  dlf_tensor *tensor = NULL;
  dlf_error error;
  const dlf_status status = dlf_wrap(
      dlf_dltensor(kept), dlf_flags(kept), (void *)slot, dlfgo_slot_release, &tensor, &error);
  if (dlfgo_fill(status, &tensor, out)) {
    return dlfgo_failed(status, &error);
  }
  dlf_retain(kept);
  return 0;
}

dlf_status dlfgo_export(dlfgo_flat flat, uintptr_t slot, uintptr_t *out, bool *taken,
                        dlf_error *error) {
  dlf_tensor *tensor = NULL;
  dlf_status status = wrap(&flat, slot, &tensor, error);
  *taken = !status;
  if (status) {
    return status;
  }
  DLManagedTensorVersioned *managed = NULL;
  status = dlf_into_dlpack(tensor, &managed, error);
  if (status) {
    dlf_release(tensor);
  }
  *out = (uintptr_t)managed;
  return status;
}

dlf_status dlfgo_from_dlpack(uintptr_t owned, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  return dlfgo_fill(
      dlf_from_dlpack((DLManagedTensorVersioned *)owned, &tensor, error), &tensor, out);
}

dlf_status dlfgo_from_dlpack_legacy(uintptr_t owned, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  return dlfgo_fill(dlf_from_dlpack_legacy((DLManagedTensor *)owned, &tensor, error), &tensor, out);
}

dlf_status dlfgo_to_dlpack(dlfgo_exporting function, uintptr_t self, uintptr_t *out,
                           dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  dlf_status status = function((dlf_tensor *)self, &managed, error);
  *out = (uintptr_t)managed;
  return status;
}

dlf_status dlfgo_to_dlpack_legacy(uintptr_t self, uintptr_t *out, dlf_error *error) {
  DLManagedTensor *managed = NULL;
  dlf_status status = dlf_to_dlpack_legacy((dlf_tensor *)self, &managed, error);
  *out = (uintptr_t)managed;
  return status;
}

/* Every such value is also a float: the widest ones have its range, and fewer bits. */
void dlfgo_float_decode(uint32_t dtype, float *reals, int64_t count) {
  for (int64_t bits = 0; bits < count; bits++) {
    double real = 0;
    (void)dlf_float_decode(
        dlfgo_dtype(dtype), (uint64_t)bits, &real, NULL); /* the dtype is one of ours */
    reals[bits] = (float)real;
  }
}

uint64_t dlfgo_float_encode(uint32_t dtype, double value) {
  uint64_t bits = 0;
  (void)dlf_float_encode(dlfgo_dtype(dtype), value, &bits, NULL);
  return bits;
}

dlf_status dlfgo_look(uintptr_t dl, uint64_t flags, uint32_t dtype, uint32_t how,
                      dlf_error *error) {
  dlf_elements elements;
  return dlf_look(
      (dlf_arg){(const DLTensor *)dl, flags}, dlfgo_dtype(dtype), how, &elements, error);
}

dlf_status dlfgo_check_window(const char *name, const dlfgo_extent *extent, void *memory,
                              const int64_t *shape, const int64_t *strides, dlf_error *error) {
  const dlf_window window = {.size = sizeof window,
                             .memory = memory,
                             .bytes = extent->size,
                             .dtype = dlfgo_dtype(extent->dtype),
                             .whole = extent->whole,
                             .start = extent->start,
                             .ndim = extent->ndim,
                             .shape = shape,
                             .stride_count = extent->stride_count,
                             .strides = strides,
                             .flags = extent->flags};
  DLTensor tensor;
  return dlf_check_window(name, &window, &tensor, error);
}
