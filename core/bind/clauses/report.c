/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "bind/base/text.h"
#include <string.h>

/* Take "WORD NAME" and step behind it; NULL where another word stands. */
static const char *report_take(const bind_clause *c, int *part, const char *word) {
  if (!clause_is(c, *part, word) || !clause_has_name(c, *part + 1)) {
    return NULL;
  }
  *part += 2;
  return clause_name(c, *part - 1);
}

clause_found report_read(const bind_clause *c, report_clause *out, const char **why) {
  int part = 3;
  if (!clause_has_name(c, 0) || clause_is(c, 0, "return") || !clause_is(c, 1, ":") ||
      !clause_is(c, 2, "status")) {
    return CLAUSE_OTHER;
  }
  *out = (report_clause){.param = clause_name(c, 0)};
  out->from = report_take(c, &part, "from");
  out->ok = report_take(c, &part, "ok");
  out->message = clause_is(c, part, "text") ? clause_quoted(c, part + 1) : NULL;
  if (out->message) {
    part += 2;
  } else {
    out->text = report_take(c, &part, "text");
  }
  *why = "`status`: expected `NAME: status [from FUNCTION] [ok CODE] [text FUNCTION]`";
  return part == c->count ? CLAUSE_READ : CLAUSE_REFUSED;
}
