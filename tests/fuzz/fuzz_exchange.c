/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, views and exports of a few producers' tensors, made and released in any order, some
 * changed by their consumer: each deleter runs once, after everything on its tensor is released,
 * and at most one consumer is told that it is the only owner. */
#include "fuzz.h"

enum { PRODUCERS = 4, PLACES = 16 };

uint8_t fuzz_memory[FUZZ_MEMORY];

static int deleted[PRODUCERS];

/* The content of a place: one of three kinds, with a producer, or without one for a copy. */
typedef struct place {
  dlf_tensor *handle;
  DLManagedTensorVersioned *managed;
  DLManagedTensor *legacy;
  int producer; /* -1: none */
} place;

static place places[PLACES];

static void delete_versioned(DLManagedTensorVersioned *self) {
  deleted[(int *)self->manager_ctx - deleted]++;
  free(self);
}

static void delete_legacy(DLManagedTensor *self) {
  deleted[(int *)self->manager_ctx - deleted]++;
  free(self);
}

static bool is_empty(const place *p) {
  return !p->handle && !p->managed && !p->legacy;
}

static void let_go(place *p) {
  dlf_release(p->handle);
  dlf_dlpack_release(p->managed);
  dlf_dlpack_release_legacy(p->legacy);
  *p = (place){NULL, NULL, NULL, -1};
}

/* A producer's tensor, at first as the structure that it gives. */
static void produce(fuzz_input *in, place *to, int producer, const DLTensor *tensor,
                    uint64_t flags) {
  if (fuzz_byte(in) & 1) {
    to->legacy = malloc(sizeof *to->legacy);
    if (!to->legacy) {
      abort();
    }
    *to->legacy = (DLManagedTensor){*tensor, &deleted[producer], delete_legacy};
  } else {
    to->managed = malloc(sizeof *to->managed);
    if (!to->managed) {
      abort();
    }
    *to->managed =
        (DLManagedTensorVersioned){{1, 3}, &deleted[producer], delete_versioned, flags, *tensor};
  }
  to->producer = producer;
}

/* Change a field like a consumer, soundly or not. */
static void change(fuzz_input *in, place *p) {
  DLTensor *dl = p->managed ? &p->managed->dl_tensor : &p->legacy->dl_tensor;
  switch (fuzz_byte(in) % 9) {
  case 0:
    dl->ndim -= dl->ndim > 0 && fuzz_byte(in) & 1 ? 1 : dl->ndim + 1;
    break; /* one less, or -1: never more */
  case 1:
    dl->byte_offset += 4;
    break;
  case 2:
    dl->dtype.bits = fuzz_byte(in);
    break;
  case 3:
    dl->dtype.lanes = fuzz_byte(in);
    break;
  case 4:
    dl->device.device_type = (DLDeviceType)(fuzz_byte(in) % 4);
    break;
  case 5:
    dl->device.device_id = (int32_t)(fuzz_byte(in) % 4) - 1;
    break;
  case 6:
    if (dl->ndim > 0 && dl->shape) {
      dl->shape[0] = fuzz_integer(in);
    }
    break;
  case 7:
    if (dl->ndim > 0) {
      dl->strides[0] = fuzz_integer(in);
    }
    break;
  default:
    if (p->managed) {
      p->managed->flags ^= (uint64_t)1 << fuzz_byte(in) % 64;
    }
  }
}

static void import(place *p) {
  const uint64_t flags = p->managed ? p->managed->flags & ~DLF_FLAGS_UNKNOWN : 0;
  const DLTensor given = p->managed ? p->managed->dl_tensor : p->legacy->dl_tensor;
  const dlf_status status = p->managed ? dlf_from_dlpack(p->managed, &p->handle, NULL)
                                       : dlf_from_dlpack_legacy(p->legacy, &p->handle, NULL);
  MUST((status == DLF_OK) == (p->handle != NULL));
  if (status) {
    return;
  }
  p->managed = NULL;
  p->legacy = NULL;
  const DLTensor *dl = dlf_dltensor(p->handle);
  MUST(dlf_flags(p->handle) == flags);
  MUST(dl->data == given.data && dl->byte_offset == given.byte_offset && dl->ndim == given.ndim);
  MUST(memcmp(&dl->dtype, &given.dtype, sizeof dl->dtype) == 0 &&
       dl->device.device_type == given.device.device_type);
}

/* Exports have NULL data without elements, and host memory has the id 0. */
static void must_be_fit_to_give(const DLTensor *t) {
  const bool is_host = t->device.device_type == kDLCPU || t->device.device_type == kDLCUDAHost;
  bool has_elements = true;
  MUST(dlf_check(t, 0, DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  for (int32_t i = 0; i < t->ndim; i++) {
    has_elements = has_elements && t->shape[i] != 0;
  }
  MUST(has_elements || (!t->data && t->byte_offset == 0));
  MUST(!is_host || t->device.device_id == 0);
}

/* A plain DLTensor has no flags, so a tensor whose flags change the layout is not lent. */
static bool can_lend(const dlf_tensor *tensor) {
  const uint64_t harmless = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  const DLDataType dtype = dlf_dltensor(tensor)->dtype;
  const uint64_t others = dlf_flags(tensor) & ~harmless;
  return !others || (others == DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED &&
                     dtype.bits * dtype.lanes % 8 == 0);
}

static void export(fuzz_input *in, const place *from, place *to) {
  const uint64_t copied = DLPACK_FLAG_BITMASK_IS_COPIED, flags = dlf_flags(from->handle);
  dlf_tensor *back = NULL;
  DLTensor lent;
  to->producer = from->producer;
  switch (fuzz_byte(in) % 5) {
  case 0:
    if (dlf_to_dlpack_legacy(from->handle, &to->legacy, NULL) != DLF_OK) {
      to->producer = -1;
    }
    return;
  case 1:
    MUST(dlf_exchange_api()->managed_tensor_from_py_object_no_sync(from->handle, &to->managed) ==
         0);
    break;
  case 2: /* and at once back: the same handle, unless it says that it owns alone */
    MUST(dlf_to_dlpack(from->handle, &to->managed, NULL) == DLF_OK);
    MUST(dlf_from_dlpack(to->managed, &back, NULL) == DLF_OK);
    to->managed = NULL;
    to->handle = back;
    MUST(!(flags & copied) || back != from->handle);
    MUST(dlf_flags(back) == (flags & ~copied));
    return;
  case 3:
    MUST((dlf_exchange_api()->dltensor_from_py_object_no_sync(from->handle, &lent) == 0) ==
         can_lend(from->handle));
    if (can_lend(from->handle)) {
      must_be_fit_to_give(&lent);
    }
    to->handle = dlf_retain(from->handle);
    return;
  default:
    MUST(dlf_to_dlpack(from->handle, &to->managed, NULL) == DLF_OK);
  }
  MUST(to->managed->flags == (flags & ~copied));
  must_be_fit_to_give(&to->managed->dl_tensor);
}

static void copy(const place *from, place *to) {
  const DLTensor *dl = dlf_dltensor(from->handle);
  if (!fuzz_is_readable(dl, dlf_flags(from->handle))) {
    return;
  }
  if (dlf_to_dlpack_copy(from->handle, &to->managed, NULL) != DLF_OK) {
    return;
  }
  MUST(to->managed->flags & DLPACK_FLAG_BITMASK_IS_COPIED);
}

static void view(fuzz_input *in, const place *from, place *to) {
  const int32_t axis = fuzz_byte(in) % 3;
  const int64_t start = fuzz_integer(in), count = fuzz_integer(in), by = fuzz_integer(in);
  if (dlf_slice(from->handle, axis, start, count, by, &to->handle, NULL) != DLF_OK) {
    return;
  }
  MUST(dlf_flags(to->handle) == dlf_flags(from->handle));
  to->producer = from->producer;
}

/* A deleter has run exactly if nothing on its producer's tensor is left. */
static void must_agree(int produced) {
  bool used[PRODUCERS] = {false};
  for (int i = 0; i < PLACES; i++) {
    if (!is_empty(&places[i]) && places[i].producer >= 0) {
      used[places[i].producer] = true;
    }
  }
  for (int i = 0; i < produced; i++) {
    MUST(deleted[i] == !used[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  static fuzz_tensor tensors[PRODUCERS];
  int produced = 0;
  memset(deleted, 0, sizeof deleted);
  for (int i = 0; i < PLACES; i++) {
    places[i] = (place){NULL, NULL, NULL, -1};
  }
  while (in.size > 0) {
    place *from = &places[fuzz_byte(&in) % PLACES], *to = &places[fuzz_byte(&in) % PLACES];
    switch (fuzz_byte(&in) % 8) {
    case 0:
      if (produced == PRODUCERS || !is_empty(to)) {
        break;
      }
      fuzz_fill(&in, &tensors[produced]);
      if (tensors[produced].dl.ndim > 4) {
        tensors[produced].dl.ndim = 4;
      }
      produce(&in, to, produced, &tensors[produced].dl, tensors[produced].flags);
      produced++;
      break;
    case 1:
    case 2:
      if (from->managed || from->legacy) {
        import(from);
      }
      break;
    case 3:
    case 4:
      if (from->handle && is_empty(to)) {
        export(&in, from, to);
      }
      break;
    case 5:
      if (from->handle && is_empty(to)) {
        view(&in, from, to);
      }
      break;
    case 6:
      if (fuzz_byte(&in) < 30 && from->handle && is_empty(to)) {
        copy(from, to);
      } else if (from->producer >= 0 && (from->managed || from->legacy) &&
                 (from->managed ? from->managed->dl_tensor.strides
                                : from->legacy->dl_tensor.strides)) {
        change(&in, from);
      }
      break;
    default:
      let_go(from);
    }
    must_agree(produced);
  }
  for (int i = 0; i < PLACES; i++) {
    let_go(&places[i]);
  }
  must_agree(produced);
  MUST(dlf_live() == 0);
  return 0;
}
