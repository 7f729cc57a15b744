/* SPDX-License-Identifier: Apache-2.0 */
/* The one check before elements are used as values of a type, for the typed access of every
 * language. */
#include "hub/convert/convert.h"
#include "hub/plain.h"

#define ORDERS (DLF_LOOK_ROW_MAJOR | DLF_LOOK_COLUMN_MAJOR | DLF_LOOK_DENSE)
#define KNOWN_BITS (DLF_LOOK_WRITE | ORDERS | DLF_LOOK_BITS | DLF_LOOK_UNALIGNED)

/* "padded int4" */
static void name_dtype(DLDataType dtype, uint64_t flags, char *buffer, int64_t capacity) {
  char word[DLF_NAME_CAPACITY];
  const bool padded = flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED && dtype.bits % 8 != 0;
  dlf__text text = dlf__text_in(buffer, capacity);
  dlf_dtype_format(dtype, word, sizeof word);
  dlf__put(&text, padded ? "padded %s" : "%s", word);
}

/* Bits from one element to the next, if they are the wanted ones and whole bytes. */
static inline bool dtype_fits(dlf_arg arg, DLDataType wanted, uint32_t how, int64_t *bits) {
  const DLDataType dtype = arg.tensor->dtype;
  const bool padded = arg.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  *bits = dlf__element_bits(dtype);
  if (how & DLF_LOOK_BITS) {
    if (padded) {
      *bits = (*bits + 7) / 8 * 8;
    }
    return *bits == dlf__element_bits(wanted) && *bits % 8 == 0;
  }
  if (padded &&
      dtype.bits % 8 !=
          0) { /* only a caller that names the dtype knows that such bytes are its elements */
    *bits = (*bits + 7) / 8 * 8;
    return dlf__same_dtype(wanted, dtype) && dtype.lanes == 1;
  }
  return (wanted.bits == 0 || dlf__same_dtype(wanted, dtype)) && *bits % 8 == 0;
}

/* What a caller may do, if that helps. */
DLF__COLD static const char *remedy(DLDataType got, DLDataType wanted) {
  if (got.lanes == wanted.lanes && dlf__is_castable(got, wanted)) {
    return ": cast converts";
  }
  return "";
}

DLF__COLD static dlf_status wrong_dtype(dlf_arg arg, DLDataType wanted, uint32_t how,
                                        dlf_error *error) {
  char got[DLF_NAME_CAPACITY + 8], name[DLF_NAME_CAPACITY];
  name_dtype(arg.tensor->dtype, arg.flags, got, sizeof got);
  if (how & DLF_LOOK_BITS && dlf__element_bits(wanted) % 8 == 0) {
    return dlf__fail(error,
                     DLF_DTYPE,
                     "elements: expected elements of %" PRId64 " bits, got %s",
                     dlf__element_bits(wanted),
                     got);
  }
  if (how & DLF_LOOK_BITS || wanted.bits == 0 || dlf__same_dtype(wanted, arg.tensor->dtype)) {
    return dlf__fail(
        error, DLF_UNSUPPORTED, "elements: expected elements of whole bytes, got %s", got);
  }
  dlf_dtype_format(wanted, name, sizeof name);
  return dlf__fail(error,
                   DLF_DTYPE,
                   "elements: expected %s, got %s%s",
                   name,
                   got,
                   remedy(arg.tensor->dtype, wanted));
}

static bool has_order(const DLTensor *tensor, uint32_t how) {
  return (how & DLF_LOOK_ROW_MAJOR && dlf_is_contiguous(tensor, DLF_ROW_MAJOR)) ||
         (how & DLF_LOOK_COLUMN_MAJOR && dlf_is_contiguous(tensor, DLF_COLUMN_MAJOR)) ||
         (how & DLF_LOOK_DENSE && dlf_is_contiguous(tensor, DLF_DENSE));
}

DLF__COLD static dlf_status wrong_order(const DLTensor *tensor, uint32_t how, dlf_error *error) {
  const char *order = "row- or column-major elements";
  if (how & DLF_LOOK_DENSE) {
    order = "elements without gaps";
  } else if (!(how & DLF_LOOK_COLUMN_MAJOR)) {
    order = "row-major elements";
  } else if (!(how & DLF_LOOK_ROW_MAJOR)) {
    order = "column-major elements";
  }
  int64_t strides[DLF_MAX_NDIM];
  char lists[200];
  dlf__text text = dlf__text_in(lists, sizeof lists);
  if (!tensor->strides) {
    dlf__fill_strides(tensor->ndim, tensor->shape, DLF_ROW_MAJOR, strides);
  }
  dlf__put_list(&text, tensor->shape, tensor->ndim);
  dlf__put(&text, " with strides ");
  dlf__put_list(&text, tensor->strides ? tensor->strides : strides, tensor->ndim);
  dlf__text_finish(&text);
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "elements: expected %s, got shape %s: pass a %s-major copy",
                   order,
                   lists,
                   how & (DLF_LOOK_ROW_MAJOR | DLF_LOOK_DENSE) ? "row" : "column");
}

DLF__COLD static dlf_status wrong_bits(uint32_t how, dlf_error *error) {
  return dlf__fail(
      error, DLF_INVALID, "elements: expected bits of dlf_look_how, got 0x%" PRIx32, how);
}

DLF__COLD static dlf_status not_writable(uint64_t flags, dlf_error *error) {
  return dlf__fail(error,
                   DLF_READ_ONLY,
                   "elements: expected writable data, got %s",
                   flags & DLPACK_FLAG_BITMASK_READ_ONLY ? "read-only" : "flags unknown");
}

DLF__COLD static dlf_status not_aligned(int64_t wanted, uintptr_t address, dlf_error *error) {
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "elements: expected data aligned to %" PRId64 " bytes, got an address %" PRIuPTR
                   " past one",
                   wanted,
                   address % (uintptr_t)wanted);
}

/* All other tensors, and all failures. */
DLF__APART static dlf_status look_at_any(dlf_arg tensor, DLDataType dtype, uint32_t how,
                                         dlf_elements *out, dlf_error *error) {
  const DLTensor *const t = tensor.tensor;
  int64_t count = 1;
  int64_t bits, size;
  dlf_status status = DLF_OK;
  *out = (dlf_elements){NULL, 0, 0};
  if (how & ~(uint32_t)KNOWN_BITS) {
    return wrong_bits(how, error);
  }
  if (!t || !dlf__is_plainly_sound(t)) {
    status = dlf__look_closely("elements", t, tensor.flags, error);
    if (status) {
      return status;
    }
  }
  if (dlf__unknown_flags(tensor.flags)) {
    return dlf__check_flags("elements", tensor.flags, error);
  }
  if (!dtype_fits(tensor, dtype, how, &bits)) {
    return wrong_dtype(tensor, dtype, how, error);
  }
  if (!dlf__is_host(t->device)) {
    status = dlf__check_reachable("elements", t, error);
  }
  if (status) {
    return status;
  }
  if (how & DLF_LOOK_WRITE && tensor.flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLF_FLAGS_UNKNOWN)) {
    return not_writable(tensor.flags, error);
  }
  if (how & ORDERS && !has_order(t, how)) {
    return wrong_order(t, how, error);
  }
  /* An extent of 0 may follow others whose product does not fit. */
  for (int32_t i = 0; i < t->ndim && count != 0; i++) {
    if (dlf__mul(count, t->shape[i], &count)) {
      if (dlf__is_empty(t)) {
        count = 0;
      } else {
        count = -1;
      }
    }
  }
  if (count < 0 || dlf__mul(count, bits / 8, &size)) { /* strides of 0 reach no further */
    return dlf__fail(
        error, DLF_OVERFLOW, "elements: expected a size below 2^63 bytes, got a larger one");
  }
  if (count > 0) {
    const uintptr_t address = (uintptr_t)dlf__data(t);
    const int64_t wanted = dlf__natural_alignment(how & DLF_LOOK_BITS ? dtype : t->dtype);
    if (address & (uintptr_t)(wanted - 1) && !(how & DLF_LOOK_UNALIGNED)) {
      return not_aligned(wanted, address, error);
    }
    out->data = (void *)address;
  }
  out->count = count;
  out->width = bits / 8;
  return DLF_OK;
}

/* Accept the usual case, a row-major run in plain memory, without the full checks, which decide on
 * all others. */
static DLF__INLINE bool look_at_run(dlf_arg tensor, DLDataType dtype, uint32_t how,
                                    dlf_elements *out) {
  const DLTensor *const t = tensor.tensor;
  const uint64_t usual =
      DLPACK_FLAG_BITMASK_IS_COPIED | (how & DLF_LOOK_WRITE ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY);
  int64_t count = 1;
  int64_t size;
  uintptr_t address, end;
  if (!t || how & ~(uint32_t)(DLF_LOOK_WRITE | DLF_LOOK_ROW_MAJOR | DLF_LOOK_DENSE) ||
      tensor.flags & ~usual) {
    return false;
  }
  if (!dlf__same_dtype(dtype, t->dtype) || dtype.bits % 8 != 0 || dtype.code > kDLBool) {
    return false;
  }
  if ((int32_t)t->device.device_type != kDLCPU || t->device.device_id < 0) {
    return false;
  }
  const int64_t *const shape = t->shape;
  const int64_t *const strides = t->strides;
  int64_t i = (int64_t)t->ndim - 1;
  if ((uint64_t)i >= DLF_MAX_NDIM || !shape || !strides) {
    return false;
  }
  for (; i >= 0; i--) {
    if (strides[i] != count || shape[i] <= 0 || dlf__mul(count, shape[i], &count)) {
      return false;
    }
  }
  const int64_t width = (int64_t)(dtype.bits / 8) * dtype.lanes;
  if (dlf__mul(count, width, &size) || size <= 0 || !t->data) {
    return false;
  }
  if (__builtin_add_overflow((uintptr_t)t->data, t->byte_offset, &address) ||
      __builtin_add_overflow(address, (uint64_t)size, &end) ||
      address & (uintptr_t)(dlf__natural_alignment(dtype) - 1)) {
    return false;
  }
  *out = (dlf_elements){(void *)address, count, width};
  return true;
}

dlf_status dlf_look(dlf_arg tensor, DLDataType dtype, uint32_t how, dlf_elements *out,
                    dlf_error *error) {
  if (!out) {
    return dlf__missing("elements", "a place for the elements", error);
  }
  if (look_at_run(tensor, dtype, how, out)) {
    return DLF_OK;
  }
  return look_at_any(tensor, dtype, how, out, error);
}
