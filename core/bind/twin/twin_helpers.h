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
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
/* @section locks */
#ifndef DLFERRY_OBJECT_H /* the amalgamated dlferry.h holds it */
#include <dlferry/object.h>
#endif
/* @section holders */
#include <pthread.h>
/* @section all */
#include <string.h>

#if defined(__GNUC__)
#define DLFERRY_HELPER static inline __attribute__((unused))
#define DLFERRY_INLINE static inline __attribute__((always_inline))
#define DLFERRY_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define DLFERRY_HELPER static inline
#define DLFERRY_INLINE static inline
#define DLFERRY_PRINTF
#endif

/* Runs where a function that writes tensors has begun and fails. Python tells torch of the writes.
 */
#ifdef DLFERRY_PYTHON
void dlfpy_begun(void);
#define DLFERRY_BEGUN() dlfpy_begun()
#else
#define DLFERRY_BEGUN() ((void)0)
#endif

/* Fail with a text. */
DLFERRY_PRINTF DLFERRY_HELPER dlf_status dlferry_fail(dlf_error *error, dlf_status status,
                                                      const char *format, ...) {
  char message[sizeof error->message + 256];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  return dlf_error_set(error, status, message);
}

/* The linked core may be older than the header of this compilation. */
DLFERRY_HELPER dlf_status dlferry_accept_core(dlf_error *error) {
  const char *version = dlf_version();
  int major = 0;
  int minor = 0;
  if (sscanf(version, "%d.%d", &major, &minor) == 2 && major == DLFERRY_MADE_MAJOR &&
      minor >= DLFERRY_MADE_MINOR) {
    return DLF_OK;
  }
  return dlferry_fail(error, DLF_VERSION, "%s, got dlferry %.32s", DLFERRY_MAKER, version);
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
      status = dlf_contract_compile(once->text,
                                    once->function,
                                    once->parameters,
                                    once->count,
                                    sizeof *once->parameters,
                                    &made,
                                    error);
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
  return dlferry_fail(error, status, DLFERRY_NOT_IN, name, value, wanted);
}

/* dlf_data without a call. */
DLFERRY_HELPER void *dlferry_first(const DLTensor *t) {
  if (t && t->data) {
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
  char device[DLF_NAME_CAPACITY];
  dlf_device_format(t->device, device, sizeof device);
  return dlferry_fail(
      error,
      DLF_UNSUPPORTED,
      "%s: expected a tensor without an offset, since data on %s is a handle, got byte_offset "
      "%llu: pass a copy",
      where,
      device,
      (unsigned long long)t->byte_offset);
}

/* @section info */
/* LAPACK's negative info: which argument it does not accept. */
DLFERRY_HELPER dlf_status dlferry_refused(const char *function, const char *name, long long code,
                                          dlf_error *error) {
  return dlferry_fail(error,
                      DLF_INVALID,
                      "%s: %s: expected a value that the kernel accepts, got its code %lld",
                      function,
                      name,
                      code);
}

/* @section families */
DLFERRY_HELPER dlf_status dlferry_not_real(const char *where, double re, double im,
                                           const char *dtype, dlf_error *error) {
  return dlferry_fail(
      error, DLF_INVALID, "%s: expected a real number for %s, got (%g, %g)", where, dtype, re, im);
}

/* @section structs */
/* A field that has become a bit-field, or has another type, must not compile: its value would be
 * converted. */
#define DLFERRY_FIELD(type, field, in_c, of_twin)                                                  \
  _Static_assert(_Generic(*&((type *)0)->field, in_c: 1, default: 0) &&                            \
                     sizeof((type *)0)->field == sizeof(of_twin),                                  \
                 #type "." #field " is no " #in_c ": make the package again from this header")
/* The same of an array. */
#define DLFERRY_ITEMS(type, field, in_c, of_twin, count)                                           \
  _Static_assert(_Generic(&((type *)0)->field, in_c(*)[count]: 1, default: 0) &&                   \
                     sizeof((type *)0)->field == (count) * sizeof(of_twin),                        \
                 #type "." #field " is no " #in_c "[" #count                                       \
                       "]: make the package again from this header")

/* A text that fills its memory without a NUL. Bindings pass one that is too long like this. */
DLFERRY_HELPER dlf_status dlferry_no_end(const char *where, int room, dlf_status status,
                                         dlf_error *error) {
  if (status == DLF_INVALID) {
    return dlferry_fail(
        error, status, "%s: expected a text of at most %d bytes, without NUL", where, room - 1);
  }
  return dlferry_fail(
      error, status, "%s: kernel wrote %d bytes without a NUL, expected text", where, room);
}

/* @section letters */
DLFERRY_HELPER dlf_status dlferry_no_letter(const char *where, char got, const char *wanted,
                                            dlf_status status, dlf_error *error) {
  const bool shown = got >= ' ' && got <= '~';
  if (shown) {
    return dlferry_fail(error, status, "%s is '%c', wanted %s", where, got, wanted);
  }
  return dlferry_fail(error, status, "%s is %d, wanted %s", where, (unsigned char)got, wanted);
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

/* A function, since compilers of 32 bits would warn that a size_t is never above. */
DLFERRY_HELPER bool dlferry_is_too_long(uint64_t extent) {
  return extent > INT64_MAX;
}

DLFERRY_HELPER dlf_status dlferry_too_long(const char *where, unsigned long long extent,
                                           dlf_error *error) {
  return dlferry_fail(error, DLF_OVERFLOW, "%s returned %llu, expected below 2^63", where, extent);
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
  if (!given) {
    return dlferry_fail(error, DLF_FOREIGN, "%s: kernel gave no tensor", name);
  }
  if (given->version.major != DLF_DLPACK_MAJOR) {
    return dlferry_fail(error,
                        DLF_VERSION,
                        "%s: kernel gave a tensor of DLPack %u, expected %d",
                        name,
                        (unsigned)given->version.major,
                        DLF_DLPACK_MAJOR);
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
  for (int64_t step = 0; step < p->ndim; step++) {
    int64_t i;
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
