/* SPDX-License-Identifier: Apache-2.0 */
#include "bridge.h"

#include <stdatomic.h>

/* This thread's release on behalf of Go, if one runs. Go takes kept and the waiting slots
 * afterwards, so that most slots need neither the stack nor a second call, and none a write to the
 * pipe. */
static _Thread_local struct {
  bool runs;
  uintptr_t kept; /* a slot's number, or 0 */
} of_go;

/* A stack: many threads push, one exchange in Go takes everything, so no successor can change
 * between reading and swapping (no ABA). */
static _Atomic(dlfgo_slot *) waiting;
static uintptr_t goroutine; /* what wakes it; written once, before anything can be wrapped */

dlfgo_slot *dlfgo_slots(uintptr_t first) {
  dlfgo_slot *slots = calloc(DLFGO_SLOTS, sizeof *slots);
  for (uintptr_t i = 0; slots && i < DLFGO_SLOTS; i++) {
    slots[i].number = first + i;
  }
  return slots;
}

uintptr_t dlfgo_slot_wake(uintptr_t signal) {
  goroutine = signal;
  return (uintptr_t)&waiting;
}

void dlfgo_slot_release(void *released) {
  dlfgo_slot *slot = released;
  if (of_go.runs && !of_go.kept) {
    of_go.kept = slot->number;
    return;
  }
  dlfgo_slot *head = atomic_load_explicit(&waiting, memory_order_relaxed);
  do {
    slot->next = head;
  } while (!atomic_compare_exchange_weak_explicit(
      &waiting, &head, slot, memory_order_release, memory_order_relaxed));
  /* From here on Go may use the slot again. */
  if (!head && !of_go.runs) {
    dlfgo_wake(goroutine);
  }
}

void dlfgo_slot_delete(DLManagedTensorVersioned *managed) {
  dlfgo_slot_release(managed);
}

static void begin_release(void) {
  of_go.runs = true;
}

/* A deleter may be Go code that releases too, inside this release: then the inner one returns the
 * slot kept so far, and later ones of the outer one wait. */
static uintptr_t end_release(void) {
  const uintptr_t number = of_go.kept;
  of_go.runs = false;
  of_go.kept = 0;
  return number;
}

uintptr_t dlfgo_release(uintptr_t tensor) {
  begin_release();
  dlf_release((dlf_tensor *)tensor);
  return end_release();
}

uintptr_t dlfgo_dlpack_release(uintptr_t owned) {
  begin_release();
  dlf_dlpack_release((DLManagedTensorVersioned *)owned);
  return end_release();
}

uintptr_t dlfgo_dlpack_release_legacy(uintptr_t owned) {
  begin_release();
  dlf_dlpack_release_legacy((DLManagedTensor *)owned);
  return end_release();
}

uintptr_t dlfgo_object_close(uintptr_t object) {
  begin_release();
  dlf_object_close((dlf_object *)object);
  return end_release();
}

uintptr_t dlfgo_object_release(uintptr_t owned) {
  begin_release();
  dlf_object_release((dlf_object *)owned);
  return end_release();
}
