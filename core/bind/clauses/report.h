/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters through which C reports a failure: "errcode_ret: status",
 * "status: status from TF_GetCode text TF_Message". */
#ifndef DLFERRY_BIND_CLAUSES_REPORT_H
#define DLFERRY_BIND_CLAUSES_REPORT_H

#include "gift.h"

typedef struct report_clause {
  const char *param;
  const char *from;    /* the function that reads the code of an object; NULL for a number */
  const char *ok;      /* the code of a success, a number or a constant; NULL for 0 */
  const char *text;    /* the function that tells the text of a failure, or NULL */
  const char *message; /* the text of each failure, or NULL */
} report_clause;

/* Read such a clause. */
clause_found report_read(const bind_clause *c, report_clause *out, const char **why);

#endif
