/* SPDX-License-Identifier: Apache-2.0 */
/* What cgo needs beside dlferry.h: calls that return all of a new handle at once, and tensors described without a
 * DLTensor in Go memory, where it could not point to other Go memory. */
#ifndef DLFERRY_GO_BRIDGE_H
#define DLFERRY_GO_BRIDGE_H

#include "dlferry.h"

/** A slice as Go passes it, by value: pointers to memory without pointers, which C uses during the call only. It is
 *  Flat in Go; generated packages have a structure like it. */
typedef struct dlfgo_flat {
  uint8_t *data;
  int64_t *shape, *strides;
  uint64_t about; /**< 2, then 8 bits of ndim, 16 of flags, 32 of dtype: code, bits, lanes from the lowest byte up */
} dlfgo_flat;

/** A handle and what Go reads of it without a call. Addresses are numbers here and below wherever cgo would otherwise
 *  search what lies behind them for Go pointers, at every call. */
typedef struct dlfgo_handle {
  uintptr_t tensor, view;
  uint64_t flags;
} dlfgo_handle;

DLDataType dlfgo_dtype(uint32_t dtype);

dlf_status dlfgo_create(uint32_t dtype, int32_t ndim, const int64_t *shape, int32_t device_type, int32_t device_id,
                        dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_wrap(dlfgo_flat flat, uintptr_t owner, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_from_dlpack(uintptr_t owned, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_from_dlpack_legacy(uintptr_t owned, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_to_dlpack(uintptr_t self, uintptr_t *out, dlf_error *error);
dlf_status dlfgo_to_dlpack_legacy(uintptr_t self, uintptr_t *out, dlf_error *error);
dlf_status dlfgo_to_dlpack_copy(uintptr_t self, uintptr_t *out, dlf_error *error);
dlf_status dlfgo_copy(uintptr_t self, dlfgo_handle *out, dlf_error *error);

/** Wrap and export in one call; the managed tensor alone keeps the owner. After a failure *taken says whether the owner
 *  went to the queue all the same. */
dlf_status dlfgo_export(dlfgo_flat flat, uintptr_t owner, uintptr_t *out, bool *taken, dlf_error *error);

/* Releases that Go itself asks for: owners that they put in the queue do not wake the goroutine, the caller drains. */
void dlfgo_release(uintptr_t tensor);
void dlfgo_dlpack_release(uintptr_t owned);
void dlfgo_dlpack_release_legacy(uintptr_t owned);

/** Open the one queue of this program, which writes a byte to a pipe when an owner arrives in it empty; wrapping needs
 *  it. The descriptor must not block. *head gets the address of the word that is not 0 while owners wait. */
dlf_status dlfgo_queue_open(int descriptor, uintptr_t *head, dlf_error *error);
int64_t dlfgo_queue_drain(uintptr_t *owners, int64_t capacity);

#endif
