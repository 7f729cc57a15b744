/* SPDX-License-Identifier: Apache-2.0 */
#include "made.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 8, MEMORY = 4096, ALIGNMENT = 64 };

typedef struct {
  DLManagedTensorVersioned managed; /* the first member: the deleter frees the whole */
  int64_t shape[AXES], strides[AXES];
  char room[MEMORY + 2 * ALIGNMENT];
} made;

static _Atomic int64_t made_count;

int64_t made_deleted(void) {
  return atomic_load(&made_count);
}

static void delete_made(DLManagedTensorVersioned *self) {
  atomic_fetch_add(&made_count, 1);
  free(self);
}

/* By name; `values` of them are numbers, the rest bytes. */
static const struct {
  const char *name;
  uint8_t code, bits;
  int values;
} made_dtypes[] = {{"bool", kDLBool, 8, 1},
                   {"int8", kDLInt, 8, 1},
                   {"int16", kDLInt, 16, 1},
                   {"int32", kDLInt, 32, 1},
                   {"int64", kDLInt, 64, 1},
                   {"uint8", kDLUInt, 8, 1},
                   {"uint16", kDLUInt, 16, 1},
                   {"uint32", kDLUInt, 32, 1},
                   {"uint64", kDLUInt, 64, 1},
                   {"float32", kDLFloat, 32, 1},
                   {"float64", kDLFloat, 64, 1},
                   {"complex64", kDLComplex, 64, 1},
                   {"complex128", kDLComplex, 128, 1},
                   {"bcomplex32", 18, 32, 0}, /* not yet released by DLPack */
                   {"float16", kDLFloat, 16, 0},
                   {"bfloat16", kDLBfloat, 16, 0},
                   {"int4", kDLInt, 4, 0},
                   {"uint1", kDLUInt, 1, 0},
                   {"float8_e4m3fn", kDLFloat8_e4m3fn, 8, 0},
                   {"float8_e5m2", kDLFloat8_e5m2, 8, 0},
                   {"float8_e8m0fnu", kDLFloat8_e8m0fnu, 8, 0},
                   {"float6_e2m3fn", kDLFloat6_e2m3fn, 6, 0},
                   {"float4_e2m1fn", kDLFloat4_e2m1fn, 4, 0},
                   {"opaque_handle64", kDLOpaqueHandle, 64, 0}};

static int take(const char **at, const char *word) {
  const size_t length = strlen(word);
  while (**at == ' ') {
    (*at)++;
  }
  if (strncmp(*at, word, length) != 0) {
    return 0;
  }
  *at += length;
  return 1;
}

static int64_t take_whole(const char **at) {
  char *end;
  const int64_t value = strtoll(*at, &end, 0);
  *at = end;
  return value;
}

/* The number of items of a list; -1 if there is none. */
static int take_list(const char **at, int64_t *items) {
  int count = 0;
  if (!take(at, "[")) {
    return -1;
  }
  while (!take(at, "]")) {
    if (count == AXES || (count && !take(at, ","))) {
      return -1;
    }
    items[count++] = take_whole(at);
  }
  return count;
}

/* The longest name that fits: int16 begins as int1 would. Returns its `values`, or -1. */
static int take_dtype(const char **at, DLDataType *out) {
  const size_t length = strcspn(*at, "[");
  for (size_t i = 0; i < sizeof made_dtypes / sizeof *made_dtypes; i++) {
    const size_t named = strlen(made_dtypes[i].name);
    const char *rest = *at + named;
    if (strncmp(*at, made_dtypes[i].name, named) != 0 || (named != length && *rest != 'x')) {
      continue;
    }
    out->code = made_dtypes[i].code;
    out->bits = made_dtypes[i].bits;
    out->lanes = 1;
    if (*rest == 'x') {
      rest++;
      out->lanes = (uint16_t)take_whole(&rest);
    }
    *at = rest;
    return made_dtypes[i].values;
  }
  return -1;
}

/* One number in the form of a dtype; a complex one is two. Returns its bytes. */
static size_t put(char *to, DLDataType dtype, int is_value, const char **at) {
  const int bits = dtype.code == kDLComplex ? dtype.bits / 2 : is_value ? dtype.bits : 8;
  if (is_value && (dtype.code == kDLFloat || dtype.code == kDLComplex)) {
    char *end;
    const double wide = strtod(*at, &end);
    const float single = (float)wide;
    *at = end;
    memcpy(to, bits == 32 ? (const void *)&single : (const void *)&wide, (size_t)bits / 8);
    return (size_t)bits / 8;
  }
  const uint64_t whole = **at == '-' ? (uint64_t)strtoll(*at, NULL, 0) : strtoull(*at, NULL, 0);
  const uint8_t byte = (uint8_t)whole;
  const uint16_t half = (uint16_t)whole;
  const uint32_t word = (uint32_t)whole;
  const void *from = bits == 8    ? (const void *)&byte
                     : bits == 16 ? (const void *)&half
                     : bits == 32 ? (const void *)&word
                                  : (const void *)&whole;
  *at += strcspn(*at, " ");
  memcpy(to, from, (size_t)bits / 8);
  return (size_t)bits / 8;
}

/* The last three are not yet released by DLPack. */
static int take_device(const char **at, DLDevice *out) {
  static const struct {
    const char *name;
    int type;
  } kinds[] = {{"cuda:", kDLCUDA}, {"tpu:", 19}, {"tpu_host:", 20}, {"ascend:", 21}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (take(at, kinds[i].name)) {
      out->device_type = (DLDeviceType)kinds[i].type;
      out->device_id = (int32_t)take_whole(at);
      return 1;
    }
  }
  return 0;
}

/* What follows the shape. Returns 0 for an unknown word. */
static int take_words(const char **at, made *m, int is_value) {
  DLTensor *t = &m->managed.dl_tensor;
  int64_t first = 0, skew = 0;
  while (!take(at, ":")) {
    if (take(at, "strides ")) {
      if (take_list(at, m->strides) != t->ndim) {
        return 0;
      }
    } else if (take(at, "first ")) {
      first = take_whole(at);
    } else if (take(at, "skew ")) {
      skew = take_whole(at);
    } else if (take_device(at, &t->device)) {
      continue;
    } else if (take(at, "read-only")) {
      m->managed.flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    } else if (take(at, "copied")) {
      m->managed.flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
    } else if (take(at, "padded")) {
      m->managed.flags |= DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
    } else if (take(at, "flags ")) {
      m->managed.flags |= (uint64_t)take_whole(at);
    } else {
      return **at == '\0'; /* no memory */
    }
  }
  char *memory = m->room + (ALIGNMENT - (uintptr_t)m->room % ALIGNMENT) + skew;
  size_t used = 0;
  for (take(at, ""); **at && used < MEMORY - 16; take(at, "")) {
    used += put(memory + used, t->dtype, is_value, at);
  }
  t->data = memory + first * ((t->dtype.bits * t->dtype.lanes + 7) / 8);
  return **at == '\0';
}

DLManagedTensorVersioned *made_tensor(const char *text) {
  made *m = calloc(1, sizeof *m);
  if (!m) {
    return NULL;
  }
  DLTensor *t = &m->managed.dl_tensor;
  const int is_value = take_dtype(&text, &t->dtype);
  int64_t step = 1;
  t->ndim = is_value < 0 ? -1 : take_list(&text, m->shape);
  t->device.device_type = kDLCPU;
  t->shape = m->shape;
  t->strides = m->strides;
  for (int i = t->ndim - 1; i >= 0; step *= m->shape[i--]) {
    m->strides[i] = step;
  }
  m->managed.version.major = DLPACK_MAJOR_VERSION;
  m->managed.version.minor = DLPACK_MINOR_VERSION;
  m->managed.deleter = delete_made;
  if (t->ndim >= 0 && take_words(&text, m, is_value)) {
    return &m->managed;
  }
  free(m);
  return NULL;
}
