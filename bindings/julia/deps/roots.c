/* SPDX-License-Identifier: Apache-2.0 */
/* Forget an object that Julia lends to C. Any thread may do so, also one unknown to Julia: it only
 * writes memory that neither moves nor is freed, and never enters Julia. */
#include <stdatomic.h>

/* src/roots.jl has the same struct. */
typedef struct root {
  struct root *next;      /* of the free ones */
  _Atomic(void *) *place; /* where a vector of Julia refers to the object */
  void *nothing;          /* what it refers to otherwise; an object that Julia never frees */
  _Atomic(struct root *)
      *free; /* the first free one; only dlfjl_forget pushes, and Julia takes all at once */
} root;

__attribute__((visibility("default"))) void dlfjl_forget(void *owner) {
  root *self = owner;
  /* The garbage collector may look meanwhile: it sees either object, and both are valid. */
  atomic_store_explicit(self->place, self->nothing, memory_order_release);
  root *first = atomic_load_explicit(self->free, memory_order_relaxed);
  do {
    self->next = first;
  } while (!atomic_compare_exchange_weak_explicit(
      self->free, &first, self, memory_order_release, memory_order_relaxed));
}
