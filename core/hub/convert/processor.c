/* SPDX-License-Identifier: Apache-2.0 */
/* By cpuid: what the compilers' own question needs is not in every one's library, such as zig's. */
#include "processor.h"

#if DLF__HAS_X86
#include <cpuid.h>

enum {
  ASKED = 1,
  AVX2 = 2,
  AVX512 = 4,
  /* what the system keeps of a thread: registers of 256 bits, and of 512 with their masks */
  KEEPS_256 = 0x06,
  KEEPS_512 = 0xE6,
  HAS_XGETBV = 1 << 27, /* cpuid 1, ecx */
  HAS_F16C = 1 << 29,
  HAS_AVX2 = 1 << 5     /* cpuid 7, ebx */
};
/* cpuid 7, ebx: F, DQ, BW, VL */
#define HAS_AVX512 (1U << 16 | 1U << 17 | 1U << 30 | 1U << 31)

static unsigned kept_by_system(void) {
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int ask(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (HAS_XGETBV | HAS_F16C)) != (HAS_XGETBV | HAS_F16C)) {
    return ASKED;
  }
  const unsigned kept = kept_by_system();
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (kept & KEEPS_256) != KEEPS_256) {
    return ASKED;
  }
  if (!(b & HAS_AVX2)) {
    return ASKED;
  }
  if ((b & HAS_AVX512) == HAS_AVX512 && (kept & KEEPS_512) == KEEPS_512) {
    return ASKED | AVX2 | AVX512;
  }
  return ASKED | AVX2;
}

static bool has(int instructions) {
  static _Atomic int known;
  int all = atomic_load_explicit(&known, memory_order_relaxed);
  if (!all) {
    all = ask();
    atomic_store_explicit(&known, all, memory_order_relaxed);
  }
  return (all & instructions) != 0;
}

bool dlf__has_avx2(void) {
  return has(AVX2);
}

bool dlf__has_avx512(void) {
  return has(AVX512);
}
#endif
