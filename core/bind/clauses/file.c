/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"
#include "bind/base/names.h"
#include <string.h>

/* Tell whether fopen has a mode in C11: "r", "wb", "a+b", "wx". */
static bool file_is_mode(const char *mode) {
  static const char *const behind[] = {"", "b", "+", "b+", "+b", "x", "bx", "+x", "b+x", "+bx"};
  const size_t count = sizeof behind / sizeof *behind;
  if (!*mode || !strchr("rwa", *mode)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    if (strcmp(mode + 1, behind[i]) == 0) {
      return *mode == 'w' || !strchr(mode, 'x');
    }
  }
  return false;
}

/* Tell whether a clause is about a file, well written or not; `file[n]` is a type variable. */
static bool file_is(const bind_clause *c) {
  const int part = bind_word_in(clause_name(c, 2), "in out inout opt") ? 3 : 2;
  return clause_has_name(c, 0) && !clause_is(c, 0, "return") && clause_is(c, 1, ":") &&
         clause_is(c, part, "file") && !clause_is(c, part + 1, "[");
}

clause_found file_read(const bind_clause *c, text_clause *out, const char **why) {
  if (!file_is(c)) {
    return CLAUSE_OTHER;
  }
  *out = (text_clause){.param = clause_name(c, 0), .kind = BIND_TEXT_FILE};
  out->mode = clause_quoted(c, 3);
  if (c->count != 4 || !out->mode || !file_is_mode(out->mode)) {
    *why = "`file`: expected `NAME: file MODE` with a mode of fopen, such as \"rb\" or \"w\"";
    return CLAUSE_REFUSED;
  }
  return CLAUSE_READ;
}
