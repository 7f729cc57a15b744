/* SPDX-License-Identifier: Apache-2.0 */
#include "tensors.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Enough for elements that a case touches; larger tensors are only checked. */
#define TENSORS_MEMORY ((size_t)1 << 16)

typedef struct memory {
  _Alignas(256) unsigned char bytes[TENSORS_MEMORY];
  atomic_int users;
} memory;

typedef struct made {
  DLManagedTensorVersioned managed;
  memory *memory;
  int64_t shape[64], strides[64];
} made;

static atomic_llong live;
static memory *slots[16]; /* each is a user; one thread makes tensors */

static void let_go(memory *self) {
  if (self && atomic_fetch_sub(&self->users, 1) == 1) free(self);
}

static void delete_made(DLManagedTensorVersioned *self) {
  let_go(((made *)self)->memory);
  free(self);
  atomic_fetch_sub(&live, 1);
}

static int64_t next(const char **numbers) {
  char *end = NULL;
  const int64_t value = strtoll(*numbers, &end, 10);
  if (end == *numbers) abort(); /* a case with too few numbers */
  *numbers = end;
  return value;
}

DLManagedTensorVersioned *tensors_make(const char *numbers) {
  made *self = calloc(1, sizeof *self);
  if (!self) abort();
  DLManagedTensorVersioned *m = &self->managed;
  DLTensor *t = &m->dl_tensor;
  const int64_t slot = next(&numbers);
  if (slot < 0 || slot > 15) abort();
  t->dtype.code = (uint8_t)next(&numbers);
  t->dtype.bits = (uint8_t)next(&numbers);
  t->dtype.lanes = (uint16_t)next(&numbers);
  t->device.device_type = (DLDeviceType)next(&numbers);
  t->device.device_id = (int32_t)next(&numbers);
  m->flags = (uint64_t)next(&numbers);
  const int64_t skew = next(&numbers), alias = next(&numbers), offset = next(&numbers);
  t->ndim = (int32_t)next(&numbers);
  t->shape = self->shape;
  t->strides = self->strides;
  for (int32_t i = 0; i < t->ndim; i++) self->shape[i] = next(&numbers);
  for (int32_t i = 0; i < t->ndim; i++) self->strides[i] = next(&numbers);
  if (alias >= 0) {
    self->memory = slots[alias & 15];
    if (!self->memory) abort();
  } else {
    self->memory = aligned_alloc(256, (sizeof(memory) + 255) / 256 * 256);
    if (!self->memory) abort();
    atomic_init(&self->memory->users, 0);
  }
  atomic_fetch_add(&self->memory->users, 2); /* the tensor and the slot */
  let_go(slots[slot]);
  slots[slot] = self->memory;
  t->data = self->memory->bytes + (alias >= 0 ? offset : skew);
  m->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  m->deleter = delete_made;
  atomic_fetch_add(&live, 1);
  return m;
}

void tensors_delete(DLManagedTensorVersioned *owned) {
  if (owned && owned->deleter) owned->deleter(owned);
}

int64_t tensors_live(void) { return atomic_load(&live); }
