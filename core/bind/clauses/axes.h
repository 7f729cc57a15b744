/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses about the axes of a tensor that C gets beside its elements: "countp := shape(op)",
 * "imapp := strides(op)", "ndims := rank(op)". */
#ifndef DLFERRY_BIND_CLAUSES_AXES_H
#define DLFERRY_BIND_CLAUSES_AXES_H

#include "gift.h"

/* What C gets of a tensor's axes. */
typedef enum bind_axes_kind {
  BIND_AXES_SHAPE,   /**< the extents, as an array */
  BIND_AXES_STRIDES, /**< the strides in elements, as an array */
  BIND_AXES_RANK     /**< their number */
} bind_axes_kind;

typedef struct axes_clause {
  const char *param; /* of C, which callers do not pass; NULL without a clause */
  bind_axes_kind kind;
  const char *tensor;
  const char *like; /* an array with a number for each axis: "shape(op, startp)"; or NULL */
  const char *text; /* "shape(op, startp)" */
} axes_clause;

/* Read such a clause. */
clause_found axes_read(const bind_clause *c, axes_clause *out, const char **why);

#endif
