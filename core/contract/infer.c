/* SPDX-License-Identifier: Apache-2.0 */
/* An output's description, from the inputs alone, and its allocation. */
#include "matching.h"

#include <string.h>

static dlf_status too_many_axes(const dlf__match *m, const dlf__clause *c) {
  return dlf__fail(m->error,
                   DLF_SHAPE,
                   "%s: %s would have more than %d axes; wanted %s",
                   m->contract->function,
                   m->contract->names[c->parameter],
                   DLF_MAX_NDIM,
                   c->text);
}

static dlf_status infer_extent(const dlf__match *m, const dlf__clause *c, const dlf__axis *axis,
                               int64_t *out) {
  if (axis->kind == DLF__AXIS_HOOK) {
    return dlf__contract_hook(m, axis->hook, out);
  }
  if (axis->kind == DLF__AXIS_SYMBOL && m->contract->limited >> axis->symbol & 1) {
    return dlf__contract_most(m, c, axis, out);
  }
  return dlf__contract_extent(m, c, axis, axis->node, out);
}

static dlf_status infer_shape(const dlf__match *m, const dlf__clause *c, dlf_prototype *out) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < c->axis_count && !status; i++) {
    const dlf__axis *axis = &c->axes[i];
    const bool run = axis->kind == DLF__AXIS_RUN;
    if (run && m->run_binder < 0) {
      return dlf__contract_left_open(m, c, "...");
    }
    if (out->ndim + (run ? m->run_count : 1) > DLF_MAX_NDIM) {
      return too_many_axes(m, c);
    }
    for (int32_t k = 0; run && k < m->run_count; k++) {
      out->shape[out->ndim++] = m->run[k];
    }
    if (!run) {
      status = infer_extent(m, c, axis, &out->shape[out->ndim++]);
    }
  }
  return status;
}

/* For a device list prefer the model's device, else the CPU, where an output can be made. */
static DLDevice infer_device(const dlf__match *m, const dlf__clause *c, const dlf__clause *model) {
  const DLDevice cpu = {kDLCPU, 0};
  const DLTensor *like = dlf__contract_tensor(m, model);
  if (c->place == DLF__PLACE_LIST && like && c->devices == model->devices) {
    return like->device;
  }
  if (c->place == DLF__PLACE_LIST && !c->on_cpu) {
    return (DLDevice){(DLDeviceType)c->devices[0], 0};
  }
  if (c->place != DLF__PLACE_SAME) {
    return cpu;
  }
  for (int32_t i = 0; i < m->contract->clause_count; i++) {
    const DLTensor *t = dlf__contract_tensor(m, &m->contract->clauses[i]);
    if (t) {
      return t->device;
    }
  }
  return cpu;
}

/* Rows, or columns if `across`, without gaps between their elements. */
static bool has_runs(const DLTensor *t, bool across) {
  int32_t along = 1;
  if (across) {
    along = 0;
  }
  int64_t least = 1;
  if (t->shape[along] > 1) {
    least = t->shape[along];
  }
  return (t->shape[along] <= 1 || dlf__contract_stride(t, along) == 1) &&
         (t->shape[1 - along] <= 1 || dlf__contract_stride(t, 1 - along) >= least);
}

/* The order of a matrix in order(a, b): rows, unless the others are columns. The call refuses a
 * mix. */
static bool wants_columns(const dlf__match *m, const dlf__clause *c) {
  const dlf__derived *d = dlf__contract_order(m->contract, c->parameter);
  bool rows = true;
  bool columns = true;
  for (int32_t i = 0; d && i < d->tensor_count; i++) {
    const DLTensor *t = dlf__contract_tensor(m, dlf__contract_clause(m->contract, d->tensors[i]));
    if (!t) {
      continue;
    }
    rows &= has_runs(t, false);
    columns &= has_runs(t, true);
  }
  return columns && !rows;
}

static dlf_status infer_strides(const dlf__match *m, const dlf__clause *c, dlf_prototype *out) {
  const dlf__clause *model = NULL;
  if (c->same_layout) {
    model = dlf__contract_layout_model(m, c, out->ndim);
  }
  const bool columns = dlf__layouts[c->layout].order == DLF_COLUMN_MAJOR || wants_columns(m, c);
  int32_t order = DLF_ROW_MAJOR;
  if (columns) {
    order = DLF_COLUMN_MAJOR;
  }
  const dlf_status status = dlf__compact_strides(
      m->contract->function, out->ndim, out->shape, order, out->strides, m->error);
  if (status || !model) {
    return status;
  }
  const DLTensor *t = dlf__contract_tensor(m, model);
  for (int32_t i = 0; i < out->ndim; i++) { /* t->shape may be NULL without axes */
    if (t->shape[i] != out->shape[i]) {
      return DLF_OK;
    }
  }
  for (int32_t i = 0; i < out->ndim; i++) {
    out->strides[i] = dlf__contract_stride(t, i);
  }
  return DLF_OK;
}

static dlf_status infer_clause(const dlf__match *m, const dlf__clause *c, dlf_prototype *out) {
  const dlf__clause *model = c;
  while (model->like >= 0 && model->inferable) {
    model = &m->contract->clauses[model->like];
  }
  const DLTensor *like = dlf__contract_tensor(m, model);
  dlf_status status = DLF_OK;
  out->ndim = 0;
  if (like) {
    out->dtype = like->dtype;
    out->ndim = like->ndim;
    if (like->ndim) {
      memcpy(out->shape, like->shape, (size_t)like->ndim * sizeof *like->shape);
    }
  } else {
    if (model->type >= 0 && !(m->types_bound >> model->type & 1)) {
      return dlf__contract_left_open(m, c, m->contract->types[model->type]);
    }
    if (model->type >= 0) {
      out->dtype = m->types[model->type];
    } else {
      out->dtype = model->dtypes[0];
    }
    status = infer_shape(m, model, out);
  }
  if (status) {
    return status;
  }
  out->device = infer_device(m, c, model);
  out->align = c->align;
  return infer_strides(m, c, out);
}

dlf_status dlf_contract_infer(const dlf_contract *self, const dlf_value *arguments,
                              int64_t value_size, int32_t which, dlf_prototype *out,
                              dlf_error *error) {
  if (!out) {
    return dlf__no_place("contract_infer", error);
  }
  dlf_status status =
      DLF__CHECK_STRUCT("contract_infer", dlf_prototype, out->size, sizeof *out, error);
  if (status) {
    return status;
  }
  if (!dlf__contract_is_call(self, arguments, value_size)) {
    return dlf__contract_no_call("contract_infer", self, arguments, value_size, error);
  }
  const dlf__clause *clause = dlf__contract_clause(self, which);
  if (!clause || !clause->inferable) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: %s must be given: the contract does not determine it",
                     self->function,
                     which >= 0 && which < self->parameter_count ? self->names[which]
                                                                 : "that output");
  }
  dlf__match m;
  dlf__contract_begin(&m, self, arguments, value_size, true, error);
  status = dlf__contract_walk(&m);
  if (status) {
    return status;
  }
  return infer_clause(&m, clause, out);
}

dlf_status dlf_contract_create(const dlf_contract *self, const dlf_value *arguments,
                               int64_t value_size, int32_t which, dlf_tensor **out,
                               dlf_error *error) {
  dlf_prototype p;
  if (!out) {
    return dlf__no_place("contract_create", error);
  }
  *out = NULL;
  p.size = sizeof p;
  dlf_status status = dlf_contract_infer(self, arguments, value_size, which, &p, error);
  if (status) {
    return status;
  }
  const dlf__clause *clause = dlf__contract_clause(self, which);
  const bool abroad = (int32_t)p.device.device_type != kDLCPU || p.device.device_id != 0;
  if (clause && abroad) { /* dlf__allocate would not name a remedy */
    char word[DLF_NAME_CAPACITY];
    dlf_device_format(p.device, word, sizeof word);
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "%s: %s must be given: none is made on %s; wanted %s",
                     self->function,
                     self->names[which],
                     word,
                     clause->text);
  }
  status = dlf__check_codes_released(self->function, p.dtype, p.device, error);
  if (status) {
    return status;
  }
  const DLTensor wanted = {NULL, p.device, (int32_t)p.ndim, p.dtype, p.shape, p.strides, 0};
  return dlf__allocate(self->function, &wanted, 0, DLF__ZEROS, p.align, NULL, out, error);
}

dlf_status dlf_make(const dlf_prototype *p, DLManagedTensorVersioned **out, dlf_error *error) {
  dlf_tensor *handle; /* not released here: *out is an export that owns it */
  if (!out) {
    return dlf__no_place("make", error);
  }
  *out = NULL;
  if (!p) {
    return dlf__fail(error, DLF_INVALID, "make: expected a prototype, got NULL");
  }
  dlf_status status = DLF__CHECK_STRUCT("make", dlf_prototype, p->size, sizeof *p, error);
  if (status) {
    return status;
  }
  if (p->align < 0 || p->align & (p->align - 1)) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "make: expected an alignment of 0 or a power of two, got %" PRId64,
                     p->align);
  }
  status = dlf__check_ndim("make", p->ndim, error);
  if (!status) {
    status = dlf__check_codes_released("make", p->dtype, p->device, error);
  }
  if (status) {
    return status;
  }
  /* DLTensor has no const extents; dlf__allocate only reads them. */
  const DLTensor wanted = {NULL,
                           p->device,
                           (int32_t)p->ndim,
                           p->dtype,
                           (int64_t *)(uintptr_t)p->shape,
                           (int64_t *)(uintptr_t)p->strides,
                           0};
  return dlf__allocate("make", &wanted, 0, DLF__ZEROS, p->align, out, &handle, error);
}
