/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .npy file: an opened file prints, and is the same after being written and opened
 * again. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static int file = -1;
  static char path[64], copy_path[] = "/tmp/dlferry-fuzz-XXXXXX";
  char text[300];
  dlf_tensor *t = NULL, *again = NULL;
  int64_t count;
  bool same = false;
  if (file < 0) {
    file = memfd_create("fuzz.npy", 0);
    if (file < 0 || !mkdtemp(copy_path)) {
      abort();
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  if (ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size) {
    abort();
  }
  if (dlf_npy_open(path, &t, NULL) != DLF_OK) {
    MUST(t == NULL);
    return 0;
  }
  const DLTensor *dl = dlf_dltensor(t);
  MUST(dlf_check(dl, 0, DLF_CHECK_STRUCTURE, NULL) == DLF_OK &&
       dlf_flags(t) == DLPACK_FLAG_BITMASK_READ_ONLY);
  dlf_format(dl, 0, text, sizeof text);
  if (dlf_count(dl, &count, NULL) == DLF_OK &&
      count % 16 == 3) { /* files are slow: not for every input */
    char to[96];
    snprintf(to, sizeof to, "%s/t.npy", copy_path);
    MUST(dlf_npy_save((dlf_arg){dl, 0}, to, NULL) == DLF_OK);
    MUST(dlf_npy_open(to, &again, NULL) == DLF_OK);
    MUST(dlf_identical((dlf_arg){dl, 0}, (dlf_arg){dlf_dltensor(again), 0}, &same, NULL) ==
             DLF_OK &&
         same);
    remove(to);
  }
  dlf_release(again);
  dlf_release(t);
  MUST(dlf_live() == 0);
  return 0;
}
