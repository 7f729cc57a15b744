/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers printed one below the other, in a common notation. */
#ifndef DLFERRY_COLUMN_H
#define DLFERRY_COLUMN_H

#include "hub/internal.h"

DLF__BEGIN_HIDDEN

/* What the numbers of one dtype have in common, so that they get one notation and one width. Begin
 * with zeros but for in_axes and plus. */
typedef struct dlf__column {
  bool in_axes; /* True takes as much room as False */
  bool plus;    /* positive reals have a sign: imaginary parts */
  bool used, scientific;
  bool finite, non_finite, negative_infinity; /* seen reals */
  double least, most;                         /* of the finite ones but 0, without sign */
  dlf__number kind;                           /* the last number seen: all are of one kind */
  int left, right; /* characters before and after the point; of other kinds all are left */
  int exponent;    /* digits, if scientific */
} dlf__column;

/* First see all numbers, decide, then fit all, then put them. value is the number's real or
 * imaginary part. */
void dlf__column_see(dlf__column *self, const dlf__number *number, double value);
void dlf__column_decide(dlf__column *self);
void dlf__column_fit(dlf__column *self, const dlf__number *number, double value);
void dlf__column_put(const dlf__column *self, dlf__text *text, const dlf__number *number,
                     double value);
int64_t dlf__column_width(const dlf__column *self);

DLF__END_HIDDEN

#endif
