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

/* The values of a call with what they point to. */
typedef struct call {
  dlf_value *values;
  dlfgo_room *rooms;
  dlf_arg **lists;
  size_t all; /* values, those of hooks too */
} call;

static void end_call(call *c) {
  for (size_t i = 0; c->lists && i < c->all; i++) {
    free(c->lists[i]);
  }
  free(c->lists);
  free(c->rooms);
  free(c->values);
}

/* Behind those of `count` parameters, given has DLF_MAX_HOOKS values, which are zero without hooks.
 * The caller must call end_call after a failure too. */
static dlf_status begin_call(const dlfgo_value *given, int32_t count, call *c, dlf_error *error) {
  const size_t all = (size_t)count + DLF_MAX_HOOKS;
  *c = (call){calloc(all, sizeof *c->values),
              calloc(all, sizeof *c->rooms),
              calloc(all, sizeof *c->lists),
              all};
  bool full = c->values && c->rooms && c->lists;
  for (size_t i = 0; full && i < all; i++) {
    c->values[i] =
        (dlf_value){dlfgo_arg(&given[i].flat, &c->rooms[i]), given[i].integer, given[i].real, ""};
    if (!given[i].items) {
      continue;
    }
    c->lists[i] = dlfgo_list(given[i].items, given[i].integer);
    c->values[i].items = c->lists[i];
    full = c->lists[i] != NULL;
  }
  if (full) {
    return DLF_OK;
  }
  return dlf_error_set(error, DLF_NO_MEMORY, "contract: expected memory, got none");
}

dlf_status dlfgo_contract_match(uintptr_t self, const dlfgo_value *given, int32_t count,
                                bool only_inputs, dlf_error *error) {
  call c;
  dlf_status status = begin_call(given, count, &c, error);
  if (!status && only_inputs) {
    status = dlf_contract_match_inputs(contract_of(self), c.values, sizeof *c.values, error);
  } else if (!status) {
    status = dlf_contract_match(contract_of(self), c.values, sizeof *c.values, error);
  }
  end_call(&c);
  return status;
}

dlf_status dlfgo_contract_infer(uintptr_t self, const dlfgo_value *given, int32_t count,
                                int32_t which, dlf_prototype *out, dlf_error *error) {
  call c;
  dlf_status status = begin_call(given, count, &c, error);
  if (!status) {
    status = dlf_contract_infer(contract_of(self), c.values, sizeof *c.values, which, out, error);
  }
  end_call(&c);
  return status;
}

dlf_status dlfgo_contract_create(uintptr_t self, const dlfgo_value *given, int32_t count,
                                 int32_t which, dlfgo_handle *out, dlf_error *error) {
  call c;
  dlf_tensor *tensor = NULL;
  dlf_status status = begin_call(given, count, &c, error);
  if (!status) {
    status =
        dlf_contract_create(contract_of(self), c.values, sizeof *c.values, which, &tensor, error);
  }
  end_call(&c);
  return dlfgo_fill(status, &tensor, out);
}
