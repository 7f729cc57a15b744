/* SPDX-License-Identifier: Apache-2.0 */
/* What systems do in different ways. Only this file of the binding knows which one it is compiled
 * for. Libraries are those that a framework has loaded: nothing here links or loads them. */
#include "base.h"

#include <string.h>

#if !defined(_WIN32)

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#if defined(__APPLE__)
#define LIBRARY "lib%s.dylib"
#else
#define LIBRARY "lib%s.so"
#endif

void *dlfpy_find_loaded(const char *file) {
  return dlopen(file, RTLD_NOLOAD | RTLD_LAZY);
}

static void *find_symbol(void *library, const char *name) {
  return dlsym(library, name);
}

bool dlfpy_after_fork(void (*child)(void)) {
  if (pthread_atfork(NULL, NULL, child)) {
    PyErr_NoMemory();
    return false;
  }
  return true;
}

void dlfpy_pause(void) {
  nanosleep(&(struct timespec){0, 1000000}, NULL);
}

#else

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define LIBRARY "%s.dll"

void *dlfpy_find_loaded(const char *file) {
  return GetModuleHandleA(file);
}

static void *find_symbol(void *library, const char *name) {
  const FARPROC found = GetProcAddress(library, name);
  void *address;
  memcpy(&address, &found, sizeof address);
  return address;
}

/* There are no forks. */
bool dlfpy_after_fork(void (*child)(void)) {
  (void)child;
  return true;
}

void dlfpy_pause(void) {
  Sleep(1);
}

#endif

void *dlfpy_find_library(const char *name) {
  char file[64];
  PyOS_snprintf(file, sizeof file, LIBRARY, name);
  return dlfpy_find_loaded(file);
}

bool dlfpy_find_symbol(void *library, const char *name, void *function) {
  void *address = NULL;
  if (library) {
    address = find_symbol(library, name);
  }
  memcpy(function, &address, sizeof address);
  return address != NULL;
}
