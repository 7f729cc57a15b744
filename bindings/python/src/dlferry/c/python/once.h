/* SPDX-License-Identifier: Apache-2.0 */
/* Places of the whole process that calls fill and read. Without the GIL (a free-threaded CPython,
 * or DLFERRY_GUARDED for tests of this header in C) threads do so at once; with it these are plain
 * reads and writes. */
#ifndef DLFERRY_PYTHON_ONCE_H
#define DLFERRY_PYTHON_ONCE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(Py_GIL_DISABLED) || defined(DLFERRY_GUARDED)

/** Read and write a place. A reader of a value also sees what was written before it. */
#define dlfpy_get(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define dlfpy_set(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)

/** Put a value in a place if it holds NULL, in one step. */
#define dlfpy_set_first(place, value)                                                              \
  __extension__({                                                                                  \
    __typeof__(*(place)) none_ = NULL;                                                             \
    __atomic_compare_exchange_n(place, &none_, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);  \
  })

/** Replace the value that a place had, *old; false, with *old read again, if it has another one. */
#define dlfpy_replace(place, old, value)                                                           \
  __atomic_compare_exchange_n(place, old, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

/** Begin what one thread does at a time; false if a thread is doing it. Never waits, so nothing can
 * deadlock. */
static inline bool dlfpy_begin_alone(bool *busy) {
  return !__atomic_exchange_n(busy, true, __ATOMIC_ACQUIRE);
}
static inline void dlfpy_end_alone(bool *busy) {
  __atomic_store_n(busy, false, __ATOMIC_RELEASE);
}

#else
#define dlfpy_get(place) (*(place))
#define dlfpy_set(place, value) (void)(*(place) = (value))
#define dlfpy_set_first(place, value) (*(place) ? false : (*(place) = (value), true))
#define dlfpy_replace(place, old, value) ((void)(old), *(place) = (value), true)
static inline bool dlfpy_begin_alone(bool *busy) {
  return (void)busy, true;
}
static inline void dlfpy_end_alone(bool *busy) {
  (void)busy;
}
#endif

/* ---- Values by key and version ---- */

enum { DLFPY_CACHE_SLOTS = 256, DLFPY_CACHE_CAPACITY = 128 };

/** Entries are never removed; one that is full refuses new keys. All zero at first. */
typedef struct dlfpy_cache {
  struct dlfpy_cache_entry {
    const void *key;
    const void *value;
    _Alignas(8) uint64_t note; /* the version that it is of, then the note */
    unsigned version;          /* 0 while the value changes */
  } entries[DLFPY_CACHE_SLOTS];
  int count;
  bool busy;
} dlfpy_cache;

static inline struct dlfpy_cache_entry *dlfpy_cache_entry_of(dlfpy_cache *cache, const void *key) {
  uintptr_t i = ((uintptr_t)key >> 4) % DLFPY_CACHE_SLOTS;
  for (const void *taken; (taken = dlfpy_get(&cache->entries[i].key)) && taken != key;) {
    i = (i + 1) % DLFPY_CACHE_SLOTS;
  }
  return &cache->entries[i];
}

/** Return the value of a key in this version; NULL if it has none. */
static inline const void *dlfpy_cache_find(dlfpy_cache *cache, const void *key, unsigned version) {
  struct dlfpy_cache_entry *entry = dlfpy_cache_entry_of(cache, key);
  if (!version || dlfpy_get(&entry->version) != version) {
    return NULL;
  }
  const void *value = dlfpy_get(&entry->value);
  /* Unless the version is still the same, the value may be that of the next one. */
  if (dlfpy_get(&entry->version) == version && dlfpy_get(&entry->key) == key) {
    return value;
  }
  return NULL;
}

/** Keep a value that is never freed. *first tells whether the key was new and must be kept too;
 * false if the cache is full, or another thread is writing it. */
static inline bool dlfpy_cache_keep(dlfpy_cache *cache, const void *key, unsigned version,
                                    const void *value, bool *first) {
  *first = false;
  if (!version || !dlfpy_begin_alone(&cache->busy)) {
    return false;
  }
  struct dlfpy_cache_entry *entry = dlfpy_cache_entry_of(cache, key);
  const bool new = !entry->key;
  const bool fits = !new || cache->count < DLFPY_CACHE_CAPACITY;
  if (fits) {
    dlfpy_set(&entry->version, 0u);
    dlfpy_set(&entry->value, value);
    dlfpy_set(&entry->version, version);
    dlfpy_set(&entry->key, key); /* last: readers find complete entries */
    cache->count += new;
    *first = new;
  }
  dlfpy_end_alone(&cache->busy);
  return fits;
}

/** Return the note about a key in this version, 0 at first. */
static inline unsigned dlfpy_cache_note(dlfpy_cache *cache, const void *key, unsigned version) {
  const uint64_t note = dlfpy_get(&dlfpy_cache_entry_of(cache, key)->note);
  if (version && note >> 32 == version) {
    return (unsigned)(note & UINT32_MAX);
  }
  return 0;
}

/** Raise that note; a lower one changes nothing, and an unknown key has none. */
static inline void dlfpy_cache_raise_note(dlfpy_cache *cache, const void *key, unsigned version,
                                          unsigned note) {
  struct dlfpy_cache_entry *entry = dlfpy_cache_entry_of(cache, key);
  const uint64_t new = (uint64_t)version << 32 | note;
  uint64_t old = dlfpy_get(&entry->note);
  if (!version || !dlfpy_get(&entry->key)) {
    return;
  }
  while (old >> 32 != version || old < new) {
    if (dlfpy_replace(&entry->note, &old, new)) {
      return;
    }
  }
}

#endif
