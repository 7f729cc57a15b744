/* SPDX-License-Identifier: Apache-2.0 */
/* Compute a twin's verdict on a call with the hub's own matcher. It reads no elements, so tensors
 * have addresses but no memory. */
#include "bind/twin/argument.h"
#include "call.h"
#include <stdio.h>
#include <string.h>

/* Return an address for tensor number `item` of a parameter: far from all others, with any sane
 * alignment. */
static void *cases_address(const cases_finder *s, const bind_case *call, const bind_param *p,
                           int item) {
  if (item == 0 && p == call->guest) {
    p = call->owner;
  }
  return (void *)((uintptr_t)(cases_index(s, p) + 1) * CASES_ITEMS *
                      ((uintptr_t)CASES_BYTES + 512) +
                  (uintptr_t)item * ((uintptr_t)CASES_BYTES + 512));
}

static dlf_arg cases_view(cases_finder *s, const bind_case *call, const bind_param *p, int item) {
  const int index = cases_index(s, p);
  bind_case_tensor *t = &call->values[index].tensor[item];
  DLTensor *view = &s->tensors[index * CASES_ITEMS + item];
  *view = (DLTensor){.data = cases_address(s, call, p, item),
                     .device = {kDLCPU, 0},
                     .ndim = t->ndim,
                     .dtype = t->dtype,
                     .shape = t->shape,
                     .strides = t->strides,
                     .byte_offset = (uint64_t)t->skew};
  return (dlf_arg){view, t->read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0};
}

static void cases_put_argument(cases_finder *s, const bind_case *call, int which) {
  static const char nothing[8];
  const bind_c_param *from = &s->f->c_params[which];
  const bind_param *p = cases_param(s, which);
  if (!p) { /* derived */
    s->arguments[which] = (dlf_value){.integer = 0};
    return;
  }
  const bind_case_value *value = &call->values[cases_index(s, p)];
  dlf_value *to = &s->arguments[which];
  *to = (dlf_value){.integer = from->param ? value->integer : value->count, .real = value->real};
  if (!from->param || !bind_is_read(p)) {
    return;
  }
  if (p->type.kind == BIND_TENSOR && !value->absent && !(call->make && p->made)) {
    to->tensor = cases_view(s, call, p, 0);
  }
  const bool list = p->type.kind == BIND_LIST;
  if (list || p->type.kind == BIND_ARRAY) {
    dlf_arg *items = &s->items[cases_index(s, p) * CASES_ITEMS];
    for (int i = 0; list && i < value->count; i++) {
      items[i] = cases_view(s, call, p, i);
    }
    to->integer = value->count;
    to->items = nothing;
    if (list) {
      to->items = (const void *)items;
    }
  }
}

/* Make the outputs like f_new. */
static dlf_status cases_make_outputs(cases_finder *s, const bind_case *call, dlf_error *error) {
  for (int i = 0; i < s->f->c_param_count; i++) {
    const bind_param *p = s->f->c_params[i].param;
    dlf_prototype made = DLF_PROTOTYPE_INIT;
    if (!p || !p->made) {
      continue;
    }
    const dlf_status status =
        dlf_contract_infer(s->contract, s->arguments, sizeof(dlf_value), i, &made, error);
    if (status) {
      return status;
    }
    bind_case_tensor *t = call->values[cases_index(s, p)].tensor;
    if (made.ndim > BIND_CASE_NDIM) {
      return dlf_error_set(error, DLF_UNSUPPORTED, "too many axes for a test");
    }
    t->dtype = made.dtype;
    t->ndim = (int)made.ndim;
    memcpy(t->shape, made.shape, (size_t)made.ndim * sizeof *made.shape);
    memcpy(t->strides, made.strides, (size_t)made.ndim * sizeof *made.strides);
    t->skew = 0;
    t->read_only = false;
    s->arguments[i].tensor = cases_view(s, call, p, 0);
  }
  return DLF_OK;
}

static dlf_status cases_judge_argument(const bind_function *f, const bind_param *p,
                                       const bind_case_value *value, dlf_error *error) {
  char message[512]; /* like the twin */
  if (!bind_is_read(p)) {
    return DLF_OK;
  }
  if (p->type.kind == BIND_ENUM && !argument_is_in(p->type.enumeration, value->integer)) {
    snprintf(message,
             sizeof message,
             ARGUMENT_NOT_IN,
             argument_where(f, p),
             (long long)value->integer,
             argument_labels(p->type.enumeration));
    return dlf_error_set(error, DLF_INVALID, message);
  }
  if (p->type.kind == BIND_CHAR && *p->letters && !strchr(p->letters, *value->text)) {
    snprintf(message,
             sizeof message,
             "%s is '%c', wanted %s",
             argument_where(f, p),
             *value->text,
             argument_letters(p));
    return dlf_error_set(error, DLF_INVALID, message);
  }
  if (p->type.kind == BIND_HANDLE && value->closed) {
    return dlf_error_set(error, DLF_INVALID, argument_closed(f, p));
  }
  return DLF_OK;
}

static dlf_status cases_judge_arguments(const cases_finder *s, const bind_case *call,
                                        dlf_error *error) {
  dlf_status status = DLF_OK;
  for (int i = 0; i < s->f->param_count && !status; i++) {
    status = cases_judge_argument(s->f, &s->f->params[i], &call->values[i], error);
  }
  return status;
}

static dlf_status cases_match_inputs(const cases_finder *s, dlf_error *error) {
  return dlf_contract_match_inputs(s->contract, s->arguments, sizeof(dlf_value), error);
}

/* The numbers of hooks are in the arguments. */
static dlf_status cases_judge_known(cases_finder *s, const bind_case *call, dlf_error *error) {
  dlf_status status = cases_judge_arguments(s, call, error);
  if (!status && s->f->hook_count) {
    status = cases_match_inputs(s, error);
  }
  if (!status && call->make) {
    status = cases_make_outputs(s, call, error);
  }
  if (status) {
    return status;
  }
  return dlf_contract_match(s->contract, s->arguments, sizeof(dlf_value), error);
}

/* Hooks that have a status fail: early ones before the contract is looked at. */
static dlf_status cases_judge_failing(cases_finder *s, const bind_case *call, dlf_error *error) {
  bool fails = false;
  bool early = false;
  BIND_EACH (const bind_hook, hook, s->f->hooks, s->f->hook_count) {
    const bool may_fail = hook->status || hook->result.scalar == BIND_U64;
    fails |= may_fail;
    early |= may_fail && hook->early;
  }
  if (!fails) {
    return cases_judge_known(s, call, error);
  }
  dlf_status status = cases_judge_arguments(s, call, error);
  if (!status && !early) {
    status = cases_match_inputs(s, error);
  }
  if (status) {
    return status;
  }
  return dlf_error_set(error, DLF_FOREIGN, "a hook failed");
}

static void cases_put_arguments(cases_finder *s, const bind_case *call) {
  for (int i = 0; i < s->f->c_param_count; i++) {
    cases_put_argument(s, call, i);
  }
  for (int i = 0; i < s->f->hook_count; i++) {
    s->arguments[s->f->c_param_count + i] = (dlf_value){.integer = cases_hooked(s, i)};
  }
}

dlf_status cases_judge(cases_finder *s, const bind_case *call, dlf_error *error) {
  cases_put_arguments(s, call);
  return cases_judge_known(s, call, error);
}

static bool cases_is_same(dlf_status status, const dlf_error *error, dlf_status repeated_status,
                          const dlf_error *repeated) {
  return repeated_status == status && strcmp(repeated->message, error->message) == 0;
}

/* The refusal if it is the same for all that hooks return, and if they fail; else DLF_OK. */
dlf_status cases_judge_surely(cases_finder *s, const bind_case *call, dlf_error *error) {
  static const int64_t numbers[] = {-1, 0, 2, 100003};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  const dlf_status status = cases_judge(s, call, error);
  if (!status || !s->f->hook_count) {
    return status;
  }
  for (int turn = 0; turn < COUNT; turn++) {
    dlf_error repeated = {0};
    cases_put_arguments(s, call);
    for (int i = 0; i < s->f->hook_count; i++) {
      s->arguments[s->f->c_param_count + i].integer = numbers[turn];
    }
    if (!cases_is_same(status, error, cases_judge_known(s, call, &repeated), &repeated)) {
      return DLF_OK;
    }
  }
  dlf_error failed = {0};
  cases_put_arguments(s, call);
  if (!cases_is_same(status, error, cases_judge_failing(s, call, &failed), &failed)) {
    return DLF_OK;
  }
  return status;
}
