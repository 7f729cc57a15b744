/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of views: each must stay inside the bytes of the one before, show the elements that its
 * operation says, and keep it alive. */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

/* A view touches only memory that its parent touches. */
static void must_stay_inside(const dlf_tensor *parent, const dlf_tensor *view) {
  const DLTensor *p = dlf_dltensor(parent), *v = dlf_dltensor(view);
  int64_t low, high, parent_low, parent_high;
  MUST(dlf_check(v, dlf_flags(view), DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  MUST(dlf_flags(view) == dlf_flags(parent));
  MUST(dlf_byte_range(v, dlf_flags(view), &low, &high, NULL) == DLF_OK);
  MUST(dlf_byte_range(p, dlf_flags(parent), &parent_low, &parent_high, NULL) == DLF_OK);
  if (low == high || !dlf_is_cpu_accessible(v->device)) {
    return; /* other devices' handles may wrap around */
  }
  const uintptr_t first = (uintptr_t)dlf_data(v) + (uintptr_t)low,
                  end = (uintptr_t)dlf_data(v) + (uintptr_t)high;
  MUST(first >= (uintptr_t)dlf_data(p) + (uintptr_t)parent_low &&
       end <= (uintptr_t)dlf_data(p) + (uintptr_t)parent_high);
}

enum { MOST_ITEMS = 6 };

/* The request for a view. */
typedef struct operation {
  enum {
    SLICE,
    SELECT,
    PERMUTE,
    RESHAPE,
    BROADCAST,
    SQUEEZE,
    UNSQUEEZE,
    FLIP,
    BITCAST,
    PACK,
    UNPACK,
    INDEX
  } kind;
  int32_t axis;
  int64_t axes[DLF_MAX_NDIM + 1];
  int64_t start, step;
  dlf_index_item items[MOST_ITEMS];
  int32_t item_count;
} operation;

/* Bits from one element to the next. */
static uint64_t width_of(const dlf_tensor *t) {
  const DLDataType dtype = dlf_dltensor(t)->dtype;
  const uint64_t bits = (uint64_t)dtype.bits * dtype.lanes;
  const bool padded = dlf_flags(t) & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  return padded ? (bits + 7) / 8 * 8 : bits;
}

/* The bit at which an element begins; addresses count modulo 2^64. */
static uint64_t address_of(const dlf_tensor *t, const int64_t *index) {
  const DLTensor *d = dlf_dltensor(t);
  uint64_t element = 0;
  for (int32_t i = 0; i < d->ndim; i++) {
    element += (uint64_t)index[i] * (uint64_t)d->strides[i];
  }
  return 8 * ((uint64_t)(uintptr_t)d->data + d->byte_offset) + element * width_of(t);
}

/* The parent's index under dlf_index: items and axes go forward together. */
static void index_parent(const operation *o, int32_t ndim, const int64_t *v, int64_t *p) {
  int32_t axis = 0;
  for (int32_t i = 0; i < o->item_count; i++) {
    const dlf_index_item *item = &o->items[i];
    if (item->kind == DLF_INDEX_NEW) {
      v++;
    }
    if (item->kind == DLF_INDEX_ONE) {
      p[axis++] = item->start;
    }
    if (item->kind == DLF_INDEX_RANGE) {
      p[axis++] = item->start + *v++ * item->step;
    }
  }
  while (axis < ndim) {
    p[axis++] = *v++;
  }
}

/* The parent's element for a view's element, and the offset in bits inside it. */
static uint64_t parent_index(const operation *o, const dlf_tensor *parent, const dlf_tensor *view,
                             const int64_t *v, int64_t *p) {
  const DLTensor *from = dlf_dltensor(parent), *shown = dlf_dltensor(view);
  const int32_t ndim = from->ndim, last = ndim - 1;
  uint64_t linear = 0;
  /* Axis i of the parent is axis i of the view, except one that was added or removed. */
  for (int32_t i = 0; i < ndim; i++) {
    const bool gone = o->kind == SELECT || o->kind == SQUEEZE;
    int32_t at = i;
    if (gone && i > o->axis) {
      at = i - 1;
    } else if (o->kind == UNSQUEEZE && i >= o->axis) {
      at = i + 1;
    }
    p[i] = (gone && i == o->axis) || at >= shown->ndim ? 0 : v[at];
  }
  switch (o->kind) {
  case SLICE:
    p[o->axis] = o->start + v[o->axis] * o->step;
    return 0;
  case SELECT:
    p[o->axis] = o->start;
    return 0;
  case FLIP:
    p[o->axis] = from->shape[o->axis] - 1 - v[o->axis];
    return 0;
  case PERMUTE:
    for (int32_t i = 0; i < ndim; i++) {
      p[o->axes[i]] = v[i];
    }
    return 0;
  case BROADCAST:
    for (int32_t i = 0; i < ndim; i++) {
      p[i] = from->shape[i] == 1 ? 0 : v[i + shown->ndim - ndim];
    }
    return 0;
  case RESHAPE:
    for (int32_t i = 0; i < shown->ndim; i++) {
      linear = linear * (uint64_t)shown->shape[i] + (uint64_t)v[i];
    }
    for (int32_t i = last; i >= 0; i--) {
      p[i] = (int64_t)(linear % (uint64_t)from->shape[i]);
      linear /= (uint64_t)from->shape[i];
    }
    return 0;
  case BITCAST:
    if (width_of(parent) == width_of(view)) {
      return 0;
    }
    linear = (uint64_t)v[last] * width_of(view);
    p[last] = (int64_t)(linear / width_of(parent));
    return linear % width_of(parent);
  case PACK:
    p[last] = 0;
    return 0;
  case UNPACK:
    return (uint64_t)v[ndim] * width_of(view);
  case INDEX:
    index_parent(o, ndim, v, p);
    return 0;
  case SQUEEZE:
  case UNSQUEEZE:
    break;
  }
  return 0;
}

/* Compare some elements, the first and the last among them. */
static void must_show(const operation *o, const dlf_tensor *parent, const dlf_tensor *view) {
  const DLTensor *shown = dlf_dltensor(view);
  int64_t v[DLF_MAX_NDIM + 1] = {0}, p[DLF_MAX_NDIM + 1] = {0};
  for (int32_t i = 0; i < shown->ndim; i++) {
    if (shown->shape[i] == 0) {
      return;
    }
  }
  for (uint64_t round = 0; round < 5; round++) {
    for (int32_t i = 0; i < shown->ndim; i++) {
      const uint64_t extent = (uint64_t)shown->shape[i];
      v[i] = (int64_t)(round == 0   ? 0
                       : round == 1 ? extent - 1
                                    : (round * 0x9E3779B97F4A7C15 + (uint64_t)i * 7) % extent);
    }
    const uint64_t inside = parent_index(o, parent, view, v, p);
    MUST(address_of(view, v) == address_of(parent, p) + inside);
  }
}

/* One view of the tensor, or NULL. Long because it has a case for each operation. */
static dlf_tensor *step(fuzz_input *in, dlf_tensor *t) {
  int64_t shape[DLF_MAX_NDIM + 1];
  operation o = {.kind = SLICE};
  dlf_tensor *view = t;
  const uint8_t what = fuzz_byte(in);
  const int32_t axis = o.axis = (int32_t)fuzz_byte(in) % 6 - 1,
                count = (int32_t)(fuzz_byte(in) % 6);
  for (int32_t i = 0; i < count; i++) {
    shape[i] = fuzz_integer(in);
    o.axes[i] = (int32_t)fuzz_byte(in) % 5;
  }
  dlf_status status;
  switch (what % 12) {
  case 0:
  case 1: {
    o.start = fuzz_integer(in);
    const int64_t number = fuzz_integer(in);
    o.step = fuzz_integer(in);
    status = dlf_slice(t, axis, o.start, number, o.step, &view, NULL);
    break;
  }
  case 2:
    o.kind = SELECT;
    o.start = fuzz_integer(in);
    status = dlf_select(t, axis, o.start, &view, NULL);
    break;
  case 3:
    o.kind = PERMUTE;
    status = dlf_permute(t, o.axes, count, &view, NULL);
    break;
  case 4:
    o.kind = RESHAPE;
    status = dlf_reshape(t, shape, count, &view, NULL);
    break;
  case 5:
    o.kind = BROADCAST;
    status = dlf_broadcast(t, shape, count, &view, NULL);
    break;
  case 6:
    o.kind = SQUEEZE;
    status = dlf_squeeze(t, axis, &view, NULL);
    break;
  case 7:
    o.kind = UNSQUEEZE;
    status = dlf_unsqueeze(t, axis, &view, NULL);
    break;
  case 8:
    o.kind = FLIP;
    status = dlf_flip(t, axis, &view, NULL);
    break;
  case 9:
    o.kind = BITCAST;
    status = dlf_bitcast(t, fuzz_dtype(in), &view, NULL);
    break;
  case 10:
    o.kind = INDEX;
    o.item_count = count;
    for (int32_t i = 0; i < count; i++) { /* mostly small numbers, which fit */
      dlf_index_item *item = &o.items[i];
      *item = (dlf_index_item){
          (int32_t)(o.axes[i] % 4), 0, fuzz_byte(in) % 4, fuzz_byte(in) % 4, fuzz_byte(in) % 5 - 2};
      if (what & 128) {
        *item = (dlf_index_item){
            (int32_t)(o.axes[i] % 4), 0, shape[i], fuzz_integer(in), fuzz_integer(in)};
      }
    }
    status = dlf_index(t, o.items, count, &view, NULL);
    break;
  default:
    o.kind = what & 128 ? PACK : UNPACK;
    status = what & 128 ? dlf_pack_lanes(t, &view, NULL) : dlf_unpack_lanes(t, &view, NULL);
  }
  MUST((status == DLF_OK) == (view != NULL));
  if (view) {
    must_show(&o, t, view);
  }
  return view;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  fuzz_tensor f;
  dlf_tensor *t = NULL;
  char text[400];
  fuzz_fill(&in, &f);
  f.dl.data = dlf_data(&f.dl);
  if (dlf_wrap(
          &(DLTensor){f.dl.data, f.dl.device, f.dl.ndim, f.dl.dtype, f.dl.shape, f.dl.strides, 0},
          f.flags,
          NULL,
          NULL,
          &t,
          NULL) != DLF_OK) {
    return 0;
  }
  for (int steps = 0; in.size > 0 && steps < 12; steps++) {
    dlf_tensor *view = step(&in, t);
    if (!view) {
      continue;
    }
    must_stay_inside(t, view);
    dlf_release(t);
    t = view;
  }
  if (fuzz_is_readable(dlf_dltensor(t), dlf_flags(t))) {
    dlf_format(dlf_dltensor(t), dlf_flags(t), text, sizeof text);
  }
  dlf_release(t);
  MUST(dlf_live() == 0);
  return 0;
}
