/* SPDX-License-Identifier: Apache-2.0 */
/* Calls for cgo beside dlferry.h, which return all of a new handle at once. A tensor is described
 * without a DLTensor in Go memory, which could not point to other Go memory. */
#ifndef DLFERRY_GO_BRIDGE_H
#define DLFERRY_GO_BRIDGE_H

#if !__has_include("dlferry_go.h") || !__has_include("dlferry.h")
#error "dlferry.h is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry"
#else
#include "dlferry_go.h"
#endif

DLDataType dlfgo_dtype(uint32_t dtype);

dlf_status dlfgo_create(uint32_t dtype, int64_t ndim, const int64_t *shape, int32_t device_type,
                        int32_t device_id, dlfgo_handle *out, dlf_error *error);
/** Returns dlfgo_failed, or 0. */
uintptr_t dlfgo_wrap(dlfgo_flat flat, uintptr_t slot, dlfgo_handle *out);
/** The same for a tensor's elements. The slot then owns a reference to the tensor, which Go must
 * release. */
uintptr_t dlfgo_keep(uintptr_t self, uintptr_t slot, dlfgo_handle *out);
dlf_status dlfgo_from_dlpack(uintptr_t owned, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_from_dlpack_legacy(uintptr_t owned, dlfgo_handle *out, dlf_error *error);
typedef dlf_status (*dlfgo_exporting)(dlf_tensor *self, DLManagedTensorVersioned **out,
                                      dlf_error *error);
dlf_status dlfgo_to_dlpack(dlfgo_exporting function, uintptr_t self, uintptr_t *out,
                           dlf_error *error);
dlf_status dlfgo_to_dlpack_legacy(uintptr_t self, uintptr_t *out, dlf_error *error);

/* ---- bridge_view.c ---- */

/* Describe a new handle to Go, which reads it without a call. */
static inline dlf_status dlfgo_fill(dlf_status status, dlf_tensor *const *tensor,
                                    dlfgo_handle *out) {
  if (!status) {
    *out = (dlfgo_handle){(uintptr_t)*tensor, (uintptr_t)dlf_dltensor(*tensor), dlf_flags(*tensor)};
  }
  return status;
}

/* Views by the hub's function: one call for each list of parameters that several have. */
typedef dlf_status (*dlfgo_plain)(dlf_tensor *self, dlf_tensor **out, dlf_error *error);
typedef dlf_status (*dlfgo_on_axis)(dlf_tensor *self, int64_t axis, dlf_tensor **out,
                                    dlf_error *error);
typedef dlf_status (*dlfgo_on_list)(dlf_tensor *self, const int64_t *list, int64_t count,
                                    dlf_tensor **out, dlf_error *error);
dlf_status dlfgo_view(dlfgo_plain make, uintptr_t self, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_view_on_axis(dlfgo_on_axis make, uintptr_t self, int64_t axis, dlfgo_handle *out,
                              dlf_error *error);
dlf_status dlfgo_view_on_list(dlfgo_on_list make, uintptr_t self, const int64_t *list,
                              int64_t count, dlfgo_handle *out, dlf_error *error);

dlf_status dlfgo_view_index(uintptr_t self, const dlf_index_item *items, int64_t count,
                            dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_view_slice(uintptr_t self, int64_t axis, int64_t start, int64_t count,
                            int64_t step, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_view_select(uintptr_t self, int64_t axis, int64_t index, dlfgo_handle *out,
                             dlf_error *error);
dlf_status dlfgo_view_bitcast(uintptr_t self, uint32_t dtype, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_contiguous(uintptr_t self, int32_t order, dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_cast(uintptr_t self, uint32_t dtype, bool saturate, dlfgo_handle *out,
                      dlf_error *error);
dlf_status dlfgo_from_python(uintptr_t object, int32_t device_type, int32_t device_id, int32_t copy,
                             dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_to_python(uintptr_t self, uintptr_t like, uintptr_t *out, dlf_error *error);
dlf_status dlfgo_to_device(uintptr_t self, int32_t device_type, int32_t device_id, int32_t copy,
                           dlfgo_handle *out, dlf_error *error);
dlf_status dlfgo_npy_open(const char *path, dlfgo_handle *out, dlf_error *error);

/* ---- bridge_compare.c ---- */

typedef dlf_status (*dlfgo_comparison)(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);
dlf_status dlfgo_compare(dlfgo_comparison function, uintptr_t dl, uint64_t flags,
                         dlfgo_flat argument, bool *out, dlf_error *error);
dlf_status dlfgo_all_close(uintptr_t dl, uint64_t flags, dlfgo_flat argument, double rtol,
                           double atol, bool equal_nan, bool *out, dlf_error *error);
bool dlfgo_overlap(uintptr_t dl, uint64_t flags, dlfgo_flat argument);
dlf_status dlfgo_read(uintptr_t dl, uint64_t flags, const int64_t *index, int32_t lane,
                      dlf_number *out, dlf_error *error);
dlf_status dlfgo_contains(uintptr_t dl, uint64_t flags, const dlf_number *number, bool *out,
                          dlf_error *error);
dlf_status dlfgo_npy_save(dlfgo_flat tensor, const char *path, dlf_error *error);
dlf_status dlfgo_export_as(uintptr_t self, const dlf_export_options *options, bool legacy,
                           uintptr_t *out, dlf_error *error);

/* ---- bridge_move.c ---- */

/* Each argument comes with a tensor's handle, 0 for a slice. */
dlf_status dlfgo_copy_into(dlfgo_flat source, uintptr_t from, dlfgo_flat destination, uintptr_t to,
                           dlf_error *error);
dlf_status dlfgo_cast_into(dlfgo_flat source, uintptr_t from, dlfgo_flat destination, uintptr_t to,
                           bool saturate, dlf_error *error);
dlf_status dlfgo_fill_with(dlfgo_flat destination, uintptr_t to, const dlf_number *number,
                           dlf_error *error);

/* ---- bridge_contract.c ---- */

/** An argument of a contract's function. The memory that it points to is pinned. */
typedef struct dlfgo_value {
  dlfgo_flat flat;
  const dlfgo_flat *items; /* of a list, integer of them */
  int64_t integer;
  double real;
} dlfgo_value;

/** words are the text, the function's name, and the parameters' names, each with its NUL. */
dlf_status dlfgo_contract_compile(const char *words, const int32_t *kinds, int32_t count,
                                  uintptr_t *out, dlf_error *error);
dlf_status dlfgo_contract_match(uintptr_t self, const dlfgo_value *given, int32_t count,
                                bool only_inputs, dlf_error *error);
dlf_status dlfgo_contract_infer(uintptr_t self, const dlfgo_value *given, int32_t count,
                                int32_t which, dlf_prototype *out, dlf_error *error);
dlf_status dlfgo_contract_create(uintptr_t self, const dlfgo_value *given, int32_t count,
                                 int32_t which, dlfgo_handle *out, dlf_error *error);

/* ---- bridge.c ---- */

/** Wrap and export in one call; only the managed tensor keeps the slot. After a failure *taken
 * tells whether the slot was released nevertheless. */
dlf_status dlfgo_export(dlfgo_flat flat, uintptr_t slot, uintptr_t *out, bool *taken,
                        dlf_error *error);

/** Every value of a dtype of reals, by its bits; a value from a double. */
void dlfgo_float_decode(uint32_t dtype, float *reals, int64_t count);
uint64_t dlfgo_float_encode(uint32_t dtype, double value);

/** dlf_look at a handle's DLTensor, for its verdict. */
dlf_status dlfgo_look(uintptr_t dl, uint64_t flags, uint32_t dtype, uint32_t how, dlf_error *error);

/** The fields of dlf_window without pointers: Go memory that C is given must not point to other Go
 * memory. */
typedef struct dlfgo_extent {
  int64_t size, start, ndim, stride_count;
  uint64_t flags;
  uint32_t dtype;
  bool whole;
} dlfgo_extent;

dlf_status dlfgo_check_window(const char *name, const dlfgo_extent *extent, void *memory,
                              const int64_t *shape, const int64_t *strides, dlf_error *error);

/* ---- bridge_slot.c ---- */

enum { DLFGO_SLOT_NDIM = 4, DLFGO_SLOTS = 256 };

/** C's part of a slot (queue.go): the owner that a tensor around a slice releases, and the export
 * of a slice with few axes, which Go fills in without a call. Its memory is never freed. */
typedef struct dlfgo_slot {
  DLManagedTensorVersioned managed;
  int64_t extents[2 * DLFGO_SLOT_NDIM]; /* shape, then strides */
  struct dlfgo_slot *next;              /* released before this one */
  uintptr_t number;                     /* from 1 */
} dlfgo_slot;

/** Make DLFGO_SLOTS of them, with numbers from first; NULL without memory. */
dlfgo_slot *dlfgo_slots(uintptr_t first);
/** The deleter of an exported slot. */
void dlfgo_slot_delete(DLManagedTensorVersioned *managed);
/** Release a slot: keep its number for the release by Go that runs on this thread, else push it for
 * Go to take. */
void dlfgo_slot_release(void *slot);
/** Set what wakes the goroutine when a released slot finds none waiting, which must not block: a
 * pipe's write end, on Windows an event. Returns the address of the stack of waiting slots. */
uintptr_t dlfgo_slot_wake(uintptr_t signal);
/** Wake that goroutine. Runs on any thread, in another library's call, whose errno and last error
 * stay. */
void dlfgo_wake(uintptr_t signal);

/* Releases requested by Go. Each returns the number of a slot to end, or 0; the caller takes the
 * others, which do not wake the goroutine. */
uintptr_t dlfgo_release(uintptr_t tensor);
uintptr_t dlfgo_dlpack_release(uintptr_t owned);
uintptr_t dlfgo_dlpack_release_legacy(uintptr_t owned);
/* For a dlf_object. Both may run C's function that frees its pointer, and release the tensors that
 * it keeps. */
uintptr_t dlfgo_object_close(uintptr_t object);
uintptr_t dlfgo_object_release(uintptr_t owned);

#endif
