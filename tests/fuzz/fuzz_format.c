/* SPDX-License-Identifier: Apache-2.0 */
/* Print any readable tensor into buffers of any size: never a byte too many, valid UTF-8 when cut.
 */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  fuzz_tensor t;
  fuzz_fill(&in, &t);
  const int64_t capacity = fuzz_byte(&in) * 4;
  if (!fuzz_is_readable(&t.dl, t.flags)) {
    return 0;
  }
  fuzz_take(&in, fuzz_memory, sizeof fuzz_memory);
  char *text = malloc((size_t)capacity + 1);
  if (!text) {
    return 0;
  }
  const int64_t length = dlf_format(&t.dl, t.flags, text, capacity);
  MUST(length > 0);
  if (capacity > 0) {
    MUST((int64_t)strlen(text) == (length < capacity ? length : (int64_t)strlen(text)));
  }
  if (capacity > 0) {
    MUST((int64_t)strlen(text) < capacity);
  }
  if (length >= capacity && capacity > 4) {
    MUST(strcmp(text + strlen(text) - 3, "\xE2\x80\xA6") == 0);
  }
  free(text);
  return 0;
}
