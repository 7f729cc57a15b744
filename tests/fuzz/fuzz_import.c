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
  if (dlf_to_dlpack_legacy(t, &old, NULL) == DLF_OK) {
    dlf_dlpack_release_legacy(old);
  }
  if (!fuzz_is_readable(dlf_dltensor(t), dlf_flags(t))) {
    return;
  }
  if (dlf_copy(t, &copy, NULL) == DLF_OK) {
    bool same = false;
    const dlf_status status = dlf_identical((dlf_arg){dlf_dltensor(t), dlf_flags(t)},
                                            (dlf_arg){dlf_dltensor(copy), dlf_flags(copy)},
                                            &same,
                                            NULL);
    MUST(status != DLF_OK || same);
  }
  dlf_release(copy);
}

/* What a consumer may ask for, sense or nonsense; no copy of unreadable elements. */
static void ask(fuzz_input *in, dlf_tensor *t) {
  DLManagedTensorVersioned *out = NULL;
  DLManagedTensor *old = NULL;
  dlf_tensor *moved = NULL;
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  options.max_version.major = fuzz_byte(in) & 1;
  options.device = (DLDevice){(DLDeviceType)(fuzz_byte(in) & 3), fuzz_byte(in) & 1};
  options.copy = fuzz_byte(in) & 3;
  if (!fuzz_is_readable(dlf_dltensor(t), dlf_flags(t))) {
    options.copy = DLF_COPY_NEVER;
  }
  options.stream = (int64_t)(fuzz_byte(in) & 3) - 1;
  const dlf_status status = dlf_export(t, &options, &out, &old, NULL);
  MUST((status == DLF_OK) == (out || old) && !(out && old));
  MUST(!out || dlf_check_managed(out, DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  dlf_dlpack_release(out);
  dlf_dlpack_release_legacy(old);
  MUST((dlf_to_device(t, options.device, options.copy, &moved, NULL) == DLF_OK) == (moved != NULL));
  dlf_release(moved);
}

/* From one structure to the other, and imported: the owner goes along, or stays where it was. */
static void convert(fuzz_input *in, const fuzz_tensor *t) {
  DLManagedTensorVersioned *m = versioned(1, fuzz_byte(in) & 7, t->flags, t->dl), *again = NULL;
  DLManagedTensor *old = NULL;
  dlf_tensor *handle = NULL;
  const uint64_t flags = fuzz_byte(in);
  if (dlf_legacy_from_versioned(m, &old, NULL) != DLF_OK) {
    MUST(old == NULL && deleted == 0 && dlf_live() == 0);
    dlf_dlpack_release(m);
  } else {
    /* Elements that were packed may be too many when padded. */
    dlf_status expected = dlf_check(&old->dl_tensor, flags, DLF_CHECK_STRUCTURE, NULL);
    if (flags > 7) {
      expected = DLF_UNSUPPORTED;
    }
    const dlf_status status = dlf_versioned_from_legacy(old, flags, &again, NULL);
    MUST(status == expected && (status == DLF_OK) == (again != NULL) && deleted == 0);
    if (status) {
      dlf_dlpack_release_legacy(old);
    } else {
      MUST(again->flags == flags);
      MUST(dlf_from_dlpack(again, &handle, NULL) == DLF_OK && deleted == 0);
      dlf_release(handle);
    }
  }
  MUST(deleted == 1 && dlf_live() == 0);
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
  if (handle) {
    pass_through(handle);
  }
  if (handle) {
    ask(&in, handle);
  }
  dlf_release(handle);
  MUST(deleted == 1 && dlf_live() == 0);
  convert(&in, &t);
  return 0;
}
