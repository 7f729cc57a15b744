/* SPDX-License-Identifier: Apache-2.0 */
/* The extents of an output that the contract determines. */
#include "matching.h"

static dlf_status extent_impossible(const dlf__match *m, const dlf__clause *c, const char *axis,
                                    bool overflow, int64_t extent) {
  const char *function = m->contract->function;
  const char *name = m->contract->names[c->parameter];
  if (overflow) {
    return dlf__fail(m->error,
                     DLF_OVERFLOW,
                     "%s: %s[%s] does not fit in 64 bits; wanted %s",
                     function,
                     name,
                     axis,
                     c->text);
  }
  return dlf__fail(m->error,
                   DLF_SHAPE,
                   "%s: %s[%s] would be %" PRId64 ", expected 0 or more; wanted %s",
                   function,
                   name,
                   axis,
                   extent,
                   c->text);
}

dlf_status dlf__contract_left_open(const dlf__match *m, const dlf__clause *c, const char *name) {
  return dlf__fail(m->error,
                   DLF_INVALID,
                   "%s: %s must be given: an empty list leaves %s open; wanted %s",
                   m->contract->function,
                   m->contract->names[c->parameter],
                   name,
                   c->text);
}

dlf_status dlf__contract_extent(const dlf__match *m, const dlf__clause *c, const dlf__axis *axis,
                                int32_t node, int64_t *out) {
  const uint64_t open = dlf__contract_names(m->contract, node) & ~m->bound;
  if (open) {
    return dlf__contract_left_open(m, c, dlf__contract_first_name(m->contract, open));
  }
  const bool overflow = dlf__contract_evaluate(m->contract, &m->numbers, node, out);
  if (overflow || *out < 0) {
    return extent_impossible(m, c, axis->text, overflow, overflow ? 0 : *out);
  }
  return DLF_OK;
}

dlf_status dlf__contract_most(const dlf__match *m, const dlf__clause *clause, const dlf__axis *axis,
                              int64_t *out) {
  const dlf__limit *limit = dlf__contract_limit(m->contract, axis->symbol);
  if (limit->hook >= 0) {
    return dlf__contract_hook(m, limit->hook, out);
  }
  return dlf__contract_extent(m, clause, axis, limit->node, out);
}
