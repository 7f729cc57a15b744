/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of one instruction set, and stores of them, which go past the caches if they are a
 * stream's. step.c includes this file for each set: ISA(name) is a name of its own, HALVES how many
 * numbers of 16 bits half a register holds, INSTRUCTIONS the attribute of a function that uses it.
 */

typedef uint16_t ISA(halves) __attribute__((vector_size(2 * HALVES)));
typedef uint16_t ISA(more_halves) __attribute__((vector_size(4 * HALVES))); /* twice as many */
typedef int16_t ISA(signed_halves) __attribute__((vector_size(4 * HALVES)));
typedef float ISA(floats) __attribute__((vector_size(4 * HALVES)));

/* A stream's place is a multiple of the register's size. */
INSTRUCTIONS static inline void ISA(store)(char *to, ISA(floats) value, bool streams) {
  if (!streams) {
    memcpy(to, &value, sizeof value);
    return;
  }
#if HALVES == 16
  _mm512_stream_ps((float *)(void *)to, (__m512)value);
#else
  _mm256_stream_ps((float *)(void *)to, (__m256)value);
#endif
}

/* Lines of 64 bytes, past the caches. */
INSTRUCTIONS static inline void ISA(stream_lines)(char *to, const char *from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 4 * HALVES) {
    ISA(floats) value;
    memcpy(&value, from + i, sizeof value);
    ISA(store)(to + i, value, true);
  }
}
