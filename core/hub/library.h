/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that the hub uses without linking them: they are loaded at run time, and their functions found by name. */
#ifndef DLFERRY_HUB_LIBRARY_H
#define DLFERRY_HUB_LIBRARY_H

#include "internal.h"

#include <dlfcn.h>
#include <string.h>

/* Before version 2.34 glibc has these in libdl: a program that does not link it gets NULL. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose
#pragma weak dlerror

/* A function, and its place in a struct of pointers to functions. */
typedef struct dlf__library_function {
  const char *name;
  size_t place;
} dlf__library_function;

/* Load a library for the caller alone, or for NULL what all the process sees. `name` begins the text, `what` is in it. */
static inline dlf_status dlf__open_library(const char *name, const char *what, const char *path, void **out,
                                           dlf_error *error) {
  if (!dlopen || !dlsym || !dlclose || !dlerror)
    return dlf__fail(error, DLF_UNSUPPORTED, "%s: expected a program with dlopen, got one without libdl", name);
  *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*out) return DLF_OK;
  const char *why = dlerror();
  return dlf__fail(error, DLF_FOREIGN, "%s: expected %s, got: %s", name, what, why ? why : "no reason from dlopen");
}

/* Write the functions' addresses into the struct. Returns the name of one that the library lacks, or NULL. */
static inline const char *dlf__find_functions(void *library, const dlf__library_function *functions, size_t count,
                                              void *out) {
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(library, functions[i].name);
    if (!found) return functions[i].name;
    memcpy((char *)out + functions[i].place, &found, sizeof found);
  }
  return NULL;
}

#endif
