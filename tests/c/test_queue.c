/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void count_wake(void *context) { atomic_fetch_add((_Atomic int *)context, 1); }

static dlf_tensor *queued(dlf_queue *queue, void *owner) {
  static float memory;
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_wrap_queued(&memory, f32, 0, NULL, NULL, cpu, 0, queue, owner, &t, NULL), DLF_OK);
  return t;
}

static void test_queue__hands_owners_back_and_wakes_once(void) {
  _Atomic int wakes = 0;
  int a, b;
  void *owners[4];
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, &wakes, &queue, NULL), DLF_OK);
  dlf_tensor *first = queued(queue, &a), *second = queued(queue, &b);
  EXPECT_INT(dlf_queue_drain(queue, owners, 4), 0);
  EXPECT(*dlf_queue_head(queue) == NULL);
  dlf_release(first);
  EXPECT(*dlf_queue_head(queue) != NULL);
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

static void test_queue__drains_in_portions(void) {
  int owner[5];
  void *owners[2];
  int64_t total = 0, count;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, &queue, NULL), DLF_OK);
  for (int i = 0; i < 5; i++) dlf_release(queued(queue, &owner[i]));
  EXPECT_INT(dlf_queue_drain(queue, owners, 0), 0);
  EXPECT_INT(dlf_queue_drain(queue, NULL, 2), 0);
  while ((count = dlf_queue_drain(queue, owners, 2)) > 0) total += count;
  EXPECT_INT(total, 5);
  dlf_queue_release(queue);
}

static void test_queue__outlives_its_runtime_for_late_tensors(void) {
  _Atomic int wakes = 0;
  int owner;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, &wakes, &queue, NULL), DLF_OK);
  dlf_tensor *late = queued(queue, &owner);
  dlf_release(queued(queue, &owner)); /* waits when the queue is let go */
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
  EXPECT_INT(dlf_queue_create(NULL, NULL, &queue, NULL), DLF_OK);
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
  EXPECT_FAILS(dlf_wrap_queued(&owner, f32, 0, NULL, NULL, cpu, 0, NULL, &owner, &t, &error), DLF_INVALID,
               "wrap: expected a queue and an owner, got NULL");
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(NULL, NULL, &queue, NULL), DLF_OK);
  EXPECT_INT(dlf_wrap_queued(&owner, f32, 0, NULL, NULL, cpu, 0, queue, NULL, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_wrap_queued(NULL, f32, 0, NULL, NULL, cpu, 0, queue, &owner, &t, NULL), DLF_INVALID);
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
    if (i % 2 == 0 && dlf_to_dlpack(t, &managed, NULL) != DLF_OK) abort();
    dlf_release(t);
    dlf_dlpack_release(managed); /* the last reference goes through a foreign deleter every other time */
  }
  return NULL;
}

/* Every owner comes back exactly once, while eight threads push and this one drains. */
static void test_queue__eight_threads_push(void) {
  static char seen[THREADS * EACH];
  pthread_t threads[THREADS];
  pusher pushers[THREADS];
  _Atomic int wakes = 0;
  void *owners[64];
  int64_t total = 0, wrong = 0;
  dlf_queue *queue = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, &wakes, &queue, NULL), DLF_OK);
  for (int i = 0; i < THREADS; i++) {
    pushers[i] = (pusher){queue, seen + i * EACH};
    pthread_create(&threads[i], NULL, push_many, &pushers[i]);
  }
  while (total < THREADS * EACH) {
    const int64_t count = dlf_queue_drain(queue, owners, 64);
    for (int64_t i = 0; i < count; i++) wrong += ++*(char *)owners[i] != 1;
    total += count;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
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
    if (dlf_to_dlpack(s->shared, &managed, NULL) == DLF_OK && dlf_from_dlpack(managed, &back, NULL) == DLF_OK)
      managed = NULL;
    if (back && dlf_slice(back, 0, 1, 2, 1, &view, NULL) == DLF_OK)
      atomic_fetch_add(s->wrong, *(const float *)dlf_data(dlf_dltensor(view)) != 7);
    dlf_release(s->shared);
    dlf_release(back);
    dlf_release(view);
    dlf_dlpack_release(managed);
  }
  dlf_release(s->shared);
  return NULL;
}

/* Eight threads retain, export, import, look at and release one tensor; its owner comes back through the queue, once,
 * after the last of them has let go. */
static void test_queue__eight_threads_share_a_tensor(void) {
  pthread_t threads[THREADS];
  sharer s[THREADS];
  float memory[4] = {6, 7, 8, 9};
  _Atomic int wakes = 0;
  _Atomic int64_t wrong = 0;
  void *owners[2];
  dlf_queue *queue = NULL;
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_queue_create(count_wake, &wakes, &queue, NULL), DLF_OK);
  EXPECT_INT(dlf_wrap_queued(memory, f32, 1, LIST(4), NULL, cpu, 0, queue, memory, &t, NULL), DLF_OK);
  for (int i = 0; i < THREADS; i++) {
    s[i] = (sharer){dlf_retain(t), &wrong};
    pthread_create(&threads[i], NULL, share_many, &s[i]);
  }
  dlf_release(t);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  EXPECT_INT(wrong, 0);
  EXPECT_INT(wakes, 1);
  EXPECT_INT(dlf_queue_drain(queue, owners, 2), 1);
  EXPECT(owners[0] == memory);
  EXPECT_INT(live(), 0);
  dlf_queue_release(queue);
}

int main(void) {
  RUN(test_queue__hands_owners_back_and_wakes_once);
  RUN(test_queue__drains_in_portions);
  RUN(test_queue__outlives_its_runtime_for_late_tensors);
  RUN(test_queue__release_frees_what_was_taken_too);
  RUN(test_queue__wrap_wants_a_queue_and_an_owner);
  RUN(test_queue__eight_threads_push);
  RUN(test_queue__eight_threads_share_a_tensor);
  return test_end();
}
