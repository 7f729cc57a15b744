/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of steps, at any address, and floats as their bits. The compiler turns memcpy
 * of a constant size into a move, and a loop of them into moves of vectors. */
#ifndef DLFERRY_LANE_H
#define DLFERRY_LANE_H

#include "hub/move/isa.h"
#include "step.h"

/* gcc vectorises a loop of any length only at -O3, and computes both sides of a choice only if no
 * side may trap. */
#if defined(__GNUC__) && !defined(__clang__)
#define DLF__BEGIN_VECTORS                                                                         \
  _Pragma("GCC push_options") _Pragma("GCC optimize(\"O3,no-trapping-math\")")
#define DLF__END_VECTORS _Pragma("GCC pop_options")
#else
#define DLF__BEGIN_VECTORS
#define DLF__END_VECTORS
#endif

DLF__BEGIN_VECTORS

/* Ask for what follows these bytes: twice, since the nearest cache can wait for few lines at once.
 */
static DLF__INLINE void dlf__ask_ahead(const char *from, int64_t bytes, dlf__caching caching) {
  const uintptr_t near = (uintptr_t)from + (uintptr_t)caching.ahead / 4;
  dlf__ask_for(from, caching.ahead, bytes);
  for (int64_t i = 0; i < bytes; i += 64) {
    __builtin_prefetch((const void *)(near + (uintptr_t)i), 0, 3);
  }
}

static DLF__INLINE float dlf__float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static DLF__INLINE uint32_t dlf__bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static DLF__INLINE uint32_t dlf__choose(bool condition, uint32_t yes, uint32_t no) {
  return condition ? yes : no;
}

static DLF__INLINE uint64_t dlf__choose_wide(bool condition, uint64_t yes, uint64_t no) {
  return condition ? yes : no;
}

/* For two numbers below 2^31, which more instruction sets compare as signed ones. */
static DLF__INLINE bool dlf__below(uint32_t a, uint32_t b) {
  return (int32_t)a < (int32_t)b;
}

#define DLF__LANE(name, type)                                                                      \
  typedef type dlf__##name;                                                                        \
  static DLF__INLINE type dlf__load_##name(const char *from, int64_t i) {                          \
    type value;                                                                                    \
    memcpy(&value, from + i * (int64_t)sizeof value, sizeof value);                                \
    return value;                                                                                  \
  }                                                                                                \
  static DLF__INLINE void dlf__store_##name(char *to, int64_t i, type value) {                     \
    memcpy(to + i * (int64_t)sizeof value, &value, sizeof value);                                  \
  }
DLF__LANE(int8, int8_t)
DLF__LANE(uint8, uint8_t)
DLF__LANE(int16, int16_t)
DLF__LANE(uint16, uint16_t)
DLF__LANE(int32, int32_t)
DLF__LANE(uint32, uint32_t)
DLF__LANE(int64, int64_t)
DLF__LANE(uint64, uint64_t)
DLF__LANE(float32, float)
DLF__LANE(float64, double)
#undef DLF__LANE

DLF__END_VECTORS

#endif
