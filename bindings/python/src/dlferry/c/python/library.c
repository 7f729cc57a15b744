/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libraries that a framework has loaded: nothing here links or loads them. */
#include "base.h"

#include <dlfcn.h>
#include <string.h>

bool dlfpy_find_symbol(void *library, const char *name, void *function) {
  void *address = NULL;
  if (library) {
    address = dlsym(library, name);
  }
  memcpy(function, &address, sizeof address);
  return address != NULL;
}
