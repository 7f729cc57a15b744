/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of one dtype to another, a row at a time. */
#ifndef DLFERRY_CONVERT_H
#define DLFERRY_CONVERT_H

#include "step.h"

/* One kind, and the format of its small float. */
typedef struct dlf__step {
  dlf__step_kind kind;
  dlf__format format;
} dlf__step;

enum { DLF__MOST_STEPS = 4 };

/* How to convert elements: steps of which at most one rounds. A complex element is two of them. */
typedef struct dlf__conversion {
  dlf__step steps[DLF__MOST_STEPS];
  int count;                /* 0: the same bits */
  int from_bits, to_bits;   /* of a part */
  int from_parts, to_parts; /* 2 for complex elements, else 1 */
  dlf__run_step *run;
  dlf__caching caching; /* `ahead` is its first step's, `streams` its last one's */
} dlf__conversion;

/* Elements in one line. Those of whole bytes have their step in bytes, packed ones in bits. */
typedef struct dlf__line {
  char *at;
  int64_t bit; /* of the first element, from the byte at `at` on */
  int64_t step;
  bool is_packed;
} dlf__line;

DLF__BEGIN_HIDDEN

/* castable.c: is there a conversion between the dtypes, whose lanes do not matter? */
bool dlf__is_castable(DLDataType from, DLDataType to);

/* route.c: false if there is no conversion. */
bool dlf__conversion_of(DLDataType from, DLDataType to, bool saturate, dlf__conversion *out);

/* row.c: convert elements of one line into another, which shares no byte with it. */
void dlf__convert_row(const dlf__conversion *conversion, dlf__line from, dlf__line to,
                      int64_t count);

/* one.c: an element of reals, as its bits, to another dtype of reals. */
void dlf__convert_one(DLDataType from, uint64_t bits, DLDataType to, uint64_t *out);
/* The value of a small float's bits. */
double dlf__value_of(const dlf__small_float *kind, uint32_t code);

DLF__END_HIDDEN

#endif
