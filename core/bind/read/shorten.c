/* SPDX-License-Identifier: Apache-2.0 */
/* Strip prefixes from names, and report errors. */
#include "builder.h"
#include <string.h>

void ir_fail(ir_builder *b, int line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  bind_error("%s:%d: %s", b->block ? b->contracts->file : b->options->headers[b->at], b->block ? b->block->line : line,
             bind_string_list(format, list));
  va_end(list);
  b->failed = true;
}

/* ---- names ---- */

static bool ir_is_name(const char *name) {
  if (!*name || (*name >= '0' && *name <= '9')) return false;
  for (const char *p = name; *p; p++)
    if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_')) return false;
  return true;
}

/* Strip a prefix in any case; NULL if the rest is not a name. */
const char *ir_strip(const char *name, const char *prefix) {
  size_t i = 0;
  for (; prefix[i]; i++) {
    char a = name[i], c = prefix[i];
    if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (a != c) return name;
  }
  return ir_is_name(name + i) ? name + i : NULL;
}

const char *ir_short_name(ir_builder *b, const char *name, int line) {
  const char *stripped = ir_strip(name, b->ir->prefix);
  if (!stripped) ir_fail(b, line, "%s: no usable name is left without the prefix %s", name, b->ir->prefix);
  return stripped ? stripped : name;
}
