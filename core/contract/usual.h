/* SPDX-License-Identifier: Apache-2.0 */
/* A quick look at the usual tensor, inlined in every match, which spares it the checks of its
 * structure and its place. It gives up at the first unusual property (another device, sub-byte
 * elements) and leaves the tensor to match.c and place.c. */
#ifndef DLFERRY_CONTRACT_USUAL_H
#define DLFERRY_CONTRACT_USUAL_H

#include "matching.h"

/* Addresses from first to end - 1: of a list all from its first to its last. */
typedef struct dlf__range {
  uintptr_t first, end;
  bool row_major; /* without gaps */
} dlf__range;

/* The touched elements, *low to *high - 1, for strides that are not row-major. */
static bool dlf__usual_reach(const DLTensor *t, bool written, int64_t *low, int64_t *high) {
  *low = 0;
  *high = 1;
  for (int32_t i = 0; i < t->ndim; i++) {
    int64_t reach;
    if (written && t->strides[i] == 0 && t->shape[i] > 1) {
      return false;
    }
    if (dlf__mul(t->shape[i] - 1, t->strides[i], &reach)) {
      return false;
    }
    if (reach < 0 ? dlf__add(*low, reach, low) : dlf__add(*high, reach, high)) {
      return false;
    }
  }
  return true;
}

/* True when all extents are 0 or more and their product fits; *row_major unless strides say
 * otherwise. */
static DLF__INLINE bool dlf__usual_count(const DLTensor *t, int64_t *count, bool *row_major) {
  const int64_t *shape = t->shape;
  const int64_t *strides = t->strides;
  int64_t product = 1;
  int64_t any = 0;
  bool overflow = false;
  bool differs = false;
  for (int32_t i = t->ndim - 1; i >= 0; i--) {
    differs |= strides && strides[i] != product && shape[i] != 1;
    any |= shape[i];
    overflow |= dlf__mul(product, shape[i], &product);
  }
  *count = product;
  *row_major = !differs;
  return any >= 0 && !overflow;
}

/* Tell whether the elements lie at sane, aligned addresses, and extend the range to them. */
static DLF__INLINE bool dlf__usual_addresses(const dlf__clause *c, const DLTensor *t, int64_t low,
                                             int64_t high, dlf__range *range) {
  const int64_t bytes = t->dtype.bits / 8;
  const int64_t step = bytes * t->dtype.lanes;
  int64_t align = bytes;
  if (t->dtype.code == kDLComplex) {
    align = bytes / 2;
  }
  int64_t size;
  uintptr_t data;
  if ((align & -align) < 16) {
    align = align & -align;
  } else {
    align = 16;
  }
  if (c->align > align) {
    align = c->align;
  }
  if (!t->data || __builtin_add_overflow((uintptr_t)t->data, t->byte_offset, &data)) {
    return false;
  }
  if (data & (uint64_t)(align - 1)) {
    return false;
  }
  if (dlf__mul(low, step, &low) || dlf__mul(high, step, &high) ||
      __builtin_sub_overflow(high, low, &size)) {
    return false;
  }
  if ((uint64_t)0 - (uint64_t)low >= data || (uint64_t)high > UINTPTR_MAX - data) {
    return false; /* in 64 bits */
  }
  if (data + (uintptr_t)low < range->first) {
    range->first = data + (uintptr_t)low;
  }
  if (data + (uintptr_t)high > range->end) {
    range->end = data + (uintptr_t)high;
  }
  return true;
}

/* Tell whether flags are known, and none forbids what the call does. */
static DLF__INLINE bool dlf__usual_flags(const dlf__clause *c, uint64_t flags) {
  if (c->written) {
    return !(flags & ~(DLF__KNOWN_FLAGS & ~(uint64_t)DLPACK_FLAG_BITMASK_READ_ONLY));
  }
  return !(flags & ~(DLF__KNOWN_FLAGS | DLF_FLAGS_UNKNOWN));
}

/* Tell whether a tensor is sound, writable if it is written, aligned, and on the processor, and
 * extend the range to it; false leaves all that open. */
static DLF__INLINE bool dlf__is_usual(const dlf__clause *c, const DLTensor *t, uint64_t flags,
                                      dlf__range *range) {
  int64_t count;
  int64_t low = 0;
  int64_t high;
  bool row_major;
  if ((uint32_t)t->ndim > DLF_MAX_NDIM || (!t->shape && t->ndim)) {
    return false;
  }
  if (t->device.device_type != kDLCPU || t->device.device_id != 0 || !c->on_cpu) {
    return false;
  }
  if (t->dtype.code > kDLBool || t->dtype.bits == 0 || t->dtype.bits % 8 != 0 ||
      t->dtype.lanes == 0) {
    return false;
  }
  if (!dlf__usual_flags(c, flags) || !dlf__usual_count(t, &count, &row_major)) {
    return false;
  }
  if (count == 0) {
    return true; /* it has no addresses */
  }
  high = count;
  if (!row_major && !dlf__usual_reach(t, c->written, &low, &high)) {
    return false;
  }
  range->row_major &= row_major;
  return dlf__usual_addresses(c, t, low, high, range);
}

#endif
