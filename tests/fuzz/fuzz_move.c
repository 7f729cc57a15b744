/* SPDX-License-Identifier: Apache-2.0 */
/* A copy from one layout into another, perhaps in the same memory: the destination then has what
 * the source had, and no byte outside it has changed. */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];
static uint8_t before[FUZZ_MEMORY];

static dlf_tensor *wrap(const fuzz_tensor *f) {
  dlf_tensor *t = NULL;
  if (!fuzz_is_readable(&f->dl, f->flags) || dlf_wrap(&f->dl, f->flags, NULL, NULL, &t, NULL)) {
    return NULL;
  }
  return t;
}

static void must_keep_the_rest(const dlf_tensor *destination) {
  int64_t low, high;
  const DLTensor *t = dlf_dltensor(destination);
  MUST(dlf_byte_range(t, dlf_flags(destination), &low, &high, NULL) == DLF_OK);
  if (low == high) {
    MUST(memcmp(before, fuzz_memory, FUZZ_MEMORY) == 0);
    return;
  }
  const size_t begin = (size_t)((uint8_t *)dlf_data(t) + low - fuzz_memory);
  const size_t end = (size_t)((uint8_t *)dlf_data(t) + high - fuzz_memory);
  MUST(memcmp(before, fuzz_memory, begin) == 0);
  MUST(memcmp(before + end, fuzz_memory + end, FUZZ_MEMORY - end) == 0);
}

/* The elements' bits, not those around them. */
static bool is_same(const dlf_tensor *a, const dlf_tensor *b) {
  bool same = false;
  const dlf_status status = dlf_identical((dlf_arg){dlf_dltensor(a), dlf_flags(a)},
                                          (dlf_arg){dlf_dltensor(b), dlf_flags(b)},
                                          &same,
                                          NULL);
  return same || status == DLF_UNSUPPORTED;
}

static void move(dlf_tensor *source, dlf_tensor *destination) {
  dlf_tensor *kept = NULL;
  dlf_error error = {0};
  MUST(dlf_copy(source, &kept, NULL) == DLF_OK && is_same(kept, source));
  memcpy(before, fuzz_memory, FUZZ_MEMORY);
  if (dlf_copy_into(source, destination, &error) == DLF_OK) {
    MUST(is_same(kept, destination));
    must_keep_the_rest(destination);
  } else {
    MUST(memcmp(before, fuzz_memory, FUZZ_MEMORY) == 0 && error.message[0]);
  }
  dlf_release(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  fuzz_tensor from, to;
  for (size_t i = 0; i < FUZZ_MEMORY; i++) {
    fuzz_memory[i] = (uint8_t)(i * 7 + i / 256);
  }
  fuzz_fill(&in, &from);
  fuzz_fill(&in, &to);
  if (fuzz_byte(&in) < 250) { /* mostly what fits */
    to.dl.dtype = from.dl.dtype;
    to.dl.ndim = from.dl.ndim;
    to.dl.shape = from.dl.shape;
  }
  dlf_tensor *source = wrap(&from), *destination = wrap(&to);
  if (source && destination) {
    move(source, destination);
  }
  dlf_release(source);
  dlf_release(destination);
  MUST(dlf_live() == 0);
  return 0;
}
