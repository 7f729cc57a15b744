/* SPDX-License-Identifier: Apache-2.0 */
/* The steps by vectors of one instruction set. step.c includes this file for each. */

#if HALVES == 16
#define WIDE(operation) _mm512_##operation
#define WIDE_TYPE __m512i
#define WIDE_FLOATS __m512
#else
#define WIDE(operation) _mm256_##operation
#define WIDE_TYPE __m256i
#define WIDE_FLOATS __m256
#endif

#include "store.inc.h"

#include "wide.inc.h"

#include "bfloat16.inc.h"
#include "bytes.inc.h"
#include "halves.inc.h"
#include "powers.inc.h"

/* From an element on; returns how many are done then, or -1 if it has no such step. */
INSTRUCTIONS static int64_t ISA(run_vectors)(dlf__step_kind kind, const dlf__format *format,
                                             const char *from, char *to, int64_t done,
                                             int64_t count, dlf__caching caching) {
  switch (kind) {
  case DLF__WIDEN_FLOAT16:
    return ISA(widen_halves)(from, to, done, count, caching);
  case DLF__NARROW_FLOAT16:
    return ISA(narrow_halves)(from, to, done, count, caching);
  case DLF__WIDEN_SMALL:
    return ISA(widen_bytes)(format, false, from, to, done, count, caching);
  case DLF__WIDEN_UNSIGNED_ZERO:
    return ISA(widen_bytes)(format, true, from, to, done, count, caching);
  case DLF__NARROW_SMALL:
    return ISA(narrow_bytes)(format, false, from, to, done, count, caching);
  case DLF__NARROW_UNSIGNED_ZERO:
    return ISA(narrow_bytes)(format, true, from, to, done, count, caching);
  case DLF__NARROW_BFLOAT16:
    return ISA(narrow_bfloat16)(from, to, done, count, caching);
  case DLF__NARROW_POWERS:
    return ISA(narrow_powers)(format, from, to, done, count, caching);
  default:
    return -1;
  }
}

#undef WIDE
#undef WIDE_TYPE
#undef WIDE_FLOATS
