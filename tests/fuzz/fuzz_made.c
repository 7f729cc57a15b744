/* SPDX-License-Identifier: Apache-2.0 */
/* Made outputs: a hostile prototype is refused, or its output is as requested, zero, aligned and
 * writable. */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

enum { PATIENCE = 100000, MOST = 1 << 24 };

/* A sanitizer's allocator, and libFuzzer's limit, abort where there would be NULL: tests/c asks for
 * too much. */
static bool asks_for_too_much(const dlf_prototype *p) {
  int64_t low, high;
  const DLTensor t = {NULL,
                      p->device,
                      (int32_t)p->ndim,
                      p->dtype,
                      (int64_t *)(uintptr_t)p->shape,
                      (int64_t *)(uintptr_t)p->strides,
                      0};
  const bool counts = p->ndim >= 0 && p->ndim <= DLF_MAX_NDIM;
  return p->align > MOST ||
         (counts && dlf_byte_range(&t, 0, &low, &high, NULL) == DLF_OK && high - low > MOST);
}

static bool is_zero(const uint8_t *bytes, int64_t size) {
  for (int64_t i = 0; i < size; i++) {
    if (bytes[i]) {
      return false;
    }
  }
  return true;
}

/* Every byte that the elements touch is zero, and may be written. */
static void must_be_new(const DLTensor *t, uint64_t flags) {
  int64_t low, high;
  MUST(dlf_byte_range(t, flags, &low, &high, NULL) == DLF_OK);
  if (low == high) {
    MUST(!t->data);
  }
  if (high - low > PATIENCE) {
    return;
  }
  uint8_t *first = low == high ? NULL : (uint8_t *)dlf_data(t) + low;
  MUST(is_zero(first, high - low));
  if (first) {
    memset(first, 0xA5, (size_t)(high - low));
  }
}

/* Strides are as asked where they have a meaning. */
static void must_be_as_asked(const DLTensor *t, const dlf_prototype *p) {
  bool is_empty = false;
  MUST(t->ndim == p->ndim && memcmp(&t->dtype, &p->dtype, sizeof t->dtype) == 0);
  MUST(t->device.device_type == kDLCPU && t->device.device_id == 0 && t->byte_offset == 0);
  for (int32_t i = 0; i < t->ndim; i++) {
    is_empty |= p->shape[i] == 0;
  }
  for (int32_t i = 0; i < t->ndim; i++) {
    MUST(t->shape[i] == p->shape[i]);
    MUST(is_empty || t->shape[i] < 2 || t->strides[i] == p->strides[i]);
  }
  MUST(dlf_alignment(t) >= (p->align > 256 ? p->align : 256));
}

static void made(fuzz_input *in, const dlf_prototype *p) {
  DLManagedTensorVersioned *out = (DLManagedTensorVersioned *)(uintptr_t)in, *again = NULL;
  dlf_tensor *handle = NULL, *view = NULL;
  const dlf_status status = dlf_make(p, &out, NULL);
  MUST((status == DLF_OK) == (out != NULL));
  if (status) {
    return;
  }
  const uint8_t how = fuzz_byte(in);
  MUST(out->flags == 0 && out->version.major == DLF_DLPACK_MAJOR &&
       out->version.minor == DLF_DLPACK_MINOR);
  MUST(dlf_check_managed(out, DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  must_be_as_asked(&out->dl_tensor, p);
  must_be_new(&out->dl_tensor, 0);
  MUST(dlf_live() == 1);
  if (how & 1) {
    out->dl_tensor.dtype.code ^= how & 2; /* changed by its consumer */
  }
  if (how & 4 && dlf_from_dlpack(out, &handle, NULL) == DLF_OK) {
    if (how & 8) {
      MUST(dlf_to_dlpack(handle, &again, NULL) == DLF_OK);
    }
    if (how & 16 && dlf_slice(handle, 0, 0, p->shape[0], 1, &view, NULL) == DLF_OK) {
      dlf_release(handle);
      handle = view;
    }
    dlf_release(handle);
    dlf_dlpack_release(again);
    return;
  }
  dlf_dlpack_release(out);
}

static void created(const dlf_prototype *p) {
  dlf_tensor *t = NULL;
  const dlf_status status = dlf_create(p->dtype, p->ndim, p->shape, p->device, &t, NULL);
  MUST((status == DLF_OK) == (t != NULL));
  if (status) {
    return;
  }
  MUST(dlf_check(dlf_dltensor(t), dlf_flags(t), DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  MUST(dlf_is_contiguous(dlf_dltensor(t), DLF_ROW_MAJOR) && dlf_alignment(dlf_dltensor(t)) >= 256);
  must_be_new(dlf_dltensor(t), 0);
  dlf_release(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  dlf_prototype p;
  fuzz_tensor t;
  memset(&p, 0, sizeof p);
  p.size = sizeof p;
  while (in.size > 0) {
    const uint8_t align = fuzz_byte(&in);
    fuzz_fill(&in, &t);
    p.dtype = t.dl.dtype;
    p.device = t.dl.device;
    p.ndim = t.dl.ndim;
    memcpy(p.shape, t.shape, sizeof p.shape);
    memcpy(p.strides, t.strides, sizeof p.strides);
    if (!t.dl.strides) {
      (void)dlf_compact_strides(p.ndim, p.shape, align & 1, p.strides, NULL);
    }
    p.align = align < 200 ? (int64_t)1 << align % 16 : align < 220 ? 0 : fuzz_integer(&in);
    if (asks_for_too_much(&p)) {
      continue;
    }
    made(&in, &p);
    (void)dlf_compact_strides(
        p.ndim, p.shape, DLF_ROW_MAJOR, p.strides, NULL); /* may be more than the strided one */
    if (!asks_for_too_much(&p)) {
      created(&p);
    }
    MUST(dlf_live() == 0);
  }
  return 0;
}
