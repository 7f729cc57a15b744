/* SPDX-License-Identifier: Apache-2.0 */
/* A table of backends that only grows, by kind of device. Readers take no lock: an entry does not
 * change after the count that includes it is published. There are as many entries as kinds of
 * device, so nothing is allocated. */
#include "internal.h"

enum {
  BACKEND_CAPACITY = 32,
  OLDEST_BACKEND = offsetof(dlf_backend, check_import) /* the size of version 0.1's structure */
};

typedef struct backend_entry {
  int32_t type;
  dlf_backend backend;
} backend_entry;

static backend_entry backends[BACKEND_CAPACITY];
_Atomic int32_t dlf__backend_count;
static atomic_flag registering = ATOMIC_FLAG_INIT; /* held for a few stores by registrations */

const dlf_backend *dlf__backend_of(int32_t type) {
  const int32_t known = atomic_load_explicit(&dlf__backend_count, memory_order_acquire);
  for (int32_t i = 0; i < known; i++) {
    if (backends[i].type == type) {
      return &backends[i].backend;
    }
  }
  return NULL;
}

dlf_status dlf_backend_register(int32_t type, const dlf_backend *backend, dlf_error *error) {
  if (!backend) {
    return dlf__missing("backend_register", "a backend", error);
  }
  const dlf_status status =
      DLF__CHECK_STRUCT("backend_register", dlf_backend, backend->size, OLDEST_BACKEND, error);
  if (status) {
    return status;
  }
  dlf_backend known = DLF_BACKEND_INIT; /* absent functions are NULL */
  /* All of a version's fields or none: the oldest structure may end in padding, where the next one
   * has a function. */
  memcpy(&known, backend, backend->size < (int64_t)sizeof known ? OLDEST_BACKEND : sizeof known);
  if (type == kDLCPU) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "backend_register: expected a device type other than the processor's, got %d",
                     kDLCPU);
  }
  while (atomic_flag_test_and_set_explicit(&registering, memory_order_acquire)) {
  }
  const int32_t next = atomic_load_explicit(&dlf__backend_count, memory_order_relaxed);
  const bool taken = dlf__backend_of(type) != NULL;
  const bool full = next == BACKEND_CAPACITY;
  if (!taken && !full) {
    backends[next] = (backend_entry){type, known};
    atomic_store_explicit(&dlf__backend_count, next + 1, memory_order_release);
  }
  atomic_flag_clear_explicit(&registering, memory_order_release);
  if (taken) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "backend_register: expected a device type without a backend, got %" PRId32
                     ", which has one",
                     type);
  }
  if (full) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "backend_register: expected at most %d backends, got more",
                     BACKEND_CAPACITY);
  }
  return DLF_OK;
}

bool dlf__backend_reaches(DLDevice device, const void *address) {
  const dlf_backend *backend = dlf__backend_of((int32_t)device.device_type);
  return backend && backend->is_cpu_accessible &&
         backend->is_cpu_accessible(backend->context, device, address);
}

int dlf__backend_stream(DLDevice device, void **out) {
  const dlf_backend *backend = dlf__backend_of((int32_t)device.device_type);
  *out = NULL;
  if (!backend || !backend->current_stream) {
    return -1;
  }
  if (backend->current_stream(backend->context, device, out) == 0) {
    return 0;
  }
  *out = NULL;
  return -1;
}
