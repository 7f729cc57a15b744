/* SPDX-License-Identifier: Apache-2.0 */
/* Compile a contract from its text. */
#include "contract.h"
#include "hub/internal.h"

#include <stdlib.h>
#include <string.h>

static char *copy_text(dlf_contract *self, const char *text) {
  char *copy = dlf__contract_alloc(self, strlen(text) + 1, 1);
  if (copy) {
    memcpy(copy, text, strlen(text) + 1);
  }
  return copy;
}

static bool is_tensor_kind(dlf_parameter_kind kind) {
  return kind <= DLF_PARAMETER_OUTPUT || kind == DLF_PARAMETER_LIST || kind == DLF_PARAMETER_GIVEN;
}

/* Elements of this or a later version of dlf_parameter, size bytes apart. */
typedef struct parameter_list {
  const dlf_parameter *first;
  int32_t count;
  int64_t size;
} parameter_list;

static const dlf_parameter *parameter_at(const parameter_list *list, int32_t which) {
  return (const dlf_parameter *)(const void *)((const char *)list->first + which * list->size);
}

static bool copy_parameters(dlf_contract *self, const char *function,
                            const parameter_list *parameters) {
  const int32_t count = parameters->count;
  self->function = copy_text(self, function);
  self->names = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->names);
  self->kinds = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->kinds);
  self->outs = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->outs);
  self->opts = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->opts);
  self->ones = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->ones);
  self->letters = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->letters);
  self->inouts = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->inouts);
  self->clauses = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->clauses);
  self->arrays = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->arrays);
  self->defaults = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->defaults);
  self->derived = dlf__contract_alloc(self, (size_t)count + 1, sizeof *self->derived);
  if (!self->function || !self->names || !self->kinds || !self->outs || !self->inouts ||
      !self->opts || !self->ones || !self->letters || !self->clauses || !self->arrays ||
      !self->defaults || !self->derived) {
    return false;
  }
  for (int32_t i = 0; i < count; i++) {
    const dlf_parameter_kind kind = (dlf_parameter_kind)parameter_at(parameters, i)->kind;
    self->names[i] = copy_text(self, parameter_at(parameters, i)->name);
    self->kinds[i] = kind;
    if (!self->names[i]) {
      return false;
    }
    if (!is_tensor_kind(kind)) {
      continue;
    }
    self->clauses[self->clause_count++] = (dlf__clause){.parameter = i,
                                                        .written = kind == DLF_PARAMETER_OUTPUT,
                                                        .list = kind == DLF_PARAMETER_LIST,
                                                        .given = kind == DLF_PARAMETER_GIVEN,
                                                        .implicit = true,
                                                        .count = -1,
                                                        .like = -1,
                                                        .type = -1,
                                                        .run = -1};
  }
  self->parameter_count = count;
  return true;
}

static bool make_tables(dlf_contract *self, size_t size) {
  /* Each entry takes at least one character of the text. */
  size_t nodes = DLF__MAX_NODES;
  if (size < DLF__MAX_NODES) {
    nodes = size + 1;
  }
  size_t few = 64;
  if (size < 64) {
    few = size + 1;
  }
  self->nodes = dlf__contract_alloc(self, nodes, sizeof *self->nodes);
  self->symbols = dlf__contract_alloc(self, few, sizeof *self->symbols);
  self->types = dlf__contract_alloc(self, few, sizeof *self->types);
  self->constraints = dlf__contract_alloc(self, few, sizeof *self->constraints);
  self->hooks = dlf__contract_alloc(self, DLF_MAX_HOOKS, sizeof *self->hooks);
  self->limits = dlf__contract_alloc(self, few, sizeof *self->limits);
  return self->hooks && self->limits && self->nodes && self->symbols && self->types &&
         self->constraints;
}

dlf_status dlf_contract_compile(const char *text, const char *function,
                                const dlf_parameter *parameters, int32_t count,
                                int64_t parameter_size, dlf_contract **out, dlf_error *error) {
  const parameter_list list = {parameters, count, parameter_size};
  int32_t tensors = 0;
  if (!out) {
    return dlf__fail(error, DLF_INVALID, "contract: expected a place for the contract, got NULL");
  }
  *out = NULL;
  if (!function || count < 0 || (count && !parameters)) {
    return dlf__fail(
        error, DLF_INVALID, "contract: expected a function name and parameters, got NULL");
  }
  if (count > 4096) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: contract: expected 4096 parameters at most, got %d",
                     function,
                     (int)count);
  }
  dlf_status status =
      DLF__CHECK_STRUCT("contract", dlf_parameter, parameter_size, sizeof *parameters, error);
  if (status) {
    return status;
  }
  for (int32_t i = 0; i < count; i++) {
    const dlf_parameter *p = parameter_at(&list, i);
    if (!p->name || (uint32_t)p->kind > DLF_PARAMETER_GIVEN) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: contract: expected a name and a kind for every parameter",
                       function);
    }
    tensors += is_tensor_kind((dlf_parameter_kind)p->kind);
  }
  if (tensors > DLF__MAX_CLAUSES) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "%s: contract: expected at most %d tensors, got %d",
                     function,
                     DLF__MAX_CLAUSES,
                     tensors);
  }
  dlf_contract *self = calloc(1, sizeof *self);
  if (!self) {
    return dlf__fail(error, DLF_NO_MEMORY, "%s: contract: out of memory", function);
  }
  if (!text) {
    text = "";
  }
  if (!copy_parameters(self, function, &list) || !make_tables(self, strlen(text))) {
    status = dlf__fail(error, DLF_NO_MEMORY, "%s: contract: out of memory", function);
  }
  if (!status) {
    status = dlf__contract_parse(self, text, error);
  }
  if (!status) {
    status = dlf__contract_prove(self, error);
  }
  if (status) {
    dlf_contract_free(self);
  } else {
    *out = self;
  }
  return status;
}
