/* SPDX-License-Identifier: Apache-2.0 */
/* A table of backends that only grows, by kind of device. Readers take no lock: an entry does not change after the
 * count that includes it is published. There are as many entries as kinds of device, so nothing is allocated. */
#include "internal.h"

enum { BACKEND_CAPACITY = 32 };

typedef struct backend_entry {
  int32_t type;
  dlf_backend backend;
} backend_entry;

static backend_entry backends[BACKEND_CAPACITY];
static _Atomic int32_t backend_count;
static atomic_flag registering = ATOMIC_FLAG_INIT; /* held for a few stores by registrations */

static const dlf_backend *find_backend(int32_t type) {
  const int32_t known = atomic_load_explicit(&backend_count, memory_order_acquire);
  for (int32_t i = 0; i < known; i++)
    if (backends[i].type == type) return &backends[i].backend;
  return NULL;
}

dlf_status dlf_backend_register(int32_t type, const dlf_backend *backend, dlf_error *error) {
  if (!backend) return dlf__fail(error, DLF_INVALID, "backend_register: expected a backend, got NULL");
  const dlf_status status = dlf__check_struct("backend_register", "dlf_backend", backend->size, sizeof *backend, error);
  if (status) return status;
  if (type == kDLCPU)
    return dlf__fail(error, DLF_INVALID, "backend_register: expected a device type other than the processor's, got %d",
                     kDLCPU);
  while (atomic_flag_test_and_set_explicit(&registering, memory_order_acquire)) {}
  const int32_t next = atomic_load_explicit(&backend_count, memory_order_relaxed);
  const bool taken = find_backend(type) != NULL, full = next == BACKEND_CAPACITY;
  if (!taken && !full) {
    backends[next] = (backend_entry){type, *backend};
    atomic_store_explicit(&backend_count, next + 1, memory_order_release);
  }
  atomic_flag_clear_explicit(&registering, memory_order_release);
  if (taken)
    return dlf__fail(error, DLF_INVALID,
                     "backend_register: expected a device type without a backend, got %" PRId32 ", which has one",
                     type);
  if (full)
    return dlf__fail(error, DLF_UNSUPPORTED, "backend_register: expected at most %d backends, got more",
                     BACKEND_CAPACITY);
  return DLF_OK;
}

bool dlf__backend_reaches(DLDevice device, const void *address) {
  const dlf_backend *backend = find_backend((int32_t)device.device_type);
  return backend && backend->is_cpu_accessible && backend->is_cpu_accessible(backend->context, device, address);
}

int dlf__backend_stream(DLDevice device, void **out) {
  const dlf_backend *backend = find_backend((int32_t)device.device_type);
  *out = NULL;
  if (!backend || !backend->current_stream) return -1;
  if (backend->current_stream(backend->context, device, out) == 0) return 0;
  *out = NULL;
  return -1;
}
