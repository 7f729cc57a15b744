/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "bridge.h"

#include <errno.h>
#include <unistd.h>

/* This thread's release on behalf of Go, if one runs. Go takes kept and drains afterwards, so that most owners need
 * neither the queue nor a second call, and none a write to the pipe. */
static _Thread_local struct {
  bool runs;
  uintptr_t kept; /* an owner, or 0 */
} of_go;

static dlf_queue *queue; /* written once, before anything can be wrapped */

DLDataType dlfgo_dtype(uint32_t dtype) {
  return (DLDataType){(uint8_t)dtype, (uint8_t)(dtype >> 8), (uint16_t)(dtype >> 16)};
}

static dlf_status wrap(const dlfgo_flat *flat, uintptr_t owner, dlf_tensor **out, dlf_error *error) {
  DLTensor tensor;
  const dlf_arg arg = dlfgo_slice(flat, &tensor);
  return dlf_wrap_queued(arg.tensor, arg.flags, queue, (void *)owner, out, error);
}

dlf_status dlfgo_create(uint32_t dtype, int32_t ndim, const int64_t *shape, int32_t device_type, int32_t device_id,
                        dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  DLDevice device = {(DLDeviceType)device_type, device_id};
  return dlfgo_fill(dlf_create(dlfgo_dtype(dtype), ndim, shape, device, &tensor, error), &tensor, out);
}

dlf_status dlfgo_wrap(dlfgo_flat flat, uintptr_t owner, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  return dlfgo_fill(wrap(&flat, owner, &tensor, error), &tensor, out);
}

dlf_status dlfgo_export(dlfgo_flat flat, uintptr_t owner, uintptr_t *out, bool *taken, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  dlf_status status = wrap(&flat, owner, &tensor, error);
  *taken = status == DLF_OK;
  if (status != DLF_OK) return status;
  DLManagedTensorVersioned *managed = NULL;
  status = dlf_into_dlpack(tensor, &managed, error);
  if (status != DLF_OK) dlf_release(tensor);
  *out = (uintptr_t)managed;
  return status;
}

dlf_status dlfgo_from_dlpack(uintptr_t owned, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  return dlfgo_fill(dlf_from_dlpack((DLManagedTensorVersioned *)owned, &tensor, error), &tensor, out);
}

dlf_status dlfgo_from_dlpack_legacy(uintptr_t owned, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  return dlfgo_fill(dlf_from_dlpack_legacy((DLManagedTensor *)owned, &tensor, error), &tensor, out);
}

dlf_status dlfgo_to_dlpack(uintptr_t self, uintptr_t *out, dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  dlf_status status = dlf_to_dlpack((dlf_tensor *)self, &managed, error);
  *out = (uintptr_t)managed;
  return status;
}

dlf_status dlfgo_to_dlpack_legacy(uintptr_t self, uintptr_t *out, dlf_error *error) {
  DLManagedTensor *managed = NULL;
  dlf_status status = dlf_to_dlpack_legacy((dlf_tensor *)self, &managed, error);
  *out = (uintptr_t)managed;
  return status;
}

dlf_status dlfgo_to_dlpack_copy(uintptr_t self, uintptr_t *out, dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  dlf_status status = dlf_to_dlpack_copy((dlf_tensor *)self, &managed, error);
  *out = (uintptr_t)managed;
  return status;
}

/* Every such value is also a float: the widest ones have its range, and fewer bits. */
void dlfgo_float_decode(uint32_t dtype, float *reals, int64_t count) {
  for (int64_t bits = 0; bits < count; bits++) {
    double real = 0;
    (void)dlf_float_decode(dlfgo_dtype(dtype), (uint64_t)bits, &real, NULL); /* the dtype is one of ours */
    reals[bits] = (float)real;
  }
}

uint64_t dlfgo_float_encode(uint32_t dtype, double value) {
  uint64_t bits = 0;
  (void)dlf_float_encode(dlfgo_dtype(dtype), value, &bits, NULL);
  return bits;
}

dlf_status dlfgo_look(uintptr_t dl, uint64_t flags, uint32_t dtype, uint32_t how, dlf_error *error) {
  dlf_elements elements;
  return dlf_look((dlf_arg){(const DLTensor *)dl, flags}, dlfgo_dtype(dtype), how, &elements, error);
}

dlf_status dlfgo_check_window(const char *name, const dlfgo_extent *extent, void *memory, const int64_t *shape,
                              const int64_t *strides, dlf_error *error) {
  const dlf_window window = {memory,       extent->size, dlfgo_dtype(extent->dtype), extent->whole, extent->start,
                             extent->ndim, shape,        extent->stride_count,       strides,       extent->flags};
  DLTensor tensor;
  return dlf_check_window(name, &window, &tensor, error);
}

/* A deleter may be Go code that releases too, inside this release: then the inner one returns the owner kept so far, and
 * later ones of the outer one wait in the queue. */
static uintptr_t end_release(void) {
  const uintptr_t owner = of_go.kept;
  of_go.runs = false;
  of_go.kept = 0;
  return owner;
}

uintptr_t dlfgo_release(uintptr_t tensor) {
  of_go.runs = true;
  dlf_release((dlf_tensor *)tensor);
  return end_release();
}

uintptr_t dlfgo_dlpack_release(uintptr_t owned) {
  of_go.runs = true;
  dlf_dlpack_release((DLManagedTensorVersioned *)owned);
  return end_release();
}

uintptr_t dlfgo_dlpack_release_legacy(uintptr_t owned) {
  of_go.runs = true;
  dlf_dlpack_release_legacy((DLManagedTensor *)owned);
  return end_release();
}

/* Keep an owner whose tensor ends inside a release by Go; false if none runs, or if it keeps one already. */
static bool keep(void *owner) {
  if (!of_go.runs || of_go.kept) return false;
  of_go.kept = (uintptr_t)owner;
  return true;
}

/* Runs on any thread, in another library's call: errno is not ours. A full pipe signals as well as one more byte. */
static void wake(void *context) {
  if (of_go.runs) return;
  int saved = errno;
  ssize_t written = write((int)(intptr_t)context, "", 1);
  (void)written;
  errno = saved;
}

dlf_status dlfgo_queue_open(int descriptor, uintptr_t *head, dlf_error *error) {
  /* Nothing to release: the queue and the descriptor stay open until the process ends, also for threads inside wake. */
  dlf_status status = dlf_queue_create(wake, NULL, (void *)(intptr_t)descriptor, &queue, error);
  dlf_queue_set_release(status == DLF_OK ? queue : NULL, keep);
  if (status == DLF_OK) *head = (uintptr_t)dlf_queue_head(queue);
  return status;
}

int64_t dlfgo_queue_drain(uintptr_t *owners, int64_t capacity) {
  void *batch[64];
  int64_t count = dlf_queue_drain(queue, batch, capacity < 64 ? capacity : 64);
  for (int64_t i = 0; i < count; i++) owners[i] = (uintptr_t)batch[i];
  return count;
}

void dlfgo_object_close(uintptr_t object) { dlf_object_close((dlf_object *)object); }
void dlfgo_object_release(uintptr_t owned) { dlf_object_release((dlf_object *)owned); }
