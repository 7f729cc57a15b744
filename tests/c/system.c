/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/platform.h" /* the first: it says which of the system's functions we use */

#include "system.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void system_little_thread(pthread_t *thread, void *(*run)(void *), void *context) {
  size_t size = 64 * 1024;
  pthread_attr_t attributes;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  size = 512 * 1024; /* a sanitizer keeps its own things there */
#elif defined(_SC_THREAD_STACK_MIN)
  const long least = sysconf(_SC_THREAD_STACK_MIN); /* 128 KiB on aarch64 */
  if (least > (long)size) {
    size = (size_t)least;
  }
#endif
  if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, size) ||
      pthread_create(thread, &attributes, run, context)) {
    abort();
  }
  pthread_attr_destroy(&attributes);
}

bool system_loads(void) {
  if (dlf__can_load() && dlf__load(NULL)) {
    return true;
  }
  printf("not run: this program is static and cannot load libraries\n");
  return false;
}

#if !defined(_WIN32)

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

bool system_child(bool (*run)(void *context), void *context) {
  int status = -1;
  const pid_t child = fork();
  if (child == 0) {
    _exit(run(context) ? 0 : 1);
  }
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool system_make_folder(char *out, size_t room) {
  snprintf(out, room, "/tmp/dlferry-XXXXXX");
  return mkdtemp(out) != NULL;
}

bool system_make_folder_at(const char *path) {
  return mkdir(path, 0700) == 0;
}

void *system_edge(size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0) {
    abort();
  }
  return memory + page - size;
}

void system_free_edge(void *memory, size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (munmap((char *)memory + size - page, 2 * page) != 0) {
    abort();
  }
}

char *system_fence(size_t *size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  *size = (*size + page - 1) / page * page;
  char *memory =
      mmap(NULL, *size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0 ||
      mprotect(memory + page + *size, page, PROT_NONE) != 0) {
    abort();
  }
  return memory + page;
}

void system_free_fence(char *memory, size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (munmap(memory - page, size + 2 * page) != 0) {
    abort();
  }
}

void *system_allocate(size_t size, size_t alignment) {
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void system_free(void *memory) {
  free(memory);
}

#else

#include <malloc.h>
#include <windows.h>

enum { PAGE = 4096 };

void *system_allocate(size_t size, size_t alignment) {
  return _aligned_malloc(size, alignment);
}

void system_free(void *memory) {
  _aligned_free(memory);
}

bool system_child(bool (*run)(void *context), void *context) {
  (void)run;
  (void)context;
  printf("not run: Windows has no fork()\n");
  return true;
}

bool system_make_folder(char *out, size_t room) {
  static int number;
  const char *parent = getenv("TEMP");
  snprintf(out, room, "%s/dlferry-%lu-%d", parent ? parent : ".", GetCurrentProcessId(), number++);
  return CreateDirectoryA(out, NULL);
}

bool system_make_folder_at(const char *path) {
  return CreateDirectoryA(path, NULL);
}

void *system_edge(size_t size) {
  DWORD old;
  char *memory = VirtualAlloc(NULL, 2 * PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (!memory || !VirtualProtect(memory + PAGE, PAGE, PAGE_NOACCESS, &old)) {
    abort();
  }
  return memory + PAGE - size;
}

char *system_fence(size_t *size) {
  DWORD old;
  *size = (*size + PAGE - 1) / PAGE * PAGE;
  char *memory = VirtualAlloc(NULL, *size + 2 * PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (!memory || !VirtualProtect(memory, PAGE, PAGE_NOACCESS, &old) ||
      !VirtualProtect(memory + PAGE + *size, PAGE, PAGE_NOACCESS, &old)) {
    abort();
  }
  return memory + PAGE;
}

void system_free_fence(char *memory, size_t size) {
  (void)size;
  if (!VirtualFree(memory - PAGE, 0, MEM_RELEASE)) {
    abort();
  }
}

void system_free_edge(void *memory, size_t size) {
  if (!VirtualFree((char *)memory + size - PAGE, 0, MEM_RELEASE)) {
    abort();
  }
}

#endif
