/* SPDX-License-Identifier: Apache-2.0 */
/* Locks by name, and work that must not wait for them. */
#include "system.h"
#include "test.h"

#include <dlferry/object.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct piece {
  dlf_deferred deferred; /* first */
  int inside, after;
} piece;

static int order;

static void run_inside(dlf_deferred *self) {
  ((piece *)self)->inside = ++order;
}
static void run_after(dlf_deferred *self) {
  ((piece *)self)->after = ++order;
}
static piece piece_of(void) {
  return (piece){{run_inside, run_after, {NULL}}, 0, 0};
}

static void test_lock__work_waits_for_the_thread_inside(void) {
  piece first = piece_of(), second = piece_of();
  order = 0;
  dlf_lock_defer("planner", &first.deferred);
  EXPECT_INT(first.inside, 1);
  EXPECT_INT(first.after, 2);
  dlf_lock_enter("planner");
  dlf_lock_enter("planner"); /* again */
  dlf_lock_leave("planner");
  dlf_lock_defer("planner", NULL);
  dlf_lock_defer("planner", &second.deferred);
  EXPECT_INT(second.inside, 0);
  dlf_lock_leave("planner");
  EXPECT_INT(second.inside, 3);
  second = piece_of();
  dlf_lock_enter(NULL);
  dlf_lock_leave(NULL);
  dlf_lock_defer("other", &second.deferred);
  EXPECT_INT(second.after, 6);
}

enum { ROUNDS = 20000, THREADS = 4 };
static int64_t guarded;
static _Atomic int64_t finished;

static void add_inside(dlf_deferred *self) {
  (void)self;
  guarded++;
}

static void free_after(dlf_deferred *self) {
  atomic_fetch_add(&finished, 1);
  free(self);
}

static void *enter_and_defer(void *unused) {
  for (int i = 0; i < ROUNDS; i++) {
    dlf_deferred *d = malloc(sizeof *d);
    *d = (dlf_deferred){.inside = add_inside, .after = free_after};
    dlf_lock_enter("planner");
    guarded++;
    dlf_lock_leave("planner");
    dlf_lock_defer("planner", d);
  }
  return unused;
}

static void test_lock__threads_lose_no_work(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, enter_and_defer, NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(guarded, 2 * THREADS * ROUNDS);
  EXPECT_INT(finished, THREADS * ROUNDS);
}

static _Atomic bool is_inside, may_leave;

static void *stay_inside(void *unused) {
  dlf_lock_enter("fork");
  is_inside = true;
  while (!may_leave) {
    sched_yield();
  }
  is_inside = false;
  dlf_lock_leave("fork");
  return unused;
}

/* The child's memory is from a moment in which no thread was inside. */
static bool enters(void *unused) {
  (void)unused;
  dlf_lock_enter("fork");
  dlf_lock_leave("fork");
  return !is_inside;
}

static void *fork_and_enter(void *unused) {
  EXPECT(system_child(enters, NULL));
  return unused;
}

/* fork() waits for the thread inside, so the child can enter. */
static void test_lock__a_child_can_enter(void) {
  pthread_t holder, forking;
  pthread_create(&holder, NULL, stay_inside, NULL);
  while (!is_inside) {
    sched_yield();
  }
  pthread_create(&forking, NULL, fork_and_enter, NULL);
  for (int i = 0; i < 1000; i++) {
    sched_yield();
  }
  may_leave = true;
  pthread_join(holder, NULL);
  pthread_join(forking, NULL);
}

int main(void) {
  RUN(test_lock__work_waits_for_the_thread_inside);
  RUN(test_lock__threads_lose_no_work);
  RUN(test_lock__a_child_can_enter);
  return test_end();
}
