/* SPDX-License-Identifier: Apache-2.0 */
/* Producers and consumers unknown to Go: managed tensors of any form, deleters that count or enter
 * Go, and threads unknown to all runtimes. */
#ifndef DLFERRY_GO_TESTS_HELPER_H
#define DLFERRY_GO_TESTS_HELPER_H

#include "made.h"

/** The description of a managed tensor: up to 8 axes; memory that Go does not own, at least bytes +
 * 64 of it. */
typedef struct helper_spec {
  int64_t shape[8], strides[8];
  uint64_t flags, bytes, skew;
  uintptr_t address; /**< of the elements, instead of memory of its own */
  int32_t ndim, device_type, device_id;
  uint8_t code, bits;
  uint16_t lanes;
  uint8_t enters_go; /**< the deleter calls helperDeleted, which Go exports */
} helper_spec;

/** Make a managed tensor; its memory is zero and, except for skew, aligned to 64 bytes. NULL
 * without memory. */
DLManagedTensorVersioned *helper_make(const helper_spec *spec);

/** Count the deleters of helper_make's tensors that have run. */
int64_t helper_deleted(void);

/** Call the deleters of count managed tensors on a fresh thread each, all at once, and join them.
 * Returns 0 or an errno. */
int helper_delete_on_threads(void **owned, int32_t count);

/** Call a deleter on a fresh thread that is not waited for. */
int helper_delete_later(void *owned);

/** Call a deleter on this thread, as a C consumer does. */
void helper_delete(void *owned);
void helper_delete_legacy(void *owned);

#endif
