/* SPDX-License-Identifier: Apache-2.0 */
/* Locks by name, for C libraries with state of the whole process. A name's hash chooses one of a
 * few locks: two names may share one, which costs time and nothing else, since a thread holds one
 * name at a time. So nothing is allocated, and entering cannot fail. */
#include "hub/internal.h"

#include <dlferry/object.h>

enum { LOCKS = 64 };

typedef struct named_lock {
  dlf__mutex mutex; /* recursive: C may call back */
  int depth;        /* under the mutex: work waits until the outermost call leaves */
  _Atomic(dlf_deferred *) waiting;
} named_lock;

static named_lock named_locks[LOCKS];
static dlf__once named_once = DLF__ONCE_INIT;

static void init_locks(void) {
  for (int i = 0; i < LOCKS; i++) {
    dlf__mutex_make_recursive(&named_locks[i].mutex);
    named_locks[i].depth = 0;
  }
}

/* A child of fork() has only the thread that forked, so no other may be inside then. The child
 * makes them again: a recursive mutex knows its thread by a number, which is another one there. */
static void enter_all_locks(void) {
  for (int i = 0; i < LOCKS; i++) {
    dlf__mutex_lock(&named_locks[i].mutex);
  }
}

static void leave_all_locks(void) {
  for (int i = LOCKS; i-- > 0;) {
    dlf__mutex_unlock(&named_locks[i].mutex);
  }
}

static void make_locks(void) {
  init_locks();
  dlf__at_fork(enter_all_locks, leave_all_locks, init_locks);
}

static named_lock *find_lock(const char *name) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (const char *c = name ? name : ""; *c; c++) {
    hash = (hash ^ (uint8_t)*c) * 16777619u;
  }
  dlf__run_once(&named_once, make_locks);
  return &named_locks[hash % LOCKS];
}

/* Run what waits, as long as no other thread is inside: that one does so when it leaves. The fence
 * pairs with the one of a thread that adds something or leaves: one of the two sees the other. */
static void run_waiting(named_lock *lock) {
  for (;;) {
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&lock->waiting, memory_order_relaxed)) {
      return;
    }
    if (!dlf__mutex_try(&lock->mutex)) {
      return;
    }
    if (lock->depth) { /* this thread is inside */
      dlf__mutex_unlock(&lock->mutex);
      return;
    }
    dlf_deferred *first = atomic_exchange_explicit(&lock->waiting, NULL, memory_order_acquire);
    for (dlf_deferred *d = first; d; d = d->notes.next) {
      d->inside(d);
    }
    dlf__mutex_unlock(&lock->mutex);
    while (first) { /* what comes after may wait for another lock, or free the memory of first */
      dlf_deferred *next = first->notes.next;
      first->after(first);
      first = next;
    }
  }
}

void dlf_lock_enter(const char *name) {
  named_lock *lock = find_lock(name);
  dlf__mutex_lock(&lock->mutex);
  lock->depth++;
}

void dlf_lock_leave(const char *name) {
  named_lock *lock = find_lock(name);
  lock->depth--;
  dlf__mutex_unlock(&lock->mutex);
  run_waiting(lock);
}

void dlf_lock_defer(const char *name, dlf_deferred *owned) {
  named_lock *lock = find_lock(name);
  dlf_deferred *first = atomic_load_explicit(&lock->waiting, memory_order_relaxed);
  if (!owned) {
    return;
  }
  do {
    owned->notes.next = first;
  } while (!atomic_compare_exchange_weak_explicit(
      &lock->waiting, &first, owned, memory_order_release, memory_order_relaxed));
  run_waiting(lock);
}
