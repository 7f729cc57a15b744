/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/tensor/handle.h"

/* Copy one row of elements into a contiguous one; a constant size lets the compiler turn memcpy
 * into a move. */
static void copy_row(char *to, const char *from, int64_t count, int64_t step, int64_t size) {
  if (step == size || count == 1) {
    memcpy(to, from, (size_t)(count * size));
    return;
  }
  switch (size) {
#define ROW(width)                                                                                 \
  case width:                                                                                      \
    for (int64_t i = 0; i < count; i++)                                                            \
      memcpy(to + i * width, from + i * step, width);                                              \
    break
    ROW(1);
    ROW(2);
    ROW(4);
    ROW(8);
    ROW(16);
#undef ROW
  default:
    for (int64_t i = 0; i < count; i++) {
      memcpy(to + i * size, from + i * step, (size_t)size);
    }
  }
}

/* Walk all axes but the last like an odometer. dlf__check approved every byte touched; the stride
 * of an axis of extent 1 is unbounded and never used. */
static void copy_strided(char *to, const DLTensor *from, int64_t size) {
  const int32_t last = from->ndim - 1;
  const int64_t count = from->shape[last];
  const char *source = dlf_data(from);
  int64_t index[DLF_MAX_NDIM] = {0};
  int64_t step[DLF_MAX_NDIM];
  dlf__steps(from, step);
  for (int32_t i = 0; i <= last; i++) {
    step[i] *= size;
  }
  for (;;) {
    copy_row(to, source, count, step[last], size);
    to += count * size;
    int32_t axis = last - 1;
    for (; axis >= 0 && index[axis] + 1 == from->shape[axis]; axis--) {
      source -= index[axis] * step[axis];
      index[axis] = 0;
    }
    if (axis < 0) {
      return;
    }
    index[axis]++;
    source += step[axis];
  }
}

dlf_status dlf_copy(dlf_tensor *self, dlf_tensor **out, dlf_error *error) {
  int64_t size;
  dlf_status status = dlf__begin("copy", self, out, error);
  if (status) {
    return status;
  }
  const DLTensor *from = &self->dl;
  const uint64_t padded = self->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  const bool compact = dlf_is_contiguous(from, DLF_ROW_MAJOR);
  status = dlf__check_flags("copy", self->flags, error);
  if (!status) {
    status = dlf__check_reachable("copy", from, error);
  }
  if (status) {
    return status;
  }
  if (!compact && dlf__is_packed(from->dtype, self->flags)) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "copy: expected packed elements in row-major order, got other strides");
  }
  status = dlf__create(
      "copy", from->dtype, from->ndim, from->shape, (DLDevice){kDLCPU, 0}, padded, out, error);
  if (status) {
    return status;
  }
  (*out)->version = dlf__version_to_tell(self);
  status = dlf__byte_size("copy", from, self->flags, &size, error);
  if (status || size == 0) {
    return status;
  }
  if (compact) {
    memcpy((*out)->dl.data, dlf_data(from), (size_t)size);
  } else {
    copy_strided((*out)->dl.data, from, dlf_dtype_size(from->dtype));
  }
  return DLF_OK;
}

/* Write the elements of an axis and those after it, each as whole bytes from the lowest on; returns
 * where it ended. */
static unsigned char *spread(unsigned char *to, const DLTensor *bits, const int64_t *step,
                             int32_t axis, int64_t element) {
  if (axis < bits->ndim) {
    for (int64_t i = 0; i < bits->shape[axis]; i++) {
      to = spread(to, bits, step, axis + 1, element + i * step[axis]);
    }
    return to;
  }
  uint64_t value = dlf__read(bits, 0, element, 0).unsigned_value;
  for (int done = 0; done < bits->dtype.bits; done += 8) {
    *to++ = (unsigned char)(value & 0xFF);
    value >>= 8;
  }
  return to;
}

dlf_status dlf_copy_padded(dlf_tensor *self, dlf_tensor **out, dlf_error *error) {
  int64_t step[DLF_MAX_NDIM];
  char name[DLF_NAME_CAPACITY];
  dlf_status status = dlf__begin("copy_padded", self, out, error);
  if (status) {
    return status;
  }
  DLTensor bits = self->dl;
  if (!dlf__is_packed(bits.dtype, self->flags)) {
    return dlf_copy(self, out, error);
  }
  status = dlf__check_flags("copy_padded", self->flags, error);
  if (!status) {
    status = dlf__check_reachable("copy_padded", &bits, error);
  }
  if (status) {
    return status;
  }
  dlf_dtype_format(bits.dtype, name, sizeof name);
  if (bits.dtype.lanes != 1 || bits.dtype.bits > 64) {
    return dlf__fail(
        error, DLF_UNSUPPORTED, "copy_padded: expected one lane of at most 64 bits, got %s", name);
  }
  status = dlf__create("copy_padded",
                       bits.dtype,
                       bits.ndim,
                       bits.shape,
                       (DLDevice){kDLCPU, 0},
                       DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
                       out,
                       error);
  if (status) {
    return status;
  }
  (*out)->version = dlf__version_to_tell(self);
  if (dlf__is_empty(&bits)) {
    return DLF_OK;
  }
  dlf__steps(&bits, step);
  bits.dtype.code = kDLUInt;
  (void)spread((*out)->dl.data, &bits, step, 0, 0);
  return DLF_OK;
}

dlf_status dlf_to_dlpack_copy(dlf_tensor *self, DLManagedTensorVersioned **out, dlf_error *error) {
  dlf_tensor *copy;
  if (!out) {
    return dlf__no_place("to_dlpack_copy", error);
  }
  *out = NULL;
  dlf_status status = dlf_copy(self, &copy, error);
  if (!status) {
    status = dlf_to_dlpack(copy, out, error);
  }
  dlf_release(copy);
  if (!status) {
    (*out)->flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  }
  return status;
}
