/* SPDX-License-Identifier: Apache-2.0 */
#include "isa.h"

#if DLF__HAS_AVX

#include <cpuid.h>

/* The registers that the system saves for each thread. */
static uint32_t saved_registers(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static bool has_all(uint32_t bits, uint32_t wanted) {
  return (bits & wanted) == wanted;
}

static dlf__isa find_isa(void) {
  enum {
    SAVED_AVX = 0x6,    /* XCR0: SSE and AVX, */
    SAVED_AVX512 = 0xE6 /* and masks and the wide registers */
  };
  const uint32_t avx = bit_OSXSAVE | bit_AVX | bit_F16C | bit_FMA;
  const uint32_t avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !has_all(c, avx)) {
    return DLF__ISA_BASELINE;
  }
  const uint32_t saved = saved_registers();
  if (!has_all(saved, SAVED_AVX) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2)) {
    return DLF__ISA_BASELINE;
  }
  if (has_all(saved, SAVED_AVX512) && has_all(b, avx512)) {
    return DLF__ISA_AVX512;
  }
  return DLF__ISA_AVX2;
}

#else

static dlf__isa find_isa(void) {
  return DLF__ISA_BASELINE;
}

#endif

static _Atomic int chosen = -1; /* not asked yet: in a virtual machine the answer takes long */

dlf__isa dlf__isa_here(void) {
  int isa = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (isa < 0) {
    isa = (int)find_isa();
    atomic_store_explicit(&chosen, isa, memory_order_relaxed);
  }
  return (dlf__isa)isa;
}

void dlf__isa_limit(dlf__isa most) {
  dlf__isa isa = find_isa();
  if (isa > most) {
    isa = most;
  }
  atomic_store_explicit(&chosen, (int)isa, memory_order_relaxed);
}
