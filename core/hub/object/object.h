/* SPDX-License-Identifier: Apache-2.0 */
/* What a box is, and how it ends. object.c has its calls. */
#ifndef DLFERRY_HUB_OBJECT_H
#define DLFERRY_HUB_OBJECT_H

#include "hub/internal.h"

#include <dlferry/object.h>

DLF__BEGIN_HIDDEN

enum {
  OPEN = 1,
  FAST_SHARED = 2, /* one call is inside that did not take the mutex; `thread` is its thread */
  FAST_EXCLUSIVE = 4,
  FAST = FAST_SHARED | FAST_EXCLUSIVE,
  SLOW = 8, /* there are holders or waiters in the lists */
  USER = 16 /* and above: calls inside or waiting, and objects made from this one */
};

struct dlf_object {
  void *pointer;
  void (*release)(void *owner); /* NULL if C frees the pointer with the root, or never */
  dlf_object *root; /* where calls count and lock: this box, or what it is borrowed from */
  _Atomic uint64_t word;
  _Atomic uintptr_t thread; /* 0, or the thread of a FAST call */
  bool unguarded; /* written inside the runtime's lock, and never cleared: threads outside it may
                     use the box */
  _Atomic int64_t references; /* the caller's, one for the pointer until that is freed, one for each
                                 box that is borrowed from this one */
  dlf__mutex mutex; /* protects the lists; held for a few instructions, never during a call of the
                       library */
  dlf_use *holders, *first, *last;
  dlf_object *next; /* in the list of objects to free, or the one whose release runs around this */
  _Atomic int32_t delays; /* of its end: the release, and who said that C frees it later */
  int32_t parent_count;
  dlf_object *parents[];
};

/* True if a closed object has no user: the caller that makes this true must end it. */
static inline bool dlf__object_is_last(uint64_t word) {
  return word < USER && !(word & OPEN);
}

/* Drop a reference to a box. */
void dlf__object_drop(dlf_object *self);

/* Free an unused object. */
void dlf__object_end(dlf_object *self);

DLF__END_HIDDEN

#endif
