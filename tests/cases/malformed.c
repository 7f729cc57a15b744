/* SPDX-License-Identifier: Apache-2.0 */
#include "malformed.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define POISON ((void *)(uintptr_t)0x5a5a5a5a5a5a)

/* One allocation for either struct and all that it points to. */
typedef struct {
  DLManagedTensorVersioned versioned;
  DLManagedTensor legacy;
  int64_t shape[65], strides[65];
  float data[6];
} holder;

static _Atomic int64_t deleted;

static void delete_versioned(DLManagedTensorVersioned *self) {
  atomic_fetch_add(&deleted, 1);
  free(self); /* the first member of its holder; manager_ctx may be poison */
}

static void delete_legacy(DLManagedTensor *self) {
  atomic_fetch_add(&deleted, 1);
  free((char *)self - offsetof(holder, legacy));
}

static DLTensor well_formed(holder *h) {
  DLTensor t = {0};
  for (int i = 0; i < 65; i++) {
    h->shape[i] = h->strides[i] = 1;
  }
  for (int i = 0; i < 6; i++) {
    h->data[i] = (float)i;
  }
  h->shape[0] = 2;
  h->shape[1] = h->strides[0] = 3;
  t.data = h->data;
  t.device.device_type = kDLCPU;
  t.ndim = 2;
  t.dtype.code = kDLFloat;
  t.dtype.bits = 32;
  t.dtype.lanes = 1;
  t.shape = h->shape;
  t.strides = h->strides;
  return t;
}

static void set_dtype(DLTensor *t, uint8_t code, uint8_t bits, uint16_t lanes) {
  t->dtype.code = code;
  t->dtype.bits = bits;
  t->dtype.lanes = lanes;
}

static void set_layout(DLTensor *t, int64_t rows, int64_t columns, int64_t row_stride) {
  t->shape[0] = rows;
  t->shape[1] = columns;
  t->strides[0] = row_stride;
}

/* Change the tensor itself by name; 0 for an unknown name. */
static int spoil(DLTensor *t, const char *name) {
  if (!strcmp(name, "well_formed") || !strcmp(name, "well_formed_null_deleter")) {
    return 1;
  }
  if (!strcmp(name, "well_formed_null_strides")) {
    return t->strides = NULL, 1;
  }
  if (!strcmp(name, "well_formed_empty")) {
    return set_layout(t, 0, 3, 3), t->data = NULL, 1;
  }
  if (!strcmp(name, "null_shape")) {
    return t->shape = NULL, 1;
  }
  if (!strcmp(name, "negative_ndim")) {
    return t->ndim = -1, 1;
  }
  if (!strcmp(name, "ndim_65")) {
    return set_layout(t, 1, 1, 1), t->ndim = 65, 1;
  }
  if (!strcmp(name, "negative_extent")) {
    return set_layout(t, 2, -3, 3), 1;
  }
  if (!strcmp(name, "overflow_shape")) {
    return set_layout(t, INT64_C(1) << 40, INT64_C(1) << 40, INT64_C(1) << 40), t->strides = NULL,
                                                                                1;
  }
  if (!strcmp(name, "overflow_bytes")) {
    return set_layout(t, INT64_C(1) << 40, INT64_C(1) << 21, INT64_C(1) << 21), 1;
  }
  if (!strcmp(name, "overflow_strides")) {
    return set_layout(t, 2, 3, INT64_C(1) << 62), 1;
  }
  if (!strcmp(name, "overflow_offset")) {
    return t->data = (void *)(uintptr_t)64, t->byte_offset = UINT64_MAX - 3, 1;
  }
  if (!strcmp(name, "null_data")) {
    return t->data = NULL, 1;
  }
  if (!strcmp(name, "zero_bits")) {
    return set_dtype(t, kDLFloat, 0, 1), 1;
  }
  if (!strcmp(name, "zero_lanes")) {
    return set_dtype(t, kDLFloat, 32, 0), 1;
  }
  if (!strcmp(name, "fp4_bits_8")) {
    return set_dtype(t, kDLFloat4_e2m1fn, 8, 1), 1;
  }
  if (!strcmp(name, "fp6_bits_8")) {
    return set_dtype(t, kDLFloat6_e3m2fn, 8, 1), 1;
  }
  if (!strcmp(name, "fp8_bits_16")) {
    return set_dtype(t, kDLFloat8_e5m2, 16, 1), 1;
  }
  if (!strcmp(name, "negative_device_id")) {
    return t->device.device_id = -1, 1;
  }
  if (!strcmp(name, "bool_bits_16")) {
    return set_dtype(t, kDLBool, 16, 1), 1;
  }
  if (!strcmp(name, "complex_bits_24")) {
    return set_dtype(t, kDLComplex, 24, 1), 1;
  }
  if (!strcmp(name, "code_200")) {
    return set_dtype(t, 200, 32, 1), 1;
  }
  if (!strcmp(name, "device_200")) {
    return t->device.device_type = (DLDeviceType)200, 1;
  }
  return 0;
}

/* A producer without a deleter owns its tensor forever, so it must not be on the heap. */
static holder *new_holder(const char *name, holder *eternal, int *has_deleter) {
  *has_deleter = strcmp(name, "well_formed_null_deleter") != 0;
  return *has_deleter ? calloc(1, sizeof(holder)) : eternal;
}

DLManagedTensorVersioned *malformed_make(const char *name) {
  static holder eternal;
  int has_deleter;
  holder *h = new_holder(name, &eternal, &has_deleter);
  if (!h) {
    return NULL;
  }
  DLManagedTensorVersioned *m = &h->versioned;
  m->version.major = DLPACK_MAJOR_VERSION;
  m->version.minor = DLPACK_MINOR_VERSION;
  m->deleter = has_deleter ? delete_versioned : NULL;
  m->dl_tensor = well_formed(h);
  if (!strcmp(name, "read_only")) {
    m->flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  } else if (!strcmp(name, "major_2") || !strcmp(name, "major_0")) {
    m->version.major = name[6] == '2' ? 2 : 0;
    m->manager_ctx = POISON;
    m->flags = UINT64_MAX;
    memset(&m->dl_tensor, 0x5a, sizeof m->dl_tensor);
  } else if (!spoil(&m->dl_tensor, name)) {
    free(h);
    return NULL;
  }
  return m;
}

DLManagedTensor *malformed_make_legacy(const char *name) {
  static holder eternal;
  int has_deleter;
  holder *h = new_holder(name, &eternal, &has_deleter);
  if (!h) {
    return NULL;
  }
  h->legacy.deleter = has_deleter ? delete_legacy : NULL;
  h->legacy.dl_tensor = well_formed(h);
  if (spoil(&h->legacy.dl_tensor, name)) {
    return &h->legacy;
  }
  free(h);
  return NULL;
}

int64_t malformed_deleted(void) {
  return atomic_load(&deleted);
}
