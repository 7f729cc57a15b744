/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that the hub uses without linking them: they are loaded at run time, and their
 * functions found by name. */
#include "internal.h"

dlf_status dlf__open_library(const char *name, const char *title, const char *path, void **out,
                             dlf_error *error) {
  if (!dlf__can_load()) {
    return dlf__fail(
        error, DLF_UNSUPPORTED, "%s: expected a program with dlopen, got one without libdl", name);
  }
  *out = dlf__load(path);
  if (*out) {
    return DLF_OK;
  }
  char why[128];
  return dlf__fail(error,
                   DLF_FOREIGN,
                   "%s: expected %s, got: %s",
                   name,
                   title,
                   dlf__load_failure(why, sizeof why));
}

const char *dlf__find_functions(void *library, const dlf__library_function *functions, size_t count,
                                void *out) {
  for (size_t i = 0; i < count; i++) {
    void *found = dlf__find_symbol(library, functions[i].name);
    if (!found) {
      return functions[i].name;
    }
    memcpy((char *)out + functions[i].place, &found, sizeof found);
  }
  return NULL;
}

void dlf__close_library(void *library) {
  dlf__unload(library);
}
