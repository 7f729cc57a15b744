/* SPDX-License-Identifier: Apache-2.0 */
/* For the twins: files that are open for a call. See twin_helpers.h; this is its sixth part. */
/* @section files */
/* ---- files that are open for a call ---- */

#include <errno.h>

/* Open a file; its path is UTF-8 on Windows too. */
DLFERRY_HELPER dlf_status dlferry_open_file(const char *path, const char *mode, const char *where,
                                            FILE **out, dlf_error *error) {
#if defined(_WIN32)
  wchar_t wide_mode[8] = {0};
  wchar_t *wide = NULL;
  const dlf_status verdict = dlferry_widen(path, where, &wide, error);
  for (int i = 0; mode[i]; i++) {
    wide_mode[i] = (wchar_t)mode[i];
  }
  *out = verdict ? NULL : _wfopen(wide, wide_mode);
  const int number = errno;
  free(wide);
  if (verdict) {
    return verdict;
  }
#else
  *out = fopen(path, mode);
  const int number = errno;
#endif
  if (*out) {
    return DLF_OK;
  }
  return dlferry_fail(error,
                      DLF_FOREIGN,
                      "%s: expected a file at '%.120s', got: %s",
                      where,
                      path,
                      strerror(number));
}

/* Close a file after a call that succeeded unless the verdict says otherwise. What C wrote may only
 * fail now. */
DLFERRY_HELPER dlf_status dlferry_close_file(dlf_status verdict, FILE *file, const char *where,
                                             dlf_error *error) {
  const bool failed = ferror(file) != 0;
  const bool lost = fclose(file) != 0;
  const char *why = lost ? strerror(errno) : "an error while C used it";
  if (verdict || !(failed || lost)) {
    return verdict;
  }
  return dlferry_fail(
      error, DLF_FOREIGN, "%s: expected a file without errors, got: %s", where, why);
}
