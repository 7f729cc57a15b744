/* SPDX-License-Identifier: Apache-2.0 */
/* A boxed struct of a C library, with counted users, a lock and a close at any time.
 *
 * One word holds the state while no thread waits: the first caller enters and leaves with one
 * atomic operation each. A second caller takes the mutex and marks the word SLOW; then every caller
 * queues, until the queue and its holders are gone. The box, or a use on the thread's stack, holds
 * the id of a thread inside: a call needs no thread-local storage.
 *
 * A guarded box is used only inside a lock of the runtime, Python's GIL: then the word is loaded
 * and stored without atomic operations that change it. What it holds is the same, so that the box
 * may become unguarded during a call.
 *
 * A borrowed box has a pointer into the struct of another, its root. Its own word says only whether
 * it is open: calls count and lock at the root, so they cost what a call of the root costs, parent
 * and child exclude each other, and a call that gets both takes one lock. An open borrowed box is a
 * user of the root. */
#include "object.h"

#include <stdlib.h>

/* dlf_use_notes.held */
enum { HELD_NOT, HELD_UNLOCKED, HELD_FAST, HELD_SLOW };

/* ---- uses ---- */

/* A program of a later version has larger ones. */
static dlf_use *use_at(const dlf_use *uses, int32_t i) {
  return (dlf_use *)((uintptr_t)uses + (uintptr_t)i * (uintptr_t)uses->size);
}

static dlf_status check_sizes(const char *name, const dlf_use *uses, int32_t count,
                              dlf_error *error) {
  for (int32_t i = 0; i < count; i++) {
    const int64_t size = use_at(uses, i)->size;
    if (size != uses->size || size != (int64_t)sizeof *uses) {
      const dlf_status status = DLF__CHECK_STRUCT(name, dlf_use, size, sizeof *uses, error);
      if (status) {
        return status;
      }
    }
    if (size != uses->size) {
      return dlf__fail(error,
                       DLF_INVALID,
                       "%s: expected uses of one size, %" PRId64 ", got %" PRId64,
                       name,
                       uses->size,
                       size);
    }
  }
  return DLF_OK;
}

/* One compare: a negative mode is a large one. */
static bool has_mode(const dlf_use *use) {
  return (uint32_t)use->mode <= DLF_USE_UNLOCKED;
}

static bool is_absent(const dlf_use *use) {
  return use->mode == DLF_USE_ABSENT && !use->object;
}

/* ---- life ---- */

static dlf_object *make_object(void *pointer, void (*release)(void *owner), size_t room) {
  dlf_object *self = calloc(1, sizeof *self + room * sizeof *self->parents);
  if (!self || !dlf__mutex_make(&self->mutex)) {
    free(self);
    return NULL;
  }
  self->pointer = pointer;
  self->release = release;
  self->root = self;
  atomic_init(&self->word, OPEN);
  /* One is the caller's, until dlf_object_release; one is for the pointer, until end() has freed
   * it. */
  atomic_init(&self->references, 2);
  return self;
}

/* Keep the root of a parent, open or not: the caller is inside. */
static dlf_object *add_parent(dlf_object *self, const dlf_use *parent) {
  dlf_object *root = self->parents[self->parent_count++] = parent->object->root;
  atomic_fetch_add_explicit(&root->word, USER, memory_order_relaxed);
  return root;
}

static dlf_status fail_memory(const char *function, dlf_error *error) {
  return dlf__fail(error, DLF_NO_MEMORY, "%s: expected memory for an object, got none", function);
}

dlf_status dlf_object_create(void *owned, void (*release)(void *owner), const dlf_use *parents,
                             int32_t count, dlf_object **out, dlf_error *error) {
  size_t room = 0;
  if (count > 0) {
    room = (size_t)count;
  }
  if (!out) {
    return dlf__no_place("object_create", error);
  }
  *out = NULL;
  if (!owned || !release || (room && !parents)) {
    return dlf__missing("object_create", "what C gave, its release and the parents", error);
  }
  dlf_status status = check_sizes("object_create", parents, count, error);
  for (int32_t i = 0; i < count && !status; i++) {
    if (!use_at(parents, i)->object && !is_absent(use_at(parents, i))) {
      status = dlf__missing("object_create", "parents that are entered", error);
    }
  }
  if (status) {
    return status;
  }
  dlf_object *self = *out = make_object(owned, release, room);
  if (!self) {
    return fail_memory("object_create", error);
  }
  for (int32_t i = 0; i < count; i++) {
    if (is_absent(use_at(parents, i))) {
      continue;
    }
    /* The end of this one takes the USER back on any thread, perhaps outside the runtime's lock:
     * from here on the parent's word changes by atomic operations only. */
    dlf_object_unguard(use_at(parents, i)->object);
    (void)add_parent(self, use_at(parents, i));
  }
  return DLF_OK;
}

dlf_status dlf_object_borrow(void *lent, const dlf_use *owner, dlf_object **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("object_borrow", error);
  }
  *out = NULL;
  if (!lent) {
    return dlf__missing("object_borrow", "what C lends", error);
  }
  if (owner && !owner->object) {
    return dlf__missing("object_borrow", "an owner that is entered", error);
  }
  const dlf_status status = check_sizes("object_borrow", owner, owner != NULL, error);
  if (status) {
    return status;
  }
  dlf_object *self = *out = make_object(lent, NULL, 1);
  if (!self) {
    return fail_memory("object_borrow", error);
  }
  if (owner) {
    /* A call may find this box open, and then count at the root: that memory stays. */
    self->root = add_parent(self, owner);
    atomic_fetch_add_explicit(&self->root->references, 1, memory_order_relaxed);
  }
  return DLF_OK;
}

/* Tell whether a call may enter, from the word of the root. A borrowed box has a struct as long as
 * its root has one, also if that is closed for others. */
static inline bool may_enter(const dlf_object *self, uint64_t word) {
  if (self->root == self) {
    return word & OPEN;
  }
  return dlf_object_is_open(self) && !dlf__object_is_last(word);
}

void dlf_object_close(dlf_object *self) {
  if (!self) {
    return;
  }
  const uint64_t before =
      atomic_fetch_and_explicit(&self->word, ~(uint64_t)OPEN, memory_order_acq_rel);
  if (before & OPEN && before < USER) {
    dlf__object_end(self);
  }
}

bool dlf_object_is_open(const dlf_object *self) {
  return self && atomic_load_explicit(&self->word, memory_order_relaxed) & OPEN;
}

void dlf_object_release(dlf_object *self) {
  if (!self) {
    return;
  }
  dlf_object_close(self);
  dlf__object_drop(self);
}

/* ---- refusals ---- */

/* What messages say behind the name of a use: "[1] (from 0)" of a list's, else nothing. */
typedef struct use_place {
  char text[32];
} use_place;

static use_place use_place_of(const dlf_use *use) {
  use_place place = {""};
  dlf__text text = dlf__text_in(place.text, sizeof place.text);
  if (use->item) {
    dlf__put(&text, "[%" PRId32 "] (from 0)", use->item - 1);
  }
  return place;
}

static dlf_status refuse_closed(const char *function, const dlf_use *use, dlf_error *error) {
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: %s%s: expected an open %s, got a closed one",
                   function,
                   use->name,
                   use_place_of(use).text,
                   use->type);
}

static dlf_status refuse_mode(const char *function, const dlf_use *use, dlf_error *error) {
  return dlf__fail(
      error,
      DLF_INVALID,
      "%s: %s%s: expected a use mode from 0 to 2, or 3 without an object, got %" PRId32,
      function,
      use->name,
      use_place_of(use).text,
      use->mode);
}

static dlf_status refuse_second(const char *function, const dlf_use *use, const dlf_use *earlier,
                                dlf_error *error) {
  return dlf__fail(error,
                   DLF_INVALID,
                   "%s: %s%s: expected another %s than %s%s, got the same one",
                   function,
                   use->name,
                   use_place_of(use).text,
                   use->type,
                   earlier->name,
                   use_place_of(earlier).text);
}

static dlf_status refuse_reentry(const char *function, const dlf_use *use, dlf_error *error) {
  return dlf__fail(
      error,
      DLF_INVALID,
      "%s: %s%s: expected a %s that this thread does not use, got one inside a call of it",
      function,
      use->name,
      use_place_of(use).text,
      use->type);
}

/* ---- the lists, under the mutex ---- */

static uint64_t load(const dlf_object *self) {
  return atomic_load_explicit(&self->word, memory_order_acquire);
}

static bool may_hold(const dlf_object *self, int32_t mode) {
  const bool exclusive = self->holders && self->holders->mode == DLF_USE_EXCLUSIVE;
  if (mode == DLF_USE_EXCLUSIVE) {
    return !self->holders && !(load(self) & FAST);
  }
  return !exclusive && !(load(self) & FAST_EXCLUSIVE);
}

static void hold(dlf_object *self, dlf_use *use) {
  use->notes.held = HELD_SLOW;
  use->notes.next = self->holders;
  self->holders = use;
}

/* Let in all whose turn it is, in order of arrival, so that neither readers nor writers wait
 * forever. */
static void hand_over(dlf_object *self) {
  while (self->first && may_hold(self, self->first->mode)) {
    dlf_use *use = self->first;
    self->first = use->notes.next;
    if (!self->first) {
      self->last = NULL;
    }
    hold(self, use);
    /* That thread's wait cannot end before the mutex is free. */
    dlf__condition_wake_one((dlf__condition *)use->notes.waiting);
  }
  if (!self->first && !self->holders) {
    atomic_fetch_and_explicit(&self->word, ~(uint64_t)SLOW, memory_order_release);
  }
}

/* Find this thread's use, or NULL. A FAST call has no use. */
static bool is_mine(const dlf_object *self, uintptr_t thread, bool *shared) {
  *shared = load(self) & FAST_SHARED;
  if (atomic_load_explicit(&self->thread, memory_order_relaxed) == thread) {
    return true;
  }
  for (const dlf_use *use = self->holders; use; use = use->notes.next) {
    *shared = use->mode == DLF_USE_SHARED;
    if (use->notes.thread == thread) {
      return true;
    }
  }
  return false;
}

/* hand_over unlinks the use and sets held. */
static void wait_for_turn(dlf_object *self, dlf_use *use) {
  dlf__condition turn = DLF__CONDITION_INIT; /* for this use alone: a signal wakes only the use
                                                     whose turn it is */
  use->notes.waiting = &turn;
  use->notes.next = NULL;
  if (self->first) {
    self->last->notes.next = use;
  } else {
    self->first = use;
  }
  self->last = use;
  while (use->notes.held != HELD_SLOW) {
    dlf__condition_wait(&turn, &self->mutex);
  }
  dlf__condition_free(&turn);
}

/* ---- one object ---- */

/* The FAST bit of a call that locks in this mode. */
static uint64_t fast_bit(int32_t mode) {
  if (mode == DLF_USE_EXCLUSIVE) {
    return FAST_EXCLUSIVE;
  }
  if (mode == DLF_USE_SHARED) {
    return FAST_SHARED;
  }
  return 0;
}

/* Let in the calls that wait for the FAST call; returns what is left to take from the word. */
static uint64_t give_up_fast(dlf_object *self, uint64_t fast) {
  dlf__mutex_lock(&self->mutex);
  atomic_fetch_and_explicit(&self->word, ~fast, memory_order_acq_rel);
  hand_over(self);
  dlf__mutex_unlock(&self->mutex);
  return USER;
}

static void leave_one(dlf_use *use) {
  dlf_object *self = use->notes.root;
  const int32_t held = use->notes.held;
  uint64_t fast = 0;
  if (held == HELD_FAST) {
    fast = fast_bit(use->mode);
  }
  use->notes.held = HELD_NOT;
  if (held == HELD_NOT) {
    return;
  }
  if (held == HELD_SLOW) {
    dlf__mutex_lock(&self->mutex);
    dlf_use **at = &self->holders;
    while (*at != use) {
      at = &(*at)->notes.next;
    }
    *at = use->notes.next;
    hand_over(self);
    dlf__mutex_unlock(&self->mutex);
  }
  if (fast) {
    atomic_store_explicit(&self->thread, 0, memory_order_relaxed);
  }
  uint64_t bits = USER + fast;
  uint64_t word = load(self);
  if (fast && word & SLOW) {
    bits = give_up_fast(self, fast);
  }
  /* The last user may free the box: do not touch it after this. */
  while (!atomic_compare_exchange_weak_explicit(
      &self->word, &word, word - bits, memory_order_acq_rel, memory_order_acquire)) {
    if (bits != USER && word & SLOW) {
      bits = give_up_fast(self, fast);
    }
  }
  if (dlf__object_is_last(word - bits)) {
    dlf__object_end(self);
  }
}

/* Count a user who may have to wait. False for a closed object. */
static bool count_slow_user(const dlf_object *self) {
  dlf_object *root = self->root;
  uint64_t word = load(root);
  do {
    if (!may_enter(self, word)) {
      return false;
    }
  } while (!atomic_compare_exchange_weak_explicit(
      &root->word, &word, (word | SLOW) + USER, memory_order_acq_rel, memory_order_acquire));
  return true;
}

/* Hold the object, wait for it, or refuse. Under the mutex, by a counted user. */
static dlf_status take_turn(const char *function, dlf_use *use, bool *busy, dlf_error *error) {
  dlf_object *self = use->notes.root;
  dlf_status status = DLF_OK;
  bool shared;
  use->notes.thread = dlf__this_thread();
  use->notes.held = HELD_UNLOCKED; /* only counted */
  if (is_mine(self, use->notes.thread, &shared)) {
    if (shared && use->mode == DLF_USE_SHARED) {
      hold(self, use); /* behind a waiting writer it would wait for itself */
    } else {
      status = refuse_reentry(function, use, error);
    }
  } else if (!self->first && may_hold(self, use->mode)) {
    hold(self, use);
  } else if (busy) {
    *busy = true;
    status = DLF_INVALID;
  } else {
    wait_for_turn(self, use);
  }
  if (status) {
    hand_over(self); /* this also takes SLOW back if no call needs it */
  }
  return status;
}

static dlf_status enter_slowly(const char *function, dlf_use *use, bool *busy, dlf_error *error) {
  dlf_object *self = use->object;
  dlf_object *root = use->notes.root;
  dlf_status status = DLF_OK;
  /* The root has a user now, but a borrowed box may be released during the wait. */
  atomic_fetch_add_explicit(&self->references, 1, memory_order_relaxed);
  dlf__mutex_lock(&root->mutex);
  const bool is_user = count_slow_user(self);
  if (is_user) {
    status = take_turn(function, use, busy, error);
  }
  dlf__mutex_unlock(&root->mutex);
  if (!status && !(is_user && dlf_object_is_open(self))) {
    status = refuse_closed(function, use, error);
  }
  if (status && is_user) {
    leave_one(use);
  }
  dlf__object_drop(self);
  return status;
}

static inline void note_entered(dlf_object *self, dlf_use *use, uint64_t fast) {
  if (fast) {
    atomic_store_explicit(&self->thread, dlf__this_thread(), memory_order_relaxed);
    use->notes.held = HELD_FAST;
  } else {
    use->notes.held = HELD_UNLOCKED;
  }
}

/* Enter in the use's mode, or only count the use if its call has locked the object already. */
static dlf_status enter_one(const char *function, dlf_use *use, bool is_locked, bool *busy,
                            dlf_error *error) {
  dlf_object *root = use->notes.root = use->object->root;
  uint64_t fast = 0;
  if (!is_locked) {
    fast = fast_bit(use->mode);
  }
  use->pointer = use->object->pointer;
  uint64_t word = atomic_load_explicit(&root->word, memory_order_relaxed);
  do {
    if (!may_enter(use->object, word)) {
      return refuse_closed(function, use, error);
    }
    if (fast && word & (FAST | SLOW)) {
      return enter_slowly(function, use, busy, error);
    }
  } while (!atomic_compare_exchange_weak_explicit(
      &root->word, &word, (word | fast) + USER, memory_order_acq_rel, memory_order_relaxed));
  note_entered(root, use, fast);
  return DLF_OK;
}

/* ---- one guarded object ---- */

void dlf_object_unguard(dlf_object *self) {
  if (self && !self->root->unguarded) {
    self->root->unguarded = true; /* a thread outside the lock only reads that it is set */
  }
}

bool dlf_object_enter_guarded(dlf_use *use) {
  if (!use || !use->object || use->object->root->unguarded || use->size < (int64_t)sizeof *use ||
      !has_mode(use)) {
    return false;
  }
  dlf_object *self = use->object->root;
  /* The runtime's lock excludes other writers of word: no compare-and-swap is needed. */
  const uint64_t word = atomic_load_explicit(&self->word, memory_order_relaxed);
  const uint64_t fast = fast_bit(use->mode);
  if (!may_enter(use->object, word) || (fast && word & (FAST | SLOW))) {
    return false;
  }
  atomic_store_explicit(&self->word, (word | fast) + USER, memory_order_relaxed);
  note_entered(self, use, fast);
  use->notes.root = self;
  use->pointer = use->object->pointer;
  return true;
}

bool dlf_object_leave_guarded(dlf_use *use) {
  if (!use || !use->pointer || (use->notes.held != HELD_FAST && use->notes.held != HELD_UNLOCKED) ||
      use->notes.root->unguarded) {
    return false;
  }
  dlf_object *self = use->notes.root;
  /* As in dlf_object_enter_guarded, nothing else writes word. */
  const uint64_t word = atomic_load_explicit(&self->word, memory_order_relaxed);
  uint64_t fast = 0;
  if (use->notes.held == HELD_FAST) {
    fast = fast_bit(use->mode);
  }
  if (!(word & OPEN) || word & SLOW) {
    return false; /* to be freed, or handed over */
  }
  if (fast) {
    atomic_store_explicit(&self->thread, 0, memory_order_relaxed);
  }
  atomic_store_explicit(&self->word, word - fast - USER, memory_order_relaxed);
  use->notes.held = HELD_NOT;
  return true;
}

/* ---- several ---- */

/* A mode outside its enum would lock nothing. Two uses of one object in a call: none may change it.
 */
static dlf_status refuse_unfit(const char *function, dlf_use *uses, int32_t count,
                               dlf_error *error) {
  for (int32_t i = 0; i < count; i++) {
    use_at(uses, i)->notes.held = HELD_NOT;
  }
  for (int32_t i = 0; i < count; i++) {
    const dlf_use *use = use_at(uses, i);
    if (is_absent(use)) {
      continue;
    }
    if (!has_mode(use)) {
      return refuse_mode(function, use, error);
    }
    if (!dlf_object_is_open(use->object)) {
      return refuse_closed(function, use, error);
    }
    for (int32_t k = 0; k < i; k++) {
      const dlf_use *earlier = use_at(uses, k);
      if (earlier->object != use->object) {
        continue;
      }
      if (earlier->mode == DLF_USE_EXCLUSIVE || use->mode == DLF_USE_EXCLUSIVE) {
        return refuse_second(function, use, earlier, error);
      }
    }
  }
  return DLF_OK;
}

/* True if an entered use of the call has the same lock; one lock serves all, and the strongest use
 * came first. */
static bool is_locked_already(const dlf_use *uses, int32_t count, const dlf_use *use) {
  for (int32_t i = 0; i < count; i++) {
    const dlf_use *other = use_at(uses, i);
    if (other->notes.held != HELD_NOT && other->mode != DLF_USE_UNLOCKED &&
        other->object->root == use->object->root) {
      return true;
    }
  }
  return false;
}

static bool is_before(const dlf_use *use, const dlf_use *other) {
  const uintptr_t root = (uintptr_t)use->object->root;
  const uintptr_t other_root = (uintptr_t)other->object->root;
  if (root != other_root) {
    return root < other_root;
  }
  return use->mode < other->mode; /* EXCLUSIVE, then SHARED, then UNLOCKED */
}

/* Find the use that is not held yet whose lock has the lowest address; of one lock the strongest.
 * NULL if all are held or absent. */
static dlf_use *next_in_order(dlf_use *uses, int32_t count) {
  dlf_use *next = NULL;
  for (int32_t i = 0; i < count; i++) {
    dlf_use *use = use_at(uses, i);
    if (use->notes.held != HELD_NOT || is_absent(use)) {
      continue;
    }
    if (!next || is_before(use, next)) {
      next = use;
    }
  }
  return next;
}

dlf_status dlf_object_enter(const char *function, dlf_use *uses, int32_t count, bool *busy,
                            dlf_error *error) {
  if (!function || (!uses && count > 0)) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected a function and its objects, got NULL",
                     function ? function : "object_enter");
  }
  if (busy) {
    *busy = false;
  }
  /* Most calls. */
  if (count == 1 && uses->size == (int64_t)sizeof *uses && uses->object && has_mode(uses)) {
    uses->notes.held = HELD_NOT;
    return enter_one(function, uses, false, busy, error);
  }
  dlf_status status = check_sizes(function, uses, count, error);
  if (status) {
    return status;
  }
  status = refuse_unfit(function, uses, count, error);
  for (int32_t i = 0; i < count; i++) {
    use_at(uses, i)->pointer = NULL;
  }
  dlf_use *use = NULL;
  while (!status && (use = next_in_order(uses, count)) != NULL) {
    status = enter_one(function, use, is_locked_already(uses, count, use), busy, error);
  }
  if (status) {
    dlf_object_leave(uses, count);
  }
  return status;
}

/* C has freed the object within the call, which holds it: nothing is left to release. */
static void give_up_ended(const dlf_use *use) {
  if (use->notes.held != HELD_NOT && !use->pointer) {
    use->object->release = NULL;
    dlf_object_close(use->object);
  }
}

void dlf_object_leave(dlf_use *uses, int32_t count) {
  if (!uses) {
    return;
  }
  for (int32_t i = count; i-- > 0;) {
    give_up_ended(use_at(uses, i));
    leave_one(use_at(uses, i));
  }
}
