/* SPDX-License-Identifier: Apache-2.0 */
/* What imports and exports ask a device's backend, if it has one. */
#ifndef DLFERRY_VETO_H
#define DLFERRY_VETO_H

#include "hub/internal.h"

DLF__BEGIN_HIDDEN

/* True if a backend may know the device. The processor has none: its tensors never look at the
 * table. */
static inline bool dlf__may_have_backend(DLDevice device) {
  return (int32_t)device.device_type != kDLCPU &&
         atomic_load_explicit(&dlf__backend_count, memory_order_relaxed) > 0;
}
typedef enum dlf__direction { DLF__IMPORT, DLF__EXPORT } dlf__direction;
DLF__APART dlf_status dlf__ask_backend(const char *name, dlf__direction direction,
                                       const DLTensor *tensor, int32_t *id, dlf_error *error);
/* Ask the device's backend, if any, whether a checked tensor may be imported or exported, and with
 * which device id. */
static inline dlf_status dlf__veto(const char *name, dlf__direction direction,
                                   const DLTensor *tensor, int32_t *id, dlf_error *error) {
  *id = tensor->device.device_id;
  if (dlf__may_have_backend(tensor->device)) {
    return dlf__ask_backend(name, direction, tensor, id, error);
  }
  return DLF_OK;
}

DLF__END_HIDDEN

#endif
