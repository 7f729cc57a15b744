/* SPDX-License-Identifier: Apache-2.0 */
/* How the processor rounds in this thread. A host may have it round another way, take subnormal
 * numbers for 0 (torch.set_flush_denormal, a library of -ffast-math) or trap: our results are the
 * same, and the host's state stays. Threads begin with their maker's state, or the default one. */
#ifndef DLFERRY_ROUNDING_H
#define DLFERRY_ROUNDING_H

#include "hub/internal.h"

#if defined(__SSE__)
typedef uint32_t dlf__rounding;
#define DLF__DEFAULT_ROUNDING 0x1F80 /* MXCSR: no trap, to nearest */
#define DLF__READ_ROUNDING(state) __asm__ volatile("stmxcsr %0" : "=m"(state) : : "memory")
#define DLF__WRITE_ROUNDING(state) __asm__ volatile("ldmxcsr %0" : : "m"(state) : "memory")
#elif defined(__aarch64__)
typedef uint64_t dlf__rounding;
#define DLF__DEFAULT_ROUNDING 0
#define DLF__READ_ROUNDING(state) __asm__ volatile("mrs %0, fpcr" : "=r"(state) : : "memory")
#define DLF__WRITE_ROUNDING(state) __asm__ volatile("msr fpcr, %0" : : "r"(state) : "memory")
#else /* what the host has set */
typedef uint32_t dlf__rounding;
#define DLF__DEFAULT_ROUNDING 0
#define DLF__READ_ROUNDING(state) ((state) = 0)
#define DLF__WRITE_ROUNDING(state) ((void)(state))
#endif

/* To nearest, until dlf__rounding_end gets the result. */
static DLF__INLINE dlf__rounding dlf__rounding_begin(void) {
  const dlf__rounding ours = DLF__DEFAULT_ROUNDING;
  dlf__rounding before;
  DLF__READ_ROUNDING(before);
  DLF__WRITE_ROUNDING(ours);
  return before;
}

static DLF__INLINE void dlf__rounding_end(dlf__rounding before) {
  DLF__WRITE_ROUNDING(before);
}

#endif
