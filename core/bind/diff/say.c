/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"
#include <stdarg.h>

void diff_say(diff_report *r, const char *file, int line, int effects, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const char *sentence = bind_string_list(format, list);
  va_end(list);
  const diff_line added = {bind_string("%s:%d: %s", file, line, sentence), effects};
  BIND_ADD(r->lines, r->count, r->capacity, added);
}
