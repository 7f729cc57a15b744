/* SPDX-License-Identifier: Apache-2.0 */
/* A producer's tensors, and how many of them were deleted since the last one was made. Their
 * structures are on the heap, so that a sanitizer sees a read after the deleter. */
#ifndef DLFERRY_TESTS_PRODUCER_H
#define DLFERRY_TESTS_PRODUCER_H

#include <dlferry.h>
#include <stdlib.h>

static int deleted;

static inline void delete_versioned(DLManagedTensorVersioned *self) {
  deleted++;
  free(self);
}

static inline void delete_legacy(DLManagedTensor *self) {
  deleted++;
  free(self);
}

static inline DLManagedTensorVersioned *versioned(uint32_t major, uint32_t minor, uint64_t flags,
                                                  DLTensor t) {
  DLManagedTensorVersioned *m = malloc(sizeof *m);
  if (!m) {
    abort();
  }
  *m = (DLManagedTensorVersioned){{major, minor}, NULL, delete_versioned, flags, t};
  deleted = 0;
  return m;
}

static inline DLManagedTensor *legacy(DLTensor t) {
  DLManagedTensor *m = malloc(sizeof *m);
  if (!m) {
    abort();
  }
  *m = (DLManagedTensor){t, NULL, delete_legacy};
  deleted = 0;
  return m;
}

#endif
