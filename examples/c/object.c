/* SPDX-License-Identifier: Apache-2.0 */
/* Guard a C library's own struct against a language that closes it while another thread uses it. */
#include "example.h"

#include <dlferry/object.h>
#include <stdlib.h>

static int freed;

static void free_counter(void *owner) {
  freed++;
  free(owner);
}

static dlf_object *lingering;

/* C keeps it a while. */
static void free_later(void *owner) {
  free_counter(owner);
  lingering = dlf_object_linger();
}

static int counted;

static void count(dlf_deferred *self) {
  (void)self;
  counted++;
}

int main(void) {
  dlf_error error;
  dlf_object *box;
  int *counter = calloc(1, sizeof *counter); /* a stand-in for the C library's result */
  EXPECT(counter);
  TRY(dlf_object_create(counter, free_counter, NULL, 0, &box, &error));

  /* A call locks the object, uses its pointer, and leaves. */
  dlf_use use = {.size = sizeof use,
                 .object = box,
                 .name = "counter",
                 .type = "counter",
                 .mode = DLF_USE_EXCLUSIVE};
  TRY(dlf_object_enter("increment", &use, 1, NULL, &error));
  ++*(int *)use.pointer;
  dlf_object_leave(&use, 1);

  /* A runtime whose threads take turns by a lock of its own, which this thread would hold here,
   * needs no atomics. */
  EXPECT(dlf_object_enter_guarded(&use));
  ++*(int *)use.pointer;
  EXPECT(dlf_object_leave_guarded(&use));
  dlf_object_unguard(box); /* From now on threads without that lock may use it. */
  EXPECT(!dlf_object_enter_guarded(&use));

  /* A pointer into the counter keeps the counter, and shares its lock. */
  dlf_object *part;
  TRY(dlf_object_enter("part", &use, 1, NULL, &error));
  TRY(dlf_object_borrow(counter, &use, &part, &error));
  dlf_object_leave(&use, 1);
  dlf_object_release(part);
  EXPECT(freed == 0);

  /* What was made from the counter keeps it too, until C has freed that. */
  int *step = calloc(1, sizeof *step);
  dlf_object *made;
  TRY(dlf_object_enter("make", &use, 1, NULL, &error));
  TRY(dlf_object_create(step, free_later, &use, 1, &made, &error));
  dlf_object_leave(&use, 1);
  dlf_object_release(made);
  EXPECT(freed == 1);
  freed = 0;
  dlf_object_gone(lingering);

  TRY(dlf_object_enter("increment", &use, 1, NULL, &error));
  dlf_object_close(box); /* Another thread may close it now. It is freed when the call leaves. */
  EXPECT(freed == 0);
  dlf_object_leave(&use, 1);
  EXPECT(freed == 1);

  /* A later call is refused. */
  EXPECT(!dlf_object_is_open(box));
  EXPECT(dlf_object_enter("increment", &use, 1, NULL, &error) == DLF_INVALID);
  printf("%s\n", error.message);
  dlf_object_release(box);

  /* Functions that share state of the whole process take turns; a deleter leaves them work and does
   * not wait. */
  dlf_lock_enter("counters");
  dlf_lock_defer("counters", &(dlf_deferred){.inside = count, .after = count});
  dlf_lock_leave("counters");
  EXPECT(counted == 2);
  return 0;
}
