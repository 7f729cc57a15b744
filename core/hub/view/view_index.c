/* SPDX-License-Identifier: Apache-2.0 */
/* A view along several axes at once: one handle, and for packed elements one test of where it
 * starts. */
#include "hub/tensor/handle.h"

/* A selection that grows item by item. */
typedef struct selection {
  const DLTensor *from;
  DLTensor shown;
  int64_t *shape, *strides;
  int32_t next;   /* axis of from that no item took yet */
  int64_t offset; /* of the first element, in elements */
  bool empty;     /* from has no elements: its strides may have any value */
} selection;

static dlf_status want_room(const selection *s, dlf_error *error) {
  if (s->shown.ndim < DLF_MAX_NDIM) {
    return DLF_OK;
  }
  return dlf__fail(error, DLF_INVALID, "index: expected at most %d axes, got more", DLF_MAX_NDIM);
}

static dlf_status move_first(selection *s, int64_t start, int64_t stride, dlf_error *error) {
  int64_t distance;
  if (s->empty || start == 0) {
    return DLF_OK;
  }
  if (!dlf__mul(start, stride, &distance) && !dlf__add(s->offset, distance, &s->offset)) {
    return DLF_OK;
  }
  return dlf__fail(error, DLF_OVERFLOW, "index: expected a nearer element");
}

static dlf_status take_range(selection *s, const dlf_index_item *item, dlf_error *error) {
  const int32_t axis = s->next++;
  const int64_t extent = s->from->shape[axis];
  const int64_t stride = s->from->strides[axis];
  dlf_status status = want_room(s, error);
  if (status) {
    return status;
  }
  if (item->step == 0) {
    return dlf__fail(error, DLF_INVALID, "index: expected step other than 0, got 0");
  }
  if (!dlf__is_range(extent, item->start, item->count, item->step)) {
    return dlf__fail(error,
                     DLF_BOUNDS,
                     "index: expected %" PRId64 " elements from %" PRId64 " in steps of %" PRId64
                     " inside axis %d (from 0) of extent %" PRId64,
                     item->count,
                     item->start,
                     item->step,
                     axis,
                     extent);
  }
  if (item->count > 0) {
    status = move_first(s, item->start, stride, error);
  }
  s->shape[s->shown.ndim] = item->count;
  /* At least two elements lie inside the parent's range: the product cannot overflow. */
  s->strides[s->shown.ndim++] = s->empty || item->count < 2 ? stride : stride * item->step;
  return status;
}

static dlf_status take_one(selection *s, int64_t index, dlf_error *error) {
  const int32_t axis = s->next++;
  const int64_t extent = s->from->shape[axis];
  if (index >= 0 && index < extent) {
    return move_first(s, index, s->from->strides[axis], error);
  }
  return dlf__fail(error,
                   DLF_BOUNDS,
                   "index: expected index below %" PRId64 " of axis %d (from 0), got %" PRId64,
                   extent,
                   axis,
                   index);
}

static dlf_status add_axis(selection *s, dlf_error *error) {
  const dlf_status status = want_room(s, error);
  if (status) {
    return status;
  }
  s->shape[s->shown.ndim] = 1;
  s->strides[s->shown.ndim++] = 1; /* never used to move */
  return DLF_OK;
}

static dlf_status apply(selection *s, const dlf_index_item *item, dlf_error *error) {
  if (item->kind == DLF_INDEX_NEW) {
    return add_axis(s, error);
  }
  if (item->kind != DLF_INDEX_RANGE && item->kind != DLF_INDEX_ONE) {
    return dlf__fail(
        error, DLF_INVALID, "index: expected a dlf_index_kind, got %d", (int)item->kind);
  }
  if (s->next == s->from->ndim) {
    return dlf__fail(
        error, DLF_BOUNDS, "index: expected at most %d indices, got more", (int)s->from->ndim);
  }
  if (item->kind == DLF_INDEX_ONE) {
    return take_one(s, item->start, error);
  }
  return take_range(s, item, error);
}

dlf_status dlf_index(dlf_tensor *self, const dlf_index_item *items, int64_t count, dlf_tensor **out,
                     dlf_error *error) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  dlf_status status = dlf__begin("index", self, out, error);
  if (status) {
    return status;
  }
  if (count < 0) {
    return dlf__fail(error, DLF_INVALID, "index: expected 0 items or more, got %" PRId64, count);
  }
  if (count > 0 && !items) {
    return dlf__fail(error, DLF_INVALID, "index: expected %" PRId64 " items, got NULL", count);
  }
  selection s = {&self->dl, self->dl, shape, strides, 0, 0, dlf__is_empty(&self->dl)};
  s.shown.ndim = 0;
  for (int64_t i = 0; i < count && !status; i++) {
    status = apply(&s, &items[i], error);
  }
  while (!status && s.next < self->dl.ndim) {
    const dlf_index_item whole = {DLF_INDEX_RANGE, 0, 0, self->dl.shape[s.next], 1};
    status = apply(&s, &whole, error);
  }
  s.shown.shape = shape;
  s.shown.strides = strides;
  /* An empty selection touches nothing, so the bit where it would start does not matter. */
  if (!status && s.offset && !dlf__is_empty(&s.shown)) {
    status = dlf__advance("index", &s.shown, self->flags, s.offset, error);
  }
  /* A distance within 2^63 bytes may be more than 2^63 packed elements from the new first element.
   */
  if (!status && dlf__is_packed(s.shown.dtype, self->flags)) {
    status = dlf__check("index", &s.shown, self->flags, error);
  }
  if (status) {
    return status;
  }
  return dlf__give_view("index", self, &s.shown, out, error);
}
