/* SPDX-License-Identifier: Apache-2.0 */
/* The end of an object: C's release, then the objects that it was made from. */
#include "object.h"

#include <stdlib.h>

void dlf__object_drop(dlf_object *self) {
  if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  dlf_object *root = self->root;
  dlf__mutex_free(&self->mutex);
  free(self);
  if (root != self) {
    dlf__object_drop(root); /* which is its own root: this goes one step deep */
  }
}

static _Thread_local dlf_object *releasing; /* whose release runs, the innermost */
static _Thread_local dlf_object *unused;    /* parents that end after the release that runs */

static bool is_free_of_delays(dlf_object *self) {
  return atomic_fetch_sub_explicit(&self->delays, 1, memory_order_acq_rel) == 1;
}

/* False if C frees the object later, or another thread has taken its end over. */
static bool run_release(dlf_object *self) {
  if (!self->release) {
    return true;
  }
  atomic_store_explicit(&self->delays, 1, memory_order_relaxed);
  self->next = releasing;
  releasing = self;
  self->release(self->pointer);
  releasing = self->next;
  return is_free_of_delays(self);
}

/* Put the parents that become unused in front of a list, and drop the box. */
static dlf_object *leave_parents(dlf_object *self, dlf_object *list) {
  for (int32_t i = 0; i < self->parent_count; i++) {
    dlf_object *parent = self->parents[i];
    if (!dlf__object_is_last(atomic_fetch_sub_explicit(&parent->word, USER, memory_order_acq_rel) -
                             USER)) {
      continue;
    }
    parent->next = list;
    list = parent;
  }
  dlf__object_drop(self);
  return list;
}

/* Free unused objects, then their unused parents: a list, since a chain of them may be long. */
static void end_list(dlf_object *list) {
  while (list) {
    dlf_object *ended = list;
    list = ended->next;
    if (run_release(ended)) {
      list = leave_parents(ended, list);
    }
    if (!list) {
      list = unused;
      unused = NULL;
    }
  }
}

void dlf__object_end(dlf_object *self) {
  self->next = NULL;
  end_list(self);
}

dlf_object *dlf_object_linger(void) {
  if (releasing) {
    atomic_fetch_add_explicit(&releasing->delays, 1, memory_order_relaxed);
  }
  return releasing;
}

void dlf_object_gone(dlf_object *lingering) {
  if (!lingering || !is_free_of_delays(lingering)) {
    return;
  }
  if (releasing) { /* whose end goes on with them, however long the chain */
    unused = leave_parents(lingering, unused);
  } else {
    end_list(leave_parents(lingering, NULL));
  }
}
