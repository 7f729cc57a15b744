/* SPDX-License-Identifier: Apache-2.0 */
#include "system.h"
#include "test.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A C library's struct that tells whether calls meet in it. Not atomic on purpose: TSan looks on.
 */
typedef struct codec {
  int64_t value;
  _Atomic int writers, readers, most_readers, clashes;
} codec;

static _Atomic int freed;
static _Atomic(void *) freed_last;

static void free_codec(void *owned) {
  atomic_fetch_add(&freed, 1);
  atomic_store(&freed_last, owned);
}

static dlf_object *boxed(codec *c) {
  dlf_object *object = NULL;
  EXPECT_INT(dlf_object_create(c, free_codec, NULL, 0, &object, NULL), DLF_OK);
  return object;
}

static dlf_use use_of(dlf_object *object, const char *name, dlf_use_mode mode) {
  return (dlf_use){.size = sizeof(dlf_use),
                   .object = object,
                   .name = name,
                   .type = "codec",
                   .mode = (int32_t)mode};
}

static dlf_status enter(dlf_use *use) {
  return dlf_object_enter("f", use, 1, NULL, NULL);
}
static bool is_busy(dlf_use *use) {
  bool busy = false;
  dlf_error error = {0};
  const dlf_status status = dlf_object_enter("f", use, 1, &busy, &error);
  EXPECT(busy == (status == DLF_INVALID && !error.message[0]));
  if (!status) {
    dlf_object_leave(use, 1);
  }
  return busy;
}

/* ---- one thread ---- */

static void test_object__lends_its_pointer_and_is_freed_once(void) {
  codec c = {0};
  freed = 0;
  dlf_object *object = boxed(&c);
  dlf_use use = use_of(object, "codec", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT(use.pointer == &c);
  dlf_object_leave(&use, 1);
  EXPECT(dlf_object_is_open(object));
  dlf_object_close(object);
  dlf_object_close(object);
  EXPECT(!dlf_object_is_open(object));
  EXPECT_INT(freed, 1);
  EXPECT_FAILS(dlf_object_enter("encode", &use, 1, NULL, &error),
               DLF_INVALID,
               "encode: codec: expected an open codec, got a closed one");
  dlf_object_release(object);
  EXPECT_INT(freed, 1);
  dlf_object_release(boxed(&c));
  EXPECT_INT(freed, 2);
}

static void test_object__an_absent_one_is_passed_over(void) {
  codec c = {0}, d = {0};
  dlf_object *object = boxed(&c), *child = NULL;
  dlf_use uses[3] = {use_of(NULL, "a", DLF_USE_ABSENT),
                     use_of(object, "b", DLF_USE_EXCLUSIVE),
                     use_of(NULL, "c", DLF_USE_ABSENT)};
  freed = 0;
  uses[0].pointer = uses[2].pointer = &d;
  EXPECT_INT(dlf_object_enter("f", uses, 3, NULL, NULL), DLF_OK);
  EXPECT(!uses[0].pointer && uses[1].pointer == &c && !uses[2].pointer);
  EXPECT_INT(dlf_object_create(&d, free_codec, uses, 3, &child, NULL), DLF_OK);
  dlf_object_leave(uses, 3);
  dlf_object_release(object);
  EXPECT_INT(freed, 0); /* the child keeps it */
  dlf_object_release(child);
  EXPECT_INT(freed, 2);
  EXPECT_INT(dlf_object_enter("f", uses, 1, NULL, NULL), DLF_OK);
  EXPECT(!uses[0].pointer && !dlf_object_enter_guarded(uses));
  dlf_object_leave(uses, 1);
  uses[0].mode = DLF_USE_SHARED;
  EXPECT_FAILS(dlf_object_enter("f", uses, 3, NULL, &error),
               DLF_INVALID,
               "f: a: expected an open codec, got a closed one");
}

static void test_object__null_is_closed(void) {
  dlf_use use = use_of(NULL, "codec", DLF_USE_UNLOCKED);
  dlf_object_close(NULL);
  dlf_object_release(NULL);
  EXPECT(!dlf_object_is_open(NULL));
  EXPECT_FAILS(dlf_object_enter("encode", &use, 1, NULL, &error),
               DLF_INVALID,
               "encode: codec: expected an open codec, got a closed one");
  EXPECT_INT(dlf_object_enter("encode", NULL, 0, NULL, NULL), DLF_OK);
}

/* A mode outside its enum would lock nothing. */
static void test_object__a_mode_is_one_of_the_enum(void) {
  static const int32_t modes[] = {-3, -1, 3, 7, INT32_MIN, INT32_MAX};
  codec c = {0}, d = {0};
  dlf_object *first = boxed(&c), *second = boxed(&d);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    dlf_use uses[2] = {use_of(first, "a", DLF_USE_EXCLUSIVE), use_of(second, "b", DLF_USE_SHARED)};
    char wanted[100];
    uses[1].mode = modes[i];
    snprintf(wanted,
             sizeof wanted,
             "f: b: expected a use mode from 0 to 2, or 3 without an object, got %d",
             (int)modes[i]);
    EXPECT_FAILS(dlf_object_enter("f", uses, 2, NULL, &error), DLF_INVALID, wanted);
    EXPECT_FAILS(dlf_object_enter("f", &uses[1], 1, NULL, &error), DLF_INVALID, wanted);
    bool busy = true;
    EXPECT_FAILS(dlf_object_enter("f", &uses[1], 1, &busy, &error), DLF_INVALID, wanted);
    EXPECT(!busy);
    EXPECT(!dlf_object_enter_guarded(&uses[1]));
    uses[1].mode = DLF_USE_SHARED; /* nothing was entered */
    EXPECT_INT(dlf_object_enter("f", uses, 2, NULL, NULL), DLF_OK);
    dlf_object_leave(uses, 2);
  }
  dlf_object_release(first);
  dlf_object_release(second);
}

static void test_object__a_parent_is_an_object(void) {
  codec c = {0};
  dlf_object *object = boxed(&c), *child = (dlf_object *)&child;
  const dlf_use parents[2] = {use_of(object, "a", DLF_USE_EXCLUSIVE),
                              use_of(NULL, "b", DLF_USE_EXCLUSIVE)};
  freed = 0;
  EXPECT_FAILS(dlf_object_create(&c, free_codec, parents, 2, &child, &error),
               DLF_INVALID,
               "object_create: expected parents that are entered, got NULL");
  EXPECT(!child);
  EXPECT_INT(freed, 0);
  dlf_object_release(object); /* no child keeps it */
  EXPECT_INT(freed, 1);
}

/* A later version's program has larger uses. */
static void test_object__uses_have_a_size(void) {
  codec c = {0}, d = {0};
  dlf_object *first = boxed(&c), *second = boxed(&d);
  struct {
    dlf_use known;
    int64_t more;
  } larger[2] = {{use_of(first, "a", DLF_USE_EXCLUSIVE), -1},
                 {use_of(second, "b", DLF_USE_EXCLUSIVE), -1}};
  larger[0].known.size = larger[1].known.size = sizeof *larger;
  EXPECT_INT(dlf_object_enter("f", &larger[0].known, 2, NULL, NULL), DLF_OK);
  EXPECT(larger[0].known.pointer == &c && larger[1].known.pointer == &d);
  dlf_use other = use_of(second, "codec", DLF_USE_SHARED);
  EXPECT_FAILS(dlf_object_enter("f", &other, 1, NULL, &error),
               DLF_INVALID,
               "f: codec: expected a codec that this thread does not use, got one inside a call of "
               "it");
  dlf_object_leave(&larger[0].known, 2);
  EXPECT_INT(enter(&other), DLF_OK);
  dlf_object_leave(&other, 1);
  EXPECT(larger[0].more == -1 && larger[1].more == -1);
  EXPECT(dlf_object_enter_guarded(&larger[0].known));
  EXPECT(dlf_object_leave_guarded(&larger[0].known));
  larger[1].known.size = sizeof(dlf_use);
  EXPECT_INT(dlf_object_enter("f", &larger[0].known, 2, NULL, NULL), DLF_INVALID);
  other.size = 0;
  EXPECT_INT(enter(&other), DLF_INVALID);
  EXPECT(!dlf_object_enter_guarded(&other));
  dlf_object_release(first);
  dlf_object_release(second);
}

static void test_object__closed_during_a_call_is_freed_after_it(void) {
  for (int mode = DLF_USE_EXCLUSIVE; mode <= DLF_USE_UNLOCKED; mode++) {
    codec c = {0};
    dlf_object *object = boxed(&c);
    dlf_use use = use_of(object, "codec", (dlf_use_mode)mode),
            other = use_of(object, "other", DLF_USE_UNLOCKED);
    freed = 0;
    EXPECT_INT(enter(&use), DLF_OK);
    EXPECT_INT(enter(&other), DLF_OK);
    dlf_object_close(object);
    dlf_object_close(object);
    dlf_object_leave(&use, 1);
    EXPECT_INT(freed, 0);
    dlf_object_leave(&other, 1);
    EXPECT_INT(freed, 1);
    dlf_object_release(object);
    EXPECT_INT(freed, 1);
  }
}

static void test_object__one_that_c_frees_in_a_call_is_never_released(void) {
  codec c = {0};
  codec owner = {0};
  freed = 0;
  dlf_object *parent = boxed(&owner);
  dlf_use parent_use = use_of(parent, "owner", DLF_USE_SHARED);
  dlf_object *object = NULL;
  EXPECT_INT(enter(&parent_use), DLF_OK);
  EXPECT_INT(dlf_object_create(&c, free_codec, &parent_use, 1, &object, NULL), DLF_OK);
  dlf_object_leave(&parent_use, 1);
  dlf_object_release(parent);
  dlf_use use = use_of(object, "codec", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&use), DLF_OK);
  use.pointer = NULL;
  EXPECT_INT(freed, 0);
  dlf_object_leave(&use, 1);
  EXPECT(!dlf_object_is_open(object));
  EXPECT_INT(freed, 1); /* what it was made from */
  EXPECT(freed_last == (void *)&owner);
  EXPECT_FAILS(dlf_object_enter("encode", &use, 1, NULL, &error),
               DLF_INVALID,
               "encode: codec: expected an open codec, got a closed one");
  dlf_object_release(object);
  EXPECT_INT(freed, 1);
}

static void test_object__one_that_c_frees_leaves_by_the_slow_way(void) {
  codec c = {0};
  freed = 0;
  dlf_object *object = boxed(&c);
  dlf_use use = use_of(object, "codec", DLF_USE_EXCLUSIVE);
  EXPECT(dlf_object_enter_guarded(&use));
  use.pointer = NULL;
  EXPECT(!dlf_object_leave_guarded(&use));
  dlf_object_leave(&use, 1);
  EXPECT(!dlf_object_is_open(object));
  dlf_object_release(object);
  EXPECT_INT(freed, 0);
}

static void test_object__a_borrowed_one_that_c_frees_leaves_its_owner(void) {
  codec c[2] = {0};
  freed = 0;
  dlf_object *owner = boxed(&c[0]);
  dlf_use use = use_of(owner, "codec", DLF_USE_EXCLUSIVE);
  dlf_object *lent = NULL;
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_borrow(&c[1], &use, &lent, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_use part = use_of(lent, "part", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&part), DLF_OK);
  part.pointer = NULL;
  dlf_object_leave(&part, 1);
  EXPECT(!dlf_object_is_open(lent));
  EXPECT_INT(enter(&use), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_object_release(owner);
  EXPECT_INT(freed, 1);
  dlf_object_release(lent);
}

static void test_object__released_during_calls_lasts_until_they_end(void) {
  codec c = {0};
  dlf_object *object = boxed(&c);
  dlf_use uses[2] = {use_of(object, "codec", DLF_USE_SHARED),
                     use_of(object, "codec", DLF_USE_SHARED)};
  freed = 0;
  EXPECT_INT(enter(&uses[0]), DLF_OK);
  EXPECT_INT(enter(&uses[1]), DLF_OK);
  dlf_object_release(object);
  dlf_object_leave(&uses[0], 1);
  EXPECT_INT(freed, 0);
  dlf_object_leave(&uses[1], 1);
  EXPECT_INT(freed, 1);
}

static void test_object__outlives_what_was_made_of_it(void) {
  codec a = {0}, b = {0};
  dlf_object *parent = boxed(&a), *child = NULL;
  dlf_use use = use_of(parent, "codec", DLF_USE_SHARED);
  freed = 0;
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_create(&b, free_codec, &use, 1, &child, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_object_release(parent); /* no caller can use it any more */
  EXPECT_INT(freed, 0);
  dlf_object_close(child);
  EXPECT_INT(freed, 2);
  EXPECT(freed_last == &a);
  dlf_object_release(child);
}

static dlf_object *lingering;

static void free_codec_later(void *owned) {
  (void)owned;
  lingering = dlf_object_linger();
}

/* Its child lingers, whose release returned before C has freed it; the child's own one does so in a
 * release. */
static void test_object__outlives_what_lingers(void) {
  codec a = {0}, b = {0};
  dlf_object *parent = boxed(&a), *child = NULL, *grandchild = NULL;
  dlf_use use = use_of(parent, "codec", DLF_USE_SHARED);
  freed = 0;
  EXPECT(!dlf_object_linger());
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_create(&b, free_codec_later, &use, 1, &child, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  use = use_of(child, "codec", DLF_USE_SHARED);
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_create(&b, free_codec, &use, 1, &grandchild, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_object_release(parent);
  dlf_object_release(child);
  EXPECT(!lingering);
  dlf_object_release(grandchild);
  EXPECT_INT(freed, 1);
  EXPECT(lingering == child);
  dlf_object_gone(lingering);
  EXPECT_INT(freed, 2);
  EXPECT(freed_last == &a);
  dlf_object_gone(NULL);
}

static void free_codec_twice(void *owned) {
  free_codec(owned);
  dlf_object_gone(dlf_object_linger()); /* it lingers no longer than its release */
}

static void test_object__may_linger_within_its_release(void) {
  codec a = {0}, b = {0};
  dlf_object *parent = boxed(&a), *child = NULL;
  dlf_use use = use_of(parent, "codec", DLF_USE_SHARED);
  freed = 0;
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_create(&b, free_codec_twice, &use, 1, &child, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_object_release(parent);
  dlf_object_release(child);
  EXPECT_INT(freed, 2);
  EXPECT(freed_last == &a);
  EXPECT(!dlf_object_linger());
}

static void test_object__a_long_chain_of_parents_needs_no_stack(void) {
  enum { LINKS = 100000 };
  codec c = {0};
  dlf_object *last = boxed(&c);
  freed = 0;
  int64_t links = 1;
  for (; links < (int64_t)ROUNDS(LINKS); links++) {
    dlf_use use = use_of(last, "codec", DLF_USE_EXCLUSIVE);
    dlf_object *child = NULL;
    EXPECT_INT(enter(&use), DLF_OK);
    EXPECT_INT(dlf_object_create(&c, free_codec, &use, 1, &child, NULL), DLF_OK);
    dlf_object_leave(&use, 1);
    dlf_object_release(last);
    last = child;
  }
  EXPECT_INT(freed, 0);
  dlf_object_release(last);
  EXPECT_INT(freed, links);
}

typedef struct link {
  dlf_object *kept; /* lingers until C frees the one that keeps it */
} link;

static void free_kept(void *owned) {
  ((link *)owned)->kept = dlf_object_linger();
}

static void free_keeper(void *owned) {
  freed++;
  dlf_object_gone(((link *)owned)->kept);
}

/* Each keeps an object that was made from the next one. */
static void test_object__a_long_chain_of_what_lingers_needs_no_stack(void) {
  enum { LINKS = 100000 };
  static link links[LINKS];
  const int64_t last = (int64_t)ROUNDS(LINKS) - 1;
  freed = 0;
  links[last] = (link){NULL};
  for (int64_t i = last; i >= 0; i--) {
    dlf_object *keeper = NULL, *kept = NULL;
    EXPECT_INT(dlf_object_create(&links[i], free_keeper, NULL, 0, &keeper, NULL), DLF_OK);
    if (i > 0) {
      dlf_use use = use_of(keeper, "link", DLF_USE_EXCLUSIVE);
      EXPECT_INT(enter(&use), DLF_OK);
      EXPECT_INT(dlf_object_create(&links[i - 1], free_kept, &use, 1, &kept, NULL), DLF_OK);
      dlf_object_leave(&use, 1);
      dlf_object_release(kept);
    }
    dlf_object_release(keeper);
  }
  EXPECT_INT(freed, last + 1);
}

static void test_object__one_used_twice_may_only_be_read(void) {
  codec c = {0};
  dlf_object *object = boxed(&c);
  dlf_use uses[3] = {use_of(object, "from", DLF_USE_SHARED),
                     use_of(object, "to", DLF_USE_EXCLUSIVE)};
  EXPECT_FAILS(dlf_object_enter("move", uses, 2, NULL, &error),
               DLF_INVALID,
               "move: to: expected another codec than from, got the same one");
  uses[0].mode = DLF_USE_EXCLUSIVE, uses[1].mode = DLF_USE_SHARED;
  EXPECT_FAILS(dlf_object_enter("move", uses, 2, NULL, &error),
               DLF_INVALID,
               "move: to: expected another codec than from, got the same one");
  for (int i = 0; i < 2; i++) {
    uses[i] = use_of(object, "codecs", DLF_USE_EXCLUSIVE);
    uses[i].item = i + 1;
  }
  EXPECT_FAILS(
      dlf_object_enter("join", uses, 2, NULL, &error),
      DLF_INVALID,
      "join: codecs[1] (from 0): expected another codec than codecs[0] (from 0), got the same one");
  for (int i = 0; i < 3; i++) {
    uses[i] = use_of(object, "codec", DLF_USE_SHARED);
  }
  EXPECT_INT(dlf_object_enter("equal", uses, 3, NULL, NULL), DLF_OK);
  EXPECT(uses[0].pointer == &c && uses[2].pointer == &c);
  dlf_object_leave(uses, 3);
  uses[0].mode = DLF_USE_EXCLUSIVE; /* nothing stayed locked */
  EXPECT_INT(enter(uses), DLF_OK);
  dlf_object_leave(uses, 1);
  for (int i = 0; i < 2; i++) {
    uses[i] = use_of(object, "codec", DLF_USE_UNLOCKED);
  }
  EXPECT_INT(dlf_object_enter("move", uses, 2, NULL, NULL), DLF_OK);
  dlf_object_leave(uses, 2);
  dlf_object_release(object);
}

/* Enters for writing on a thread of its own, and tells whether it would have waited. */
static void *try_to_write(void *context) {
  dlf_use use = use_of(context, "codec", DLF_USE_EXCLUSIVE);
  return is_busy(&use) ? context : NULL;
}

static bool keeps_writers_out(dlf_object *object) {
  pthread_t thread;
  void *busy = NULL;
  EXPECT_INT(pthread_create(&thread, NULL, try_to_write, object), 0);
  pthread_join(thread, &busy);
  return busy != NULL;
}

static void test_object__one_used_twice_is_locked_if_one_use_locks(void) {
  static const dlf_use_mode U = DLF_USE_UNLOCKED, S = DLF_USE_SHARED;
  const struct {
    dlf_use_mode modes[3];
    bool locked;
  } cases[] = {{{U, S, U}, true},
               {{S, U, U}, true},
               {{U, U, S}, true},
               {{S, S, U}, true},
               {{S, U, S}, true},
               {{S, S, S}, true},
               {{U, U, U}, false},
               {{U, S, S}, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    codec c = {0}, d = {0};
    dlf_object *object = boxed(&c), *other = boxed(&d);
    dlf_use uses[4];
    for (int k = 0; k < 3; k++) {
      uses[k] = use_of(object, "codec", cases[i].modes[k]);
    }
    uses[3] = use_of(other, "other", DLF_USE_EXCLUSIVE);
    for (int round = 0; round < 3;
         round++) { /* the same array again: a mode that changed would show */
      EXPECT_INT(dlf_object_enter("f", uses, 4, NULL, NULL), DLF_OK);
      EXPECT(keeps_writers_out(object) == cases[i].locked);
      EXPECT(keeps_writers_out(other));
      for (int k = 0; k < 3; k++) {
        EXPECT_INT(uses[k].mode, cases[i].modes[k]);
        EXPECT(uses[k].pointer == &c);
      }
      EXPECT_INT(uses[3].mode, DLF_USE_EXCLUSIVE);
      dlf_object_leave(uses, 4);
      EXPECT(!keeps_writers_out(object));
      EXPECT(!keeps_writers_out(other));
    }
    freed = 0;
    EXPECT_INT(dlf_object_enter("f", uses, 4, NULL, NULL), DLF_OK);
    dlf_object_release(object); /* all uses are counted: the last one frees it */
    dlf_object_leave(&uses[1], 3);
    EXPECT_INT(freed, 0);
    dlf_object_leave(&uses[0], 1);
    EXPECT_INT(freed, 1);
    dlf_object_release(other);
  }
}

/* A refusal leaves the modes as they were, too. */
static void test_object__a_refused_call_keeps_its_modes(void) {
  codec c = {0};
  dlf_object *object = boxed(&c);
  dlf_use uses[3] = {use_of(object, "a", DLF_USE_SHARED),
                     use_of(object, "b", DLF_USE_SHARED),
                     use_of(object, "c", DLF_USE_EXCLUSIVE)};
  EXPECT_INT(dlf_object_enter("f", uses, 3, NULL, NULL), DLF_INVALID);
  EXPECT_INT(uses[0].mode, DLF_USE_SHARED);
  EXPECT_INT(uses[1].mode, DLF_USE_SHARED);
  EXPECT_INT(uses[2].mode, DLF_USE_EXCLUSIVE);
  EXPECT(!keeps_writers_out(object));
  dlf_object_release(object);
}

static void test_object__a_thread_that_is_inside_is_refused_unless_both_read(void) {
  static const char *const text =
      "put: codec: expected a codec that this thread does not use, got one inside a call of "
      "it";
  for (int slow = 0; slow < 2;
       slow++) { /* with another reader the first use goes through the lists */
    codec c = {0};
    dlf_object *object = boxed(&c);
    dlf_use first = use_of(object, "codec", DLF_USE_SHARED),
            outer = use_of(object, "codec", DLF_USE_SHARED);
    dlf_use inner = use_of(object, "codec", DLF_USE_SHARED);
    if (slow) {
      EXPECT_INT(enter(&first), DLF_OK);
    }
    EXPECT_INT(enter(&outer), DLF_OK);
    EXPECT_INT(enter(&inner), DLF_OK);
    dlf_object_leave(&inner, 1);
    inner.mode = DLF_USE_EXCLUSIVE;
    EXPECT_FAILS(dlf_object_enter("put", &inner, 1, NULL, &error), DLF_INVALID, text);
    dlf_object_leave(&outer, 1);
    if (slow) {
      dlf_object_leave(&first, 1);
    }
    outer.mode = DLF_USE_EXCLUSIVE;
    EXPECT_INT(enter(&outer), DLF_OK);
    EXPECT_FAILS(dlf_object_enter("put", &inner, 1, NULL, &error), DLF_INVALID, text);
    inner.mode = DLF_USE_SHARED;
    EXPECT_FAILS(dlf_object_enter("put", &inner, 1, NULL, &error), DLF_INVALID, text);
    inner.mode = DLF_USE_UNLOCKED;
    EXPECT_INT(enter(&inner), DLF_OK);
    dlf_object_leave(&inner, 1);
    dlf_object_leave(&outer, 1);
    EXPECT_INT(enter(&outer), DLF_OK); /* the refusals left nothing behind */
    dlf_object_leave(&outer, 1);
    freed = 0;
    dlf_object_release(object);
    EXPECT_INT(freed, 1);
  }
}

/* ---- borrowed ---- */

/* Borrow from an owner, which the call enters and leaves. */
static dlf_object *borrowed(dlf_object *owner, void *lent) {
  dlf_use use = use_of(owner, "owner", DLF_USE_SHARED);
  dlf_object *object = NULL;
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_borrow(lent, &use, &object, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  return object;
}

static void test_object__a_borrowed_one_keeps_its_owner_and_is_never_freed(void) {
  codec c = {0}, part = {0};
  freed = 0;
  dlf_object *owner = boxed(&c), *child = borrowed(owner, &part);
  dlf_use use = use_of(child, "part", DLF_USE_EXCLUSIVE),
          of_owner = use_of(owner, "codec", DLF_USE_SHARED);
  EXPECT(dlf_object_is_open(child));
  dlf_object_close(owner);
  EXPECT_INT(freed, 0);
  EXPECT_INT(enter(&of_owner), DLF_INVALID);
  EXPECT_INT(enter(&use), DLF_OK); /* callers of the child see no difference */
  EXPECT(use.pointer == &part);
  dlf_object_leave(&use, 1);
  dlf_object_release(owner);
  EXPECT_INT(freed, 0);
  EXPECT_INT(enter(&use), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_object_close(child);
  EXPECT_INT(freed, 1);
  EXPECT(freed_last == &c);
  EXPECT_FAILS(dlf_object_enter("f", &use, 1, NULL, &error),
               DLF_INVALID,
               "f: part: expected an open codec, got a closed one");
  dlf_object_release(child);
  EXPECT_INT(freed, 1);
}

static void test_object__one_without_an_owner_is_only_dropped(void) {
  codec c = {0};
  dlf_object *object = NULL;
  freed = 0;
  EXPECT_INT(dlf_object_borrow(&c, NULL, &object, NULL), DLF_OK);
  dlf_use use = use_of(object, "codec", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT(use.pointer == &c);
  EXPECT(keeps_writers_out(object));
  dlf_object_leave(&use, 1);
  dlf_object_close(object);
  EXPECT_INT(enter(&use), DLF_INVALID);
  dlf_object_release(object);
  EXPECT_INT(freed, 0);
  dlf_use none = use_of(NULL, "owner", DLF_USE_SHARED);
  EXPECT_FAILS(dlf_object_borrow(&c, &none, &object, &error),
               DLF_INVALID,
               "object_borrow: expected an owner that is entered, got NULL");
  EXPECT(!object);
  EXPECT_FAILS(dlf_object_borrow(NULL, NULL, &object, &error),
               DLF_INVALID,
               "object_borrow: expected what C lends, got NULL");
  EXPECT_INT(dlf_object_borrow(&c, NULL, NULL, NULL), DLF_INVALID);
}

/* What is borrowed or made from a borrowed object keeps the owner of all, so those between may go.
 */
static void test_object__borrowed_from_a_borrowed_one_keeps_the_first_owner(void) {
  codec c = {0}, part = {0}, made = {0};
  freed = 0;
  dlf_object *owner = boxed(&c), *child = borrowed(owner, &part);
  dlf_object *grandchild = borrowed(child, &part), *new = NULL;
  dlf_use use = use_of(child, "part", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&use), DLF_OK);
  EXPECT_INT(dlf_object_create(&made, free_codec, &use, 1, &new, NULL), DLF_OK);
  dlf_object_leave(&use, 1);
  dlf_object_release(owner);
  dlf_object_release(child);
  EXPECT_INT(freed, 0);
  dlf_use writer = use_of(grandchild, "part", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&writer), DLF_OK);
  EXPECT(!keeps_writers_out(new)); /* it has a lock of its own */
  dlf_object_leave(&writer, 1);
  dlf_object_release(grandchild);
  EXPECT_INT(freed, 0);
  dlf_object_release(new);
  EXPECT_INT(freed, 2);
  EXPECT(freed_last == &c);
}

/* Every pair of modes, in either order: one lock, of the stronger mode, taken once. */
static void test_object__a_call_with_owner_and_child_takes_their_lock_once(void) {
  codec c = {0}, part = {0}, other_part = {0};
  dlf_object *owner = boxed(&c), *child = borrowed(owner, &part),
             *other = borrowed(owner, &other_part);
  for (int a = DLF_USE_EXCLUSIVE; a <= DLF_USE_UNLOCKED; a++) {
    for (int b = DLF_USE_EXCLUSIVE; b <= DLF_USE_UNLOCKED; b++) {
      dlf_use uses[3] = {use_of(owner, "codec", (dlf_use_mode)a),
                         use_of(child, "part", (dlf_use_mode)b),
                         use_of(other, "other", DLF_USE_UNLOCKED)};
      const bool writes = a == DLF_USE_EXCLUSIVE || b == DLF_USE_EXCLUSIVE;
      const bool locks = a != DLF_USE_UNLOCKED || b != DLF_USE_UNLOCKED;
      dlf_use reader = use_of(other, "other", DLF_USE_SHARED);
      EXPECT_INT(dlf_object_enter("f", uses, 3, NULL, NULL), DLF_OK);
      EXPECT(uses[0].pointer == &c && uses[1].pointer == &part && uses[2].pointer == &other_part);
      EXPECT(keeps_writers_out(owner) == locks && keeps_writers_out(child) == locks);
      EXPECT(keeps_writers_out(other) == locks);
      EXPECT_INT(enter(&reader), writes ? DLF_INVALID : DLF_OK); /* this thread is inside */
      dlf_object_leave(&reader, 1);
      dlf_object_leave(uses, 3);
      EXPECT(!keeps_writers_out(owner) && !keeps_writers_out(child));
    }
  }
  dlf_use twice[2] = {use_of(child, "a", DLF_USE_SHARED), use_of(child, "b", DLF_USE_EXCLUSIVE)};
  EXPECT_FAILS(dlf_object_enter("move", twice, 2, NULL, &error),
               DLF_INVALID,
               "move: b: expected another codec than a, got the same one");
  dlf_object_release(other);
  dlf_object_release(child);
  freed = 0;
  dlf_object_release(owner);
  EXPECT_INT(freed, 1);
}

static void test_object__a_child_closed_during_a_call_ends_with_it(void) {
  codec c = {0}, part = {0};
  freed = 0;
  dlf_object *owner = boxed(&c), *child = borrowed(owner, &part);
  dlf_use use = use_of(child, "part", DLF_USE_EXCLUSIVE);
  EXPECT_INT(enter(&use), DLF_OK);
  dlf_object_release(owner);
  dlf_object_release(child); /* the call keeps the struct, and needs the box no more */
  EXPECT_INT(freed, 0);
  dlf_object_leave(&use, 1);
  EXPECT_INT(freed, 1);
}

/* ---- threads ---- */

enum { THREADS = 4, CALLS = ROUNDS(5000) };

typedef struct shared_state {
  dlf_object *objects[2];
  codec codecs[2];
  _Atomic int refused, stop, ready;
} shared_state;

static void begin(codec *c, dlf_use_mode mode) {
  const int readers =
      mode == DLF_USE_SHARED ? atomic_fetch_add(&c->readers, 1) + 1 : atomic_load(&c->readers);
  const int writers =
      mode == DLF_USE_EXCLUSIVE ? atomic_fetch_add(&c->writers, 1) + 1 : atomic_load(&c->writers);
  if (writers > 1 || (writers && readers)) {
    atomic_fetch_add(&c->clashes, 1);
  }
  if (readers > atomic_load(&c->most_readers)) {
    atomic_store(&c->most_readers, readers);
  }
}

static void finish(codec *c, dlf_use_mode mode) {
  if (mode == DLF_USE_SHARED) {
    atomic_fetch_sub(&c->readers, 1);
  }
  if (mode == DLF_USE_EXCLUSIVE) {
    atomic_fetch_sub(&c->writers, 1);
  }
}

/* Calls of every kind: on one, on two in either order, reading and writing. */
static void *call_all_kinds(void *context) {
  shared_state *s = context;
  unsigned random = (unsigned)atomic_fetch_add(&s->ready, 1) * 7919 + 1;
  for (int i = 0; i < CALLS; i++) {
    random = random * 1103515245 + 12345;
    const int count = 1 + (int)(random >> 16 & 1), first = (int)(random >> 17 & 1);
    dlf_use uses[2];
    for (int k = 0; k < count; k++) {
      uses[k] = use_of(s->objects[first ^ k],
                       "codec",
                       (random >> (18 + 2 * k) & 3) ? DLF_USE_EXCLUSIVE : DLF_USE_SHARED);
    }
    bool busy = false;
    const bool tries = (random >> 22 & 3) == 0;
    if (dlf_object_enter("f", uses, count, tries ? &busy : NULL, NULL)) {
      if (!busy) {
        atomic_fetch_add(&s->refused, 1);
      }
      continue;
    }
    for (int k = 0; k < count; k++) {
      codec *c = uses[k].pointer;
      begin(c, (dlf_use_mode)uses[k].mode);
      if (uses[k].mode == DLF_USE_EXCLUSIVE) {
        c->value++;
      }
      if (i % 64 == 0) {
        sched_yield();
      }
      finish(c, (dlf_use_mode)uses[k].mode);
    }
    dlf_object_leave(uses, count);
  }
  return NULL;
}

static void test_object__threads_take_turns_in_whatever_order_they_name_objects(void) {
  shared_state s = {0};
  pthread_t threads[THREADS];
  freed = 0;
  for (int i = 0; i < 2; i++) {
    s.objects[i] = boxed(&s.codecs[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    EXPECT_INT(pthread_create(&threads[i], NULL, call_all_kinds, &s), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(s.codecs[0].clashes + s.codecs[1].clashes, 0);
  EXPECT_INT(s.refused, 0);
  for (int i = 0; i < 2; i++) {
    dlf_use use = use_of(s.objects[i], "codec", DLF_USE_EXCLUSIVE);
    EXPECT(!is_busy(&use));
    dlf_object_release(s.objects[i]);
  }
  EXPECT_INT(freed, 2);
}

/* Enters in the given mode, reports it, and leaves on request. */
typedef struct guest {
  dlf_use use;
  _Atomic int inside, stay, status;
} guest;

static void *visit(void *context) {
  guest *g = context;
  g->status = (int)dlf_object_enter("f", &g->use, 1, NULL, NULL);
  g->inside = 1;
  while (g->stay) {
    sched_yield();
  }
  if (!g->status) {
    dlf_object_leave(&g->use, 1);
  }
  return NULL;
}

static pthread_t invite(guest *g, dlf_object *object, dlf_use_mode mode, bool waits) {
  pthread_t thread;
  *g = (guest){.use = use_of(object, "codec", mode), .stay = 1};
  EXPECT_INT(pthread_create(&thread, NULL, visit, g), 0);
  while (!waits && !g->inside) {
    sched_yield();
  }
  return thread;
}

static void send_away(guest *g, pthread_t thread) {
  g->stay = 0;
  pthread_join(thread, NULL);
}

static void test_object__readers_are_together_and_a_writer_keeps_later_ones_out(void) {
  codec c = {0};
  dlf_object *object = boxed(&c);
  guest readers[2], writer;
  dlf_use mine = use_of(object, "codec", DLF_USE_SHARED), again = mine;
  const pthread_t first = invite(&readers[0], object, DLF_USE_SHARED, false);
  const pthread_t second =
      invite(&readers[1], object, DLF_USE_SHARED, false); /* enters beside the first */
  EXPECT_INT(enter(&mine), DLF_OK);
  const pthread_t third = invite(&writer, object, DLF_USE_EXCLUSIVE, true);
  dlf_use other = use_of(object, "codec", DLF_USE_SHARED);
  /* Once the writer waits no other thread may read; this one, which reads already, may again. */
  guest late;
  pthread_t fourth = invite(&late, object, DLF_USE_UNLOCKED, false);
  send_away(&late, fourth);
  EXPECT_INT(enter(&again), DLF_OK);
  dlf_object_leave(&again, 1);
  EXPECT(!writer.inside);
  send_away(&readers[0], first); /* the only reader that the lists did not hold */
  EXPECT_INT(enter(&again), DLF_OK);
  dlf_object_leave(&again, 1);
  send_away(&readers[1], second);
  EXPECT(!writer.inside);
  dlf_object_leave(&mine, 1);
  while (!writer.inside) {
    sched_yield();
  }
  EXPECT(is_busy(&other));
  fourth = invite(&late, object, DLF_USE_SHARED, true);
  send_away(&writer, third);
  while (!late.inside) {
    sched_yield();
  }
  send_away(&late, fourth);
  EXPECT(!is_busy(&other));
  dlf_object_release(object);
}

static void *read_until_stopped(void *context) {
  shared_state *s = context;
  atomic_fetch_add(&s->ready, 1);
  while (!s->stop) {
    dlf_use use = use_of(s->objects[0], "codec", DLF_USE_SHARED);
    if (enter(&use)) {
      return NULL;
    }
    sched_yield();
    dlf_object_leave(&use, 1);
  }
  return NULL;
}

static void test_object__a_writer_comes_in_between_readers_that_never_stop(void) {
  shared_state s = {0};
  pthread_t threads[THREADS];
  s.objects[0] = boxed(&s.codecs[0]);
  for (int i = 0; i < THREADS; i++) {
    EXPECT_INT(pthread_create(&threads[i], NULL, read_until_stopped, &s), 0);
  }
  while (s.ready < THREADS) {
    sched_yield();
  }
  for (int i = 0; i < ROUNDS(100); i++) {
    dlf_use use = use_of(s.objects[0], "codec", DLF_USE_EXCLUSIVE);
    EXPECT_INT(enter(&use), DLF_OK);
    dlf_object_leave(&use, 1);
  }
  s.stop = 1;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  dlf_object_release(s.objects[0]);
}

static void test_object__who_waits_when_it_is_closed_is_refused_and_the_last_frees(void) {
  codec c = {0};
  dlf_object *object = boxed(&c);
  guest holder, waiting[2];
  freed = 0;
  const pthread_t first = invite(&holder, object, DLF_USE_EXCLUSIVE, false);
  const pthread_t second = invite(&waiting[0], object, DLF_USE_EXCLUSIVE, true);
  const pthread_t third = invite(&waiting[1], object, DLF_USE_SHARED, true);
  dlf_object_close(object);
  EXPECT_INT(freed, 0);
  send_away(&holder, first);
  send_away(&waiting[0], second);
  send_away(&waiting[1], third);
  EXPECT_INT(holder.status, DLF_OK);
  EXPECT_INT(waiting[0].status, DLF_INVALID);
  EXPECT_INT(waiting[1].status, DLF_INVALID);
  EXPECT_INT(freed, 1);
  dlf_object_release(object);
}

static void *close_soon(void *context) {
  shared_state *s = context;
  for (int i = 0; i < 20; i++) {
    sched_yield();
  }
  dlf_object_close(s->objects[0]);
  return NULL;
}

/* Plain writes under the lock: TSan sees whether one call happens before the next. */
static void *add_until_closed(void *context) {
  shared_state *s = context;
  dlf_use use = use_of(s->objects[0], "codec", DLF_USE_EXCLUSIVE);
  while (enter(&use) == DLF_OK) {
    ((int64_t *)use.pointer)[1]++;
    dlf_object_leave(&use, 1);
  }
  return NULL;
}

static _Atomic int64_t added;
static void free_numbers(void *owned) {
  added = ((int64_t *)owned)[1];
  free(owned);
}

static void test_object__closed_between_calls_of_many_threads(void) {
  for (int round = 0; round < ROUNDS(50); round++) {
    shared_state s = {0};
    pthread_t threads[THREADS], closer;
    int64_t *numbers = calloc(2, sizeof *numbers);
    added = -1;
    EXPECT_INT(dlf_object_create(numbers, free_numbers, NULL, 0, &s.objects[0], NULL), DLF_OK);
    for (int i = 0; i < THREADS; i++) {
      EXPECT_INT(pthread_create(&threads[i], NULL, add_until_closed, &s), 0);
    }
    EXPECT_INT(pthread_create(&closer, NULL, close_soon, &s), 0);
    for (int i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
    }
    pthread_join(closer, NULL);
    EXPECT(added >= 0);
    dlf_object_release(s.objects[0]);
  }
}

/* Calls over an owner and what is borrowed from it: all change one struct, which TSan watches. */
enum { FAMILY = 4 };
typedef struct family {
  dlf_object *members[FAMILY]; /* the owner first */
  int64_t *numbers;
  _Atomic int ready, refused;
} family;

static void *call_family(void *context) {
  family *s = context;
  unsigned random = (unsigned)atomic_fetch_add(&s->ready, 1) * 7919 + 1;
  for (int i = 0; i < CALLS; i++) {
    random = random * 1103515245 + 12345;
    const int first = (int)(random >> 16 & 3), count = 1 + (int)(random >> 18 & 1);
    dlf_use uses[2];
    for (int k = 0; k < count; k++) {
      uses[k] = use_of(s->members[(first + k) % FAMILY],
                       "part",
                       (random >> (19 + k) & 1) ? DLF_USE_EXCLUSIVE : DLF_USE_SHARED);
    }
    const bool writes =
        uses[0].mode == DLF_USE_EXCLUSIVE || uses[count - 1].mode == DLF_USE_EXCLUSIVE;
    if (dlf_object_enter("f", uses, count, NULL, NULL)) {
      atomic_fetch_add(&s->refused, 1);
      continue;
    }
    if (writes) { /* adding 0 would write beside other readers */
      s->numbers[1]++;
    }
    if (s->numbers[1] < 0) {
      atomic_fetch_add(&s->refused, 1);
    }
    dlf_object_leave(uses, count);
  }
  return NULL;
}

static void test_object__threads_take_turns_in_an_owner_and_what_it_lends(void) {
  family s = {0};
  pthread_t threads[THREADS];
  s.numbers = calloc(2, sizeof *s.numbers);
  added = -1;
  EXPECT_INT(dlf_object_create(s.numbers, free_numbers, NULL, 0, &s.members[0], NULL), DLF_OK);
  for (int i = 1; i < FAMILY; i++) {
    s.members[i] = borrowed(s.members[i / 2], s.numbers); /* one of them from another child */
  }
  for (int i = 0; i < THREADS; i++) {
    EXPECT_INT(pthread_create(&threads[i], NULL, call_family, &s), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(s.refused, 0);
  for (int i = 0; i < FAMILY; i++) {
    EXPECT_INT(added, -1);
    dlf_object_release(s.members[i]);
  }
  EXPECT(added > 0);
}

static void *add_through_child(void *context) {
  family *s = context;
  dlf_use use = use_of(s->members[1], "part", DLF_USE_EXCLUSIVE);
  atomic_fetch_add(&s->ready, 1);
  while (enter(&use) == DLF_OK) {
    ((int64_t *)use.pointer)[1]++;
    dlf_object_leave(&use, 1);
  }
  return NULL;
}

static void *close_family(void *context) {
  family *s = context;
  while (s->ready < 2) {
    sched_yield();
  }
  dlf_object_close(s->members[0]);
  sched_yield();
  dlf_object_close(s->members[1]);
  return NULL;
}

/* The owner is closed first, so the last call in the child frees the struct. */
static void test_object__owner_and_child_closed_between_calls_of_threads(void) {
  for (int round = 0; round < ROUNDS(50); round++) {
    family s = {0};
    pthread_t threads[THREADS], closer;
    s.numbers = calloc(2, sizeof *s.numbers);
    added = -1;
    EXPECT_INT(dlf_object_create(s.numbers, free_numbers, NULL, 0, &s.members[0], NULL), DLF_OK);
    s.members[1] = borrowed(s.members[0], s.numbers);
    for (int i = 0; i < THREADS; i++) {
      EXPECT_INT(pthread_create(&threads[i], NULL, add_through_child, &s), 0);
    }
    EXPECT_INT(pthread_create(&closer, NULL, close_family, &s), 0);
    for (int i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
    }
    pthread_join(closer, NULL);
    EXPECT(added >= 0);
    dlf_object_release(s.members[0]);
    dlf_object_release(s.members[1]);
  }
}

/* A call that waits for the lock of a child that is closed meanwhile is refused, and touches no box
 * that is gone. */
static void test_object__a_child_released_while_a_call_waits_for_it(void) {
  codec c = {0}, part = {0};
  guest holder, waiting;
  freed = 0;
  dlf_object *owner = boxed(&c), *child = borrowed(owner, &part);
  const pthread_t first = invite(&holder, owner, DLF_USE_EXCLUSIVE, false);
  const pthread_t second = invite(&waiting, child, DLF_USE_EXCLUSIVE, true);
  for (int i = 0; i < 100; i++) {
    sched_yield(); /* it waits by now; if not, it finds the box closed */
  }
  dlf_object_close(child);
  send_away(&holder, first);
  send_away(&waiting, second);
  EXPECT_INT(holder.status, DLF_OK);
  EXPECT_INT(waiting.status, DLF_INVALID);
  dlf_object_release(child);
  EXPECT_INT(freed, 0);
  dlf_object_release(owner);
  EXPECT_INT(freed, 1);
}

#if !defined(__SANITIZE_THREAD__)
static bool ends_object(void *object) {
  dlf_object_close(object);
  dlf_object_release(object);
  return true;
}
#endif

/* A thread of the parent is inside forever: the child must not wait for it at its end. */
static void test_object__a_forked_child_ends_without_the_threads_of_its_parent(void) {
#if !defined(__SANITIZE_THREAD__)
  codec c = {0};
  dlf_object *object = boxed(&c);
  guest holder, waiting;
  const pthread_t first = invite(&holder, object, DLF_USE_EXCLUSIVE, false);
  const pthread_t second = invite(&waiting, object, DLF_USE_EXCLUSIVE, true);
  EXPECT(system_child(ends_object, object));
  send_away(&holder, first);
  send_away(&waiting, second);
  dlf_object_release(object);
#endif
}

/* ---- inside a lock of the runtime ---- */

static bool enters_guarded(dlf_object *object, dlf_use_mode mode) {
  dlf_use use = use_of(object, "codec", mode);
  if (!dlf_object_enter_guarded(&use)) {
    return false;
  }
  if (!dlf_object_leave_guarded(&use)) {
    dlf_object_leave(&use, 1);
  }
  return true;
}

static void test_object__guarded_calls_exclude_each_other_like_all(void) {
  codec c = {0};
  freed = 0;
  dlf_object *object = boxed(&c);
  dlf_use writer = use_of(object, "codec", DLF_USE_EXCLUSIVE),
          reader = use_of(object, "codec", DLF_USE_SHARED);
  dlf_use second = writer, other = reader, unlocked = use_of(object, "codec", DLF_USE_UNLOCKED);
  EXPECT(dlf_object_enter_guarded(&writer) && writer.pointer == &c);
  EXPECT(!dlf_object_enter_guarded(&second) && !dlf_object_enter_guarded(&other));
  EXPECT_FAILS(
      dlf_object_enter("f", &second, 1, NULL, &error),
      DLF_INVALID,
      "f: codec: expected a codec that this thread does not use, got one inside a call of it");
  EXPECT(dlf_object_enter_guarded(&unlocked) && unlocked.pointer == &c &&
         dlf_object_leave_guarded(&unlocked));
  EXPECT(dlf_object_leave_guarded(&writer) && !dlf_object_leave_guarded(&writer));
  EXPECT(dlf_object_enter_guarded(&reader) && !dlf_object_enter_guarded(&second));
  EXPECT_INT(enter(&other), DLF_OK); /* the same thread may read twice, which takes the lists */
  EXPECT(!dlf_object_leave_guarded(&other) && !dlf_object_leave_guarded(&reader));
  dlf_object_leave(&other, 1);
  EXPECT(dlf_object_leave_guarded(&reader));
  EXPECT(enters_guarded(object, DLF_USE_EXCLUSIVE) && enters_guarded(object, DLF_USE_SHARED));
  dlf_object_release(object);
  EXPECT_INT(freed, 1);
}

static void test_object__reached_without_the_lock_is_not_guarded(void) {
  static const dlf_use_mode modes[] = {DLF_USE_EXCLUSIVE, DLF_USE_SHARED, DLF_USE_UNLOCKED};
  codec c[3] = {{0}};
  dlf_object *object = boxed(&c[0]), *parent = boxed(&c[1]), *child = NULL;
  dlf_use use = use_of(parent, "codec", DLF_USE_EXCLUSIVE),
          late = use_of(object, "codec", DLF_USE_EXCLUSIVE);
  dlf_object_unguard(NULL);
  EXPECT(!dlf_object_enter_guarded(NULL) && !dlf_object_leave_guarded(NULL));
  EXPECT(!enters_guarded(NULL, DLF_USE_SHARED));
  /* a call that gives up the lock, while it is inside */
  EXPECT(dlf_object_enter_guarded(&late));
  dlf_object_unguard(object);
  EXPECT(!dlf_object_leave_guarded(&late));
  dlf_object_leave(&late, 1);
  for (int i = 0; i < 3; i++) {
    EXPECT(!enters_guarded(object, modes[i]));
  }
  EXPECT_INT(enter(&late), DLF_OK);
  dlf_object_leave(&late, 1);
  EXPECT(!enters_guarded(object, DLF_USE_SHARED)); /* for good */
  /* an object from which another was made, by a guarded call */
  EXPECT(dlf_object_enter_guarded(&use));
  EXPECT_INT(dlf_object_create(&c[2], free_codec, &use, 1, &child, NULL), DLF_OK);
  EXPECT(!dlf_object_leave_guarded(&use));
  dlf_object_leave(&use, 1);
  for (int i = 0; i < 3; i++) {
    EXPECT(!enters_guarded(parent, modes[i]) && enters_guarded(child, modes[i]));
  }
  /* a closed one */
  dlf_object_close(child);
  for (int i = 0; i < 3; i++) {
    EXPECT(!enters_guarded(child, modes[i]));
  }
  dlf_object_release(child);
  dlf_object_release(parent);
  dlf_object_release(object);
}

static void test_object__closed_during_a_guarded_call_is_freed_after_it(void) {
  codec c = {0};
  freed = 0;
  dlf_object *object = boxed(&c);
  dlf_use use = use_of(object, "codec", DLF_USE_SHARED);
  EXPECT(dlf_object_enter_guarded(&use));
  dlf_object_close(object);
  EXPECT(!dlf_object_leave_guarded(&use) && freed == 0);
  dlf_object_leave(&use, 1);
  EXPECT_INT(freed, 1);
  dlf_object_release(object);
}

static void test_object__a_child_is_guarded_as_its_owner_is(void) {
  codec c = {0}, part = {0};
  dlf_object *owner = boxed(&c), *child = NULL;
  dlf_use use = use_of(owner, "codec", DLF_USE_EXCLUSIVE);
  EXPECT(dlf_object_enter_guarded(&use));
  EXPECT_INT(dlf_object_borrow(&part, &use, &child, NULL), DLF_OK);
  dlf_use of_child = use_of(child, "part", DLF_USE_SHARED);
  EXPECT(!dlf_object_enter_guarded(&of_child));
  EXPECT_INT(enter(&of_child), DLF_INVALID); /* the same thread is inside the owner */
  EXPECT(dlf_object_leave_guarded(&use));
  EXPECT(dlf_object_enter_guarded(&of_child) && of_child.pointer == &part);
  EXPECT(!enters_guarded(owner, DLF_USE_EXCLUSIVE));
  EXPECT(dlf_object_leave_guarded(&of_child));
  dlf_object *other = borrowed(owner, &part);
  dlf_object_release(other); /* inside the lock */
  EXPECT(enters_guarded(owner, DLF_USE_EXCLUSIVE) && enters_guarded(child, DLF_USE_EXCLUSIVE));
  freed = 0;
  dlf_object_close(owner);
  EXPECT(dlf_object_enter_guarded(&of_child));
  EXPECT(!dlf_object_leave_guarded(&of_child)); /* it may be the last one */
  dlf_object_leave(&of_child, 1);
  dlf_object_unguard(child);
  EXPECT(!dlf_object_enter_guarded(&of_child));
  dlf_object_release(owner);
  EXPECT_INT(freed, 0);
  dlf_object_release(child);
  EXPECT_INT(freed, 1);
}

/* A runtime: threads hold its lock but for some calls, and where a call runs code of the runtime.
 */
enum { GUARDED = 100, OF_EACH = 30 };

typedef struct runtime {
  pthread_mutex_t lock;
  codec codecs[GUARDED];
  dlf_object *objects[GUARDED];
  bool unguarded[GUARDED]; /* written inside the lock, before the hub is told */
  _Atomic int64_t guarded, strays, clashes;
} runtime;

static void unguard(runtime *self, int i) {
  self->unguarded[i] = true;
  dlf_object_unguard(self->objects[i]);
}

/* Alone in the object: TSan sees a race otherwise. */
static void change(runtime *self, int i, bool gives_up_lock) {
  codec *c = &self->codecs[i];
  if (atomic_fetch_add(&c->writers, 1)) {
    atomic_fetch_add(&self->clashes, 1);
  }
  c->value++;
  if (gives_up_lock) {
    pthread_mutex_unlock(&self->lock);
    sched_yield();
    pthread_mutex_lock(&self->lock);
  }
  c->value++;
  atomic_fetch_sub(&c->writers, 1);
}

/* A call, as Python's binding makes it. */
static void call_inside_lock(runtime *self, int i, unsigned kind) {
  dlf_use use = use_of(self->objects[i], "codec", DLF_USE_EXCLUSIVE);
  bool waits = kind == 0; /* a long call */
  if (!waits && dlf_object_enter_guarded(&use)) {
    if (self->unguarded[i]) {
      atomic_fetch_add(&self->strays, 1);
    }
    atomic_fetch_add(&self->guarded, 1);
    change(self, i, kind == 1);
    if (!dlf_object_leave_guarded(&use)) {
      dlf_object_leave(&use, 1);
    }
    return;
  }
  dlf_status status = waits ? DLF_INVALID : dlf_object_enter("f", &use, 1, &waits, NULL);
  if (waits) {
    unguard(self, i);
    pthread_mutex_unlock(&self->lock);
    status = dlf_object_enter("f", &use, 1, NULL, NULL);
  }
  if (!status) {
    change(self, i, !waits && kind == 1);
    dlf_object_leave(&use, 1);
  }
  if (waits) {
    pthread_mutex_lock(&self->lock);
  }
}

static void close_outside_lock(runtime *self, int i) {
  unguard(self, i);
  pthread_mutex_unlock(&self->lock);
  dlf_object_close(self->objects[i]);
  pthread_mutex_lock(&self->lock);
}

static void *run_in_runtime(void *shared) {
  runtime *self = shared;
  unsigned random = (unsigned)(uintptr_t)&random / 16;
  for (int i = 0; i < GUARDED; i++) {
    for (int k = 0; k < OF_EACH; k++) {
      random = random * 1103515245u + 12345u;
      const unsigned kind = random >> 16 & 31;
      pthread_mutex_lock(&self->lock);
      if (kind == 2) {
        close_outside_lock(self, i);
      } else {
        call_inside_lock(self, i, kind);
      }
      pthread_mutex_unlock(&self->lock);
    }
  }
  return NULL;
}

static void test_object__guarded_and_other_calls_of_threads_take_turns(void) {
  static runtime all;
  pthread_t threads[4];
  all = (runtime){.lock = PTHREAD_MUTEX_INITIALIZER};
  freed = 0;
  for (int i = 0; i < GUARDED; i++) {
    all.objects[i] = boxed(&all.codecs[i]);
  }
  for (int i = 0; i < 4; i++) {
    EXPECT_INT(pthread_create(&threads[i], NULL, run_in_runtime, &all), 0);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(all.strays, 0);
  EXPECT_INT(all.clashes, 0);
  EXPECT(all.guarded > GUARDED);
  for (int i = 0; i < GUARDED; i++) {
    dlf_object_release(all.objects[i]);
  }
  EXPECT_INT(freed, GUARDED);
}

int main(void) {
  RUN(test_object__lends_its_pointer_and_is_freed_once);
  RUN(test_object__an_absent_one_is_passed_over);
  RUN(test_object__null_is_closed);
  RUN(test_object__a_mode_is_one_of_the_enum);
  RUN(test_object__a_parent_is_an_object);
  RUN(test_object__uses_have_a_size);
  RUN(test_object__closed_during_a_call_is_freed_after_it);
  RUN(test_object__one_that_c_frees_in_a_call_is_never_released);
  RUN(test_object__one_that_c_frees_leaves_by_the_slow_way);
  RUN(test_object__a_borrowed_one_that_c_frees_leaves_its_owner);
  RUN(test_object__released_during_calls_lasts_until_they_end);
  RUN(test_object__outlives_what_was_made_of_it);
  RUN(test_object__outlives_what_lingers);
  RUN(test_object__may_linger_within_its_release);
  RUN(test_object__a_long_chain_of_parents_needs_no_stack);
  RUN(test_object__a_long_chain_of_what_lingers_needs_no_stack);
  RUN(test_object__one_used_twice_may_only_be_read);
  RUN(test_object__one_used_twice_is_locked_if_one_use_locks);
  RUN(test_object__a_refused_call_keeps_its_modes);
  RUN(test_object__a_thread_that_is_inside_is_refused_unless_both_read);
  RUN(test_object__threads_take_turns_in_whatever_order_they_name_objects);
  RUN(test_object__readers_are_together_and_a_writer_keeps_later_ones_out);
  RUN(test_object__a_writer_comes_in_between_readers_that_never_stop);
  RUN(test_object__who_waits_when_it_is_closed_is_refused_and_the_last_frees);
  RUN(test_object__closed_between_calls_of_many_threads);
  RUN(test_object__guarded_calls_exclude_each_other_like_all);
  RUN(test_object__reached_without_the_lock_is_not_guarded);
  RUN(test_object__closed_during_a_guarded_call_is_freed_after_it);
  RUN(test_object__a_borrowed_one_keeps_its_owner_and_is_never_freed);
  RUN(test_object__one_without_an_owner_is_only_dropped);
  RUN(test_object__borrowed_from_a_borrowed_one_keeps_the_first_owner);
  RUN(test_object__a_call_with_owner_and_child_takes_their_lock_once);
  RUN(test_object__a_child_closed_during_a_call_ends_with_it);
  RUN(test_object__threads_take_turns_in_an_owner_and_what_it_lends);
  RUN(test_object__owner_and_child_closed_between_calls_of_threads);
  RUN(test_object__a_child_released_while_a_call_waits_for_it);
  RUN(test_object__a_child_is_guarded_as_its_owner_is);
  RUN(test_object__guarded_and_other_calls_of_threads_take_turns);
  RUN(test_object__a_forked_child_ends_without_the_threads_of_its_parent);
  return test_end();
}
