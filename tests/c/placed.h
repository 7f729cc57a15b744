/* SPDX-License-Identifier: Apache-2.0 */
/* Random tensors at the begin or the end of memory that is fenced at both. */
#ifndef DLFERRY_TESTS_PLACED_H
#define DLFERRY_TESTS_PLACED_H

#include "system.h"

#include <dlferry.h>
#include <string.h>

enum { MEMORY = 1 << 16, MOST_AXES = 8 };

static const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;

/* The same numbers in each run and on each system. */
static uint32_t below(uint32_t limit) {
  static uint64_t state = 0x9E3779B97F4A7C15u;
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (uint32_t)((state * 0x2545F4914F6CDD1Du) >> 32) % limit;
}

static void fill_randomly(char *memory, size_t size) {
  for (size_t i = 0; i < size; i++) {
    memory[i] = (char)below(256);
  }
}

/* One tensor somewhere in fenced memory, touching its begin or its end. */
typedef struct placed {
  char *memory;
  size_t size;
  DLTensor tensor;
  uint64_t flags;
  int64_t shape[MOST_AXES], strides[MOST_AXES];
} placed;

static const int64_t extents[] = {1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 33, 64, 65, 130};
static const int64_t few_extents[] = {1, 2, 3, 4};

static void choose_shape(placed *p) {
  int64_t count = 1;
  p->tensor.ndim = (int32_t)below(MOST_AXES + 1);
  for (int32_t i = 0; i < p->tensor.ndim; i++) {
    int64_t extent = extents[below(sizeof extents / sizeof *extents)];
    if (p->tensor.ndim > 4) {
      extent = few_extents[below(4)];
    }
    if (below(60) == 0) {
      extent = 0;
    }
    if (count * extent > 5000) {
      extent = 1;
    }
    p->shape[i] = extent;
    if (extent > 0) {
      count *= extent;
    }
  }
}

/* Axes in any order, with or without gaps, forwards or backwards; a source may repeat elements. */
static void choose_strides(placed *p, bool repeats) {
  int32_t order[MOST_AXES];
  int64_t stride = 1;
  const uint32_t kind = below(4);
  for (int32_t i = 0; i < p->tensor.ndim; i++) {
    const int32_t other = (int32_t)below((uint32_t)i + 1);
    order[i] = order[other];
    order[other] = i;
  }
  for (int32_t i = 0; i < p->tensor.ndim; i++) {
    int32_t axis = order[i];
    if (kind == 0) {
      axis = p->tensor.ndim - 1 - i;
    }
    if (kind > 1 && below(3) == 0) {
      stride *= 1 + below(4);
    }
    p->strides[axis] = stride;
    if (kind > 1 && below(4) == 0) {
      p->strides[axis] = -stride;
    }
    if (repeats && kind > 1 && below(6) == 0) {
      p->strides[axis] = 0;
      continue;
    }
    if (p->shape[axis] == 1 && below(2)) {
      p->strides[axis] = below(2) ? INT64_MAX : INT64_MIN;
      continue;
    }
    stride *= p->shape[axis] ? p->shape[axis] : 1;
    if (kind > 1 && below(4) == 0) {
      stride += below(3);
    }
  }
}

/* False if it does not fit into the memory. */
static bool place(placed *p) {
  int64_t low, high;
  p->tensor.data = p->memory;
  p->tensor.shape = p->shape;
  p->tensor.strides = p->strides;
  if (dlf_byte_range(&p->tensor, p->flags, &low, &high, NULL) != DLF_OK ||
      high - low > (int64_t)p->size) {
    return false;
  }
  p->tensor.data = p->memory - low;
  if (below(2)) {
    p->tensor.data = p->memory + (int64_t)p->size - high;
  }
  return true;
}

#endif
