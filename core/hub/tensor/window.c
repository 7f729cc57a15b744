/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors over the caller's memory: every byte that they touch must lie in it. */
#include "hub/internal.h"

/* Bytes from `from` on, relative to the block; a negative distance wraps to a huge one. */
static dlf_status inside(const char *name, uint64_t from, int64_t bytes, int64_t size,
                         dlf_error *error) {
  if (from <= (uint64_t)size && (uint64_t)bytes <= (uint64_t)size - from) {
    return DLF_OK;
  }
  const char *why = "";
  if ((int64_t)from < 0) {
    why = ": data is the element of index 0, and negative strides go back from it";
  }
  return dlf__fail(error,
                   DLF_BOUNDS,
                   "%s: expected %" PRId64 " bytes inside a block of %" PRId64
                   ", got them from byte %" PRId64 "%s",
                   name,
                   bytes,
                   size,
                   (int64_t)from,
                   why);
}

/* The languages' integers are 64 bits wide: refuse what does not fit before it is narrowed to C's.
 */
static dlf_status check_ranges(const char *name, const dlf_window *w, dlf_error *error) {
  const dlf_status status = dlf__check_ndim(name, w->ndim, error);
  if (status) {
    return status;
  }
  if (w->strides && w->stride_count != w->ndim) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected %" PRId64 " strides, got %" PRId64,
                     name,
                     w->ndim,
                     w->stride_count);
  }
  if (w->bytes < 0) {
    return dlf__fail(
        error, DLF_INVALID, "%s: expected a size of 0 or more, got %" PRId64, name, w->bytes);
  }
  return DLF_OK;
}

/* The memory must have room for the tensor's elements, and not for one more. */
static dlf_status check_whole(const char *name, const DLTensor *tensor, uint64_t flags,
                              int64_t size, dlf_error *error) {
  int64_t bytes, count;
  char list[160];
  dlf_status status = dlf__byte_size(name, tensor, flags, &bytes, error);
  if (!status) {
    status = dlf__count(name, tensor, &count, error);
  }
  if (status) {
    return status;
  }
  const int64_t bits = dlf__element_bits(tensor->dtype);
  const int64_t width = (bits + 7) / 8;
  const int64_t rest = size - bytes;
  const bool packed = dlf__is_packed(tensor->dtype, flags);
  if (rest >= 0 && rest < width && (!packed || rest * 8 < bits)) {
    return DLF_OK;
  }
  int64_t room;
  if (!packed) {
    room = size / width;
  } else {
    room = size / bits * 8 + size % bits * 8 / bits;
  }
  dlf__text text = dlf__text_in(list, sizeof list);
  dlf__put_list(&text, tensor->shape, tensor->ndim);
  dlf__text_finish(&text);
  return dlf__fail(error,
                   DLF_SHAPE,
                   "%s: expected %" PRId64 " elements for shape %s, got %" PRId64,
                   name,
                   count,
                   list,
                   room);
}

/* Bytes from the block's first to the element at index 0, which lies inside the block or at its
 * end. */
static dlf_status measure_start(const char *name, const dlf_window *w, int64_t *bytes,
                                dlf_error *error) {
  int bit;
  const bool far = dlf__bytes_before(w->start, w->dtype, w->flags, bytes, &bit);
  if (bit) {
    return dlf__fail(error,
                     DLF_LAYOUT,
                     "%s: expected a first element that begins a byte, got element %" PRId64,
                     name,
                     w->start);
  }
  if (!far && *bytes >= 0 && *bytes <= w->bytes) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_BOUNDS,
                   "%s: expected a first element inside a block of %" PRId64
                   " bytes, got element %" PRId64,
                   name,
                   w->bytes,
                   w->start);
}

dlf_status dlf_check_window(const char *name, const dlf_window *window, DLTensor *out,
                            dlf_error *error) {
  int64_t low, high, start, from;
  uintptr_t end;
  if (!name) {
    name = "check_window";
  }
  if (!out) {
    return dlf__missing(name, "a place for the tensor", error);
  }
  *out = (DLTensor){.data = NULL};
  if (!window) {
    return dlf__missing(name, "a window", error);
  }
  dlf_status status = DLF__CHECK_STRUCT(name, dlf_window, window->size, sizeof *window, error);
  if (!status) {
    status = check_ranges(name, window, error);
  }
  if (status) {
    return status;
  }
  DLTensor tensor = {NULL,
                     {kDLCPU, 0},
                     (int32_t)window->ndim,
                     window->dtype,
                     (int64_t *)(uintptr_t)window->shape,
                     (int64_t *)(uintptr_t)window->strides,
                     0};
  status = dlf__check_flags(name, window->flags, error);
  if (!status) {
    status = dlf__check_description(name, &tensor, window->flags, &low, &high, error);
  }
  if (!status) {
    status = measure_start(name, window, &start, error);
  }
  if (!status && window->whole) {
    status = check_whole(name, &tensor, window->flags, window->bytes, error);
  }
  if (status) {
    return status;
  }
  if (low != high) {
    /* A sum that does not fit lies beyond every block, like INT64_MAX. */
    if (dlf__add(start, low, &from)) {
      from = INT64_MAX;
    }
    status = inside(name, (uint64_t)from, high - low, window->bytes, error);
    if (status) {
      return status;
    }
    if (!window->memory) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: expected memory of %" PRId64 " bytes, got NULL",
                       name,
                       window->bytes);
    }
    if (__builtin_add_overflow((uintptr_t)window->memory, window->bytes, &end)) {
      return dlf__fail(error,
                       DLF_OVERFLOW,
                       "%s: expected a block inside the address space, got %" PRId64
                       " bytes from 0x%" PRIxPTR,
                       name,
                       window->bytes,
                       (uintptr_t)window->memory);
    }
    tensor.data = (unsigned char *)window->memory + start;
  }
  *out = tensor;
  return DLF_OK;
}
