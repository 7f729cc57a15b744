/* SPDX-License-Identifier: Apache-2.0 */
/* The tensors of a clause. */
#include "matching.h"

const DLTensor *dlf__contract_tensor(const dlf__match *m, const dlf__clause *clause) {
  const dlf_value *value = dlf__argument(m, clause->parameter);
  if (dlf__is_to_come(m, clause)) {
    return NULL;
  }
  if (!clause->list) {
    return value->tensor.tensor;
  }
  if (value->integer > 0) {
    return ((const dlf_arg *)value->items)->tensor;
  }
  return NULL;
}

int64_t dlf__contract_number(const dlf__match *m, const dlf__clause *clause) {
  if (clause->list) {
    return dlf__argument(m, clause->parameter)->integer;
  }
  return 1;
}

dlf__subject dlf__contract_subject(const dlf__match *m, const dlf__clause *clause, int64_t item) {
  const dlf_value *value = dlf__argument(m, clause->parameter);
  if (!clause->list) {
    return (dlf__subject){clause, dlf__contract_tensor(m, clause), value->tensor.flags, -1};
  }
  const dlf_arg *arg = (const dlf_arg *)value->items + item;
  return (dlf__subject){clause, arg->tensor, arg->flags, item};
}
