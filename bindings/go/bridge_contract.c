/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts at run time. Go passes arguments as slices; here they become dlf_values. */
#include "bridge.h"

static const dlf_contract *contract_of(uintptr_t self) {
  return (const dlf_contract *)self;
}

dlf_status dlfgo_contract_compile(const char *words, const int32_t *kinds, int32_t count,
                                  uintptr_t *out, dlf_error *error) {
  dlf_contract *contract = NULL;
  dlf_parameter *parameters = calloc((size_t)count + 1, sizeof *parameters);
  if (!parameters) {
    return dlf_error_set(error, DLF_NO_MEMORY, "contract: expected memory, got none");
  }
  const char *const text = words;
  const char *const function = text + strlen(text) + 1;
  const char *name = function;
  for (int32_t i = 0; i < count; i++) {
    name += strlen(name) + 1;
    parameters[i] = (dlf_parameter){name, kinds[i]};
  }
  const dlf_status status =
      dlf_contract_compile(text, function, parameters, count, sizeof *parameters, &contract, error);
  free(parameters);
  *out = (uintptr_t)contract;
  return status;
}

/* A value of a call, first, and what it points to: the contract is told how far values are apart.
 */
typedef struct argument {
  dlf_value value;
  dlfgo_room room;
  dlf_arg *list;
} argument;

static void end_call(argument *all, int32_t count) {
  const size_t values = (size_t)count + DLF_MAX_HOOKS;
  for (size_t i = 0; all && i < values; i++) {
    free(all[i].list);
  }
  free(all);
}

/* The values of a call, or NULL with an error. Behind those of `count` parameters, given has
 * DLF_MAX_HOOKS values, which are zero without hooks. */
static argument *begin_call(const dlfgo_value *given, int32_t count, dlf_error *error) {
  const size_t values = (size_t)count + DLF_MAX_HOOKS;
  argument *all = calloc(values, sizeof *all);
  bool full = all != NULL;
  for (size_t i = 0; full && i < values; i++) {
    argument *to = &all[i];
    const dlfgo_value *from = &given[i];
    to->value = (dlf_value){dlfgo_arg(&from->flat, &to->room), from->integer, from->real, ""};
    if (!from->items) {
      continue;
    }
    to->list = dlfgo_list(from->items, from->integer);
    to->value.items = to->list;
    full = to->list != NULL;
  }
  if (full) {
    return all;
  }
  end_call(all, count);
  dlf_error_set(error, DLF_NO_MEMORY, "contract: expected memory, got none");
  return NULL;
}

dlf_status dlfgo_contract_match(uintptr_t self, const dlfgo_value *given, int32_t count,
                                bool only_inputs, dlf_error *error) {
  argument *all = begin_call(given, count, error);
  if (!all) {
    return DLF_NO_MEMORY;
  }
  dlf_status status;
  if (only_inputs) {
    status = dlf_contract_match_inputs(contract_of(self), &all->value, sizeof *all, error);
  } else {
    status = dlf_contract_match(contract_of(self), &all->value, sizeof *all, error);
  }
  end_call(all, count);
  return status;
}

dlf_status dlfgo_contract_infer(uintptr_t self, const dlfgo_value *given, int32_t count,
                                int32_t which, dlf_prototype *out, dlf_error *error) {
  argument *all = begin_call(given, count, error);
  if (!all) {
    return DLF_NO_MEMORY;
  }
  const dlf_status status =
      dlf_contract_infer(contract_of(self), &all->value, sizeof *all, which, out, error);
  end_call(all, count);
  return status;
}

dlf_status dlfgo_contract_create(uintptr_t self, const dlfgo_value *given, int32_t count,
                                 int32_t which, dlfgo_handle *out, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  argument *all = begin_call(given, count, error);
  if (!all) {
    return DLF_NO_MEMORY;
  }
  const dlf_status status =
      dlf_contract_create(contract_of(self), &all->value, sizeof *all, which, &tensor, error);
  end_call(all, count);
  return dlfgo_fill(status, &tensor, out);
}
