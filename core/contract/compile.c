/* SPDX-License-Identifier: Apache-2.0 */
/* Compile a contract from its text. */
#include "hub/internal.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

static bool is_tensor_kind(dlf_parameter_kind kind) {
  return kind <= DLF_PARAMETER_OUTPUT || kind == DLF_PARAMETER_LIST || kind == DLF_PARAMETER_GIVEN;
}

/* Make room for so many items of a table of the contract. */
#define KEEP_TABLE(r, table, count)                                                                \
  ((r)->self->table = dlf__keep((r), (count), sizeof *(r)->self->table))

/* Elements of this or a later version of dlf_parameter, size bytes apart. */
typedef struct parameter_list {
  const dlf_parameter *first;
  int32_t count;
  int64_t size;
} parameter_list;

static const dlf_parameter *parameter_at(const parameter_list *list, int32_t which) {
  return (const dlf_parameter *)(const void *)((const char *)list->first + which * list->size);
}

static void copy_parameters(contract_reader *r, const parameter_list *parameters) {
  dlf_contract *self = r->self;
  const int32_t count = parameters->count;
  const size_t room = (size_t)count + 1;
  KEEP_TABLE(r, names, room);
  KEEP_TABLE(r, kinds, room);
  KEEP_TABLE(r, outs, room);
  KEEP_TABLE(r, inouts, room);
  KEEP_TABLE(r, opts, room);
  KEEP_TABLE(r, ones, room);
  KEEP_TABLE(r, letters, room);
  KEEP_TABLE(r, clauses, room);
  KEEP_TABLE(r, arrays, room);
  KEEP_TABLE(r, defaults, room);
  KEEP_TABLE(r, derived, room);
  for (int32_t i = 0; i < count && !r->status; i++) {
    const char *name = parameter_at(parameters, i)->name;
    const dlf_parameter_kind kind = (dlf_parameter_kind)parameter_at(parameters, i)->kind;
    self->names[i] = dlf__keep_text(r, name, strlen(name));
    self->kinds[i] = kind;
    if (!is_tensor_kind(kind)) {
      continue;
    }
    self->clauses[self->clause_count++] = (dlf__clause){.parameter = i,
                                                        .written = kind == DLF_PARAMETER_OUTPUT,
                                                        .list = kind == DLF_PARAMETER_LIST,
                                                        .after_call = kind == DLF_PARAMETER_GIVEN,
                                                        .implicit = true,
                                                        .count = -1,
                                                        .like = -1,
                                                        .type = -1,
                                                        .run = -1};
  }
  self->parameter_count = count;
}

/* Each entry takes at least one character of the text. */
static void make_tables(contract_reader *r) {
  const size_t size = strlen(r->text) + 1;
  size_t nodes = DLF__MAX_NODES;
  if (size < nodes) {
    nodes = size;
  }
  size_t few = 64;
  if (size < few) {
    few = size;
  }
  KEEP_TABLE(r, nodes, nodes);
  KEEP_TABLE(r, symbols, few);
  KEEP_TABLE(r, types, few);
  KEEP_TABLE(r, constraints, few);
  KEEP_TABLE(r, hooks, DLF_MAX_HOOKS);
  KEEP_TABLE(r, limits, few);
}

static dlf_status compile(const char *text, const char *function, const parameter_list *parameters,
                          dlf_contract **out, dlf_error *error) {
  dlf_contract *self = calloc(1, sizeof *self);
  if (!self) {
    return dlf__fail(error, DLF_NO_MEMORY, "%s: contract: out of memory", function);
  }
  contract_reader r = {self, text, text, error, DLF_OK, 0, false, false, dlf__read_hook};
  self->function = function; /* for the error if there is no memory for a copy */
  self->function = dlf__keep_text(&r, function, strlen(function));
  copy_parameters(&r, parameters);
  make_tables(&r);
  if (!r.status) {
    dlf__contract_parse(&r);
  }
  if (!r.status) {
    r.status = dlf__contract_prove(self, error);
  }
  if (r.status) {
    dlf_contract_free(self);
  } else {
    *out = self;
  }
  return r.status;
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
  if (!text) {
    text = "";
  }
  status = compile(text, function, &list, out, error);
  if (status || strcmp(text, (*out)->text) == 0) {
    return status;
  }
  /* Names and hooks have the numbers that they have in the usual form, which packages compile. */
  dlf_contract *written = *out;
  *out = NULL;
  status = compile(written->text, function, &list, out, error);
  dlf_contract_free(written);
  return status;
}
