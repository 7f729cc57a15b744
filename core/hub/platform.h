/* SPDX-License-Identifier: Apache-2.0 */
/* What systems do in different ways: libraries, threads and files. Only this header and platform.c
 * know which system they are compiled for. */
#ifndef DLFERRY_PLATFORM_H
#define DLFERRY_PLATFORM_H

/* Before the first header. The second and the third are for madvise and mmap, the last gives printf
 * C99's formats, which msvcrt lacks. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE 1
#define _DARWIN_C_SOURCE 1
#define __USE_MINGW_ANSI_STDIO 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

/* GNU C's check of formats. */
#if defined(__MINGW32__) && !defined(__clang__) /* there, __printf__ means msvcrt's formats */
#define DLF__PRINTF(text, first) __attribute__((__format__(__gnu_printf__, text, first)))
#else
#define DLF__PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#endif

/* Whether code for AVX may be compiled: gcc for Windows does not align the stack as it needs. */
#if defined(__x86_64__) && !defined(_WIN32)
#define DLF__HAS_AVX 1
#else
#define DLF__HAS_AVX 0
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* ---- memory ---- */

/* Tell the system that new memory will be written as a whole: a large block then takes a page fault
 * for each 2 MiB instead of each 4 KiB, where the system has such pages. */
void dlf__prefer_huge_pages(void *memory, size_t size);

/* ---- libraries ---- */

/* The file of a library that users build or install under this name. */
#if defined(_WIN32)
#define DLF__LIBRARY_FILE(name) name ".dll"
#elif defined(__APPLE__)
#define DLF__LIBRARY_FILE(name) "lib" name ".dylib"
#else
#define DLF__LIBRARY_FILE(name) "lib" name ".so"
#endif

/* False for a program that was linked without the loader; it may not call the others. */
bool dlf__can_load(void);
/* Load a library for the caller alone, or for NULL what all the process sees. NULL if that
 * fails. */
void *dlf__load(const char *path);
/* Tell why the load failed, directly after it; perhaps in the buffer. */
const char *dlf__load_failure(char *buffer, size_t room);
void *dlf__find_symbol(void *library, const char *name);
void dlf__unload(void *library);

/* ---- threads that end before the call that starts them ---- */

typedef struct dlf__thread {
#if defined(_WIN32)
  void *handle;
#else
  pthread_t handle;
#endif
  void (*run)(void *context);
  void *context;
} dlf__thread;

/* False if the system gives none. It gets no signals that are meant for the process. */
bool dlf__thread_start(dlf__thread *thread, void (*run)(void *context), void *context);
/* Wait for its end, even in a thread that is cancelled. */
void dlf__thread_join(dlf__thread *thread);

/* ---- locks; only contracts and objects need them ---- */

#if defined(_WIN32)
typedef struct dlf__mutex {
  void *room[6];
} dlf__mutex;
typedef struct dlf__condition {
  void *room;
} dlf__condition;
typedef struct dlf__once {
  void *room;
} dlf__once;
#define DLF__CONDITION_INIT {NULL}
#define DLF__ONCE_INIT {NULL}
#else
typedef pthread_mutex_t dlf__mutex;
typedef pthread_cond_t dlf__condition;
typedef pthread_once_t dlf__once;
#define DLF__CONDITION_INIT PTHREAD_COND_INITIALIZER
#define DLF__ONCE_INIT PTHREAD_ONCE_INIT
#endif

/* False without memory. */
bool dlf__mutex_make(dlf__mutex *mutex);
/* One that its thread may lock again. */
void dlf__mutex_make_recursive(dlf__mutex *mutex);
void dlf__mutex_free(dlf__mutex *mutex);
void dlf__mutex_lock(dlf__mutex *mutex);
bool dlf__mutex_try(dlf__mutex *mutex);
void dlf__mutex_unlock(dlf__mutex *mutex);
void dlf__condition_wait(dlf__condition *condition, dlf__mutex *mutex);
void dlf__condition_wake_one(dlf__condition *condition);
void dlf__condition_free(dlf__condition *condition);
void dlf__run_once(dlf__once *once, void (*run)(void));
/* Call these around every fork(), on systems that have it. */
void dlf__at_fork(void (*before)(void), void (*parent)(void), void (*child)(void));
void dlf__yield(void);
/* A number that no other live thread has; never 0. */
#if defined(_WIN32)
uintptr_t dlf__this_thread(void);
#else
static inline uintptr_t dlf__this_thread(void) {
  return (uintptr_t)pthread_self();
}
#endif

/* ---- files; names are UTF-8 on Windows. These return 0, an errno, or one of the two below ---- */

enum {
  DLF__NOT_PLAIN = -1, /* a folder, a pipe, a device; for a mapping also an empty file */
  DLF__NO_ROOM = -2    /* no memory for a name */
};

typedef struct dlf__bytes {
  const void *data;
  int64_t size;
} dlf__bytes;

/* Map a file for reading. Never opens a pipe, which may block, or a device, which may act. */
int dlf__map_file(const char *path, char **memory, size_t *size);
void dlf__unmap_file(void *memory, size_t size);
/* Write the pieces beside the target and rename, so that a failure keeps the old file. */
int dlf__replace_file(const char *path, const dlf__bytes *pieces, int count);
/* Put the text of an errno into the buffer. */
void dlf__error_text(int number, char *buffer, size_t room);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
