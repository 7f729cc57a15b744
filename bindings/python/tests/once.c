/* SPDX-License-Identifier: Apache-2.0 */
/* The places that calls share without the GIL, under threads; the thread sanitizer watches in its
 * preset. */
#define DLFERRY_GUARDED
#include "../../../tests/c/test.h"

#include "once.h"

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 4, ROUNDS = 2000, KEYS = 40, VERSIONS = 50 };

/* A value tells its key and version, so that one of another key or version is noticed. */
static const struct value {
  char room[16];
} values[KEYS][VERSIONS + 1], keys[KEYS];
static dlfpy_cache cache;
static long found, kept, wrong, firsts;

static void look(int key, unsigned version) {
  const void *value = dlfpy_cache_find(&cache, &keys[key], version);
  if (value == &values[key][version]) {
    (void)__atomic_fetch_add(&found, 1, __ATOMIC_RELAXED);
  } else if (value) {
    (void)__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  }
}

/* Every thread looks for and keeps all versions of all keys: what it finds may be missing, never
 * another's. */
static void *use_cache(void *seed) {
  unsigned random = (unsigned)(uintptr_t)seed;
  for (int i = 0; i < ROUNDS * 10; i++) {
    bool first;
    random = random * 1103515245u + 12345u;
    const int key = (int)(random >> 16) % KEYS;
    const unsigned version = 1 + (unsigned)(i % VERSIONS);
    if (i % 3 == 0 &&
        dlfpy_cache_keep(&cache, &keys[key], version, &values[key][version], &first)) {
      (void)__atomic_fetch_add(&kept, 1, __ATOMIC_RELAXED);
      (void)__atomic_fetch_add(&firsts, first, __ATOMIC_RELAXED);
    }
    look(key, version);
    dlfpy_cache_raise_note(&cache, &keys[key], version, 1 + (unsigned)i % 2);
    if (dlfpy_cache_note(&cache, &keys[key], version) > 2) {
      (void)__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

static void start_and_join(void *(*run)(void *)) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) {
    EXPECT_INT(pthread_create(&threads[i], NULL, run, (void *)(i + 1)), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}

static void test_cache__never_gives_another_value(void) {
  start_and_join(use_cache);
  EXPECT_INT(wrong, 0);
  EXPECT(found > 0 && kept > 0);
  EXPECT_INT(firsts, cache.count);
  EXPECT(cache.count <= KEYS);
}

static void test_cache__is_bounded_and_knows_no_version_0(void) {
  static dlfpy_cache small;
  static const struct value many[2 * DLFPY_CACHE_CAPACITY];
  bool first;
  EXPECT(!dlfpy_cache_keep(&small, &many[0], 0, &many[0], &first) && !first);
  EXPECT(!dlfpy_cache_find(&small, &many[0], 0));
  for (int i = 0; i < 2 * DLFPY_CACHE_CAPACITY; i++) {
    EXPECT(dlfpy_cache_keep(&small, &many[i], 1, &many[i], &first) == (i < DLFPY_CACHE_CAPACITY));
    EXPECT(first == (i < DLFPY_CACHE_CAPACITY));
  }
  EXPECT(dlfpy_cache_keep(&small, &many[0], 2, &many[1], &first) && !first);
  EXPECT(dlfpy_cache_find(&small, &many[0], 2) == &many[1] &&
         !dlfpy_cache_find(&small, &many[0], 1));
  EXPECT_INT(small.count, DLFPY_CACHE_CAPACITY);
  EXPECT_INT(dlfpy_cache_note(&small, &many[0], 2), 0);
  dlfpy_cache_raise_note(&small, &many[0], 2, 2);
  dlfpy_cache_raise_note(&small, &many[0], 2, 1);
  EXPECT_INT(dlfpy_cache_note(&small, &many[0], 2), 2);
  EXPECT_INT(dlfpy_cache_note(&small, &many[0], 3), 0); /* of another version */
  dlfpy_cache_raise_note(&small, &many[DLFPY_CACHE_CAPACITY], 2, 1);
  EXPECT_INT(dlfpy_cache_note(&small, &many[DLFPY_CACHE_CAPACITY], 2), 0); /* not kept */
}

static const void *places[ROUNDS];
static int arrived[ROUNDS];
static long winners;

static void *fill(void *mine) {
  for (int i = 0; i < ROUNDS; i++) {
    (void)__atomic_fetch_add(&arrived[i], 1, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&winners, dlfpy_set_first(&places[i], mine), __ATOMIC_RELAXED);
    if (!dlfpy_get(&places[i])) {
      (void)__atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

static void test_place__is_filled_once(void) {
  start_and_join(fill);
  EXPECT_INT(winners, ROUNDS);
  EXPECT_INT(wrong, 0);
}

static bool busy;
static long entered, alone; /* alone is plain: two threads inside would be a race */

static void *enter(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    if (!dlfpy_begin_alone(&busy)) {
      continue;
    }
    alone++;
    (void)__atomic_fetch_add(&entered, 1, __ATOMIC_RELAXED);
    dlfpy_end_alone(&busy);
  }
  return NULL;
}

static void test_alone__one_thread_at_a_time(void) {
  start_and_join(enter);
  EXPECT(entered > 0);
  EXPECT_INT(alone, entered);
}

int main(void) {
  RUN(test_cache__never_gives_another_value);
  RUN(test_cache__is_bounded_and_knows_no_version_0);
  RUN(test_place__is_filled_once);
  RUN(test_alone__one_thread_at_a_time);
  return test_end();
}
