/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that the hub uses without linking them: they are loaded at run time, and their
 * functions found by name. */
#include "internal.h"

#include <dlfcn.h>

/* Before version 2.34 glibc has these in libdl: a program that does not link it gets NULL. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#pragma weak dlerror

dlf_status dlf__open_library(const char *name, const char *title, const char *path, void **out,
                             dlf_error *error) {
  if (!dlopen || !dlsym || !dlclose || !dlerror) {
    return dlf__fail(
        error, DLF_UNSUPPORTED, "%s: expected a program with dlopen, got one without libdl", name);
  }
  *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*out) {
    return DLF_OK;
  }
  const char *why = dlerror();
  return dlf__fail(error,
                   DLF_FOREIGN,
                   "%s: expected %s, got: %s",
                   name,
                   title,
                   why ? why : "no reason from dlopen");
}

const char *dlf__find_functions(void *library, const dlf__library_function *functions, size_t count,
                                void *out) {
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(library, functions[i].name);
    if (!found) {
      return functions[i].name;
    }
    memcpy((char *)out + functions[i].place, &found, sizeof found);
  }
  return NULL;
}

void dlf__close_library(void *library) {
  dlclose(library);
}
