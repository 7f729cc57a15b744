/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction sets. A file of kernels whose name ends in .inc.h is compiled once for each: isa.h's
 * user includes it between these pragmas, with ISA(name) as the set's own names. */
#ifndef DLFERRY_ISA_H
#define DLFERRY_ISA_H

#include "hub/internal.h"

typedef enum dlf__isa {
  DLF__ISA_BASELINE, /* what the compiler may always use: SSE2 on x86-64, NEON on aarch64 */
  DLF__ISA_AVX2,     /* with F16C and FMA */
  DLF__ISA_AVX512,   /* F, BW, DQ and VL */
  DLF__ISA_COUNT
} dlf__isa;

DLF__BEGIN_HIDDEN

/* The best one that this processor has, or the one below it that a test has chosen. */
dlf__isa dlf__isa_here(void);
/* Use none above this one from now on. For tests. */
void dlf__isa_limit(dlf__isa most);

/* Ask for `bytes` that are read later. The processor's own prefetching ends with each page; this
 * asks for the nearest cache but one, which waits for more lines at once. No access, so the place
 * may lie behind the run's end. */
static DLF__INLINE void dlf__ask_for(const char *from, int64_t place, int64_t bytes) {
  const uintptr_t at = (uintptr_t)from + (uintptr_t)place;
  for (int64_t i = 0; i < bytes; i += 64) {
    __builtin_prefetch((const void *)(at + (uintptr_t)i), 0, 2);
  }
}

DLF__END_HIDDEN

#endif
