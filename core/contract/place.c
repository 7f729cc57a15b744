/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about a tensor's memory: layout, device, alignment, writing, and sharing with other
 * tensors. */
#include "matching.h"

#include <string.h>

int64_t dlf__contract_stride(const DLTensor *tensor, int32_t axis) {
  int64_t stride = 1;
  if (tensor->strides) {
    return tensor->strides[axis];
  }
  for (int32_t i = axis + 1; i < tensor->ndim; i++) {
    if (dlf__mul(stride, tensor->shape[i], &stride)) {
      return 0; /* an empty tensor: no stride matters */
    }
  }
  return stride;
}

/* "x", "frames[0] (from 0)": the name of dlf__contract_tensor's result. */
static void put_first(dlf__text *text, const dlf__match *m, const dlf__clause *c) {
  const dlf__subject first = {.clause = c, .item = c->list ? 0 : -1};
  dlf__put_subject(text, m, &first);
}

/* ---- layout ---- */

const dlf__clause *dlf__contract_layout_model(const dlf__match *m, const dlf__clause *clause,
                                              int64_t ndim) {
  for (const dlf__clause *c = m->contract->clauses; c < clause; c++) {
    const DLTensor *t = dlf__contract_tensor(m, c);
    if (t && t->ndim == ndim) {
      return c;
    }
  }
  return NULL;
}

/* The layout that messages name: the first gapless one that the tensor fits, else strided. */
static const char *layout_of(const DLTensor *t) {
  const dlf__layout_rule *rule = dlf__layouts;
  while (rule->fits && !(rule->gapless && rule->fits(t, rule->order))) {
    rule++;
  }
  return rule->name;
}

/* What to pass instead: the results of a call do not reach a copy of what it writes. */
static const char *remedy_of(const dlf__subject *s) {
  if (s->clause->written) {
    return "tensor";
  }
  return "copy";
}

static dlf_status layout_differs(const dlf__match *m, const dlf__subject *s, const char *wanted,
                                 const dlf__clause *model) {
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text, ": layout is %s, wanted %s", layout_of(s->tensor), wanted);
  if (model) {
    put_first(&f.text, m, model);
    dlf__put(&f.text, ": pass a %s with its strides", remedy_of(s));
  } else {
    const bool columns = s->clause->layout == DLF__LAYOUT_FORTRAN;
    dlf__put(&f.text, ": pass a %s-major %s", columns ? "column" : "row", remedy_of(s));
  }
  return dlf__failure_end(&f, DLF_LAYOUT);
}

/* Tell whether a tensor has the strides that `samelayout` means; *model: the clause that gives
 * them. */
static bool has_same_layout(const dlf__match *m, const dlf__subject *s, const dlf__clause **model) {
  const DLTensor *t = s->tensor;
  *model = dlf__contract_layout_model(m, s->clause, t->ndim);
  if (!*model && s->item > 0) {
    *model = s->clause; /* the list's first */
  }
  const DLTensor *first = NULL;
  if (*model) {
    first = dlf__contract_tensor(m, *model);
  }
  if (!first || first->ndim != t->ndim || dlf__is_empty(t)) {
    return true;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] > 1 && first->shape[i] > 1 &&
        dlf__contract_stride(t, i) != dlf__contract_stride(first, i)) {
      return false;
    }
  }
  return true;
}

dlf_status dlf__contract_check_layout(const dlf__match *m, const dlf__subject *s) {
  const DLTensor *t = s->tensor;
  const dlf__layout_rule *rule = &dlf__layouts[s->clause->layout];
  const dlf__clause *model;
  if (rule->fits && !dlf__is_empty(t) && !rule->fits(t, rule->order)) {
    return layout_differs(m, s, rule->name, NULL);
  }
  if (!s->clause->same_layout || has_same_layout(m, s, &model)) {
    return DLF_OK;
  }
  return layout_differs(m, s, "that of ", model);
}

/* ---- device ---- */

static bool on_device(const dlf__match *m, const dlf__subject *s, const dlf__clause **first) {
  const dlf__clause *c = s->clause;
  const DLDevice device = s->tensor->device;
  switch (c->place) {
  case DLF__PLACE_ANY:
    return true;
  case DLF__PLACE_CPU:
    return dlf_is_reachable(s->tensor);
  case DLF__PLACE_LIST:
    for (int32_t i = 0; i < c->device_count; i++) {
      if (c->devices[i] == (int32_t)device.device_type) {
        return true;
      }
    }
    return false;
  case DLF__PLACE_SAME:
    *first = m->contract->clauses;
    while (!dlf__contract_tensor(m, *first)) {
      ++*first; /* ends at this clause, whose tensor is present */
    }
    const DLDevice wanted = dlf__contract_tensor(m, *first)->device;
    return wanted.device_type == device.device_type && wanted.device_id == device.device_id;
  }
  return false;
}

static dlf_status check_device(const dlf__match *m, const dlf__subject *s) {
  const dlf__clause *c = s->clause;
  const dlf__clause *first = NULL;
  char word[DLF_NAME_CAPACITY];
  if (on_device(m, s, &first)) {
    return DLF_OK;
  }
  dlf__failure f = dlf__failure_begin(m, s);
  dlf_device_format(s->tensor->device, word, sizeof word);
  dlf__put(&f.text, ": device is %s, wanted ", word);
  const DLTensor *model = NULL;
  if (first) {
    model = dlf__contract_tensor(m, first);
  }
  if (model) {
    dlf_device_format(model->device, word, sizeof word);
    dlf__put(&f.text, "%s as ", word);
    put_first(&f.text, m, first);
  } else if (c->place == DLF__PLACE_CPU) {
    dlf__put(&f.text, "cpu");
  }
  for (int32_t i = 0; i < c->device_count && c->place == DLF__PLACE_LIST; i++) {
    dlf_device_format((DLDevice){(DLDeviceType)c->devices[i], 0}, word, sizeof word);
    word[strcspn(word, ":")] = 0;
    dlf__put(&f.text, i ? "|%s" : "%s", word);
  }
  const bool several = c->place == DLF__PLACE_LIST && c->device_count > 1;
  dlf__put(&f.text, ": pass a %s %s", remedy_of(s), several ? "on one of these" : "there");
  return dlf__failure_end(&f, DLF_DEVICE);
}

/* ---- alignment ---- */

static dlf_status check_alignment(const dlf__match *m, const dlf__subject *s) {
  if (!dlf__is_address(s->tensor) || dlf__is_empty(s->tensor)) {
    return DLF_OK;
  }
  const int64_t natural = dlf__natural_alignment(s->tensor->dtype);
  int64_t wanted = natural;
  if (s->clause->align > natural) {
    wanted = s->clause->align;
  }
  if (dlf__address(s->tensor) % (uint64_t)wanted == 0) {
    return DLF_OK;
  }
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(
      &f.text, ": is not aligned to %" PRId64 " bytes: pass an aligned %s", wanted, remedy_of(s));
  return dlf__failure_end_wanted(&f, s, false, DLF_LAYOUT);
}

/* ---- writing ---- */

static const char *axis_text(const dlf__clause *c, const DLTensor *t, int32_t axis) {
  if (c->implicit) {
    return "_";
  }
  if (c->run < 0 || axis < c->run) {
    return c->axes[axis].text;
  }
  const int32_t run_count = t->ndim - (c->axis_count - 1);
  if (axis < c->run + run_count) {
    return "...";
  }
  return c->axes[axis - run_count + 1].text;
}

static dlf_status check_writable(const dlf__match *m, const dlf__subject *s) {
  const DLTensor *t = s->tensor;
  if (!s->clause->written) {
    return DLF_OK;
  }
  if (s->flags & (DLPACK_FLAG_BITMASK_READ_ONLY | DLF_FLAGS_UNKNOWN)) {
    dlf__failure f = dlf__failure_begin(m, s);
    dlf__put(&f.text,
             s->flags & DLPACK_FLAG_BITMASK_READ_ONLY ? ": is read-only"
                                                      : ": is not known to be writable");
    return dlf__failure_end_wanted(&f, s, false, DLF_READ_ONLY);
  }
  if (dlf__is_empty(t)) {
    return DLF_OK;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] <= 1 || dlf__contract_stride(t, i) != 0) {
      continue;
    }
    dlf__failure f = dlf__failure_begin(m, s);
    dlf__put(&f.text,
             ": repeats elements along %s: pass a tensor that repeats none",
             axis_text(s->clause, t, i));
    return dlf__failure_end_wanted(&f, s, false, DLF_INVALID);
  }
  return DLF_OK;
}

dlf_status dlf__contract_check_place(const dlf__match *m, const dlf__subject *s) {
  dlf_status status = check_device(m, s);
  if (!status) {
    status = check_writable(m, s);
  }
  if (!status) {
    status = dlf__contract_check_layout(m, s);
  }
  if (status) {
    return status;
  }
  return check_alignment(m, s);
}

/* ---- shared memory ---- */

static dlf_status check_pair(const dlf__match *m, const dlf__subject *s,
                             const dlf__subject *second) {
  const dlf_arg a = {s->tensor, s->flags};
  const dlf_arg b = {second->tensor, second->flags};
  if (!b.tensor || !dlf_overlap(a, b)) {
    return DLF_OK;
  }
  dlf__failure f = dlf__failure_begin(m, s);
  dlf__put(&f.text, ": shares memory with ");
  dlf__put_subject(&f.text, m, second);
  return dlf__failure_end_wanted(&f, s, false, DLF_INVALID);
}

/* Compare one tensor with those of all other parameters. */
static dlf_status check_apart(const dlf__match *m, const dlf__subject *s) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < m->contract->clause_count && !status; i++) {
    const dlf__clause *c = &m->contract->clauses[i];
    if (c == s->clause) {
      continue; /* a list may have the same tensor twice: it is only read */
    }
    for (int64_t k = 0; k < dlf__contract_number(m, c) && !status; k++) {
      const dlf__subject second = dlf__contract_subject(m, c, k);
      status = check_pair(m, s, &second);
    }
  }
  return status;
}

dlf_status dlf__contract_check_aliases(const dlf__match *m) {
  dlf_status status = DLF_OK;
  for (int32_t i = 0; i < m->contract->clause_count && !status; i++) {
    const dlf__clause *c = &m->contract->clauses[i];
    for (int64_t k = 0; c->noalias && k < dlf__contract_number(m, c) && !status; k++) {
      const dlf__subject s = dlf__contract_subject(m, c, k);
      if (s.tensor) {
        status = check_apart(m, &s);
      }
    }
  }
  return status;
}
