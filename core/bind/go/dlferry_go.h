/* SPDX-License-Identifier: Apache-2.0 */
/* C that generated packages share with the hub's own Go package: tensors travel between Go and C by
 * value, and become DLTensors on C's stack. dlferry-bind copies this file into every package, since
 * cgo cannot look into another module.
 *
 * Addresses are numbers if cgo would otherwise search their memory for Go pointers at every call.
 */
#ifndef DLFERRY_GO_H
#define DLFERRY_GO_H

#include "dlferry.h"
#include <stdlib.h>
#include <string.h>

/** generated.Flat: pointers to memory without pointers, which C uses during the call only. In
 * about, from the lowest byte up, 0: absent; 1: data is a DLTensor, 56 bits of flags; 2: data is a
 * slice's first element, 8 bits of ndim, 16 of flags, 32 of dtype: code, bits, lanes from the
 * lowest byte up; 3: data is a DLTensor, its flags are at shape. */
typedef struct dlfgo_flat {
  uint8_t *data;
  int64_t *shape, *strides;
  uint64_t about;
} dlfgo_flat;

/** A handle and the fields that Go reads without a call: the arguments of generated.Adopt for a
 * returned tensor. */
typedef struct dlfgo_handle {
  uintptr_t tensor, dl;
  uint64_t flags;
} dlfgo_handle;

#if defined(__GNUC__)
#define DLFERRY_GO static inline __attribute__((unused))
#else
#define DLFERRY_GO static inline
#endif

/* The argument of generated.Failed: 0 for success, so that Go need not clear a place for an error
 * at every call. */
DLFERRY_GO uintptr_t dlfgo_failed(dlf_status status, const dlf_error *error) {
  dlf_error *copy = malloc(sizeof *copy);
  if (!copy) {
    return (uintptr_t)status;
  }
  *copy = *error;
  copy->status = status;
  return (uintptr_t)copy;
}

DLFERRY_GO dlf_arg dlfgo_slice(const dlfgo_flat *flat, DLTensor *tensor) {
  const uint32_t dtype = (uint32_t)(flat->about >> 32);
  tensor->data = flat->data;
  tensor->device = (DLDevice){kDLCPU, 0};
  tensor->ndim = (int32_t)(flat->about >> 8 & 0xff);
  tensor->dtype = (DLDataType){(uint8_t)dtype, (uint8_t)(dtype >> 8), (uint16_t)(dtype >> 16)};
  tensor->shape = flat->shape;
  tensor->strides = flat->strides;
  tensor->byte_offset = 0;
  return (dlf_arg){tensor, flat->about >> 16 & 0xffff};
}

DLFERRY_GO bool dlfgo_is_tensor(const dlfgo_flat *flat) {
  return flat->about & 1;
}

DLFERRY_GO dlf_arg dlfgo_tensor(const dlfgo_flat *flat) {
  uint64_t flags;
  if ((flat->about & 0xff) == 1) {
    flags = flat->about >> 8;
  } else {
    flags = (uint64_t)*flat->shape;
  }
  return (dlf_arg){(const DLTensor *)(const void *)flat->data, flags};
}

typedef struct dlfgo_room {
  DLTensor tensor;
  int64_t strides[DLF_MAX_NDIM];
} dlfgo_room;

/* Write row-major strides here, where they cost least; Go or C has checked that the product of the
 * extents fits. */
DLFERRY_GO dlf_arg dlfgo_arg(const dlfgo_flat *flat, dlfgo_room *room) {
  if (dlfgo_is_tensor(flat)) {
    return dlfgo_tensor(flat);
  }
  if (flat->about == 0) {
    return (dlf_arg){NULL, 0};
  }
  const dlf_arg arg = dlfgo_slice(flat, &room->tensor);
  if (flat->strides) {
    return arg;
  }
  uint64_t stride = 1;
  for (int32_t i = room->tensor.ndim - 1; i >= 0; i--) {
    room->strides[i] = (int64_t)stride;
    if (flat->shape[i] > 1) {
      stride *= (uint64_t)flat->shape[i];
    }
  }
  room->tensor.strides = room->strides;
  return arg;
}

/* Return a list's arguments in one block of memory with the DLTensors behind them; NULL without
 * memory. */
DLFERRY_GO dlf_arg *dlfgo_list(const dlfgo_flat *flats, int64_t count) {
  const size_t size = sizeof(dlf_arg) + sizeof(DLTensor);
  size_t n = 1;
  if (count > 0) {
    n = (size_t)count;
  }
  dlf_arg *args;
  if (n > SIZE_MAX / size) {
    args = NULL;
  } else {
    args = malloc(n * size);
  }
  DLTensor *tensors = NULL;
  if (args) {
    tensors = (DLTensor *)(void *)(args + n);
  }
  for (int64_t i = 0; args && i < count; i++) {
    if (dlfgo_is_tensor(&flats[i])) {
      args[i] = dlfgo_tensor(&flats[i]);
    } else {
      args[i] = dlfgo_slice(&flats[i], &tensors[i]);
    }
  }
  return args;
}

/* Make a handle of the returned tensor; after this or an earlier failure, release it. */
DLFERRY_GO dlf_status dlfgo_take(dlf_status status, DLManagedTensorVersioned *owned,
                                 dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  if (!status) {
    status = dlf_from_dlpack(owned, &tensor, error);
  }
  if (!tensor) {
    dlf_dlpack_release(owned);
  }
  *out = (dlfgo_handle){(uintptr_t)tensor,
                        tensor ? (uintptr_t)dlf_dltensor(tensor) : 0,
                        tensor ? dlf_flags(tensor) : 0};
  return status;
}

/* Box the object that a call made; the box keeps the objects that it may use. 0 after a failure. */
DLFERRY_GO dlf_status dlfgo_box(dlf_status status, void (*release)(void *owned), void *owned,
                                const dlf_use *parents, int32_t count, uintptr_t *out,
                                dlf_error *error) {
  dlf_object *object = NULL;
  if (!status) {
    status = dlf_object_create(owned, release, parents, count, &object, error);
    if (status) {
      release(owned);
    }
  }
  *out = (uintptr_t)object;
  return status;
}

/* An object that may be absent: generated.Absent says so. 0 is a closed one. */
DLFERRY_GO dlf_object *dlfgo_object(uintptr_t object) {
  return object == 1 ? NULL : (dlf_object *)object;
}

DLFERRY_GO int32_t dlfgo_mode(uintptr_t object, dlf_use_mode mode) {
  return object == 1 ? DLF_USE_ABSENT : mode;
}

/* The uses of a call with lists of objects: room for all, which begins with the single ones. NULL
 * without memory. */
DLFERRY_GO dlf_use *dlfgo_uses(const dlf_use *single, int32_t count, int64_t all) {
  dlf_use *uses = NULL;
  if (all < INT32_MAX && (uint64_t)all < SIZE_MAX / sizeof *uses) {
    uses = calloc((size_t)all + 1, sizeof *uses);
  }
  if (uses && count) {
    memcpy(uses, single, (size_t)count * sizeof *uses);
  }
  return uses;
}

/* Add those of a list, each like this one. */
DLFERRY_GO void dlfgo_add_uses(dlf_use *uses, int64_t first, const uintptr_t *objects,
                               int64_t count, const dlf_use *like) {
  for (int64_t i = 0; uses && i < count; i++) {
    uses[first + i] = *like;
    uses[first + i].object = (dlf_object *)objects[i];
    uses[first + i].item = (int32_t)i + 1;
  }
}

/* What C gets for a list, once its objects are entered: in the place of the boxes. */
DLFERRY_GO void *dlfgo_pointers(const dlf_use *uses, int64_t first, uintptr_t *objects,
                                int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    objects[i] = (uintptr_t)uses[first + i].pointer;
  }
  return objects;
}

/* The same for an object that C frees with its owner's, or never: then the owner is NULL. */
DLFERRY_GO dlf_status dlfgo_borrow(dlf_status status, void *lent, const dlf_use *owner,
                                   uintptr_t *out, dlf_error *error) {
  dlf_object *object = NULL;
  if (!status) {
    status = dlf_object_borrow(lent, owner, &object, error);
  }
  *out = (uintptr_t)object;
  return status;
}

/* Copy a returned text in the same call: C may keep it in thread-local memory, and Go moves between
 * threads. */
/* The addresses of texts that lie one behind another, each with a NUL. */
DLFERRY_GO const char **dlfgo_texts(const char *texts, int64_t count) {
  const char **list = NULL;
  if ((uint64_t)count < SIZE_MAX / sizeof *list) {
    list = malloc(((size_t)count + 1) * sizeof *list);
  }
  for (int64_t i = 0; list && i < count; i++) {
    list[i] = texts;
    texts += strlen(texts) + 1;
  }
  return list;
}

DLFERRY_GO dlf_status dlfgo_text(dlf_status status, const char *failure, const char *text,
                                 uintptr_t *out, dlf_error *error) {
  char *copy = NULL;
  if (!status) {
    const size_t size = strlen(text) + 1;
    copy = malloc(size);
    if (copy) {
      memcpy(copy, text, size);
    }
  }
  *out = (uintptr_t)copy;
  if (status || copy) {
    return status;
  }
  return dlf_error_set(error, DLF_NO_MEMORY, failure);
}

/* A list is one piece of memory: addresses that end with NULL, then the texts one behind another.
 */
DLFERRY_GO dlf_status dlfgo_text_list(dlf_status status, const char *failure,
                                      const char *const *texts, uintptr_t *out, dlf_error *error) {
  const char **copy = NULL;
  if (!status) {
    size_t count = 0;
    while (texts[count]) {
      count++;
    }
    const char *const begin = (const char *)texts;
    const char *end = (const char *)(texts + count + 1);
    if (count) {
      end = texts[count - 1] + strlen(texts[count - 1]) + 1;
    }
    copy = malloc((size_t)(end - begin));
    if (copy) {
      memcpy(copy, texts, (size_t)(end - begin));
    }
    for (size_t i = 0; copy && i < count; i++) {
      copy[i] = (const char *)copy + (texts[i] - begin);
    }
  }
  *out = (uintptr_t)copy;
  if (status || copy) {
    return status;
  }
  return dlf_error_set(error, DLF_NO_MEMORY, failure);
}

#endif
