/* SPDX-License-Identifier: Apache-2.0 */
/* Faults and oddities of a tensor, by number, for tests that compare two checks on random calls. */
#ifndef DLFERRY_TESTS_SPOIL_H
#define DLFERRY_TESTS_SPOIL_H

#include <dlferry.h>

/* Each test has its own, with a sequence that it can repeat. */
static uint32_t below(uint32_t limit);

enum { SPOILS = 15 };

/* The tensor's own shape and strides are arrays of the caller, which are changed even where the
 * tensor has none. */
static inline void spoil_tensor(uint32_t which, dlf_arg *arg, DLTensor *t, int64_t *shape,
                                int64_t *strides, int64_t extreme) {
  static const uint64_t flags[] = {DLPACK_FLAG_BITMASK_READ_ONLY,
                                   DLF_FLAGS_UNKNOWN,
                                   DLPACK_FLAG_BITMASK_IS_COPIED,
                                   DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
                                   8,
                                   UINT64_C(1) << 62};
  const uint32_t axis = below(3);
  switch (which) {
  case 0:
    shape[axis] = extreme;
    break;
  case 1:
    strides[axis] = extreme;
    break;
  case 2:
    strides[axis] = -(int64_t)below(5);
    break;
  case 3:
    t->ndim = (int32_t)below(6) - 1;
    break;
  case 4:
    t->shape = NULL;
    break;
  case 5:
    t->strides = NULL;
    break;
  case 6:
    t->data = NULL;
    break;
  case 7:
    t->byte_offset = below(9);
    break;
  case 8:
    t->byte_offset = (uint64_t)extreme;
    break;
  case 9:
    t->device.device_type = below(2) ? kDLCUDA : kDLCUDAHost;
    break;
  case 10:
    t->device.device_id = (int32_t)below(3) - 1;
    break;
  case 11:
    t->dtype.bits = (uint8_t)(below(5) * 8);
    break;
  case 12:
    t->dtype.lanes = (uint16_t)below(3);
    break;
  case 13:
    t->dtype.code = (uint8_t)below(20);
    break;
  default:
    arg->flags = flags[below(6)] | flags[below(6)];
    break;
  }
}

#endif
