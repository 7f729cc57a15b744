/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

#include <stdlib.h>

/* Taking own handles and retaking the GIL costs about 100 ns, which a kernel over that many bytes
 * makes up for. */
uint64_t dlfpy_gil_limit = 64 * 1024;

void dlfpy_read_gil_limit(void) {
  const char *limit = getenv("DLFERRY_GIL_LIMIT");
  if (limit && *limit) {
    dlfpy_gil_limit = strtoull(limit, NULL, 10);
  }
}

uint64_t dlfpy_bytes(const DLTensor *t) {
  uint64_t bytes = ((uint64_t)t->dtype.bits * t->dtype.lanes + 7) / 8;
  bool over = false;
  if (t->ndim < 0 || t->ndim > DLF_MAX_NDIM || (t->ndim && !t->shape)) {
    return 0;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] <= 0) {
      return 0;
    }
    over |= __builtin_mul_overflow(bytes, (uint64_t)t->shape[i], &bytes);
  }
  if (over) {
    return UINT64_MAX;
  }
  return bytes;
}
