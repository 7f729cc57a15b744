/* SPDX-License-Identifier: Apache-2.0 */
/* A contract's memory, and lookups in it. */
#include "contract.h"
#include "hub/internal.h"

#include <stdlib.h>

/* ---- memory: blocks freed with the contract ---- */

typedef struct dlf__block {
  struct dlf__block *next;
  max_align_t bytes[];
} dlf__block;

void *dlf__contract_alloc(dlf_contract *self, size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 2 - sizeof(dlf__block)) / size) {
    return NULL;
  }
  dlf__block *block = calloc(1, sizeof *block + count * size);
  if (!block) {
    return NULL;
  }
  block->next = self->blocks;
  self->blocks = block;
  return block->bytes;
}

void dlf_contract_free(dlf_contract *owned) {
  if (!owned) {
    return;
  }
  for (dlf__block *block = owned->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(owned);
}

dlf_status dlf__contract_refuse(const dlf_contract *self, const char *name, const char *why,
                                dlf_error *error) {
  return dlf__fail(error, DLF_INVALID, "%s: contract: %s: %s", self->function, name, why);
}

/* ---- lookups ---- */

const char *const dlf__comparison_marks[] = {[DLF__GE] = ">=",
                                             [DLF__GT] = ">",
                                             [DLF__LE] = "<=",
                                             [DLF__LT] = "<",
                                             [DLF__EQ] = "==",
                                             [DLF__NE] = "!="};

uint64_t dlf__contract_names(const dlf_contract *self, int32_t node) {
  if (node < 0) {
    return 0;
  }
  const dlf__node *n = &self->nodes[node];
  if (n->op == DLF__SYMBOL) {
    return UINT64_C(1) << n->symbol;
  }
  if (n->op < DLF__ADD) {
    return 0;
  }
  return dlf__contract_names(self, n->left) | dlf__contract_names(self, n->right);
}

const char *dlf__contract_first_name(const dlf_contract *self, uint64_t mask) {
  for (int32_t i = 0; i < self->symbol_count; i++) {
    if (mask >> i & 1) {
      return self->symbols[i].name;
    }
  }
  return "";
}

const dlf__clause *dlf__contract_clause(const dlf_contract *self, int32_t parameter) {
  DLF__EACH_CLAUSE (clause, self) {
    if (clause->parameter == parameter) {
      return clause;
    }
  }
  return NULL;
}

const dlf__array *dlf__contract_array(const dlf_contract *self, int32_t parameter) {
  DLF__EACH (const dlf__array, array, self->arrays, self->array_count) {
    if (array->parameter == parameter) {
      return array;
    }
  }
  return NULL;
}

const dlf__limit *dlf__contract_limit(const dlf_contract *self, int32_t symbol) {
  DLF__EACH_LIMIT (limit, self) {
    if (limit->symbol == symbol) {
      return limit;
    }
  }
  return NULL;
}

const dlf__limit *dlf__contract_counted(const dlf_contract *self, int32_t parameter) {
  DLF__EACH_LIMIT (limit, self) {
    if (limit->place == parameter) {
      return limit;
    }
  }
  return NULL;
}

const dlf__derived *dlf__contract_derived(const dlf_contract *self, int32_t parameter) {
  DLF__EACH_DERIVED (d, self) {
    if (d->parameter == parameter) {
      return d;
    }
  }
  return NULL;
}

/* A relative one says only whether two matrices have the same order: it gives none to either. */
const dlf__derived *dlf__contract_order(const dlf_contract *self, int32_t parameter) {
  DLF__EACH_DERIVED (d, self) {
    for (int32_t k = 0; k < d->tensor_count && !d->relative; k++) {
      if (d->tensors[k] == parameter) {
        return d;
      }
    }
  }
  return NULL;
}
