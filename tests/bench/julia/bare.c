/* SPDX-License-Identifier: Apache-2.0 */
/* What a binding by hand would call: C that allocates as much as the hub, counts owners as it must,
 * and checks nothing. */
#include "photo.h"
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BARE_API __attribute__((visibility("default")))

typedef struct tensor { /* DLTensor */
  void *data;
  int32_t device[2], ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} tensor;

typedef struct managed { /* DLManagedTensorVersioned */
  uint32_t version[2];
  void *context;
  void (*deleter)(struct managed *);
  uint64_t flags;
  tensor tensor;
  int64_t extents[4];
} managed;

/* A handle as large as the hub's for two axes. */
typedef struct handle {
  _Atomic int64_t references;
  tensor tensor;
  int64_t extents[4], rest[4];
} handle;

/** Make a handle on a float32 matrix. */
BARE_API handle *bare_wrap(void *data, const int64_t *shape, const int64_t *strides) {
  handle *self = malloc(sizeof *self);
  if (!self) {
    abort();
  }
  atomic_init(&self->references, 1);
  memcpy(self->extents, shape, 2 * sizeof *shape);
  memcpy(self->extents + 2, strides, 2 * sizeof *strides);
  self->tensor = (tensor){data, {1, 0}, 2, 2, 32, 1, self->extents, self->extents + 2, 0};
  return self;
}

BARE_API void bare_release(handle *self) {
  if (atomic_fetch_sub(&self->references, 1) == 1) {
    free(self);
  }
}

static void delete_bare(managed *self) {
  bare_release(self->context);
  free(self);
}

static managed *make(handle *context, void (*deleter)(managed *), const tensor *from) {
  managed *self = malloc(sizeof *self);
  if (!self) {
    abort();
  }
  self->version[0] = 1;
  self->version[1] = 3;
  self->context = context;
  self->deleter = deleter;
  self->flags = 0;
  self->tensor = *from;
  memcpy(self->extents, from->shape, 2 * sizeof *self->extents);
  memcpy(self->extents + 2, from->strides, 2 * sizeof *self->extents);
  self->tensor.shape = self->extents;
  self->tensor.strides = self->extents + 2;
  return self;
}

/** Export a handle. */
BARE_API managed *bare_export(handle *self) {
  atomic_fetch_add(&self->references, 1);
  return make(self, delete_bare, &self->tensor);
}

/** Make a handle and its export, which is its only owner. */
BARE_API managed *bare_wrap_export(void *data, const int64_t *shape, const int64_t *strides) {
  handle *self = bare_wrap(data, shape, strides);
  return make(self, delete_bare, &self->tensor);
}

BARE_API void bare_delete(managed *self) {
  self->deleter(self);
}

static void delete_alone(managed *self) {
  free(self);
}

/** Give a managed tensor over memory that has no owner, as another library would. */
BARE_API managed *bare_give(void *data, const int64_t *shape, const int64_t *strides) {
  tensor from = {
      data, {1, 0}, 2, 2, 32, 1, (int64_t *)(uintptr_t)shape, (int64_t *)(uintptr_t)strides, 0};
  return make(NULL, delete_alone, &from);
}

/** Do nothing with three addresses. */
BARE_API int32_t bare_kernel(const void *a, const void *b, void *out, void *error) {
  (void)a, (void)b, (void)out, (void)error;
  return 0;
}

/** Call a kernel without a check. */
BARE_API int32_t bare_difference(const DLTensor *a, const DLTensor *b, DLTensor *out,
                                 dlf_error *error) {
  return photo_difference(a, b, out, error);
}
