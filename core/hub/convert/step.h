/* SPDX-License-Identifier: Apache-2.0 */
/* The steps' names, and what those of small floats must know of their format. */
#ifndef DLFERRY_STEP_H
#define DLFERRY_STEP_H

#include "hub/dtype.h"

/* A small float's format as its steps use it; sizes in bits of a float32 unless it says "code".
 * A code is an element's bits. */
typedef struct dlf__format {
  int shift;         /* from a code's fraction to float32's */
  int sign_shift;    /* from a code's sign to float32's */
  uint32_t codes;    /* all bits of a code but the sign */
  uint32_t bias;     /* what the exponent of a normal number lacks */
  uint32_t lowest;   /* exponent of the least normal number */
  uint32_t raise;    /* from an exponent to that of a power whose last bit is the code's, less
                        the exponent that no code has */
  uint32_t most;     /* the number that the largest code would be if it were one */
  uint32_t special;  /* the least code that is no number, shifted; INT32_MAX: none */
  uint32_t infinity; /* what that code means */
  uint32_t largest;  /* code: what larger ones become */
  uint32_t nan;      /* code of NaN */
  uint32_t payload;  /* code: which bits of the fraction NaN keeps */
} dlf__format;

/* From one contiguous run to another. */
typedef enum dlf__step_kind {
  DLF__NO_STEP = 0,
  /* These are compiled for each instruction set. */
  DLF__WIDEN_BFLOAT16, /* to float32, exactly */
  DLF__WIDEN_FLOAT16,
  DLF__WIDEN_SMALL,
  DLF__WIDEN_UNSIGNED_ZERO,
  DLF__WIDEN_POWERS,
  DLF__NARROW_BFLOAT16, /* from float32, to nearest */
  DLF__NARROW_FLOAT16,
  DLF__NARROW_SMALL,
  DLF__NARROW_UNSIGNED_ZERO,
  DLF__NARROW_POWERS,
  DLF__INT8_TO_FLOAT32,
  DLF__UINT8_TO_FLOAT32,
  DLF__FLOAT32_TO_INT32,
  DLF__FLOAT32_TO_FLOAT64,
  DLF__FLOAT64_TO_FLOAT32,
  DLF__FLOAT64_TO_ODD, /* to float32, an inexact one to the neighbour whose last bit is 1 */
  DLF__PACK_4,
  DLF__UNPACK_4,
  DLF__LAST_FAST = DLF__UNPACK_4,
  /* These are compiled once. */
  DLF__FLOAT32_TO_FLOAT64_AS_IS, /* NaN too, signalling or not */
  DLF__INT16_TO_FLOAT32,
  DLF__UINT16_TO_FLOAT32,
  DLF__INT32_TO_FLOAT32,
  DLF__UINT32_TO_FLOAT32,
  DLF__INT64_TO_FLOAT32,
  DLF__UINT64_TO_FLOAT32,
  DLF__INT32_TO_FLOAT64,
  DLF__UINT32_TO_FLOAT64,
  DLF__INT64_TO_FLOAT64,
  DLF__UINT64_TO_FLOAT64,
  DLF__INT64_TO_STICKY, /* to float64, for FLOAT64_TO_ODD */
  DLF__UINT64_TO_STICKY,
  DLF__FLOAT64_TO_INT64, /* a number out of range becomes the nearest one, NaN becomes 0 */
  DLF__FLOAT64_TO_UINT64,
  DLF__INT8_TO_INT64,
  DLF__UINT8_TO_INT64,
  DLF__INT16_TO_INT64,
  DLF__UINT16_TO_INT64,
  DLF__INT32_TO_INT64,
  DLF__UINT32_TO_INT64,
  DLF__WRAP_8, /* the low bits of an int64 */
  DLF__WRAP_16,
  DLF__WRAP_32,
  DLF__CLAMP_INT8, /* the nearest number to an int64 */
  DLF__CLAMP_UINT8,
  DLF__CLAMP_INT16,
  DLF__CLAMP_UINT16,
  DLF__CLAMP_INT32,
  DLF__CLAMP_UINT32,
  DLF__CLAMP_UINT64,
  DLF__CLAMP_INT64,    /* to a uint64 */
  DLF__FINITE_FLOAT16, /* infinity to the largest number, in the same dtype */
  DLF__FINITE_BFLOAT16,
  DLF__FINITE_FLOAT32,
  DLF__FINITE_FLOAT64,
  DLF__NONZERO_8, /* to a bool */
  DLF__NONZERO_16,
  DLF__NONZERO_32,
  DLF__NONZERO_64,
  DLF__NONZERO_FLOAT32,
  DLF__NONZERO_FLOAT64
} dlf__step_kind;

/* How a run uses the caches. */
typedef struct dlf__caching {
  int64_t ahead; /* a long one asks for memory so many bytes ahead of itself, else 0 */
  bool streams;  /* results, which begin a line, go past them: end it with dlf__end_stream */
} dlf__caching;

DLF__BEGIN_HIDDEN

/* format.c */
dlf__format dlf__format_of(const dlf__small_float *kind, bool saturate, bool keep_payload);

/* The steps from its codes to float32, and back. */
dlf__step_kind dlf__widening_of(const dlf__small_float *kind);
dlf__step_kind dlf__narrowing_of(const dlf__small_float *kind);

/* step.c: run one step; the runs do not overlap. format may be NULL for steps without one. */
typedef void dlf__run_step(dlf__step_kind kernel, const dlf__format *format, const char *from,
                           char *to, int64_t count, dlf__caching caching);
/* For this processor, or the instruction set that a test has chosen. */
dlf__run_step *dlf__step_runner(void);
/* Whether that runs the step past the caches if it is told to. */
bool dlf__step_streams(dlf__step_kind kind);

DLF__END_HIDDEN

#endif
