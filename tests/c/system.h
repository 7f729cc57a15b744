/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests need of systems that do it in different ways. */
#ifndef DLFERRY_TESTS_SYSTEM_H
#define DLFERRY_TESTS_SYSTEM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Run this in a forked child; true if it succeeds there. Without fork() this says so in a sentence,
 * and is true. */
bool system_child(bool (*run)(void *context), void *context);

/* Start a thread whose stack is as small as the system permits, at least 64 KiB. */
void system_little_thread(pthread_t *thread, void *(*run)(void *), void *context);

/* Make a new folder for files of a test; `out` gets its name. */
bool system_make_folder(char *out, size_t room);

/* Make this folder. */
bool system_make_folder_at(const char *path);

/* Memory of this size, behind which a look crashes, and its end. */
void *system_edge(size_t size);
void system_free_edge(void *memory, size_t size);

/* Memory of this size, rounded up to pages, and its end. A look before or behind it crashes. */
char *system_fence(size_t *size);
void system_free_fence(char *memory, size_t size);

/* Memory with an alignment, and its end. */
void *system_allocate(size_t size, size_t alignment);
void system_free(void *memory);

/* False for a static program that cannot load libraries; a sentence says so. */
bool system_loads(void);

#endif
