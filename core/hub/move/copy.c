/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/tensor/handle.h"
#include "move.h"

/* Elements that share bytes are moved by bits. No memory is as large, but a stride may say so. */
DLF__COLD static dlf_status too_many_bits(const char *name, dlf_error *error) {
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "%s: expected bits within 2^60 bytes, got strides that lead further",
                   name);
}

dlf_status dlf__check_readable(const char *name, const dlf_tensor *self, dlf_error *error) {
  if (self->dl.dtype.bits % 8 != 0 && !dlf__counts_bits(&self->dl, self->flags)) {
    return too_many_bits(name, error);
  }
  if (!dlf__unknown_flags(self->flags) && dlf__is_host(self->dl.device)) { /* without a call */
    return DLF_OK;
  }
  const dlf_status status = dlf__check_flags(name, self->flags, error);
  if (status) {
    return status;
  }
  return dlf__check_reachable(name, &self->dl, error);
}

/* ---- into new memory ---- */

/* Elements or lanes that share bytes need a value in each byte before the first of them. */
dlf_status dlf__new_like(const char *name, const dlf_tensor *self, DLDataType dtype, uint64_t flags,
                         int32_t order, dlf_tensor **out, dlf_error *error) {
  int64_t strides[DLF_MAX_NDIM];
  DLTensor prototype = self->dl;
  dlf__content content = DLF__UNWRITTEN;
  prototype.dtype = dtype;
  prototype.device = (DLDevice){kDLCPU, 0};
  prototype.strides = NULL;
  if (order == DLF_COLUMN_MAJOR) {
    dlf__fill_strides(prototype.ndim, prototype.shape, order, strides);
    prototype.strides = strides;
  }
  if (dlf__is_packed(dtype, flags) || (dtype.bits % 8 != 0 && dtype.lanes > 1)) {
    content = DLF__ZEROS;
  }
  const dlf_status status = dlf__allocate(name, &prototype, flags, content, 0, NULL, out, error);
  if (!status) {
    (*out)->version = dlf__version_to_tell(self);
  }
  return status;
}

static dlf_status copy_with(const char *name, dlf_tensor *self, uint64_t flags, int32_t order,
                            dlf_tensor **out, dlf_error *error) {
  dlf_status status = dlf__check_readable(name, self, error);
  if (!status) {
    status = dlf__new_like(name, self, self->dl.dtype, flags, order, out, error);
  }
  if (!status) {
    dlf__move(&(*out)->dl, flags, &self->dl, self->flags);
  }
  return status;
}

static uint64_t padding_of(const dlf_tensor *self) {
  return self->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
}

dlf_status dlf_copy(dlf_tensor *self, dlf_tensor **out, dlf_error *error) {
  const dlf_status status = dlf__begin("copy", self, out, error);
  if (status) {
    return status;
  }
  return copy_with("copy", self, padding_of(self), DLF_ROW_MAJOR, out, error);
}

dlf_status dlf_contiguous(dlf_tensor *self, int32_t order, dlf_tensor **out, dlf_error *error) {
  const dlf_status status = dlf__begin("contiguous", self, out, error);
  if (status) {
    return status;
  }
  if (order < DLF_ROW_MAJOR || order > DLF_DENSE) {
    return dlf__fail(error, DLF_INVALID, "contiguous: expected a dlf_order, got %" PRId32, order);
  }
  if (dlf_is_contiguous(&self->dl, order)) {
    *out = dlf_retain(self);
    return DLF_OK;
  }
  return copy_with("contiguous", self, padding_of(self), order, out, error);
}

/* Lanes of padded elements lie where no text of DLPack says. */
static dlf_status check_lanes(const char *name, DLDataType dtype, dlf_error *error) {
  char text[DLF_NAME_CAPACITY];
  if (dtype.lanes == 1 && dtype.bits <= 64) {
    return DLF_OK;
  }
  dlf_dtype_format(dtype, text, sizeof text);
  return dlf__fail(
      error, DLF_UNSUPPORTED, "%s: expected one lane of at most 64 bits, got %s", name, text);
}

dlf_status dlf_copy_padded(dlf_tensor *self, dlf_tensor **out, dlf_error *error) {
  const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  dlf_status status = dlf__begin("copy_padded", self, out, error);
  if (status) {
    return status;
  }
  if (!dlf__is_packed(self->dl.dtype, self->flags)) {
    return dlf_copy(self, out, error);
  }
  status = check_lanes("copy_padded", self->dl.dtype, error);
  if (status) {
    return status;
  }
  return copy_with("copy_padded", self, padded, DLF_ROW_MAJOR, out, error);
}

/* ---- into existing memory ---- */

static dlf_status check_same_dtype(DLDataType source, DLDataType destination, dlf_error *error) {
  char wanted[DLF_NAME_CAPACITY], got[DLF_NAME_CAPACITY];
  if (dlf__same_dtype(source, destination)) {
    return DLF_OK;
  }
  dlf_dtype_format(destination, wanted, sizeof wanted);
  dlf_dtype_format(source, got, sizeof got);
  return dlf__fail(error,
                   DLF_DTYPE,
                   "copy_into: expected a source of %s, the destination's dtype, got %s: "
                   "cast_into converts",
                   wanted,
                   got);
}

dlf_status dlf__check_same_shape(const char *name, const DLTensor *source,
                                 const DLTensor *destination, dlf_error *error) {
  if (source->ndim != destination->ndim) {
    return dlf__fail(error,
                     DLF_SHAPE,
                     "%s: expected a source of %d axes, as many as the destination has, "
                     "got %d",
                     name,
                     destination->ndim,
                     source->ndim);
  }
  for (int32_t i = 0; i < source->ndim; i++) {
    if (source->shape[i] != destination->shape[i]) {
      return dlf__fail(error,
                       DLF_SHAPE,
                       "%s: expected a source of extent %" PRId64
                       " on axis %d (from 0), the destination's, got %" PRId64,
                       name,
                       destination->shape[i],
                       i,
                       source->shape[i]);
    }
  }
  return DLF_OK;
}

DLF__COLD static dlf_status not_apart(const char *name, const DLTensor *tensor, dlf_error *error) {
  char lists[200];
  dlf__text text = dlf__text_in(lists, sizeof lists);
  dlf__put_list(&text, tensor->shape, tensor->ndim);
  dlf__put(&text, " with strides ");
  dlf__put_list(&text, tensor->strides, tensor->ndim);
  dlf__text_finish(&text);
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "%s: expected a destination whose elements lie apart, got shape %s",
                   name,
                   lists);
}

dlf_status dlf__check_writable(const char *name, const dlf_tensor *self, dlf_error *error) {
  const dlf_status status = dlf__check_readable(name, self, error);
  if (status) {
    return status;
  }
  if (self->flags & DLPACK_FLAG_BITMASK_READ_ONLY) {
    return dlf__fail(
        error, DLF_READ_ONLY, "%s: expected a writable destination, got a read-only one", name);
  }
  if (dlf__are_apart(&self->dl)) {
    return DLF_OK;
  }
  return not_apart(name, &self->dl, error);
}

dlf_status dlf_copy_into(dlf_tensor *source, dlf_tensor *destination, dlf_error *error) {
  if (!source || !destination) {
    return dlf__no_tensor("copy_into", error);
  }
  const DLTensor *const from = &source->dl;
  const DLTensor *const to = &destination->dl;
  dlf_status status = check_same_dtype(from->dtype, to->dtype, error);
  if (!status) {
    status = dlf__check_same_shape("copy_into", from, to, error);
  }
  if (!status && padding_of(source) != padding_of(destination) &&
      dlf__element_bits(to->dtype) % 8 != 0) {
    status = check_lanes("copy_into", to->dtype, error);
  }
  if (!status) {
    status = dlf__check_readable("copy_into", source, error);
  }
  if (!status) {
    status = dlf__check_writable("copy_into", destination, error);
  }
  if (status) {
    return status;
  }
  if (!dlf__handles_overlap(source, destination)) {
    dlf__move(to, destination->flags, from, source->flags);
    return DLF_OK;
  }
  if (dlf__move_within(to, destination->flags, from, source->flags)) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "copy_into: expected a source apart from the destination, or with its strides, "
                   "got shared memory and other strides: copy the source first");
}
