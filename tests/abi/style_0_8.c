/* SPDX-License-Identifier: Apache-2.0 */
/* A producer and a consumer as people wrote them for DLPack 0.8; abi.py compiles this against our
 * dlpack.h as C and as C++. Only the version question is new: 1.0 dropped DLPACK_VERSION and
 * DLPACK_ABI_VERSION, so ask for their successor first. Sources that name the old macros without
 * asking get both from the command line. */
#include <dlpack/dlpack.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WITH_DLFERRY
#include <dlferry.h>
#endif

#if defined(DLPACK_MAJOR_VERSION)
#define SPOKEN "1.0 or later"
#elif DLPACK_VERSION >= 80 && DLPACK_ABI_VERSION == 1
#define SPOKEN "0.8"
#else
#error "a dlpack.h from 0.8 on is needed"
#endif
#if defined(OLD_MACROS) && (DLPACK_VERSION != 80 || DLPACK_ABI_VERSION != 1)
#error "dlpack.h must leave the macros of the command line alone"
#endif

static float values[6] = {0, 1, 2, 3, 4, 5};
static int deleted;

/* The fields of DLTensor are not const: a constant shape is cast, and a consumer reads through
 * pointers to const. */
static const int64_t constant_shape[2] = {2, 3};

static void delete_managed(struct DLManagedTensor *self) {
  deleted++;
  free(self);
}

static DLManagedTensor *produce(void) {
  DLManagedTensor *managed = (DLManagedTensor *)calloc(1, sizeof(DLManagedTensor));
  if (!managed) {
    abort();
  }
  DLTensor *t = &managed->dl_tensor;
  t->data = values;
  t->device.device_type = kDLCPU;
  t->device.device_id = 0;
  t->ndim = 2;
  t->dtype.code = (uint8_t)kDLFloat;
  t->dtype.bits = 32;
  t->dtype.lanes = 1;
#ifdef __cplusplus
  t->shape = const_cast<int64_t *>(constant_shape);
#else
  t->shape = (int64_t *)(uintptr_t)constant_shape;
#endif
  t->strides = NULL; /* row-major, as 0.8 allowed */
  t->byte_offset = 0;
  managed->manager_ctx = values;
  managed->deleter = delete_managed;
  return managed;
}

static double sum(const DLTensor *t) {
  const int64_t *shape = t->shape, *strides = t->strides;
  const float *data = (const float *)(const void *)((const char *)t->data + t->byte_offset);
  double total = 0;
  for (int64_t i = 0; i < shape[0]; i++) {
    for (int64_t j = 0; j < shape[1]; j++) {
      total += (double)(strides ? data[i * strides[0] + j * strides[1]] : data[i * shape[1] + j]);
    }
  }
  return total;
}

int main(void) {
  DLManagedTensor *managed = produce();
  const DLDevice device = {kDLCPU, 0};
  const DLDataType wanted = {(uint8_t)kDLFloat, 32, 1};
  const DLTensor *t = &managed->dl_tensor;
  if (t->device.device_type != device.device_type || t->dtype.code != wanted.code ||
      t->dtype.bits != wanted.bits) {
    return 1;
  }
  const double total = sum(t);
  if (managed->deleter) {
    managed->deleter(managed);
  }
  printf("%s %g %d\n", SPOKEN, total, deleted);
  return 0;
}
