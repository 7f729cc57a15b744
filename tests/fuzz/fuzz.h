/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fuzz targets: bytes become tensors with real pointers and hostile other fields. */
#ifndef DLFERRY_FUZZ_H
#define DLFERRY_FUZZ_H

#include <dlferry.h>
#include <dlferry/contract.h>
#include <dlferry/npy.h>
#include <dlferry/object.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A property that must hold for any input. */
#define MUST(condition)                                                                            \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

typedef struct fuzz_input {
  const uint8_t *bytes;
  size_t size;
} fuzz_input;

/* Take this many bytes; zeros once the input is used up. */
static inline void fuzz_take(fuzz_input *in, void *out, size_t size) {
  const size_t taken = size < in->size ? size : in->size;
  memset(out, 0, size);
  if (taken) {
    memcpy(out, in->bytes, taken);
  }
  in->bytes += taken;
  in->size -= taken;
}

static inline uint8_t fuzz_byte(fuzz_input *in) {
  uint8_t byte;
  fuzz_take(in, &byte, 1);
  return byte;
}

/* Mostly small, at times any int64: random extents alone would never pass a check. */
static inline int64_t fuzz_integer(fuzz_input *in) {
  const uint8_t kind = fuzz_byte(in);
  int64_t wide;
  if (kind < 240) {
    return (int64_t)(kind % 12) - 3;
  }
  fuzz_take(in, &wide, sizeof wide);
  return kind < 248 ? wide : wide % 100000;
}

static inline DLDataType fuzz_dtype(fuzz_input *in) {
  static const uint8_t widths[] = {8, 16, 32, 64, 128, 4, 6, 1};
  DLDataType dtype = {fuzz_byte(in), fuzz_byte(in), 1};
  const uint8_t lanes = fuzz_byte(in);
  if (dtype.code < 240) {
    dtype.code %= 19;
    dtype.bits = dtype.code >= kDLFloat6_e2m3fn ? widths[5 + (dtype.code < kDLFloat4_e2m1fn)]
                                                : widths[dtype.bits % 8];
    if (dtype.code == kDLFloat4_e2m1fn) {
      dtype.bits = 4;
    }
  }
  if (lanes > 200) {
    dtype.lanes = lanes > 250 ? 0 : (uint16_t)(lanes - 200);
  }
  return dtype;
}

typedef struct fuzz_tensor {
  DLTensor dl;
  uint64_t flags;
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
} fuzz_tensor;

enum { FUZZ_MEMORY = 4096 };
extern uint8_t fuzz_memory[FUZZ_MEMORY];

/* shape and strides, if there are any, have room for the highest ndim; data may point anywhere. */
static inline void fuzz_fill(fuzz_input *in, fuzz_tensor *t) {
  const uint8_t kind = fuzz_byte(in), where = fuzz_byte(in);
  memset(t, 0, sizeof *t);
  t->dl.ndim = kind < 250 ? kind % 5 : (int32_t)(fuzz_integer(in) % 1000000);
  for (int32_t i = 0; i < t->dl.ndim && i < DLF_MAX_NDIM; i++) {
    t->shape[i] = fuzz_integer(in);
  }
  for (int32_t i = 0; i < t->dl.ndim && i < DLF_MAX_NDIM; i++) {
    t->strides[i] = fuzz_integer(in);
  }
  t->dl.shape = where & 1 && where > 250 ? NULL : t->shape;
  t->dl.strides = where & 2 ? t->strides : NULL;
  t->dl.dtype = fuzz_dtype(in);
  t->dl.device.device_type = where & 4 && where > 200 ? (DLDeviceType)fuzz_byte(in) : kDLCPU;
  t->dl.device.device_id = where & 8 && where > 200 ? (int32_t)fuzz_integer(in) : 0;
  t->dl.data = fuzz_memory + 256 * (where % 8);
  if (where & 16 && where > 220) {
    t->dl.data = (void *)(uintptr_t)fuzz_integer(in);
  }
  t->dl.byte_offset = where & 32 ? (uint64_t)fuzz_integer(in) : 0;
  t->flags = where & 64 ? fuzz_byte(in) & 7 : 0;
}

/* True when a sound tensor touches no byte outside the memory. */
static inline bool fuzz_is_inside(const DLTensor *t, uint64_t flags) {
  int64_t low, high;
  if (dlf_check(t, flags, DLF_CHECK_STRUCTURE, NULL) != DLF_OK ||
      dlf_byte_range(t, flags, &low, &high, NULL) != DLF_OK) {
    return false;
  }
  const uint64_t first = (uint64_t)(uintptr_t)dlf_data(t) + (uint64_t)low;
  const uint64_t from = first - (uint64_t)(uintptr_t)fuzz_memory; /* huge if it lies before */
  return low == high || (from <= FUZZ_MEMORY && (uint64_t)(high - low) <= FUZZ_MEMORY - from);
}

/* True when every byte of a checked tensor may be read. */
static inline bool fuzz_is_readable(const DLTensor *t, uint64_t flags) {
  int64_t count;
  return dlf_is_cpu_accessible(t->device) && fuzz_is_inside(t, flags) &&
         dlf_count(t, &count, NULL) == DLF_OK && count <= 2000; /* not broadcast beyond patience */
}

#endif
