/* SPDX-License-Identifier: Apache-2.0 */
/* Runs bad_input.json in C: bad_input.py turns each case into a call below, in bad_input_cases.inc. */
#include "malformed.h"

#include <photo_dlferry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* A tensor of a case, in memory of its own or inside another's. */
typedef struct {
  DLTensor dl;
  uint64_t flags;
  int64_t shape[8], strides[8];
  void *memory; /* NULL when it lives inside another */
} tensor;

/* strides may be NULL in a case: then the tensor says row-major by numbers, as every language's arrays do. */
static void make(tensor *self, const char *dtype, const char *device, int32_t ndim, const int64_t *shape,
                 const int64_t *strides, bool read_only, const tensor *inside, int64_t offset, uint64_t skew) {
  int64_t extent = 1;
  memset(self, 0, sizeof *self);
  if (dlf_dtype_parse(dtype, &self->dl.dtype, NULL) || dlf_device_parse(device, &self->dl.device, NULL)) abort();
  self->dl.ndim = ndim;
  self->dl.shape = self->shape;
  self->dl.strides = self->strides;
  for (int32_t i = ndim; i-- > 0; extent *= shape[i]) {
    self->shape[i] = shape[i];
    self->strides[i] = strides ? strides[i] : extent;
  }
  const int64_t item = self->dl.dtype.bits / 8 * self->dl.dtype.lanes;
  int64_t last = 0;
  for (int32_t i = 0; i < ndim; i++) last += shape[i] > 0 ? (shape[i] - 1) * self->strides[i] : 0;
  if (inside) {
    self->dl.data = (char *)inside->dl.data + offset * item;
  } else {
    self->memory = calloc(2, (size_t)((last + 1) * item) + 64);
    if (!self->memory) abort();
    self->dl.data = (void *)((((uintptr_t)self->memory + 31) & ~(uintptr_t)31) + skew);
  }
  self->flags = read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
}

static dlf_arg arg(const tensor *self) { return (dlf_arg){&self->dl, self->flags}; }

static void expect(const char *name, dlf_status status, const dlf_error *error, dlf_status wanted, const char *text) {
  const char *got = status ? error->message : "";
  if (status == wanted && !strcmp(got, text) && (!status || error->status == (int32_t)status)) return;
  failures++;
  printf("FAILED %s\n  expected %s: %s\n  got      %s: %s\n", name, dlf_status_name((int32_t)wanted), text,
         dlf_status_name((int32_t)status), got);
}

static void expect_released(const char *name, int64_t before, int64_t wanted) {
  if (dlf_live() == 0 && malformed_deleted() - before == wanted) return;
  failures++;
  printf("FAILED %s\n  expected %lld deleters and no live tensor, got %lld and %lld\n", name, (long long)wanted,
         (long long)(malformed_deleted() - before), (long long)dlf_live());
}

static void import(const char *name, const char *what, bool legacy, dlf_status wanted, const char *text,
                   int64_t deleted) {
  dlf_error error = {0};
  dlf_tensor *handle = NULL;
  dlf_status status;
  const int64_t before = malformed_deleted();
  if (legacy) {
    DLManagedTensor *owned = malformed_make_legacy(what);
    if (!owned) abort();
    status = dlf_from_dlpack_legacy(owned, &handle, &error);
    if (status) dlf_dlpack_release_legacy(owned);
  } else {
    DLManagedTensorVersioned *owned = malformed_make(what);
    if (!owned) abort();
    status = dlf_from_dlpack(owned, &handle, &error);
    if (status) dlf_dlpack_release(owned);
  }
  if (status && handle) printf("FAILED %s: gave a tensor beside a failure\n", name), failures++;
  dlf_release(handle);
  expect(name, status, &error, wanted, text);
  expect_released(name, before, deleted);
}

#include "bad_input_cases.inc"

int main(void) {
  const int count = run_cases();
  printf("bad_input: %d cases, %d failures\n", count, failures);
  return count == 0 || failures > 0;
}
