/* SPDX-License-Identifier: Apache-2.0 */
/* Every function on a plain tensor must survive what dlf_check accepts. */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  fuzz_tensor a, b;
  dlf_error error = {0};
  int64_t count, byte_size, low, high;
  bool answer;
  char text[300];
  fuzz_fill(&in, &a);
  fuzz_fill(&in, &b);
  dlf_describe(&a.dl, a.flags, text, sizeof text);
  const dlf_status status = dlf_check(&a.dl, a.flags, DLF_CHECK_STRUCTURE, &error);
  MUST((int32_t)status == error.status && (status == DLF_OK) == (error.message[0] == '\0'));
  if (status != DLF_OK) {
    MUST(dlf_check(&a.dl, a.flags, DLF_CHECK_STRICT, NULL) != DLF_OK);
    return 0;
  }
  /* The check decides most cases in one walk of its own: the helpers must agree with it. */
  MUST(dlf_count(&a.dl, &count, NULL) == DLF_OK && count >= 0);
  MUST(dlf_byte_range(&a.dl, a.flags, &low, &high, NULL) == DLF_OK && (low < high) == (count > 0));
  MUST(count == 0 ||
       (a.dl.data && a.dl.device.device_id >= 0 && a.dl.dtype.bits > 0 && a.dl.dtype.lanes > 0));
  /* A handle and its offset may pass 2^32 where addresses have 32 bits. */
  const uint64_t data = (uintptr_t)a.dl.data, base = data + a.dl.byte_offset;
  const uint64_t first = base + (uint64_t)low, end = base + (uint64_t)high;
  if (count > 0 && dlf_is_cpu_accessible(a.dl.device)) {
    MUST(base >= data && first <= base && end >= base && end == (uintptr_t)end);
  }
  const int64_t alignment = dlf_alignment(&a.dl);
  MUST(alignment > 0 && (alignment & (alignment - 1)) == 0 &&
       (count == 0 || !a.dl.data || base % (uint64_t)alignment == 0));
  if (dlf_byte_size(&a.dl, a.flags, &byte_size, NULL) == DLF_OK) {
    MUST((byte_size == 0) == (count == 0));
  }
  const bool rows = dlf_is_contiguous(&a.dl, DLF_ROW_MAJOR),
             columns = dlf_is_contiguous(&a.dl, DLF_COLUMN_MAJOR);
  if (rows || columns) {
    MUST(dlf_is_contiguous(&a.dl, DLF_DENSE));
  }
  if (count > 0) {
    MUST(dlf_overlap((dlf_arg){&a.dl, a.flags}, (dlf_arg){&a.dl, a.flags}));
  }
  if (dlf_check(&b.dl, b.flags, DLF_CHECK_STRUCTURE, NULL) != DLF_OK) {
    return 0;
  }
  MUST(dlf_overlap((dlf_arg){&a.dl, a.flags}, (dlf_arg){&b.dl, b.flags}) ==
       dlf_overlap((dlf_arg){&b.dl, b.flags}, (dlf_arg){&a.dl, a.flags}));
  if (!fuzz_is_readable(&a.dl, a.flags)) {
    return 0;
  }
  const dlf_arg x = {&a.dl, a.flags};
  if (dlf_identical(x, x, &answer, NULL) == DLF_OK) {
    MUST(answer);
  }
  if (dlf_all_close(x, x, 0, 0, true, &answer, NULL) == DLF_OK) {
    MUST(answer);
  }
  if (!fuzz_is_readable(&b.dl, b.flags)) {
    return 0;
  }
  bool back = false;
  const dlf_arg y = {&b.dl, b.flags};
  if (dlf_equal(x, y, &answer, NULL) == DLF_OK) {
    MUST(dlf_equal(y, x, &back, NULL) == DLF_OK && back == answer);
  }
  return 0;
}
