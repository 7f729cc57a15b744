/* SPDX-License-Identifier: Apache-2.0 */
#include "tensors.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for elements that a case touches; larger tensors are only checked. */
#define TENSORS_MEMORY ((size_t)1 << 16)

/* What a kernel finds that does not add byte_offset: bytes that are no zeros, in the tensor's own
 * memory. */
enum { TENSORS_BEFORE = 256, TENSORS_OTHERS = 0x3D };

typedef struct memory {
  _Alignas(256) unsigned char before[TENSORS_BEFORE], bytes[TENSORS_MEMORY];
  atomic_int users;
} memory;

typedef struct made {
  DLManagedTensorVersioned managed;
  memory *memory;
  int64_t shape[64], strides[64];
} made;

static atomic_llong live;
static memory *slots[16]; /* each is a user; one thread makes tensors */
static made last[16];     /* of each slot, for its shape and strides */

static void let_go(memory *self) {
  if (self && atomic_fetch_sub(&self->users, 1) == 1) {
    free(self);
  }
}

static void delete_made(DLManagedTensorVersioned *self) {
  let_go(((made *)self)->memory);
  free(self);
  atomic_fetch_sub(&live, 1);
}

static int64_t next(const char **numbers) {
  char *end = NULL;
  const int64_t value = strtoll(*numbers, &end, 10);
  if (end == *numbers) {
    abort(); /* a case with too few numbers */
  }
  *numbers = end;
  return value;
}

/* ---- elements ---- */

static bool is_code(const DLTensor *t, DLDataTypeCode code) {
  return t->dtype.code == (uint8_t)code;
}

/* The address of element i in row-major order. */
static unsigned char *element(const DLTensor *t, int64_t i) {
  unsigned char *at = (unsigned char *)t->data + t->byte_offset;
  int64_t gapless = 1;
  for (int32_t axis = t->ndim - 1; axis >= 0; axis--) {
    at += i % t->shape[axis] * (t->strides ? t->strides[axis] : gapless) * (t->dtype.bits / 8);
    i /= t->shape[axis];
    gapless *= t->shape[axis];
  }
  return at;
}

static int64_t element_count(const DLTensor *t) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < t->ndim; axis++) {
    count *= t->shape[axis];
  }
  return count;
}

static void put_real(void *at, int bits, double x) {
  if (bits == 64) {
    memcpy(at, &x, 8);
  } else {
    memcpy(at, &(float){(float)x}, 4);
  }
}

static double get_real(const void *at, int bits) {
  float narrow;
  double wide;
  memcpy(&narrow, at, 4);
  if (bits == 32) {
    return (double)narrow;
  }
  memcpy(&wide, at, 8);
  return wide;
}

/* Little-endian, like all machines that run the tests. */
static void put_element(const DLTensor *t, unsigned char *at, const char **numbers) {
  char *end = NULL;
  const double x = strtod(*numbers, &end);
  *numbers = end;
  const int64_t whole = (int64_t)x;
  if (is_code(t, kDLComplex)) {
    put_real(at, t->dtype.bits / 2, x);
    put_real(at + t->dtype.bits / 16, t->dtype.bits / 2, strtod(*numbers, &end));
    *numbers = end;
  } else if (is_code(t, kDLFloat)) {
    put_real(at, t->dtype.bits, x);
  } else {
    memcpy(at, &whole, t->dtype.bits / 8);
  }
}

static void put_elements(const DLTensor *t, const char *numbers) {
  for (int64_t i = 0; numbers[strspn(numbers, " ")] && i < element_count(t); i++) {
    put_element(t, element(t, i), &numbers);
  }
  if (numbers[strspn(numbers, " ")]) {
    abort(); /* more than there are */
  }
}

static size_t put(char *text, size_t size, size_t at, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int more = at < size ? vsnprintf(text + at, size - at, format, list) : 0;
  va_end(list);
  return at + (size_t)more;
}

static const char *show(const DLTensor *t) {
  static char text[1000];
  static const char *const letters[] = {
      [kDLInt] = "i", [kDLUInt] = "u", [kDLFloat] = "f", [kDLComplex] = "c"};
  size_t n = put(text,
                 sizeof text,
                 0,
                 is_code(t, kDLBool) ? "bool[" : "%s%d[",
                 letters[t->dtype.code % 6],
                 t->dtype.bits);
  for (int32_t i = 0; i < t->ndim; i++) {
    n = put(text, sizeof text, n, i ? ", %lld" : "%lld", (long long)t->shape[i]);
  }
  n = put(text, sizeof text, n, "]");
  for (int64_t i = 0; i < element_count(t) && n < sizeof text; i++) {
    const unsigned char *at = element(t, i);
    uint64_t whole = 0;
    memcpy(&whole, at, t->dtype.bits / 8 <= 8 ? t->dtype.bits / 8 : 8);
    const int unused = 64 - t->dtype.bits;
    if (is_code(t, kDLComplex)) {
      n = put(text,
              sizeof text,
              n,
              " %g%+gi",
              get_real(at, t->dtype.bits / 2),
              get_real(at + t->dtype.bits / 16, t->dtype.bits / 2));
    } else if (is_code(t, kDLFloat)) {
      n = put(text, sizeof text, n, " %g", get_real(at, t->dtype.bits));
    } else if (is_code(t, kDLInt)) {
      n = put(text, sizeof text, n, " %lld", (long long)((int64_t)(whole << unused) >> unused));
    } else {
      n = put(text, sizeof text, n, " %llu", (unsigned long long)whole);
    }
  }
  return text;
}

const char *tensors_show(const DLManagedTensorVersioned *tensor) {
  return show(&tensor->dl_tensor);
}

const char *tensors_text(int32_t slot) {
  return show(&last[slot & 15].managed.dl_tensor);
}

/* ---- tensors ---- */

/* TENSORS_BYTE_OFFSET in the environment: the same elements at the same addresses, described with
 * another data. */
static uint64_t byte_offset(void) {
  const char *wanted = getenv("TENSORS_BYTE_OFFSET");
  const uint64_t offset = wanted ? strtoull(wanted, NULL, 10) : 0;
  if (offset > TENSORS_BEFORE) {
    abort();
  }
  return offset;
}

DLManagedTensorVersioned *tensors_make(const char *numbers) {
  made *self = calloc(1, sizeof *self);
  if (!self) {
    abort();
  }
  DLManagedTensorVersioned *m = &self->managed;
  DLTensor *t = &m->dl_tensor;
  const int64_t slot = next(&numbers);
  if (slot < 0 || slot > 15) {
    abort();
  }
  t->dtype.code = (uint8_t)next(&numbers);
  t->dtype.bits = (uint8_t)next(&numbers);
  t->dtype.lanes = (uint16_t)next(&numbers);
  t->device.device_type = (DLDeviceType)next(&numbers);
  t->device.device_id = (int32_t)next(&numbers);
  m->flags = (uint64_t)next(&numbers);
  const int64_t skew = next(&numbers), alias = next(&numbers), offset = next(&numbers);
  t->ndim = (int32_t)next(&numbers);
  t->shape = self->shape;
  t->strides = self->strides;
  for (int32_t i = 0; i < t->ndim; i++) {
    self->shape[i] = next(&numbers);
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    self->strides[i] = next(&numbers);
  }
  if (alias >= 0) {
    self->memory = slots[alias & 15];
    if (!self->memory) {
      abort();
    }
  } else {
    self->memory = aligned_alloc(256, (sizeof(memory) + 255) / 256 * 256);
    if (!self->memory) {
      abort();
    }
    memset(self->memory->before, TENSORS_OTHERS, TENSORS_BEFORE);
    memset(self->memory->bytes, 0, TENSORS_MEMORY);
    atomic_init(&self->memory->users, 0);
  }
  atomic_fetch_add(&self->memory->users, 2); /* the tensor and the slot */
  let_go(slots[slot]);
  slots[slot] = self->memory;
  t->byte_offset = byte_offset();
  t->data = self->memory->bytes + (alias >= 0 ? offset : skew) - t->byte_offset;
  put_elements(t, numbers);
  last[slot] = *self;
  last[slot].managed.dl_tensor.shape = last[slot].shape;
  last[slot].managed.dl_tensor.strides = last[slot].strides;
  m->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  m->deleter = delete_made;
  atomic_fetch_add(&live, 1);
  return m;
}

void tensors_delete(DLManagedTensorVersioned *owned) {
  if (owned && owned->deleter) {
    owned->deleter(owned);
  }
}

int64_t tensors_live(void) {
  return atomic_load(&live);
}
