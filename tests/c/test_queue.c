/* SPDX-License-Identifier: Apache-2.0 */
#include "system.h"
#include "test.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static void count_wake(void *context) {
  atomic_fetch_add((_Atomic int *)context, 1);
}

static dlf_tensor *queued(dlf_queue *queue, void *owner) {
  static float memory;
  dlf_tensor *t = NULL;
  EXPECT_INT(
      dlf_wrap_queued(&(DLTensor){&memory, cpu, 0, f32, NULL, NULL, 0}, 0, queue, owner, &t, NULL),
      DLF_OK);
  return t;
}

static void test_queue__hands_owners_back_and_wakes_once(void) {
  _Atomic int wakes = 0;
  int a, b;
  void *owners[4];
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, NULL, &wakes, &queue, NULL), DLF_OK);
  dlf_tensor *first = queued(queue, &a), *second = queued(queue, &b);
  EXPECT_INT(dlf_queue_drain(queue, owners, 4), 0);
  EXPECT(!dlf_queue_has_waiting(dlf_queue_head(queue)));
  dlf_release(first);
  EXPECT(dlf_queue_has_waiting(dlf_queue_head(queue)));
  dlf_release(second);
  EXPECT_INT(wakes, 1);
  EXPECT_INT(live(), 2); /* released, not handed back yet */
  EXPECT_INT(dlf_queue_drain(queue, owners, 4), 2);
  EXPECT((owners[0] == &a && owners[1] == &b) || (owners[0] == &b && owners[1] == &a));
  EXPECT_INT(live(), 0);
  dlf_release(queued(queue, &a));
  EXPECT_INT(wakes, 2);
  EXPECT_INT(dlf_queue_drain(queue, owners, 4), 1);
  dlf_queue_release(queue);
}

static bool release_odd(void *owner) {
  int *const number = owner;
  if (*number % 2) {
    *number += 100;
  }
  return *number % 2;
}

static void test_queue__needs_no_wake_for_what_the_thread_releases(void) {
  _Atomic int wakes = 0;
  int odd = 1, even = 2, late = 3;
  void *owners[4];
  dlf_queue *queue = NULL;
  dlf_queue_set_release(NULL, release_odd);
  EXPECT_INT(dlf_queue_create(count_wake, NULL, &wakes, &queue, NULL), DLF_OK);
  dlf_queue_set_release(queue, release_odd);
  dlf_tensor *shared = queued(queue, &odd), *tensor = queued(queue, &late);
  dlf_release(dlf_retain(shared));
  EXPECT_INT(odd, 1);
  dlf_release(shared);
  EXPECT(odd == 101 && wakes == 0 && !dlf_queue_has_waiting(dlf_queue_head(queue)));
  EXPECT_INT(live(), 1);
  dlf_release(queued(queue, &even)); /* refused: the runtime's thread must do it */
  EXPECT(even == 2 && wakes == 1);
  EXPECT_INT(dlf_queue_drain(queue, owners, 4), 1);
  EXPECT(owners[0] == &even);
  dlf_queue_release(queue);
  dlf_release(tensor); /* the runtime may be gone */
  EXPECT(late == 3 && wakes == 1);
  EXPECT_INT(live(), 0);
}

static void test_queue__tells_the_owner_that_nothing_else_keeps(void) {
  int owner;
  float memory = 0;
  void *owners[2];
  dlf_queue *queue = NULL, *other = NULL;
  dlf_tensor *view = NULL, *made = NULL, *wrapped = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &other, NULL), DLF_OK);
  dlf_tensor *t = queued(queue, &owner);
  EXPECT(dlf_queue_owner(NULL, t, 0) == NULL && dlf_queue_owner(queue, NULL, 0) == NULL);
  EXPECT(dlf_queue_owner(queue, t, 0) == &owner && dlf_queue_owner(queue, t, 1) == &owner);
  EXPECT(dlf_queue_owner(other, t, 0) == NULL && dlf_queue_owner(other, t, 1) == NULL);
  (void)dlf_retain(t);
  EXPECT(dlf_queue_owner(queue, t, 0) == &owner && dlf_queue_owner(queue, t, 2) == &owner);
  EXPECT(dlf_queue_owner(queue, t, 1) == NULL);
  dlf_release(t);
  EXPECT_INT(dlf_unsqueeze(t, 0, &view, NULL), DLF_OK);
  EXPECT(dlf_queue_owner(queue, view, 0) == &owner);
  EXPECT(dlf_queue_owner(queue, view, 1) == NULL && dlf_queue_owner(queue, t, 1) == NULL);
  dlf_release(t);
  EXPECT(dlf_queue_owner(queue, view, 1) == &owner);
  dlf_release(view);
  EXPECT_INT(dlf_queue_drain(queue, owners, 2), 1);
  EXPECT_INT(dlf_create(f32, 0, NULL, cpu, &made, NULL), DLF_OK);
  EXPECT(dlf_queue_owner(queue, made, 0) == NULL && dlf_queue_owner(queue, made, 1) == NULL);
  dlf_release(made);
  const DLTensor scalar = {&memory, cpu, 0, f32, NULL, NULL, 0};
  EXPECT_INT(dlf_wrap(&scalar, 0, &owner, NULL, &wrapped, NULL), DLF_OK);
  EXPECT(dlf_queue_owner(queue, wrapped, 0) == NULL);
  dlf_release(wrapped);
  dlf_queue_release(other);
  dlf_queue_release(queue);
}

static void test_queue__drains_in_portions(void) {
  int owner[5];
  void *owners[2];
  int64_t total = 0, count;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  for (int i = 0; i < 5; i++) {
    dlf_release(queued(queue, &owner[i]));
  }
  EXPECT_INT(dlf_queue_drain(queue, owners, 0), 0);
  EXPECT_INT(dlf_queue_drain(queue, NULL, 2), 0);
  while ((count = dlf_queue_drain(queue, owners, 2)) > 0) {
    total += count;
  }
  EXPECT_INT(total, 5);
  dlf_queue_release(queue);
}

static void test_queue__outlives_its_runtime_for_late_tensors(void) {
  _Atomic int wakes = 0;
  int owner;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, NULL, &wakes, &queue, NULL), DLF_OK);
  dlf_tensor *late = queued(queue, &owner);
  dlf_release(queued(queue, &owner)); /* waits when the queue is released */
  dlf_queue_release(queue);
  EXPECT_INT(wakes, 1);
  EXPECT_INT(live(), 1);
  dlf_release(late);
  EXPECT_INT(wakes, 1);
}

static void test_queue__release_frees_what_was_taken_too(void) {
  int a, b;
  void *owner;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  dlf_release(queued(queue, &a));
  dlf_release(queued(queue, &b));
  EXPECT_INT(dlf_queue_drain(queue, &owner, 1), 1);
  dlf_queue_release(queue);
  dlf_queue_release(NULL);
  EXPECT_INT(dlf_queue_drain(NULL, &owner, 1), 0);
}

static void test_queue__wrap_wants_a_queue_and_an_owner(void) {
  dlf_tensor *t;
  int owner;
  EXPECT_FAILS(
      dlf_wrap_queued(&(DLTensor){&owner, cpu, 0, f32, NULL, NULL, 0}, 0, NULL, &owner, &t, &error),
      DLF_INVALID,
      "wrap: expected a queue and an owner, got NULL");
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  EXPECT_INT(
      dlf_wrap_queued(&(DLTensor){&owner, cpu, 0, f32, NULL, NULL, 0}, 0, queue, NULL, &t, NULL),
      DLF_INVALID);
  EXPECT_INT(
      dlf_wrap_queued(&(DLTensor){NULL, cpu, 0, f32, NULL, NULL, 0}, 0, queue, &owner, &t, NULL),
      DLF_INVALID);
  EXPECT(t == NULL);
  dlf_queue_release(queue);
}

enum { THREADS = 8, EACH = 5000 };

typedef struct pusher {
  dlf_queue *queue;
  char *owners;
} pusher;

static void *push_many(void *context) {
  pusher *p = context;
  for (int i = 0; i < EACH; i++) {
    DLManagedTensorVersioned *managed = NULL;
    dlf_tensor *t = queued(p->queue, p->owners + i);
    if (i % 2 == 0 && dlf_to_dlpack(t, &managed, NULL) != DLF_OK) {
      abort();
    }
    dlf_release(t);
    dlf_dlpack_release(
        managed); /* the last reference goes through a foreign deleter every other time */
  }
  return NULL;
}

/* Every owner is released exactly once, while eight threads push and this one drains. */
static void test_queue__eight_threads_push(void) {
  static char seen[THREADS * EACH];
  pthread_t threads[THREADS];
  pusher pushers[THREADS];
  _Atomic int wakes = 0;
  void *owners[64];
  int64_t total = 0, wrong = 0;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, NULL, &wakes, &queue, NULL), DLF_OK);
  for (int i = 0; i < THREADS; i++) {
    pushers[i] = (pusher){queue, seen + i * EACH};
    pthread_create(&threads[i], NULL, push_many, &pushers[i]);
  }
  while (total < THREADS * EACH) {
    const int64_t count = dlf_queue_drain(queue, owners, 64);
    for (int64_t i = 0; i < count; i++) {
      wrong += ++*(char *)owners[i] != 1;
    }
    total += count;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(wrong, 0);
  EXPECT_INT(dlf_queue_drain(queue, owners, 64), 0);
  EXPECT(wakes >= 1);
  dlf_queue_release(queue);
}

typedef struct sharer {
  dlf_tensor *shared; /* a reference of the thread's own */
  _Atomic int64_t *wrong;
} sharer;

static void *share_many(void *context) {
  sharer *s = context;
  for (int i = 0; i < ROUNDS(20000); i++) {
    DLManagedTensorVersioned *managed = NULL;
    dlf_tensor *back = NULL, *view = NULL;
    dlf_retain(s->shared);
    /* An allocation that is told to fail gives NULL, which releases nothing. */
    if (dlf_to_dlpack(s->shared, &managed, NULL) == DLF_OK &&
        dlf_from_dlpack(managed, &back, NULL) == DLF_OK) {
      managed = NULL;
    }
    if (back && dlf_slice(back, 0, 1, 2, 1, &view, NULL) == DLF_OK) {
      atomic_fetch_add(s->wrong, *(const float *)dlf_data(dlf_dltensor(view)) != 7);
    }
    dlf_release(s->shared);
    dlf_release(back);
    dlf_release(view);
    dlf_dlpack_release(managed);
  }
  dlf_release(s->shared);
  return NULL;
}

/* Eight threads retain, export, import, read and release one tensor; the queue returns its owner
 * once, after the last of them has released it. */
static void test_queue__eight_threads_share_a_tensor(void) {
  pthread_t threads[THREADS];
  sharer s[THREADS];
  float memory[4] = {6, 7, 8, 9};
  _Atomic int wakes = 0;
  _Atomic int64_t wrong = 0;
  void *owners[2];
  dlf_queue *queue = NULL;
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, NULL, &wakes, &queue, NULL), DLF_OK);
  EXPECT_INT(dlf_wrap_queued(
                 &(DLTensor){memory, cpu, 1, f32, LIST(4), NULL, 0}, 0, queue, memory, &t, NULL),
             DLF_OK);
  for (int i = 0; i < THREADS; i++) {
    s[i] = (sharer){dlf_retain(t), &wrong};
    pthread_create(&threads[i], NULL, share_many, &s[i]);
  }
  dlf_release(t);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(wrong, 0);
  EXPECT_INT(wakes, 1);
  EXPECT_INT(dlf_queue_drain(queue, owners, 2), 1);
  EXPECT(owners[0] == memory);
  EXPECT_INT(live(), 0);
  dlf_queue_release(queue);
}

/* A poller sees waiting owners, including those that a partial drain took off the stack. */
static void test_queue__head_shows_what_a_partial_drain_left(void) {
  int owner[6];
  void *owners[6];
  _Atomic int wakes = 0;
  dlf_queue *queue = NULL;
  EXPECT(!dlf_queue_has_waiting(NULL));
  EXPECT_INT(dlf_queue_create(count_wake, NULL, &wakes, &queue, NULL), DLF_OK);
  EXPECT(*dlf_queue_head(queue) == NULL);
  for (int i = 0; i < 3; i++) {
    dlf_release(queued(queue, &owner[i]));
  }
  EXPECT(*dlf_queue_head(queue) != NULL);
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1);
  EXPECT(dlf_queue_has_waiting(dlf_queue_head(queue)));
  dlf_release(queued(queue, &owner[3])); /* on top of the owners left */
  EXPECT_INT(wakes, 1);
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1);
  EXPECT(dlf_queue_has_waiting(dlf_queue_head(queue)));
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1);
  EXPECT(dlf_queue_has_waiting(dlf_queue_head(queue)));
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1);
  EXPECT(owners[0] == &owner[3]);
  EXPECT(!dlf_queue_has_waiting(dlf_queue_head(queue)));
  for (int i = 0; i < 2; i++) {
    dlf_release(queued(queue, &owner[i]));
  }
  EXPECT_INT(wakes, 2); /* empty in between */
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1);
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1); /* as many as there were */
  EXPECT(!dlf_queue_has_waiting(dlf_queue_head(queue)));
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 0);
  for (int i = 0; i < 3; i++) {
    dlf_release(queued(queue, &owner[i]));
  }
  EXPECT_INT(dlf_queue_drain(queue, owners, 2), 2);
  EXPECT_INT(dlf_queue_drain(queue, owners, 6), 1); /* finds nothing under it */
  EXPECT(!dlf_queue_has_waiting(dlf_queue_head(queue)));
  for (int i = 0; i < 3; i++) {
    dlf_release(queued(queue, &owner[i]));
  }
  EXPECT_INT(dlf_queue_drain(queue, owners, 1), 1);
  EXPECT_INT(live(), 2);
  dlf_queue_release(queue); /* with some taken, and the mark that says so */
  EXPECT_INT(live(), 0);
}

/* ---- how long context lives ---- */

/* On the heap, and freed by released, so that a sanitizer sees a wake that comes too late. */
typedef struct waker {
  _Atomic int *releases;
  _Atomic int wakes;
  dlf_queue *queue;      /* to release from inside wake, or NULL */
  _Atomic int inside;    /* a thread is in wake */
  _Atomic int may_leave; /* it may return */
} waker;

static waker *new_waker(_Atomic int *releases, bool waits) {
  waker *w = calloc(1, sizeof *w);
  if (!w) {
    abort();
  }
  w->releases = releases;
  w->may_leave = !waits;
  return w;
}

static void wake_and_wait(void *context) {
  waker *w = context;
  atomic_store(&w->inside, 1);
  dlf_queue_release(w->queue);
  while (!atomic_load(&w->may_leave)) {
    sched_yield();
  }
  atomic_fetch_add(&w->wakes, 1);
}

static void free_waker(void *context) {
  waker *w = context;
  atomic_fetch_add(w->releases, 1);
  free(w);
}

static void *release_tensor(void *tensor) {
  dlf_release(tensor);
  return NULL;
}

static void test_queue__context_is_released_once_and_without_tensors(void) {
  _Atomic int releases = 0;
  int owner;
  dlf_queue *queue = NULL;
  waker *w = new_waker(&releases, false);
  if (dlf_queue_create(wake_and_wait, free_waker, w, &queue, NULL) != DLF_OK) {
    free(w);
  }
  EXPECT(queue != NULL);
  dlf_tensor *late = queued(queue, &owner);
  dlf_release(queued(queue, &owner));
  EXPECT_INT(releases, 0);
  EXPECT(dlf_queue_close(queue));
  EXPECT_INT(releases, 1); /* although a tensor keeps the queue */
  EXPECT(dlf_queue_has_waiting(dlf_queue_head(queue)));
  EXPECT(dlf_queue_close(queue));
  dlf_queue_release(queue);
  dlf_release(late);
  EXPECT_INT(releases, 1);
  EXPECT_INT(live(), 0);
  EXPECT(dlf_queue_close(NULL));
}

#ifndef DLFERRY_FAULTS
typedef struct late_queue {
  dlf_queue *queue;
  _Atomic int *releases;
} late_queue;

static bool closes_late(void *context) {
  const late_queue *late = context;
  const bool closed = dlf_queue_close(late->queue);
  dlf_queue_release(late->queue);
  return !closed && *late->releases == 0;
}
#endif

/* The runtime drains, and releases the queue, while another thread is still inside wake. */
static void test_queue__context_outlives_a_wake_that_still_runs(void) {
#ifndef DLFERRY_FAULTS
  _Atomic int releases = 0;
  int owner;
  void *got = NULL;
  pthread_t thread;
  dlf_queue *queue = NULL;
  waker *w = new_waker(&releases, true);
  EXPECT_INT(dlf_queue_create(wake_and_wait, free_waker, w, &queue, NULL), DLF_OK);
  pthread_create(&thread, NULL, release_tensor, queued(queue, &owner));
  while (!atomic_load(&w->inside)) {
    sched_yield();
  }
  EXPECT_INT(dlf_queue_drain(queue, &got, 1), 1);
  EXPECT(got == &owner);
  EXPECT(!dlf_queue_close(queue)); /* does not wait */
  /* A forked child has no thread that could leave wake: closing says so, releasing returns. */
  late_queue late = {queue, &releases};
  EXPECT(system_child(closes_late, &late));
  dlf_queue_release(queue);
  EXPECT_INT(releases, 0);
  atomic_store(&w->may_leave, 1);
  pthread_join(thread, NULL);
  EXPECT_INT(releases, 1); /* by the thread that was in wake */
  EXPECT_INT(live(), 0);
#endif
}

static void test_queue__a_wake_may_release_the_queue(void) {
  _Atomic int releases = 0;
  int owner;
  dlf_queue *queue = NULL;
  waker *w = new_waker(&releases, false);
  if (dlf_queue_create(wake_and_wait, free_waker, w, &queue, NULL) != DLF_OK) {
    free(w);
  }
  EXPECT(queue != NULL);
  dlf_tensor *late = queued(queue, &owner), *first = queued(queue, &owner);
  w->queue = queue;
  dlf_release(first); /* wake uses context after it released the queue */
  EXPECT_INT(releases, 1);
  EXPECT_INT(live(), 1);
  dlf_release(late);
  EXPECT_INT(releases, 1);
}

static void count_wake_of_waker(void *context) {
  atomic_fetch_add(&((waker *)context)->wakes, 1);
}

/* Threads release tensors while this one drains, stops early and releases the queue, many times.
 * Only the queue itself orders the threads. */
static void test_queue__eight_threads_push_into_a_queue_that_closes(void) {
  _Atomic int releases = 0;
  static char owners[THREADS];
  const int rounds = ROUNDS(400);
  for (int round = 0; round < rounds; round++) {
    pthread_t threads[THREADS];
    void *got[2];
    dlf_tensor *tensors[THREADS];
    dlf_queue *queue = NULL;
    waker *w = new_waker(&releases, false);
    if (dlf_queue_create(count_wake_of_waker, free_waker, w, &queue, NULL) != DLF_OK) {
      free(w);
    }
    EXPECT(queue != NULL);
    for (int i = 0; i < THREADS; i++) {
      tensors[i] = queued(queue, owners + i);
    }
    for (int i = 0; i < THREADS; i++) {
      pthread_create(&threads[i], NULL, release_tensor, tensors[i]);
    }
    for (int taken = 0; taken < round % (THREADS + 1);) {
      const int64_t count = dlf_queue_drain(queue, got, 1 + round % 2);
      if (count == 0) {
        sched_yield();
      }
      taken += (int)count;
    }
    dlf_queue_release(queue);
    for (int i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
    }
  }
  EXPECT_INT(releases, rounds);
  EXPECT_INT(live(), 0);
}

/* ---- memory orders: two otherwise unordered threads, so that the thread sanitizer sees missing
 * orders ---- */

static _Atomic int turn; /* relaxed only */

static void await_turn(int wanted) {
  while (atomic_load_explicit(&turn, memory_order_relaxed) != wanted) {
    sched_yield();
  }
}

static void take_turn(int next) {
  atomic_store_explicit(&turn, next, memory_order_relaxed);
}

static void *release_at_1(void *tensor) {
  await_turn(1);
  dlf_release(tensor);
  take_turn(2);
  return NULL;
}

/* A queue, and a thread that releases a tensor of it at turn 1. */
static dlf_queue *queue_of_a_late_tensor(pthread_t *thread) {
  static int owner;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  dlf_tensor *late = queued(queue, &owner);
  take_turn(0);
  pthread_create(thread, NULL, release_at_1, late);
  return queue;
}

/* The thread that releases last frees memory that others have written. */
static void test_queue__the_last_to_let_go_sees_what_others_did(void) {
  pthread_t thread;
  dlf_queue_release(queue_of_a_late_tensor(&thread)); /* writes to it before, never after */
  take_turn(1);
  pthread_join(thread, NULL);
  EXPECT_INT(live(), 0);
}

/* Closing reads nodes that another thread has written. */
static void test_queue__closing_sees_what_was_pushed(void) {
  pthread_t thread;
  dlf_queue *queue = queue_of_a_late_tensor(&thread);
  take_turn(1);
  await_turn(2);
  dlf_queue_release(queue);
  EXPECT_INT(live(), 0);
  pthread_join(thread, NULL);
}

int main(void) {
  RUN(test_queue__hands_owners_back_and_wakes_once);
  RUN(test_queue__needs_no_wake_for_what_the_thread_releases);
  RUN(test_queue__tells_the_owner_that_nothing_else_keeps);
  RUN(test_queue__drains_in_portions);
  RUN(test_queue__outlives_its_runtime_for_late_tensors);
  RUN(test_queue__release_frees_what_was_taken_too);
  RUN(test_queue__wrap_wants_a_queue_and_an_owner);
  RUN(test_queue__eight_threads_push);
  RUN(test_queue__eight_threads_share_a_tensor);
  RUN(test_queue__head_shows_what_a_partial_drain_left);
  RUN(test_queue__context_is_released_once_and_without_tensors);
  RUN(test_queue__context_outlives_a_wake_that_still_runs);
  RUN(test_queue__a_wake_may_release_the_queue);
  RUN(test_queue__eight_threads_push_into_a_queue_that_closes);
  RUN(test_queue__the_last_to_let_go_sees_what_others_did);
  RUN(test_queue__closing_sees_what_was_pushed);
  return test_end();
}
