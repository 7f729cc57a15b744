/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "helper.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern void helperDeleted(void); /* in Go */

typedef struct holder {
  DLManagedTensorVersioned managed;
  helper_spec spec;
  void *memory;
} holder;

static _Atomic int64_t deleted;

static void delete_holder(DLManagedTensorVersioned *self) {
  holder *h = self->manager_ctx;
  bool enters_go = h->spec.enters_go;
  free(h->memory);
  free(h);
  atomic_fetch_add(&deleted, 1);
  if (enters_go) {
    helperDeleted();
  }
}

DLManagedTensorVersioned *helper_make(const helper_spec *spec) {
  holder *h = calloc(1, sizeof *h);
  if (!h) {
    return NULL;
  }
  h->memory = calloc(1, (size_t)spec->bytes + (size_t)spec->skew + 128);
  if (!h->memory) {
    free(h);
    return NULL;
  }
  /* Aligned by hand, since Windows has no aligned_alloc. */
  char *aligned = (char *)h->memory + (64 - (uintptr_t)h->memory % 64);
  h->spec = *spec;
  h->managed.version.major = DLPACK_MAJOR_VERSION;
  h->managed.version.minor = DLPACK_MINOR_VERSION;
  h->managed.manager_ctx = h;
  h->managed.deleter = delete_holder;
  h->managed.flags = spec->flags;
  DLTensor *t = &h->managed.dl_tensor;
  t->data = (spec->address ? (char *)spec->address : aligned) + spec->skew;
  t->device.device_type = (DLDeviceType)spec->device_type;
  t->device.device_id = spec->device_id;
  t->ndim = spec->ndim;
  t->dtype.code = spec->code;
  t->dtype.bits = spec->bits;
  t->dtype.lanes = spec->lanes;
  t->shape = h->spec.shape;
  t->strides = h->spec.strides;
  return &h->managed;
}

int64_t helper_deleted(void) {
  return deleted;
}

void helper_delete(void *owned) {
  DLManagedTensorVersioned *managed = owned;
  managed->deleter(managed);
}

void helper_delete_legacy(void *owned) {
  DLManagedTensor *managed = owned;
  managed->deleter(managed);
}

static void *run(void *owned) {
  helper_delete(owned);
  return NULL;
}

int helper_delete_on_threads(void **owned, int32_t count) {
  pthread_t threads[64];
  if (count > 64) {
    return EINVAL;
  }
  for (int32_t i = 0; i < count; i++) {
    int failed = pthread_create(&threads[i], NULL, run, owned[i]);
    if (failed) {
      return failed;
    }
  }
  for (int32_t i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}

int helper_delete_later(void *owned) {
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, run, owned);
  return failed ? failed : pthread_detach(thread);
}
