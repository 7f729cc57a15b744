/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry.h"

#include <stdlib.h>

extern void goDelete(void);

typedef struct owned {
  DLManagedTensorVersioned managed;
  int64_t shape[1];
  double data[3];
} owned;

static void delete_owned(DLManagedTensorVersioned *managed) {
  goDelete();
  free(managed);
}

void *make_owned(void) {
  owned *o = calloc(1, sizeof *o);
  o->managed.version = (DLPackVersion){1, 3};
  o->managed.deleter = delete_owned;
  o->shape[0] = 3;
  o->managed.dl_tensor = (DLTensor){o->data, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, o->shape, NULL, 0};
  return o;
}
