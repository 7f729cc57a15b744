/* SPDX-License-Identifier: Apache-2.0 */
/* Handle a failure: a function returns a status and writes the reason into the caller's dlf_error.
 */
#include "example.h"

/* A kernel of your own reports its failures in the same way. */
static dlf_status half(int64_t number, int64_t *out, dlf_error *error) {
  if (number % 2) {
    return dlf_error_set(error, DLF_INVALID, "half: expected an even number, got an odd one");
  }
  *out = number / 2;
  return DLF_OK;
}

int main(void) {
  dlf_error error;
  int64_t result = 0;
  TRY(half(6, &result, &error));
  EXPECT(result == 3);

  EXPECT(half(7, &result, &error) == DLF_INVALID);
  EXPECT(error.status == DLF_INVALID);
  EXPECT(strcmp(error.message, "half: expected an even number, got an odd one") == 0);
  EXPECT(strcmp(dlf_status_name(error.status), "INVALID") == 0);

  /* Another version of the library may be loaded than the header's. */
  EXPECT(dlf_version_number() >= DLF_VERSION_NUMBER);
  printf("dlferry %s\n", dlf_version());

  EXPECT(half(7, &result, NULL) == DLF_INVALID); /* A caller that needs no text passes NULL. */
  return 0;
}
