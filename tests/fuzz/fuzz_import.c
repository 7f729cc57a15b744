/* SPDX-License-Identifier: Apache-2.0 */
/* Both structures in, exports out: every deleter runs exactly once, nothing stays alive. */
#include "../c/producer.h"
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];
static void pass_through(dlf_tensor *t) {
  DLManagedTensorVersioned *out = NULL;
  DLManagedTensor *old = NULL;
  dlf_tensor *again = NULL, *copy = NULL;
  char text[2000];
  MUST(dlf_check(dlf_dltensor(t), dlf_flags(t), DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  dlf_describe_json(t, text, sizeof text);
  MUST(dlf_to_dlpack(t, &out, NULL) == DLF_OK);
  MUST(dlf_from_dlpack(out, &again, NULL) == DLF_OK);
  dlf_release(again);
  if (dlf_to_dlpack_legacy(t, &old, NULL) == DLF_OK) dlf_dlpack_release_legacy(old);
  if (!fuzz_is_readable(dlf_dltensor(t), dlf_flags(t))) return;
  if (dlf_copy(t, &copy, NULL) == DLF_OK) {
    bool same = false;
    const dlf_status status = dlf_identical((dlf_arg){dlf_dltensor(t), dlf_flags(t)},
                                            (dlf_arg){dlf_dltensor(copy), dlf_flags(copy)}, &same, NULL);
    MUST(status != DLF_OK || same);
  }
  dlf_release(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  static fuzz_tensor t; /* outlives the structure that points into it */
  dlf_tensor *handle = NULL;
  const uint8_t kind = fuzz_byte(&in);
  fuzz_fill(&in, &t);
  if (kind & 1) {
    DLManagedTensor *m = legacy(t.dl);
    if (dlf_from_dlpack_legacy(m, &handle, NULL) != DLF_OK) {
      MUST(handle == NULL && deleted == 0);
      dlf_dlpack_release_legacy(m);
    }
  } else {
    DLManagedTensorVersioned *m = versioned(kind & 2 ? kind >> 2 : 1, kind >> 4, t.flags, t.dl);
    if (dlf_from_dlpack(m, &handle, NULL) != DLF_OK) {
      MUST(handle == NULL && deleted == 0);
      dlf_dlpack_release(m);
    }
  }
  if (handle) pass_through(handle);
  dlf_release(handle);
  MUST(deleted == 1 && dlf_live() == 0);
  return 0;
}
