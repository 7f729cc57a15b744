/* SPDX-License-Identifier: Apache-2.0 */
/* Calls for cgo beside dlferry.h, which return all of a new handle at once. A tensor is described without a DLTensor in
 * Go memory, which could not point to other Go memory. */
#ifndef DLFERRY_GO_BRIDGE_H
#define DLFERRY_GO_BRIDGE_H

#if !__has_include("dlferry_go.h") || !__has_include("dlferry.h")
#error "dlferry.h is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry"
#else
#include "dlferry_go.h"
#endif

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

/** Wrap and export in one call; only the managed tensor keeps the owner. After a failure *taken tells whether the owner
 *  went to the queue nevertheless. */
dlf_status dlfgo_export(dlfgo_flat flat, uintptr_t owner, uintptr_t *out, bool *taken, dlf_error *error);

/** dlf_look at a handle's DLTensor, for its verdict. */
dlf_status dlfgo_look(uintptr_t dl, uint64_t flags, uint32_t dtype, uint32_t how, dlf_error *error);

/** The fields of dlf_window without pointers: Go memory that C is given must not point to other Go memory. */
typedef struct dlfgo_extent {
  int64_t size, start, ndim, stride_count;
  uint64_t flags;
  uint32_t dtype;
  bool whole;
} dlfgo_extent;

dlf_status dlfgo_check_window(const char *name, const dlfgo_extent *extent, void *memory, const int64_t *shape,
                              const int64_t *strides, dlf_error *error);

/* Releases requested by Go: owners that they queue do not wake the goroutine, since the caller drains. */
void dlfgo_release(uintptr_t tensor);
void dlfgo_dlpack_release(uintptr_t owned);
void dlfgo_dlpack_release_legacy(uintptr_t owned);

/* For a dlf_object. Both may run C's function that frees its pointer. */
void dlfgo_object_close(uintptr_t object);
void dlfgo_object_release(uintptr_t owned);

/** Open the program's queue, which writes a byte to a pipe when an owner arrives in it empty; wrapping needs it. The
 *  descriptor must not block. *head gets the address of a word that is not 0 while owners wait. */
dlf_status dlfgo_queue_open(int descriptor, uintptr_t *head, dlf_error *error);
int64_t dlfgo_queue_drain(uintptr_t *owners, int64_t capacity);

#endif
