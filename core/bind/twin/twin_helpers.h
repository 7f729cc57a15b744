/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for the twins in a NAME_dlferry.c. The generator carries this file and writes the
 * sections that a package needs; a line `@section` begins one and is omitted. The section `alone`
 * lets this file be compiled by itself. */
/* @section alone */
#include <dlferry/contract.h>
typedef struct dlf_c64 {
  float re, im;
} dlf_c64;
typedef struct dlf_c128 {
  double re, im;
} dlf_c128;
#define DLFERRY_MAKER "alone: made by dlferry-bind 0"
#define DLFERRY_MADE_MAJOR DLF_VERSION_MAJOR
#define DLFERRY_MADE_MINOR DLF_VERSION_MINOR
#define DLFERRY_NOT_IN "%s is %lld, wanted %s"

/* @section all */
#include <stdatomic.h>
#include <stdio.h>
/* @section lists */
#include <stdlib.h>
/* @section locks */
#ifndef DLFERRY_OBJECT_H /* the amalgamated dlferry.h holds it */
#include <dlferry/object.h>
#endif
/* @section holders */
#include <pthread.h>
#include <stdlib.h>
/* @section all */
#include <string.h>

#if defined(__GNUC__)
#define DLFERRY_HELPER static inline __attribute__((unused))
#define DLFERRY_INLINE static inline __attribute__((always_inline))
#else
#define DLFERRY_HELPER static inline
#define DLFERRY_INLINE static inline
#endif

/* Runs where a function that writes tensors has begun and fails. Python tells torch of the writes.
 */
#ifdef DLFERRY_PYTHON
void dlfpy_begun(void);
#define DLFERRY_BEGUN() dlfpy_begun()
#else
#define DLFERRY_BEGUN() ((void)0)
#endif

/* The linked core may be older than the header of this compilation. */
DLFERRY_HELPER dlf_status dlferry_accept_core(dlf_error *error) {
  const char *version = dlf_version();
  int major = 0;
  int minor = 0;
  char message[160];
  if (sscanf(version, "%d.%d", &major, &minor) == 2 && major == DLFERRY_MADE_MAJOR &&
      minor >= DLFERRY_MADE_MINOR) {
    return DLF_OK;
  }
  snprintf(message, sizeof message, "%s, got dlferry %.32s", DLFERRY_MAKER, version);
  return dlf_error_set(error, DLF_VERSION, message);
}

/* Compiled on first use and kept for the life of the process. If two threads race, one frees its
 * work. */
typedef struct dlferry_once {
  const char *text, *function;
  const dlf_parameter *parameters;
  int32_t count;
  _Atomic(dlf_contract *) compiled;
} dlferry_once;

DLFERRY_HELPER dlf_status dlferry_compile(dlferry_once *once, const dlf_contract **out,
                                          dlf_error *error) {
  dlf_contract *found = atomic_load_explicit(&once->compiled, memory_order_acquire);
  dlf_contract *made = NULL;
  if (!found) {
    dlf_status status = dlferry_accept_core(error);
    if (!status) {
      status = dlf_contract_compile(once->text, once->function, once->parameters, once->count,
                                    sizeof *once->parameters, &made, error);
    }
    if (status) {
      return status;
    }
    if (atomic_compare_exchange_strong(&once->compiled, &found, made)) {
      found = made;
    } else {
      dlf_contract_free(made);
    }
  }
  *out = found;
  return DLF_OK;
}

/* The verdict and its text, after the fast check has refused. */
DLFERRY_HELPER dlf_status dlferry_match(dlferry_once *once, const dlf_value *values,
                                        dlf_error *error) {
  const dlf_contract *contract;
  const dlf_status status = dlferry_compile(once, &contract, error);
  if (status) {
    return status;
  }
  return dlf_contract_match(contract, values, sizeof *values, error);
}

/* Refuse an argument that is not a value of its enum. */
DLFERRY_HELPER dlf_status dlferry_not_in(const char *name, long long value, const char *wanted,
                                         dlf_status status, dlf_error *error) {
  char message[512];
  snprintf(message, sizeof message, DLFERRY_NOT_IN, name, value, wanted);
  return dlf_error_set(error, status, message);
}

/* dlf_data without a call. */
DLFERRY_HELPER void *dlferry_first(const DLTensor *t) {
  if (t->data) {
    return (void *)((uintptr_t)t->data + (uintptr_t)t->byte_offset);
  }
  return NULL;
}

/* Tell whether data is an address. DLPack leaves it open for other devices, where data may be the
 * handle of a buffer: an offset added to a handle names another buffer, or none. dlf_overlap has
 * the same list. */
DLFERRY_HELPER bool dlferry_is_address(const DLTensor *t) {
  switch ((int32_t)t->device.device_type) {
  case kDLCUDA:
  case kDLROCM:
  case kDLOneAPI:
    return true;
  default:
    return dlf_is_reachable(t);
  }
}

/* Room for a tensor as kernels get it. */
typedef struct dlferry_room {
  DLTensor tensor;
  int64_t strides[DLF_MAX_NDIM];
} dlferry_room;

DLFERRY_HELPER const DLTensor *dlferry_fill_room(const DLTensor *tensor, dlferry_room *room) {
  room->tensor = *tensor;
  if (dlferry_is_address(tensor)) {
    room->tensor.data = dlferry_first(tensor);
    room->tensor.byte_offset = 0;
  }
  if (tensor->strides || tensor->ndim == 0) {
    return &room->tensor;
  }
  room->tensor.strides = room->strides;
  dlf_compact_strides(tensor->ndim, tensor->shape, DLF_ROW_MAJOR, room->strides, NULL);
  return &room->tensor;
}

/* Kernels may ignore byte_offset, and never get NULL strides, which mean row-major (DLPack
 * before 1.2). */
DLFERRY_HELPER bool dlferry_suits_kernels(const DLTensor *tensor) {
  return tensor->byte_offset == 0 && (tensor->strides || tensor->ndim == 0);
}

DLFERRY_HELPER const DLTensor *dlferry_for_kernel(const DLTensor *tensor, dlferry_room *room) {
  if (!tensor || dlferry_suits_kernels(tensor)) {
    return tensor;
  }
  return dlferry_fill_room(tensor, room);
}

/* A kernel's status, or another one for success and for a number that is no status. */
DLFERRY_HELPER dlf_status dlferry_failure(int32_t status, dlf_status otherwise) {
  if (status == DLF_OK || strcmp(dlf_status_name(status), "UNKNOWN") == 0) {
    return otherwise;
  }
  return (dlf_status)status;
}

/* A kernel's own failure: the function's name and its text, else its return value, by name if text
 * has one. */
DLFERRY_HELPER dlf_status dlferry_failed(const char *name, long long code, const char *text,
                                         dlf_status status, const dlf_error *own,
                                         dlf_error *error) {
  char message[sizeof error->message + 256];
  const size_t size = strlen(name);
  if (own) {
    status = dlferry_failure(own->status, status);
  }
  if (own && strncmp(own->message, name, size) == 0 && own->message[size] == ':') {
    return dlf_error_set(error, status, own->message);
  }
  if (own && own->message[0]) {
    snprintf(message, sizeof message, "%s: %s", name, own->message);
  } else if (text) {
    snprintf(message, sizeof message, "%s: kernel returned %lld (%s)", name, code, text);
  } else {
    snprintf(message, sizeof message, "%s: kernel returned %lld", name, code);
  }
  return dlf_error_set(error, status, message);
}

/* A pointer to elements cannot carry the offset of a handle. */
DLFERRY_HELPER bool dlferry_loses_offset(const DLTensor *t) {
  return t && t->byte_offset != 0 && t->data && !dlferry_is_address(t);
}

DLFERRY_HELPER dlf_status dlferry_no_offset(const char *where, const DLTensor *t,
                                            dlf_error *error) {
  char message[256], device[DLF_NAME_CAPACITY];
  dlf_device_format(t->device, device, sizeof device);
  snprintf(message, sizeof message,
           "%s: expected a tensor without an offset, since data on %s is a handle, got byte_offset "
           "%llu: pass a copy",
           where, device, (unsigned long long)t->byte_offset);
  return dlf_error_set(error, DLF_UNSUPPORTED, message);
}

/* @section info */
/* LAPACK's negative info: which argument it does not accept. */
DLFERRY_HELPER dlf_status dlferry_refused(const char *function, const char *name, long long code,
                                          dlf_error *error) {
  char message[256];
  snprintf(message, sizeof message,
           "%s: %s: expected a value that the kernel accepts, got its code %lld", function, name,
           code);
  return dlf_error_set(error, DLF_INVALID, message);
}

/* @section families */
DLFERRY_HELPER dlf_status dlferry_not_real(const char *where, double re, double im,
                                           const char *dtype, dlf_error *error) {
  char message[256];
  snprintf(message, sizeof message, "%s: expected a real number for %s, got (%g, %g)", where, dtype,
           re, im);
  return dlf_error_set(error, DLF_INVALID, message);
}

/* @section letters */
DLFERRY_HELPER dlf_status dlferry_no_letter(const char *where, char got, const char *wanted,
                                            dlf_status status, dlf_error *error) {
  char message[512];
  const bool shown = got >= ' ' && got <= '~';
  if (shown) {
    snprintf(message, sizeof message, "%s is '%c', wanted %s", where, got, wanted);
  } else {
    snprintf(message, sizeof message, "%s is %d, wanted %s", where, (unsigned char)got, wanted);
  }
  return dlf_error_set(error, status, message);
}

/* @section complex */
DLFERRY_HELPER float _Complex dlferry_c64_value(dlf_c64 x) {
  float _Complex value;
  memcpy(&value, &x, sizeof value);
  return value;
}

DLFERRY_HELPER double _Complex dlferry_c128_value(dlf_c128 x) {
  double _Complex value;
  memcpy(&value, &x, sizeof value);
  return value;
}

DLFERRY_HELPER dlf_c64 dlferry_c64_of(float _Complex value) {
  dlf_c64 x;
  memcpy(&x, &value, sizeof x);
  return x;
}

DLFERRY_HELPER dlf_c128 dlferry_c128_of(double _Complex value) {
  dlf_c128 x;
  memcpy(&x, &value, sizeof x);
  return x;
}

/* @section made */
/* Make an output by the interpreter, with its text on failure. */
DLFERRY_HELPER dlf_status dlferry_create(dlferry_once *once, const dlf_value *values, int32_t which,
                                         DLManagedTensorVersioned **out, dlf_error *error) {
  const dlf_contract *contract;
  dlf_tensor *made = NULL;
  dlf_status status = dlferry_compile(once, &contract, error);
  if (!status) {
    status = dlf_contract_create(contract, values, sizeof *values, which, &made, error);
  }
  if (!status) {
    status = dlf_to_dlpack(made, out, error);
  }
  dlf_release(made);
  return status;
}

/* @section hooks */
/* Checks the inputs before the outputs, since a hook computes the outputs' extents. */
DLFERRY_HELPER dlf_status dlferry_match_inputs(dlferry_once *once, const dlf_value *values,
                                               dlf_error *error) {
  const dlf_contract *contract;
  const dlf_status status = dlferry_compile(once, &contract, error);
  if (status) {
    return status;
  }
  return dlf_contract_match_inputs(contract, values, sizeof *values, error);
}

DLFERRY_HELPER dlf_status dlferry_too_long(const char *where, unsigned long long extent,
                                           dlf_error *error) {
  char message[256];
  snprintf(message, sizeof message, "%s returned %llu, expected below 2^63", where, extent);
  return dlf_error_set(error, DLF_OVERFLOW, message);
}

/* @section lists */
/* Kernels get pointers to tensors. */
typedef struct dlferry_list {
  const DLTensor **tensors, *few[8];
  dlferry_room *rooms;
} dlferry_list;

DLFERRY_HELPER dlf_status dlferry_list_open(const char *name, const dlf_arg *args, int64_t count,
                                            dlferry_list *out, dlf_error *error) {
  int64_t needed = 0;
  int64_t at = 0;
  for (int64_t i = 0; i < count; i++) {
    needed += !dlferry_suits_kernels(args[i].tensor);
  }
  out->tensors = out->few;
  out->rooms = NULL;
  if (count > 8) {
    out->tensors = (const DLTensor **)calloc((size_t)count, sizeof *out->tensors);
  }
  if (needed && out->tensors) {
    out->rooms = (dlferry_room *)calloc((size_t)needed, sizeof *out->rooms);
  }
  if (!out->tensors || (needed && !out->rooms)) {
    if (count > 8) {
      free(out->tensors);
    }
    out->tensors = out->few;
    return dlf_error_set(error, DLF_NO_MEMORY, name);
  }
  for (int64_t i = 0; i < count; i++) {
    const bool suits = dlferry_suits_kernels(args[i].tensor);
    if (suits) {
      out->tensors[i] = args[i].tensor;
    } else {
      out->tensors[i] = dlferry_fill_room(args[i].tensor, &out->rooms[at++]);
    }
  }
  return DLF_OK;
}

DLFERRY_HELPER void dlferry_list_close(dlferry_list *list) {
  if (list->tensors != list->few) {
    free(list->tensors);
  }
  free(list->rooms);
}

/* @section given */
/* With another major version only the deleter may be used: the caller calls it. */
DLFERRY_HELPER dlf_status dlferry_accept_given(const char *name,
                                               const DLManagedTensorVersioned *given, dlf_arg *out,
                                               dlf_error *error) {
  char message[256];
  if (!given) {
    snprintf(message, sizeof message, "%s: kernel gave no tensor", name);
    return dlf_error_set(error, DLF_FOREIGN, message);
  }
  if (given->version.major != DLF_DLPACK_MAJOR) {
    snprintf(message, sizeof message, "%s: kernel gave a tensor of DLPack %u, expected %d", name,
             (unsigned)given->version.major, DLF_DLPACK_MAJOR);
    return dlf_error_set(error, DLF_VERSION, message);
  }
  *out = (dlf_arg){&given->dl_tensor, given->flags & ~DLF_FLAGS_UNKNOWN};
  return DLF_OK;
}

/* @section all */
/* ---- the fast check: true means that the contract holds, false that dlf_contract_match decides
 * ---- */

/* Flags of tensors that may be read, or written: an unknown flag might change where elements lie.
 */
#define DLFERRY_WRITABLE_FLAGS                                                                     \
  (DLPACK_FLAG_BITMASK_IS_COPIED | DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)
#define DLFERRY_READABLE_FLAGS                                                                     \
  (DLFERRY_WRITABLE_FLAGS | DLPACK_FLAG_BITMASK_READ_ONLY | DLF_FLAGS_UNKNOWN)

typedef struct dlferry_range {
  uint64_t first, last; /* addresses touched */
} dlferry_range;

DLFERRY_HELPER bool dlferry_same_dtype(DLDataType a, DLDataType b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

DLFERRY_HELPER bool dlferry_is(const DLTensor *t, uint8_t code, uint8_t bits, uint16_t lanes) {
  return t->dtype.code == code && t->dtype.bits == bits && t->dtype.lanes == lanes;
}

/* Sound and simple: in host memory, whole bytes, aligned, fewer than 2^31 elements; its range if
 * without gaps. */
DLFERRY_HELPER bool dlferry_simple(const DLTensor *t, int32_t ndim, dlferry_range *range) {
  uint64_t count = 1;
  uint64_t align, bytes;
  if (!t || t->ndim != ndim || (ndim > 0 && !t->shape) || !t->data) {
    return false;
  }
  if (t->device.device_type != kDLCPU || t->device.device_id != 0) {
    return false;
  }
  if (t->dtype.bits == 0 || t->dtype.bits % 8 != 0 || t->dtype.lanes == 0) {
    return false;
  }
  for (int32_t i = 0; i < ndim; i++) {
    if ((uint64_t)t->shape[i] >> 31) {
      return false;
    }
    count *= (uint64_t)t->shape[i];
    if (count >> 31) {
      return false;
    }
  }
  bytes = count * (t->dtype.bits / 8u) * t->dtype.lanes;
  align = t->dtype.bits / 8u;
  align &= ~align + 1;
  if (t->byte_offset >> 62 || (uint64_t)(uintptr_t)t->data >> 62) {
    return false;
  }
  range->first = (uint64_t)(uintptr_t)t->data + t->byte_offset;
  range->last = range->first + bytes;
  return range->last <= UINTPTR_MAX && (range->first & ((align < 16 ? align : 16) - 1)) == 0;
}

DLFERRY_HELPER bool dlferry_row_major(const DLTensor *t, int32_t ndim) {
  uint64_t expected = 1; /* wraps if an extent is 0: then no stride matters */
  if (!t->strides) {
    return true;
  }
  for (int32_t i = ndim - 1; i >= 0; i--) {
    if (t->shape[i] != 1 && (uint64_t)t->strides[i] != expected) {
      return false;
    }
    expected *= (uint64_t)t->shape[i];
  }
  return true;
}

DLFERRY_HELPER bool dlferry_column_major(const DLTensor *t, int32_t ndim) {
  uint64_t expected = 1;
  if (!t->strides) {
    return ndim <= 1;
  }
  for (int32_t i = 0; i < ndim; i++) {
    if (t->shape[i] != 1 && (uint64_t)t->strides[i] != expected) {
      return false;
    }
    expected *= (uint64_t)t->shape[i];
  }
  return true;
}

/* Accept any short strides, and compute their range; address 0 holds nothing. */
DLFERRY_HELPER bool dlferry_strided(const DLTensor *t, int32_t ndim, bool written,
                                    dlferry_range *range) {
  const uint64_t item = t->dtype.bits / 8u * (uint64_t)t->dtype.lanes;
  /* elements, of at most 2^21 bytes */
  uint64_t low = 0;
  uint64_t high = 1;
  if (!t->strides) {
    return true;
  }
  for (int32_t i = 0; i < ndim; i++) {
    const int64_t stride = t->strides[i];
    if (t->shape[i] < 1 || stride >= INT64_C(1) << 20 || stride <= -(INT64_C(1) << 20)) {
      return false;
    }
    if (written && stride == 0 && t->shape[i] > 1) {
      return false;
    }
    if (stride < 0) {
      low += (uint64_t)(t->shape[i] - 1) * (uint64_t)-stride;
    } else {
      high += (uint64_t)(t->shape[i] - 1) * (uint64_t)stride;
    }
  }
  if (low >> 32 || high >> 39 || low * item >= range->first) {
    return false;
  }
  range->last = range->first + high * item;
  range->first -= low * item;
  return range->last <= UINTPTR_MAX;
}

DLFERRY_HELPER bool dlferry_dense_rows(const DLTensor *t, int32_t ndim) {
  return !t->strides || ndim == 0 || t->shape[ndim - 1] == 1 || t->strides[ndim - 1] == 1;
}

DLFERRY_HELPER bool dlferry_same_strides(const DLTensor *a, const DLTensor *b, int32_t ndim) {
  if (!a->strides != !b->strides) {
    return false;
  }
  for (int32_t i = 1; i < ndim && !a->strides; i++) { /* row-major: the shape gives the distances */
    if (a->shape[i] != b->shape[i]) {
      return false;
    }
  }
  for (int32_t i = 0; i < ndim && a->strides; i++) {
    if (a->shape[i] > 1 && b->shape[i] > 1 && a->strides[i] != b->strides[i]) {
      return false;
    }
  }
  return true;
}

DLFERRY_HELPER bool dlferry_apart(const dlferry_range *a, const dlferry_range *b) {
  return a->last <= b->first || b->last <= a->first;
}

/* Compilers warn if a number without a sign is compared with 0. */
DLFERRY_HELPER int64_t dlferry_whole(int64_t number) {
  return number;
}

/* Arithmetic of contracts; where 64 bits do not suffice, *sure becomes false and the result is 0.
 */
DLFERRY_HELPER int64_t dlferry_sum(int64_t a, int64_t b, bool *sure) {
  int64_t sum;
  *sure &= !__builtin_add_overflow(a, b, &sum);
  if (*sure) {
    return sum;
  }
  return 0;
}

DLFERRY_HELPER int64_t dlferry_difference(int64_t a, int64_t b, bool *sure) {
  int64_t difference;
  *sure &= !__builtin_sub_overflow(a, b, &difference);
  if (*sure) {
    return difference;
  }
  return 0;
}

DLFERRY_HELPER int64_t dlferry_product(int64_t a, int64_t b, bool *sure) {
  int64_t product;
  *sure &= !__builtin_mul_overflow(a, b, &product);
  if (*sure) {
    return product;
  }
  return 0;
}

DLFERRY_HELPER int64_t dlferry_least(int64_t a, int64_t b) {
  if (a < b) {
    return a;
  }
  return b;
}

DLFERRY_HELPER int64_t dlferry_most(int64_t a, int64_t b) {
  if (a > b) {
    return a;
  }
  return b;
}

DLFERRY_HELPER int64_t dlferry_div(int64_t a, int64_t b, bool up, bool *sure) {
  *sure &= b > 0;
  if (!*sure) {
    return 0;
  }
  if (a % b != 0 && up && a > 0) {
    return a / b + 1;
  }
  if (a % b != 0 && !up && a < 0) {
    return a / b - 1;
  }
  return a / b;
}

/* @section made */
/* ---- made outputs: like dlf_contract_create's, if the fast check accepts the call afterwards ----
 */

DLFERRY_HELPER bool dlferry_has_axes(const DLTensor *t, int32_t ndim) {
  return t && t->ndim == ndim && (ndim == 0 || t->shape);
}

/* On the CPU, without gaps, or with the strides of a model of the same shape. */
DLFERRY_HELPER bool dlferry_make(dlf_prototype *p, const DLTensor *model, bool column_major,
                                 DLManagedTensorVersioned **out) {
  bool same = model != NULL;
  int64_t count = 1;
  int64_t stride = 1;
  for (int32_t i = 0; i < p->ndim; i++) {
    if ((uint64_t)p->shape[i] >> 31) {
      return false;
    }
    count *= p->shape[i];
    if (count < 1 || count >> 31) {
      return false;
    }
    same = same && model->shape[i] == p->shape[i];
  }
  for (int32_t step = 0; step < p->ndim; step++) {
    int32_t i;
    if (column_major && !same) {
      i = step;
    } else {
      i = p->ndim - 1 - step;
    }
    if (same && model->strides) {
      p->strides[i] = model->strides[i];
    } else {
      p->strides[i] = stride;
    }
    stride *= p->shape[i];
  }
  p->size = sizeof *p;
  p->device = (DLDevice){kDLCPU, 0};
  return dlf_make(p, out, NULL) == DLF_OK;
}

/* @section derived */
/* ---- arguments that the call computes, and pointers to elements ---- */

/* NaN if either is. */
DLFERRY_HELPER double dlferry_real_least(double a, double b) {
  if (a < b) {
    return a;
  }
  if (b <= a) {
    return b;
  }
  return a + b;
}

DLFERRY_HELPER double dlferry_real_most(double a, double b) {
  if (a > b) {
    return a;
  }
  if (b >= a) {
    return b;
  }
  return a + b;
}

DLFERRY_HELPER dlf_status dlferry_too_large(const char *where, int64_t value, int64_t lowest,
                                            int64_t highest, dlf_error *error) {
  char message[256];
  snprintf(message, sizeof message, "%s: expected %lld to %lld, got %lld", where, (long long)lowest,
           (long long)highest, (long long)value);
  return dlf_error_set(error, DLF_OVERFLOW, message);
}

/* The size of the elements. */
DLFERRY_HELPER int64_t dlferry_bytes(dlf_arg arg, bool *sure) {
  int64_t bytes = 0;
  *sure &= dlf_byte_size(arg.tensor, arg.flags & ~DLF_FLAGS_UNKNOWN, &bytes, NULL) == DLF_OK;
  return bytes;
}

/* In elements; no step leads anywhere along an axis of at most one. */
DLFERRY_HELPER int64_t dlferry_stride(const DLTensor *t, int32_t axis) {
  uint64_t stride = 1; /* it wraps only if an extent is 0 */
  if (t->shape[axis] <= 1) {
    return 1;
  }
  if (t->strides && t->strides[axis] > 0) {
    return t->strides[axis];
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) {
      return 1; /* without elements any strides are possible: NumPy's are 0 */
    }
  }
  if (t->strides) {
    return t->strides[axis];
  }
  for (int32_t i = axis + 1; i < t->ndim; i++) {
    if (t->shape[i] > 0) {
      stride *= (uint64_t)t->shape[i];
    } else {
      stride *= 1;
    }
  }
  return (int64_t)stride;
}

/* The element at the lowest address, where BLAS begins with a negative stride. A tensor without
 * elements has none. */
DLFERRY_HELPER void *dlferry_lowest(const DLTensor *t) {
  char *at = (char *)dlferry_first(t);
  const int64_t item = t->dtype.bits / 8 * (int64_t)t->dtype.lanes;
  int64_t back = 0;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) {
      return at;
    }
    if (t->strides && t->strides[i] < 0) {
      back += (t->shape[i] - 1) * t->strides[i] * item;
    }
  }
  return at + back;
}

/* Rows without gaps that do not overlap, or columns if `across`. */
DLFERRY_HELPER bool dlferry_runs(const DLTensor *t, bool across, int64_t *ld) {
  int32_t along = 1;
  if (across) {
    along = 0;
  }
  int64_t least = 1;
  if (t->shape[along] > 1) {
    least = t->shape[along];
  }
  const bool empty = t->shape[0] == 0 || t->shape[1] == 0;
  if (t->shape[1 - along] > 1 && !empty) {
    *ld = dlferry_stride(t, 1 - along);
  } else {
    *ld = least;
  }
  return empty || (dlferry_stride(t, along) == 1 && *ld >= least);
}

/* Find the leading dimension, at least 1 and at least the extent along it, and the order; false if
 * C cannot be told. */
DLFERRY_HELPER bool dlferry_matrix(const DLTensor *t, bool rows, bool columns, int64_t *ld,
                                   bool *is_columns) {
  *is_columns = false;
  if (rows && dlferry_runs(t, false, ld)) {
    return true;
  }
  *is_columns = columns && dlferry_runs(t, true, ld);
  return *is_columns;
}

/* Find the order that fits all matrices, rows if both do, and their leading dimensions in it; false
 * if none fits. */
DLFERRY_HELPER bool dlferry_matrices(const DLTensor *const *all, int count, int64_t *ld,
                                     bool *is_columns) {
  bool fits = false;
  for (int across = 0; across < 2 && !fits; across++) {
    fits = true;
    for (int i = 0; i < count && fits; i++) {
      fits = dlferry_runs(all[i], across, &ld[i]);
    }
    *is_columns = across;
  }
  return fits;
}

/* The order of matrices that the call makes beside these, which no check has seen. */
DLFERRY_HELPER bool dlferry_wants_columns(const DLTensor *const *all, int count) {
  bool rows = true;
  bool columns = true;
  int64_t ld;
  for (int i = 0; i < count; i++) {
    rows &= dlferry_runs(all[i], false, &ld);
    columns &= dlferry_runs(all[i], true, &ld);
  }
  return columns && !rows;
}

DLFERRY_HELPER dlf_status dlferry_no_matrix(const char *where, const DLTensor *t,
                                            dlf_error *error) {
  char message[512];
  snprintf(message, sizeof message,
           "%s: expected a leading dimension and elements next to each other, got strides "
           "(%lld, %lld): pass a copy",
           where, (long long)dlferry_stride(t, 0), (long long)dlferry_stride(t, 1));
  return dlf_error_set(error, DLF_LAYOUT, message);
}

/* Say which matrix to copy: one that is only read rather than one that the call writes, else the
 * later one. */
DLFERRY_HELPER dlf_status dlferry_no_order(const char *function, const char *const *names,
                                           const bool *written, const DLTensor *const *all,
                                           int count, dlf_error *error) {
  static const char *const words[] = {"rows", "columns"};
  int first[2] = {-1, -1}; /* the first that fits rows alone, columns alone */
  int64_t ld;
  char message[768], where[256];
  for (int i = 0; i < count; i++) {
    const bool rows = dlferry_runs(all[i], false, &ld);
    const bool columns = dlferry_runs(all[i], true, &ld);
    if (!rows && !columns) {
      snprintf(where, sizeof where, "%.120s: %.120s", function, names[i]);
      return dlferry_no_matrix(where, all[i], error);
    }
    if (rows != columns && first[columns] < 0) {
      first[columns] = i;
    }
  }
  const bool later = first[1] > first[0];
  const bool only_read = !written[first[!later]] && written[first[later]];
  bool wrong = later;
  if (only_read) {
    wrong = !later;
  }
  snprintf(message, sizeof message,
           "%s: %s: expected %s as %s has, got %s: pass a copy in %s, since C takes one order for "
           "all its matrices",
           function, names[first[wrong]], words[!wrong], names[first[!wrong]], words[wrong],
           words[!wrong]);
  return dlf_error_set(error, DLF_LAYOUT, message);
}

DLFERRY_HELPER dlf_status dlferry_no_walk(const char *where, int axis, dlf_error *error) {
  char message[256];
  snprintf(message, sizeof message,
           "%s: expected a stride other than 0 along axis %d, got 0: pass a copy", where, axis);
  return dlf_error_set(error, DLF_LAYOUT, message);
}

/* @section gifts */
/* ---- memory that the library owns ---- */

/* What C gave: a pointer, and extents that are not checked yet. */
typedef struct dlferry_gift {
  const char *where;       /* "predict: out" */
  const char *const *axes; /* their names; NULL if C gave all extents */
  void *data;
  DLDataType dtype;
  int32_t ndim;
  int64_t *shape;
  bool sure;    /* no extent's computation overflowed */
  bool columns; /* column-major */
  bool constant;
} dlferry_gift;

/* A wide number that no extent can be becomes the largest. */
DLFERRY_HELPER int64_t dlferry_wide(uint64_t value) {
  if (value > INT64_MAX) {
    return INT64_MAX;
  }
  return (int64_t)value;
}

DLFERRY_HELPER dlf_status dlferry_bad_gift(const dlferry_gift *gift, dlf_status status,
                                           const char *what, dlf_error *error) {
  char message[512];
  snprintf(message, sizeof message, "%s: %s", gift->where, what);
  return dlf_error_set(error, status, message);
}

/* Count the elements. */
DLFERRY_HELPER dlf_status dlferry_measure(const dlferry_gift *gift, int64_t *bytes,
                                          dlf_error *error) {
  char message[256];
  bool empty = false;
  bool sure = gift->sure;
  *bytes = gift->dtype.bits / 8 * gift->dtype.lanes;
  for (int32_t i = 0; i < gift->ndim; i++) {
    if (gift->shape[i] < 0) {
      const char *name = "...";
      if (gift->axes) {
        name = gift->axes[i];
      }
      snprintf(message, sizeof message, "kernel gave %lld for [%s], expected 0 or more",
               (long long)gift->shape[i], name);
      return dlferry_bad_gift(gift, DLF_FOREIGN, message, error);
    }
    empty |= gift->shape[i] == 0;
  }
  for (int32_t i = 0; i < gift->ndim && !empty; i++) {
    sure &= *bytes <= INT64_MAX / gift->shape[i];
    if (sure) {
      *bytes *= gift->shape[i];
    } else {
      *bytes *= 1;
    }
  }
  if (empty) {
    *bytes = 0;
  }
  if (!sure || (uint64_t)*bytes > PTRDIFF_MAX) {
    return dlferry_bad_gift(gift, DLF_FOREIGN,
                            "kernel gave extents whose product is too large for memory", error);
  }
  if (*bytes && !gift->data) {
    return dlferry_bad_gift(gift, DLF_FOREIGN, "kernel gave NULL, expected a pointer to elements",
                            error);
  }
  return DLF_OK;
}

/* Read the extents that C gave in memory of its own, of any integer type that is 4 or 8 bytes wide.
 */
DLFERRY_HELPER dlf_status dlferry_extents(const char *where, const char *name, const void *extents,
                                          size_t size, uint64_t rank, int64_t *shape,
                                          dlf_error *error) {
  char message[256];
  if (rank > DLF_MAX_NDIM || (rank && !extents)) {
    snprintf(message, sizeof message, "%s: kernel gave %s %s of %lld extents, expected 0 to %d",
             where, extents ? "a list" : "NULL for a list", name, (long long)rank,
             (int)DLF_MAX_NDIM);
    return dlf_error_set(error, DLF_FOREIGN, message);
  }
  for (uint64_t i = 0; i < rank; i++) {
    int32_t narrow;
    if (size == sizeof narrow) {
      memcpy(&narrow, (const char *)extents + i * size, size);
      shape[i] = narrow;
    } else {
      memcpy(&shape[i], (const char *)extents + i * size, sizeof *shape);
    }
  }
  return DLF_OK;
}

DLFERRY_HELPER void dlferry_lay_out(const dlferry_gift *gift, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t step = 0; step < gift->ndim; step++) {
    int32_t i = step;
    if (!gift->columns) {
      i = gift->ndim - 1 - step;
    }
    strides[i] = stride;
    if (gift->shape[i] > 1) {
      stride *= gift->shape[i];
    } else {
      stride *= 1;
    }
  }
}

DLFERRY_HELPER dlf_status dlferry_copy(const dlferry_gift *gift, dlf_status verdict,
                                       DLManagedTensorVersioned **out, dlf_error *error) {
  dlf_prototype p = {
      .size = sizeof p, .dtype = gift->dtype, .device = {kDLCPU, 0}, .ndim = gift->ndim};
  int64_t bytes = 0;
  if (!verdict) {
    verdict = dlferry_measure(gift, &bytes, error);
  }
  if (verdict) {
    return verdict;
  }
  for (int32_t i = 0; i < gift->ndim; i++) {
    p.shape[i] = gift->shape[i];
  }
  dlferry_lay_out(gift, p.strides);
  verdict = dlf_make(&p, out, error);
  if (!verdict && bytes) {
    memcpy((*out)->dl_tensor.data, gift->data, (size_t)bytes);
  }
  return verdict;
}

/* @section holders */
/* ---- handles that tensors keep ----
 *
 * A holder exists from the first tensor that needs a handle until the handle is freed: by its
 * owner, or by the last such tensor if the owner freed it before. A deleter runs on any thread at
 * any time, so it uses only atomic operations and waits for nothing: memory that only the handle
 * can free stays in a list until a call changes the handle, or to its end. */

typedef struct dlferry_owned dlferry_owned;

typedef struct dlferry_holder {
  dlf_deferred deferred; /* its end inside a lock; first, since the hub returns this address */
  void *handle;
  void (*end)(void *handle);     /* set once the owner has freed the handle */
  const char *lock;              /* in which it ends, or NULL */
  _Atomic int64_t users;         /* the owner, and each tensor */
  _Atomic(dlferry_owned *) gone; /* released, not freed yet */
  dlf_tensor **kept;             /* by C, under the mutex of the table */
  size_t kept_count, kept_capacity;
  struct dlferry_holder *next; /* in the table */
} dlferry_holder;

/* A tensor over memory of the library. */
struct dlferry_owned {
  dlf_deferred deferred; /* first, likewise */
  DLManagedTensorVersioned managed;
  dlferry_holder *holder; /* NULL if no handle is needed */
  void (*give_back)(void *handle, void *data);
  const char *lock; /* of give_back alone */
  void *data;
  dlferry_owned *next;
  int64_t numbers[]; /* extents and strides */
};

enum { DLFERRY_HOLDERS = 256 };
static pthread_mutex_t dlferry_holders_mutex =
    PTHREAD_MUTEX_INITIALIZER; /* of the table, for a few instructions */
static dlferry_holder *dlferry_holders[DLFERRY_HOLDERS];
static _Atomic int64_t dlferry_gone_count; /* in all lists: most calls need not search */

static inline dlferry_holder **dlferry_find_holder(const void *handle) {
  dlferry_holder **at = &dlferry_holders[((uintptr_t)handle >> 4) % DLFERRY_HOLDERS];
  while (*at && (*at)->handle != handle) {
    at = &(*at)->next;
  }
  return at;
}

/* Find or make the holder of an open handle, under the mutex; NULL without memory. */
static inline dlferry_holder *dlferry_holder_of(void *handle) {
  dlferry_holder **at = dlferry_find_holder(handle);
  dlferry_holder *holder = *at;
  if (!holder && (holder = (dlferry_holder *)calloc(1, sizeof *holder))) {
    holder->handle = handle;
    atomic_init(&holder->users, 1);
    atomic_init(&holder->gone, NULL);
    *at = holder;
  }
  return holder;
}

/* Count one more user of a handle; NULL without memory. */
DLFERRY_HELPER dlferry_holder *dlferry_hold(void *handle) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = dlferry_holder_of(handle);
  if (holder) {
    atomic_fetch_add_explicit(&holder->users, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  return holder;
}

static inline void dlferry_let_go(void *tensor) {
  dlf_release((dlf_tensor *)tensor);
}

/* Another reference to a tensor that C keeps as a DLTensor; if that does not suit kernels, a handle
 * on one that does. NULL without memory. */
DLFERRY_HELPER dlf_tensor *dlferry_hold_for_kernel(dlf_tensor *tensor) {
  const DLTensor *t = dlf_dltensor(tensor);
  dlferry_room room;
  dlf_tensor *held = NULL;
  const uint64_t flags = dlf_flags(tensor) & ~DLF_FLAGS_UNKNOWN;
  if (dlferry_suits_kernels(t) || !dlferry_is_address(t)) {
    return dlf_retain(tensor);
  }
  t = dlferry_fill_room(t, &room);
  if (dlf_wrap(t, flags, dlf_retain(tensor), dlferry_let_go, &held, NULL)) {
    dlf_release(tensor);
  }
  return held;
}

/* Let a handle keep a tensor until it is freed. */
DLFERRY_HELPER dlf_status dlferry_keep(const char *where, void *handle, dlf_tensor *tensor,
                                       dlf_error *error) {
  char message[256];
  bool done = false;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = dlferry_holder_of(handle);
  if (holder && holder->kept_count == holder->kept_capacity) {
    const size_t capacity = 2 * holder->kept_capacity + 4;
    dlf_tensor **more = (dlf_tensor **)realloc(holder->kept, capacity * sizeof(dlf_tensor *));
    if (more) {
      holder->kept = more;
    }
    if (more) {
      holder->kept_capacity = capacity;
    }
  }
  if (holder && holder->kept_count < holder->kept_capacity) {
    holder->kept[holder->kept_count++] = dlf_retain(tensor);
    done = true;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (done) {
    return DLF_OK;
  }
  snprintf(message, sizeof message, "%s: expected memory to keep a tensor, got none", where);
  return dlf_error_set(error, DLF_NO_MEMORY, message);
}

/* C did not keep it after all. */
DLFERRY_HELPER void dlferry_forget(void *handle, dlf_tensor *tensor) {
  bool found = false;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(handle);
  for (size_t i = holder ? holder->kept_count : 0; i-- > 0 && !found;) {
    found = holder->kept[i] == tensor;
    if (found) {
      holder->kept[i] = holder->kept[--holder->kept_count];
    }
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (found) {
    dlf_release(tensor); /* outside: a deleter may do anything */
  }
}

/* Free what released tensors left. Only a call that changes the handle does so, or its end. If f
 * has a lock, it is that of the handle's functions. */
DLFERRY_HELPER void dlferry_free_gone(dlferry_holder *holder) {
  dlferry_owned *owned = atomic_exchange_explicit(&holder->gone, NULL, memory_order_acquire);
  while (owned) {
    dlferry_owned *next = owned->next;
    owned->give_back(holder->handle, owned->data);
    free(owned);
    atomic_fetch_sub_explicit(&dlferry_gone_count, 1, memory_order_relaxed);
    owned = next;
  }
}

DLFERRY_HELPER void dlferry_clear(void *handle) {
  if (atomic_load_explicit(&dlferry_gone_count, memory_order_relaxed) == 0) {
    return;
  }
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(handle);
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (holder) {
    dlferry_free_gone(holder);
  }
}

static inline void dlferry_end_inside(dlf_deferred *self) {
  dlferry_holder *holder = (dlferry_holder *)(void *)self;
  dlferry_free_gone(holder);
  if (holder->end) {
    holder->end(holder->handle);
  }
}

/* Outside of every lock: the deleter of a kept tensor may wait, for Python's GIL. */
static inline void dlferry_end_after(dlf_deferred *self) {
  dlferry_holder *holder = (dlferry_holder *)(void *)self;
  for (size_t i = 0; i < holder->kept_count; i++) {
    dlf_release(holder->kept[i]);
  }
  free(holder->kept);
  free(holder);
}

/* Call both, inside the lock and after it, without waiting for it. */
DLFERRY_HELPER void dlferry_run(const char *lock, dlf_deferred *work,
                                void (*inside)(dlf_deferred *self),
                                void (*after)(dlf_deferred *self)) {
  work->inside = inside;
  work->after = after;
  if (lock) {
    dlf_lock_defer(lock, work);
  } else {
    inside(work);
    after(work);
  }
}

/* One user less; the last one ends the handle. */
DLFERRY_HELPER void dlferry_unhold(dlferry_holder *holder) {
  if (atomic_fetch_sub_explicit(&holder->users, 1, memory_order_acq_rel) == 1) {
    dlferry_run(holder->lock, &holder->deferred, dlferry_end_inside, dlferry_end_after);
  }
}

/* The owner frees the handle: at once, unless tensors need it. It leaves the table first, since C
 * may give its address to the next handle. */
DLFERRY_HELPER void dlferry_drop(void *handle, void (*end)(void *handle), const char *lock) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder **at = dlferry_find_holder(handle);
  dlferry_holder *holder = *at;
  if (!holder && lock) {
    holder = dlferry_holder_of(handle); /* whose memory waits for the lock */
  }
  at = dlferry_find_holder(handle);
  if (holder) {
    *at = holder->next;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (holder) {
    holder->end = end;
    holder->lock = lock;
    dlferry_unhold(holder);
  } else {
    if (lock) {
      dlf_lock_enter(lock);
    }
    end(handle);
    if (lock) {
      dlf_lock_leave(lock);
    }
  }
}

static inline void dlferry_free_nothing(void *handle, void *data) {
  (void)handle;
  (void)data;
}

static inline void dlferry_give_back(dlf_deferred *self) {
  dlferry_owned *owned = (dlferry_owned *)(void *)self;
  owned->give_back(NULL, owned->data);
}

static inline void dlferry_free_owned(dlf_deferred *self) {
  free(self);
}

static inline void dlferry_delete_owned(DLManagedTensorVersioned *managed) {
  dlferry_owned *owned = (dlferry_owned *)managed->manager_ctx;
  dlferry_holder *holder = owned->holder;
  if (!holder) {
    dlferry_run(owned->lock, &owned->deferred, dlferry_give_back, dlferry_free_owned);
  } else if (!owned->give_back) {
    free(owned);
  } else {
    dlferry_owned *head = atomic_load_explicit(&holder->gone, memory_order_relaxed);
    atomic_fetch_add_explicit(&dlferry_gone_count, 1, memory_order_relaxed);
    do {
      owned->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&holder->gone, &head, owned,
                                                    memory_order_release, memory_order_relaxed));
  }
  if (holder) {
    dlferry_unhold(holder);
  }
}

/* Make the tensor. If that fails, the memory is freed at once: the call still has the handle. */
DLFERRY_HELPER dlf_status dlferry_own(const dlferry_gift *gift, dlf_status verdict, void *handle,
                                      void (*give_back)(void *handle, void *data), const char *lock,
                                      DLManagedTensorVersioned **out, dlf_error *error) {
  int64_t bytes = 0;
  size_t rank;
  if (gift->ndim < 0 || gift->ndim > DLF_MAX_NDIM) {
    rank = 0;
  } else {
    rank = (size_t)gift->ndim;
  }
  dlferry_owned *owned = NULL;
  if (!verdict) {
    verdict = dlferry_measure(gift, &bytes, error);
  }
  if (!verdict) {
    owned = (dlferry_owned *)calloc(1, sizeof *owned + 2 * rank * sizeof *owned->numbers);
    if (owned && handle) {
      owned->holder = dlferry_hold(handle);
    }
    if (!owned || (handle && !owned->holder)) {
      verdict =
          dlferry_bad_gift(gift, DLF_NO_MEMORY, "expected memory for a tensor, got none", error);
    }
  }
  if (verdict) {
    if (lock) {
      dlf_lock_enter(lock);
    }
    if (give_back && gift->data) {
      give_back(handle, gift->data);
    }
    if (lock) {
      dlf_lock_leave(lock);
    }
    free(owned);
    return verdict;
  }
  owned->data = gift->data;
  owned->lock = lock;
  if (gift->data) {
    owned->give_back = give_back;
  } else {
    owned->give_back = NULL;
  }
  if (!handle && !owned->give_back) {
    owned->give_back = dlferry_free_nothing;
  }
  for (size_t i = 0; i < rank; i++) {
    owned->numbers[i] = gift->shape[i];
  }
  dlferry_lay_out(gift, owned->numbers + rank);
  owned->managed.version = (DLPackVersion){DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR};
  owned->managed.manager_ctx = owned;
  owned->managed.deleter = dlferry_delete_owned;
  if (gift->constant) {
    owned->managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  } else {
    owned->managed.flags = 0;
  }
  owned->managed.dl_tensor = (DLTensor){bytes ? gift->data : NULL,
                                        {kDLCPU, 0},
                                        gift->ndim,
                                        gift->dtype,
                                        owned->numbers,
                                        owned->numbers + rank,
                                        0};
  *out = &owned->managed;
  return DLF_OK;
}

/* A tensor over memory that is valid until the handle is freed. */
DLFERRY_HELPER dlf_status dlferry_lend(const dlferry_gift *gift, dlf_status verdict, void *handle,
                                       DLManagedTensorVersioned **out, dlf_error *error) {
  return dlferry_own(gift, verdict, handle, NULL, NULL, out, error);
}

/* @section interface */
/* ---- NumPy's array interface, as JSON ---- */

DLFERRY_HELPER char *dlferry_put(char *to, const char *text) {
  while (*text) {
    *to++ = *text++;
  }
  return to;
}

DLFERRY_HELPER char *dlferry_put_number(char *to, uint64_t value, bool negative) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
  } while (value /= 10);
  if (negative) {
    *to++ = '-';
  }
  while (count) {
    *to++ = digits[--count];
  }
  return to;
}

/* The letter of a dtype in a typestr, or 0. */
DLFERRY_HELPER char dlferry_typestr(DLDataType t) {
  if (t.lanes != 1 || t.bits % 8 || !t.bits) {
    return 0;
  }
  switch (t.code) {
  case kDLInt:
    return 'i';
  case kDLUInt:
    return 'u';
  case kDLFloat:
    if (t.bits > 8) {
      return 'f';
    }
    return 0;
  case kDLComplex:
    if (t.bits > 32) {
      return 'c';
    }
    return 0;
  case kDLBool:
    if (t.bits == 8) {
      return 'b';
    }
    return 0;
  default:
    return 0;
  }
}

/* Write {"data": [address, true], ...}; false if the dtype or a stride in bytes cannot be said. */
DLFERRY_HELPER bool dlferry_array_interface(const DLTensor *t, char *to) {
  const uint16_t probe = 1;
  const char letter = dlferry_typestr(t->dtype);
  const char type[] = {letter, '\0'};
  const int64_t item = t->dtype.bits / 8;
  if (!letter) {
    return false;
  }
  to = dlferry_put(to, "{\"data\": [");
  to = dlferry_put_number(to, (uint64_t)(uintptr_t)dlf_data(t), false);
  to = dlferry_put(to, ", true], \"shape\": [");
  for (int32_t i = 0; i < t->ndim; i++) {
    if (i) {
      to = dlferry_put(to, ", ");
    }
    to = dlferry_put_number(to, (uint64_t)t->shape[i], false);
  }
  to = dlferry_put(to, "], \"strides\": [");
  for (int32_t i = 0; i < t->ndim; i++) {
    const int64_t stride =
        dlferry_stride(t, i); /* elements in memory: their number times their size is no overflow */
    if (stride > INT64_MAX / item || stride < -(INT64_MAX / item)) {
      return false;
    }
    if (i) {
      to = dlferry_put(to, ", ");
    }
    to = dlferry_put_number(to, (uint64_t)(stride < 0 ? -stride : stride) * (uint64_t)item,
                            stride < 0);
  }
  to = dlferry_put(to, "], \"typestr\": \"");
  *to++ = item == 1 ? '|' : *(const char *)&probe ? '<' : '>';
  to = dlferry_put(to, type);
  to = dlferry_put_number(to, (uint64_t)item, false);
  to = dlferry_put(to, "\", \"version\": 3}");
  *to = '\0';
  return true;
}

DLFERRY_HELPER dlf_status dlferry_no_interface(const char *where, const DLTensor *t,
                                               dlf_error *error) {
  char message[256], name[DLF_NAME_CAPACITY];
  dlf_dtype_format_short(t->dtype, name, sizeof name);
  if (dlferry_typestr(t->dtype)) {
    snprintf(message, sizeof message, "%s: expected strides below 2^63 bytes, got larger ones",
             where);
    return dlf_error_set(error, DLF_OVERFLOW, message);
  }
  snprintf(message, sizeof message, "%s: expected a dtype of NumPy's array interface, got %s",
           where, name);
  return dlf_error_set(error, DLF_DTYPE, message);
}

/* @section cut */
/* ---- outputs of which the kernel reports how much it wrote ---- */

DLFERRY_HELPER dlf_status dlferry_miscounted(const char *who, uint64_t count, bool below,
                                             const char *name, const char *wanted,
                                             dlf_error *error) {
  char message[256];
  snprintf(message, sizeof message,
           below ? "%s %lld for %s, expected %s" : "%s %llu for %s, expected %s", who,
           (unsigned long long)count, name, wanted);
  return dlf_error_set(error, DLF_FOREIGN, message);
}

/* Refuse a number that would read memory which is not there. */
DLFERRY_HELPER dlf_status dlferry_count(const char *who, uint64_t count, bool below,
                                        const char *name, int64_t most, dlf_error *error) {
  char wanted[64];
  if (!below && count <= (uint64_t)most) {
    return DLF_OK;
  }
  snprintf(wanted, sizeof wanted, "0 to %lld", (long long)most);
  return dlferry_miscounted(who, count, below, name, wanted, error);
}

/* Replace a made output by a view of its first elements along an axis, which counts from the end if
 * it is negative. */
DLFERRY_HELPER dlf_status dlferry_cut(DLManagedTensorVersioned **made, int32_t axis, int64_t count,
                                      dlf_error *error) {
  dlf_tensor *whole = NULL;
  dlf_tensor *part = NULL;
  if (axis < 0) {
    axis += (*made)->dl_tensor.ndim;
  }
  if ((*made)->dl_tensor.shape[axis] == count) {
    return DLF_OK;
  }
  dlf_status status = dlf_from_dlpack(*made, &whole, error);
  if (status) {
    return status;
  }
  *made = NULL;
  status = dlf_slice(whole, axis, 0, count, 1, &part, error);
  if (!status) {
    status = dlf_to_dlpack(part, made, error);
  }
  dlf_release(part);
  dlf_release(whole);
  return status;
}
