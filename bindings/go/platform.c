/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between systems. */
#define _POSIX_C_SOURCE 200809L
#include "bridge.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

void dlfgo_wake(uintptr_t event) {
  const DWORD saved = GetLastError();
  SetEvent((HANDLE)event);
  SetLastError(saved);
}
#else
#include <errno.h>
#include <unistd.h>

/* A full pipe signals as well as one more byte. */
void dlfgo_wake(uintptr_t write_end) {
  const int saved = errno;
  const ssize_t written = write((int)write_end, "", 1);
  (void)written;
  errno = saved;
}
#endif
