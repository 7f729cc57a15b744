/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of views: each must stay inside the bytes of the one before, and keep it alive. */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

/* What a view touches, its parent touches. */
static void must_stay_inside(const dlf_tensor *parent, const dlf_tensor *view) {
  const DLTensor *p = dlf_dltensor(parent), *v = dlf_dltensor(view);
  int64_t low, high, parent_low, parent_high;
  MUST(dlf_check(v, DLF_CHECK_STRUCTURE, NULL) == DLF_OK);
  MUST(dlf_flags(view) == dlf_flags(parent));
  MUST(dlf_byte_range(v, dlf_flags(view), &low, &high, NULL) == DLF_OK);
  MUST(dlf_byte_range(p, dlf_flags(parent), &parent_low, &parent_high, NULL) == DLF_OK);
  if (low == high || !dlf_is_cpu_accessible(v->device)) return; /* other devices' handles may wrap around */
  const uintptr_t first = (uintptr_t)dlf_data(v) + (uintptr_t)low, end = (uintptr_t)dlf_data(v) + (uintptr_t)high;
  MUST(first >= (uintptr_t)dlf_data(p) + (uintptr_t)parent_low &&
       end <= (uintptr_t)dlf_data(p) + (uintptr_t)parent_high);
}

static dlf_tensor *step(fuzz_input *in, dlf_tensor *t) {
  int64_t shape[DLF_MAX_NDIM + 1];
  int32_t axes[DLF_MAX_NDIM + 1];
  dlf_tensor *view = t;
  const uint8_t what = fuzz_byte(in);
  const int32_t axis = (int32_t)fuzz_byte(in) % 6 - 1, count = (int32_t)(fuzz_byte(in) % 6);
  for (int32_t i = 0; i < count; i++) {
    shape[i] = fuzz_integer(in);
    axes[i] = (int32_t)fuzz_byte(in) % 5;
  }
  dlf_status status;
  switch (what % 11) {
  case 0:
  case 1: {
    const int64_t start = fuzz_integer(in), number = fuzz_integer(in), stride = fuzz_integer(in);
    status = dlf_slice(t, axis, start, number, stride, &view, NULL);
    break;
  }
  case 2: status = dlf_select(t, axis, fuzz_integer(in), &view, NULL); break;
  case 3: status = dlf_permute(t, axes, count, &view, NULL); break;
  case 4: status = dlf_reshape(t, shape, count, &view, NULL); break;
  case 5: status = dlf_broadcast(t, shape, count, &view, NULL); break;
  case 6: status = dlf_squeeze(t, axis, &view, NULL); break;
  case 7: status = dlf_expand(t, axis, &view, NULL); break;
  case 8: status = dlf_flip(t, axis, &view, NULL); break;
  case 9: status = dlf_bitcast(t, fuzz_dtype(in), &view, NULL); break;
  default: status = what & 128 ? dlf_pack_lanes(t, &view, NULL) : dlf_unpack_lanes(t, &view, NULL);
  }
  MUST((status == DLF_OK) == (view != NULL));
  return view;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  fuzz_tensor f;
  dlf_tensor *t = NULL;
  char text[400];
  fuzz_fill(&in, &f);
  f.dl.data = dlf_data(&f.dl);
  if (dlf_wrap(f.dl.data, f.dl.dtype, f.dl.ndim, f.dl.shape, f.dl.strides, f.dl.device, f.flags, NULL, NULL, &t,
               NULL) != DLF_OK)
    return 0;
  for (int steps = 0; in.size > 0 && steps < 12; steps++) {
    dlf_tensor *view = step(&in, t);
    if (!view) continue;
    must_stay_inside(t, view);
    dlf_release(t);
    t = view;
  }
  if (fuzz_is_readable(dlf_dltensor(t), dlf_flags(t))) dlf_format(dlf_dltensor(t), dlf_flags(t), text, sizeof text);
  dlf_release(t);
  MUST(dlf_live() == 0);
  return 0;
}
