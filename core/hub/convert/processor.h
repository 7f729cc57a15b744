/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions the processor has, beyond those that the compiler may use anyway. NEON is one
 * of these. */
#ifndef DLFERRY_PROCESSOR_H
#define DLFERRY_PROCESSOR_H

#include "hub/internal.h"

#if defined(__x86_64__)
#define DLF__HAS_X86 1
#else
#define DLF__HAS_X86 0
#endif

/* gcc and clang else prefer half of the registers' width. */
#if defined(__clang__)
#define DLF__AVX512 "avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl"
#else
#define DLF__AVX512 "avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"
#endif

DLF__BEGIN_HIDDEN

/* processor.c; asked once. */
bool dlf__has_avx2(void);
bool dlf__has_avx512(void);

DLF__END_HIDDEN

#endif
